"""Lint and score agent skills and plugins where the work happens."""

__version__ = "0.1.0"
METHODOLOGY = "plugin-eval-ci/1"
SCHEMA_VERSION = "1.0"
