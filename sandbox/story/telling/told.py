"""What a line tells, computed from its words (DESIGN section 7, point 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sandbox.story.claims import Claim
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact, KnownFacts
from sandbox.story.predicates import HELD_BY, IS_NAMED
from sandbox.story.telling import sentences
from sandbox.story.telling.code import Coder
from sandbox.story.telling.likeness import Comparison, Likeness
from sandbox.story.telling.mood import Segment, segments_of
from sandbox.story.telling.names import CODE, Named
from sandbox.story.telling.same import Same
from sandbox.story.telling.statements import Statements
from sandbox.story.telling.wordings import Match, Wordings
from sandbox.story.world import World

_PRIVATE = re.compile(CODE)
"""Nobody is named by the characters that stand for names."""


@dataclass(frozen=True)
class Telling:
    """All that a canon's lines are read by."""

    named: Named
    wordings: Wordings
    statements: Statements


def told_by(
    words: str, speaker: CharacterId, to: Sequence[CharacterId], world: World
) -> tuple[Claim, ...]:
    """What the speaker's words tell, in the order of the sentences.

    A sentence tells (s, p, o) if it names both and matches a wording of the predicate, whatever is
    true, or if it puts a fact in other words that the speaker itself knows. Nothing is told by what
    is asked, wished, ordered or a condition. A guess is a claim in mode `supposed`; what is plainly
    said not to be so, one in mode `denied`.

    Args:
        words: the line.
        speaker: who says it: `I`.
        to: to whom it is said; `you` where it is one.
        world: as it is when the line is said.
    """
    telling = _telling(Same(world.canon))
    others = [who for who in to if who != speaker]
    coder = Coder(
        telling.named, speaker, others[0] if len(others) == 1 else None, world.strangers[speaker]
    )
    partners = frozenset({coder.speaker, coder.addressee or ""})
    comparison = Comparison(telling.statements, world, KnownFacts(world, speaker), partners)
    reading = _Reading(telling, coder, comparison)
    found: dict[Proposition, Claim] = {}
    for sentence in sentences.spoken_sentences(words):
        coder.begin_sentence()
        for claim in reading.claims(sentence):
            found.setdefault((claim.subject, claim.predicate, claim.object), claim)
    return tuple(found.values())


@lru_cache(maxsize=8)
def _telling(same: Same) -> Telling:
    """Made once for a canon: every save of a world, and every rewind, reads lines by the same."""
    named = Named(same.canon)
    return Telling(named, Wordings(named), Statements(named))


@dataclass
class _Reading:
    telling: Telling
    coder: Coder
    comparison: Comparison

    _before: tuple[str, Segment] | None = None
    """The sentence before, where it told nothing."""

    def claims(self, sentence: str) -> list[Claim]:
        """What a sentence tells by itself, else what it tells together with the one before."""
        segments = list(segments_of(_PRIVATE.sub(" ", sentence), self.coder))
        read = (claim for part in segments for claim in self._of_segment(part, sentence))
        found = [claim for one in read if (claim := self._as_named(one, sentence))]
        now = (sentence, segments[0]) if len(segments) == 1 else None
        if not found and self._before and now:
            found = list(self._of_two(self._before, now))
        self._before = None if found else now
        return found

    def _of_two(self, first: tuple[str, Segment], second: tuple[str, Segment]) -> Iterator[Claim]:
        """Facts told in two sentences, each by the one that says more of it."""
        both = first[1].followed_by(second[1])
        for likeness in self.comparison.alike(both, is_of_two=True):
            said = max((second, first), key=lambda part: self.comparison.weight(likeness, part[1]))
            claim = self._in_other_words(likeness, both, said[0])
            if named := self._as_named(claim, f"{first[0]} {second[0]}"):
                yield named

    def _as_named(self, claim: Claim, words: str) -> Claim | None:
        """`claim` with the name that `words` say; None where it tells a name that they do not say."""
        if claim.predicate != IS_NAMED:
            return claim
        several = self.telling.named.canon.names.values()
        names = next((names for names in several if claim.object in names), (claim.object,))
        longest_first = sorted(names, key=len, reverse=True)
        said = next((name for name in longest_first if name.casefold() in words.casefold()), None)
        return None if said is None else claim.model_copy(update={"object": said})

    def _of_segment(self, segment: Segment, sentence: str) -> Iterator[Claim]:
        matches = _undoubted(list(self._matches(segment)))
        denied = {(m.subject, m.predicate, m.object) for m in matches if m.is_denied}
        found = self.comparison.alike(segment)
        likenesses = [like for like in found if _said(like.fact) not in denied]
        for match in matches:
            if not any(self._explains(likeness, match) for likeness in likenesses):
                yield self._claim(match, segment, sentence)
        for likeness in likenesses:
            yield self._in_other_words(likeness, segment, sentence)

    def _in_other_words(self, likeness: Likeness, segment: Segment, sentence: str) -> Claim:
        fact = likeness.fact
        return Claim(
            subject=fact.subject,
            predicate=fact.predicate,
            object=fact.object,
            said=sentence,
            mode="supposed" if segment.is_guess else "claimed",
        )

    def _matches(self, segment: Segment) -> Iterable[Match]:
        if not segment.is_asserted:
            return ()
        wordings, coded = self.telling.wordings, segment.real
        found = list(wordings.matches(coded))
        is_chinese = self.telling.named.canon.language == "zh"
        if is_chinese and not found and (topic := self.coder.topic) is not None:
            # A Chinese sentence may leave out what the one before was about.
            found = list(wordings.matches(topic + coded))
        return found

    def _explains(self, likeness: Likeness, match: Match) -> bool:
        """Whether the fact is worded so itself: "took the attic" is then no theft."""
        fact, own = likeness.fact, _said(likeness.fact)
        said = (match.subject, match.predicate, match.object)
        if match.predicate == HELD_BY and {match.subject, match.object} == {own[0], own[2]}:
            return True  # "I had the money" says more than that it is in his hands
        return said == own or said in self.comparison.implied(fact, self.telling.wordings)

    def _claim(self, match: Match, segment: Segment, sentence: str) -> Claim:
        mode = "denied" if match.is_denied else "supposed" if segment.is_guess else "claimed"
        return Claim(
            subject=match.subject,
            predicate=match.predicate,
            object=match.object,
            said=sentence,
            mode=mode,
        )


def _said(fact: KnownFact) -> Proposition:
    return (fact.subject, fact.predicate, fact.object)


def _undoubted(matches: list[Match]) -> list[Match]:
    """Without what is only a part of another reading.

    A denial that is the other side of a wording (not to be there, for being gone), and a name within
    a longer object ("the bank", in "a bank paper").
    """
    claimed = [match for match in matches if not match.is_denied]
    return [
        match
        for match in matches
        if not any(
            other.overlaps(match) and (match.is_denied or other.holds(match)) for other in claimed
        )
    ]
