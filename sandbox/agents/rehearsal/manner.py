"""How a rehearsing character words what it means to say: its own openings and sentences, none of them twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import JOIN
from sandbox.story.chance import Chance
from sandbox.story.patterns import GrownPattern
from sandbox.story.people import Occasion, Pattern
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_WITH_LEAD_IN = 0.65
"""Share of lines that begin in the character's own manner."""
_LEADING = {Occasion.ASKING, Occasion.TELLING, Occasion.ANSWERING}


class Manner:
    """A character's way of speaking, at one decision."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance) -> None:
        self._view = view
        self._notebook = notebook
        self._chance = chance

    def phrased(self, core: str, occasion: Occasion) -> Iterator[tuple[str, str]]:
        """(words, mood it turns to): `core` after an opening of mine, then bare, as far as fresh."""
        join = JOIN[self._view.language]
        if self._chance.share(f"lead-in {core}") < _WITH_LEAD_IN:
            for pattern in self._patterns(occasion):
                for opening in self._chance.shuffled(core, self._view.lead_ins(pattern)):
                    words = f"{opening}{join}{core}"
                    if opening not in self._lately() and self._notebook.is_fresh(words):
                        yield words, self._mood(pattern)
        if self._notebook.is_fresh(core):
            yield core, ""

    def whole(
        self,
        occasion: Occasion,
        to: PersonSeen,
        *,
        thought: str = "",
        alone: bool = False,
        otherwise: Sequence[str] = (),
    ) -> Iterator[Move]:
        """Say one of my manner's own sentences and no more.

        Args:
            occasion: what the patterns have to answer to.
            to: to whom.
            thought: what I think with it.
            alone: only from patterns that lead into nothing, as their openings then stand alone.
            otherwise: what is said where no pattern has anything fresh.
        """
        for pattern in self._patterns(occasion):
            if alone and _LEADING & set(pattern.occasions):
                continue
            lines = [*self._view.lead_ins(pattern), *self._view.samples(pattern)]
            for words in self._chance.shuffled(f"evade {pattern.id}", lines):
                if self._notebook.is_fresh(words):
                    mood = self._mood(pattern)
                    yield Move(words=words, to=(to.id,), thought=thought, mood=mood)
        for words in self._chance.shuffled(f"otherwise {occasion}", otherwise):
            if self._notebook.is_fresh(words):
                yield Move(words=words, to=(to.id,), thought=thought)

    def _lately(self) -> str:
        """My last lines: an opening that stands in them is not used again so soon."""
        return "\n".join(self._notebook.my_lines[-4:])

    def _patterns(self, occasion: Occasion) -> list[Pattern]:
        # What it took on in play has only lines that it has said: they are never fresh.
        canon = (p for p in self._view.patterns.values() if not isinstance(p, GrownPattern))
        fitting = [p for p in canon if occasion in p.occasions]
        return self._chance.shuffled(f"pattern {occasion}", fitting)

    def _mood(self, pattern: Pattern) -> str:
        turned = pattern.mood_after
        return turned if turned and turned != self._view.mood else ""
