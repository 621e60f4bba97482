"""What a line would teach somebody who took it in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.story.asking.knowing import SURE, learnings
from sandbox.story.beats import Beat
from sandbox.story.claims import Claim
from sandbox.story.evidence import Evidence
from sandbox.story.facts import Fact, Mode, Proposition, fact_of_claim
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.world import World


@dataclass(frozen=True)
class Lesson:
    """A fact that a line would teach somebody."""

    subject: str
    predicate: PredicateId
    object: str
    said: str | None
    """The sentence; None: what was seen needs none."""
    mode: Mode
    confirms: bool
    """Whether the learner knows the same already, by another way."""

    @property
    def saying(self) -> Proposition:
        return (self.subject, self.predicate, self.object)


def would_learn(
    world: World,
    who: CharacterId,
    beat: Beat,
    index: int | None = None,
    told_in: World | None = None,
) -> tuple[Lesson, ...]:
    """What would be new to `who`, if it took in this beat in full.

    Args:
        world: the world in which it would.
        who: who would take it in.
        beat: a beat of the story.
        index: the event in it, from 0. None: all of its events.
        told_in: a world in which the beat has happened. None: `world`.
    """
    taught = [e for e in _taught_by(told_in or world, beat, index) if e.is_open and e.teller != who]
    return _lessons(world, who, [e.fact for e in taught])


def would_learn_of(world: World, who: CharacterId, claims: Sequence[Claim]) -> tuple[Lesson, ...]:
    """What would be new to `who`, if somebody told it these claims."""
    return _lessons(world, who, [fact_of_claim(claim) for claim in claims])


def _taught_by(world: World, beat: Beat, index: int | None) -> list[Evidence]:
    found = (
        evidence
        for listed in world.evidence.values()
        for evidence in listed
        if evidence.source.seq == beat.seq and index in (None, evidence.source.index)
    )
    return sorted(found, key=lambda evidence: evidence.number)


def _lessons(world: World, who: CharacterId, facts: Sequence[Fact]) -> tuple[Lesson, ...]:
    new = {fact.id: fact for fact in facts if fact.id not in world.grants[who]}
    return tuple(_lesson(world, who, fact) for fact in new.values())


def _lesson(world: World, who: CharacterId, fact: Fact) -> Lesson:
    held = {held.mode for held, _ in learnings(world, who, fact.proposition)}
    confirms = bool(held.intersection(SURE)) if fact.mode in SURE else fact.mode in held
    said = fact.statement
    return Lesson(fact.subject, fact.predicate, fact.object, said, fact.mode, confirms)
