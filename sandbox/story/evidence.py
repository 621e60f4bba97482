"""Evidence: what could teach a fact, and whom it taught. Beliefs, also nested ones, are read off it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations

from sandbox.story.beats import Detail, Happened
from sandbox.story.events import actor_of
from sandbox.story.facts import Fact, Source
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.percepts import taken_by


class Kind(Enum):
    """In what way something was learned."""

    SEEN = auto()
    """Experienced, observed, or known to a whole group."""
    TOLD = auto()
    INFERRED = auto()


@dataclass(slots=True, unsafe_hash=True)  # as fast to make as a percept, for the same reason
class Evidence:
    """One event, or canon scene, that teaches one fact."""

    number: int
    """Its place in the order of learning, over the whole story."""
    fact: Fact
    source: Source
    kind: Kind
    learners: frozenset[CharacterId]
    """Who was granted the fact by it."""
    teller: CharacterId | None = None
    """Who told it; a teller shows that it holds, or pretends to hold, what it says."""
    is_open: bool = False
    """Whether whoever takes the event in learns it, so that who seems to take it in seems to learn it."""

    @property
    def happened(self) -> Happened | None:
        """The event with its witnesses. None: canon."""
        beat = self.source.beat
        return beat.events[self.source.index] if beat else None


Topic = tuple[str, PredicateId]
"""(subject, predicate): what evidence and beliefs are about."""


def took_in(evidence: Evidence, chain: Sequence[CharacterId]) -> bool:
    """Whether, as the first of `chain` perceived it, each of them took this in and noticed those after it.

    One name: whether that one learned it, or told it. The first judges by what it perceived of the
    others, so an inattention unknown to it makes it think wrongly that somebody knows, and so does
    a disguise it did not see through (DESIGN section 5).
    """
    first, happened, taught = chain[0], evidence.happened, evidence.learners
    if first not in taught and not _told(evidence, first, happened):
        return False
    if len(chain) == 1:
        return True
    if happened is None:
        return all(c in taught or c == evidence.teller for c in chain[1:])
    if happened.witnesses.get(first) is not Detail.FULL:
        return False  # it wrote what another reads
    if happened.taken:
        return _took_in_masked(evidence, chain, happened)
    seeming = happened.seeming if evidence.is_open else ()
    if any(c not in taught and c != evidence.teller and c not in seeming for c in chain[1:]):
        return False
    return _noticed(chain, happened)


def _told(evidence: Evidence, who: CharacterId, happened: Happened | None) -> bool:
    """Whether somebody told it: not one for whom the teller, disguised, was taken."""
    if who != evidence.teller:
        return False
    if happened is None or not happened.taken:
        return True
    return who == (happened.event.__dict__.get("sender") or actor_of(happened.event))


def _took_in_masked(evidence: Evidence, chain: Sequence[CharacterId], happened: Happened) -> bool:
    """`took_in` where somebody was disguised.

    The first takes the others for whom they seemed to be, and takes them to have seen what it saw.
    """
    first, taken = chain[0], taken_by(happened, chain[0])
    there = set(evidence.learners)
    if evidence.is_open:
        there = {*happened.heard_in_full(), *happened.seeming}
    masked = {CharacterId(taken[who]): who for who in sorted(there) if who in taken}
    behind = masked | {who: who for who in there if who not in taken}
    if any(c not in behind and c != evidence.teller for c in chain[1:]):
        return False
    return _noticed([first, *(behind.get(c, c) for c in chain[1:])], happened)


def _noticed(chain: Sequence[CharacterId], happened: Happened) -> bool:
    """Whether each noticed those after it, and the first knew of no deafness or blindness of theirs."""
    if not (happened.unnoticed or happened.aware):
        return True
    # Who knows better of a deafness knows it for itself: what others make of it is not seen.
    if any((chain[0], other) in happened.aware for other in chain[1:]):
        return False
    missed = set(happened.unnoticed)
    return not any(pair in missed for pair in combinations(chain, 2))
