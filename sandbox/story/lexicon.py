"""The names one character knows, and whom a text of another's or of its own names by them.

Words are compared one by one, a Chinese text character by character, so that a name is found in any case and
in the middle of a sentence. A name that its reader does not know is never compared with: what is found
is the same whether or not somebody else bears it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.known import KnownFacts
from sandbox.story.percepts import Names
from sandbox.story.telling import english
from sandbox.story.text import CJK
from sandbox.story.world import World

_TOKEN: Final = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:[-'’][^\W_{CJK}]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_ARTICLES: Final = ("the", "a", "an")
_TEXT_TOKENS, _TEXT_CHARACTERS = 4, 6
"""A longer free text is a sentence, and nobody names things by sentences."""
_HEAD_CHARACTERS = 2
_HAN: Final = re.compile(rf"[{CJK}]")
_DETERMINERS: Final = english.words_of("the that this these those my your his her our their a an")
_POINTS_AT: Final = frozenset("的那这只封条艘盏把将根班趟了过着")
_FOLLOWS: Final = frozenset("是在被给叫让也都还就已早不没为怎什哪呢吗么了藏")
"""A Chinese name cut down to one character counts only between such."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or one Chinese character."""

    text: str
    """In lower case, without the `'s` of an owner."""
    start: int
    end: int
    is_capital: bool


@dataclass(frozen=True, slots=True)
class Naming:
    """Where a text names somebody or something."""

    entity: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The words of a text and, of Chinese, its characters."""
    found = []
    for match in _TOKEN.finditer(text):
        word = _POSSESSIVE.sub("", match[0])
        if word:
            capital = word[:1].isupper()
            found.append(Token(word.casefold(), match.start(), match.end(), capital))
    return found


Key = tuple[str, ...]
Kind = Literal["person", "place", "thing"]
"""As far as names differ by it; whatever else there is, is a thing."""


@dataclass
class Lexicon:
    """Names with their bearers. It only grows; the first bearer of a name keeps it."""

    _bearer: dict[Key, str] = field(default_factory=dict)
    _heads: dict[Key, set[str]] = field(default_factory=dict)
    """Shorter ways to say a name; they count only while one alone has them."""
    _longest: dict[str, int] = field(default_factory=dict)
    """By what a name begins with, the tokens of the longest: most words begin none."""
    under: Lexicon | None = None
    """Another one that counts too."""

    def add(self, entity: str, names: Iterable[str], kind: Kind) -> None:
        """Names of somebody or something; they may be cut down as names of that kind are."""
        for name in names:
            if key := _key(name):
                self._put(entity, key)
                for head in _heads_of(name, key, kind):
                    self._heads.setdefault(head, set()).add(entity)
                    self._note(head)

    def add_text(self, text: str) -> None:
        """A free text that facts are about, as far as it is short enough to be called by."""
        key = _key(text)
        longest = _TEXT_CHARACTERS if _is_han(text) else _TEXT_TOKENS
        if key and len(key) <= longest and any(english.is_content(word) for word in key):
            self._put(text, key)

    def _put(self, entity: str, key: Key) -> None:
        self._bearer.setdefault(key, entity)
        self._note(key)

    def _note(self, key: Key) -> None:
        self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def find(self, text: str) -> list[Naming]:
        """Whom and what a text names, in order; of names within names the longest."""
        tokens = tokens_of(text)
        found, at = [], 0
        while at < len(tokens):
            size, entity = self._longest_at(tokens, at)
            if entity is not None:
                found.append(Naming(entity, tokens[at].start, tokens[at + size - 1].end))
            at += size
        return found

    def _longest_at(self, tokens: Sequence[Token], at: int) -> tuple[int, str | None]:
        longest = self._longest_with(tokens[at].text)
        for size in range(min(longest, len(tokens) - at), 0, -1):
            key = tuple(token.text for token in tokens[at : at + size])
            entity = self._bearer_of(key)
            if entity is None and self._is_cut_down(tokens, at, size):
                entity = self._one_with(key)
            if entity is not None and (size > 1 or self._is_name(tokens, at)):
                return size, entity
        return 1, None

    def _longest_with(self, first: str) -> int:
        """Tokens of the longest name that begins with `first`; 0: none does."""
        own = self._longest.get(first, 0)
        return max(own, self.under._longest_with(first)) if self.under else own

    def _bearer_of(self, key: Key) -> str | None:
        found = self._bearer.get(key)
        return self.under._bearer_of(key) if found is None and self.under else found

    def _one_with(self, head: Key) -> str | None:
        bearers = self._bearers_of_head(head)
        return next(iter(bearers)) if len(bearers) == 1 else None

    def _bearers_of_head(self, head: Key) -> set[str]:
        own = self._heads.get(head, set())
        return own | self.under._bearers_of_head(head) if self.under else own

    def _is_cut_down(self, tokens: Sequence[Token], at: int, size: int) -> bool:
        """Whether a shorter way to say a name may stand here: "the clerk", and not "the young clerk"."""
        before = tokens[at - 1] if at else None
        after = tokens[at + size] if at + size < len(tokens) else None
        if _is_han(tokens[at].text):
            pointed = before is None or before.text in _POINTS_AT
            return size > 1 or (pointed and (after is None or after.text in _FOLLOWS))
        if before is not None and before.text in _DETERMINERS:
            return True
        return tokens[at].is_capital and not any(
            other is not None and other.is_capital and english.is_content(other.text)
            for other in (before, after)
        )

    def _is_name(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether one word alone is meant as a name: `will` mostly is not, `Will` may be."""
        word = tokens[at]
        if english.is_content(word.text) or _is_han(word.text):
            return True
        return word.is_capital and at > 0


def _key(name: str) -> Key:
    words = [token.text for token in tokens_of(name)]
    if len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return tuple(words)


def _is_han(text: str) -> bool:
    return _HAN.search(text) is not None


def _heads_of(name: str, key: Key, kind: Kind) -> Iterator[Key]:
    """`lamp` of `the taproom lamp`, `Quill` of `Mara Quill`, `铃` of `渡口铜铃`, `庙里` of `龙王庙`."""
    if _is_han(name):
        if kind == "thing":
            yield from (key[-n:] for n in range(1, min(len(key), _HEAD_CHARACTERS + 1)))
        elif kind == "place" and len(key) > 1:
            yield (key[-1], "里")
    elif len(key) > 1:
        # Of a person's name any part; what a noun begins with may be only of what kind it is.
        is_proper = kind == "person" and name != name.lower()
        parts = {key[0], key[-1]} if is_proper else {key[-1]}
        yield from ((word,) for word in parts if english.is_content(word))


@dataclass
class _Kept:
    """A lexicon in the memo of a world, and how much of the world it holds."""

    strangers: frozenset[CharacterId]
    lexicon: Lexicon = field(default_factory=Lexicon)
    entities: set[str] = field(default_factory=set)
    nodes: int = 0
    places: int = 0

    def add(self, world: World, names: Names, ids: Iterable[str]) -> None:
        for id_ in ids:
            if id_ not in self.entities:
                self.entities.add(id_)
                _add(self.lexicon, world, names, id_)


def lexicon_of(world: World, known: KnownFacts, about: Iterable[str]) -> Lexicon:
    """The names that somebody knows by now.

    Everybody in the story who is no stranger to it, itself, where it has been and what it saw the
    ways lead to, whom and what its facts are about. It is made once and grows with the world; to
    meet somebody by name makes it anew.

    Args:
        world: as it is.
        known: the facts of whose names these are.
        about: more that it has a name for: what is before its eyes, what is on its mind.
    """
    who, names = known.character, world.names(known.character)
    kept: _Kept | None = world.memo.get(("lexicon", who))
    if kept is None or kept.strangers != names.strangers:
        kept = world.memo["lexicon", who] = _Kept(names.strangers)
        kept.add(world, names, (id_ for id_ in sorted(world.grants) if id_ not in names.strangers))
    kept.add(world, names, islice(known.graph.nodes, kept.nodes, None))
    kept.nodes = len(known.graph.nodes)
    been = world.been[who]
    if len(been) != kept.places:
        kept.add(world, names, _places(world, been))
        kept.places = len(been)
    here = [id_ for id_ in about if id_ not in kept.entities]
    if not here:
        return kept.lexicon
    more = Lexicon(under=kept.lexicon)
    for id_ in here:
        _add(more, world, names, id_)
    return more


def _places(world: World, been: Iterable[PlaceId]) -> Iterator[str]:
    for place in sorted(been):
        yield place
        yield from (other for other, _, _ in world.stage.exits(place))


def _add(lexicon: Lexicon, world: World, names: Names, id_: str) -> None:
    canon = world.canon
    if id_ not in canon.names:
        lexicon.add_text(id_)
    elif id_ in names.strangers:
        lexicon.add(id_, [names(id_)], "person")
    elif id_ in canon.cast:
        lexicon.add(id_, canon.names[id_], "person")
        # What those call it who do not know its name says who is meant, too.
        looks = canon.at(canon.cast[CharacterId(id_)].known_as, world.start)
        lexicon.add(id_, looks, "person")
    else:
        lexicon.add(id_, canon.names[id_], "place" if id_ in canon.places_by_id else "thing")
