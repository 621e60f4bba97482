"""Facts as a prompt shows them: how they came to be known, and what they are worth to their knower."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from sandbox.agents.fusing.fitting import COLONS, cut, fitted, line_tokens, listed, one_line
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.items import Language
from sandbox.story.known import KnownFact
from sandbox.story.people import Keep, Wish
from sandbox.story.predicates import LOCATED_IN
from sandbox.story.routes import Route
from sandbox.story.view import CharacterView

_ROUTES: Final[dict[Language, dict[Route, str]]] = {
    "en": {
        Route.EXPERIENCED: "I was there",
        Route.OBSERVED: "I saw it",
        Route.ORGANISATION: "we all know it",
        Route.COMMON: "everybody knows",
        Route.TOLD: "{source} told me",
    },
    "zh": {
        Route.EXPERIENCED: "亲身经历",
        Route.OBSERVED: "亲眼所见",
        Route.ORGANISATION: "我们这些人都知道",
        Route.COMMON: "人人都知道",
        Route.TOLD: "听{source}说的",
    },
}
_QUOTED: Final[dict[Language, str]] = {"en": '"{}"', "zh": "“{}”"}
"""Hearsay is quoted: its "I" is whoever said it."""
_LINES: Final[dict[Language, str]] = {
    "en": "{said} ({route}){motive}",
    "zh": "{said}（{route}）{motive}",
}
_MOTIVES: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "keep": " I keep it from everybody: {why}",
        "keep_but": " I keep it from everybody but {who}: {why}",
        "wish": " I want it known: {why}",
        "wish_to": " I want {who} to know it: {why}",
    },
    "zh": {
        "keep": "我对谁都不说：{why}",
        "keep_but": "除了{who}，我对谁都不说：{why}",
        "wish": "我想让人知道：{why}",
        "wish_to": "我想让{who}知道：{why}",
    },
}
_AND: Final[dict[Language, str]] = {"en": ", ", "zh": "、"}
_STATEMENT_SHARE, _MOTIVE_SHARE, _LEAST_STATEMENT = 0.06, 0.03, 24
"""Of the prompt, for a sentence of the story and for a reason; both need 10 to 40 tokens, and what is
longer is shown by its beginning."""
_MOST_NAMED = 6
_LONGEST = 999
"""Number with which a line is measured: no prompt holds more facts."""
_SHORTEST_TOKENS: Final = line_tokens("f1: x (y)")

Lines = Mapping[FactId, str]


class Chooser:
    """Chooses facts within a budget, and remembers which it chose last."""

    def __init__(self, wanted: Iterable[KnownFact], words: FactWords) -> None:
        """`wanted`: those that matter most first; each once."""
        self._wanted = list(wanted)
        self._words = words
        self._lines = list[str]()
        """Of the first of those wanted, as far as any budget asked for them."""
        self.chosen: list[KnownFact] = []

    def __call__(self, budget: int) -> str:
        """The lines of those chosen, with a number as long as any: for measuring only."""
        lines = dict(self._likely(budget))
        kept = fitted(lines, budget, shorten=False)
        self.chosen = [lines[line] for line in kept]
        return listed(kept)

    def _likely(self, budget: int) -> Iterator[tuple[str, KnownFact]]:
        """Not all of thousands are put into words: no more than could fit are looked at."""
        likely = self._wanted[: budget // _SHORTEST_TOKENS + 1]
        new = likely[len(self._lines) :]
        self._lines += [self._words.line(fact, _LONGEST) for fact in new]
        yield from zip(self._lines, likely, strict=False)


class FactWords:
    """Puts the facts of one view into lines."""

    def __init__(self, view: CharacterView, room: int) -> None:
        """`room`: tokens of the prompt; what a line may have of them."""
        self._view = view
        self._statement_tokens = max(_LEAST_STATEMENT, int(room * _STATEMENT_SHARE))
        self._motive_tokens = int(room * _MOTIVE_SHARE)
        self._language = view.language
        self._motives = dict[FactId, str]()
        self._bodies = dict[FactId, str]()
        for wish in view.wishes:
            self._note(wish, "wish", wish.to)
        for keep in view.keeps:  # what must not come out outweighs what is to be told
            self._note(keep, "keep", keep.unless)

    def _note(self, motive: Wish | Keep, kind: str, who: Sequence[CharacterId]) -> None:
        held = self._view.held(motive.fact)
        if held is None or motive.because is None:
            return
        key = {"wish": ("wish", "wish_to"), "keep": ("keep", "keep_but")}[kind][bool(who)]
        names = _AND[self._language].join(self._view.names(w) for w in who[:_MOST_NAMED])
        words = _MOTIVES[self._language][key].format(who=names, why=one_line(motive.because))
        self._motives[held.handle] = cut(words, self._motive_tokens)

    def has_motive(self, fact: KnownFact) -> bool:
        """Whether the character wants it hidden or known."""
        return fact.handle in self._motives

    def line(self, fact: KnownFact, number: int) -> str:
        """The fact as a prompt shows it."""
        if (body := self._bodies.get(fact.handle)) is None:
            body = self._bodies[fact.handle] = self._body(fact)
        return f"f{number}{COLONS[self._language]}{body}"

    def _body(self, fact: KnownFact) -> str:
        view, language = self._view, self._language
        source = view.names(fact.source) if fact.source else ""
        route = _ROUTES[language][fact.route].format(source=source)
        said = cut(one_line(fact.statement), self._statement_tokens)
        said = said if fact.source is None else _QUOTED[language].format(said)
        motive = self._motives.get(fact.handle, "")
        return _LINES[language].format(said=said, route=route, motive=motive)


def held_order(
    facts: Sequence[KnownFact], view: CharacterView, words: FactWords
) -> list[KnownFact]:
    """Facts long held, those that matter most to their knower first, whatever it thinks of just now."""

    def weight(at: int) -> tuple[int, bool, int]:
        fact = facts[at]
        mine = view.me in (fact.subject, fact.object)
        kind = 0 if words.has_motive(fact) else 1 if mine else 2
        return (3 if fact.predicate == LOCATED_IN else kind, fact.route is Route.COMMON, -at)

    return [facts[at] for at in sorted(_lasting(facts, view), key=weight)]


def _lasting(facts: Sequence[KnownFact], view: CharacterView) -> list[int]:
    """Positions of all but where I am, and where others were seen before they were seen elsewhere."""
    last = dict[tuple[object, ...], int]()
    for at, fact in enumerate(facts):
        if is_own_place(fact, view):
            continue
        was_seen = fact.predicate == LOCATED_IN and fact.source is None
        last[("place", fact.subject) if was_seen else ("fact", at)] = at
    return list(last.values())


def is_in_sight(fact: KnownFact, view: CharacterView, seen: frozenset[str]) -> bool:
    """Whether a fact says no more than a look around does: `seen` is here."""
    if is_own_place(fact, view):
        return True
    return fact.predicate == LOCATED_IN and fact.subject in seen and fact.object == view.place


def is_own_place(fact: KnownFact, view: CharacterView) -> bool:
    """Whether it says where I am, or was: the prompt says where I am."""
    return fact.predicate == LOCATED_IN and fact.subject == view.me
