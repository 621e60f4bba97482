"""The facts, scenes and percepts of one request, as its blocks choose among them in turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from sandbox.agents.fusing.episodes import Percepts, Scenes, scene_opened_turn
from sandbox.agents.fusing.facts import Chooser, FactWords, held_order, is_in_sight
from sandbox.agents.fusing.fitting import listed
from sandbox.agents.fusing.material import Limits, Material
from sandbox.story.ids import FactId
from sandbox.story.known import KnownFact
from sandbox.story.view import CharacterView

MOST_SUPPORT, SUPPORT_TOKENS = 6, 12
"""Facts named as the answer, in the order of the conclusion: a chain of causes has three or four.
Tokens their numbers take."""


class Choice:
    """What goes into one request. A block chooses when its texts are written, the stable ones first."""

    def __init__(self, view: CharacterView, material: Material, limits: Limits) -> None:
        self.view, self.material = view, material
        self.opened_turn = scene_opened_turn(view)
        """Turn since which all is new."""
        known = list(view.known)
        self.before = [fact for fact in known if fact.learned_turn < self.opened_turn]
        """Facts long held, in order of learning."""
        self._since = [fact for fact in known if fact.learned_turn >= self.opened_turn]
        self._words = FactWords(view, limits.room)
        self.held = Chooser(held_order(self.before, view, self._words), self._words)
        self.scenes = Scenes(view, self.opened_turn)
        since = min(self.opened_turn, self.scenes.last_turn + 1)
        self.percepts = Percepts(view, since, limits.percepts)

    @cached_property
    def new(self) -> Chooser:
        """Chooses facts that are not shown as long held; to be asked for after those are chosen.

        What answers comes first, then what probing found, then the latest learned.
        """
        view, material = self.view, self.material
        pool = view.known.pick([*(material.conclusion or ()), *material.found])
        seen = view.in_sight
        latest = [fact for fact in reversed(self._since) if not is_in_sight(fact, view, seen)]
        shown = {fact.handle for fact in self.held.chosen}
        wanted = {fact.handle: fact for fact in [*pool, *latest] if fact.handle not in shown}
        return Chooser(wanted.values(), self._words)

    @cached_property
    def memories(self) -> list[tuple[str, str]]:
        """Own scenes that bear on the moment, then other memories, without what is shown: (id, text)."""
        ids = dict.fromkeys([*self.material.anchors, *self.material.memories])
        texts = [(id_, self.view.memory(id_)) for id_ in ids]
        return [(id_, text) for id_, text in texts if id_ not in self.scenes.shown_whole]

    def _shown(self) -> dict[str, list[KnownFact]]:
        """The facts shown, by slot, in the order in which they are numbered."""
        return {
            "held": _in_order(self.held.chosen, self.before),
            "learned": _in_order(self.new.chosen, self._since),
            "found": _in_order(self.new.chosen, self.before),
        }

    def numbers(self) -> dict[FactId, int]:
        """The number of each fact shown."""
        shown = [fact for facts in self._shown().values() for fact in facts]
        return {fact.handle: number for number, fact in enumerate(shown, start=1)}

    def facts(self, numbers: Mapping[FactId, int]) -> dict[str, str]:
        """Slots for the facts shown, by their numbers."""
        return {
            slot: listed(self._words.line(fact, numbers[fact.handle]) for fact in facts)
            for slot, facts in self._shown().items()
        }

    def answer(self, asked: str, numbers: Mapping[FactId, int]) -> dict[str, str]:
        """Slots for what is asked and for which of the numbered facts answer it."""
        answering = [id_ for id_ in self.material.conclusion or () if id_ in numbers]
        support = [numbers[id_] for id_ in answering[:MOST_SUPPORT]]
        is_unknown = self.material.refused and not support
        return {
            "asked": "" if is_unknown else asked,
            "unanswered": asked if is_unknown else "",
            "support": ", ".join(f"f{number}" for number in support),
        }


def _in_order(chosen: Iterable[KnownFact], known: Iterable[KnownFact]) -> list[KnownFact]:
    """Those of `known` that were chosen, in order of learning."""
    handles = {fact.handle for fact in chosen}
    return [fact for fact in known if fact.handle in handles]
