"""Text in two languages: words, n-grams, sentences, widths."""

import re
import unicodedata
from collections.abc import Iterator

CJK = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)*")
_SENTENCE_END = re.compile(r"(?<=[。！？])(?![。！？”’」』])|(?<=[.!?…])\s+|(?<=[.!?…][\"”’)])\s+")


def tokens(text: str) -> list[str]:
    """Words of a text in lower case; each Chinese character is one."""
    return [token.lower() for token in _TOKEN.findall(unicodedata.normalize("NFKC", text))]


def ngrams(text: str, n: int = 4) -> frozenset[tuple[str, ...]]:
    """The word (for Chinese: character) n-grams of a text; the whole of it where it is shorter."""
    words = tokens(text)
    if len(words) < n:
        return frozenset([tuple(words)]) if words else frozenset()
    return frozenset(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def overlap(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    """Share of the smaller set that the other holds too, in [0, 1]."""
    smaller = min(len(a), len(b))
    return len(a & b) / smaller if smaller else 0.0


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, with their closing marks."""
    for part in _SENTENCE_END.split(text):
        if stripped := part.strip():
            yield stripped


def clean(text: str, limit: int = 4000) -> str:
    """Text from outside on one line: no control characters (they could drive a terminal), bounded."""
    shown = "".join(
        " " if char.isspace() else char
        for char in text[: limit * 2]
        if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co")
    )
    return " ".join(shown.split())[:limit]
