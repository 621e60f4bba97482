"""How much a text is about whom and what the world has names for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sandbox.agents.guarding.features import features_of, meanings_of
from sandbox.agents.guarding.holdings import entities_in, name_features
from sandbox.agents.guarding.roles import roles_in
from sandbox.story.items import Language
from sandbox.story.telling.reading import Reading
from sandbox.story.view import CharacterView

_WORD: Final = 0.6
"""A word of a name, beside 1 for somebody or something named."""
_ROLE: Final = 0.7
"""Somebody meant by what it is."""
_OTHER: Final[dict[Language, float]] = {"en": 0.2, "zh": 0.1}
"""Any other word of content, whatever it means: what is true must not count more."""
_MOST_OTHERS: Final = 5
_BEARERS: Final = ("character", "entity", "organisation")
"""Of whose Chinese names the first character may stand for the house: 祝家."""


def worldly(coded: str, view: CharacterView, reading: Reading) -> float:
    """What a text in code counts that `view`'s character says; speaker and addressee are no part of the world."""
    language = view.language
    others = entities_in(coded, reading) - {view.me, reading.addressee or ""}
    named = frozenset[str]().union(*(name_features(reading, id_) for id_ in others))
    rest = [word for word in meanings_of(coded, language) if word.isdisjoint(named)]
    vocabulary = _kept(reading, "vocabulary", lambda: _vocabulary(reading, language))
    words = [word for word in rest if not word.isdisjoint(vocabulary)]
    more = min(len(rest) - len(words), _MOST_OTHERS)
    roles = roles_in(coded, language)
    return len(others) + _WORD * len(words) + _ROLE * roles + _OTHER[language] * more


def cues_of(view: CharacterView, reading: Reading) -> frozenset[str]:
    """Features of all wordings of all predicates: words that may stand for one."""
    return _kept(reading, "all cues", lambda: _cues(view, reading))


def _kept(reading: Reading, name: str, made: Callable[[], frozenset[str]]) -> frozenset[str]:
    """Made once for a canon."""
    if name not in reading.shared:
        reading.shared[name] = made()
    found: frozenset[str] = reading.shared[name]
    return found


def _cues(view: CharacterView, reading: Reading) -> frozenset[str]:
    texts = (w.format(s="", o="") for wordings in view.wordings.values() for w in wordings)
    features = (features_of(reading.coded(text), view.language) for text in texts)
    return frozenset[str]().union(*features)


def _vocabulary(reading: Reading, language: Language) -> frozenset[str]:
    """Features of all names of the world's people, places and things."""
    kinds, names = reading.named.kinds, reading.named.names
    found = frozenset[str]().union(*(name_features(reading, id_) for id_ in kinds))
    if language == "en":
        return found
    first = {n[0] for id_, kind in kinds.items() if kind in _BEARERS for n in names[id_]}
    return frozenset(f for f in found if len(f) > 1 or f in first)
