"""What a character keeps of a closed scene, with a model: one request, from its own percepts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sandbox.agents.fusing.files import template, written
from sandbox.agents.fusing.fitting import (
    SEPARATORS,
    cut,
    fitted,
    line_tokens,
    listed,
    one_line,
    text_tokens,
)
from sandbox.agents.guarding import mood_in
from sandbox.agents.hearing import heard
from sandbox.agents.minds import Cost, Outside
from sandbox.agents.reading import Unreadable, object_of
from sandbox.agents.reading.replies import is_refusal
from sandbox.agents.reading.spoken import is_in
from sandbox.errors import ModelError
from sandbox.models.port import Message, Request
from sandbox.story.episodes import ScenePart, salience
from sandbox.story.events import PatternGrown, Spoken
from sandbox.story.growing import MOST_GROWN, grown_so_far
from sandbox.story.items import Language
from sandbox.story.text import clean, ngrams, overlap, tokens
from sandbox.story.view import CharacterView

Checker = Callable[[CharacterView, str], str]
"""The guard before a memory: the text without the sentences that may not enter it; perhaps nothing."""

_PERSONA_SHARE, _ROW, _LIST = 0.3, 0.18, 0.23
"""Of the whole prompt; and of that, of each row and of each list of it."""
_BETWEEN = "\n\n---\n\n"
"""In the prompt file, between who I am and what is asked: the first part is the same all story long."""
_LINE_TOKENS = 160
"""Of one percept: one long speech does not take the room of a whole scene."""
_LATEST = 0.3
"""Salience a percept has more for being the last; the first has none more."""
_ENDING = 3
"""Percepts at the end that come before all others: a memory without its end is none."""
_SUMMARY_CHARS, _FEELINGS_CHARS, _WORDS_CHARS, _MOOD_CHARS = 1500, 300, 300, 40
_SAMPLE_WORDS = 3
"""Words (Chinese: characters) under which a line shows no manner."""
_RUN, _SAID_AGAIN = 3, 0.6
"""Words in a row (Chinese: characters), and the share of them from which on feelings repeat a summary."""
_TEMPERATURE = 0.4
"""Below that of moves: a memory is to hold what was, not to be a find."""
_JOIN: Final[dict[Language, str]] = {"en": " ", "zh": ""}
_FIELDS, _NEEDED = frozenset({"summary", "feelings", "pattern"}), frozenset({"summary"})
"""A reply that broke off behind a whole summary still has that."""
_PATTERN_PARTS = ("situation", "manner", "mood_before", "mood_after", "sample")


def _texts(*names: str) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(names),
        "properties": {name: {"type": "string"} for name in names},
    }


EPISODE_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["summary", "feelings", "pattern"],
    "properties": {
        **_texts("summary", "feelings")["properties"],
        "pattern": _texts(*_PATTERN_PARTS),
    },
}


@dataclass(frozen=True)
class Kept:
    """What a model made of a part of a scene, after the check."""

    text: str
    """Never empty."""
    pattern: PatternGrown | None = None


@dataclass(frozen=True)
class Room:
    """Budgets of one request, in tokens."""

    prompt_tokens: int
    max_tokens: int


async def summarised(
    view: CharacterView, part: ScenePart, outside: Outside, check: Checker, room: Room, cost: Cost
) -> Kept | None:
    """What the owner keeps of a part of a scene; None where it has to be composed without a model.

    One request and no retry: a summary can always be composed.

    Args:
        view: the owner's, as the scene closes.
        part: what the owner perceived of it.
        outside: where the request goes.
        check: what every text of the reply passes before it is kept.
        room: budgets.
        cost: where the request is counted.
    """
    request = episode_request(view, part, room)
    if request is None:
        return None
    try:
        text = await heard(outside, f"episode:{part.part}", request, cost)
        return kept_of(text, view, part, check)
    except (ModelError, Unreadable):
        return None


# ── the request ───────────────────────────────────────────────────────────────────────────────


def episode_request(view: CharacterView, part: ScenePart, room: Room) -> Request | None:
    """The request for one part of a scene; None where its owner perceived nothing that has words."""
    slots = persona(view, int(room.prompt_tokens * _PERSONA_SHARE))
    # The fixed words are counted whole, though headings without a text under them are left out.
    fixed = text_tokens(template(view.language, "episode").template)
    left = room.prompt_tokens - fixed - sum(map(text_tokens, slots.values()))
    lines = lines_within(view, part, left)
    if not lines:
        return None
    whole = written(view.language, "episode", slots | {"percepts": listed(lines)})
    who, asked = whole.split(_BETWEEN, 1)
    return Request(
        messages=(Message("system", who), Message("user", asked)),
        schema=EPISODE_SCHEMA,
        max_tokens=room.max_tokens,
        temperature=_TEMPERATURE,
    )


def persona(view: CharacterView, budget: int) -> dict[str, str]:
    """Who the owner is, slot by slot; together within `budget` tokens, each cut at its end."""
    relations = (f"{view.names(other)}: {text}" for other, text in view.relations)
    rows = {"looks": view.looks, "secrets": view.secrets_of_self, "goals": view.goals}
    lists = {"conduct": view.conduct, "relations": tuple(relations)}
    separator = SEPARATORS[view.language]
    return (
        {"name": one_line(view.name)}
        | {n: cut(one_line(separator.join(t)), int(budget * _ROW)) for n, t in rows.items()}
        | {n: listed(fitted(map(one_line, t), int(budget * _LIST))) for n, t in lists.items()}
    )


def lines_within(view: CharacterView, part: ScenePart, budget: int) -> list[str]:
    """The percepts in words, in order; where the budget has no room for all, the salient and the late."""
    worded = [(salience(p), one_line(view.worded(p))) for p in part.percepts]
    worded = [(weight, text) for weight, text in worded if text]
    last = max(len(worded) - 1, 1)

    def rank(at: int) -> tuple[bool, float, int]:
        return at <= last - _ENDING, -worded[at][0] - _LATEST * at / last, -at

    kept: dict[int, str] = {}
    for at in sorted(range(len(worded)), key=rank):
        line = cut(worded[at][1], min(_LINE_TOKENS, budget))
        if line and line_tokens(line) <= budget:
            budget -= line_tokens(line)
            kept[at] = line
    return [kept[at] for at in sorted(kept)]


# ── the reply ─────────────────────────────────────────────────────────────────────────────────


def kept_of(reply: str, view: CharacterView, part: ScenePart, check: Checker) -> Kept | None:
    """What a reply comes to; None where nothing of its summary passes the check.

    Raises:
        Unreadable: there is no object with a summary in it.
    """
    found = object_of(reply, _FIELDS, needed=_NEEDED)
    parts = (("summary", _SUMMARY_CHARS), ("feelings", _FEELINGS_CHARS))
    summary, feelings = (_checked(view, found.get(key), most, check) for key, most in parts)
    if not summary:
        return None
    if overlap(ngrams(summary, _RUN), ngrams(feelings, _RUN)) >= _SAID_AGAIN:
        feelings = ""
    text = _JOIN[view.language].join(filter(None, (summary, feelings)))
    return Kept(text, _pattern(found.get("pattern"), view, part, check))


def _checked(view: CharacterView, value: Any, most: int, check: Checker) -> str:
    """A text of the reply on one line, as far as it may be kept; empty where there is none."""
    text = clean(value, most) if isinstance(value, str) else ""
    if not text or is_refusal(text) or not is_in(view.language, text):
        return ""
    return check(view, text).strip()


def _pattern(
    value: Any, view: CharacterView, part: ScenePart, check: Checker
) -> PatternGrown | None:
    """The pattern of a reply, where it is one and is new to its owner."""
    if not isinstance(value, dict) or grown_so_far(view) >= MOST_GROWN:
        return None
    situation, manner = (
        _checked(view, value.get(key), _WORDS_CHARS, check) for key in ("situation", "manner")
    )
    before, after = (
        mood_in(view, _checked(view, value.get(key), _MOOD_CHARS, check))
        for key in ("mood_before", "mood_after")
    )
    has = {pattern.situation.casefold() for pattern in view.patterns.values()}
    if not situation or not manner or situation.casefold() in has:
        return None
    return PatternGrown(
        owner=view.me,
        situation=situation,
        mood_before=before or None,
        mood_after=after or None,
        manner=manner,
        samples=tuple(own_words(value.get("sample"), part)),
        rests_on=part.ids,
    )


def own_words(sample: Any, part: ScenePart) -> Iterable[str]:
    """The sample, where its owner said it so in the scene, word for word; else nothing."""
    if not isinstance(sample, str):
        return
    text = clean(sample, _WORDS_CHARS).strip('"“”「」『』 ')
    if len(tokens(text)) >= _SAMPLE_WORDS and any(text in line for line in _own_lines(part)):
        yield text


def _own_lines(part: ScenePart) -> Sequence[str]:
    events = (percept.event for percept in part.percepts)
    return [
        event.words for event in events if isinstance(event, Spoken) and event.actor == part.owner
    ]
