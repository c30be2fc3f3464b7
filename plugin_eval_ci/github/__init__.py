"""GitHub: the REST API, and the environment of a step in Actions. Only ``client`` loads urllib3."""
