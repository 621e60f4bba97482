"""Names as they are written elsewhere, where a sentence writes them apart, in capitals or small.

`O-s-r-i-c`, `LUCAN VANE` and 孟 樵 name whom they name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from sandbox.story.telling.folding import folded
from sandbox.story.telling.reading import Reading
from sandbox.story.text import CJK

_HAN: Final = re.compile(rf"[{CJK}]")
_LATIN: Final = "A-Za-z\u00c0-\u024f"
_MARK: Final = r"[-_.*~·•|/]"
_SUSPECT: Final = re.compile(
    rf"[{_LATIN}]{_MARK}[{_LATIN}]|\b[{_LATIN}]\s[{_LATIN}]\s[{_LATIN}]\b|[A-Z]{{3}}"
    rf"|[{CJK}](?:\s|{_MARK})+[{CJK}]"
)
"""Without this, and with a capital somewhere, every name stands as it is usually written."""
_LEAST: Final = 3
"""Letters of a name that may be written apart: a shorter one is in many a word."""
_NOUN: Final = re.compile(
    r"\b(?:an?|the|this|that|these|those|every|no|weather)[ -]$", re.IGNORECASE
)
"""What stands before a noun that is written as somebody's name: `the vane`."""


def plain_of(sentence: str, reading: Reading) -> str:
    """A sentence as it reads, with each name of somebody as it is usually written."""
    plain = folded(sentence)
    names = _names(reading)
    is_small = plain == plain.lower()
    if not _SUSPECT.search(plain) and (not is_small or _HAN.search(plain)):
        return plain

    def named(match: re.Match[str]) -> str:
        written = match[0]
        name = names[_letters(written)]
        is_spelled = len(written) == len(name) and not _is_apart(written, name)
        if is_spelled and written == written.lower() != name:
            is_noun = _NOUN.search(match.string[: match.start()]) is not None
            return name if " " in name or (is_small and not is_noun) else written
        return name

    return _pattern(reading).sub(named, plain)


def _is_apart(written: str, name: str) -> bool:
    return written.casefold() != name.casefold()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _names(reading: Reading) -> Mapping[str, str]:
    """The proper names of a canon by their letters."""
    kept: dict[str, str] | None = reading.shared.get("proper names")
    if kept is None:
        kept = {}
        for name in _proper(reading):
            kept.setdefault(_letters(name), name)
        reading.shared["proper names"] = kept
    return kept


def _proper(reading: Reading) -> Iterator[str]:
    """Names with a capital in each word, and Chinese ones of somebody, with words of theirs that are a name too."""
    for id_, names in sorted(reading.named.names.items()):
        for name in names:
            plain = folded(name)
            is_long = len(_letters(plain)) >= (2 if _HAN.search(plain) else _LEAST)
            is_proper = id_ in reading.named.persons if _HAN.search(plain) else plain.istitle()
            if is_long and is_proper:
                yield plain
                yield from (word for word in plain.split(" ") if len(word) > _LEAST)


def _pattern(reading: Reading) -> re.Pattern[str]:
    kept: re.Pattern[str] | None = reading.shared.get("proper pattern")
    if kept is None:
        names = sorted(_names(reading).values(), key=lambda name: (-len(name), name))
        ways = "|".join(way for name in names for way in _ways(name))
        kept = reading.shared["proper pattern"] = re.compile(ways or r"(?!)", re.IGNORECASE)
    return kept


def _ways(name: str) -> Iterator[str]:
    """A name written together, with marks between some of its letters, or with a space between all of them."""
    if _HAN.search(name):
        yield rf"(?:\s|{_MARK}){{1,3}}".join(map(re.escape, name))
        return
    words = name.split(" ")
    edge = rf"(?<![{_LATIN}])", rf"(?![{_LATIN}])"
    marked = rf"[ _]*{_MARK}?[ _]*".join(rf"{_MARK}?".join(map(re.escape, w)) for w in words)
    spaced = rf"(?:\s|{_MARK}){{1,3}}".join(map(re.escape, "".join(words)))
    yield rf"{edge[0]}(?:{marked}|{spaced}){edge[1]}"
