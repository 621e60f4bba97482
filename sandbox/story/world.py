"""The world at one turn: everything that is the case, read-only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.evidence import Evidence, Topic
from sandbox.story.facts import Fact, Grant, Mode, Proposition
from sandbox.story.ids import CharacterId, FactId, PatternId, PlaceId, SceneId
from sandbox.story.patterns import GrownPattern
from sandbox.story.percept_log import Taken
from sandbox.story.percepts import Episode, Names, Percept
from sandbox.story.stage import Stage

_KNOWING = (Mode.NARRATED, Mode.CLAIMED)
"""A guess, or a denial, is no knowledge of what it says."""


@dataclass
class Scene:
    """An open scene: a place and who has acted in it."""

    id: SceneId
    place: PlaceId
    number: int
    opened_turn: int
    beats: list[Beat] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MoodTurn:
    """A turn of somebody's mood, with what it turned from."""

    before: str
    """Empty: nothing was said of it."""
    after: str
    turn: int
    seq: int
    index: int
    """Which event of its beat it is."""


@dataclass(frozen=True)
class Gained:
    """What one beat put into memories."""

    taken: Sequence[Taken]
    grants: Sequence[tuple[CharacterId, Fact, Grant]]
    """Only those that were new to their character."""
    episodes: Sequence[Episode]
    patterns: Sequence[GrownPattern]

    @property
    def percepts(self) -> Iterator[Percept]:
        """The beat as each witness took it in, event by event."""
        return (percept for taken in self.taken for percept in taken.by_all())


@dataclass
class Counts:
    """Numbers that run along."""

    seq: int = 0
    turn: int = 0
    round: int = 0
    clock: int = 0
    scenes: int = 0


@dataclass(frozen=True)
class World:
    """Everything that is the case at one turn. Read-only; a live world follows its fold."""

    canon: Canon
    start: SceneId
    stage: Stage
    scenes: Mapping[SceneId, Scene]
    """Open scenes."""
    facts: Mapping[FactId, Fact]
    grants: Mapping[CharacterId, Mapping[FactId, Sequence[Grant]]]
    """V of SPOCV: for each character and fact its grants, in order of learning."""
    propositions: Mapping[CharacterId, Mapping[Proposition, Sequence[FactId]]]
    """For each character the facts it holds, by what they say."""
    evidence: Mapping[Topic, Sequence[Evidence]]
    """For each subject and predicate what could teach of it, in order."""
    evidence_of_object: Mapping[str, Sequence[Evidence]]
    """The same by the object of what is taught."""
    percepts: Mapping[CharacterId, Sequence[Percept]]
    episodes: Mapping[CharacterId, Sequence[Episode]]
    grown: Mapping[CharacterId, Sequence[GrownPattern]]
    """For each character the patterns it took on in play, in order."""
    last_pattern: Mapping[CharacterId, PatternId]
    """For each character the pattern it acted by last, of those that say so."""
    moods: Mapping[CharacterId, str]
    mood_turns: Mapping[CharacterId, Sequence[MoodTurn]]
    """For each character how its mood turned in play, in order."""
    strangers: Mapping[CharacterId, frozenset[CharacterId]]
    """For each character those whose name it does not know."""
    been: Mapping[CharacterId, Set[PlaceId]]
    """Where each character has been, its home and canon scenes included."""
    last_acted: Mapping[CharacterId, int]
    """Turn in which each character last did something; 0: not yet."""
    fired: Set[str]
    """Prepared events that have happened."""
    beats: Sequence[Beat]
    """The surviving story, in order."""
    counts: Counts
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What views have made of this world and may use again; follows from the rest."""

    @property
    def turn(self) -> int:
        return self.counts.turn

    @property
    def clock(self) -> int:
        """Story minutes since the first midnight."""
        return self.counts.clock

    def names(self, viewer: CharacterId | None) -> Names:
        """What `viewer` calls things and people; the director (None) knows every name."""
        strangers = self.strangers[viewer] if viewer else frozenset[CharacterId]()
        return Names(self.canon, self.start, strangers)

    def knows(self, who: CharacterId, fact: FactId) -> bool:
        """Whether `who` holds the fact, or was told the same."""
        if fact in self.grants[who]:
            return True
        if fact not in self.facts:
            return False
        return any(
            self.facts[id_].mode in _KNOWING
            for said in self.ways_to_say(self.facts[fact].proposition)
            for id_ in self.propositions[who].get(said, ())
        )

    def ways_to_say(self, proposition: Proposition) -> Iterator[Proposition]:
        """The proposition itself and, where its predicate has an inverse, the same turned round."""
        yield proposition
        subject, predicate, object_ = proposition
        inverse = self.canon.predicates[predicate].inverse
        if inverse is not None:
            yield (object_, inverse, subject)

    def evidence_about(self, object_: str) -> Sequence[Evidence]:
        """What could teach a fact whose object is `object_`, in order."""
        return self.evidence_of_object.get(object_, ())

    def knowers(self, fact: FactId) -> list[CharacterId]:
        """Whoever knows a fact, in order of id."""
        return [who for who in sorted(self.grants) if self.knows(who, fact)]

    def scene_at(self, place: PlaceId) -> Scene | None:
        """The open scene in `place`."""
        return next((s for s in self.scenes.values() if s.place == place), None)
