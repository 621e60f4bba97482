"""Every way in which a world's predicates can be worded, as patterns over sentences in code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sandbox.story import predicates
from sandbox.story.canon import Predicate
from sandbox.story.ids import PredicateId
from sandbox.story.items import Language
from sandbox.story.telling.code import Coder
from sandbox.story.telling.frames_en import english_ways
from sandbox.story.telling.frames_zh import chinese_ways
from sandbox.story.telling.names import OBJECT, SUBJECT, Named
from sandbox.story.telling.way import Way

_WAYS: Final[dict[Language, Callable[[str, str | None], Iterator[Way]]]] = {
    "en": english_ways,
    "zh": chinese_ways,
}
_ALSO: Final[dict[Language, dict[PredicateId, tuple[str, ...]]]] = {
    "en": {
        predicates.LOCATED_IN: ("{s} is at {o}.", "{s} is inside {o}.", "{s} lies in {o}."),
        predicates.HELD_BY: (
            "{o} has {s}.",
            "{o} got {s}.",
            "{o} holds {s}.",
            "{o} carries {s}.",
            "{s} is in {o}'s hands.",
        ),
        predicates.IS_NAMED: (
            "{s} is {o}.",
            "{s}'s name is {o}.",
            "{s} was christened {o}.",
            "{s} goes by the name of {o}.",
        ),
    },
    "zh": {
        predicates.LOCATED_IN: ("{s}呆在{o}。",),
        predicates.HELD_BY: (
            "{s}在{o}身上。",
            "{s}在{o}手上。",
            "{s}在{o}那里。",
            "{s}在{o}那儿。",
            "{o}揣着{s}。",
        ),
        predicates.IS_NAMED: ("{s}叫{o}。", "{s}的名字是{o}。", "{s}就是{o}。"),
    },
}
"""More ways to say what every world has predicates for."""
_DEAD: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("{s} died.", "{s} is dead.", "{s} was killed."),
    "zh": ("{s}死了。", "{s}没了命。"),
}
_OF_TEXTS = (predicates.STATE, predicates.ALIVE, predicates.IS_NAMED)
"""Built-in predicates whose objects are never somebody or something."""


@dataclass(frozen=True)
class Frame:
    """One way to word a predicate."""

    predicate: PredicateId
    way: Way
    object: str | None = None
    """A free text that the wording holds."""

    @cached_property
    def roles(self) -> int:
        """How many must be named for it to match at all: few sentences name two."""
        return self.way.pattern.count("(?P<")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Made when first needed: a large world has thousands."""
        return re.compile(self.way.pattern)


def frames_of(named: Named) -> Iterator[Frame]:
    """Every frame of a world's predicates.

    Of two that are each other's inverse, one takes the wordings of both.
    """
    blank = Coder(named, "")
    ways = _WAYS[named.canon.language]
    for predicate in named.canon.predicates.values():
        if predicate.id == predicates.SAID_ABOUT or _is_turned(named, predicate):
            continue
        texts = [(text, blank.code(text)) for text in _texts(named, predicate.id)]
        for wording in _wordings(named, predicate):
            coded = blank.code(wording.format(s=f" {SUBJECT} ", o=f" {OBJECT} "))
            if predicate.id not in _OF_TEXTS:
                yield from (Frame(predicate.id, way) for way in ways(coded, None))
            for text, literal in texts:
                yield from (Frame(predicate.id, way, text) for way in ways(coded, literal))
    for wording in (
        _DEAD[named.canon.language] if predicates.ALIVE in named.canon.predicates else ()
    ):
        coded = blank.code(wording.format(s=f" {SUBJECT} "))
        yield from (Frame(predicates.ALIVE, way, "dead") for way in ways(coded, ""))


def _texts(named: Named, id_: PredicateId) -> list[str]:
    """The free texts that a predicate's object may be: no more than words, whoever knows of them."""
    found = {fact.object for fact in named.canon.facts if fact.predicate == id_}
    if id_ == predicates.IS_NAMED:
        people = (who for who in named.canon.characters if who.name_known_to is not None)
        found |= {person.name for person in people}
    return sorted(found - set(named.kinds))


def _is_turned(named: Named, predicate: Predicate) -> bool:
    """Whether claims are made by the predicate's inverse: of the two, the one beliefs are held by."""
    inverse = named.canon.predicates.get(predicate.inverse) if predicate.inverse else None
    if inverse is None or inverse.id == predicate.id:
        return False
    used = Counter(fact.predicate for fact in named.canon.facts)
    own, other = ((p.functional, used[p.id] > 0, p.id) for p in (predicate, inverse))
    return other > own


def _wordings(named: Named, predicate: Predicate) -> Iterator[str]:
    yield from predicate.wordings
    yield from _ALSO[named.canon.language].get(predicate.id, ())
    inverse = named.canon.predicates.get(predicate.inverse) if predicate.inverse else None
    for wording in inverse.wordings if inverse and inverse.id != predicate.id else ():
        yield wording.format(s="{o}", o="{s}")
