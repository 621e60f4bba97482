"""What a sentence is about beside the names in it: stems in English, characters and their pairs in Chinese."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from sandbox.story.ids import PredicateId
from sandbox.story.items import Language
from sandbox.story.telling import chinese, english
from sandbox.story.text import tokens

_HAN: Final = re.compile(rf"[{chinese.HAN}]+")
_TAKEN_AWAY: Final = re.compile("(?<=[拿取偷摘带抱搬抢领牵拉卷赶买弄抬提捎接夺揣顺捡拖推驮])走")
"""After a verb of taking it says only that the thing is gone."""
_CHARACTER_WEIGHT: Final = 0.4
"""Of one Chinese character beside a pair's 1."""
_LEAST_SHARE: Final = 0.25
"""Of the weight of a question's own words that a predicate's wordings must hold to be meant."""
_BESIDE_BEST: Final = 0.6
"""Share of the best predicate's weight from which another is meant too."""

Content = frozenset[str]


@lru_cache(maxsize=16_384)
def content_of(text: str, language: Language) -> Content:
    """The content of a text; names in it count as words."""
    return frozenset(_chinese(text) if language == "zh" else _english(text))


def _english(text: str) -> Iterator[str]:
    for token in tokens(text):
        for part in token.replace("’", "'").split("'"):
            stem = english.stem(part)
            if english.is_content(stem):
                yield english.kindred(stem)


def _chinese(text: str) -> Iterator[str]:
    for run in _HAN.findall(chinese.characters_evened(_TAKEN_AWAY.sub("", text))):
        yield from (character for character in run if chinese.is_content(character))
        for first, second in pairwise(run):
            if chinese.is_content(first) and chinese.is_content(second):
                yield first + second


def weight(feature: str, language: Language) -> float:
    return _CHARACTER_WEIGHT if language == "zh" and len(feature) == 1 else 1.0


@lru_cache(maxsize=8192)
def size(content: Content, language: Language) -> float:
    """How many words a text has of its own; of Chinese, characters count for less than pairs."""
    return math.fsum(weight(feature, language) for feature in content)


def share(wanted: Content, held: Content, language: Language) -> float:
    """The share of `wanted` that `held` has too, in [0, 1]; 0 where nothing is wanted."""
    total = size(wanted, language)
    return size(wanted & held, language) / total if total else 0.0


Worded = tuple[tuple[PredicateId, tuple[str, ...]], ...]


def predicates_meant(
    content: Content, wordings: Mapping[PredicateId, tuple[str, ...]], language: Language
) -> tuple[PredicateId, ...]:
    """The predicates whose wordings share what a question says beside its names, the nearest first."""
    rarity, vocabulary = _vocabulary(tuple(wordings.items()), language)
    known = [feature for feature in content if feature in rarity]
    scores = {
        id_: math.fsum(rarity[f] * held[f] for f in known if f in held)
        for id_, held in vocabulary.items()
    }
    best = max(scores.values(), default=0.0)
    if best < _LEAST_SHARE * math.fsum(rarity[f] for f in known) or not best:
        return ()
    meant = [id_ for id_, score in scores.items() if score >= _BESIDE_BEST * best]
    return tuple(sorted(meant, key=lambda id_: (-scores[id_], id_)))


@lru_cache(maxsize=16)
def _forms(
    questions: tuple[tuple[PredicateId, str], ...],
) -> Mapping[Form, tuple[PredicateId, ...]]:
    forms: dict[Form, tuple[PredicateId, ...]] = {}
    for id_, question in questions:
        if question:
            form = _form(_bare(question))
            forms[form] = (*forms.get(form, ()), id_)
    return forms


def predicates_asked_by(
    blanked: str, questions: tuple[tuple[PredicateId, str], ...]
) -> tuple[PredicateId, ...]:
    """The predicates of whose own question these are the very words.

    Args:
        blanked: a question in which each name is a `|`.
        questions: each predicate with its question; empty where it has none.
    """
    return _forms(questions).get(_form(blanked), ())


Form = tuple[str, ...]
_MARK_OR_WORD: Final = re.compile(rf"\||[{chinese.HAN}]|[^\W_{chinese.HAN}]+")
_ARTICLES: Final = frozenset({"the", "a", "an"})


def _form(text: str) -> Form:
    return tuple(word for word in _MARK_OR_WORD.findall(text.casefold()) if word not in _ARTICLES)


Vocabulary = tuple[Mapping[str, float], Mapping[PredicateId, Mapping[str, float]]]


@lru_cache(maxsize=16)
def _vocabulary(worded: Worded, language: Language) -> Vocabulary:
    """What it says that a wording has a feature, and in which share of a predicate's wordings it is.

    The fewer predicates have it, the more; a word in one wording of three is only a way of speaking.
    """
    held = {id_: _shares([_bare(text) for text in texts], language) for id_, texts in worded}
    spread = Counter(feature for shares in held.values() for feature in shares)
    rarity = {
        feature: weight(feature, language) * math.log1p(len(held) / seen)
        for feature, seen in spread.items()
    }
    return rarity, held


def _bare(wording: str) -> str:
    return wording.replace("{s}", "|").replace("{o}", "|")


def _shares(wordings: Sequence[str], language: Language) -> Mapping[str, float]:
    counts = Counter(feature for text in wordings for feature in content_of(text, language))
    return {feature: count / len(wordings) for feature, count in counts.items()}
