"""Facts and grants: what is asserted, and who may know it by which way."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from sandbox.story.beats import Beat
from sandbox.story.canon import Canon, CanonFact
from sandbox.story.claims import Claim
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, EventId, FactId, PredicateId, SceneId, content_id
from sandbox.story.naming import masked
from sandbox.story.routes import Route


class Mode(StrEnum):
    """In what way a fact is asserted. The engine's own: no view shows it."""

    NARRATED = "narrated"
    CLAIMED = "claimed"
    SUPPOSED = "supposed"
    DENIED = "denied"
    """That it is not so."""


Proposition = tuple[str, PredicateId, str]
"""(subject, predicate, object): what two facts share that say the same."""


@dataclass(frozen=True)
class Fact:
    """(s, p, o, cause) with a sentence. V, who may know it, is `World.grants`."""

    id: FactId
    subject: str
    predicate: PredicateId
    object: str
    statement: str | None
    """None: worded by its predicate, with the names its reader knows."""
    mode: Mode = Mode.NARRATED
    cause: FactId | None = None
    canon: CanonFact | None = None
    """As written, where the canon holds it."""

    @property
    def proposition(self) -> Proposition:
        return (self.subject, self.predicate, self.object)


@dataclass(slots=True, unsafe_hash=True)  # as fast to make as a percept, for the same reason
class Source:
    """The event or canon scene that made a grant."""

    scene: SceneId | None
    beat: Beat | None = None
    """None: canon."""
    index: int = 0

    @property
    def turn(self) -> int:
        """Turn it happened; 0 for canon."""
        return self.beat.turn if self.beat else 0

    @property
    def seq(self) -> int:
        """Journal line; 0 for canon."""
        return self.beat.seq if self.beat else 0

    @property
    def event(self) -> Event | None:
        """The event; None for canon."""
        return self.beat.events[self.index].event if self.beat else None

    @property
    def event_id(self) -> EventId | None:
        return self.beat.event_id(self.index) if self.beat else None


@dataclass(slots=True, unsafe_hash=True)  # as fast to make as a percept, for the same reason
class Grant:
    """Why one character may know one fact."""

    route: Route
    because: Source
    teller: CharacterId | None = None
    """From whom, for `told`."""
    said: str | None = None
    """The sentence as said, for `told`: all that the listener got."""
    strangers: frozenset[CharacterId] = frozenset()
    """Whose name the knower did not know when it learned this."""


def fact_of_canon(item: CanonFact, canon: Canon) -> Fact:
    """The fact as the engine holds it.

    In its sentence the names of those whom it is about are masked: whoever holds it gets them in
    the names it knows. Another name, read on a parcel, say, stays as it was read.
    """
    return Fact(
        id=FactId(item.id),
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        statement=masked(item.statement, canon, (item.subject, item.object)),
        cause=item.cause,
        canon=item,
    )


@lru_cache(maxsize=65_536)
def fact_by_rule(subject: str, predicate: PredicateId, object_: str) -> Fact:
    """A fact that an event on the stage yields: who is where, who holds what."""
    id_ = content_id("rule", [subject, predicate, object_])
    return Fact(FactId(id_), subject, predicate, object_, statement=None)


def fact_of_claim(claim: Claim) -> Fact:
    """What was claimed, apart from whether a true fact says the same: that link is the engine's."""
    id_ = _claim_id(claim.subject, claim.predicate, claim.object, claim.mode)
    mode = Mode(claim.mode)
    return Fact(id_, claim.subject, claim.predicate, claim.object, claim.said, mode)


def claim_of(fact: Fact, said: str) -> Claim:
    """A fact as somebody asserted it in the sentence `said`."""
    return Claim(
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        said=said,
        mode="claimed" if fact.mode is Mode.NARRATED else fact.mode.value,
    )


@lru_cache(maxsize=65_536)
def _claim_id(subject: str, predicate: str, object_: str, mode: str) -> FactId:
    return FactId(content_id("claim", [subject, predicate, object_, mode]))


def fact_seen(claim: Claim) -> Fact:
    """What somebody saw to be so, with the sentence for it."""
    id_ = content_id("seen", [claim.subject, claim.predicate, claim.object])
    return Fact(FactId(id_), claim.subject, claim.predicate, claim.object, claim.said)
