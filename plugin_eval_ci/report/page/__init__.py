"""The pieces of an HTML page: everything in one file, nothing fetched from anywhere, and every text of the input escaped."""
