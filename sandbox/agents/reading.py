"""Reading a model's reply to a move: tolerant of form, strict about what it may do."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from sandbox.agents.minds import Move
from sandbox.story.ids import FactId
from sandbox.story.text import clean, sentences
from sandbox.story.view import CharacterView

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_STRAY_TAG = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_MOST_CHARS = 64 * 1024
_LINE_CHARS = 1200
_MOOD_CHARS = 40


class Unreadable(ValueError):
    """A reply is no move; the text says why, for the model."""


def object_of(text: str) -> dict[str, Any]:
    """The JSON object in a reply.

    Raises:
        Unreadable: there is none.
    """
    text = _STRAY_TAG.sub("", _THINKING.sub("", text[:_MOST_CHARS]))
    start = text.find("{")
    if start < 0:
        raise Unreadable("there is no JSON object in it" if text.strip() else "it is empty")
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(text[start:])
    except (json.JSONDecodeError, RecursionError) as error:
        raise Unreadable(f"its JSON is broken ({type(error).__name__})") from None
    if not isinstance(found, dict):
        raise Unreadable("it is no JSON object")
    return found


def move_of(text: str, view: CharacterView, numbered: tuple[FactId, ...]) -> Move:
    """The move a reply describes. Names that the character does not see here are passed over.

    Raises:
        Unreadable: there is no JSON object, or nothing happens in it.
    """
    found = object_of(text)
    to = [view.person_called(name) for name in _texts(found.get("to"))]
    thing = view.thing_called(_text(found, "examine"))
    action = _text(found, "action")
    if thing is not None and not action:
        action = view.examining(thing)[0] or ""
    mood = _text(found, "mood")[:_MOOD_CHARS]
    move = Move(
        thought=_text(found, "thought"),
        mood="" if mood == view.mood else mood,
        action=action.rstrip("."),
        examines=thing if action else None,
        words=_text(found, "words"),
        to=tuple(dict.fromkeys(who for who in to if who is not None)),
        whisper=found.get("whisper") is True,
        go=view.exit_called(_text(found, "go")),
        relied_on=_facts(_texts(found.get("relied_on")), numbered),
    )
    if not (move.action or move.words or move.go or move.thought):
        raise Unreadable("nothing is said, done or thought in it")
    return move


def _text(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    return clean(value, _LINE_CHARS) if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def _facts(names: list[str], numbered: tuple[FactId, ...]) -> tuple[FactId, ...]:
    """`f2` as the second fact shown; whatever was not shown is passed over."""
    numbers = [int(n[1:]) for n in names if n[:1] == "f" and n[1:].isdecimal()]
    return tuple(dict.fromkeys(numbered[n - 1] for n in numbers if 1 <= n <= len(numbered)))


@dataclass
class DraftReader:
    """Finds whole sentences of the spoken words while a reply is still arriving."""

    text: str = ""
    _shown: int = 0

    def feed(self, more: str) -> list[str]:
        """The sentences that became whole with `more`."""
        self.text += more
        if len(self.text) > _MOST_CHARS:
            return []
        start = _STRAY_TAG.sub("", self.text).find("{")
        body = _STRAY_TAG.sub("", self.text)[start:]
        try:
            partial = from_json(body, allow_partial="trailing-strings") if start >= 0 else None
        except ValueError:
            return []
        if not isinstance(partial, dict) or not isinstance(partial.get("words"), str):
            return []
        found = list(sentences(clean(partial["words"], _LINE_CHARS)))
        is_done = len(partial) > list(partial).index("words") + 1
        whole = found if is_done else found[:-1]
        new, self._shown = whole[self._shown :], max(self._shown, len(whole))
        return new
