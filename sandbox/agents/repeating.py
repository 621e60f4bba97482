"""Whether somebody says again what it has said: language models do, the longer a story the more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from sandbox.story.events import LineSpoken, Whispered
from sandbox.story.percepts import Percept
from sandbox.story.text import CJK, ngrams, tokens
from sandbox.story.view import CharacterView

_REPEATED_FROM: Final = 0.5
"""Share of a sentence's 4-grams that its speaker has said before. One or two words changed in a line of
ten to fifteen leave 0.53 to 0.8, another sentence on the same matter 0 to 0.1 (the tables of
`test_repeating.py`)."""
_SHORT: Final = {"words": 6, "characters": 9}
"""Formulas are shorter ("Yes." "I don't know." "好。" "我什么也不知道。"): people do say them again."""
_WIDE = re.compile(rf"[{CJK}]")
_MOST_LINES = 12
_MOST_LOOKED_AT = 300
"""Percepts back: a line of longer ago may be said again."""


def repeated(sentence: str, own_lines: Sequence[str]) -> bool:
    """Whether most of a sentence stands in lines its speaker has said. Short formulas never count.

    By runs of four words (Chinese: characters); it does not matter in which line each run stands.
    """
    said = tokens(sentence)
    wide = sum(1 for token in said if _WIDE.match(token))
    if len(said) < (_SHORT["characters"] if wide * 2 > len(said) else _SHORT["words"]):
        return False
    own = ngrams(sentence)
    return len(own & _runs_of(tuple(own_lines))) >= _REPEATED_FROM * len(own)


@lru_cache(maxsize=32)
def _runs_of(lines: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """The runs of all lines; a move is compared with the same ones sentence by sentence."""
    return frozenset[tuple[str, ...]]().union(*map(ngrams, lines))


def own_lines(view: CharacterView, most: int = _MOST_LINES) -> tuple[str, ...]:
    """What the character said last, the latest first."""
    found = list[str]()
    for percept in islice(reversed(view.percepts), _MOST_LOOKED_AT):
        if isinstance(percept.happened.event, LineSpoken | Whispered):
            line = line_of(percept)
            if line and line not in found:
                found.append(line)
        if len(found) == most:
            break
    return tuple(found)


def line_of(percept: Percept) -> str:
    """What its witness itself said there; empty: it said nothing."""
    event = percept.happened.event
    if isinstance(event, LineSpoken | Whispered) and event.actor == percept.witness:
        return event.words
    return ""
