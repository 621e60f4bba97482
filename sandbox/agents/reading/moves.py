"""Reading a model's reply to a move: tolerant of form, strict about what it may do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sandbox.agents.minds import Move
from sandbox.agents.reading.replies import Problem, Unreadable, is_refusal, objects_of
from sandbox.agents.reading.spoken import (
    bounded,
    is_in,
    once_each,
    own_part,
    spoken_only,
    unquoted,
    without_thought,
)
from sandbox.agents.rehearsal.phrases import LOOK
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.view import CharacterView

Id = TypeVar("Id")
_MOOD_CHARS = 40
_NO = frozenset({"", "false", "no", "0", "none", "null", "aloud", "否", "不", "不是", "无", "没有"})
KEYS: Final = frozenset(
    {"thought", "action", "words", "to", "whisper", "examine", "go", "mood", "relied_on"}
)
_ALSO: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("thoughts", "inner thought", "想法", "心里话", "内心", "思考", "心想"), "thought"
    ),
    **dict.fromkeys(("actions", "act", "动作", "行动", "举动"), "action"),
    **dict.fromkeys(
        ("word", "speech", "dialogue", "spoken words", "说的话", "话", "台词", "对白"), "words"
    ),
    **dict.fromkeys(("target", "targets", "addressee", "对谁说", "对象", "对谁"), "to"),
    **dict.fromkeys(("whispers", "is whisper", "whispering", "耳语", "悄悄话", "低声"), "whisper"),
    **dict.fromkeys(("examines", "细看", "查看"), "examine"),
    **dict.fromkeys(("goes", "go to", "去", "去处", "去哪里"), "go"),
    **dict.fromkeys(("心情", "情绪"), "mood"),
    **dict.fromkeys(("relies on", "依据", "所凭"), "relied_on"),
}
"""Names that can mean nothing else. `text`, `content` and `response` are not among them: what stands
there may be a thought."""
_NEEDED: Final = frozenset({"words", "whisper"})
"""What decides who hears what: a reply that broke off before it is not used."""
_SPEAKER: Final = frozenset(
    {"name", "character", "speaker", "role", "姓名", "名字", "角色", "说话人"}
)
_MARKER = re.compile(
    r"^\s*(?:[(（]?(?:\d{1,2}|[a-zA-Z]|[一二三四五六七八九十甲乙丙丁戊己])[)）.、]|[①-⑳•*-])\s*"
)
"""Of a list: `b)`, `2.`, `乙）`, `①`."""
_WAY = re.compile(
    r"^(?:(?:go(?:es)?|walks?|heads?|steps?|back|over|out) )*(?:to|into|towards?|through) (?=\S)"
    r"|^(?:走|回)?(?:去|到|进|向|往)",
    re.IGNORECASE,
)
_REST = re.compile(r"\s*(?:[,，(（\[;；]|——| - ).*$", re.DOTALL)
_NAME_JOINT = re.compile(r"\s*(?:[,，、;；/&+]|\band\b|和|与|及)\s*")
_FACT = re.compile(r"(?<![\w-])f ?(\d{1,6})(?!\w)", re.IGNORECASE | re.ASCII)
_BARE_FACT = re.compile(r"\W*(?:(?:fact|事实|no\.?|#)\s*)?(\d{1,6})\W*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class _Said:
    """The texts of a move as they may be used."""

    words: str
    action: str
    thought: str

    @property
    def all(self) -> str:
        return " ".join((self.words, self.action, self.thought))


def move_of(text: str, view: CharacterView, numbered: tuple[FactId, ...]) -> Move:
    """The move a reply describes. Names that the character does not see here are passed over.

    Raises:
        Unreadable: there is no JSON object, nothing happens in it, or it is not this character's.
    """
    found = _own_of(text, view)
    said, wanted = _said(found, view), _text(found, "go")
    examines, action, first = _examining(found, view, said.action)
    whisper = _is_whisper(found.get("whisper"))
    targets = _targets(found.get("to"), view)
    if said.words and whisper and not targets:
        targets = _only_listener(view)
    mood = _text(found, "mood")[:_MOOD_CHARS]
    move = Move(
        thought=said.thought,
        mood="" if mood == view.mood else mood,
        action=action.rstrip("."),
        action_first=first.rstrip("."),
        examines=examines,
        words=said.words,
        to=targets,
        whisper=whisper,
        tells=view.told_in(said.words, targets),
        go=_named(wanted, view.exit_called, _WAY),
        relied_on=_facts(_texts(found.get("relied_on")), numbered),
    )
    _check(move, said, wanted, view)
    return move


def _check(move: Move, said: _Said, wanted: str, view: CharacterView) -> None:
    """Refuse what is no move of this character's.

    Raises:
        Unreadable: says why.
    """
    if is_refusal(said.all):
        raise Unreadable(Problem.REFUSED)
    if not (move.action or move.words or move.go or move.thought):
        raise Unreadable(Problem.NOWHERE if wanted else Problem.NOTHING)
    if not is_in(view.language, said.all):
        raise Unreadable(Problem.LANGUAGE)


def _own_of(text: str, view: CharacterView) -> dict[str, Any]:
    """The first object of a reply that is not labelled as somebody else's.

    Raises:
        Unreadable: there is none.
    """
    for found in objects_of(text, KEYS, _ALSO, _NEEDED):
        labels = [found[key] for key in found if key.casefold() in _SPEAKER]
        others = [view.person_called(name) for name in labels if isinstance(name, str)]
        if not any(others):
            return found
    raise Unreadable(Problem.ANOTHER)


def _said(found: Mapping[str, Any], view: CharacterView) -> _Said:
    names = dict(view.known_names())
    others = [name for p in view.people for name in (p.called, *names.get(p.id, ()))]
    own = (view.name, *names.get(view.me, ()))
    raw = _raw(found, "words")
    words, kept = spoken_only(bounded(own_part(raw, own, others)))
    action, more = spoken_only(_text(found, "action"))
    thought = _text(found, "thought")
    words = once_each(without_thought(unquoted(words), thought))
    return _Said(words, action, " ".join(part for part in (thought, kept, more) if part))


def _examining(found: Mapping[str, Any], view: CharacterView, action: str) -> tuple[Any, str, str]:
    """What is looked at, and the deed in the third and in the first person."""
    thing = _named(_text(found, "examine"), view.thing_called)
    if thing is None or action:
        return thing if action else None, action, ""
    third, own = view.examining(thing)
    if third is None:
        called = next(seen.called for seen in view.things if seen.id == thing)
        third, own = (phrase.format(x=called) for phrase in LOOK[view.language])
    return thing, third, own or ""


def _targets(value: Any, view: CharacterView) -> tuple[CharacterId, ...]:
    """Those here who are named, in a list or in one text."""
    called: list[CharacterId | None] = []
    for text in _texts(value):
        whole = _named(text, view.person_called)
        parts = [text] if whole else _NAME_JOINT.split(text)
        called += [whole or _named(part, view.person_called) for part in parts]
    return tuple(dict.fromkeys(who for who in called if who is not None))


def _named(text: str, of: Callable[[str], Id | None], lead: re.Pattern[str] = _MARKER) -> Id | None:
    """What a name means, also after the marker of a list (`b) Ann`) or before an explanation."""
    bare = _MARKER.sub("", text)
    for name in (text, bare, lead.sub("", bare), _REST.sub("", lead.sub("", bare))):
        if name and (found := of(name)) is not None:
            return found
    return None


def _only_listener(view: CharacterView) -> tuple[CharacterId, ...]:
    """Whom a whisper is for that names nobody here. It is never said aloud instead.

    Raises:
        Unreadable: nobody is here, or more than one.
    """
    here = [person.id for person in view.people if view.is_attending(person.id)]
    if len(here) != 1:
        raise Unreadable(Problem.NOBODY)
    return tuple(here)


def _is_whisper(value: Any) -> bool:
    """Whatever is not a no: what is meant for one pair of ears is not to be shouted."""
    if isinstance(value, list):
        return any(_is_whisper(item) for item in value)
    if isinstance(value, str):
        return value.strip(" .。!！\"'").casefold() not in _NO
    return bool(value)


def _raw(found: Mapping[str, Any], key: str) -> str:
    """A text, with its lines; a list of texts is one text."""
    value = found.get(key)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    return value if isinstance(value, str) else ""


def _text(found: Mapping[str, Any], key: str) -> str:
    return bounded(_raw(found, key))


def _texts(value: Any) -> list[str]:
    """Texts of a list, or the only one; of an object those that are its values."""
    values: Iterable[Any] = value if isinstance(value, list) else [value]
    flat = [v for item in values for v in (item.values() if isinstance(item, dict) else [item])]
    return [str(v) for v in flat if isinstance(v, str | int) and not isinstance(v, bool)]


def _facts(names: list[str], numbered: tuple[FactId, ...]) -> tuple[FactId, ...]:
    """`f2` as the second fact shown; whatever was not shown is passed over."""
    numbers: list[int] = []
    for name in names:
        bare = _BARE_FACT.fullmatch(name)
        numbers += [int(digits) for digits in ([bare[1]] if bare else _FACT.findall(name))]
    return tuple(dict.fromkeys(numbered[n - 1] for n in numbers if 1 <= n <= len(numbered)))
