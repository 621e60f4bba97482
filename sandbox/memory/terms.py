"""The terms a text is found by, in English and Chinese alike. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts written without spaces, where pairs of characters stand in for words."""

_RUNS = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>[^\W_{_CJK}]+)")

ASKING = 0.3
"""What a word that asks or joins counts for, beside 1: `where` is rare where people tell each other
things, and a question is not about it. Not 0: `my` and `did` still tell one memory from another."""

_ASKING_WORDS: Final = frozenset(
    "a about am an and any anybody are as at be been being but by can could did do does for from "  # noqa: SIM905
    "had happen happened has have how i in is it its many may might much must of on or shall should so some "
    "somebody tell that the their them then there these they this those to was we were what when "
    "where which who whom whose why will with would you your".split()
)
_ASKING_PHRASES = re.compile(
    "为什么|什么时候|什么地方|什么样|什么|怎么样|怎么|怎样|为何|如何|哪里|哪儿|哪个|哪些|哪|谁|多少|几|"
    "是不是|有没有|到底|究竟|[是的了吗呢吧啊在有和与把被给这那就都也还过着]"
)


@dataclass(frozen=True)
class Part:
    """A part of a query, which a text holds if it holds any of its terms."""

    term: str
    """A stem, or one character."""
    pairs: tuple[str, ...] = ()
    """The pairs that the character stands in: with one of them a text holds it better."""


@lru_cache(maxsize=8192)
def terms_of(text: str) -> tuple[str, ...]:
    """What `text` is found by, each once: stems of words, characters and pairs of characters."""
    terms: dict[str, None] = {}
    for run, is_cjk in _runs(text):
        terms.update(dict.fromkeys([*run, *_pairs(run)] if is_cjk else [stem(run)]))
    return tuple(terms)


@lru_cache(maxsize=256)
def parts_of(query: str) -> Mapping[Part, float]:
    """The words and characters of a query, each once, with what they count, in (0, 1]."""
    parts: dict[Part, float] = {}
    for run, is_cjk in _runs(query):
        for part, counts in _characters(run) if is_cjk else [_word(run)]:
            parts[part] = max(parts.get(part, 0.0), counts)
    return MappingProxyType(parts)


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return ((run[0], run.lastgroup == "cjk") for run in _RUNS.finditer(folded))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _word(word: str) -> tuple[Part, float]:
    return Part(stem(word)), ASKING if word in _ASKING_WORDS else 1.0


def _characters(run: str) -> Iterator[tuple[Part, float]]:
    asking = {at for found in _ASKING_PHRASES.finditer(run) for at in range(*found.span())}
    pairs = _pairs(run)
    for at, character in enumerate(run):
        around = tuple(pairs[max(0, at - 1) : at + 1])
        yield Part(character, around), ASKING if at in asking else 1.0


_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without the endings of English inflection, so that `keys` meets `key`.

    It need not be a word: `hiding`, `hides` and `hide` are all `hid`. Words of other languages
    lose an ending now and then, in query and memory alike.
    """
    if len(word) <= 3:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("ches", "shes", "sses", "xes")) else word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = _DOUBLED.sub(r"\1", word[: -len(ending)])
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
