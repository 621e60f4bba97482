"""Which wordings of predicates a sentence in code matches. Asks nothing about what is true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from sandbox.story import predicates
from sandbox.story.ids import PredicateId
from sandbox.story.items import Language
from sandbox.story.telling import chinese, english
from sandbox.story.telling.frames import Frame, frames_of
from sandbox.story.telling.frames_en import even
from sandbox.story.telling.frames_zh import even_chinese
from sandbox.story.telling.names import CODE, Named

_NAMED: Final = re.compile(CODE)
_ENTITY_OBJECT: Final = f"(?P<o>{CODE})"
_ANY_OBJECT: Final[dict[Language, str]] = {
    "en": r"(?P<o>[^\s|&]+(?: [^\s|&]+){0,4}?)",
    "zh": r"(?P<o>[^\s|]{2})",
}
_OF_THE_STAGE: Final = (predicates.LOCATED_IN, predicates.HELD_BY, predicates.STATE)
"""Worded as much else is."""
_SAYS_LITTLE: Final[dict[Language, frozenset[str]]] = {
    "en": english.words_of("be have get in at on with of by inside 's there what it"),
    "zh": frozenset("是在叫到把想从给的了有上里去走出"),
}
"""Words of a wording that alone would make any sentence one of its predicate."""


@dataclass(frozen=True)
class Match:
    subject: str
    predicate: PredicateId
    object: str
    span: tuple[int, int]
    """Where in the code."""
    is_denied: bool = False

    def overlaps(self, other: Match) -> bool:
        """Whether both stand in the same words."""
        return self.span[0] < other.span[1] and other.span[0] < self.span[1]

    def holds(self, other: Match) -> bool:
        """Whether it says the same of the same, with more words."""
        same = (self.subject, self.predicate) == (other.subject, other.predicate)
        return same and self.object != other.object and self.length > other.length

    @property
    def length(self) -> int:
        return self.span[1] - self.span[0]


@dataclass(frozen=True)
class Wordings:
    """The wordings of a world's predicates, ready for comparing. Made once for a canon."""

    named: Named

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        return tuple(frames_of(self.named))

    def matches(self, coded: str) -> Iterator[Match]:
        """What a sentence in code says by wordings."""
        is_chinese = self.named.canon.language == "zh"
        coded = even_chinese(coded) if is_chinese else even(coded)
        words = set(coded) if is_chinese else set(coded.split(" "))
        named = len(_NAMED.findall(coded))
        for frame in _within(words, self._needing):
            if frame.roles > named:
                continue
            for match in frame.pattern.finditer(coded):
                if (found := self._match(frame, match, coded)) is not None:
                    yield found

    def open_matches(self, coded: str) -> Iterator[tuple[str, PredicateId]]:
        """Subjects and predicates of which a sentence in code says something, whatever it says of them.

        In no order; one may come twice.
        """
        if not _NAMED.search(coded):
            return
        language = self.named.canon.language
        coded = even_chinese(coded) if language == "zh" else even(coded)
        words = set(coded) if language == "zh" else set(coded.split(" "))
        for frame in _within(words, self._open_needing):
            for match in _opened(frame.way.pattern, language).finditer(coded):
                subject = self.named.id_of.get(match["s"])
                if subject is None or self._denials(coded, match) != frame.way.denials:
                    continue
                if self.named.fits(subject, frame.predicate, "s"):
                    yield subject, frame.predicate

    @cached_property
    def _open_needing(self) -> Mapping[str, Sequence[Frame]]:
        """Frames that may have anything for an object: not those whose words would fit any sentence."""
        little = _SAYS_LITTLE[self.named.canon.language]
        return _by_rarest_word(
            frame
            for frame in self.frames
            if frame.predicate not in _OF_THE_STAGE
            and _ENTITY_OBJECT in frame.way.pattern
            and frame.way.needs - little
        )

    @cached_property
    def _needing(self) -> Mapping[str, Sequence[Frame]]:
        return _by_rarest_word(self.frames)

    def _match(self, frame: Frame, match: re.Match[str], coded: str) -> Match | None:
        subject = self.named.id_of.get(match["s"])
        object_ = frame.object or self.named.id_of.get(match["o"])
        if subject is None or object_ is None or subject == object_:
            return None
        if not self._fit(frame.predicate, subject, object_):
            return None
        denials = self._denials(coded, match) - frame.way.denials
        if denials > 1 or denials < 0:
            return None
        return Match(subject, frame.predicate, object_, match.span(), denials == 1)

    def _fit(self, predicate: PredicateId, subject: str, object_: str) -> bool:
        kinds, fits = self.named.kinds, self.named.fits
        return (subject not in kinds or fits(subject, predicate, "s")) and (
            object_ not in kinds or fits(object_, predicate, "o")
        )

    def _denials(self, coded: str, match: re.Match[str]) -> int:
        """How often the clause in which it ends denies."""
        start = coded.rfind("|", 0, match.end()) + 1
        end = coded.find("|", match.end())
        clause = coded[start : end if end >= 0 else len(coded)]
        if self.named.canon.language == "zh":
            return len(chinese.NEGATORS.findall(clause))
        return sum(word in english.NEGATORS for word in clause.split(" "))


def _by_rarest_word(frames: Iterable[Frame]) -> Mapping[str, Sequence[Frame]]:
    """Frames by the rarest word they need, so that few are looked at."""
    all_ = list(frames)
    common = Counter(word for frame in all_ for word in frame.way.needs)
    found: dict[str, list[Frame]] = {}
    for frame in all_:
        rarest = min(frame.way.needs, key=lambda word: (common[word], word), default="")
        found.setdefault(rarest, []).append(frame)
    return found


def _within(words: set[str], needing: Mapping[str, Sequence[Frame]]) -> Iterator[Frame]:
    """The frames all of whose words are there."""
    yield from (frame for frame in needing.get("", ()) if frame.way.needs <= words)
    for word in sorted(words & needing.keys()):
        yield from (frame for frame in needing[word] if frame.way.needs <= words)


@lru_cache(maxsize=4096)
def _opened(pattern: str, language: Language) -> re.Pattern[str]:
    """A frame's pattern with anything for an object; made when first needed, as frames make theirs."""
    return re.compile(pattern.replace(_ENTITY_OBJECT, _ANY_OBJECT[language]))
