"""The errors that end a run, and the wording of the faults that several commands report. Bad input to lint is a finding, not an error."""


class UsageError(Exception):
    """The command line or the configuration is wrong (exit code 2)."""


class MeasurementError(Exception):
    """What the user wanted to measure could not be measured (exit code 3)."""


class DoneError(Exception):
    """The work is done, but it has no result to print yet (exit code 0). The message names the next step."""


class UnreadableError(Exception):
    """A YAML or TOML text cannot be read; ``line`` says where."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def not_json(error: Exception) -> str:
    """The message for a text that ``json`` could not parse, with the place if it is known."""
    line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
    return f"not valid JSON (line {line}, column {column})" if line is not None else "not valid JSON"


def together(first: str, second: str, why: str = "") -> str:
    """The message for two options that cannot be used together."""
    return f"{first} and {second} cannot be used together" + (f": {why}" if why else "")


def not_valid(where: str, value: str, expected: str, hint: str = "") -> str:
    """The message for a value that an option, an input or a key does not take. ``hint`` is such as ``did you mean X?``."""
    place, more = f"{where}: " if where else "", f"; {hint}" if hint else ""
    return f"{place}{value[:60]!r} is not valid{more} (expected {expected})"


def not_date(where: str, value: str) -> str:
    """The message for a text that is not a date."""
    return f"{where}: {value[:40]!r} is not a valid date (expected YYYY-MM-DD)"


def not_output_of(file: str, reason: str, commands: str) -> str:
    """The message for a file that is not the JSON output of ``commands``, such as ``score or report``."""
    return f"{file}: {reason}; expected the JSON output of plugin-eval {commands}"


def not_read(file: str, error: OSError) -> str:
    """The message for a file that cannot be read."""
    return f"{file}: cannot be read: {error.strerror or type(error).__name__}"


def not_written(file: str, error: OSError) -> str:
    """The message for a file that cannot be written."""
    return f"{file}: cannot be written: {error.strerror or type(error).__name__}"


def not_found(path: str) -> str:
    """The message for a path that does not exist."""
    return f"{path}: no such file or folder"


def already_exists(file: str, advice: str) -> str:
    """The message for a file that would be overwritten."""
    return f"{file} already exists; {advice}"
