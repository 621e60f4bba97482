"""Events: what has happened. A closed union, frozen, past tense."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.story.ids import (
    CharacterId,
    CharacterSet,
    EventId,
    FactId,
    PlaceId,
    PredicateId,
    SceneId,
    ThingId,
    content_id,
)
from sandbox.story.routes import Route
from sandbox.story.ways import Door

RULES_VERSION = 1
"""Version of the perception rules; written with the witnesses of each event."""


class Detail(StrEnum):
    """How much of an event one witness perceived. Who perceived nothing is no witness."""

    FULL = "full"
    THAT = "that"
    """Only that it happened: that they whispered, not what."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Claim(_Record):
    """A fact as somebody asserted it in a line."""

    subject: str
    predicate: PredicateId
    object: str
    said: str
    """The sentence as said: all that a listener gets."""
    mode: Literal["claimed", "supposed"] = "claimed"
    """`supposed`: offered as a guess."""


class Question(_Record):
    """What a line asks for, as far as it is known."""

    subject: str
    predicate: PredicateId | None = None
    """None: anything about the subject."""


class SceneOpened(_Record):
    kind: Literal["scene_opened"] = "scene_opened"
    scene: SceneId
    place: PlaceId
    number: int


class SceneClosed(_Record):
    kind: Literal["scene_closed"] = "scene_closed"
    scene: SceneId
    place: PlaceId


class LineSpoken(_Record):
    kind: Literal["line_spoken"] = "line_spoken"
    actor: CharacterId
    words: str
    targets: tuple[CharacterId, ...] = ()
    aside: bool = False
    """Meant for the targets alone, as on a stage: nobody else takes it in."""
    tells: tuple[Claim, ...] = ()
    asks: Question | None = None


class Whispered(_Record):
    kind: Literal["whispered"] = "whispered"
    actor: CharacterId
    words: str
    targets: tuple[CharacterId, ...]
    tells: tuple[Claim, ...] = ()
    asks: Question | None = None


class Thought(_Record):
    kind: Literal["thought"] = "thought"
    actor: CharacterId
    text: str


class Acted(_Record):
    kind: Literal["acted"] = "acted"
    actor: CharacterId
    text: str
    """Without its subject: "lifts the loose board"."""
    first: str | None = None
    """The same in first person: "lift the loose board". None: the text serves."""
    examines: ThingId | None = None
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


class Left(_Record):
    kind: Literal["left"] = "left"
    actor: CharacterId
    place: PlaceId
    to_place: PlaceId | None = None


class Travelled(_Record):
    """A way of more than one step, as the traveller knows it; leaving and entering are events too."""

    kind: Literal["travelled"] = "travelled"
    actor: CharacterId
    from_place: PlaceId
    to_place: PlaceId
    minutes: int = Field(ge=0)


class ThingChanged(_Record):
    """An object's state, place or holder changed; what is None stayed."""

    kind: Literal["thing_changed"] = "thing_changed"
    actor: CharacterId | None
    thing: ThingId
    state: str | None = None
    place: PlaceId | None = None
    holder: CharacterId | None = None


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


class FactGranted(_Record):
    kind: Literal["fact_granted"] = "fact_granted"
    fact: FactId
    to: CharacterSet
    route: Route


class StateTurned(_Record):
    """Somebody died, fell asleep, woke, hid, or was found."""

    kind: Literal["state_turned"] = "state_turned"
    actor: CharacterId
    state: Literal["died", "fell_asleep", "woke", "hid", "found"]


class EpisodeWritten(_Record):
    """A first-person summary of a closed scene, in its owner's voice. The owner is the only witness."""

    kind: Literal["episode_written"] = "episode_written"
    owner: CharacterId
    scene: SceneId
    part: int = 1
    """A long scene is summarised in parts, from 1."""
    text: str
    rests_on: tuple[EventId, ...]


class Commanded(_Record):
    """What a person did: inject, say, rewind, retake, edit. Nobody in the story witnesses it."""

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
    | LineSpoken
    | Whispered
    | Thought
    | Acted
    | MoodTurned
    | Entered
    | Left
    | Travelled
    | ThingChanged
    | DoorChanged
    | Narrated
    | FactGranted
    | StateTurned
    | EpisodeWritten
    | Commanded
    | Withdrawn,
    Field(discriminator="kind"),
]

Spoken = LineSpoken | Whispered


class Happened(_Record):
    """An event with its witnesses, as computed once, at commit."""

    event: Event
    witnesses: Mapping[CharacterId, Detail] = {}
    unnoticed: tuple[tuple[CharacterId, CharacterId], ...] = ()
    """Pairs (a, b) of witnesses in which a did not notice b."""
    rules: int = RULES_VERSION

    def heard_in_full(self) -> list[CharacterId]:
        """Witnesses with every detail, in order of id."""
        return sorted(who for who, detail in self.witnesses.items() if detail is Detail.FULL)


class Beat(_Record):
    """One journal line: what one mind decided, with all its events, whole or absent."""

    seq: int
    turn: int
    round: int
    scene: SceneId | None
    mind: str
    """Character id, `director`, or `person`."""
    clock: int
    """Story minutes since the first midnight, when it happened."""
    events: tuple[Happened, ...]

    @cached_property
    def withdrawn_seqs(self) -> frozenset[int]:
        """Lines that this line takes out of the story."""
        found = [h.event.seqs for h in self.events if isinstance(h.event, Withdrawn)]
        return frozenset(seq for seqs in found for seq in seqs)

    @property
    def is_story(self) -> bool:
        """Whether it counts as a turn: something happened in the story."""
        return not all(isinstance(h.event, Commanded | Withdrawn) for h in self.events)

    def event_id(self, index: int) -> EventId:
        """Id of the event at `index`, the same on every machine."""
        body = self.events[index].event.model_dump(mode="json")
        return EventId(content_id("event", [self.seq, index, body]))

    def as_json(self) -> dict[str, Any]:
        """The beat as plain data; defaults left out, so that a line stays short."""
        return self.model_dump(mode="json", exclude_defaults=True) | {
            "events": [_happened_json(h) for h in self.events]
        }


def _happened_json(happened: Happened) -> dict[str, Any]:
    body = happened.event.model_dump(mode="json", exclude_defaults=True)
    shown: dict[str, Any] = {"event": {"kind": happened.event.kind} | body, "rules": happened.rules}
    if happened.witnesses:
        shown["witnesses"] = {who: happened.witnesses[who] for who in sorted(happened.witnesses)}
    if happened.unnoticed:
        shown["unnoticed"] = [list(pair) for pair in happened.unnoticed]
    return shown
