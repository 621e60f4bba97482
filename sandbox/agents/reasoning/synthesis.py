"""Synthesis: a conclusion that rests on facts of the pool, or a refusal. Both are values, never phrases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from sandbox.agents.reasoning.cues import Kind, kind_of
from sandbox.agents.reasoning.pool import FactPool
from sandbox.agents.reasoning.probes import DEPTH
from sandbox.agents.reasoning.questions import Asked
from sandbox.agents.reasoning.support import Bearing, Fit, bearings
from sandbox.story.beliefs import Standing
from sandbox.story.known import KnownFact
from sandbox.story.predicates import LOCATED_IN
from sandbox.story.view import CharacterView

_MOST_SUPPORT: Final = 6
_NOW: Final = frozenset({"moment", "现"})
"""What a question after somebody's place may say beside the name."""


@dataclass(frozen=True)
class Grounded:
    """What the character can answer from."""

    support: tuple[KnownFact, ...]
    """What it believes now, the nearest first; of a chain, each followed by its cause. Empty only where
    the answer stands before its eyes."""
    chain: bool = False
    """Whether `support` is a chain of causes."""
    outdone: tuple[KnownFact, ...] = ()
    """Other values that it was told and does not believe, or no longer."""
    is_unsure: bool = False
    """Whether it rests on guesses, denials and words it doubts, or on facts that bear on the question
    and may not answer it: there is nothing better."""
    at_hand: tuple[str, ...] = ()
    """What it sees as it is asked, in words: whoever stands beside it needs no memory to be found."""

    def plain(self, view: CharacterView) -> dict[str, Any]:
        """For people: statements with route and source, no ids."""
        return {
            "outcome": "grounded",
            "chain": self.chain,
            "unsure": self.is_unsure,
            "support": [plain_fact(view, fact) for fact in self.support],
            "at_hand": list(self.at_hand),
            "outdone": [plain_fact(view, fact) for fact in self.outdone],
        }


class Reason(StrEnum):
    """Why nothing can be answered."""

    NOTHING_KNOWN = "nothing_known"
    UNKNOWN_NAME = "unknown_name"
    """It is about somebody or something of which the character has never heard by that name."""
    CAUSE_UNKNOWN = "cause_unknown"
    """That it is so is known, and why is not."""
    OTHER_LANGUAGE = "other_language"
    EMPTY = "empty"


@dataclass(frozen=True)
class Refusal:
    """The boundary holds no answer. Search no harder."""

    reason: Reason
    searched: int = 0
    """Facts inside the boundary. 0: the character knows nothing at all."""

    def plain(self, view: CharacterView) -> dict[str, Any]:
        """For people."""
        return {"outcome": "refusal", "reason": self.reason.value, "searched": self.searched}


Answer = Grounded | Refusal


def plain_fact(view: CharacterView, fact: KnownFact) -> dict[str, Any]:
    """A fact for people: as its knower holds it, with how it came by it."""
    return {
        "statement": fact.statement,
        "route": fact.route.value,
        "source": view.names(fact.source) if fact.source else None,
        "turn": fact.learned_turn,
    }


def synthesise(view: CharacterView, asked: Asked | None, pool: FactPool) -> Answer | None:
    """The answer that a pool allows to a question. None: nothing was asked."""
    if asked is None:
        return None
    if asked.is_empty:
        return Refusal(Reason.EMPTY, len(view.known))
    if seen := tuple(_in_sight(view, asked)):
        return Grounded((), at_hand=seen)
    found = bearings(view, asked, pool)
    if asked.unknown and not any(one.likeness for one in found):
        found = []  # what else it names does not make it a question about that
    if not found:
        return Refusal(_reason(asked), len(view.known))
    if asked.kind is Kind.WHY:
        return _why(view, found, pool)
    grounded = _grounded(view, [one.fact for one in found[:_MOST_SUPPORT]])
    is_loose = asked.is_foreign or found[0].fit is Fit.LOOSELY
    return replace(grounded, is_unsure=True) if is_loose else grounded


def _in_sight(view: CharacterView, asked: Asked) -> Iterator[str]:
    """Where those are whom a question asks after and who are here; its own place, asked after itself.

    Only where they are now: where somebody hid something, or was at supper, is no matter of looking.
    """
    if asked.kind is not Kind.WHERE or asked.is_by_words or asked.content - _NOW:
        return
    here = view.in_sight | {view.me}
    for entity in asked.entities:
        said = view.asserted(entity, LOCATED_IN, view.place, None) if entity in here else None
        if said:
            yield said[:1].upper() + said[1:]


def _reason(asked: Asked) -> Reason:
    if asked.is_foreign:
        return Reason.OTHER_LANGUAGE
    return Reason.UNKNOWN_NAME if asked.unknown else Reason.NOTHING_KNOWN


def _grounded(view: CharacterView, facts: Iterable[KnownFact]) -> Grounded:
    """Of several values that of which it believes one goes before the rest."""
    believed, rest = list[KnownFact](), list[KnownFact]()
    for fact in facts:
        good = view.standing(fact.handle) is Standing.BELIEVED and not fact.is_guess
        (believed if good else rest).append(fact)
    if not believed:
        return Grounded(tuple(rest), is_unsure=True)
    return Grounded(tuple(believed), outdone=tuple(rest))


# ── why ───────────────────────────────────────────────────────────────────────────────────────


def _why(view: CharacterView, found: list[Bearing], pool: FactPool) -> Answer:
    """The causes of what is asked about, as far back as they are known.

    Only what bears most on the question is asked about: that something near it has a known cause is
    no answer.
    """
    best = [one.fact for one in found if one.rank == found[0].rank]
    for fact in best:
        if len(chain := chain_of(fact, pool)) > 1:
            return Grounded(chain, chain=True)
    told = [fact for fact in best if _says_why(view, fact)]
    if told:
        return _grounded(view, told)
    return Refusal(Reason.CAUSE_UNKNOWN, len(view.known))


def chain_of(fact: KnownFact, pool: FactPool) -> tuple[KnownFact, ...]:
    """A fact, its cause, the cause of that, and so on inside the pool."""
    chain = [fact]
    while len(chain) <= DEPTH and (cause := chain[-1].cause) is not None:
        link = pool.get(cause)
        if link is None or link in chain:
            break
        chain.append(link)
    return tuple(chain)


def _says_why(view: CharacterView, fact: KnownFact) -> bool:
    """Whether its predicate itself gives a reason: "Why did {s} try the ford?"."""
    question = view.asks_by(fact.predicate)
    return bool(question) and kind_of(question, view.language) is Kind.WHY
