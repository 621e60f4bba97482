"""What is asked of a character: read through the names it knows, and through no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from sandbox.agents.reasoning import cues
from sandbox.agents.reasoning.content import (
    Content,
    content_of,
    predicates_asked_by,
    predicates_meant,
)
from sandbox.agents.reasoning.cues import Kind
from sandbox.agents.reasoning.inward import asks_inward
from sandbox.story.beats import Detail
from sandbox.story.claims import Question
from sandbox.story.events import Entered, LineSpoken, SceneClosed, Spoken, Whispered
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.percepts import Percept
from sandbox.story.predicates import HELD_BY, LOCATED_IN
from sandbox.story.text import clean
from sandbox.story.view import CharacterView

_MOST_PERCEPTS: Final = 60
"""What was asked longer ago is no longer in the air."""
_MOST_CHARS: Final = 1000
_LINES_BEFORE: Final = 3
"""Lines before a question to which its pronouns may refer back."""


@dataclass(frozen=True)
class Asked:
    """A question as the one who is asked understands it."""

    words: str
    kind: Kind
    entities: tuple[str, ...] = ()
    """Whom and what it names, by the names known to the one who is asked; short free texts too."""
    predicates: tuple[PredicateId, ...] = ()
    """By which a fact could answer it. Empty: it does not say."""
    is_by_words: bool = False
    """Whether it names them itself, and not only by asking where."""
    is_exact: bool = False
    """Whether it is put in the very words of their own question: then no other is meant."""
    asker: CharacterId | None = None
    """None: nobody of the story."""
    unknown: tuple[str, ...] = ()
    """What looks like a name in it and is none that is known to the one who is asked."""
    content: Content = frozenset()
    """What it says beside its names."""
    is_inward: bool = False
    """Whether it asks what goes on in somebody's mind."""
    is_of_doer: bool = False
    """Whether it asks who did something, and not whom or whose."""
    is_foreign: bool = False
    """In another language than the world's: only the names in it were understood."""

    @property
    def is_empty(self) -> bool:
        return cues.is_empty(self.words)

    def plain(self, view: CharacterView) -> dict[str, Any]:
        """For people: names, no ids."""
        return {
            "words": self.words,
            "kind": self.kind.value,
            "names": [view.names(entity) for entity in self.entities],
            "unknown_names": list(self.unknown),
            "other_language": self.is_foreign,
        }


def question_of(
    words: str, view: CharacterView, asker: CharacterId | None = None, before: Sequence[str] = ()
) -> Asked:
    """Free words as a question to the character of `view`.

    Args:
        words: what is asked, in any language; one in another than the world's is read by names only.
        view: of the one who is asked: `you`.
        asker: `I`. None: nobody of the story asks.
        before: what was said before, the latest first: a pronoun may refer back to it.
    """
    words, language = clean(words, _MOST_CHARS), view.language
    named, rest = _names_and_rest(words, view)
    if cues.is_foreign(rest if named else words, language):
        return Asked(words, Kind.WHAT, _unique(named), asker=asker, is_foreign=True)
    named += _referred_to(rest, view, before, named)
    if cues.speaks_of_asked(rest, language):
        named.append(view.me)
    if asker is not None and cues.speaks_of_asker(rest, language):
        named.append(asker)
    kind, content = _kind(words, rest, view), content_of(rest, language)
    exact = _asked_by(view, rest)
    predicates, is_by_words = (exact, True) if exact else _predicates(view, kind, content, rest)
    return Asked(
        words=words,
        kind=kind,
        entities=_unique(named),
        predicates=predicates,
        is_by_words=is_by_words,
        is_exact=bool(exact),
        asker=asker,
        unknown=cues.unknown_names(rest, language),
        content=content,
        is_inward=asks_inward(rest, language),
        is_of_doer=cues.asks_for_doer(rest, language),
    )


def _names_and_rest(words: str, view: CharacterView) -> tuple[list[str], str]:
    """Whom and what a question names, and the question with a mark for each, without its frame.

    Names go first: one may begin as a frame does. Who is only called by name is not asked about.
    """
    words = words.replace("|", " ")
    found = view.lexicon.find(words)
    # A free text, "dead" say, is a word like others, too.
    spans = [one for one in found if view.kind_of(one.entity) != "text"]
    texts = [one.entity for one in found if one not in spans]
    named = [one.entity for one in spans]
    blanked = _blanked(words, [(one.start, one.end) for one in spans])
    without, number = cues.unaddressed(blanked)
    if number is not None and named[number] == view.me:
        blanked = without
        del named[number]
    rest = cues.unframed(blanked, view.language)
    return [*named[blanked.count("|") - rest.count("|") :], *texts], rest


def _referred_to(
    rest: str, view: CharacterView, before: Sequence[str], named: Sequence[str]
) -> list[str]:
    """Whom and what the pronouns of a question speak of: who and what was named last before it."""
    wanted = cues.refers_back(rest, view.language)
    found = list[str]()
    for is_wanted, kinds in zip(wanted, (_SOMEBODY, _SOMETHING), strict=True):
        if is_wanted and not any(view.kind_of(one) in kinds for one in named):
            last = (one for text in before for one in reversed(view.named_in(text)))
            fitting = (one for one in last if one != view.me and view.kind_of(one) in kinds)
            found += islice(fitting, 1)
    return found


_SOMEBODY: Final = ("character", "entity")
_SOMETHING: Final = ("thing", "entity", "place")


def _kind(words: str, bare: str, view: CharacterView) -> Kind:
    """The kind by the question without its frame, which may be all that has a question word."""
    kind, whole = (cues.kind_of(text, view.language) for text in (bare, words))
    if kind in (Kind.WHETHER, Kind.STATEMENT) and whole is Kind.WHAT:
        return Kind.WHAT
    return Kind.WHAT if kind is Kind.STATEMENT and cues.asks(words, view.language) else kind


def _unique(named: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(named))


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """A text in which each name is a mark, so that nothing of it is read as a word."""
    for start, end in reversed(spans):
        text = f"{text[:start]}|{text[end:]}"
    return text


def _asked_by(view: CharacterView, rest: str) -> tuple[PredicateId, ...]:
    """The predicates of whose own question these are the words."""
    questions = tuple((p, view.asks_by(p)) for p in view.wordings)
    return _with_inverses(view, list(predicates_asked_by(rest, questions)))


def _predicates(
    view: CharacterView, kind: Kind, content: Content, rest: str
) -> tuple[tuple[PredicateId, ...], bool]:
    """The predicates a question means, and whether it does so by its own words."""
    meant = list(predicates_meant(content, view.wordings, view.language))
    if kind is Kind.WHERE:
        places = [p for p in view.wordings if tells_where(view, p)]
        meant = [p for p in meant if p in places]
    else:
        built_in = cues.built_in_meant(rest, view.language)
        meant += [p for p in built_in if not meant or p != HELD_BY]
    wanted = meant or (places if kind is Kind.WHERE else [])
    return _with_inverses(view, wanted), bool(meant)


def _with_inverses(view: CharacterView, meant: list[PredicateId]) -> tuple[PredicateId, ...]:
    inverses = (view.inverse_of(p) for p in meant)
    return tuple(dict.fromkeys([*meant, *(p for p in inverses if p is not None)]))


def tells_where(view: CharacterView, predicate: PredicateId) -> bool:
    """Whether a fact of a predicate says where something is or was."""
    return predicate in (LOCATED_IN, HELD_BY) or view.asked_after(predicate) == "place"


# ── a question in the air ─────────────────────────────────────────────────────────────────────


def question_put(view: CharacterView) -> Asked | None:
    """The latest question that was put to the character and that it has not answered since."""
    answered: set[CharacterId] = set()
    heard = [(line, percept) for percept in _lately(view) if (line := _line_of(percept))]
    for at, (line, percept) in enumerate(heard):
        if line.actor == view.me:
            answered |= set(line.targets or percept.noticed)
        elif _is_to_me(line, percept, view):
            before = [earlier.words for earlier, _ in heard[at + 1 : at + 1 + _LINES_BEFORE]]
            if (asked := _asked(line, percept, view, before)) is not None:
                return asked if line.actor not in answered else None
    return None


def _line_of(percept: Percept) -> Spoken | None:
    """A line that was heard word for word."""
    line = percept.event
    if percept.detail is not Detail.FULL or not isinstance(line, LineSpoken | Whispered):
        return None
    return line


def _lately(view: CharacterView) -> Iterator[Percept]:
    """Percepts of the scene at hand, the latest first."""
    percepts = view.percepts
    for number in range(len(percepts) - 1, max(-1, len(percepts) - 1 - _MOST_PERCEPTS), -1):
        percept = percepts[number]
        event = percept.event
        if isinstance(event, SceneClosed) or (
            isinstance(event, Entered) and view.me in (event.actor, *event.alongside)
        ):
            return
        yield percept


def _is_to_me(line: Spoken, percept: Percept, view: CharacterView) -> bool:
    return view.me in line.targets or (not line.targets and percept.noticed == [line.actor])


def _asked(
    line: Spoken, percept: Percept, view: CharacterView, before: Sequence[str]
) -> Asked | None:
    asks = view.asked_by(percept)
    if asks is not None:
        return _by_event(asks, line, view)
    start = _asking_from(line.words, view)
    if start is None:
        return None
    leading = line.words[:start]
    return question_of(line.words[start:], view, line.actor, [leading, *before])


def _by_event(asks: Question, line: Spoken, view: CharacterView) -> Asked:
    """A question of which its event says what it is about; its words give the kind."""
    read = question_of(line.words[_asking_from(line.words, view) or 0 :], view, line.actor)
    predicates = read.predicates
    if asks.predicate is not None:
        inverse = view.inverse_of(asks.predicate)
        predicates = (asks.predicate, inverse) if inverse else (asks.predicate,)
    kind = _KINDS.get(view.asked_after(predicates[0]) if asks.predicate else "", Kind.WHAT)
    return Asked(
        words=read.words,
        kind=kind if read.kind is Kind.STATEMENT else read.kind,
        entities=_unique([asks.subject, *(e for e in read.entities if e != view.me)]),
        predicates=predicates,
        is_by_words=asks.predicate is not None or read.is_by_words,
        is_exact=asks.predicate is not None or read.is_exact,
        asker=line.actor,
        content=read.content,
        is_inward=read.is_inward and asks.predicate is None,
        is_of_doer=read.is_of_doer,
    )


_KINDS: Final = {"person": Kind.WHO, "place": Kind.WHERE}
_SENTENCE: Final = re.compile(r"[^.!?。！？…]+[.!?。！？…”\"’]*")


def _asking_from(words: str, view: CharacterView) -> int | None:
    """Where the first sentence that asks begins: what goes before leads up to it. None: none asks."""
    for match in _SENTENCE.finditer(words):
        if cues.asks(match[0].strip(), view.language):
            return match.start()
    return None
