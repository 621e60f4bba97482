"""The words of the reply's form, which a small model gives back where its own should stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

from sandbox.agents.fusing.files import template
from sandbox.story.items import Language

_STEPS: Final = ("persona", "persona_brief", "episode", "answer", "probe")
"""Prompt files that hold a form: one line, an object as the reply should be."""
_EDGES: Final = " \t\n.。!！\"'“”‘’<>()（）[]…"
_OR_EMPTY: Final = re.compile(r"\s*[;；].*$", re.DOTALL)
_OF_NUMBERS: Final = frozenset({"relied_on"})
_NUMBER: Final = re.compile(r"(?:f ?\d{1,6}[\s,;.，、；。]*)+", re.IGNORECASE | re.ASCII)
"""The number of a fact, or several."""


def own(found: Mapping[str, Any]) -> dict[str, Any]:
    """What a reply says itself.

    Empty is what only repeats the form's words for its field, and a fact's number where words belong.
    """
    return {field: _own(value, field) for field, value in found.items()}


def _own(value: Any, field: str) -> Any:
    if isinstance(value, dict):
        return own(value)
    if isinstance(value, list):
        return [item for item in value if not _says_nothing(item, field)]
    return "" if _says_nothing(value, field) else value


def _says_nothing(value: Any, field: str) -> bool:
    if not isinstance(value, str):
        return False
    is_number = field not in _OF_NUMBERS and _NUMBER.fullmatch(value.strip(_EDGES)) is not None
    return is_number or _plain(value) in _hints().get(field, ())


@cache
def _hints() -> Mapping[str, frozenset[str]]:
    """By field, the texts of all forms, whole and without their `or empty`."""
    found: dict[str, set[str]] = {}
    for language in get_args(Language):
        for step in _STEPS:
            lines = template(language, step).template.splitlines()
            form = json.loads(next(line for line in lines if line.startswith("{")))
            for field, text in _texts(form):
                found.setdefault(field, set()).update(map(_plain, (text, _OR_EMPTY.sub("", text))))
    return {
        field: frozenset(text for text in texts if not _NUMBER.fullmatch(text))
        for field, texts in found.items()
    }


def _texts(form: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field, value in form.items():
        if isinstance(value, dict):
            yield from _texts(value)
        else:
            texts = value if isinstance(value, list) else [value]
            yield from ((field, text) for text in texts if isinstance(text, str))


def _plain(text: str) -> str:
    return text.strip(_EDGES).casefold()
