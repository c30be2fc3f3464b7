"""Findings of other tools, read from SARIF and merged with ours."""
