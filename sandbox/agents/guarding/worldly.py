"""How much a text is about whom and what the world has names for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sandbox.agents.guarding.features import features_of, meanings_of
from sandbox.agents.guarding.holdings import name_features
from sandbox.agents.guarding.moods import OWN_DOING
from sandbox.agents.guarding.roles import roles_in
from sandbox.story.telling.reading import Reading
from sandbox.story.view import CharacterView

_WORD: Final = 0.6
"""A word of a name, beside 1 for somebody or something named."""
_ROLE: Final = 0.7
"""Somebody meant by what it is."""
_MOST_OTHERS: Final = 5
_BEARERS: Final = ("character", "entity", "organisation")
"""Of whose Chinese names the first character may stand for the house: 祝家."""


def worldly(
    coded: str, reading: Reading, others: frozenset[str], vocabulary: frozenset[str], other: float
) -> float:
    """What a text in code counts.

    Args:
        coded: the text.
        reading: its speaker's.
        others: whom and what it names that count: who speaks is no part of the world.
        vocabulary: features of which a word is one of a name's.
        other: what any other word of content counts, whatever it means: what is true must not count more.
    """
    named = frozenset[str]().union(*(name_features(reading, id_) for id_ in others))
    language = reading.named.canon.language
    rest = [word for word in meanings_of(coded, language) if word.isdisjoint(named)]
    words = [word for word in rest if not word.isdisjoint(vocabulary)]
    more = min(len(rest) - len(words), _MOST_OTHERS)
    return len(others) + _WORD * len(words) + _ROLE * roles_in(coded, language) + other * more


def is_own_doing(coded: str, reading: Reading, speaker: str) -> bool:
    """Whether it tells what the speaker itself does, has or is: that it holds by being there."""
    named = reading.named
    people = {ord(named.code_of[id_]): "@" for id_ in named.persons}
    marked = coded.replace(named.code_of[speaker], "I").translate(people)
    return OWN_DOING[named.canon.language].search(marked) is not None


def vocabulary_of(reading: Reading) -> frozenset[str]:
    """Features of all names of the world; of Chinese characters those alone that may stand for a house."""
    return _kept(reading, "vocabulary", lambda: _vocabulary(reading))


def long_vocabulary_of(reading: Reading) -> frozenset[str]:
    """The same without any single Chinese character."""
    return _kept(reading, "long vocabulary", lambda: _features(reading, is_long=True))


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


def _vocabulary(reading: Reading) -> frozenset[str]:
    kinds, names = reading.named.kinds, reading.named.names
    first = {n[0] for id_, kind in kinds.items() if kind in _BEARERS for n in names[id_]}
    return _features(reading, is_long=True) | (first & _features(reading, is_long=False))


def _features(reading: Reading, *, is_long: bool) -> frozenset[str]:
    """Features of all names of the world's people, places and things."""
    is_any = not is_long or reading.named.canon.language == "en"
    found = (name_features(reading, id_) for id_ in reading.named.kinds)
    return frozenset(f for one in found for f in one if is_any or len(f) > 1)
