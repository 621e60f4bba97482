"""All that a character holds from any source, ready for comparing with what it says.

Its facts, what it is to itself and to others, what it lived through, what is before its eyes. A sentence is
supported by one of these texts where the two share enough. How much a shared word says follows from how
many of the character's own texts have it: nothing here depends on what others know.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from sandbox.agents.guarding.features import features_of
from sandbox.story.beats import Detail
from sandbox.story.events import LineSpoken, Whispered
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.known import KnownFact
from sandbox.story.percepts import Percept
from sandbox.story.telling.names import CODE
from sandbox.story.telling.reading import Reading
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.text import CJK
from sandbox.story.view import CharacterView

_NAME_SHARE: Final = 0.6
"""What sharing a word with somebody's or something's name counts, beside sharing one with a sentence."""
_ENTITY: Final = 0.45
"""What naming the same somebody or something counts, where words are shared too."""
_ONE_WORD: Final = 0.6
"""What a single word shared counts: it may be chance."""
_MOST_COMPARED: Final = 200
"""Texts: those with the rarest words of a sentence, in a life of thousands of facts."""
_SEVERAL: Final = 2
_OF_OTHERS: Final = 0.6
"""What likeness counts to a text about others than those whom a sentence names."""
_HAN_WEIGHT: Final = {1: 0.3, 2: 0.6}
"""Of a Chinese character, and of a pair: a word of two counts as three features."""

_CODE: Final = re.compile(CODE)
_CAPITAL: Final = re.compile(r"[A-Z][\w'’-]*\w")
_HAN: Final = re.compile(rf"[{CJK}]")


@dataclass(frozen=True)
class Text:
    """One text of the character's own, or several for the same fact."""

    said: frozenset[str]
    """Features of its words."""
    names: frozenset[str]
    """Features of the names of whom and what it names."""
    entities: frozenset[str]


@dataclass(frozen=True)
class Support:
    """How well a sentence rests on the text that it is most like."""

    weight: float
    """0: on none. 1 is one word that few of the character's texts have."""
    share: float
    """Of what the sentence says, in [0, 1]."""
    names_all: bool = False
    """Whether the text names whomever the sentence names."""


@dataclass
class Holdings:
    """Texts by their features. It grows with the story."""

    texts: list[Text] = field(default_factory=list)
    topics: set[tuple[str, PredicateId]] = field(default_factory=set)
    """Subjects and predicates of which some value is held."""
    words: set[str] = field(default_factory=set)
    """Capitalised words, and in Chinese all texts, that names may have been learned from."""
    _with: dict[str, list[int]] = field(default_factory=dict)
    _naming: dict[str, list[int]] = field(default_factory=dict)
    facts: int = 0
    percepts: int = 0
    episodes: int = 0

    def add(self, text: Text) -> None:
        number = len(self.texts)
        self.texts.append(text)
        for feature in text.said | text.names:
            self._with.setdefault(feature, []).append(number)
        for id_ in text.entities:
            self._naming.setdefault(id_, []).append(number)

    def weight(self, feature: str) -> float:
        """What sharing it says, in [0, 1]: the rarer among one's own texts, the more."""
        seen, all_ = len(self._with.get(feature, ())), max(len(self.texts), 4)
        rarity = min(1.0, math.log1p(all_ / max(seen, 0.5)) / math.log1p(all_ / 2))
        return rarity * (_HAN_WEIGHT.get(len(feature), 1.0) if _HAN.match(feature) else 1.0)

    def total(self, features: frozenset[str]) -> float:
        return math.fsum(self.weight(feature) for feature in sorted(features))

    def support(
        self, features: frozenset[str], entities: frozenset[str], others: frozenset[str]
    ) -> Support:
        """By the text of one's own that is most like what is said.

        Args:
            features: of the words said.
            entities: whom and what they name.
            others: of these the ones that are neither speaker nor addressee.
        """
        weights = {feature: self.weight(feature) for feature in sorted(features)}
        total, best = math.fsum(weights.values()), Support(0.0, 0.0)
        for number in self._likely(weights, others):
            text = self.texts[number]
            found = self._compared(text, weights, entities, others, total)
            if found.weight > best.weight:
                best = found
        return best

    def _compared(
        self,
        text: Text,
        weights: Mapping[str, float],
        entities: frozenset[str],
        others: frozenset[str],
        total: float,
    ) -> Support:
        """How well what is said rests on one text."""
        words = [weights[feature] for feature in text.said & weights.keys()]
        words += [_NAME_SHARE * weights[feature] for feature in text.names & weights.keys()]
        weight = math.fsum(words)  # exact, so that the order of a set does not matter
        share, same = weight / total if total else 0.0, len(others & text.entities)
        if len(words) == 1 and same < _SEVERAL:
            weight *= _ONE_WORD
        elif others and text.entities and text.entities.isdisjoint(entities):
            weight *= _OF_OTHERS
        else:
            weight += _ENTITY * same
        return Support(weight, share, others <= text.entities)

    def _likely(self, weights: Mapping[str, float], others: frozenset[str]) -> Iterable[int]:
        """The texts to compare with: those that name the same several, and those with the rarest words."""
        found = dict.fromkeys(self._about(others) if len(others) > 1 else ())
        for feature in sorted(weights, key=lambda f: (-weights[f], f)):
            if len(found) >= _MOST_COMPARED:
                break
            found |= dict.fromkeys(self._with.get(feature, ()))
        return islice(found, _MOST_COMPARED)

    def _about(self, entities: frozenset[str]) -> Iterator[int]:
        """Texts that name more than one of these."""
        seen = Counter(n for id_ in sorted(entities) for n in self._naming.get(id_, ()))
        return (number for number, times in seen.items() if times >= _SEVERAL)


def holdings_of(view: CharacterView, reading: Reading) -> Holdings:
    """What the character holds by now; made once for it, and growing with the story."""
    kept = reading.memo.get("holdings")
    strangers = view.names.strangers
    if kept is None or kept[0] != strangers:
        kept = reading.memo["holdings"] = (strangers, _first(view, reading))
    found: Holdings = kept[1]
    _grow(found, view, reading)
    return found


def _first(view: CharacterView, reading: Reading) -> Holdings:
    """What does not grow: what it is, to itself and to others, and how it speaks."""
    found = Holdings()
    for text in (*view.looks, *view.secrets_of_self, *view.conduct, *view.goals, *view.gestures):
        _add(found, reading, text, view.me)
    for other, text in view.relations:
        _add(found, reading, text, view.me, other)
    for pattern in view.patterns.values():
        for text in (*view.samples(pattern), *view.lead_ins(pattern)):
            _add(found, reading, text, view.me)
    for want in view.wants:
        found.words |= _names_in(want.question)
    return found


def _grow(found: Holdings, view: CharacterView, reading: Reading) -> None:
    if len(view.known) > found.facts:
        for fact in islice(view.known, found.facts, None):
            _add_fact(found, view, reading, fact)
    found.facts = len(view.known)
    for percept in view.percepts[found.percepts :]:
        _add_percept(found, view, reading, percept)
    found.percepts = len(view.percepts)
    for episode in islice(view.episodes, found.episodes, None):
        _add(found, reading, episode.text, view.me)
    found.episodes = len(view.episodes)


def _add_fact(found: Holdings, view: CharacterView, reading: Reading, fact: KnownFact) -> None:
    """A fact with all its sentences, and of what it is."""
    teller = fact.source or ""
    said = [reading.coded(fact.statement, teller)]
    said.append(reading.coded(view.voiced(fact.handle), view.me))
    if fact.subject != view.me and view.kind_of(fact.subject) == "character":
        said.append(
            reading.coded(
                view.voiced(fact.handle, CharacterId(fact.subject)), view.me, fact.subject
            )
        )
    for wording in view.wordings.get(fact.predicate, ()):
        if "?" not in wording and "？" not in wording:
            said.append(reading.coded(wording.format(s="", o="")))
    code_of = reading.named.code_of
    said.append("".join(code_of.get(id_, "") for id_ in (fact.subject, fact.object)))
    if fact.object not in code_of:
        said.append(reading.coded(fact.object))
    _add_coded(found, reading, said)
    found.topics.add((fact.subject, fact.predicate))
    if (inverse := view.inverse_of(fact.predicate)) is not None:
        found.topics.add((fact.object, inverse))
    found.words |= _names_in(fact.statement) | _names_in(fact.object)


def _add_percept(found: Holdings, view: CharacterView, reading: Reading, percept: Percept) -> None:
    """What it perceived. Of a line of another's what was asserted; its own lines prove nothing."""
    line = percept.event
    if not isinstance(line, LineSpoken | Whispered) or percept.detail is not Detail.FULL:
        _add(found, reading, view.worded(percept), view.me)
        return
    found.words |= _names_in(line.words)
    if line.actor != view.me:
        for coded in reading.heard(line.words, line.actor, line.targets):
            _add_coded(found, reading, [coded])


def entities_in(coded: str, reading: Reading) -> frozenset[str]:
    """Ids of whom and what a text in code names."""
    id_of = reading.named.id_of
    return frozenset(id_of[code] for code in _CODE.findall(coded) if code in id_of)


def name_features(reading: Reading, id_: str) -> frozenset[str]:
    """Features of what somebody or something is called."""
    kept: dict[str, frozenset[str]] = reading.shared.setdefault("names", {})
    if id_ not in kept:
        names = reading.named.names.get(id_, ())
        language = reading.named.canon.language
        kept[id_] = frozenset[str]().union(*(features_of(n.casefold(), language) for n in names))
    return kept[id_]


def _names_in(text: str) -> set[str]:
    return {text} if _HAN.search(text) else set(_CAPITAL.findall(text))


def _add(
    found: Holdings, reading: Reading, text: str, speaker: str, addressee: str | None = None
) -> None:
    found.words |= _names_in(text)
    for sentence in spoken_sentences(text):
        _add_coded(found, reading, [reading.coded(sentence, speaker, addressee)])


def _add_coded(found: Holdings, reading: Reading, coded: Sequence[str]) -> None:
    language = reading.named.canon.language
    entities = entities_in(" ".join(coded), reading)
    said = frozenset[str]().union(*(features_of(one, language) for one in coded))
    names = frozenset[str]().union(*(name_features(reading, id_) for id_ in entities))
    found.add(Text(said, names - said, entities))
