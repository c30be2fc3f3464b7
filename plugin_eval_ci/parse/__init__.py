"""Text to facts with line numbers. Bad input becomes a ``Problem``, never an exception."""
