"""How a pattern grows without a model: my mood turned, I spoke, and next time I may do so again.

The paper distils patterns from canon speech and the turns of emotion in it (ReverieMem, section
3.3); in play the same is read off what a scene brought its participants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sandbox.story.beats import Detail
from sandbox.story.events import (
    Acted,
    Entered,
    FactSeen,
    Left,
    LineSpoken,
    MessageRead,
    MoodTurned,
    Narrated,
    PatternGrown,
    Spoken,
    ThingFound,
    ThingsSeen,
    Whispered,
    actor_of,
)
from sandbox.story.items import Language
from sandbox.story.patterns import GrownPattern
from sandbox.story.people import Occasion, Pattern
from sandbox.story.percepts import Percept
from sandbox.story.text import tokens
from sandbox.story.view import CharacterView

MOST_GROWN = 12
"""Patterns a character takes on in play; nobody becomes a collection of manners."""
_MOST_SAMPLES = 3
_SAMPLE_CHARS = 300
"""A longer line is no sample: it would be all a prompt has room for."""
_SHORT = 8
"""Words (Chinese: characters) up to which a line is short."""
_QUESTION = ("?", "？")


@dataclass(frozen=True)
class Cause:
    """What turned a mood: a kind of situation, and how that is worded."""

    key: str
    occasions: tuple[Occasion, ...] = ()


_ASKED = Cause("asked", (Occasion.ANSWERING,))
_TOLD = Cause("told", (Occasion.LEARNING,))
_SPOKEN_TO = Cause("spoken_to")
_FOUND = Cause("found", (Occasion.SEARCHING,))
_READ = Cause("read", (Occasion.LEARNING,))
_HAPPENED = Cause("happened")
_DEEDS: Final[Mapping[type, Cause]] = {
    Entered: Cause("came"),
    Left: Cause("went"),
    Acted: Cause("did"),
}

_SITUATIONS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "asked": "When somebody puts a question to me",
        "told": "When I am told something I did not know",
        "spoken_to": "When somebody speaks to me",
        "found": "When something comes to light",
        "read": "When a message reaches me",
        "happened": "When something befalls us that nobody did",
        "came": "When somebody comes in",
        "went": "When somebody leaves",
        "did": "When somebody does something before my eyes",
        "turn": "{situation}, and I turn {after}.",
        "turn_from": "{situation}, and from {before} I turn {after}.",
    },
    "zh": {
        "asked": "有人问到我头上",
        "told": "有人告诉我一件我不知道的事",
        "spoken_to": "有人对我说话",
        "found": "有东西露了出来",
        "read": "有信到我手里",
        "happened": "出了不是谁做的事",
        "came": "有人进来",
        "went": "有人离开",
        "did": "有人当着我的面做了什么",
        "turn": "{situation}，我的心情变得{after}。",
        "turn_from": "{situation}，我的心情从{before}变得{after}。",
    },
}
_MANNERS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "whisper": "I lower my voice so that only one can hear",
        "ask": "I ask in turn",
        "tell": "I say what I have to say",
        "short": "I use few words",
        "act": "my hands are busy while I speak",
        "join": "; ",
        "end": ".",
    },
    "zh": {
        "whisper": "我压低声音，只让一个人听见",
        "ask": "我反过来问",
        "tell": "我把要说的说出来",
        "short": "我话不多",
        "act": "我一边说，手上一边做着事",
        "join": "；",
        "end": "。",
    },
}


def grown_of(view: CharacterView, percepts: Sequence[Percept]) -> PatternGrown | None:
    """The pattern that a closing scene leaves its owner; None where it leaves none.

    Args:
        view: whose pattern.
        percepts: what the owner perceived of the scene, in order.
    """
    if grown_so_far(view) >= MOST_GROWN:
        return None
    return next(_candidates(view, percepts), None)


def grown_so_far(view: CharacterView) -> int:
    """How many patterns the character has taken on in play."""
    return sum(isinstance(pattern, GrownPattern) for pattern in view.patterns.values())


def _candidates(view: CharacterView, percepts: Sequence[Percept]) -> Iterator[PatternGrown]:
    before_of = {(turn.seq, turn.index): turn.before for turn in view.mood_turns}
    for at, percept in enumerate(percepts):
        event = percept.event
        if not isinstance(event, MoodTurned) or event.actor != view.me:
            continue
        before = before_of[percept.beat.seq, percept.index]
        cause = _cause(view, percepts[:at])
        mine = _own_until_next_turn(view, percepts[at + 1 :])
        if cause is None or event.mood == before or not any(map(_is_line, mine)):
            continue
        grown = _grown(view, cause, (before, event.mood), [percept, *mine])
        if not any(_is_same(pattern, grown) for pattern in view.patterns.values()):
            yield grown


def _grown(
    view: CharacterView,
    cause: tuple[Cause, Percept],
    moods: tuple[str, str],
    mine: Sequence[Percept],
) -> PatternGrown:
    """The pattern that rests on what turned the mood, the turn, and what its owner then did."""
    before, after = moods
    words = _SITUATIONS[view.language]
    key = "turn_from" if before else "turn"
    situation = words[key].format(situation=words[cause[0].key], before=before, after=after)
    said = dict.fromkeys(p.event.words for p in mine if isinstance(p.event, Spoken))
    return PatternGrown(
        owner=view.me,
        situation=situation,
        occasions=cause[0].occasions,
        mood_before=before or None,
        mood_after=after,
        manner=_manner(view.language, mine),
        samples=tuple(line for line in said if len(line) <= _SAMPLE_CHARS)[:_MOST_SAMPLES],
        rests_on=tuple(p.beat.event_id(p.index) for p in (cause[1], *mine)),
    )


def _is_same(pattern: Pattern, grown: PatternGrown) -> bool:
    """Whether a pattern of mine already answers to this kind of situation and turn of mood."""
    if pattern.situation == grown.situation:
        return True
    is_kind = not set(grown.occasions).isdisjoint(pattern.occasions)
    is_begun_so = pattern.mood_before in (None, grown.mood_before)
    return is_kind and is_begun_so and pattern.mood_after == grown.mood_after


def _is_line(percept: Percept) -> bool:
    return isinstance(percept.event, Spoken)


def _own_until_next_turn(view: CharacterView, percepts: Sequence[Percept]) -> list[Percept]:
    """What I said and did until my mood turned again."""
    mine: list[Percept] = []
    for percept in percepts:
        if actor_of(percept.event) != view.me:
            continue
        if isinstance(percept.event, MoodTurned):
            break
        if isinstance(percept.event, LineSpoken | Whispered | Acted):
            mine.append(percept)
    return mine


# ── what turned the mood ──────────────────────────────────────────────────────────────────────


def _cause(view: CharacterView, before: Sequence[Percept]) -> tuple[Cause, Percept] | None:
    """The last thing that came to it before its mood turned, as a kind of situation."""
    kinds = ((_kind_of(view, percept), percept) for percept in reversed(before))
    return next(((kind, percept) for kind, percept in kinds if kind is not None), None)


def _kind_of(view: CharacterView, percept: Percept) -> Cause | None:
    match percept.event:
        case MessageRead() as read:
            return _READ if read.actor == view.me else None
        case ThingFound() | ThingsSeen() | FactSeen():
            return _FOUND
        case Narrated():
            return _HAPPENED
        case event if actor_of(event) == view.me:
            return None
        case LineSpoken() | Whispered() as line:
            return _kind_of_line(view, percept, line)
        case event:
            return _DEEDS.get(type(event))


def _kind_of_line(view: CharacterView, percept: Percept, line: Spoken) -> Cause | None:
    if percept.detail is not Detail.FULL:
        return None
    is_for_me = view.me in line.targets
    if is_for_me and (view.asked_by(percept) is not None or _is_question(line.words)):
        return _ASKED
    if view.told_by(percept):
        return _TOLD
    return _SPOKEN_TO if is_for_me else None


def _is_question(words: str) -> bool:
    return words.rstrip('"”’」』 ').endswith(_QUESTION)


# ── how I then spoke ──────────────────────────────────────────────────────────────────────────


def _manner(language: Language, mine: Sequence[Percept]) -> str:
    """In first person: what my lines and deeds have in common."""
    lines = [p.event for p in mine if isinstance(p.event, Spoken)]
    marks: dict[str, Callable[[Spoken], bool]] = {
        "whisper": lambda line: isinstance(line, Whispered),
        "ask": lambda line: line.asks is not None or _is_question(line.words),
        "tell": lambda line: bool(line.tells),
        "short": lambda line: len(tokens(line.words)) <= _SHORT,
    }
    # What holds of most of them is a manner; of one in many it is chance.
    found = [name for name, holds in marks.items() if 2 * sum(map(holds, lines)) > len(lines)]
    found += ["act"] if any(isinstance(p.event, Acted) for p in mine) else []
    words = _MANNERS[language]
    text = words["join"].join(words[name] for name in found or ["tell"])
    return f"{text}{words['end']}"
