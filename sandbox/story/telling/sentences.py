"""Sentences and their clauses, each exactly as it stands in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandbox.story.text import sentences

_ABBREVIATED = re.compile(
    r"(?:^|[\s(\"“])(?:[A-HJ-Z]|Mr|Mrs|Ms|Dr|St|Rev|Prof|Capt|Col|Sgt|Messrs)\.$"
)
"""Ends with a point that ends no sentence: a title or an initial, but for the word `I`."""
_CLAUSE = re.compile(r"\s*(?:[,;:，；：、—…]+|--+|\s-\s|[.!。！]+$)\s*")
_TURN = re.compile(r"[;；:：—]|--|\bbut\b|\byet\b|但(?!愿)是?|可是|不过|然而", re.IGNORECASE)
_QUOTES = re.compile(r"[\"“”「」『』《》()（）]")


def spoken_sentences(words: str) -> Iterator[str]:
    """The sentences of what is said, whole: each is a part of `words` as it stands there."""
    start = 0
    for part in sentences(words):
        end = words.index(part, start) + len(part)
        if not _ABBREVIATED.search(words[start:end]) or end == len(words):
            yield words[start:end].strip()
            start = end
    if rest := words[start:].strip():
        yield rest


def segments(sentence: str) -> Iterator[str]:
    """The parts of a sentence that a `but` or a stronger stop sets apart."""
    for part in _TURN.split(_QUOTES.sub(" ", sentence)):
        if part and part.strip():
            yield part.strip()


def clauses(segment: str) -> list[str]:
    """What commas part."""
    return [part.strip() for part in _CLAUSE.split(segment) if part.strip()]
