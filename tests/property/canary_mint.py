"""Tokens: how they look, where each stands in a world, and ids that are tokens too."""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.property.canary_plan import ID_OF, SCENES, Json

NEVER = 99
_DIGITS = "甲乙丙丁戊己庚辛壬癸"
TOKEN = re.compile(rf"zq\d{{4}}x|龘[{_DIGITS}]{{4}}靐|zi\d{{4}}x")
"""In Latin letters, in Chinese characters, and as an id, which nobody may hold."""
KINDS = {
    "friend": "朋友",
    "kin": "亲人",
    "employer": "东家",
    "servant": "下人",
    "rival": "对头",
    "stranger": "生人",
    "lover": "恋人",
}
"""What one may be to another, and the word for it in Chinese."""
_REGARD = re.compile(
    rf"({TOKEN.pattern})(?: so|的事)?[:：] ?({'|'.join([*KINDS, *KINDS.values()])})(?![a-z])"
)
_READABLE = {token: id_ for id_, token in ID_OF.items()}


def tokens(text: str) -> set[str]:
    return set(TOKEN.findall(text.lower()))


def regards_in(text: str) -> set[tuple[str, str]]:
    """What somebody is to another where no text says it: a token of that one, and the kind."""
    kinds = {word: kind for kind, chinese in KINDS.items() for word in (kind, chinese)}
    return {(token, kinds[word]) for token, word in _REGARD.findall(text.lower())}


def in_ids(value: Any) -> Any:
    """Plain data with a token for every id."""
    return _renamed(value, ID_OF)


def out_of_ids(text: str) -> str:
    """A line of the journal with ids one can read."""
    return re.sub(r"zi\d{4}x", lambda found: _READABLE[found[0]], text)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


@dataclass(frozen=True)
class Field:
    """Where a token stands in the world."""

    kind: str
    of: str
    """Whose: id of the character, place, thing, fact …"""
    first: int = 0
    """Index of the first canon scene in which the text holds."""
    end: int = NEVER
    """Index of the first canon scene in which it no longer does."""

    def holds(self, start: int) -> bool:
        return self.first <= start < self.end


def span_of(number: int) -> Json:
    """From a canon scene on and until the next; the last one is for good."""
    end = {"until": SCENES[number + 1]} if number + 1 < len(SCENES) else {}
    return {"from": SCENES[number]} | end


def first_of(item: Json) -> int:
    """Index of the first canon scene in which an item holds."""
    return max(SCENES.index(item.get(key, SCENES[0])) for key in ("from", "scene"))


def end_of(item: Json) -> int:
    """Index of the first canon scene in which it no longer does."""
    return SCENES.index(item["until"]) if "until" in item else NEVER


@dataclass
class Mint:
    language: str = "en"
    fields: dict[str, Field] = field(default_factory=dict)

    def token(self, kind: str, of: str, first: int = 0, end: int = NEVER) -> str:
        number = f"{len(self.fields) + 1:04}"
        token = f"zq{number}x"
        if self.language == "zh":
            token = f"龘{''.join(_DIGITS[int(digit)] for digit in number)}靐"
        self.fields[token] = Field(kind, of, first, end)
        return token

    def text(self, kind: str, of: str, first: int = 0, end: int = NEVER) -> str:
        token = self.token(kind, of, first, end)
        return f"关于{token}的事" if self.language == "zh" else f"about {token} so"

    def timed(self, kind: str, of: str, first: int = 0) -> list[Json]:
        """A text for each canon scene from the first on, until the next."""
        return [
            span_of(n) | {"text": self.text(kind, of, n, n + 1)} for n in range(first, len(SCENES))
        ]
