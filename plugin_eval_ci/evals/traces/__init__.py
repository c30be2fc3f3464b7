"""Recorded sessions of coding agents: which skills really fired, on what, and what that cost. Nothing in a record is run."""
