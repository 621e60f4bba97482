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
