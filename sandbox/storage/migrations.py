"""Named steps by which older saves are read; each adds what the save could not yet say."""

from collections.abc import Callable, Mapping
from typing import Any

Values = dict[str, Any]


def spine_played_without_a_director(values: Values) -> Values:
    """Saves of perception rules 1: nobody fired events or brought people together, then or later."""
    if values.get("rules", 1) != 1 or "director" in values.get("story", {}):
        return values
    return {**values, "rehearsal": 1, "story": {**values.get("story", {}), "director": False}}


MIGRATIONS: tuple[Callable[[Values], Values], ...] = (spine_played_without_a_director,)
"""In the order in which they came to be."""


def migrated(values: Mapping[str, Any]) -> Values:
    """The manifest as today's program would have written it."""
    told = dict(values)
    for migration in MIGRATIONS:
        told = migration(told)
    return told
