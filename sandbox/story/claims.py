"""What a line asserts, what it asks for, and where a thing is seen."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from sandbox.story.ids import PredicateId, ThingId


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Claim(_Record):
    """A fact as somebody asserted it in a line."""

    subject: str
    predicate: PredicateId
    object: str
    said: str
    """The sentence as said: all that a listener gets."""
    mode: Literal["claimed", "supposed", "denied"] = "claimed"
    """`supposed`: offered as a guess. `denied`: that it is not so."""


class Question(_Record):
    """What a line asks for, as far as it is known."""

    subject: str
    predicate: PredicateId | None = None
    """None: anything about the subject."""


class Sighting(_Record):
    """Where a thing is seen to be: in a place, with a person or in a container."""

    thing: ThingId
    where: str
