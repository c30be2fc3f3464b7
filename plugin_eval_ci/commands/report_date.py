"""The date that a report shows."""

import datetime
import os
import re
from collections.abc import Mapping

from plugin_eval_ci.errors import UsageError, not_date, not_valid

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LATEST = 253_402_300_799  # the last second of the year 9999


def day_of(given: str | None, environ: Mapping[str, str] = os.environ) -> str:
    """The date as YYYY-MM-DD: the given one, else that of SOURCE_DATE_EPOCH (reproducible builds), else today in UTC."""
    if given:
        return validated_date(given, "--date")
    epoch = environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.datetime.now(datetime.UTC).date().isoformat()
    if not re.fullmatch(r"[0-9]{1,12}", epoch) or int(epoch) > _LATEST:
        raise UsageError(not_valid("SOURCE_DATE_EPOCH", epoch, "seconds since 1970"))
    return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date().isoformat()


def validated_date(day: str, option: str) -> str:
    """The same date if it is valid. Raises ``UsageError`` that names ``option``."""
    try:
        if not _DAY.fullmatch(day):
            raise ValueError
        datetime.date.fromisoformat(day)
    except ValueError:
        raise UsageError(not_date(option, day)) from None
    return day
