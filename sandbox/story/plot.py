"""What an author prepares: threads, open questions whose state is computed, and events a director may fire."""

from pydantic import Field, model_validator

from sandbox.story.ids import CharacterId, FactId, PlaceId, PredicateId, ThingId
from sandbox.story.items import Item, Name, Slug, Text
from sandbox.story.ways import Door


class Held(Item):
    """A value somebody believes: of this subject and predicate, this object."""

    subject: Name
    predicate: PredicateId
    object: Name


class Condition(Item):
    """Who knows or believes what. Exactly one of `knows`, `lacks` and `believes`."""

    who: CharacterId | None = None
    """Whose mind. None: anybody who did not know it at the start point."""
    knows: FactId | None = None
    lacks: FactId | None = None
    """A fact that `who` does not know."""
    believes: Held | None = None
    """What `who` holds for true, by its entry of best standing."""

    @model_validator(mode="after")
    def _one(self) -> "Condition":
        if sum(x is not None for x in (self.knows, self.lacks, self.believes)) != 1:
            raise ValueError("give exactly one of `knows`, `lacks` and `believes`")
        return self


class ThreadState(Item):
    """A state a thread is in while all its conditions hold."""

    id: Slug
    when: tuple[Condition, ...] = Field(min_length=1)
    closes: bool = False
    """Whether the question is settled by it."""


class Thread(Item):
    """An open question of the author. It is `open` while no state of it holds."""

    id: Slug
    question: Text
    states: tuple[ThreadState, ...] = Field(min_length=1)
    """The last one that holds counts."""


class ThingSet(Item):
    """What becomes of a thing; what is left out stays."""

    thing: ThingId
    state: Text | None = None
    place: PlaceId | None = None
    holder: CharacterId | None = None


class DoorSet(Item):
    between: tuple[PlaceId, PlaceId]
    door: Door


class Prepared(Item):
    """An event written beforehand. A director fires it by its id, once."""

    id: Slug
    text: Text
    """What those perceive who are there."""
    place: PlaceId | None = None
    """Where. None: everywhere."""
    when: tuple[Condition, ...] = ()
    """It may be fired while all of these hold."""
    not_before: int = Field(default=1, ge=1)
    """First turn in which it may be fired."""
    reveals: tuple[FactId, ...] = ()
    """Facts that those observe who perceive it in full."""
    things: tuple[ThingSet, ...] = ()
    doors: tuple[DoorSet, ...] = ()
