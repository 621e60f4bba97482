"""Which of the speaker's own facts a sentence in code puts in other words.

A sentence is compared with the sentences of the facts its speaker knows, and of no others, so that what
comes out never depends on what is true beyond that.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from sandbox.story.known import KnownFact
from sandbox.story.telling import chinese, english
from sandbox.story.telling import english_cues as cues_en
from sandbox.story.telling.code import Coder
from sandbox.story.telling.names import CODE, Named
from sandbox.story.world import World

_NAME = re.compile(CODE)
_HAN_RUN = re.compile(rf"[{chinese.HAN}]+")
_CLAUSE = re.compile(r"[|&]|(?= without )|(?= no )")
_STRONG = frozenset({"not", "never", "nobody", "hardly"})
_MOST_KEPT: Final = 4096
"""Sentences for facts that several characters hold."""
_PAIR_WEIGHT: Final = 1.0
_CHARACTER_WEIGHT: Final = 0.6
"""Of one Chinese character beside a pair's 1."""


@dataclass(frozen=True)
class Worded:
    """One sentence for a fact, as what it is compared by."""

    features: frozenset[str]
    denied: frozenset[str]
    """The content of those of its clauses that deny something."""
    weight: float
    persons: frozenset[str]
    """Whom it names."""
    is_denial: bool
    """Whether what it says is a denial."""
    is_unreal: bool
    """Whether it speaks of what might be: then that is no objection to another."""


@dataclass(frozen=True)
class Wordeds:
    """All sentences for one fact."""

    all: tuple[Worded, ...]
    content: frozenset[str]
    """Of any of them: most facts share nothing with a sentence."""
    persons: frozenset[str]

    @staticmethod
    def of(all_: tuple[Worded, ...]) -> Wordeds:
        content = (one.features | one.denied for one in all_)
        return Wordeds(
            all_,
            frozenset[str]().union(*content),
            frozenset[str]().union(*(one.persons for one in all_)),
        )


@dataclass(frozen=True)
class Statements:
    """What facts are compared by. Made once for a canon."""

    named: Named

    @property
    def _language(self) -> str:
        return self.named.canon.language

    @cached_property
    def _spread(self) -> Counter[str]:
        """How many of the world's facts have a feature in one of their sentences."""
        spread: Counter[str] = Counter()
        for fact in self.named.canon.facts:
            texts = [(fact.statement, ""), *((text, who) for who, text in fact.voiced.items())]
            spread.update(
                frozenset().union(*(self.features(Coder(self.named, w).code(t)) for t, w in texts))
            )
        return spread

    def weight(self, feature: str) -> float:
        """What sharing it says: the rarer in the world, the more; 1 for what one fact alone has."""
        seen = max(1, self._spread[feature])
        rarity = math.log1p(len(self.named.canon.facts) / (1 + seen)) / self._weight_of_once
        if self._language == "zh":
            return rarity * (_CHARACTER_WEIGHT if len(feature) == 1 else _PAIR_WEIGHT)
        return rarity

    def features(self, coded: str) -> frozenset[str]:
        """The content of a sentence in code, names left out."""
        if self._language == "zh":
            return frozenset(_chinese_features(coded))
        parts = (english.stem(part) for part in coded.replace("-", " ").split(" "))
        return frozenset(
            english.kindred(p) for p in parts if english.is_content(p) and not _NAME.match(p)
        )

    def total(self, features: Iterable[str]) -> float:
        return math.fsum(self.weight(feature) for feature in features)

    @cached_property
    def _weight_of_once(self) -> float:
        return math.log1p(len(self.named.canon.facts) / 2)

    def worded(self, world: World, fact: KnownFact, knower: str) -> Wordeds:
        """The sentences for a fact, ready for comparing; made once for a knower."""
        key = ("telling", knower, fact.handle)
        if (kept := world.memo.get(key)) is None:
            kept = world.memo[key] = Wordeds.of(tuple(self._worded(world, fact, knower)))
        assert isinstance(kept, Wordeds)
        return kept

    def coded(self, world: World, fact: KnownFact, knower: str) -> Iterator[tuple[str, str]]:
        """The sentences for a fact in code, each with its text."""
        canon = world.canon.facts_by_id.get(fact.handle)
        texts: list[tuple[str, str, str | None]] = [(fact.statement, fact.source or "", None)]
        if canon is not None:
            texts += [(text, who, None) for who, text in canon.voiced.items()]
            if canon.to_subject is not None:
                texts.append((canon.to_subject, knower, canon.subject))
        if fact.object not in self.named.kinds:
            texts.append((fact.object, "", None))
        for text, speaker, addressee in texts:
            yield self._coded(text, speaker, addressee), text

    @cached_property
    def _coded(self) -> Callable[[str, str, str | None], str]:
        return lru_cache(maxsize=_MOST_KEPT)(self._coded_anew)

    def _coded_anew(self, text: str, speaker: str, addressee: str | None) -> str:
        return Coder(self.named, speaker, addressee).code(text)

    def _worded(self, world: World, fact: KnownFact, knower: str) -> Iterator[Worded]:
        for coded, text in self.coded(world, fact, knower):
            if (worded := self._sentence(coded, text)) is not None:
                yield worded

    @cached_property
    def _sentence(self) -> Callable[[str, str], Worded | None]:
        """A sentence for a fact; the same one of all who hold it so. None: it says nothing."""
        return lru_cache(maxsize=_MOST_KEPT)(self._sentence_of)

    def _sentence_of(self, coded: str, text: str) -> Worded | None:
        features, denied = self.sides(coded)
        weight = self.total(features | denied)
        if not weight:
            return None
        return Worded(
            features,
            denied,
            weight,
            self.persons(coded),
            self.is_denial(coded),
            self._is_unreal(text),
        )

    def persons(self, coded: str) -> frozenset[str]:
        """The persons named in code, as ids."""
        ids = {self.named.id_of.get(code, "") for code in _NAME.findall(coded)}
        return frozenset(ids & self.named.persons)

    def is_denial(self, coded: str) -> bool:
        if self._language == "zh":
            return all(chinese.NEGATORS.search(clause) for clause in coded.split("|"))
        return not _STRONG.isdisjoint(coded.split(" "))

    def sides(self, coded: str) -> tuple[frozenset[str], frozenset[str]]:
        """The content of the clauses that assert, and of those that deny."""
        sides: tuple[set[str], set[str]] = (set(), set())
        for clause in _CLAUSE.split(coded):
            sides[self.denies(clause)].update(self.features(clause))
        return frozenset(sides[0]), frozenset(sides[1])

    def denies(self, coded: str) -> bool:
        if self._language == "zh":
            return chinese.NEGATORS.search(coded) is not None
        return any(word in english.NEGATORS for word in coded.split(" "))

    def _is_unreal(self, text: str) -> bool:
        cues = (chinese.UNREAL,) if self._language == "zh" else (cues_en.CONDITION, cues_en.MODAL)
        return any(cue.search(text) for cue in cues)


def _chinese_features(coded: str) -> Iterator[str]:
    for run in _HAN_RUN.findall(chinese.characters_evened(coded)):
        for character in run:
            if chinese.is_content(character):
                yield character
        for first, second in pairwise(run):
            if chinese.is_content(first) or chinese.is_content(second):
                yield first + second
