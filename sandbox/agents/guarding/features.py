"""What texts are compared by: stems, in Chinese characters and their pairs, one for all of one meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from sandbox.story.items import Language
from sandbox.story.telling import chinese, english
from sandbox.story.telling.names import CODE

Meanings = frozenset[str]
"""What one word may mean: itself, and the groups of words of nearly one meaning that it is in."""
KINDRED: Final = "~"
"""Begins an English group. Of a Chinese word there is nothing but its group: its characters are many words'."""
_CODE: Final = re.compile(CODE)
_HAN_RUN: Final = re.compile(rf"[{chinese.HAN}]+")


@cache
def _groups(language: Language) -> tuple[tuple[str, ...], ...]:
    """The lists of words of nearly one meaning."""
    path = files("sandbox.agents.guarding") / f"kindred_{language}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line and not line.startswith("#"))


@dataclass(frozen=True)
class English:
    """Features of English code."""

    @cached_property
    def _kin(self) -> Mapping[str, frozenset[str]]:
        """For each stem the groups it is in; a word may mean several things."""
        kin: dict[str, set[str]] = {}
        for number, group in enumerate(_groups("en")):
            for word in group:
                if "_" not in word:
                    kin.setdefault(english.stem(word), set()).add(f"{KINDRED}{number}")
        return {word: frozenset(found) for word, found in kin.items()}

    @cached_property
    def _phrases(self) -> Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]:
        """Phrases by their first stem: the pattern, and the group it stands for."""
        found: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        for number, group in enumerate(_groups("en")):
            for phrase in group:
                if "_" in phrase:
                    stems = [english.stem(w) for w in phrase.split("_")]
                    gap = r"(?: [^ |&]+){0,2} "
                    pattern = re.compile(r"(?<!\S)" + gap.join(map(re.escape, stems)) + r"(?!\S)")
                    found.setdefault(stems[0], []).append((pattern, f"{KINDRED}{number}"))
        return {first: tuple(ways) for first, ways in found.items()}

    def of(self, coded: str) -> Iterator[Meanings]:
        for word in coded.replace("-", " ").split(" "):
            stem = english.stem(word)
            for pattern, concept in self._phrases.get(stem, ()):
                if pattern.search(coded):
                    yield frozenset((concept,))
            if english.is_content(stem) and not _CODE.match(stem):
                own = english.kindred(stem)
                yield self._kin.get(stem, frozenset()) | {own}


@dataclass(frozen=True)
class Chinese:
    """Features of Chinese code."""

    @cached_property
    def _beginning(self) -> Mapping[str, tuple[str, ...]]:
        """The words by their first character, the longest first: one pattern of all is slow."""
        found: dict[str, list[str]] = {}
        for word in sorted(self._kin, key=lambda word: (-len(word), word)):
            found.setdefault(word[0], []).append(word)
        return {first: tuple(words) for first, words in found.items()}

    @cached_property
    def _kin(self) -> Mapping[str, frozenset[str]]:
        kin: dict[str, set[str]] = {}
        for number, group in enumerate(_groups("zh")):
            for word in group:
                kin.setdefault(word, set()).add(f"={number}")
        return {word: frozenset(found) for word, found in kin.items()}

    def of(self, coded: str) -> Iterator[Meanings]:
        rest, at = list[str](), 0
        while at < len(coded):
            words = self._beginning.get(coded[at], ())
            word = next((word for word in words if coded.startswith(word, at)), None)
            if word is not None:
                yield self._kin[word]
            rest.append(" " if word else coded[at])
            at += len(word) if word else 1
        for pair in _pairs("".join(rest)):
            yield frozenset((pair,))


def _pairs(coded: str) -> Iterator[str]:
    for run in _HAN_RUN.findall(chinese.characters_evened(coded)):
        if len(run) == 1 and chinese.is_content(run):
            yield run
        for first, second in pairwise(run):
            if chinese.is_content(first) and chinese.is_content(second):
                yield first + second
        for character in run:
            if chinese.is_content(character):
                yield character


_FEATURES: Final[dict[Language, English | Chinese]] = {"en": English(), "zh": Chinese()}


@lru_cache(maxsize=8192)
def meanings_of(coded: str, language: Language) -> tuple[Meanings, ...]:
    """For each word of a text in code, names left out, the features it may stand for; each set once."""
    return tuple(dict.fromkeys(_FEATURES[language].of(coded)))


@lru_cache(maxsize=8192)
def features_of(coded: str, language: Language) -> frozenset[str]:
    """The features of all words of a text in code."""
    return frozenset[str]().union(*meanings_of(coded, language))
