"""Whether a sentence names somebody or some place that its speaker does not know by name.

A name is known that is everybody's in the world and whose bearer is no stranger, and one that stands in anything
the speaker has read or heard. A name that the world does not have is as unknown as one that it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sandbox.agents.guarding.holdings import Holdings
from sandbox.agents.guarding.proper import NAMED_SO, OF_ONESELF, ORDINARY, TITLED
from sandbox.story.telling.reading import Reading
from sandbox.story.text import CJK
from sandbox.story.view import CharacterView

_LATIN: Final = r"A-Za-z0-9_\u00c0-\u024f'’-"
_CAPITAL: Final = re.compile(rf"(?<![{_LATIN}])[A-Z][{_LATIN}]*[a-z][{_LATIN}]*")
_BEGINS: Final = re.compile(r"(?:^|[.!?:…\"“‘(\[]|--|—)\s*[\"“‘(\[*_]*$")
"""What stands before a word that has its capital for beginning a sentence."""
_OWNED: Final = re.compile(r"['’]s?$")
_HAN: Final = re.compile(rf"[{CJK}]")


class Strangers:
    """Names, as one speaker knows them."""

    def __init__(self, view: CharacterView, reading: Reading, holdings: Holdings) -> None:
        self._view = view
        self._named = reading.named
        self._holdings = holdings
        self._strangers = view.names.strangers

    def names_unknown(self, sentence: str) -> bool:
        """Whether it names somebody or some place that the speaker has never heard named."""
        if any(not self._was_heard(name) for name in self._of_strangers(sentence)):
            return True
        if OF_ONESELF.search(sentence):
            return False  # what it calls itself may be a lie
        han = any(not self._is_known_han(name) for name in _han_names(sentence))
        return han or any(not self._is_known(word) for word in _proper_words(sentence))

    def _of_strangers(self, sentence: str) -> Iterator[str]:
        """Names of people whom the speaker does not know by name."""
        named = self._named
        for match in named.pattern.finditer(sentence.replace("’", "'")):
            id_ = named.id_called(match[0])
            if id_ in self._strangers and match[0].casefold() in named.proper.get(id_, ()):
                yield match[0]

    def _was_heard(self, name: str) -> bool:
        if _HAN.search(name):
            return any(name in text for text in self._holdings.words)
        return all(word in self._holdings.words for word in _CAPITAL.findall(name))

    def _is_known(self, word: str) -> bool:
        plain = _OWNED.sub("", word)
        either = {plain, plain.removesuffix("s")}
        return not either.isdisjoint(ORDINARY | self._own_names | self._holdings.words)

    def _is_known_han(self, name: str) -> bool:
        known = self._own_names
        if any(name in other or other[0] == name[0] for other in known if len(other) > 1):
            return True
        return any(name in text for text in self._holdings.words)

    @property
    def _own_names(self) -> frozenset[str]:
        """Names, in English their words, of all whom the speaker does not know to be strangers."""
        ids = set(self._named.names) - self._strangers
        names = [name for id_ in sorted(ids) for name in self._named.names[id_]]
        if self._view.language == "zh":
            return frozenset(names)
        return frozenset(word for name in names for word in _words(name))


def _words(name: str) -> Iterator[str]:
    yield from (_OWNED.sub("", word) for word in _CAPITAL.findall(name))


def _proper_words(sentence: str) -> Iterator[str]:
    """Words with a capital that they do not have for beginning a sentence."""
    for match in _CAPITAL.finditer(sentence):
        if not _BEGINS.search(sentence[: match.start()]):
            yield match[0]


def _han_names(sentence: str) -> Iterator[str]:
    """What looks like the name of a Chinese person: with a title, or said to be one's name."""
    yield from (match[1] + match[2] for match in TITLED.finditer(sentence))
    yield from (match[1] for match in NAMED_SO.finditer(sentence))
