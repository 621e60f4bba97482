"""Reading a model's reply to a move: tolerant of form, strict about what it may do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from pydantic_core import from_json

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.phrases import LOOK
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.items import Language
from sandbox.story.text import clean, sentences
from sandbox.story.view import CharacterView

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_STRAY_TAG = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN_TAG = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_MOST_CHARS = 64 * 1024
_LINE_CHARS = 1200
_MOOD_CHARS = 40
_NUMBER_DIGITS = 6
_MOST_STARTS = 20
"""Opening braces tried before a reply counts as having no object: prose may hold some."""
_YES = frozenset({"true", "yes", "1", "是"})


class Problem(StrEnum):
    """Why a reply is no move."""

    EMPTY = "it is empty"
    NO_OBJECT = "there is no JSON object in it"
    BROKEN = "its JSON is broken or cut off"
    NOTHING = "nothing is said, done or thought in it"
    NOBODY = "it whispers to nobody who is here"


_IN_CHINESE: Final[dict[Problem, str]] = {
    Problem.EMPTY: "里面什么都没有",
    Problem.NO_OBJECT: "里面没有 JSON 对象",
    Problem.BROKEN: "里面的 JSON 不完整或写错了",
    Problem.NOTHING: "里面既没有话，也没有动作和想法",
    Problem.NOBODY: "要耳语的人不在这里",
}


class Unreadable(ValueError):
    """A reply is no move; says why, for people and for the model."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.value)

    def told(self, language: Language) -> str:
        """The problem in the world's language."""
        return _IN_CHINESE[self.problem] if language == "zh" else self.problem.value


def object_of(text: str) -> dict[str, Any]:
    """The JSON object in a reply.

    Raises:
        Unreadable: there is none.
    """
    text = _without_thinking(text[:_MOST_CHARS])
    for start in _starts(text):
        try:
            found, _ = json.JSONDecoder(strict=False).raw_decode(text[start:])
        except (ValueError, RecursionError):  # a number of 5,000 digits is a plain `ValueError`
            continue
        if isinstance(found, dict) and (not found or not _KEYS.isdisjoint(found)):
            return found
    if "{" in text:
        raise Unreadable(Problem.BROKEN)
    raise Unreadable(Problem.NO_OBJECT if text.strip() else Problem.EMPTY)


_ASIDE = re.compile(r"\([^()]*\)?|（[^（）]*）?|\[[^\[\]]*\]|【[^【】]*】?|\*[^*]+\*")
"""What is bracketed, an opening bracket without its fellow up to the end."""
_THOUGHT_CHARS = 8
"""A shorter thought ("Yes.") may well be said, too."""
_KEYS = frozenset({"thought", "action", "words", "to", "whisper", "examine", "go", "mood"})


def _without_thinking(text: str) -> str:
    return _STRAY_TAG.sub("", _THINKING.sub("", text))


def _starts(text: str) -> Iterator[int]:
    """Where an object may begin."""
    return islice((match.start() for match in re.finditer(r"\{", text)), _MOST_STARTS)


def move_of(text: str, view: CharacterView, numbered: tuple[FactId, ...]) -> Move:
    """The move a reply describes. Names that the character does not see here are passed over.

    Raises:
        Unreadable: there is no JSON object, or nothing happens in it.
    """
    found = object_of(text)
    to = [view.person_called(name) for name in _texts(found.get("to"))]
    thing = view.thing_called(_text(found, "examine"))
    action, first = _text(found, "action"), ""
    if thing is not None and not action:
        third, own = view.examining(thing)
        if third is None:
            called = next(seen.called for seen in view.things if seen.id == thing)
            third, own = (phrase.format(x=called) for phrase in LOOK[view.language])
        action, first = third, own or ""
    words, kept = spoken_only(_text(found, "words"))
    action, more = spoken_only(action)
    thought = _text(found, "thought")
    words, whisper = _without(words, thought), _is_true(found.get("whisper"))
    targets = tuple(dict.fromkeys(who for who in to if who is not None))
    if words and whisper and not targets:
        targets = _only_listener(view)
    mood = _text(found, "mood")[:_MOOD_CHARS]
    move = Move(
        thought=" ".join(part for part in (thought, kept, more) if part),
        mood="" if mood == view.mood else mood,
        action=action.rstrip("."),
        action_first=first.rstrip("."),
        examines=thing if action else None,
        words=words,
        to=targets,
        whisper=whisper,
        tells=view.told_in(words, targets),
        go=view.exit_called(_text(found, "go")),
        relied_on=_facts(_texts(found.get("relied_on")), numbered),
    )
    if not (move.action or move.words or move.go or move.thought):
        raise Unreadable(Problem.NOTHING)
    return move


def spoken_only(text: str) -> tuple[str, str]:
    """`text` without what stands in brackets or asterisks, and that by itself.

    Models put private thoughts there; whatever it is, it is not said aloud.
    """
    asides = [part.strip("()（）[]【】* ") for part in _ASIDE.findall(text)]
    return " ".join(_ASIDE.sub(" ", text).split()), " ".join(part for part in asides if part)


def _without(words: str, thought: str) -> str:
    """`words` without the thought, where a model says it as well."""
    if len(thought) < _THOUGHT_CHARS:
        return words
    return " ".join(words.replace(thought, " ").split())


def _only_listener(view: CharacterView) -> tuple[CharacterId, ...]:
    """Whom a whisper is for that names nobody here. It is never said aloud instead.

    Raises:
        Unreadable: nobody is here, or more than one.
    """
    here = [person.id for person in view.people if view.is_attending(person.id)]
    if len(here) != 1:
        raise Unreadable(Problem.NOBODY)
    return tuple(here)


def _is_true(value: Any) -> bool:
    """A yes in any form: what is meant for one pair of ears is not to be shouted."""
    return value is True or value == 1 or (isinstance(value, str) and value.casefold() in _YES)


def _text(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    return clean(value, _LINE_CHARS) if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def _facts(names: list[str], numbered: tuple[FactId, ...]) -> tuple[FactId, ...]:
    """`f2` as the second fact shown; whatever was not shown is passed over."""
    digits = [n[1:] for n in names if n[:1] == "f" and n[1:].isdecimal()]
    numbers = [int(n) for n in digits if len(n) <= _NUMBER_DIGITS]
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
        partial, is_whole = _partial(_without_thinking(self.text))
        if not isinstance(partial.get("words"), str):
            return []
        spoken, _ = spoken_only(clean(partial["words"], _LINE_CHARS))
        found = list(sentences(spoken))
        is_done = is_whole or len(partial) > list(partial).index("words") + 1
        whole = found if is_done else found[:-1]
        new, self._shown = whole[self._shown :], max(self._shown, len(whole))
        return new

    def begin_anew(self) -> None:
        """Forget the reply so far: it is sent again from its beginning."""
        self.text, self._shown = "", 0


def _partial(text: str) -> tuple[dict[str, Any], bool]:
    """What is here of a reply's object, and whether that is all of it; nothing while it thinks."""
    if _OPEN_TAG.search(text):
        return {}, False
    for start in _starts(text):
        try:
            found = from_json(text[start:], allow_partial="trailing-strings")
        except ValueError:
            continue
        if isinstance(found, dict):
            return found, _is_closed(text[start:])
    return {}, False


def _is_closed(text: str) -> bool:
    try:
        from_json(text)
    except ValueError:
        return False
    return True
