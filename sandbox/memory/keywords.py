"""How far a text shares the words of a query, in English and Chinese alike. Pure."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts written without spaces, where n-grams stand in for words."""

_RUNS = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>[^\W_{_CJK}]+)")

_CHARACTER_WEIGHT = 0.25
"""Of one Chinese character beside a pair's 1: most words are pairs, and 的 is in everything."""

_PIECE = 4
"""Characters in a piece of a Latin word, its two ends marked: `keys` still meets `key`."""

_PIECES_WEIGHT = 0.5
"""Of all pieces of a word together, beside the whole word's 1: inflected forms count for less."""


@lru_cache(maxsize=8192)
def grams_of(text: str) -> Mapping[str, float]:
    """What `text` is compared by, with weights: words and their pieces, characters and pairs."""
    grams: dict[str, float] = {}
    for run in _RUNS.finditer(unicodedata.normalize("NFKC", text).casefold()):
        weights = _cjk_grams(run[0]) if run.lastgroup == "cjk" else _word_grams(run[0])
        for gram, weight in weights:
            # The most one occurrence weighs, not the sum: repeating a word makes it no clearer.
            grams[gram] = max(grams.get(gram, 0.0), weight)
    return MappingProxyType(grams)


def _cjk_grams(run: str) -> list[tuple[str, float]]:
    characters = [(character, _CHARACTER_WEIGHT) for character in run]
    return characters + [(run[i : i + 2], 1.0) for i in range(len(run) - 1)]


def _word_grams(word: str) -> list[tuple[str, float]]:
    ended = f"^{word}$"
    pieces = [ended[i : i + _PIECE] for i in range(max(1, len(ended) - _PIECE + 1))]
    weight = _PIECES_WEIGHT / len(pieces)
    # `=` keeps the whole word `cell` apart from the piece of `cellar`.
    return [(f"={word}", 1.0)] + [(piece, weight) for piece in pieces]


def keyword_score(query: str, text: str) -> float:
    """The share of the query's words that `text` holds, in [0, 1]; 0 for a query without words."""
    return _share(grams_of(query), grams_of(text))


def keyword_scores(query: str, texts: Sequence[str]) -> list[float]:
    """`keyword_score` of each text, where words that most of `texts` hold count for less."""
    held = [grams_of(text) for text in texts]
    spread = Counter(gram for grams in held for gram in grams)
    # Never 0, so that a word held by all still counts a little; one text alone weighs nothing.
    rarity = {gram: math.log1p(len(texts) / (1 + spread[gram])) for gram in grams_of(query)}
    weights = {gram: weight * rarity[gram] for gram, weight in grams_of(query).items()}
    return [_share(weights, grams) for grams in held]


def _share(wanted: Mapping[str, float], held: Mapping[str, float]) -> float:
    total = math.fsum(wanted.values())
    shared = math.fsum(weight for gram, weight in wanted.items() if gram in held)
    return shared / total if total else 0.0
