"""The formats of ``score``."""
