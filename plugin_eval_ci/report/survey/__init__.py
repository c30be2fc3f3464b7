"""The formats of ``report``."""
