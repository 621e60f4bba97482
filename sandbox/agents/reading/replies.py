"""The JSON object in a model's reply, whatever stands around it and however it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from difflib import get_close_matches
from enum import StrEnum
from itertools import chain, islice
from typing import Any, Final

from sandbox.agents.reading.form import own
from sandbox.agents.reading.lenient import Lenient, NotAnObject, Read, folded
from sandbox.agents.reading.thinking import after_thinking
from sandbox.story.items import Language

MOST_CHARS = 64 * 1024
"""Of a reply that are read."""
_MOST_DEPTH = 4
"""Of an object inside others."""
_MOST_STARTS = 10
"""Opening braces tried before a reply counts as having no object: prose may hold some."""
_NEAR = 0.9
"""`whiper` is near enough to `whisper`, `reaction` is not to `action`."""
_START = re.compile(r"[{｛]")
_TAIL = re.compile(r"(?:\s|`|</?\w[^<>]{0,40}>|<\|[^<>]{0,40}>)*\Z")
"""What may follow an object at the end of a reply."""
_ENDED = re.compile(r"(?:[.!?…。！？\"”」）)\]]|true|false)[*,，\s]*\Z", re.IGNORECASE)
"""How a line ends that is not cut off."""
_REFUSED = re.compile(
    r"\b(?:as an? (?:AI|artificial intelligence|(?:large )?language model)|I(?:'|’)?m an? (?:AI|language model)"
    r"|(?:can(?:'|’)?t|can ?not|unable to|won(?:'|’)?t) (?:(?:help|assist) (?:you )?with (?:that|this|your)"
    r"|(?:fulfill?|comply with|complete|process) (?:that|this|your) request"
    r"|(?:continue|engage in|participate in|create|generate) (?:this|that|such|the|any) "
    r"(?:role-?play|content|conversation|story|request)))"
    r"|作为(?:一个|一名|一款)?(?:AI|人工智能|大?语言模型)|我是(?:一个|一名|一款)?(?:AI|人工智能|大?语言模型)"
    r"|(?:无法|不能)(?:为您|为你)?(?:协助|提供(?:这|此|该)|满足(?:您|你)的?(?:这个|该)?(?:请求|要求)|完成(?:这|此|该)|继续(?:这|此|该))",
    re.IGNORECASE,
)


class Problem(StrEnum):
    """Why a reply is no move."""

    EMPTY = "it is empty"
    NO_OBJECT = "there is no JSON object in it"
    BROKEN = "its JSON is broken or cut off"
    NOTHING = "nothing is said, done or thought in it"
    NOBODY = "it whispers to nobody who is here"
    NOWHERE = "it goes where no way leads from here"
    ANOTHER = "it is the move of somebody else"
    REFUSED = "it declines to play"
    LANGUAGE = "it is not in the language of the story"


_IN_CHINESE: Final[dict[Problem, str]] = {
    Problem.EMPTY: "里面什么都没有",
    Problem.NO_OBJECT: "里面没有 JSON 对象",
    Problem.BROKEN: "里面的 JSON 不完整或写错了",
    Problem.NOTHING: "里面既没有话，也没有动作和想法",
    Problem.NOBODY: "要耳语的人不在这里",
    Problem.NOWHERE: "从这里去不了那个地方",
    Problem.ANOTHER: "写的是别人的举动",
    Problem.REFUSED: "没有照着角色来演",
    Problem.LANGUAGE: "用的不是故事的语言",
}


class Unreadable(ValueError):
    """A reply is no move; says why, for people and for the model."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.value)

    def told(self, language: Language) -> str:
        """The problem in the world's language."""
        return _IN_CHINESE[self.problem] if language == "zh" else self.problem.value


def object_of(
    text: str,
    keys: Set[str],
    also: Mapping[str, str] | None = None,
    needed: Set[str] = frozenset(),
) -> dict[str, Any]:
    """The object in a reply: the first that has one of `keys`.

    Args:
        text: the reply.
        keys: fields that make an object the reply. They are found in any case and with any
            separators; whatever else the object holds is left under its own name.
        also: other names of fields, in any case: `{"speech": "words"}`.
        needed: fields by which a reply that broke off can be used all the same, if each of them is
            whole. Empty: it never can.

    Raises:
        Unreadable: there is none.
    """
    return next(objects_of(text, keys, also, needed))


def objects_of(
    text: str, keys: Set[str], also: Mapping[str, str] | None = None, needed: Set[str] = frozenset()
) -> Iterator[dict[str, Any]]:
    """As `object_of`, and those after it: a model may write the moves of others as well.

    Raises:
        Unreadable: there is none at all.
    """
    looking = _Looking(keys, also or {}, needed)
    told, unsure = after_thinking(text[:MOST_CHARS])
    is_any = False
    for found in chain(looking.all_in(told), looking.last_in(unsure)):
        is_any = True
        yield own(found)
    if not is_any:
        raise Unreadable(looking.problem_of(told, unsure))


def is_refusal(text: str) -> bool:
    """Whether a text is an assistant's that declines, and no character's."""
    return bool(_REFUSED.search(text))


class _Looking:
    """Looks for objects of one kind."""

    def __init__(self, keys: Set[str], also: Mapping[str, str], needed: Set[str]) -> None:
        self._names = {folded(name): key for name, key in also.items()}
        self._names |= {folded(key): key for key in keys}
        self._needed = needed
        spelled = sorted(map(_spelled, (*keys, *also)), key=lambda name: (-len(name), name))
        any_name = rf"[*_]{{0,3}}({'|'.join(spelled)})[*_]{{0,3}}"
        self._swallowed = re.compile(rf"[\"“”'‘’]\s*(?:{any_name})\s*[\"“”'‘’]\s*[:：]", re.I)
        self._line = re.compile(
            rf"^[\W_]{{0,6}}?{any_name}[\"'”’]?\s*[:：][ \t]*(.*)$", re.I | re.M
        )
        field = rf"{any_name}[\"“”'‘’]?\s{{0,9}}[:：]"
        self._goes_on = re.compile(
            rf"\A[\s}}｝,，]{{0,60}}[\"“”'‘’]?{field}|[\"“”'‘’]{field}|[,，]\s{{0,9}}{field}"
            r"|[^\s}｝][^}｝]*[}｝]",
            re.IGNORECASE,
        )
        """Fields or a brace after the end of an object: a stray mark ended it, and who may hear it is
        perhaps not in it."""
        self._tag = re.compile(rf"<(?:parameter=)?{any_name}>(.{{0,2000}}?)</", re.I | re.S)

    def all_in(self, text: str) -> Iterator[dict[str, Any]]:
        """Every object in a text, else what stands in it line by line or tag by tag."""
        yield from (found for found, _ in self._objects(text))
        if not _START.search(text) and (found := self._labelled(text)):
            yield found

    def last_in(self, unsure: str) -> Iterator[dict[str, Any]]:
        """The object with which a text ends that may be thinking: others are drafts of thought."""
        *_, last = (None, *self._objects(unsure))
        if last and _TAIL.match(unsure, last[1]):
            yield last[0]

    def problem_of(self, told: str, unsure: str) -> Problem:
        if not told.strip():
            return Problem.BROKEN if "{" in unsure else Problem.EMPTY
        if is_refusal(told):
            return Problem.REFUSED
        return Problem.BROKEN if _START.search(told) else Problem.NO_OBJECT

    def _objects(self, text: str) -> Iterator[tuple[dict[str, Any], int]]:
        """Objects one after the other, with their ends; those inside another are not found again."""
        lenient, past, empty = Lenient(text, self._names), 0, 0
        for start in islice((match.start() for match in _START.finditer(text)), _MOST_STARTS):
            if start < past or (read := _read(text, start, lenient)) is None:
                continue
            following = _START.search(text, read.end)
            if self._goes_on.search(text[read.end : following.start() if following else None]):
                continue
            if found := self._taken(read) or self._within(read.values.values()):
                past = read.end
                yield found, read.end
            elif not read.values and not read.is_cut:
                empty = empty or read.end
        if empty and not past:
            yield {}, empty

    def _within(self, values: Iterable[Any], depth: int = 0) -> dict[str, Any]:
        """The object inside another: a wrapped one, or the arguments of a tool call, maybe as text."""
        for value in values if depth < _MOST_DEPTH else ():
            found: dict[str, Any] = {}
            if isinstance(value, list):
                found = self._within(value, depth + 1)
            elif isinstance(value, str) and (at := _START.match(value.lstrip())):
                lenient = Lenient(value.lstrip(), self._names)
                read = _read(value.lstrip(), at.start(), lenient)
                found = self._taken(read) if read else {}
            elif isinstance(value, dict):
                found = self._taken(Read(value, 0)) or self._within(value.values(), depth + 1)
            if found:
                return found
        return {}

    def _taken(self, read: Read) -> dict[str, Any]:
        """The fields of an object under the names asked for; empty where it is something else."""
        found: dict[str, Any] = {}
        for name, value in read.values.items():
            key = self._key(name)
            found[key] = value if value or key not in found else found[key]
        if found.keys().isdisjoint(self._names.values()):
            return {}
        missing = self._needed - found.keys()
        if read.is_cut and (missing or not self._needed):
            return {}
        if read.is_mended and missing and found.keys() - self._names.values():
            return {}  # a field that nobody knows may be the one that is missing
        texts = [value for value in found.values() if isinstance(value, str)]
        return {} if any(self._swallowed.search(text) for text in texts) else found

    def _key(self, name: str) -> str:
        """The field that a name means, also with a letter too many or too few."""
        plain = folded(name)
        if key := self._names.get(plain):
            return key
        near = get_close_matches(plain, self._names, n=1, cutoff=_NEAR) if len(plain) > 4 else []
        return self._names[near[0]] if near else name

    def _labelled(self, text: str) -> dict[str, Any]:
        """Fields in lines (`Words: …`) or tags. Such a text may be cut anywhere: see `needed`."""
        values = {name: text for name, text in self._tag.findall(text)}
        for line in self._line.finditer(text):
            after = text[line.end() :].lstrip("\r\n")
            is_whole = bool(after) if line[2].strip() else self._line.match(after)
            if (is_whole or _ENDED.search(line[2])) and line[1] not in values:
                values[line[1]] = line[2]
        plain = {name: _plain(value) for name, value in values.items()}
        return self._taken(Read(plain, len(text), is_cut=True))


def _spelled(name: str) -> str:
    """A pattern for a name, whatever stands between its words."""
    return r"[ _-]?".join(map(re.escape, name.split("_")))


def _read(text: str, start: int, lenient: Lenient) -> Read | None:
    """The object at a brace: as JSON says, else tolerantly; None where there is none."""
    try:
        found, length = json.JSONDecoder(strict=False).raw_decode(text[start:])
    except (ValueError, RecursionError):  # a number of 5,000 digits is a plain `ValueError`
        try:
            return lenient.object_at(start)
        except NotAnObject:
            return None
    return Read(found, start + length) if isinstance(found, dict) else None


def _plain(value: str) -> Any:
    """A labelled value without what a model puts around it."""
    text = value.strip(" \t\r*,，").strip("\"'“”")
    return {"true": True, "false": False, "null": None}.get(text.casefold(), text)
