"""Events: what has happened. A closed union, frozen, past tense."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.story.claims import Claim
from sandbox.story.claims import Sighting as Sighting
from sandbox.story.ids import (
    CharacterId,
    CharacterSet,
    FactId,
    OrganisationId,
    PlaceId,
    PreparedId,
    SceneId,
    ThingId,
)
from sandbox.story.inward import BeliefInferred as BeliefInferred
from sandbox.story.inward import EpisodeWritten as EpisodeWritten
from sandbox.story.inward import PatternGrown as PatternGrown
from sandbox.story.routes import Route
from sandbox.story.speech import Announced as Announced
from sandbox.story.speech import LineSpoken as LineSpoken
from sandbox.story.speech import MessageRead as MessageRead
from sandbox.story.speech import MessageSent as MessageSent
from sandbox.story.speech import Thought as Thought
from sandbox.story.speech import Whispered as Whispered
from sandbox.story.ways import Door


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


# ── Scenes ────────────────────────────────────────────────────────────────────────────────────


class SceneOpened(_Record):
    kind: Literal["scene_opened"] = "scene_opened"
    scene: SceneId
    place: PlaceId
    number: int


class SceneClosed(_Record):
    kind: Literal["scene_closed"] = "scene_closed"
    scene: SceneId
    place: PlaceId


class StageSet(_Record):
    """A new scene is set: who is where, as when a curtain rises. Nobody perceives it."""

    kind: Literal["stage_set"] = "stage_set"
    places: Mapping[CharacterId, PlaceId | None]
    """None: off the stage. Who is not named stays."""


# ── Deeds ─────────────────────────────────────────────────────────────────────────────────────


class Acted(_Record):
    kind: Literal["acted"] = "acted"
    actor: CharacterId
    text: str
    """Without its subject: "lifts the loose board"."""
    first: str | None = None
    """The same in first person: "lift the loose board". None: the text serves."""
    examines: ThingId | None = None
    searches: bool = False
    """Whether it looks through the place: what it finds is an event of its own."""
    alongside: tuple[CharacterId, ...] = ()
    """Others who do it together with the actor."""
    failed: bool = False
    """An attempt that the stage did not allow."""


class MoodTurned(_Record):
    kind: Literal["mood_turned"] = "mood_turned"
    actor: CharacterId
    mood: str


class Entered(_Record):
    kind: Literal["entered"] = "entered"
    actor: CharacterId
    place: PlaceId
    from_place: PlaceId | None = None
    alongside: tuple[CharacterId, ...] = ()
    """Others who come in together with the actor."""
    unseen: bool = False
    """Nobody notices; who comes in so is hidden there."""


class Left(_Record):
    kind: Literal["left"] = "left"
    actor: CharacterId
    place: PlaceId
    to_place: PlaceId | None = None
    alongside: tuple[CharacterId, ...] = ()


class Travelled(_Record):
    """A way of more than one step, as the traveller knows it; leaving and entering are events too."""

    kind: Literal["travelled"] = "travelled"
    actor: CharacterId
    from_place: PlaceId
    to_place: PlaceId
    minutes: int = Field(ge=0)


class StateTurned(_Record):
    """Somebody's own state turned: awake, alive, hidden, attending, able to hear and see."""

    kind: Literal["state_turned"] = "state_turned"
    actor: CharacterId
    state: Literal[
        "died", "rose", "fell_asleep", "woke", "hid", "found", "distracted", "attentive",
        "deafened", "hearing", "blinded", "seeing",
    ]  # fmt: skip
    known_to: tuple[CharacterId, ...] | None = None
    """Who knows of a deafness or blindness. None: everybody."""


class Spied(_Record):
    """Somebody listens and looks in on another place from now on, unnoticed."""

    kind: Literal["spied"] = "spied"
    actor: CharacterId
    on: PlaceId | None
    """None: no longer."""


class Disguised(_Record):
    """Somebody puts a disguise on, or off. Who watches it sees through it."""

    kind: Literal["disguised"] = "disguised"
    actor: CharacterId
    seen_as: str | None
    """Id of the character or entity it is taken for. None: of itself again."""
    seen_through_by: tuple[CharacterId, ...] = ()


class MembershipChanged(_Record):
    kind: Literal["membership_changed"] = "membership_changed"
    actor: CharacterId
    organisation: OrganisationId
    joined: bool


# ── Things and places ─────────────────────────────────────────────────────────────────────────


class ThingChanged(_Record):
    """An object's state, place, holder or container changed; what is None stayed."""

    kind: Literal["thing_changed"] = "thing_changed"
    actor: CharacterId | None
    thing: ThingId
    state: str | None = None
    place: PlaceId | None = None
    holder: CharacterId | None = None
    inside: ThingId | None = None
    """A container in the same place."""


class ThingFound(_Record):
    """A search brings to light what was out of sight; from now on it lies open."""

    kind: Literal["thing_found"] = "thing_found"
    actor: CharacterId
    thing: ThingId


class ThingsSeen(_Record):
    """All who are in a place see, with one another, what is there."""

    kind: Literal["things_seen"] = "things_seen"
    place: PlaceId
    seen: tuple[Sighting, ...]
    by: CharacterId | None = None
    """Who alone sees it, from a hiding place. None: all who are there."""


class FactSeen(_Record):
    """Somebody sees, before the eyes of all there, how something is: a label, what a box holds."""

    kind: Literal["fact_seen"] = "fact_seen"
    actor: CharacterId | None
    place: PlaceId
    fact: Claim
    """`said` is the sentence for it."""


class DoorChanged(_Record):
    kind: Literal["door_changed"] = "door_changed"
    actor: CharacterId | None
    between: tuple[PlaceId, PlaceId]
    door: Door


class Narrated(_Record):
    """Something happened that no character did; from a person, a prepared event or a template."""

    kind: Literal["narrated"] = "narrated"
    text: str
    place: PlaceId | None = None
    """Where it can be perceived. None: everywhere."""
    prepared: PreparedId | None = None
    """The prepared event it is. What that reveals, those observe who perceive it in full."""


# ── Minds and the record ──────────────────────────────────────────────────────────────────────


class FactGranted(_Record):
    kind: Literal["fact_granted"] = "fact_granted"
    fact: FactId
    to: CharacterSet
    route: Route


class Offence(StrEnum):
    """What a guard finds in a drafted move (DESIGN section 7, point 8)."""

    ASSERTED = "asserted"
    """It flatly says of somebody or something what its speaker holds from no source."""
    SPEAKS_FOR = "speaks_for"
    """It speaks, thinks or acts for somebody else."""
    UNKNOWN_NAME = "unknown_name"
    """It names somebody or some place as if known that its speaker does not know."""
    THOUGHT_SPOKEN = "thought_spoken"
    """Its private thought stands in its speech or its action."""
    THINKING = "thinking"
    """Tags of a model's thinking."""
    REPEATED = "repeated"
    """It is what its speaker has said before."""


class GuardFound(_Record):
    """A sentence that the guard objected to. Nobody in the story witnesses it."""

    kind: Literal["guard_found"] = "guard_found"
    owner: CharacterId
    """Whose sentence it is."""
    offence: Offence
    sentence: str
    outcome: Literal["retried", "cut", "shown"]
    """Asked for again; left out; or let stand, as it is a person's or a script's."""


class Commanded(_Record):
    """What a person did: say, rewind, edit. Nobody in the story witnesses it."""

    kind: Literal["commanded"] = "commanded"
    command: str
    detail: str = ""


class Withdrawn(_Record):
    """The named journal lines no longer count."""

    kind: Literal["withdrawn"] = "withdrawn"
    seqs: tuple[int, ...]


Event = Annotated[
    SceneOpened
    | SceneClosed
    | StageSet
    | LineSpoken
    | Whispered
    | Announced
    | MessageSent
    | MessageRead
    | Thought
    | Acted
    | MoodTurned
    | Entered
    | Left
    | Travelled
    | StateTurned
    | Spied
    | Disguised
    | MembershipChanged
    | ThingChanged
    | ThingFound
    | ThingsSeen
    | FactSeen
    | DoorChanged
    | Narrated
    | FactGranted
    | BeliefInferred
    | EpisodeWritten
    | PatternGrown
    | GuardFound
    | Commanded
    | Withdrawn,
    Field(discriminator="kind"),
]

Spoken = LineSpoken | Whispered


def actor_of(event: Event) -> CharacterId | None:
    """Who does it. None: nobody does."""
    # `getattr` with a default takes ten times as long on a record that has no such field.
    actor: CharacterId | None = event.__dict__.get("actor")
    return actor
