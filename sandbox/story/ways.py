"""Ways between places: what stands between them, and how much of a voice gets through."""

from enum import StrEnum

from pydantic import Field

from sandbox.story.ids import PlaceId
from sandbox.story.items import Spanned


class Door(StrEnum):
    """State of what separates two places."""

    NONE = "none"
    OPEN = "open"
    SHUT = "shut"
    LOCKED = "locked"


class Carries(StrEnum):
    """How much of a voice at talking level reaches the neighbour through an open way."""

    WORDS = "words"
    SOUND = "sound"
    NOTHING = "nothing"


class Link(Spanned):
    """A way between two places."""

    between: tuple[PlaceId, PlaceId]
    door: Door = Door.NONE
    carries: Carries = Carries.NOTHING
    sight: bool = False
    """Whether one sees from one into the other while no door is shut between them. Two places outdoors
    with no door between them always do."""
    minutes: int = Field(default=1, ge=1, le=10_000)
    """Story minutes the way takes."""


_LEVELS = (Carries.NOTHING, Carries.SOUND, Carries.WORDS)
_VOLUMES = {"low": -1, "normal": 0, "shout": 1}


def is_open(door: Door) -> bool:
    """Whether nothing shut stands in the way."""
    return door in (Door.NONE, Door.OPEN)


def carried(link: Link, door: Door, volume: str) -> Carries:
    """How much of a voice gets through a way: a closed door takes it down one step, a shout up one."""
    level = _LEVELS.index(link.carries) - (not is_open(door)) + _VOLUMES[volume]
    return _LEVELS[max(0, min(level, len(_LEVELS) - 1))]
