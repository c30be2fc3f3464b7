"""The formats of ``diff``, and the comment on a pull request."""
