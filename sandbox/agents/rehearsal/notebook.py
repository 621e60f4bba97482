"""What a rehearsing character keeps in mind of its own percepts: who asked what, who heard what."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from sandbox.agents.rehearsal.phrases import QUESTION_MARKS
from sandbox.story.beats import Detail
from sandbox.story.claims import Question
from sandbox.story.events import (
    Acted,
    Entered,
    LineSpoken,
    SceneClosed,
    SceneOpened,
    Spoken,
    Whispered,
)
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, ThingId
from sandbox.story.percepts import Percept
from sandbox.story.text import ngrams, overlap
from sandbox.story.view import CharacterView

_TOO_ALIKE = 0.5
"""Share of 4-grams above which a line repeats an earlier one. Below the 0.6 that a reader notices."""

Asked = tuple[str, PredicateId | None]


@lru_cache(maxsize=20_000)
def _grams(words: str) -> frozenset[tuple[str, ...]]:
    return ngrams(words)


@dataclass
class Pending:
    """A question that was put to me and that I have not reacted to."""

    asker: CharacterId
    question: Question
    percept: Percept


@dataclass
class Notebook:
    """Derived from percepts only, one at a time; a percept is read once."""

    me: CharacterId
    read: int = 0
    my_lines: list[str] = field(default_factory=list)
    asked: set[tuple[CharacterId, Asked]] = field(default_factory=set)
    answered: set[Asked] = field(default_factory=set)
    shared: dict[Proposition, set[CharacterId]] = field(default_factory=lambda: defaultdict(set))
    """Who, as I perceived it, has heard or seen what."""
    examined: set[ThingId] = field(default_factory=set)
    visited: dict[PlaceId, int] = field(default_factory=dict)
    """Turn of my last arrival in a place."""
    gestures: list[str] = field(default_factory=list)
    pending: Pending | None = None
    since_news: int = 3
    """Beats I took in since I last witnessed anybody learning anything; a story begins awake."""
    fruitless: int = 0
    """Questions I put in a row that brought me nothing."""
    just_told: Percept | None = None
    """The last line that told me something new to me and that I have not reacted to."""
    _last_seq: int = 0

    def update(self, view: CharacterView) -> None:
        """Read the percepts that came since the last time."""
        for percept in view.percepts[self.read :]:
            self._take(percept, view)
        self.read = len(view.percepts)

    def is_fresh(self, words: str) -> bool:
        """Whether I have said nothing much like it."""
        new = _grams(words)
        return all(overlap(new, _grams(old)) <= _TOO_ALIKE for old in self.my_lines)

    def _take(self, percept: Percept, view: CharacterView) -> None:
        if percept.beat.seq != self._last_seq and percept.detail is Detail.FULL:
            self._last_seq = percept.beat.seq
            self.since_news += 1
        match percept.event:
            case LineSpoken() | Whispered() as line if percept.detail is Detail.FULL:
                self._line(percept, line, view)
            case Acted() as act:
                self._act(act, percept, view)
            case Entered() as move if move.actor == self.me:
                self.visited[move.place] = percept.beat.turn
                self.pending = None
                self.fruitless = 0
            case SceneOpened() as scene:
                self.visited.setdefault(scene.place, percept.beat.turn)
            case SceneClosed():
                self.pending = None
            case _:
                pass

    def _act(self, act: Acted, percept: Percept, view: CharacterView) -> None:
        thing = act.examines
        if thing is not None and (act.actor == self.me or view.watched(thing)):
            self.examined.add(thing)
            if view.learned_by(percept):
                self.since_news = 0
        if act.actor == self.me:
            self.gestures.append(act.text)
            self.pending = None

    def _line(self, percept: Percept, line: Spoken, view: CharacterView) -> None:
        for claim in line.tells:
            key = (claim.subject, claim.predicate, claim.object)
            self.since_news = 0
            self.shared[key] |= {w for w in percept.noticed if view.took_in(w, percept)}
            self.shared[key].add(line.actor)
        if line.actor == self.me:
            self._own(line)
            return
        self._answers(line)
        if self.me in line.targets:
            question = line.asks or _asked_in(line, view)
            if question is not None:
                self.pending = Pending(line.actor, question, percept)
            if line.tells:
                self.just_told = percept
                self.fruitless = 0

    def _own(self, line: Spoken) -> None:
        self.my_lines.append(line.words)
        self.pending = self.just_told = None
        if line.asks is not None:
            key = (line.asks.subject, line.asks.predicate)
            self.asked |= {(target, key) for target in line.targets}
            self.fruitless += 1

    def _answers(self, line: Spoken) -> None:
        """What I asked and this line answers counts as answered, whoever gave it."""
        mine = {key for _, key in self.asked}
        for claim in line.tells:
            for key in (
                (claim.subject, claim.predicate),
                (claim.subject, None),
                (claim.object, None),
            ):
                if key in mine:
                    self.answered.add(key)


def _asked_in(line: Spoken, view: CharacterView) -> Question | None:
    """What free words ask about: the entity I know of whose longest name stands in them."""
    if not any(mark in line.words for mark in QUESTION_MARKS):
        return None
    words = line.words.casefold()
    found = [
        (len(n), id_) for id_, names in view.known_names() for n in names if n.casefold() in words
    ]
    return Question(subject=max(found)[1]) if found else None
