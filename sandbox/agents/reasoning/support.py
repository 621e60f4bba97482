"""Which facts bear on a question: what counts as support, and what comes nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from sandbox.agents.reasoning import cues
from sandbox.agents.reasoning.content import Content, content_of, share, size
from sandbox.agents.reasoning.cues import Kind
from sandbox.agents.reasoning.inward import is_of_mind
from sandbox.agents.reasoning.questions import Asked, tells_where
from sandbox.story.items import Language
from sandbox.story.known import KnownFact
from sandbox.story.predicates import LOCATED_IN, SAID_ABOUT
from sandbox.story.view import CharacterView

_ALIKE: Final = 0.5
"""Share of a question's own words that a fact's sentence must hold to be about the same."""
_ALIKE_BESIDE: Final = 0.6
"""The same where the question means predicates, and the fact is of none of them."""
_LEAST_WORDS: Final = 2
"""Of the question's own words, then: one alone may be a way of speaking."""
_BOTH: Final = 2
"""A fact is about two at most. One word is enough where it is about both that a question names."""
_RESTATED: Final = 0.75
"""Share from which a question says the fact's own sentence, whomever it names besides."""
_MUCH: Final[dict[Language, float]] = {"en": 4, "zh": 8}
"""Words from which a question tells what it is about so fully that it takes more than a predicate.

A Chinese word counts about twice: by its characters and by their pairs.
"""
_OF_NO_PREDICATE: Final = (Kind.HOW, Kind.WHEN)
"""No predicate is worded to answer these: the sentence of any fact may."""
_ALIKE_OF_MUCH: Final = 0.25
"""Share that it takes then."""
_OF_PREDICATE: Final = 0.5
"""What the predicate that is meant adds to the share of the question's words."""
_OF_TEXT: Final = 0.6
"""Share of a free text's words that a question must say to name it."""


class Fit(IntEnum):
    """How a fact fits what a question says beside its names; the higher, the nearer."""

    NOT = 0
    LOOSELY = 1
    """It has somebody, or some place, where the question asks who or where, and says it otherwise."""
    BY_WORDS = 2
    """Its sentence says what the question says, or the question says nothing more."""
    BY_PREDICATE = 3


@dataclass(frozen=True)
class Bearing:
    """How a fact bears on a question."""

    fact: KnownFact
    shared: int
    """How many of those that the question names it is about."""
    fit: Fit
    likeness: float
    """Share of the question's own words that its sentence holds, in [0, 1]."""
    answers: bool
    """Whether it has somebody, or some place, where the question asks who or where."""

    @property
    def is_support(self) -> bool:
        return self.answers and self.fit is not Fit.NOT

    @property
    def rank(self) -> tuple[int, float]:
        """The higher, the nearer: the very words outweigh a predicate that is meant."""
        return (self.shared, self.likeness + _OF_PREDICATE * (self.fit is Fit.BY_PREDICATE))


def bearing(view: CharacterView, asked: Asked, fact: KnownFact) -> Bearing:
    """How one fact bears on a question."""
    ends = [end for end in dict.fromkeys((fact.subject, fact.object)) if _names(view, asked, end)]
    said = asked.content & content_of(fact.statement, view.language)
    alike = share(asked.content, said, view.language)
    topic = _topic(view, asked, ends)
    shared = len(ends) if _is_on_topic(asked, topic, alike) else 0
    if alike >= _RESTATED and _says_much(asked, view.language):
        shared = max(1, len(ends))
    fit = _fit(view, asked, fact, said, topic) if shared else Fit.NOT
    return Bearing(fact, shared, fit, alike, bool(fit) and _answers(view, asked, fact, ends))


class Topic(IntEnum):
    """How much of what a question names a fact is about; of "did you take it?" that is no `you`."""

    NONE = 0
    PART = 1
    WHOLE = 2


def _topic(view: CharacterView, asked: Asked, ends: list[str]) -> Topic:
    """Of "why did you do that?" nothing is: it does not say what."""
    others = [entity for entity in asked.entities if entity != view.me]
    if asked.kind is Kind.WHY and not (others or asked.content or asked.is_by_words):
        return Topic.NONE
    on_topic = [end for end in ends if end != view.me] if others else ends
    if not on_topic:
        return Topic.NONE
    return Topic.WHOLE if len(on_topic) >= min(_BOTH, len(others)) else Topic.PART


def _is_on_topic(asked: Asked, topic: Topic, alike: float) -> bool:
    """Why something is so asks about one thing that is so, and thus about all that it names."""
    if asked.kind is Kind.WHY and alike < _ALIKE:
        return topic is Topic.WHOLE
    return topic is not Topic.NONE


def _says_much(asked: Asked, language: Language) -> bool:
    return size(asked.content, language) >= _MUCH[language]


def _fit(view: CharacterView, asked: Asked, fact: KnownFact, said: Content, topic: Topic) -> Fit:
    """The fit of a fact whose sentence has `said` of the question's own words."""
    alike = share(asked.content, said, view.language)
    if fact.predicate in asked.predicates and asked.is_by_words:
        enough = alike >= _ALIKE_OF_MUCH or not _says_much(asked, view.language)
        return Fit.BY_PREDICATE if enough else Fit.NOT
    if fact.predicate == SAID_ABOUT and alike > 0:  # whatever fits no predicate may be this
        return Fit.BY_WORDS
    if asked.is_by_words and asked.kind not in _OF_NO_PREDICATE:
        of_both = topic is Topic.WHOLE and len(asked.entities) >= _BOTH
        words = size(said, view.language)
        enough = alike >= _ALIKE_BESIDE and (words >= _LEAST_WORDS or of_both)
    else:
        enough = not asked.content or alike >= (_ALIKE if topic is Topic.WHOLE else _RESTATED)
    return Fit.BY_WORDS if enough else _loosely(view, asked, fact, topic)


def _loosely(view: CharacterView, asked: Asked, fact: KnownFact, topic: Topic) -> Fit:
    """Whether a fact that says otherwise than was asked who or where is the nearest there is."""
    if topic is not Topic.WHOLE or asked.is_exact:
        return Fit.NOT
    if asked.kind is Kind.WHO and not asked.is_by_words:
        return Fit.LOOSELY if _is_about_doer(view, asked, fact) else Fit.NOT
    # Where somebody was last seen is no answer to where they hid or went.
    was_seen = fact.predicate == LOCATED_IN and view.kind_of(fact.subject) == "character"
    is_nearest = asked.kind is Kind.WHERE and not (asked.is_by_words and was_seen)
    return Fit.LOOSELY if is_nearest else Fit.NOT


def _is_about_doer(view: CharacterView, asked: Asked, fact: KnownFact) -> bool:
    """Whether a fact has whom is asked after where somebody stands by its predicate.

    Of who posted a packet it says nothing to whom that was sent.
    """
    if fact.subject not in asked.entities:
        return view.subject_kind(fact.predicate) == "character"
    takes_somebody = view.object_kind(fact.predicate) == "character"
    question = view.asks_by(fact.predicate).format(s="|")
    if not question:
        return takes_somebody
    is_of_doer = cues.asks_for_doer(question, view.language)
    after = view.asked_after(fact.predicate) == "person"
    return takes_somebody or (after and is_of_doer >= asked.is_of_doer)


def _is_inward(view: CharacterView, asked: Asked, fact: KnownFact) -> bool:
    """Whether a fact says what goes on in the mind of whom is asked about: the rest is no answer to that."""
    if fact.subject not in asked.entities:
        return False
    wordings = view.wordings.get(fact.predicate, ())
    said = (fact.statement, fact.object if view.kind_of(fact.object) == "text" else "", *wordings)
    return any(is_of_mind(text, view.language) for text in said)


def _names(view: CharacterView, asked: Asked, end: str) -> bool:
    if end in asked.entities:
        return True
    if view.kind_of(end) != "text" or asked.is_foreign:
        return False
    wanted = content_of(end, view.language)
    return bool(wanted) and share(wanted, asked.content, view.language) >= _OF_TEXT


def _answers(view: CharacterView, asked: Asked, fact: KnownFact, ends: list[str]) -> bool:
    if asked.is_foreign:
        return True
    if asked.is_inward and not _is_inward(view, asked, fact):
        return False
    others = [end for end in (fact.subject, fact.object) if end not in ends]
    if asked.kind is Kind.WHO and (asked.content or asked.predicates):
        return not others or any(_may_be_somebody(view, fact, end) for end in others)
    if asked.kind is Kind.WHERE:
        return tells_where(view, fact.predicate)
    return True


def _may_be_somebody(view: CharacterView, fact: KnownFact, end: str) -> bool:
    kind = view.kind_of(end)
    if kind in ("character", "entity"):
        return True
    takes = view.object_kind(fact.predicate) if end == fact.object else ""
    return kind == "text" and (takes == "character" or view.asked_after(fact.predicate) == "person")


def bearings(view: CharacterView, asked: Asked, facts: Iterable[KnownFact]) -> list[Bearing]:
    """Those that support an answer, the nearest first; of two named, facts about both go alone."""
    found = [one for one in (bearing(view, asked, f) for f in facts) if one.is_support]
    most = max((one.shared for one in found), default=0)
    closely = any(one.fit is not Fit.LOOSELY for one in found)
    found = [one for one in found if one.shared == most and (one.fit > Fit.LOOSELY) is closely]
    return sorted(found, key=lambda one: (one.rank, one.fact.learned_turn), reverse=True)
