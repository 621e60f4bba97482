"""What a session reports while it plays; screen, stdout and scripts read the same."""

from dataclasses import dataclass

from sandbox.agents.minds import Cost
from sandbox.agents.trace import Trace
from sandbox.errors import SandboxError
from sandbox.story.beats import Beat
from sandbox.story.ids import CharacterId, PlaceId, SceneId


@dataclass(frozen=True)
class BeatBegan:
    """A character begins to decide."""

    character: CharacterId
    place: PlaceId
    mind: str


@dataclass(frozen=True)
class DraftArrived:
    """A sentence that is about to be said; shown to the director only, marked as a draft."""

    character: CharacterId
    text: str


@dataclass(frozen=True)
class DraftWithdrawn:
    """What was drafted for a character does not count."""

    character: CharacterId
    reason: str


@dataclass(frozen=True)
class BeatCommitted:
    """A beat is on disk and has happened."""

    beat: Beat
    cost: Cost | None = None
    """None: no mind was asked."""
    trace: Trace | None = None
    """How a mind came to it."""


@dataclass(frozen=True)
class BeatPassed:
    """A character let its turn pass; nothing happened."""

    character: CharacterId


@dataclass(frozen=True)
class BeatFailed:
    """A character's move could not be had. The story stays as it was."""

    character: CharacterId
    error: SandboxError


@dataclass(frozen=True)
class SceneConsolidating:
    """A scene is over, and those who were there take it in. It closes when that is done."""

    scene: SceneId
    owners: tuple[CharacterId, ...]
    """For whom a model is asked, in order of id."""


@dataclass(frozen=True)
class DirectionRefused:
    """What the director wanted is not possible on the stage. The story stays as it was."""

    error: SandboxError


Update = (
    BeatBegan
    | DraftArrived
    | DraftWithdrawn
    | BeatCommitted
    | BeatPassed
    | BeatFailed
    | SceneConsolidating
    | DirectionRefused
)
