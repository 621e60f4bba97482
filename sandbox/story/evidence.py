"""Evidence: what could teach a fact, and whom it taught. Beliefs, also nested ones, are read off it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations

from sandbox.story.beats import Happened
from sandbox.story.facts import Fact, Source
from sandbox.story.ids import CharacterId, PredicateId


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

    One name: whether that one learned it. The first judges by what it perceived of the others, so
    an inattention unknown to it makes it think wrongly that somebody knows (DESIGN section 5).
    """
    taught = evidence.learners
    first = chain[0]
    if first not in taught and first != evidence.teller:
        return False
    if len(chain) == 1:
        return True
    happened = evidence.happened
    seeming = happened.seeming if happened and evidence.is_open else ()
    if any(c not in taught and c != evidence.teller and c not in seeming for c in chain[1:]):
        return False
    if happened is None or not (happened.unnoticed or happened.aware):
        return True
    # Who knows better of a deafness knows it for itself: what others make of it is not seen.
    if any((first, other) in happened.aware for other in chain[1:]):
        return False
    missed = set(happened.unnoticed)
    return not any(pair in missed for pair in combinations(chain, 2))
