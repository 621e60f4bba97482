"""The fact pool M(t): what probing has gathered so far, a subset of F_c, with how it grew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sandbox.story.ids import FactId
from sandbox.story.known import KnownFact, KnownFacts
from sandbox.story.view import CharacterView


class Way(StrEnum):
    """By what a probe set out."""

    ASKED = "asked"
    """From whom or what a question names."""
    CAUSE = "cause"
    """Back along causes."""
    FOUND = "found"
    """What a search brought."""
    ANCHOR = "anchor"
    """From whom or what an own scene names, and what was learned there."""
    HERE = "here"
    """From who is present, and from what is on the mind."""
    NEAR = "near"
    """One step on from what was gathered."""
    SUB_QUESTION = "sub-question"
    """A question of the character's own, put to itself."""


@dataclass(frozen=True)
class Probe:
    """One question that the character puts to itself."""

    way: Way
    about: str = ""
    """An entity, or the words of a sub-question; empty: neither."""

    def plain(self, view: CharacterView) -> str:
        """For people. The words of a sub-question are a model's: they may be somebody's id by chance."""
        is_entity = self.about and self.way is not Way.SUB_QUESTION
        about = view.names(self.about) if is_entity else self.about
        return f"{self.way}: {about}" if about else self.way.value


@dataclass(frozen=True)
class Growth:
    """What one probe added, in order."""

    probe: Probe
    facts: tuple[KnownFact, ...]

    def plain(self, view: CharacterView) -> dict[str, Any]:
        """For people: statements, no ids."""
        return {
            "probe": self.probe.plain(view),
            "added": [fact.statement for fact in self.facts],
        }


@dataclass
class FactPool:
    """Facts inside one boundary; one from outside cannot get in."""

    known: KnownFacts
    growth: list[Growth] = field(default_factory=list)
    """In order. A probe that added nothing is in it, too."""
    _facts: dict[FactId, KnownFact] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._facts)

    def __iter__(self) -> Iterator[KnownFact]:
        """In order of gathering."""
        return iter(self._facts.values())

    def __contains__(self, fact: FactId) -> bool:
        return fact in self._facts

    @property
    def newest_first(self) -> tuple[KnownFact, ...]:
        """What the latest questions of its own brought, then the rest in order of gathering."""
        own = [g for g in self.growth if g.probe.way is Way.SUB_QUESTION]
        late = {fact.handle: fact for grown in reversed(own) for fact in grown.facts}
        return tuple((late | self._facts).values())

    def get(self, fact: FactId) -> KnownFact | None:
        return self._facts.get(fact)

    def add(self, probe: Probe, facts: Iterable[FactId]) -> int:
        """Add what a probe found; returns how much of it is new.

        Raises:
            BoundaryError: one of them lies outside the boundary. Nothing is added.
        """
        wanted = dict.fromkeys(id_ for id_ in facts if id_ not in self._facts)
        new = self.known.pick(wanted)
        self._facts.update((fact.handle, fact) for fact in new)
        self.growth.append(Growth(probe, new))
        return len(new)
