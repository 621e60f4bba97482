"""What a rehearsing character keeps in mind of its own percepts: who asked what, who heard what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sandbox.agents.rehearsal.phrases import QUESTION_MARKS
from sandbox.story.beats import Detail
from sandbox.story.claims import Claim, Question
from sandbox.story.events import (
    Acted,
    Entered,
    Left,
    LineSpoken,
    Narrated,
    SceneClosed,
    SceneOpened,
    Spoken,
    ThingChanged,
    ThingFound,
    Whispered,
)
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, ThingId
from sandbox.story.percepts import Percept
from sandbox.story.text import ngrams, overlap
from sandbox.story.view import CharacterView

_TOO_ALIKE = 0.5
"""Share of 4-grams above which a line repeats an earlier one. Below the 0.6 that a reader notices."""

_IN_THE_AIR = 5
"""Turns after which a question put to somebody else is no longer in the air."""

Asked = tuple[str, PredicateId | None]
Topic = tuple[str, PredicateId]


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
    hinted: dict[Proposition, set[CharacterId]] = field(default_factory=lambda: defaultdict(set))
    """Who has heard it as a guess or as somebody's word."""
    claimed: dict[Topic, dict[str, set[CharacterId]]] = field(default_factory=dict)
    """What I said of a subject and predicate, and who heard it: whoever lies has to remember."""
    examined: set[ThingId] = field(default_factory=set)
    searched: set[PlaceId] = field(default_factory=set)
    """Places looked through, by me or in my sight, in which nothing has changed since."""
    seen_at: dict[CharacterId, PlaceId] = field(default_factory=dict)
    """Where I last saw others, or saw them go."""
    seen_turn: dict[CharacterId, int] = field(default_factory=dict)
    """Turn in which I did."""
    turn: int = 0
    """Turn of my last percept."""
    missed: dict[CharacterId, int] = field(default_factory=dict)
    """How often I looked for somebody in vain since I last saw them."""
    visited: dict[PlaceId, int] = field(default_factory=dict)
    """Turn of my last arrival in a place."""
    gestures: list[str] = field(default_factory=list)
    pending: Pending | None = None
    awaiting: CharacterId | None = None
    """Whom I asked last and who has not yet said or done anything since."""
    since_news: int = 3
    """Beats I took in since I last witnessed anybody learning anything; a story begins awake."""
    fruitless: int = 0
    """Questions I put in a row that brought me nothing."""
    just_told: Percept | None = None
    """The last line that told me something new to me and that I have not reacted to."""
    struck: Percept | None = None
    """What befell this place, was found in my sight or was said of me, and I have not reacted to."""
    _last_seq: int = 0
    _overheard: list[tuple[int, CharacterId, Question]] = field(default_factory=list)
    _sought: set[CharacterId] = field(default_factory=set)
    """Those of whom I do not know where they went, after I came too late."""

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
        self.turn = percept.beat.turn
        self._whereabouts(percept)
        if getattr(percept.event, "actor", None) == self.awaiting:
            self.awaiting = None
        match percept.event:
            case LineSpoken() | Whispered() as line if percept.detail is Detail.FULL:
                self._line(percept, line, view)
            case Acted() as act if percept.detail is Detail.FULL:
                self._act(act, percept, view)
            case Entered() as move if self._is_mine(move):
                self._arrived(move, percept)
            case SceneOpened() as scene:
                self.visited.setdefault(scene.place, percept.beat.turn)
            case SceneClosed():
                self.pending = None
            case Narrated() if percept.detail is Detail.FULL:
                self.struck = percept
            case ThingFound():
                self.searched.discard(PlaceId(percept.scene_place))
                self.since_news = 0
            case ThingChanged() as change if change.place or change.inside:
                self.searched.discard(PlaceId(percept.scene_place))
            case _:
                pass

    def _is_mine(self, move: Entered) -> bool:
        return self.me == move.actor or self.me in move.alongside

    def _arrived(self, move: Entered, percept: Percept) -> None:
        """I came into a place. Whoever I thought was there and is not, I have missed."""
        self.visited[move.place] = percept.beat.turn
        self.pending = self.awaiting = self.struck = None
        self.fruitless = 0
        present = set(percept.noticed)
        gone = {who for who, place in self.seen_at.items() if place == move.place} - present
        for who in sorted((gone | self._sought) - present):
            self.missed[who] = self.missed.get(who, 0) + 1
            self.seen_at.pop(who, None)
        self._sought |= gone
        self._sought -= present

    def _whereabouts(self, percept: Percept) -> None:
        """Where others are, by what I saw of them; who speaks next door is there."""
        if percept.is_from_afar or percept.is_of_somebody:
            return
        event, me = percept.event, self.me
        here = event.place if isinstance(event, Entered) else PlaceId(percept.scene_place)
        actor = getattr(event, "actor", None)
        for who in percept.noticed:
            if who != actor:
                self._saw(who, here)
        if actor is None or actor == me:
            return
        if isinstance(event, Left):
            if event.to_place is not None:
                self._saw(actor, event.to_place)
        elif percept.actor_place:
            there = here if isinstance(event, Entered) else PlaceId(percept.actor_place)
            self._saw(actor, there)

    def _saw(self, who: CharacterId, place: PlaceId) -> None:
        self.seen_at[who] = place
        self.seen_turn[who] = self.turn
        if self.missed:
            self.missed.pop(who, None)
        self._sought.discard(who)

    def _act(self, act: Acted, percept: Percept, view: CharacterView) -> None:
        thing = act.examines
        if thing is not None and (act.actor == self.me or view.watched(thing)):
            self.examined.add(thing)
            if view.learned_by(percept):
                self.since_news = 0
        if act.searches and percept.detail is Detail.FULL:
            self.searched.add(PlaceId(percept.scene_place))
        if act.actor == self.me:
            self.gestures.append(act.text)
            self.pending = self.awaiting = self.struck = None
        elif thing is not None and view.learned_by(percept):
            self.struck = percept

    def _line(self, percept: Percept, line: Spoken, view: CharacterView) -> None:
        tells, asks = view.told_by(percept), view.asked_by(percept)
        for claim in tells:
            key = (claim.subject, claim.predicate, claim.object)
            self.since_news = 0
            heard = {w for w in percept.noticed if view.took_in(w, percept)}
            if claim.mode == "claimed":
                self.shared[key] |= {*heard, line.actor}
            else:
                self.hinted[key] |= {*heard, line.actor}
            if line.actor == self.me:
                said = self.claimed.setdefault((claim.subject, claim.predicate), {})
                said.setdefault(claim.object, set()).update(heard)
        if line.actor == self.me:
            self._own(line)
            return
        is_of_me = any(self.me in (claim.subject, claim.object) for claim in tells)
        self.struck = percept if is_of_me else None  # whoever speaks first has taken up the rest
        if view.trusts(line.actor):
            self._answers(tells)
        self._overhear(line, tells, asks)
        if self.me in line.targets:
            question = asks or _asked_in(line, view)
            if question is not None:
                self.pending = Pending(line.actor, question, percept)
            if line.tells:
                self.just_told = percept
                self.fruitless = 0

    def overheard(self) -> list[tuple[CharacterId, Question]]:
        """What others were lately asked in my hearing, by whom, as far as it is not answered."""
        first = self.turn - _IN_THE_AIR
        return [(asker, question) for turn, asker, question in self._overheard if turn >= first]

    def _overhear(self, line: Spoken, tells: Sequence[Claim], asks: Question | None) -> None:
        told = {(claim.subject, claim.predicate) for claim in tells}
        self._overheard = [
            one for one in self._overheard if (one[2].subject, one[2].predicate) not in told
        ]
        others = self.me not in (line.actor, *line.targets)
        if asks is not None and asks.predicate is not None and others:
            self._overheard = [*self._overheard[-1:], (self.turn, line.actor, asks)]

    def _own(self, line: Spoken) -> None:
        self.my_lines.append(line.words)
        self.pending = self.just_told = self.awaiting = self.struck = None
        if line.tells:
            self._overhear(line, line.tells, line.asks)
        if line.asks is not None:
            key = (line.asks.subject, line.asks.predicate)
            self.asked |= {(target, key) for target in line.targets}
            self.fruitless += 1
            self.awaiting = next(iter(line.targets), None)

    def _answers(self, tells: Sequence[Claim]) -> None:
        """What I asked and this line answers counts as answered, whoever I trust gave it."""
        mine = {key for _, key in self.asked}
        for claim in tells:
            if claim.mode != "claimed":
                continue
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
