"""What a person can do to a story between two beats."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.story.claims import Claim
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, PlaceId


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
    tells: tuple[Claim, ...] = ()


class Do(_Command):
    """A person acts for a character."""

    kind: Literal["do"] = "do"
    character: CharacterId
    text: str = Field(min_length=1, max_length=4000)


class Go(_Command):
    """A person moves a character to a place, through those between."""

    kind: Literal["go"] = "go"
    character: CharacterId
    place: PlaceId


class Stage(_Command):
    """Events of a script, whole or not at all."""

    kind: Literal["stage"] = "stage"
    events: tuple[Event, ...]


class Rewind(_Command):
    """Withdraw everything after a turn."""

    kind: Literal["rewind"] = "rewind"
    turn: int = Field(ge=0)


class Retake(_Command):
    """Withdraw the last beat; its character decides again."""

    kind: Literal["retake"] = "retake"


Command = Annotated[Inject | Say | Do | Go | Stage | Rewind | Retake, Field(discriminator="kind")]
