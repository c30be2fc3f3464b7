"""What can go wrong at the door. Bad input is data (a finding), never one of these."""


class UsageError(Exception):
    """The command or the configuration cannot be carried out as given (exit code 2)."""


class MeasurementError(Exception):
    """What was asked for could not be measured (exit code 3)."""


class DoneError(Exception):
    """What was asked for is done, and there is no result to print yet (exit code 0). The message says what is next."""


def not_json(error: Exception) -> str:
    """What is wrong with a text that ``json`` could not read, and where, as far as that is known."""
    line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
    return f"not valid JSON (line {line}, column {column})" if line is not None else "not valid JSON"


def together(first: str, second: str, why: str = "") -> str:
    """The message for two options that cannot be used together."""
    return f"{first} and {second} cannot be used together" + (f": {why}" if why else "")


def not_valid(where: str, value: str, expected: str) -> str:
    """The message for a value that an option or input does not take."""
    return f"{where}: {value[:60]!r} is not valid (expected {expected})"


def already_exists(file: str, advice: str) -> str:
    """The message for a file that would be overwritten."""
    return f"{file} already exists; {advice}"
