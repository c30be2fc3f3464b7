"""The formats of ``gate``."""
