"""The day that a report carries: it is given, never looked up twice."""

import datetime
import os
import re
from collections.abc import Mapping

from plugin_eval_ci.errors import UsageError

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LATEST = 253_402_300_799  # the last second of the year 9999


def day_of(given: str | None, environ: Mapping[str, str] = os.environ) -> str:
    """YYYY-MM-DD: what was given, else what SOURCE_DATE_EPOCH says (reproducible builds), else today in UTC."""
    if given:
        return validated_date(given, "--date")
    epoch = environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.datetime.now(datetime.UTC).date().isoformat()
    if not re.fullmatch(r"[0-9]{1,12}", epoch) or int(epoch) > _LATEST:
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch[:40]!r}; seconds since 1970 are expected")
    return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date().isoformat()


def validated_date(day: str, option: str) -> str:
    """The same day, if it is one. Raises ``UsageError`` that names ``option``."""
    try:
        if not _DAY.fullmatch(day):
            raise ValueError
        datetime.date.fromisoformat(day)
    except ValueError:
        raise UsageError(f"{option}: {day[:40]!r} is not a valid date (expected YYYY-MM-DD)") from None
    return day
