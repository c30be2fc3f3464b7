"""What the command line does, one command a file: options in, text out, exit code back."""
