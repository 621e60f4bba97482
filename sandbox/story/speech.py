"""Events in words: spoken, whispered, announced, written, thought."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.story.claims import Claim, Question
from sandbox.story.ids import CharacterId, FactId, OrganisationId, PlaceId


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LineSpoken(_Record):
    kind: Literal["line_spoken"] = "line_spoken"
    actor: CharacterId
    words: str
    targets: tuple[CharacterId, ...] = ()
    aside: bool = False
    """Meant for the targets alone, as on a stage: nobody else takes it in."""
    volume: Literal["low", "normal", "shout"] = "normal"
    language: str | None = None
    """A tongue that not all share. None: the one all share."""
    chorus: tuple[CharacterId, ...] = ()
    """Others who say it together with the actor."""
    into: PlaceId | None = None
    """Place into which somebody off the stage calls. None: the actor's own."""
    tells: tuple[Claim, ...] = ()
    asks: Question | None = None


class Whispered(_Record):
    kind: Literal["whispered"] = "whispered"
    actor: CharacterId
    words: str
    targets: tuple[CharacterId, ...]
    by_wire: bool = False
    """Over a telephone or the like: the targets may be elsewhere, and nobody near sees to whom."""
    language: str | None = None
    tells: tuple[Claim, ...] = ()
    asks: Question | None = None


class Announced(_Record):
    """Made known to an organisation, or to all, wherever they are."""

    kind: Literal["announced"] = "announced"
    actor: CharacterId | None
    to: OrganisationId | None = None
    """None: everybody."""
    words: str
    tells: tuple[Claim, ...] = ()
    facts: tuple[FactId, ...] = ()
    """Canon facts that it makes known."""


class MessageSent(_Record):
    """A letter or the like is on its way."""

    kind: Literal["message_sent"] = "message_sent"
    actor: CharacterId
    message: str
    """Its id, new in this story."""
    to: CharacterId
    words: str
    tells: tuple[Claim, ...] = ()
    minutes: int = Field(default=10, ge=0, le=1_000_000)
    """Story minutes until it can arrive."""


class MessageRead(_Record):
    """Somebody reads a message: the one it was sent to, or one who intercepts it."""

    kind: Literal["message_read"] = "message_read"
    actor: CharacterId
    message: str
    sender: CharacterId
    words: str
    tells: tuple[Claim, ...] = ()
    withheld: bool = False
    """Whether who intercepts it keeps it, so that it never arrives."""


class Thought(_Record):
    kind: Literal["thought"] = "thought"
    actor: CharacterId
    text: str
