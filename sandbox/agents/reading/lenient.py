"""JSON as models write it: other quotes, no quotes, full-width marks, comments, an end that is cut off.

Rules of our own, and not a library that repairs JSON: what a reply reads as decides what happens in
the story, and a save has to play again to the same byte whatever version of a library is installed
(docs/decisions/0003-mind.md). Where a text can be read in two ways, the one that says less aloud
is taken.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

_MOST_DEPTH = 20
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*)*", re.DOTALL)
_BETWEEN = re.compile(_SPACE.pattern.replace("(?:", "(?:[,，、;；]+|", 1), re.DOTALL)
_FAMILIES: Final = ('"“”„＂', "'‘’＇", "「」『』", "`")
"""Quotation marks that may open and close one string."""
_FAMILY: Final = {mark: family for family in _FAMILIES for mark in family}
_MARKS: Final = "".join(_FAMILIES)
_COLON, _COMMA = "[:：=]", "[,，、;；]"
_FENCE = "```"
_KEY = re.compile(
    rf"[*_]*[{_MARKS}]?[*_]*([^{_MARKS}:：=,，{{}}｛｝\[\]\n]{{1,40}}?)[*_]*[{_MARKS}]?[*_]*\s*{_COLON}>?"
)
_HALF_KEY = re.compile(rf"[{_MARKS}]?[\w\s]{{0,40}}[{_MARKS}]?\s*\Z")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " ", "/": "/"}
_LITERALS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    **dict.fromkeys(("null", "none", "undefined"), None),
}


class NotAnObject(ValueError):
    """What stands there cannot be read as an object, however tolerantly."""


def folded(name: str) -> str:
    """A key as it is compared: `Relied On`, `reliedOn` and `relied_on` are one."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\W_]", "", plain)


@dataclass(frozen=True)
class Read:
    """An object found in a text."""

    values: dict[str, Any]
    end: int
    """Where the text goes on after it."""
    is_cut: bool = False
    """The text ends before the object does; a value that is not whole is left out."""
    is_mended: bool = False
    """It is no JSON as it stands."""


class Lenient:
    """Reads objects tolerantly.

    Args:
        text: where they stand.
        names: keys that are known by name, without quotes too, as `folded` gives them.
    """

    def __init__(self, text: str, names: Iterable[str]) -> None:
        self._text = text
        known = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or r"(?!)"
        key = (
            rf"(?:[{_MARKS}][^{_MARKS}:：\n]{{1,40}}[{_MARKS}]\s{{0,9}}{_COLON}"
            rf"|[*_]{{0,3}}(?:{known})[*_]{{0,3}}\s{{0,9}}{_COLON}"
            rf"|\w{{1,30}}\s{{0,9}}[:：]\s{{0,9}}(?:[{_MARKS}\[{{]|true|false|null|\d))"
        )
        space, ends = r"\s{0,60}", rf"[}}｝]|{_FENCE}|</"
        self._closes_value = re.compile(
            rf"{space}(?:{ends}|{_COMMA}{{1,3}}{space}(?:{key}|{ends}|//|/\*|#|\Z)|(?://|#|/\*)|\n{space}{key})",
            re.IGNORECASE,
        )
        self._closes_item = re.compile(rf"{space}(?:[\]］】]|{_COMMA}|\Z)")
        self._bare = re.compile(
            rf"{_COMMA}{space}(?:{key}|[}}｝])|[}}｝\n]|{_FENCE}|\Z", re.IGNORECASE
        )
        self._two_fields = re.compile(
            rf"[:：\"“”]|{_COMMA}\s{{0,9}}(?:{known})\b|\A\Z", re.IGNORECASE
        )
        self._bare_item = re.compile(rf"{_COMMA}|[\]］】\n]|\Z")
        self._at = 0
        self._is_cut = False

    def object_at(self, start: int) -> Read:
        """The object whose brace stands at `start`.

        Raises:
            NotAnObject: there is none.
        """
        self._at, self._is_cut = start, False
        values = self._object(0)
        return Read(values, self._at, self._is_cut, is_mended=True)

    def _object(self, depth: int) -> dict[str, Any]:
        if depth > _MOST_DEPTH:
            raise NotAnObject
        self._at += 1
        values: dict[str, Any] = {}
        while not self._ends("}｝"):
            name = self._key()
            value = None if self._is_cut else self._value(depth, in_object=True)
            if not self._is_cut:
                values[name] = value
        return values

    def _array(self, depth: int) -> list[Any]:
        if depth > _MOST_DEPTH:
            raise NotAnObject
        self._at += 1
        items: list[Any] = []
        while not self._ends("]］】"):
            before = self._at
            item = self._value(depth, in_object=False)
            if self._at == before and not self._is_cut:
                raise NotAnObject
            if not self._is_cut:
                items.append(item)
        return items

    def _ends(self, closing: str) -> bool:
        """Whether an object or array is over here; a fence that closes ends all of them."""
        self._at = _match(_BETWEEN, self._text, self._at).end()
        if self._is_cut or self._text.startswith((_FENCE, "</"), self._at):
            return True
        if self._at >= len(self._text):
            self._is_cut = True
        elif self._text[self._at] in closing:
            self._at += 1
        else:
            return False
        return True

    def _key(self) -> str:
        if found := _KEY.match(self._text, self._at):
            self._at = found.end()
            return found[1].strip()
        if _HALF_KEY.match(self._text, self._at):
            self._is_cut = True
            return ""
        raise NotAnObject

    def _value(self, depth: int, *, in_object: bool) -> Any:
        self._at = _match(_SPACE, self._text, self._at).end()
        mark = self._text[self._at : self._at + 1]
        if mark in ("{", "｛"):
            return self._object(depth + 1)
        if mark in ("[", "［", "【"):
            return self._array(depth + 1)
        if mark in _FAMILY and mark:
            return self._string(mark, self._closes_value if in_object else self._closes_item)
        return self._plain(self._bare if in_object else self._bare_item)

    def _string(self, mark: str, closes: re.Pattern[str]) -> str:
        """A text in quotes. A mark inside it that closes nothing is part of it."""
        stops = re.compile(rf"[\\{_FAMILY[mark]}]")
        parts, at = list[str](), self._at + 1
        while found := stops.search(self._text, at):
            parts.append(self._text[at : found.start()])
            at = found.end()
            if found[0] == "\\":
                part, at = self._escaped(at)
                parts.append(part)
            elif closes.match(self._text, at):
                self._at = at
                return "".join(parts)
            else:
                parts.append(found[0])
        self._is_cut, self._at = True, len(self._text)
        return ""

    def _escaped(self, at: int) -> tuple[str, int]:
        """What a backslash before `at` stands for, and where the text goes on."""
        char, digits = self._text[at : at + 1], self._text[at + 1 : at + 5]
        if char == "u" and re.fullmatch("[0-9a-fA-F]{4}", digits):
            return chr(int(digits, 16)), at + 5
        return _ESCAPES.get(char, char), at + 1

    def _plain(self, stops: re.Pattern[str]) -> Any:
        """A value without quotes: a literal, a number, or words up to the next key."""
        found = stops.search(self._text, self._at)
        end = found.start() if found else len(self._text)
        text = self._text[self._at : end].strip()
        self._at = end
        literal = folded(text)
        if literal in _LITERALS:
            return _LITERALS[literal]
        if self._two_fields.search(text):
            raise NotAnObject  # or what belongs to another field is taken for this one's
        self._is_cut |= end >= len(self._text)
        return text


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    """A match of a pattern that fits anywhere."""
    found = pattern.match(text, at)
    assert found is not None
    return found
