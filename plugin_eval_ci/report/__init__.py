"""One output format, one file, one function of what was found; strangers' words are escaped for that format."""
