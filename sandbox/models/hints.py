"""How long an endpoint asks to be left alone: in a header, or in the body of its refusal."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_IN_BODIES: Final = (
    re.compile(rf'"retry_?(?:after|delay)_?(ms)?[a-z_]*": ?"?{_NUMBER}()', re.IGNORECASE),
    re.compile(rf"(?:again|retry) (?:in|after) ()(?:about )?{_NUMBER} ?(ms|milli)?", re.IGNORECASE),
    re.compile(rf"(){_NUMBER} ?(毫)?秒钟?[之以]?[后後]"),
)
"""Fields (`"retry_after_ms": 900`, `"retryDelay": "17s"`) and sentences ("try again in 1.5s",
"请在 20 秒后重试"): a unit before or after the number, milliseconds only where it says so."""


def asked_wait_s(headers: Mapping[str, str], body: object) -> float | None:
    """Seconds from now, at least 0; None where nothing is said that can be understood."""
    waits = (*_in_headers(headers), *wait_in(body))
    return next((max(0.0, wait_s) for wait_s in waits if math.isfinite(wait_s)), None)


def wait_in(body: object) -> Iterator[float]:
    """The waits that a body asks for, in seconds."""
    text = body if isinstance(body, str) else json.dumps(body, default=str, ensure_ascii=False)
    for pattern in _IN_BODIES:
        if found := pattern.search(text):
            before, number, after = found.groups()
            yield float(number) / (1000 if before or after else 1)


def _in_headers(headers: Mapping[str, str]) -> Iterator[float]:
    """`Retry-After` holds seconds or a date."""
    with suppress(ValueError):
        yield float(headers.get("retry-after-ms", "")) / 1000
    value = headers.get("retry-after", "")
    with suppress(ValueError):
        yield float(value)
    with suppress(ValueError, TypeError):
        yield (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
