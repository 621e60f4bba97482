"""What a deed tells beside what is done: what it writes, spells out, reads or knows, and its clauses about others.

A deed is told without its subject: "writes on the slate that the boat is gone". What its doer plainly does is
before the eyes of all who are there; what it tells is somebody's word, as a line is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sandbox.agents.guarding.verbs import (
    BESIDE,
    EDGES,
    KNOWING,
    NOUN,
    OPENERS,
    OWN,
    REPORT,
    TELLING,
    WHITHER,
)
from sandbox.story.items import Language

_QUOTES: Final = re.compile('["“”«»「」『』]')
_BEGIN, _END = "“«「『", "”»」』"


@dataclass(frozen=True)
class Part:
    """A clause of a deed, or a part of one."""

    text: str
    is_told: bool
    """Whether it is told, and not plainly done."""


def parts_of(action: str, language: Language) -> Iterator[Part]:
    """What a deed does and what it tells, in turn; what it tells in one breath is one part."""
    for is_told, run in groupby(_each(action, language), key=lambda part: part.is_told):
        joint = ", " if language == "en" else "，"
        yield Part(joint.join(part.text for part in run), is_told)


def clauses_of(text: str, language: Language) -> Iterator[str]:
    """What stands between the marks and the joining words of a text."""
    return (clause for _, clause in _clauses(text, language))


def with_told_apart(clauses: Iterable[str], language: Language) -> Iterator[str]:
    """The clauses, those parted that say by a verb of telling what their subject says or knows."""
    for clause in clauses:
        verb = TELLING[language].search(clause)
        yield clause[: verb.end()] if verb else clause
        if verb and (told := clause[verb.end() :].strip()):
            yield told


def is_reported(text: str, language: Language) -> bool:
    """Whether a sentence tells what was said or asked, and not what its teller came to know."""
    return REPORT[language].search(text) is not None and not is_known(text, language)


def is_known(text: str, language: Language) -> bool:
    """Whether a sentence says what its teller knows, or came to know."""
    return KNOWING[language].search(text) is not None


def ends_quoted(sentence: str, is_quoted: bool) -> bool:
    """Whether a quotation goes on behind a sentence, by the marks in it; `is_quoted`: one goes on before it."""
    for mark in _QUOTES.findall(sentence):
        is_quoted = mark in _BEGIN or (mark not in _END and not is_quoted)
    return is_quoted


def _each(action: str, language: Language) -> Iterator[Part]:
    """The clauses of a deed in order; of one that tells something, what it tells stands apart."""
    is_telling = False
    for edge, clause in _clauses(action, language):
        if edge in OPENERS[language]:
            is_telling = True
        elif edge and (OWN[language].match(clause) or BESIDE[language].match(clause)):
            is_telling = False
        elif edge and not is_telling:
            is_telling = WHITHER.match(clause) is None
        if is_telling:
            yield Part(clause, is_told=True)
            continue
        verb = TELLING[language].search(clause)
        done, told = (clause[: verb.end()], clause[verb.end() :]) if verb else (clause, "")
        yield Part(done, is_told=False)
        if verb is not None:
            is_telling = True
            if told.strip():
                yield Part(told.strip(), is_told=True)


def _clauses(action: str, language: Language) -> Iterator[tuple[str, str]]:
    """What stands between edges, each with the edge before it: a mark, a word, or nothing at first."""
    edge, start = "", 0
    for match in EDGES[language].finditer(action):
        if match[0].casefold() == "that" and not _is_opener(action[: match.start()]):
            continue
        if text := action[start : match.start()].strip():
            yield edge, text
            edge = ""
        # Of several edges in a row (", because") the one that opens something counts.
        edge = edge if edge in OPENERS[language] else match[0].casefold().strip()
        start = match.end()
    if text := action[start:].strip():
        yield edge, text


def _is_opener(before: str) -> bool:
    """Whether a `that` begins a clause: it does behind a noun, and behind what tells something."""
    return NOUN.search(before) is not None or TELLING["en"].search(before) is not None
