"""Prompt files: paragraphs with slots. What has nothing to say is left out, its heading with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

from sandbox.story.items import Language
from sandbox.story.tokens import estimated_tokens

_FIXED_SHARE = 0.4
"""Of the prompt, beyond which the fixed words are given in their brief form."""
_ALWAYS: Final = {"name", "clock"}
"""Slots that are never empty."""
_SLOT: Final = re.compile(r"\$\{[a-z_]+\}")


@cache
def template(language: Language, step: str) -> Template:
    """The prompt file of a step."""
    path = files("sandbox.agents") / "prompts" / language / f"{step}.md"
    return Template(path.read_text(encoding="utf-8").strip())


@dataclass(frozen=True)
class _Line:
    """A line of a prompt file."""

    words: Template
    slots: tuple[str, ...]
    """The slots in it."""


@cache
def _paragraphs(language: Language, step: str) -> tuple[tuple[_Line, ...], ...]:
    """The lines of each paragraph of a prompt file."""
    whole = template(language, step).template
    return tuple(tuple(map(_line, paragraph.split("\n"))) for paragraph in whole.split("\n\n"))


def _line(text: str) -> _Line:
    words = Template(text)
    return _Line(words, tuple(words.get_identifiers()))


def written(language: Language, step: str, slots: Mapping[str, str]) -> str:
    """The prompt file with its slots filled.

    A line whose slots are all empty is left out, and so is a paragraph that has slots and no line
    left that fills one.
    """
    shown = []
    for paragraph in _paragraphs(language, step):
        lines = [line for line in paragraph if _stands(line, slots)]
        has_slots = any(line.slots for line in paragraph)
        if not has_slots or any(line.slots for line in lines):
            shown.append("\n".join(line.words.substitute(slots) for line in lines))
    return "\n\n".join(shown)


def _stands(line: _Line, slots: Mapping[str, str]) -> bool:
    return not line.slots or any(slots[name] for name in line.slots)


@cache
def fixed_tokens(language: Language, manner: str) -> int:
    """Tokens of the words that stand in every request; `manner` ends the names of its files."""
    return sum(
        _tokens(paragraph)
        for step in (f"persona{manner}", f"move{manner}")
        for paragraph in _paragraphs(language, step)
        if _slots(paragraph) <= _ALWAYS
    )


@cache
def heading_tokens(language: Language, manner: str) -> Mapping[str, int]:
    """For each slot, the tokens of the words that stand only where it is filled."""
    found = dict[str, int]()
    for step in (f"persona{manner}", f"move{manner}"):
        for paragraph in _paragraphs(language, step):
            if not _slots(paragraph) <= _ALWAYS:
                found |= _headings(paragraph)
    return found


def _headings(paragraph: tuple[_Line, ...]) -> dict[str, int]:
    heads = _tokens(tuple(line for line in paragraph if not line.slots))
    return {
        slot: heads + estimated_tokens(_SLOT.sub("", line.words.template))
        for line in paragraph
        for slot in line.slots
    }


def _slots(paragraph: tuple[_Line, ...]) -> set[str]:
    return {slot for line in paragraph for slot in line.slots}


def _tokens(lines: tuple[_Line, ...]) -> int:
    return estimated_tokens(
        "\n".join(_SLOT.sub("", line.words.template) for line in lines) + "\n\n"
    )


def manner_of(language: Language, room: int) -> str:
    """The ending of the names of the files for a prompt of `room` tokens: none, or `_brief`."""
    return "" if fixed_tokens(language, "") <= room * _FIXED_SHARE else "_brief"
