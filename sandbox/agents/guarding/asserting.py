"""Whether a sentence flatly asserts of the world what its speaker holds from no source.

Two ways lead to a finding. A wording of a predicate matches, and the speaker holds no value of that subject
and predicate. Or, without a wording, the sentence says a good deal of whom and what the world has names for,
and nothing that the speaker holds is like it. In doubt it passes: a false alarm costs a good line.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from sandbox.agents.guarding.features import features_of
from sandbox.agents.guarding.holdings import Holdings, Support, entities_in, name_features
from sandbox.agents.guarding.moods import (
    LOOKS,
    NOBODY,
    OPINION,
    OWN_DOING,
    plainly,
)
from sandbox.agents.guarding.roles import roles_in
from sandbox.story.ids import PredicateId
from sandbox.story.items import Language
from sandbox.story.predicates import ALIVE, HELD_BY, IS_NAMED, LOCATED_IN, STATE
from sandbox.story.telling.mood import Segment
from sandbox.story.telling.names import CODE, SUBJECT
from sandbox.story.telling.reading import Reading
from sandbox.story.view import CharacterView

Topic = tuple[str, PredicateId]
"""Subject and predicate."""
Ways = tuple[Topic, ...]
"""What is said, as a topic, and where its predicate has an inverse the same turned round."""


@dataclass(frozen=True)
class _Enough:
    """Set on the development half of the marked lines, and on the worlds' own sentences (docs/guard.md)."""

    worded: float
    """Support from which on a sentence passes whose wording says what is not held."""
    loose: float
    """The same where no wording matches, the share of what is said added `share` times."""
    share: float
    worldly: float
    """How much it must be about the world to be judged at all, where a word may stand for a predicate."""
    wordless: float
    """The same where no word may."""


_WORD: Final = 0.6
"""A word of a name, beside 1 for somebody or something named."""
_ROLE: Final = 0.7
"""Somebody meant by what it is."""
_OTHER: Final[dict[Language, float]] = {"en": 0.2, "zh": 0.1}
"""Any other word of content, whatever it means: what is true must not count more."""
_MOST_OTHERS: Final = 5
_LEAST_WORDS: Final = 2
"""Of content: fewer say nothing by themselves."""
_CALL: Final = re.compile(rf"{CODE}(?: {CODE})?")
_CLAUSES: Final = re.compile(r"[|&]")
_DENIED: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"(?<!\S)(?:not|never|neither|nobody)(?!\S)"),
    "zh": re.compile(r"(?:不|没有?|未)(?:曾|是|在|会|能|肯|敢)?[^\W\d]"),
}
"""A clause that says what is not so: what is denied is no value of anything."""
_BEARERS: Final = ("character", "entity", "organisation")
"""Of whose Chinese names the first character may stand for the house: 祝家."""
_MOST_LOOKS: Final = 4
"""Words of content that it takes to say how somebody looks."""
_MOST_OF_LIE: Final = 2
"""Others named by a lie beside its own words."""
_HALF: Final = 0.5
_VERBATIM: Final = 0.9
"""Share from which on a sentence is one of the speaker's own texts."""
_SEEN: Final = (LOCATED_IN, HELD_BY, STATE, ALIVE)
"""Predicates of what anybody sees."""
_ENOUGH: Final[dict[Language, _Enough]] = {
    "en": _Enough(worded=3.0, loose=2.6, share=2.0, worldly=1.6, wordless=2.2),
    "zh": _Enough(worded=3.0, loose=3.8, share=4.0, worldly=1.4, wordless=2.2),
}


@dataclass(frozen=True)
class Claimed:
    """What the asserted parts of one sentence come to."""

    coded: str
    whole: str
    """With the clauses that it leaves open."""
    topics: frozenset[Ways]
    entities: frozenset[str]
    features: frozenset[str]
    worldly: float
    support: Support


@dataclass
class Asserting:
    """One speaker's sentences, in order."""

    view: CharacterView
    reading: Reading
    holdings: Holdings

    _is_after_own: bool = False
    """Whether the sentence before said what the speaker holds."""

    def is_ungrounded(self, sentence: str) -> bool:
        """Whether the next sentence asserts what its speaker does not hold."""
        is_after_own, self._is_after_own = self._is_after_own, False
        claimed = self.claimed(sentence)
        if claimed is None:
            return False
        support = claimed.support
        self._is_after_own = support.weight >= _LEAST_WORDS and support.share >= _HALF
        is_more_of_it = is_after_own and claimed.worldly < _ENOUGH[self.view.language].wordless
        return not is_more_of_it and self._is_found(claimed, sentence)

    def _is_found(self, claimed: Claimed, sentence: str) -> bool:
        enough, support = _ENOUGH[self.view.language], claimed.support
        is_held = any(self._holds(w) for w in claimed.topics if w[0][1] not in _SEEN)
        if not is_held and any(not self._holds(ways) for ways in claimed.topics):
            is_long = len(claimed.features) > _LEAST_WORDS
            is_its_own = is_long and support.share >= _VERBATIM and support.names_all
            return support.weight < enough.worded and not is_its_own
        if is_held or len(claimed.features) < _LEAST_WORDS:
            return False
        needed = enough.worldly if claimed.features & self._all_cues else enough.wordless
        if claimed.worldly < needed or OPINION[self.view.language].search(sentence):
            return False
        if self._is_own_doing(claimed) or self._is_seen(claimed) or self._may_lie(claimed):
            return False
        return support.weight + enough.share * support.share < enough.loose

    def _is_seen(self, claimed: Claimed) -> bool:
        """Whether it says how somebody is who stands before the speaker, or speaks of nobody in particular."""
        if NOBODY[self.view.language].search(claimed.coded):
            return True
        code_of = self.reading.named.code_of
        here = [code_of[p.id] for p in self.view.people] + [
            code_of.get(self.reading.addressee or "", "")
        ]
        seen = {ord(code): SUBJECT for code in here if code}
        is_more = len(claimed.features) > _MOST_LOOKS
        if not seen or is_more or not claimed.entities <= {*self.reading.named.persons}:
            return False
        marked = claimed.coded.translate(seen)
        return LOOKS[self.view.language].match(marked) is not None

    def _is_own_doing(self, claimed: Claimed) -> bool:
        """Whether it tells what the speaker itself does, has or is: that it holds by being there."""
        own = self.reading.named.code_of[self.view.me]
        people = {ord(self.reading.named.code_of[id_]): "@" for id_ in self.reading.named.persons}
        marked = claimed.coded.replace(own, "I").translate(people)
        return OWN_DOING[self.view.language].search(marked) is not None

    def _may_lie(self, claimed: Claimed) -> bool:
        """Whether it may be another value of what the speaker holds: it shares a word of the predicate."""
        about = entities_in(claimed.whole, self.reading)
        if len(about - {self.view.me, self.reading.addressee or ""}) > _MOST_OF_LIE:
            return False
        features = features_of(claimed.whole, self.view.language)
        return any(
            subject in about and not features.isdisjoint(self._cues(predicate))
            for subject, predicate in self.holdings.topics
            if predicate not in _SEEN
        )

    @property
    def _all_cues(self) -> frozenset[str]:
        """Features of all wordings of all predicates."""
        kept: frozenset[str] | None = self.reading.shared.get("all cues")
        if kept is None:
            texts = (w.format(s="", o="") for ws in self.view.wordings.values() for w in ws)
            coded = (self.reading.coded(text) for text in texts)
            kept = frozenset[str]().union(*(features_of(c, self.view.language) for c in coded))
            self.reading.shared["all cues"] = kept
        return kept

    def _cues(self, predicate: PredicateId) -> frozenset[str]:
        """What a predicate is about: features that more than one of its wordings has."""
        kept: dict[PredicateId, frozenset[str]] = self.reading.shared.setdefault("cues", {})
        if predicate not in kept:
            wordings = self.view.wordings.get(predicate, ())
            if (inverse := self.view.inverse_of(predicate)) not in (None, predicate):
                wordings += self.view.wordings.get(inverse, ())
            texts = (wording.format(s="", o="") for wording in wordings)
            coded = (self.reading.coded(text) for text in texts)
            all_ = Counter(f for one in coded for f in features_of(one, self.view.language))
            said = frozenset(f for f, seen in all_.items() if seen > 1)
            kept[predicate] = said - self._vocabulary
        return kept[predicate]

    def claimed(self, sentence: str) -> Claimed | None:
        """What it asserts. None: nothing."""
        sentence = plainly(sentence, self.view.language)
        parts = [p for p in self.reading.segments(sentence) if p.is_asserted and not p.is_guess]
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
        features = features_of(whole, self.view.language)
        return Claimed(
            coded=coded,
            whole=whole,
            topics=self._topics(parts, coded),
            entities=entities,
            features=features,
            worldly=self._worldly(plain),
            support=self.holdings.support(features, entities, others),
        )

    def _topics(self, parts: list[Segment], coded: str) -> frozenset[Ways]:
        """Subjects and predicates of which it says something, by wordings."""
        me = self.view.me
        matches = [m for part in parts for m in self.reading.matches(part) if not m.is_denied]
        mine = {(m.subject, m.predicate) for m in matches if m.object == me}
        found: set[Ways] = set()
        for match in matches:
            inverse = self.view.inverse_of(match.predicate)
            turned = ((match.object, inverse),) if inverse is not None else ()
            found.add(((match.subject, match.predicate), *turned))
        worded = {ways[0] for ways in found}
        found |= {(topic,) for topic in self.reading.open_matches(coded) if topic not in worded}
        is_of_nobody = NOBODY[self.view.language].search(coded) is not None
        return frozenset(
            ways
            for ways in found
            if ways[0][0] != me
            and ways[0] not in mine
            and not (is_of_nobody and self.view.object_kind(ways[0][1]) == "character")
        )

    def _holds(self, ways: Ways) -> bool:
        """Whether the speaker holds any value there, so that what it says may be a lie."""
        if not self.holdings.topics.isdisjoint(ways):
            return True
        subject, predicate = ways[0]
        if predicate == IS_NAMED:
            return subject not in self.view.names.strangers
        if predicate in _SEEN:
            return self._has_seen(subject)
        return False

    def _has_seen(self, id_: str) -> bool:
        seen = {*(p.id for p in self.view.people), *(t.id for t in self.view.things)}
        return id_ in seen or any(
            (id_, predicate) in self.holdings.topics for predicate in (LOCATED_IN, HELD_BY)
        )

    def _worldly(self, coded: str) -> float:
        """How much a sentence is about whom and what the world has names for."""
        others = entities_in(coded, self.reading) - {self.view.me, self.reading.addressee or ""}
        features = features_of(coded, self.view.language)
        named = frozenset[str]().union(*(name_features(self.reading, id_) for id_ in others))
        rest = features - named
        words = rest & self._vocabulary
        return (
            len(others)
            + _WORD * len(words)
            + _ROLE * roles_in(coded, self.view.language)
            + _OTHER[self.view.language] * min(len(rest - words), _MOST_OTHERS)
        )

    @property
    def _vocabulary(self) -> frozenset[str]:
        """Features of all names of the world's people, places and things."""
        kept: frozenset[str] | None = self.reading.shared.get("vocabulary")
        if kept is None:
            ids = self.reading.named.kinds
            kept = frozenset[str]().union(*(name_features(self.reading, id_) for id_ in ids))
            if self.view.language == "zh":
                kinds, names = self.reading.named.kinds, self.reading.named.names
                first = {n[0] for id_, k in kinds.items() if k in _BEARERS for n in names[id_]}
                kept = frozenset(f for f in kept if len(f) > 1 or f in first)
            self.reading.shared["vocabulary"] = kept
        return kept


def _is_a_call(clause: str) -> bool:
    """Whether a clause in code is no more than somebody's name: then that one is called by it."""
    return _CALL.fullmatch(clause) is not None
