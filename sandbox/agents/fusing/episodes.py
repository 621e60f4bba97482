"""Scenes and percepts as a prompt shows them: the open scene line by line, older ones in one line each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from sandbox.agents.fusing.fitting import all_shortened, fitted, listed, one_line
from sandbox.story.beats import Detail
from sandbox.story.episodes import salience
from sandbox.story.events import SceneOpened
from sandbox.story.percepts import Percept, percept_id
from sandbox.story.view import CharacterView

_MOST_SCENES = 6
_SCENE_TOKENS = 45
"""With less than that a line of a scene says nothing; then there are fewer scenes."""
_MOST_EARLIER = 160
"""Percepts back of which that line is made; a scene of twelve beats has about thirty."""
_MOST_IN_LINE = 12
"""Of them, those that mattered most; more make no line."""
NONE_OPENED: Final = 1
"""Where no scene opened before the character's eyes, all of the story is new to it."""


def scene_opened_turn(view: CharacterView) -> int:
    """Turn in which the last scene opened that the character saw open; all since is new."""
    for percept in reversed(view.percepts):
        if isinstance(percept.happened.event, SceneOpened):
            return percept.beat.turn
    return NONE_OPENED


class Scenes:
    """Summaries of closed scenes, within a budget."""

    def __init__(self, view: CharacterView, opened_turn: int) -> None:
        self._closed = [e for e in view.episodes if e.turn < opened_turn]
        self.shown_whole = frozenset[str]()

    @property
    def last_turn(self) -> int:
        """Turn up to which summaries stand for what was perceived."""
        return self._closed[-1].turn if self._closed else 0

    def __call__(self, budget: int) -> str:
        latest = self._closed[-max(1, min(_MOST_SCENES, budget // _SCENE_TOKENS)) :]
        texts = [one_line(episode.text) for episode in latest]
        lines = all_shortened(texts, budget)
        self.shown_whole = frozenset(
            e.id for e, text in zip(latest, texts, strict=True) if text in lines
        )
        return listed(lines)


class Percepts:
    """What was perceived since the last summary, the latest in full."""

    def __init__(self, view: CharacterView, since: int, most: int) -> None:
        self._view = view
        self._all = _since(view, since)
        latest = self._all[-most:]
        worded = [(percept, one_line(view.worded(percept))) for percept in latest]
        self._worded = _each_once([(p, text) for p, text in worded if text])
        self._older = dict[tuple[int, int], str]()
        self.shown: list[Percept] = []

    def __call__(self, budget: int) -> str:
        """The latest, oldest first. What happened last is never left out, however long it is."""
        texts = [text for _, text in self._worded]
        kept = fitted(reversed(texts), budget)[::-1]
        whole = set(kept)
        self.shown = [p for p, text in self._worded if text in whole]
        if kept and kept[-1] not in texts:  # the last one, shortened
            self.shown.append(self._worded[-1][0])
        return listed(kept)

    @property
    def shown_ids(self) -> frozenset[str]:
        return frozenset(percept_id(percept) for percept in self.shown)

    def earlier(self, budget: int) -> str:
        """One line for those since the last summary that are not shown, by what mattered most."""
        first = _position(self.shown[0]) if self.shown else (0, 0)
        older = [p for p in self._weightiest if _position(p) < first][:_MOST_IN_LINE]
        worded = {text: p for p in older if (text := self._older_worded(p))}
        kept = fitted(worded, budget, shorten=False)
        return " ".join(sorted(kept, key=lambda text: _position(worded[text])))

    def _older_worded(self, percept: Percept) -> str:
        """In words, put once: the same few are looked at for each budget."""
        at = _position(percept)
        if at not in self._older:
            self._older[at] = one_line(self._view.worded(percept))
        return self._older[at]

    @cached_property
    def _weightiest(self) -> list[Percept]:
        """The percepts that may be older than those shown, by what mattered most, then the latest."""
        recent = self._all[-_MOST_EARLIER:]
        return sorted(recent, key=lambda p: (-salience(p), -p.beat.seq, p.index))


def _since(view: CharacterView, turn: int) -> list[Percept]:
    found = list[Percept]()
    for percept in reversed(view.percepts):
        if percept.beat.turn < turn:
            break
        found.append(percept)
    return found[::-1]


def _position(percept: Percept) -> tuple[int, int]:
    return percept.beat.seq, percept.index


def _each_once(worded: Sequence[tuple[Percept, str]]) -> list[tuple[Percept, str]]:
    """What sounds the same (voices next door) stands once, where it began; the last stands last."""
    if not worded:
        return []
    *before, last = worded
    once = dict[str, Percept]()
    for percept, text in before:
        if text != last[1] or percept.detail is Detail.FULL:
            once.setdefault(text, percept)
    once.pop(last[1], None)
    return [*((percept, text) for text, percept in once.items()), last]
