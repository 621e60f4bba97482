"""A mood is a feeling: a word or a few, that name nobody and nothing and say nothing of anybody."""

from __future__ import annotations

import re
from typing import Final

from sandbox.agents.guarding.features import features_of
from sandbox.agents.guarding.thoughts import has_tags
from sandbox.agents.guarding.worldly import long_vocabulary_of
from sandbox.story.telling.english import words_of
from sandbox.story.text import CJK
from sandbox.story.view import CharacterView

_MOST_WORDS: Final = 3
_MOST_CHARACTERS: Final = 6
_WORD: Final = re.compile(rf"[{CJK}]|[^\W\d_{CJK}]+(?:['’-][^\W\d_{CJK}]+)*")
_HAN: Final = re.compile(rf"[{CJK}]")
_CLAUSE: Final = re.compile(r"[,.;:!?()\[\]{}<>\"“”「」，。；：！？（）、=#|/\\]|\d")
_PEOPLE: Final = words_of(
    "i me my you your he him his she her it its we us our they them their who that this those these which"
    " what where somebody nobody is was are were has have had did does"
)
_PEOPLE_ZH: Final = re.compile(r"[我你您他她它咱俺谁这那是]|有人|某人")
_NAME: Final = re.compile(r"(?<!^)\b[A-Z]")


def mood_in(view: CharacterView, text: str) -> str:
    """The mood that a text names; empty where it is more than a feeling, or none."""
    mood = text.strip(" \t.。'\"“”")
    words = _WORD.findall(mood)
    is_long = len(words) > (_MOST_CHARACTERS if _HAN.search(mood) else _MOST_WORDS)
    if not words or is_long or has_tags(mood) or _CLAUSE.search(mood) or _NAME.search(mood):
        return ""
    is_of_somebody = not _PEOPLE.isdisjoint(word.casefold() for word in words)
    if is_of_somebody or _PEOPLE_ZH.search(mood) or _is_of_the_world(view, mood):
        return ""
    return mood


def _is_of_the_world(view: CharacterView, mood: str) -> bool:
    """Whether it has a name, or a word of one, in it; alone, an ordinary word may be one of a name's too."""
    reading = view.reading(())
    if view.language == "en" and mood.isalpha() and mood.islower():
        return mood in reading.named.by_name
    if any(len(name[0]) > 1 for name in reading.named.pattern.finditer(mood)):
        return True
    said = features_of(reading.coded(mood), view.language)
    return view.language == "en" and not said.isdisjoint(long_vocabulary_of(reading))
