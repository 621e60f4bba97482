"""Beliefs: what somebody holds about a subject and predicate, and what one thinks another holds.

Everything is read off the evidence, so a belief at any depth is one walk over the events that bear
on its subject and predicate (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from sandbox.story.canon import Canon
from sandbox.story.evidence import Evidence, Kind, took_in
from sandbox.story.facts import Mode
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.predicates import HELD_BY, LOCATED_IN
from sandbox.story.world import World

BELIEVES_FROM = 0.5
"""Trust from which on somebody believes what a teller says, as a share in [0, 1]."""


class Standing(StrEnum):
    BELIEVED = "believed"
    """For a functional predicate the one entry of best standing."""
    DOUBTED = "doubted"
    """Told by somebody who is not trusted."""
    NOTED = "noted"
    """Once held, or told, and outdone by something better."""


@dataclass(frozen=True)
class Entry:
    """One thing learned about a subject and predicate."""

    object: str
    evidence: Evidence
    standing: Standing


class Trust(Protocol):
    """Whose word counts with whom."""

    def trusts(self, chain: Sequence[CharacterId], telling: Evidence) -> bool:
        """Whether the last of `chain`, as those before it in turn think, believes what was told."""
        ...


class WorldTrust:
    """Trust as the world file gives it. How far others trust is nobody's to know: one supposes they do."""

    def __init__(self, canon: Canon) -> None:
        self._cast = canon.cast

    def trusts(self, chain: Sequence[CharacterId], telling: Evidence) -> bool:
        if len(chain) == 1:
            trust = self._cast[chain[0]].trust.get(telling.teller or chain[0], 1.0)
            return trust >= BELIEVES_FROM
        # Whoever doubts a teller thinks that it does not itself believe what it says.
        return chain[-1] != telling.teller or self.trusts(chain[:-1], telling)


def entries(
    world: World,
    chain: Sequence[CharacterId],
    subject: str,
    predicate: PredicateId,
    trust: Trust | None = None,
) -> tuple[Entry, ...]:
    """What the last of `chain`, as those before it see it, has learned of (subject, predicate), in order.

    For a functional predicate at most one entry is believed: own perception beats telling, a telling
    counts only if its teller is trusted and, where the holder saw for itself, only if it speaks of
    later than that; ties go to the later learned.
    """
    return weighed(world.canon, chain, predicate, bearing_on(world, subject, predicate), trust)


def weighed(
    canon: Canon,
    chain: Sequence[CharacterId],
    predicate: PredicateId,
    bearing: Iterable[tuple[str, Evidence]],
    trust: Trust | None = None,
) -> tuple[Entry, ...]:
    """`entries`, where the evidence that bears on them has been found, in order, with its objects."""
    trust = trust or WorldTrust(canon)
    changes, functional = (
        canon.predicates[predicate].changes,
        canon.predicates[predicate].functional,
    )
    found: list[Entry] = []
    best: int | None = None
    for object_, evidence in bearing:
        if not _counts(evidence, chain):
            continue
        standing = _standing(evidence, chain, trust)
        found.append(Entry(object_, evidence, standing))
        if not functional:
            continue
        if evidence.fact.mode is Mode.DENIED:
            best = _after_denial(found, best, changes)
        elif standing is Standing.BELIEVED:
            best = _better(found, best, changes)
    return tuple(_settled(found, best) if functional else found)


def believed(
    world: World,
    chain: Sequence[CharacterId],
    subject: str,
    predicate: PredicateId,
    trust: Trust | None = None,
) -> str | None:
    """The object that the last of `chain`, as those before it see it, believes. None: holds no belief."""
    held = entries(world, chain, subject, predicate, trust)
    best = [entry.object for entry in held if entry.standing is Standing.BELIEVED]
    return best[-1] if best else None


def whereabouts(
    world: World, chain: Sequence[CharacterId], thing: str, trust: Trust | None = None
) -> str | None:
    """Where the last of `chain` believes a thing or person to be: a place, a holder or a container."""
    held = [
        entry
        for predicate in (LOCATED_IN, HELD_BY)
        for entry in entries(world, chain, thing, predicate, trust)
        if entry.standing is Standing.BELIEVED
    ]
    # What lies somewhere is in nobody's hands: the later learned of the two counts.
    latest = max(held, key=lambda entry: entry.evidence.number, default=None)
    return latest.object if latest else None


def place_believed(
    world: World, chain: Sequence[CharacterId], thing: str, trust: Trust | None = None
) -> str | None:
    """The place the last of `chain` believes a thing to be in, however deep it lies in containers."""
    seen: set[str] = set()
    there = whereabouts(world, chain, thing, trust)
    while there is not None and there not in world.canon.places_by_id and there not in seen:
        seen.add(there)
        there = whereabouts(world, chain, there, trust)
    return there if there in world.canon.places_by_id else None


def thinks_knows(
    world: World, chain: Sequence[CharacterId], subject: str, predicate: PredicateId, object_: str
) -> bool:
    """Whether, as the first of `chain` perceived the others, the last of them learned (or tells) this.

    One name: whether that one was ever granted it, or has told it.
    """
    return any(
        found == object_ and evidence.fact.mode in _KNOWING and took_in(evidence, chain)
        for found, evidence in bearing_on(world, subject, predicate)
    )


_KNOWING = (Mode.NARRATED, Mode.CLAIMED)


def bearing_on(
    world: World, subject: str, predicate: PredicateId
) -> Iterator[tuple[str, Evidence]]:
    """Evidence of (subject, predicate), also by the predicate's inverse, in order, with the object."""
    direct = [(e.fact.object, e) for e in world.evidence.get((subject, predicate), ())]
    inverse = world.canon.predicates[predicate].inverse
    if inverse is None:
        return iter(direct)
    turned = [
        (e.fact.subject, e) for e in world.evidence_about(subject) if e.fact.predicate == inverse
    ]
    return iter(sorted([*direct, *turned], key=lambda pair: pair[1].number))


def _counts(evidence: Evidence, chain: Sequence[CharacterId]) -> bool:
    """Telling something never changes what the teller itself believes."""
    if evidence.kind is Kind.TOLD and len(chain) == 1 and evidence.teller == chain[0]:
        return False
    return took_in(evidence, chain)


def _standing(evidence: Evidence, chain: Sequence[CharacterId], trust: Trust) -> Standing:
    if evidence.fact.mode is Mode.SUPPOSED:
        return Standing.NOTED
    if evidence.kind is not Kind.TOLD or evidence.teller is None:
        return Standing.BELIEVED
    trusts = trust.trusts(chain, evidence)
    return Standing.BELIEVED if trusts else Standing.DOUBTED


def _better(found: list[Entry], best: int | None, changes: bool) -> int:
    """Which of the entries is best, now that the last one has come and is credible."""
    last = len(found) - 1
    if best is None or found[last].evidence.kind is not Kind.TOLD:
        return last
    # A word about what can change speaks of now, which is later than what was seen.
    return last if changes or found[best].evidence.kind is Kind.TOLD else best


def _after_denial(found: list[Entry], best: int | None, changes: bool) -> int | None:
    """A credible denial of the best entry leaves no belief, unless the holder saw it for itself."""
    denial = found[-1]
    if best is None or denial.standing is not Standing.BELIEVED:
        return best
    if denial.object != found[best].object:
        return best
    is_own = found[best].evidence.kind is not Kind.TOLD
    return best if is_own and not changes and denial.evidence.kind is Kind.TOLD else None


def _settled(found: list[Entry], best: int | None) -> Iterator[Entry]:
    for number, entry in enumerate(found):
        if entry.standing is Standing.BELIEVED and number != best:
            # Said in full: `replace` takes as long as all the rest of an entry.
            yield Entry(entry.object, entry.evidence, Standing.NOTED)
        else:
            yield entry
