"""All that a character holds from any source, ready for comparing with what it says.

Its facts, what it is to itself and to others, what it lived through, what is before its eyes. A sentence is
supported by one of these texts where the two share enough. How much a shared word says follows from how
many of the character's own texts have it: nothing here depends on what others know.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final

from sandbox.agents.guarding.features import KINDRED, Meanings, features_of
from sandbox.story.ids import PredicateId
from sandbox.story.telling.names import CODE
from sandbox.story.telling.reading import Reading
from sandbox.story.text import CJK

_NAME_SHARE: Final = 0.6
"""What sharing a word with somebody's or something's name counts, beside sharing one with a sentence."""
_ENTITY: Final = 0.45
"""What naming the same somebody or something counts, where words are shared too."""
_ONE_WORD: Final = 0.6
"""What a single word shared counts: it may be chance."""
_MOST_COMPARED: Final = 200
"""Texts: those with the rarest words of a sentence, in a life of thousands of facts."""
_SEVERAL: Final = 2
_OF_OTHERS: Final = 0.6
"""What likeness counts to a text about others than those whom a sentence names."""
_OF_ONE_MEANING: Final = 0.6
"""What another English word of nearly one meaning counts, beside the same word."""
_HAN_WEIGHT: Final = {1: 0.3, 2: 0.6}
"""Of a Chinese character, and of a pair: a word of two counts as three features."""

_CODE: Final = re.compile(CODE)
_HAN: Final = re.compile(rf"[{CJK}]")


@dataclass(frozen=True)
class Text:
    """One text of the character's own, or several for the same fact."""

    said: frozenset[str]
    """Features of its words."""
    names: frozenset[str]
    """Features of the names of whom and what it names."""
    entities: frozenset[str]


@dataclass(frozen=True)
class Support:
    """How well what is said rests on one's own texts. Shares are of what all its words weigh, in [0, 1]."""

    weight: float = 0.0
    """Of the text that it is most like. 0: none. 1 is one word that few of the character's texts have."""
    share: float = 0.0
    """How much of it that text says."""
    names_all: bool = False
    """Whether that text names whomever it names."""
    total: float = 0.0
    """What all its words weigh."""
    two: float = 0.0
    """The share of the text that says most of it and of another that says most of the rest."""
    about: float = 0.0
    """The share of a text about one of those whom it names."""
    together: int = 0
    """Most of those whom it names that one text names."""


@dataclass(frozen=True)
class _Likeness:
    """What is said, compared with one text."""

    weight: float
    shared: tuple[float, ...]
    """What the text has of each word."""
    same: int
    """How many of those named the text names."""
    names_all: bool


@dataclass
class Holdings:
    """Texts by their features. It grows with the story."""

    texts: list[Text] = field(default_factory=list)
    topics: set[tuple[str, PredicateId]] = field(default_factory=set)
    """Subjects and predicates of which some value is held."""
    related: dict[tuple[str, str], PredicateId] = field(default_factory=dict)
    """By subject and object, a predicate of which that value is held."""
    words: set[str] = field(default_factory=set)
    """Capitalised words, and in Chinese all texts, that names may have been learned from."""
    _with: dict[str, list[int]] = field(default_factory=dict)
    _naming: dict[str, list[int]] = field(default_factory=dict)
    facts: int = 0
    percepts: int = 0

    def add(self, text: Text) -> None:
        number = len(self.texts)
        self.texts.append(text)
        for feature in text.said | text.names:
            self._with.setdefault(feature, []).append(number)
        for id_ in text.entities:
            self._naming.setdefault(id_, []).append(number)

    def weight(self, feature: str) -> float:
        """What sharing it says, in [0, 1]: the rarer among one's own texts, the more."""
        seen, all_ = len(self._with.get(feature, ())), max(len(self.texts), 4)
        rarity = min(1.0, math.log1p(all_ / max(seen, 0.5)) / math.log1p(all_ / 2))
        if feature.startswith(KINDRED):
            return rarity * _OF_ONE_MEANING
        return rarity * (_HAN_WEIGHT.get(len(feature), 1.0) if _HAN.match(feature) else 1.0)

    def support(
        self, words: Sequence[Meanings], entities: frozenset[str], others: frozenset[str]
    ) -> Support:
        """By the texts of one's own that are most like what is said.

        Args:
            words: what each word said may mean.
            entities: whom and what they name.
            others: of these the ones that are neither speaker nor addressee.
        """
        weights = {f: self.weight(f) for f in sorted(frozenset[str]().union(*words))}
        total = math.fsum(max(weights[f] for f in word) for word in words)
        said = _Said(words, weights, entities, others)
        found = [said.compared(self.texts[number]) for number in self._likely(weights, others)]
        return _support(found, total) if found else Support(total=total)

    def _likely(self, weights: Mapping[str, float], others: frozenset[str]) -> Iterable[int]:
        """The texts to compare with: those that name the same several, and those with the rarest words."""
        found = dict.fromkeys(self._about(others) if len(others) > 1 else ())
        for feature in sorted(weights, key=lambda f: (-weights[f], f)):
            if len(found) >= _MOST_COMPARED:
                break
            found |= dict.fromkeys(self._with.get(feature, ()))
        return islice(found, _MOST_COMPARED)

    def _about(self, entities: frozenset[str]) -> Iterator[int]:
        """Texts that name more than one of these."""
        seen = Counter(n for id_ in sorted(entities) for n in self._naming.get(id_, ()))
        return (number for number, times in seen.items() if times >= _SEVERAL)


@dataclass
class _Said:
    """What is compared with many texts."""

    words: Sequence[Meanings]
    weights: Mapping[str, float]
    entities: frozenset[str]
    others: frozenset[str]

    @cached_property
    def _meaning(self) -> Mapping[str, Sequence[int]]:
        """By feature the numbers of the words that may mean it."""
        found: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            for feature in word:
                found.setdefault(feature, []).append(number)
        return found

    @cached_property
    def _features(self) -> frozenset[str]:
        return frozenset(self._meaning)

    def compared(self, text: Text) -> _Likeness:
        shared = self._shared(text)
        weight, same = math.fsum(shared), len(self.others & text.entities)
        if sum(map(bool, shared)) == 1 and same < _SEVERAL:
            weight *= _ONE_WORD
        elif self.others and text.entities and text.entities.isdisjoint(self.entities):
            weight *= _OF_OTHERS
        else:
            weight += _ENTITY * same
        return _Likeness(weight, shared, same, self.others <= text.entities)

    def _shared(self, text: Text) -> tuple[float, ...]:
        """What a text has of each word: the most telling of its meanings."""
        shared = [0.0] * len(self.words)
        for features, counts in ((text.said, 1.0), (text.names, _NAME_SHARE)):
            for feature in features & self._features:
                weight = counts * self.weights[feature]
                for number in self._meaning[feature]:
                    shared[number] = max(shared[number], weight)
        return tuple(shared)


def _support(found: Sequence[_Likeness], total: float) -> Support:
    """What the likenesses come to, in the order of the texts."""
    whole = total or 1.0
    best = max(found, key=lambda like: like.weight)
    first = max(found, key=lambda like: math.fsum(like.shared)).shared
    return Support(
        weight=best.weight,
        share=math.fsum(best.shared) / whole,
        names_all=best.names_all,
        total=total,
        two=max(math.fsum(map(max, first, like.shared)) for like in found) / whole,
        about=max((math.fsum(like.shared) for like in found if like.same), default=0.0) / whole,
        together=max(like.same for like in found),
    )


def entities_in(coded: str, reading: Reading) -> frozenset[str]:
    """Ids of whom and what a text in code names."""
    id_of = reading.named.id_of
    return frozenset(id_of[code] for code in _CODE.findall(coded) if code in id_of)


def name_features(reading: Reading, id_: str) -> frozenset[str]:
    """Features of what somebody or something is called."""
    kept: dict[str, frozenset[str]] = reading.shared.setdefault("names", {})
    if id_ not in kept:
        names = reading.named.names.get(id_, ())
        language = reading.named.canon.language
        kept[id_] = frozenset[str]().union(*(features_of(n.casefold(), language) for n in names))
    return kept[id_]
