"""Texts that are read as if each of their clauses were flatly said: what deeds tell, and what enters a memory.

In speech a guess or a question passes. In a memory it would stand among what was lived through, and a deed is seen;
so here whatever is said of the world has to rest on what is held, however it is put. Only what says little, how
somebody looks, or what is about its owner itself needs nothing to rest on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sandbox.agents.guarding.deeds import clauses_of, is_known, is_reported, with_told_apart
from sandbox.agents.guarding.features import features_of, meanings_of
from sandbox.agents.guarding.holdings import Holdings, entities_in
from sandbox.agents.guarding.moods import LOOKS
from sandbox.agents.guarding.sources import lived_of
from sandbox.agents.guarding.worldly import is_own_doing, long_vocabulary_of, worldly
from sandbox.story.items import Language
from sandbox.story.telling.names import SUBJECT
from sandbox.story.telling.reading import Reading
from sandbox.story.view import CharacterView


@dataclass(frozen=True)
class _Enough:
    """Set on the facts of both worlds in the mouths of those who do and do not hold them (docs/guard.md)."""

    worldly: float
    """How much a text must be about the world to be judged at all."""
    of_people: float
    """The same where it names nobody and nothing but people."""
    of_deed: float
    """The same of what a deed tells: its doer handles what it names, before those who are here."""
    weight: float
    """Support from which on it may rest on a text of the owner's, together with `share`."""
    share: float
    nearly_all: float
    """Share that is enough by itself, where one's own text names whomever the other names."""


_ENOUGH: Final[dict[Language, _Enough]] = {
    "en": _Enough(worldly=1.2, of_people=1.6, of_deed=1.6, weight=2.0, share=0.5, nearly_all=0.8),
    "zh": _Enough(worldly=1.2, of_people=1.6, of_deed=1.4, weight=1.5, share=0.5, nearly_all=0.8),
}
_OTHER: Final = 0.24
"""A word of content, beside 1 for somebody or something named."""
_OF_LIVED: Final = 0.35
"""Share from which on a memory tells what was lived through, in its own words."""
_BY_CLAUSE: Final = 1.6
"""How much more of each clause a text has to say, where no text says enough of the whole."""
_HERE: Final = 0.4
"""What somebody or something counts less in a deed that is there: deeds are done to it."""
_WAY: Final = re.compile(r"^\s*(?:往|向|朝|到|去|从|在|回|进|出)[^是的]{1,10}$")
"""How a Chinese clause goes on that said where its subject went."""
_TO_WHOM: Final = ("告诉", "问", "提醒", "告知")
"""Verbs behind which the name of who is told stands, in Chinese at once before what is told."""
_SPEAKING: Final = "say tell ask whisper answer reply speak 说 问 讲 道 告诉 答 回答 悄声 低声 耳语"
"""In code: what somebody is told to do who speaks."""
_MOST_LOOKS: Final = 4
"""Words of content that it takes to say how somebody looks."""


@dataclass(frozen=True)
class _Source:
    """Texts that something may rest on."""

    texts: Holdings
    share: float
    """Of what is said, that one of the texts has to say as well."""


@dataclass
class Strictly:
    """The texts of one owner, in order."""

    view: CharacterView
    reading: Reading
    holdings: Holdings

    def is_told_ungrounded(self, text: str) -> bool:
        """Whether what a deed tells says of the world what its doer does not hold."""
        clauses = clauses_of(text, self.view.language)
        return self._is_found(self._coded(clauses), (self._held,), is_deed=True)

    @property
    def _held(self) -> _Source:
        return _Source(self.holdings, _ENOUGH[self.view.language].share)

    def is_kept_ungrounded(self, sentence: str, *, is_quoted: bool) -> bool:
        """Whether the next sentence of a memory says of the world what its owner does not hold.

        What was said or asked it may tell as it was lived through, and what its owner did.

        Args:
            sentence: in the owner's first person.
            is_quoted: whether a quotation that began before goes on in it.
        """
        language = self.view.language
        clauses = list(with_told_apart(clauses_of(sentence, language), language))
        coded = self._coded(clauses)
        for at, before in enumerate(clauses[:-1]):
            if before.endswith(_TO_WHOM):
                coded[at + 1] = re.sub(rf"^\s*{self._anybody}", "", coded[at + 1])
        is_own = bool(coded) and self._is_own(coded[0]) and not is_known(sentence, language)
        lived = lived_of(self.view, self.reading)
        sources = [self._held, _Source(lived.seen, _OF_LIVED)]
        if is_quoted or is_own or is_reported(sentence, language):
            sources.append(_Source(lived.said, _OF_LIVED))
        return self._is_found(coded, sources)

    def is_lived(self, sentence: str) -> bool:
        """Whether it tells what its owner perceived, nearly as that is worded."""
        lived = lived_of(self.view, self.reading)
        (coded,) = self._coded((sentence,))
        nearly_all = _ENOUGH[self.view.language].nearly_all
        return self._rests(coded, [_Source(h, nearly_all) for h in (lived.seen, lived.said)])

    def _coded(self, clauses: Iterable[str]) -> list[str]:
        """The clauses in code, however they are meant.

        A pronoun stays one: between quotations it would be taken for whom somebody else spoke of.
        """
        return [self.reading.coded(clause, self.view.me) for clause in clauses]

    def _is_found(
        self, clauses: Iterable[str], sources: Sequence[_Source], *, is_deed: bool = False
    ) -> bool:
        """Whether what the clauses say of the world rests neither on one text nor, each by itself, on several."""
        said, is_own = list[str](), False
        for coded in clauses:
            others = entities_in(coded, self.reading) - {self.view.me}
            is_little = not others and not self._says(coded)
            is_on = is_own and (is_little or _WAY.match(coded) is not None)
            is_own = self._is_own(coded) or is_on
            is_head = not is_deed and self._is_head(coded)
            if not (is_own or is_head or self._is_look(coded)):
                said.append(coded)
        whole = " | ".join(said)
        if not self._says(whole, is_deed=is_deed) or self._rests(whole, sources):
            return False
        each = [replace(source, share=source.share * _BY_CLAUSE) for source in sources]
        rest = " | ".join(coded for coded in said if not self._rests(coded, each))
        return self._says(rest)

    def _says(self, coded: str, *, is_deed: bool = False) -> bool:
        """Whether it says enough of the world to be judged."""
        enough = _ENOUGH[self.view.language]
        if is_deed:
            here = self.view.in_sight & entities_in(coded, self.reading)
            return self._worldly(coded) - _HERE * len(here) >= enough.of_deed
        least = enough.of_people if self._is_of_people(coded) else enough.worldly
        return self._worldly(coded) >= least

    def _rests(self, coded: str, sources: Sequence[_Source]) -> bool:
        """Whether one text of the sources says enough of it."""
        entities, enough = entities_in(coded, self.reading), _ENOUGH[self.view.language]
        words = meanings_of(coded, self.view.language)
        for source in sources:
            support = source.texts.support(words, entities, entities - {self.view.me})
            # Names with no word of content between them may be all that is said.
            is_nearly_all = support.share >= enough.nearly_all or not words
            is_enough = support.weight >= enough.weight and support.share >= source.share
            if support.names_all and (is_nearly_all or is_enough):
                return True
        return False

    def _is_own(self, coded: str) -> bool:
        return is_own_doing(coded, self.reading, self.view.me)

    def _is_look(self, coded: str) -> bool:
        """Whether it tells in a few words how somebody looks who is before its eyes."""
        here = {self.view.me, *(person.id for person in self.view.people)}
        is_short = len(features_of(coded, self.view.language)) <= _MOST_LOOKS
        if not is_short or not entities_in(coded, self.reading) <= here:
            return False
        marked = coded.translate(dict.fromkeys(self._persons, SUBJECT))
        return LOOKS[self.view.language].match(marked) is not None

    def _is_head(self, coded: str) -> bool:
        """Whether it tells no more than who spoke to whom, or who was there."""
        if not features_of(coded, self.view.language) <= features_of(_SPEAKING, self.view.language):
            return False
        own = self.reading.named.code_of[self.view.me]
        return own in coded or self._is_of_people(coded)

    def _is_of_people(self, coded: str) -> bool:
        return entities_in(coded, self.reading) <= self.reading.named.persons

    @property
    def _anybody(self) -> str:
        """A pattern for the code of any person."""
        return f"[{''.join(map(chr, self._persons))}]"

    @property
    def _persons(self) -> list[int]:
        return [ord(self.reading.named.code_of[id_]) for id_ in self.reading.named.persons]

    def _worldly(self, coded: str) -> float:
        """How much a text is about whom and what the world has names for."""
        others = entities_in(coded, self.reading) - {self.view.me}
        return worldly(coded, self.reading, others, long_vocabulary_of(self.reading), _OTHER)
