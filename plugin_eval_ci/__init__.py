"""Lint and score agent skills and plugins where the work happens."""

__version__ = "0.1.0"
METHODOLOGY = "plugin-eval-ci/1"
SCHEMA_VERSION = "1.0"
HOME = "https://github.com/plugin-eval-ci/plugin-eval-ci"


def page(name: str) -> str:
    """The address of a page of the documentation, for messages: an installed copy has no docs folder."""
    return f"{HOME}/blob/v{__version__}/docs/{name}.md"
