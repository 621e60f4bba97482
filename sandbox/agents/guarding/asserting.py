"""Whether a sentence flatly asserts of the world what its speaker holds from no source.

Two ways lead to a finding. A wording of a predicate matches, and the speaker holds no value of that subject
and predicate. Or, without a wording, the sentence says a good deal of whom and what the world has names for,
and nothing that the speaker holds is like it. In doubt it passes: a false alarm costs a good line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from sandbox.agents.guarding.features import Meanings, meanings_of
from sandbox.agents.guarding.holdings import Holdings, Support, entities_in
from sandbox.agents.guarding.judging import Measures, doubt
from sandbox.agents.guarding.moods import (
    LOOKS,
    NOBODY,
    OPINION,
    REPORTED,
    is_verbless,
    plainly,
)
from sandbox.agents.guarding.presumed import presumed
from sandbox.agents.guarding.topics import Topics, Ways
from sandbox.agents.guarding.worldly import cues_of, is_own_doing, vocabulary_of, worldly
from sandbox.story.items import Language
from sandbox.story.telling.mood import Segment
from sandbox.story.telling.names import CODE, SUBJECT
from sandbox.story.telling.reading import Reading
from sandbox.story.view import CharacterView

_LEAST_WORDS: Final = 2
"""Of content: fewer say nothing by themselves."""
_LEAST_NAMED: Final = 2
"""Beside speaker and addressee, by a half of a sentence that is judged without the other."""
_CALL: Final = re.compile(rf"{CODE}(?: {CODE})?")
_CLAUSES: Final = re.compile(r"[|&]")
_DENIED: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"(?<!\S)(?:not|never|neither|nobody)(?!\S)"),
    "zh": re.compile(r"(?:不|没有?|未)(?:曾|是|在|会|能|肯|敢)?[^\W\d]"),
}
"""A clause that says what is not so: what is denied is no value of anything."""
_MOST_LOOKS: Final = 4
"""Words of content that it takes to say how somebody looks."""
_NEARLY_ALL: Final = 0.65
"""Share from which on a text of the speaker's says what a wording says."""
_WORDED: Final = 3.0
"""Support from which on it takes more than its wording for a sentence to be found."""
_WORLDLY: Final[dict[Language, float]] = {"en": 1.6, "zh": 1.4}
"""How much it must be about the world to be judged at all, where a word may stand for a predicate."""
_WORDLESS: Final = 2.2
"""The same where no word may."""
_OTHER: Final[dict[Language, float]] = {"en": 0.2, "zh": 0.1}
"""A word of content, beside 1 for somebody or something named."""
_MOST_WORLDLY: Final = 4.0


@dataclass(frozen=True)
class Claimed:
    """What the asserted parts of one sentence come to."""

    coded: str
    whole: str
    """With the clauses that it leaves open."""
    topics: frozenset[Ways]
    entities: frozenset[str]
    words: tuple[Meanings, ...]
    """What each of its words may mean."""
    worldly: float
    support: Support


@dataclass
class Asserting:
    """One speaker's sentences, in order."""

    view: CharacterView
    reading: Reading
    holdings: Holdings

    @cached_property
    def _topics(self) -> Topics:
        return Topics(self.view, self.reading, self.holdings)

    def is_ungrounded(self, sentence: str) -> bool:
        """Whether the next sentence asserts what its speaker does not hold, or takes it for granted."""
        plain = plainly(sentence, self.view.language)
        parts = self.reading.segments(plain)
        if self._is_claim_found(parts, sentence):
            return True
        if _is_flat(parts):
            return False
        taken = presumed(plain, self.view.language, is_asked=not parts)
        said = (plainly(one, self.view.language) for one in taken)
        return any(self._is_claim_found(self.reading.again(one), one) for one in said)

    def _is_claim_found(self, parts: Sequence[Segment], sentence: str) -> bool:
        """Whether it is found as a whole, or a half of it: what is held covers nothing that it is joined to."""
        if self._is_part_found(parts, sentence):
            return True
        clauses = [replace(part, clauses=(clause,)) for part in parts for clause in part.clauses]
        halves = (half for at in range(1, len(clauses)) for half in (clauses[at:], clauses[:at]))
        return any(self._is_part_found(half, sentence, is_half=True) for half in halves)

    def _is_part_found(
        self, parts: Sequence[Segment], sentence: str, *, is_half: bool = False
    ) -> bool:
        claimed = self.claimed(parts)
        if claimed is None or (is_half and not self._stands_alone(claimed)):
            return False
        is_reported = REPORTED[self.view.language].search(sentence) is not None
        is_held = self._topics.any_held(claimed.topics, is_reported=is_reported)
        return not is_held and self._is_found(claimed, sentence, is_reported=is_reported)

    def _stands_alone(self, claimed: Claimed) -> bool:
        """Whether a half of a sentence says enough to be judged without the other."""
        others = claimed.entities - {self.view.me, self.reading.addressee or ""}
        return len(claimed.words) > _LEAST_WORDS and len(others) >= _LEAST_NAMED

    def _is_found(self, claimed: Claimed, sentence: str, *, is_reported: bool) -> bool:
        if len(claimed.words) <= _LEAST_WORDS and self._is_opinion(sentence):
            return False
        if self._is_worded(claimed, is_reported=is_reported):
            return True
        if self._says_little(claimed) or self._is_small_talk(claimed, sentence):
            return False
        return doubt(self._measured(claimed), self.view.language) > 0

    def _is_worded(self, claimed: Claimed, *, is_reported: bool) -> bool:
        """Whether by a wording it says what the speaker holds no value of, nor any text that is much like it."""
        is_held = all(map(self._topics.holds, claimed.topics))
        is_known = _is_nearly_all(claimed, is_reported=is_reported)
        return not is_held and claimed.support.weight < _WORDED and not is_known

    def _says_little(self, claimed: Claimed) -> bool:
        """Whether it has too few words of content to be compared: an English verb between two will do."""
        others = claimed.entities - {self.view.me, self.reading.addressee or ""}
        is_verb = self.view.language == "en" and len(others) >= _LEAST_WORDS
        return len(claimed.words) < _LEAST_WORDS - is_verb

    def _is_small_talk(self, claimed: Claimed, sentence: str) -> bool:
        """Whether it says little of the world, or what needs nothing to rest on."""
        language, features = self.view.language, frozenset[str]().union(*claimed.words)
        needed = _WORLDLY[language] if features & cues_of(self.view, self.reading) else _WORDLESS
        if claimed.worldly < needed or self._is_opinion(sentence) or self._is_seen(claimed):
            return True
        return language == "en" and is_verbless(sentence, claimed.coded)

    def _is_opinion(self, sentence: str) -> bool:
        return OPINION[self.view.language].search(sentence) is not None

    def _is_seen(self, claimed: Claimed) -> bool:
        """Whether it says how somebody is who stands before the speaker, or speaks of nobody in particular."""
        if NOBODY[self.view.language].search(claimed.coded):
            return True
        code_of = self.reading.named.code_of
        here = [code_of[p.id] for p in self.view.people] + [
            code_of.get(self.reading.addressee or "", "")
        ]
        seen = {ord(code): SUBJECT for code in here if code}
        is_more = len(claimed.words) > _MOST_LOOKS
        if not seen or is_more or not claimed.entities <= {*self.reading.named.persons}:
            return False
        marked = claimed.coded.translate(seen)
        return LOOKS[self.view.language].match(marked) is not None

    def _worldly(self, coded: str) -> float:
        """How much it is about the world; speaker and addressee are no part of that."""
        others = entities_in(coded, self.reading) - {self.view.me, self.reading.addressee or ""}
        other = _OTHER[self.view.language]
        return worldly(coded, self.reading, others, vocabulary_of(self.reading), other)

    def _measured(self, claimed: Claimed) -> Measures:
        support, me = claimed.support, self.view.me
        others = claimed.entities - {me, self.reading.addressee or ""}
        return Measures(
            likeness=math.log1p(support.weight),
            share=support.share,
            about=support.about,
            two=support.two,
            unsaid=support.total * (1 - support.about),
            worldly=min(claimed.worldly, _MOST_WORLDLY),
            apart=len(others) - support.together,
            clauses=claimed.whole.count("|") + 1,
            names_others=bool(others),
            names_speaker=self._names_speaker(claimed.coded),
            is_own=is_own_doing(claimed.coded, self.reading, me),
        )

    def _names_speaker(self, coded: str) -> bool:
        """Whether it says something of the speaker, and not only of what is the speaker's."""
        return re.search(self.reading.named.code_of[self.view.me] + "(?! 's)", coded) is not None

    def claimed(self, read: Sequence[Segment]) -> Claimed | None:
        """What the parts of a sentence assert. None: nothing."""
        parts = [part for part in read if part.is_asserted and not part.is_guess]
        coded = " | ".join(part.real for part in parts if part.real)
        if not coded:
            return None
        clauses = [c.strip() for c in _CLAUSES.split(coded)]
        plain = " | ".join(
            c for c in clauses if not (_DENIED[self.view.language].search(c) or _is_a_call(c))
        )
        entities = entities_in(coded, self.reading)
        others = entities - {self.view.me, self.reading.addressee or ""}
        whole = " | ".join(clause.coded for part in parts for clause in part.clauses)
        words = meanings_of(whole, self.view.language)
        return Claimed(
            coded=coded,
            whole=whole,
            topics=self._topics.said(parts, coded),
            entities=entities,
            words=words,
            worldly=self._worldly(plain),
            support=self.holdings.support(words, entities, others),
        )


def _is_flat(parts: Sequence[Segment]) -> bool:
    """Whether all of a sentence is asserted."""
    is_said = all(part.is_asserted and not part.is_guess for part in parts)
    return bool(parts) and is_said and all(c.is_real for part in parts for c in part.clauses)


def _is_nearly_all(claimed: Claimed, *, is_reported: bool) -> bool:
    """Whether one of the speaker's own texts says most of it, of all whom it names.

    A word or two may say so by chance, unless it is said from whom it is known.
    """
    is_most = claimed.support.share >= _NEARLY_ALL and claimed.support.names_all
    return is_most and (is_reported or len(claimed.words) > _LEAST_WORDS)


def _is_a_call(clause: str) -> bool:
    """Whether a clause in code is no more than somebody's name: then that one is called by it."""
    return _CALL.fullmatch(clause) is not None
