"""The formats of ``lint``: one format, one file."""
