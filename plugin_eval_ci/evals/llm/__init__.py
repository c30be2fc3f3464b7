"""Requests to models: what is sent, what it costs, what was recorded."""
