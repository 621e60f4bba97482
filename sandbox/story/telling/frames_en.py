"""English wordings as patterns: voice, order, inflection, particles and gaps loosened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sandbox.story.telling import english
from sandbox.story.telling.names import CODE, OBJECT, SUBJECT, stranger_of
from sandbox.story.telling.way import Way

_MOST_WAYS = 12
"""Of one wording, so that no world's list of wordings grows without bound."""
_ROLES = (SUBJECT, OBJECT)
_TAKE: Final = english.kindred(english.stem("take"))
_AS_LIKE = {
    "in": "(?:in|inside|within|into)",
    "to": "(?:to|into|toward|towards|through|up|down)",
    "be": "(?:be|'s|get|become)",
    "at": "(?:at|in|on)",
    "over": "(?:over|for)",
}
_BARRED = "|".join(
    sorted(
        english.SUBJECTS
        | english.words_of("of for with from on in at by to about be when while where")
    )
)
"""No gap holds these: they would make it another subject, or another relation."""
_FREE = rf"(?!(?:{_BARRED}) )[^\s|&\U000f0000-\U0010fffd]+ "
_PREPOSITION = "|".join(sorted(english.PREPOSITIONS))
_GAP = rf" (?:{_FREE}){{0,3}}(?:by {CODE} )?(?:{CODE} 's )?"
_AFTER_SUBJECT = rf" (?:{_FREE}){{0,4}}(?:(?:{_PREPOSITION}) {CODE} )?(?:& (?:{_FREE})?)?"
_TIGHT = (
    " (?:(?:'s|then|down|up|out|over|back|away|off|safe|right|somewhere|not|never|no|long|longer) ){0,2}"
    rf"(?:{CODE} 's )?"
)
_LIGHT = english.words_of("be have get in at on with of by inside 's")
_NO_OWNER = r"(?! 's [^|&\s])"
"""Whose something is, is not what it is about."""


def even(coded: str) -> str:
    """Code with one stem for all words of one meaning."""
    return " ".join(map(english.kindred, coded.split(" ")))


def english_ways(coded: str, text: str | None) -> Iterator[Way]:
    """The ways of one wording in code; `text` stands for the object, unless that is somebody or something."""
    if text is None and OBJECT not in coded:
        return
    fixed = even(text).split(" ") if text else []
    for way in _orders(even(coded)):
        words = [token for token in way if token not in _ROLES]
        needs = [w for w in (*words, *fixed) if w not in _AS_LIKE and not re.match(CODE, w)]
        denials = sum(word in english.NEGATORS for word in words)
        yield Way(_pattern(way, fixed), frozenset(needs), denials)


def _orders(coded: str) -> list[tuple[str, ...]]:
    tokens = [token for token in coded.split(" ") if token and token != "|"]
    while tokens and tokens[0] in ("somebody", "someone", "it", "be"):
        tokens = tokens[1:]
    ways = [tokens, *_voices(tokens), *_fronted(tokens)]
    if len(tokens) > 4 and tokens[1] == "be" and tokens[-2] in english.PREPOSITIONS - {"by"}:
        ways.append([tokens[0], *tokens[2:]])  # `a packet gone from the bag`
    ways += [other for way in ways if "put" in way and "out" in way for other in _put_out(way)]
    return list(dict.fromkeys(map(tuple, ways)))[:_MOST_WAYS]


def _voices(tokens: list[str]) -> Iterator[list[str]]:
    """The passive of an active wording, the active of a passive one, and both as relative clauses."""
    if len(tokens) < 3 or tokens[0] not in _ROLES or tokens[-1] not in _ROLES:
        return
    first, middle, last = tokens[0], tokens[1:-1], tokens[-1]
    if middle[0] == "be" and middle[-1] == "by":
        agent, verb, patient = last, middle[1:-1], first
        yield [agent, *verb, patient]
    elif middle[0] == "put" or english.is_content(middle[0]):
        agent, verb, patient = first, middle, last
        yield [patient, "be", *verb, "by", agent]
    else:
        return
    yield [patient, agent, *verb]
    if verb == [_TAKE]:
        yield [agent, "have", patient, "out"]
        yield [agent, "get", "hold", "of", patient]


def _fronted(tokens: list[str]) -> Iterator[list[str]]:
    """`in O the S is hidden` for `S is hidden in O`."""
    if len(tokens) > 3 and tokens[-1] in _ROLES and tokens[-2] in english.PREPOSITIONS:
        yield [tokens[-2], tokens[-1], *tokens[:-2]]


def _put_out(way: list[str]) -> Iterator[list[str]]:
    """`put X out`, `blow out X` and `blow X out` for `put out X`."""
    at = way.index("out")
    if at + 1 < len(way) and way[at + 1] in _ROLES:
        yield [*way[:at], way[at + 1], "out", *way[at + 2 :]]
    yield ["blow" if token == "put" else token for token in way if token != "out"]


def _pattern(way: Sequence[str], text: list[str]) -> str:
    words = [token for token in way if token not in _ROLES]
    # Without a word of its own only what stands close together counts: "Tobin is in the cellar".
    is_tight = _LIGHT.issuperset(words)
    built = ""
    for number, token in enumerate(way):
        if number and token in _ROLES and way[number - 1] in _ROLES:
            built += " "  # `the packet Tobin took`
        elif number:
            loose = _AFTER_SUBJECT if number == 1 and way[0] in _ROLES else _GAP
            built += _TIGHT if is_tight else loose
        built += _piece(token, text, is_first=not number)
    ending = r"(?! out\b)" if list(way) == [OBJECT, "have", SUBJECT] else ""
    if _TAKE in way and way[-1] in _ROLES and "by" not in way:
        ending = r"(?! (?:to|into|home|back|for|up|down)\b)"  # `took the lamp to the cellar`
    return rf"(?<!\S){built}(?!\S){ending}"


def _piece(token: str, text: list[str], *, is_first: bool) -> str:
    if token == OBJECT and text:
        return " ".join(map(_either_name, text))
    if token in _ROLES:
        group = f"(?P<{'s' if token == SUBJECT else 'o'}>{CODE})"
        return group if is_first else group + _NO_OWNER
    return _AS_LIKE.get(token) or re.escape(token)


def _either_name(token: str) -> str:
    """A name also where its speaker does not know whose it is."""
    return f"[{token}{stranger_of(token)}]" if re.fullmatch(CODE, token) else re.escape(token)
