"""What a person can do to a story between two beats."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.story.claims import Claim
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, PlaceId, PreparedId


class _Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Inject(_Command):
    """Something happens in a place, or everywhere."""

    kind: Literal["inject"] = "inject"
    text: str = Field(min_length=1, max_length=4000)
    place: PlaceId | None = None


class Say(_Command):
    """A person speaks for a character."""

    kind: Literal["say"] = "say"
    character: CharacterId
    words: str = Field(min_length=1, max_length=4000)
    to: tuple[CharacterId, ...] = ()
    whisper: bool = False
    tells: tuple[Claim, ...] | None = None
    """What the person says that the words tell. None: what they are found to tell; empty: nothing."""


class Do(_Command):
    """A person acts for a character."""

    kind: Literal["do"] = "do"
    character: CharacterId
    text: str = Field(min_length=1, max_length=4000)
    searches: bool = False
    """Whether it looks through the place, and finds what is hidden there."""


class Go(_Command):
    """A person moves a character to a place, through those between."""

    kind: Literal["go"] = "go"
    character: CharacterId
    place: PlaceId


class Stage(_Command):
    """Events of a script, whole or not at all."""

    kind: Literal["stage"] = "stage"
    events: tuple[Event, ...]


class Fire(_Command):
    """A prepared event happens now."""

    kind: Literal["fire"] = "fire"
    prepared: PreparedId


class Rewind(_Command):
    """Withdraw everything after a turn."""

    kind: Literal["rewind"] = "rewind"
    turn: int = Field(ge=0)


class Retake(_Command):
    """Withdraw the last beat; its character decides again."""

    kind: Literal["retake"] = "retake"


class Retract(_Command):
    """Withdraw one earlier beat; what followed stays."""

    kind: Literal["retract"] = "retract"
    turn: int = Field(ge=1)


class Edit(_Command):
    """Change the words of an earlier line."""

    kind: Literal["edit"] = "edit"
    turn: int = Field(ge=1)
    words: str = Field(min_length=1, max_length=4000)
    keep: bool = True
    """Whether what followed stays. False: it is withdrawn, and the story goes on from the new line."""


Command = Annotated[
    Inject | Say | Do | Go | Stage | Fire | Rewind | Retake | Retract | Edit,
    Field(discriminator="kind"),
]
