"""What counts as held: the texts that a character's sentences may rest on, and no others.

What it says, does, thinks and keeps of a scene itself supports nothing: else it would come to hold what it once
made up. What those came from it holds anyway: its facts, others' lines and deeds, and the canon's own texts. Of
what others say, write or spell out, a guess, a question or a wish is held as no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from sandbox.agents.guarding.deeds import parts_of
from sandbox.agents.guarding.features import features_of
from sandbox.agents.guarding.holdings import Holdings, Text, entities_in, name_features
from sandbox.agents.guarding.proper import OF_ONESELF
from sandbox.story.beats import Detail
from sandbox.story.events import (
    Acted,
    Announced,
    BeliefInferred,
    EpisodeWritten,
    LineSpoken,
    MessageRead,
    MessageSent,
    MoodTurned,
    PatternGrown,
    Thought,
    Whispered,
    actor_of,
)
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact
from sandbox.story.patterns import GrownPattern
from sandbox.story.percepts import Percept
from sandbox.story.telling.reading import Reading
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.text import CJK
from sandbox.story.view import CharacterView

_CAPITAL: Final = re.compile(r"[A-Z][\w'’-]*\w")
_HAN: Final = re.compile(rf"[{CJK}]")
_OWN: Final = (LineSpoken, Whispered, Announced, MessageSent, Thought, Acted, MoodTurned)
"""What somebody makes up itself. Where it goes and what it finds there, the stage decides."""
_INWARD: Final = (EpisodeWritten, PatternGrown, BeliefInferred)
_WORDS: Final = (LineSpoken, Whispered, Announced, MessageSent, MessageRead)


def holdings_of(view: CharacterView, reading: Reading) -> Holdings:
    """What the character holds by now; made once for it, and growing with the story."""
    kept = reading.memo.get("holdings")
    strangers = view.names.strangers
    if kept is None or kept[0] != strangers:
        kept = reading.memo["holdings"] = (strangers, _first(view, reading))
    found: Holdings = kept[1]
    _grow(found, view, reading)
    return found


@dataclass
class Lived:
    """What a character perceived, as it is worded: what a memory may tell of."""

    seen: Holdings = field(default_factory=Holdings)
    """What happened and what others did before its eyes."""
    said: Holdings = field(default_factory=Holdings)
    """Words, its own too, and its own deeds: nothing that is flatly said of the world rests on these."""
    percepts: int = 0


def lived_of(view: CharacterView, reading: Reading) -> Lived:
    """What the character perceived by now; made when first asked for, and growing with the story."""
    strangers = view.names.strangers
    kept = reading.memo.get("lived")
    if kept is None or kept[0] != strangers:
        kept = reading.memo["lived"] = (strangers, Lived())
    lived: Lived = kept[1]
    for percept in view.percepts[lived.percepts :]:
        event = percept.event
        if not isinstance(event, _INWARD):
            is_said = isinstance(event, _WORDS) or actor_of(event) == view.me
            _add(lived.said if is_said else lived.seen, reading, view.worded(percept), view.me)
    lived.percepts = len(view.percepts)
    return lived


def _first(view: CharacterView, reading: Reading) -> Holdings:
    """What does not grow: what it is, to itself and to others, and how it speaks by the canon."""
    found = Holdings()
    for text in (*view.looks, *view.secrets_of_self, *view.conduct, *view.goals, *view.gestures):
        _add(found, reading, text, view.me)
    for other, text in view.relations:
        _add(found, reading, text, view.me, other)
    for pattern in view.patterns.values():
        if not isinstance(pattern, GrownPattern):
            for text in (*view.samples(pattern), *view.lead_ins(pattern)):
                _add(found, reading, text, view.me)
    for want in view.wants:
        found.words |= _names_in(want.question)
    for episode in view.episodes:
        if episode.turn == 0:
            _add(found, reading, episode.text, view.me)
    return found


def _grow(found: Holdings, view: CharacterView, reading: Reading) -> None:
    if len(view.known) > found.facts:
        for fact in islice(view.known, found.facts, None):
            _add_fact(found, view, reading, fact)
    found.facts = len(view.known)
    for percept in view.percepts[found.percepts :]:
        _add_percept(found, view, reading, percept)
    found.percepts = len(view.percepts)


def _add_fact(found: Holdings, view: CharacterView, reading: Reading, fact: KnownFact) -> None:
    """A fact with all its sentences, and of what it is; of what was only guessed, the names."""
    found.words |= _names_in(fact.statement) | _names_in(fact.object)
    if fact.is_guess:
        return
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
    found.related[fact.subject, fact.object] = fact.predicate
    if (inverse := view.inverse_of(fact.predicate)) is not None:
        found.topics.add((fact.object, inverse))


def _add_percept(found: Holdings, view: CharacterView, reading: Reading, percept: Percept) -> None:
    """What it perceived, but for what it made up itself; of words and deeds of others' what they assert."""
    event = percept.event
    if isinstance(event, _INWARD):
        return
    if isinstance(event, _OWN) and actor_of(event) == view.me:
        if isinstance(event, LineSpoken | Whispered):
            found.words |= _names_of_oneself(event.words)
        return
    match event:
        case LineSpoken() | Whispered() if percept.detail is Detail.FULL:
            _add_heard(found, reading, event.words, event.actor, event.targets)
        case Announced() if percept.detail is Detail.FULL:
            _add_heard(found, reading, event.words, event.actor or "", ())
        case MessageRead() if percept.detail is Detail.FULL:
            _add_heard(found, reading, event.words, event.sender, (event.actor,))
        case Acted() if percept.detail is Detail.FULL and not event.failed:
            _add_deed(found, view, reading, event)
        case _:
            _add(found, reading, view.worded(percept), view.me)


def _add_deed(found: Holdings, view: CharacterView, reading: Reading, deed: Acted) -> None:
    """What was seen of another's deed; what the deed told is its doer's word."""
    for part in parts_of(view.names.unmasked(deed.text), view.language):
        if part.is_told:
            _add_heard(found, reading, part.text, deed.actor, ())
        else:
            _add(found, reading, f"{view.names(deed.actor)} {part.text}", view.me)


def _add_heard(
    found: Holdings, reading: Reading, words: str, speaker: str, to: Sequence[str]
) -> None:
    """Of somebody's words what they flatly assert; names are learned from all of them."""
    found.words |= _names_in(words)
    for coded in reading.heard(words, speaker, to):
        _add_coded(found, reading, [coded])


def _names_in(text: str) -> set[str]:
    return {text} if _HAN.search(text) else set(_CAPITAL.findall(text))


def _names_of_oneself(words: str) -> set[str]:
    """Names in what somebody says that it is called: it may be a lie, and is called so from then on."""
    said = (_names_in(s) for s in spoken_sentences(words) if OF_ONESELF.search(s))
    return set[str]().union(*said)


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
