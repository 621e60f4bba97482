"""Wordings in the first and second person: how somebody says of itself, or of its listener, what a predicate says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sandbox.story.items import Language

_BEFORE: Final = re.compile(r"[\w']*(?=\W*$)")
_AFTER: Final = re.compile(r"(?: [\w']+){0,2}")
_PREPOSITIONS: Final = frozenset({
    "about", "after", "against", "at", "before", "behind", "beside", "between", "by", "down", "for",
    "from", "in", "into", "near", "of", "off", "on", "out", "over", "to", "under", "up", "upon",
    "with",
})  # fmt: skip
"""After these English says "me", and often not even that: such a wording is passed over."""
_ADVERBS: Final = frozenset({
    "also", "always", "just", "never", "now", "often", "once", "only", "still", "then",
})  # fmt: skip
_CLAUSE: Final = frozenset({"", "that", "what", "who", "when", "where", "because", "since", "and"})
"""Words after which a subject follows."""
_IRREGULAR: Final = {"is": ("am", "are"), "has": ("have", "have"), "was": ("was", "were"),
                     "does": ("do", "do"), "goes": ("go", "go")}  # fmt: skip
_PRONOUNS: Final[dict[Language, tuple[tuple[str, str], tuple[str, str]]]] = {
    "en": (("I", "me"), ("you", "you")),
    "zh": (("我", "我"), ("你", "你")),
}


def in_person(
    language: Language, wordings: Sequence[str], persons: dict[str, int]
) -> Iterator[str]:
    """The wordings that can be said with pronouns, those put in.

    Args:
        language: of the wordings.
        wordings: with `{s}` and `{o}`.
        persons: which of `s` and `o` is the speaker (1) or the listener (2).
    """
    for wording in wordings:
        said = _put(language, wording, persons)
        if said is not None:
            yield said


def _put(language: Language, wording: str, persons: dict[str, int]) -> str | None:
    for slot, person in persons.items():
        forms = _PRONOUNS[language][person - 1]
        if language == "zh":
            wording = wording.replace(f"{{{slot}}}", forms[0])
            continue
        wording = _pronounced(wording, f"{{{slot}}}", person, forms)
        if not wording:
            return None
    return wording


def _pronounced(wording: str, slot: str, person: int, forms: tuple[str, str]) -> str:
    """The wording with a pronoun in `slot` and the verb after it to match; empty where none fits."""
    head, found, tail = wording.partition(slot)
    if not found:
        return wording
    word_before, next_words = _BEFORE.search(head), _AFTER.match(tail)
    before = word_before.group().lower() if word_before else ""
    following = next_words.group() if next_words else ""
    words = following.split()
    if before in _PREPOSITIONS or words[:1] == ["and"] or tail[:1] in ("'", "’"):
        return ""
    is_subject = before in _CLAUSE
    if is_subject and words:
        verb = 1 if words[0] in _ADVERBS and len(words) > 1 else 0
        words[verb] = _conjugated(words[verb], person)
    shown = " ".join([forms[0] if is_subject else forms[1], *words])
    return head + shown + tail[len(following) :]


def _conjugated(verb: str, person: int) -> str:
    """A verb of the third person, or a past that is the same in all."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][person - 1]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    is_present = verb.endswith("s") and not verb.endswith("ss")
    return verb[:-1] if is_present else verb
