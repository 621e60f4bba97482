"""What an endpoint made for measuring reads off a request: which step asks, which facts and ways stand in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

_FACT: Final = re.compile(r"^- f\d+(?:: |：)[\"“]?(.+?)[\"”]?(?: \(|（)", re.MULTILINE)
_WAYS: Final = re.compile(r"^(?:Ways out: |出路：)(.+)$", re.MULTILINE)
_LINE: Final = re.compile(r"^- (.+)$", re.MULTILINE)
_BETWEEN: Final = re.compile("; |；")
_NO_WAY: Final = re.compile("[(（…]")
"""Stands behind a locked way, and where more ways follow."""


class Step(StrEnum):
    """What a request asks for."""

    MOVE = "move"
    PROBE = "probe"
    EPISODE = "episode"


_FORMS: Final = ((Step.PROBE, '"enough"'), (Step.EPISODE, '"summary"'))
"""A field of the form in which a step's reply is asked for; a move's stands before all requests."""


def step_of(messages: Sequence[str]) -> Step:
    """The step that asks."""
    asked = messages[1]
    return next((step for step, field in _FORMS if field in asked), Step.MOVE)


def facts_in(messages: Sequence[str]) -> list[str]:
    """The statements of the numbered facts, in order."""
    return _FACT.findall(messages[1])


def listed_in(messages: Sequence[str]) -> list[str]:
    """The lines of all lists, in order."""
    return _LINE.findall(messages[1])


def open_ways(messages: Sequence[str]) -> list[str]:
    """What the ways out that stand open are called."""
    ways = _WAYS.search(messages[1])
    return [way for way in _BETWEEN.split(ways[1]) if not _NO_WAY.search(way)] if ways else []
