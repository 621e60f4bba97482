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
                    kin.setdefault(english.stem(word), set()).add(f"~{number}")
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
                    found.setdefault(stems[0], []).append((pattern, f"~{number}"))
        return {first: tuple(ways) for first, ways in found.items()}

    def of(self, coded: str) -> frozenset[str]:
        found: set[str] = set()
        words = coded.replace("-", " ").split(" ")
        for word in words:
            stem = english.stem(word)
            for pattern, concept in self._phrases.get(stem, ()):
                if pattern.search(coded):
                    found.add(concept)
            if english.is_content(stem) and not _CODE.match(stem):
                found |= self._kin.get(stem) or {english.kindred(stem)}
        return frozenset(found)


@dataclass(frozen=True)
class Chinese:
    """Features of Chinese code."""

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = sorted(self._kin, key=lambda word: (-len(word), word))
        return re.compile("|".join(map(re.escape, words)))

    @cached_property
    def _kin(self) -> Mapping[str, frozenset[str]]:
        kin: dict[str, set[str]] = {}
        for number, group in enumerate(_groups("zh")):
            for word in group:
                kin.setdefault(word, set()).add(f"~{number}")
        return {word: frozenset(found) for word, found in kin.items()}

    def of(self, coded: str) -> frozenset[str]:
        found: set[str] = set()
        for match in self._pattern.finditer(coded):
            found |= self._kin[match[0]]
        rest = self._pattern.sub(" ", coded)
        return frozenset(found).union(_pairs(rest))


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
def features_of(coded: str, language: Language) -> frozenset[str]:
    """The features of a text in code, names left out."""
    return _FEATURES[language].of(coded)
