"""Answers about a world: who knows something, who thinks who does, what is believed.

Pure functions of a world, for a save that is read as for one that is being played. Unless they say
otherwise they answer a director, who sees into every mind (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sandbox.story.beliefs import Entry, Standing, bearing_on, entries, thinks_knows, weighed
from sandbox.story.canon import Canon
from sandbox.story.evidence import Evidence, Kind
from sandbox.story.facts import Fact, Grant, Mode, Proposition
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.known import KnownFact, KnownFacts, worded
from sandbox.story.naming import unmasked
from sandbox.story.routes import Route
from sandbox.story.world import World

SURE = (Mode.NARRATED, Mode.CLAIMED)
"""Modes in which a fact, once learned, is known; a guess is only guessed, a denial says the contrary."""


class Knowing(StrEnum):
    """How somebody stands to what a fact says."""

    KNOWS = "knows"
    DOUBTS = "doubts"
    """Heard it, and does not believe it."""
    HOLDS_OTHER = "holds_other"
    """Held it once, or heard it, and holds another value by something better."""
    GUESSES = "guesses"
    """Heard it as a guess only."""
    LACKS = "does_not_know"

    @property
    def has_learned(self) -> bool:
        """Whether it came within the knowledge boundary, believed or not."""
        return self in (Knowing.KNOWS, Knowing.DOUBTS, Knowing.HOLDS_OTHER)


@dataclass(frozen=True)
class Knower:
    """How one character stands to what a fact says."""

    who: CharacterId
    knowing: Knowing
    route: Route | None = None
    """The first way it was learned; None: not learned."""
    teller: CharacterId | None = None
    """From whom, as the knower took it."""
    since: int | None = None
    """Turn it was learned in; 0: before the curtain rose. None: not learned."""
    instead: str | None = None
    """The value held instead; None: the same, or none."""
    was_denied: bool = False
    """Whether it was told that it is not so."""


@dataclass(frozen=True)
class Opinion:
    """What one character thinks of what another knows."""

    holder: CharacterId
    about: CharacterId
    knows: bool | None
    """Whether `about` knows, as `holder` thinks. None: `holder` has no opinion."""


@dataclass(frozen=True)
class Holding:
    """One thing learned about a subject and predicate, and how it stands."""

    object: str
    standing: Standing
    mode: Mode
    is_told: bool
    """On somebody's word; False: seen, lived through or inferred."""
    teller: CharacterId | None
    turn: int
    """0: before the curtain rose."""


@dataclass(frozen=True)
class Belief:
    """What the last of a chain believes, as those before it in turn see it."""

    chain: tuple[CharacterId, ...]
    subject: str
    predicate: PredicateId
    values: tuple[str, ...]
    """What is believed; for a functional predicate at most one. Empty: no belief."""
    held: tuple[Holding, ...]
    """Everything learned of it, in order, also what lost."""


# ── who knows ─────────────────────────────────────────────────────────────────────────────────


def who_knows(world: World, saying: Proposition) -> tuple[Knower, ...]:
    """How everybody stands to (subject, predicate, object), in order of id."""
    # One walk over the evidence sorts it by learner: most of it concerns few of them.
    taken: dict[CharacterId, list[tuple[str, Evidence]]] = {}
    for pair in bearing_on(world, saying[0], saying[1]):
        for who in pair[1].learners:
            taken.setdefault(who, []).append(pair)
    return tuple(_knower(world, who, saying, taken.get(who, ())) for who in sorted(world.grants))


def knower(world: World, who: CharacterId, saying: Proposition) -> Knower:
    """How one character stands to (subject, predicate, object)."""
    return _knower(world, who, saying, bearing_on(world, saying[0], saying[1]))


def _knower(
    world: World, who: CharacterId, saying: Proposition, bearing: Iterable[tuple[str, Evidence]]
) -> Knower:
    learned = learnings(world, who, saying)
    was_denied = any(fact.mode is Mode.DENIED for fact, _ in learned)
    if (first := first_of(learned)) is None:
        return Knower(who, Knowing.LACKS, was_denied=was_denied)
    fact, grant = first
    knowing, instead = Knowing.GUESSES, None
    if fact.mode in SURE:
        knowing, instead = _standing(world, who, saying, bearing)
    since = grant.because.turn
    return Knower(who, knowing, grant.route, grant.teller, since, instead, was_denied)


def learnings(world: World, who: CharacterId, saying: Proposition) -> list[tuple[Fact, Grant]]:
    """Every grant by which somebody was given this, in whatever mode, in order of learning."""
    held = world.propositions[who]
    ids = [id_ for said in sayings(world.canon, saying) for id_ in held.get(said, ())]
    found = [(world.facts[id_], grant) for id_ in ids for grant in world.grants[who][id_]]
    return sorted(found, key=lambda pair: position(world.canon, pair[1]))


def first_of(learned: Sequence[tuple[Fact, Grant]]) -> tuple[Fact, Grant] | None:
    """The grant that counts as the way it was learned: the first, and a guess only where there is no other."""
    guesses = (pair for pair in learned if pair[0].mode is Mode.SUPPOSED)
    sure = (pair for pair in learned if pair[0].mode in SURE)
    return next(sure, None) or next(guesses, None)


def position(canon: Canon, grant: Grant) -> tuple[int, int, int, int]:
    """Where a grant stands in the order of the story, canon first."""
    source = grant.because
    if source.beat is None:
        return (0, 0, 0, canon.scene_order[source.scene] + 1 if source.scene else 0)
    return (source.turn, source.seq, source.index, 0)


def statement_of_saying(world: World, saying: Proposition) -> str:
    """(subject, predicate, object) in a director's names: as the canon puts it, else by its predicate."""
    names = world.names(None)
    for fact in world.canon.facts:
        if (fact.subject, fact.predicate, fact.object) == saying and fact.id in world.facts:
            return unmasked(fact.statement, names)
    return worded(names, *saying)


def sayings(canon: Canon, saying: Proposition) -> Iterator[Proposition]:
    """What says the same: also the other way round, by the predicate's inverse."""
    subject, predicate, object_ = saying
    yield saying
    if (inverse := canon.predicates[predicate].inverse) is not None:
        turned = (object_, inverse, subject)
        if turned != saying:
            yield turned


def _standing(
    world: World, who: CharacterId, saying: Proposition, bearing: Iterable[tuple[str, Evidence]]
) -> tuple[Knowing, str | None]:
    """How somebody stands to what it was given for true, and what it holds instead."""
    _, predicate, object_ = saying
    held = weighed(world.canon, [who], predicate, bearing)
    own = {e.standing for e in held if e.object == object_ and e.evidence.fact.mode in SURE}
    if Standing.BELIEVED in own:
        return Knowing.KNOWS, None
    values = _values(world, predicate, held)
    instead = values[-1] if values and world.canon.predicates[predicate].functional else None
    if Standing.NOTED in own and instead is not None:
        return Knowing.HOLDS_OTHER, instead
    return Knowing.DOUBTS, instead


# ── who thinks who knows ──────────────────────────────────────────────────────────────────────


def opinions(
    world: World, saying: Proposition, among: Sequence[CharacterId] | None = None
) -> tuple[Opinion, ...]:
    """What everybody thinks of every other's knowing it, in order; `among`: only of and by these."""
    people = sorted(world.grants) if among is None else among
    return tuple(
        Opinion(a, b, thinks(world, a, b, saying)) for a in people for b in people if a != b
    )


def thinks(
    world: World, holder: CharacterId, other: CharacterId, saying: Proposition
) -> bool | None:
    """Whether `holder` thinks that `other` knows this.

    "Does not know" is thought only by who knows it and perceived the other take in no event that
    teaches it; who does not know it has no opinion (None).
    """
    if thinks_knows(world, [holder, other], *saying):
        return True
    learned = first_of(learnings(world, holder, saying))
    return False if learned is not None and learned[0].mode in SURE else None


# ── what is known and believed ────────────────────────────────────────────────────────────────


def facts_of(world: World, who: CharacterId, about: str | None = None) -> tuple[KnownFact, ...]:
    """The knowledge boundary of a character, in its own wording; `about`: only of this entity."""
    known = KnownFacts(world, who)
    return tuple(known) if about is None else known.about(about)


def belief(
    world: World, chain: Sequence[CharacterId], subject: str, predicate: PredicateId
) -> Belief:
    """What the last of `chain` believes of (subject, predicate), as those before it see it."""
    held = entries(world, chain, subject, predicate)
    values = _values(world, predicate, held)
    return Belief(tuple(chain), subject, predicate, values, tuple(map(_holding, held)))


def _values(world: World, predicate: PredicateId, held: Sequence[Entry]) -> tuple[str, ...]:
    """The values believed, each once, in order of learning. That it is not so is no value."""
    found = [e for e in held if e.standing is Standing.BELIEVED]
    sure = [e.object for e in found if e.evidence.fact.mode is not Mode.DENIED]
    return tuple(dict.fromkeys(sure))


def _holding(entry: Entry) -> Holding:
    evidence = entry.evidence
    return Holding(
        object=entry.object,
        standing=entry.standing,
        mode=evidence.fact.mode,
        is_told=evidence.kind is Kind.TOLD,
        teller=evidence.teller,
        turn=evidence.source.turn,
    )
