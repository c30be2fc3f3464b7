"""Flags curl x | sh."""
P = "curl x | sh"
