"""The request of a move, made from one character's view and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Final

from sandbox.models.port import Message, Request
from sandbox.story.ids import FactId
from sandbox.story.items import Language
from sandbox.story.known import KnownFact
from sandbox.story.routes import Route
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import clock_text

_NONE: Final[dict[Language, str]] = {"en": "(nothing)", "zh": "（无）"}
_ROUTES: Final[dict[Language, dict[Route, str]]] = {
    "en": {
        Route.EXPERIENCED: "I was there",
        Route.OBSERVED: "I saw it",
        Route.ORGANISATION: "we all know it",
        Route.COMMON: "everybody knows",
        Route.TOLD: "{source} told me",
    },
    "zh": {
        Route.EXPERIENCED: "亲身经历",
        Route.OBSERVED: "亲眼所见",
        Route.ORGANISATION: "我们这些人都知道",
        Route.COMMON: "人人都知道",
        Route.TOLD: "听{source}说的",
    },
}
_QUOTED: Final[dict[Language, str]] = {"en": '"{}"', "zh": "“{}”"}
"""Hearsay is quoted: its "I" is whoever said it."""
_LOCKED: Final[dict[Language, str]] = {"en": " (locked)", "zh": "（锁着）"}
_PERSONA_SHARE, _HERE_SHARE = 0.3, 0.25
"""Shares of the whole budget that a person's own texts, and what is here and now, may take."""
_LOOKS_TOKENS = 200
"""Looks of those here beyond which only their names are given: a crowd is not described."""
_FACT_SHARE, _PERCEPT_SHARE, _MEMORY_SHARE, _PATTERN_SHARE = 0.35, 0.35, 0.2, 0.1
"""Shares of what is left of the budget after the fixed parts. Percepts lose their oldest, facts and
memories those that were found last."""

MOVE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "thought",
        "action",
        "words",
        "to",
        "whisper",
        "examine",
        "go",
        "mood",
        "relied_on",
    ],
    "properties": {
        "thought": {"type": "string"},
        "action": {"type": "string"},
        "words": {"type": "string"},
        "to": {"type": "array", "items": {"type": "string"}},
        "whisper": {"type": "boolean"},
        "examine": {"type": "string"},
        "go": {"type": "string"},
        "mood": {"type": "string"},
        "relied_on": {"type": "array", "items": {"type": "string"}},
    },
}


@cache
def template(language: Language, step: str) -> Template:
    """The prompt file of a step."""
    path = files("sandbox.agents") / "prompts" / language / f"{step}.md"
    return Template(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Prompt:
    """A request with what is needed to read its reply."""

    request: Request
    numbered: tuple[FactId, ...]
    """The facts shown, so that `f1` in the reply is the first of them."""


@dataclass(frozen=True)
class Found:
    """What recall brought for a move, best first."""

    memories: Sequence[str]
    facts: Sequence[FactId]


@dataclass(frozen=True)
class Limits:
    max_tokens: int
    prompt_tokens: int
    temperature: float
    percepts: int


def prompt_of(view: CharacterView, found: Found, limits: Limits) -> Prompt:
    """The one request of a fast move: what is stable first, what is new last."""
    persona = _persona(view, int(limits.prompt_tokens * _PERSONA_SHARE))
    fixed = _within(_fixed(view), int(limits.prompt_tokens * _HERE_SHARE))
    left = limits.prompt_tokens - estimated_tokens(persona) - _fixed_tokens(view, fixed)
    facts = _fitted_facts(view, found.facts, int(left * _FACT_SHARE))
    parts = fixed | {
        "facts": _listed(view, [_fact_line(view, n, f) for n, f in enumerate(facts, start=1)]),
        "percepts": _listed(view, _percepts(view, limits.percepts, int(left * _PERCEPT_SHARE))),
        "memories": _listed(view, _fitted(found.memories, int(left * _MEMORY_SHARE))),
        "patterns": _listed(view, _fitted(_patterns(view), int(left * _PATTERN_SHARE))),
    }
    user = template(view.language, "move").substitute(parts)
    request = Request(
        messages=(Message("system", persona), Message("user", user)),
        schema=MOVE_SCHEMA,
        max_tokens=limits.max_tokens,
        temperature=limits.temperature,
    )
    return Prompt(request, tuple(fact.handle for fact in facts))


def _persona(view: CharacterView, budget_tokens: int) -> str:
    relations = [f"{view.names(other)}: {text}" for other, text in view.relations]
    parts = {
        "name": view.name,
        "looks": _joined(view, view.looks),
        "secrets": _joined(view, view.secrets_of_self),
        "conduct": _listed(view, view.conduct),
        "relations": _listed(view, relations),
    }
    return template(view.language, "persona").substitute(_within(parts, budget_tokens))


def _within(parts: dict[str, str], budget_tokens: int) -> dict[str, str]:
    """The parts, the longest of them cut so that together they fit; short ones stay whole."""
    kept, left = dict(parts), budget_tokens
    by_length = sorted(parts, key=lambda name: (estimated_tokens(parts[name]), name))
    for done, name in enumerate(by_length):
        kept[name] = _cut(parts[name], left // (len(parts) - done))
        left -= estimated_tokens(kept[name])
    return kept


def _fixed(view: CharacterView) -> dict[str, str]:
    """What is here and now."""
    locked = _LOCKED[view.language]
    people = [f"{p.called} ({p.looks})" if p.looks else p.called for p in view.people]
    if estimated_tokens("".join(people)) > _LOOKS_TOKENS:
        people = [p.called for p in view.people]
    return {
        "goals": _joined(view, view.goals),
        "mood": view.mood or _NONE[view.language],
        "place": _joined(view, (view.names(view.place), *view.place_description)),
        "people": _joined(view, people),
        "things": _joined(view, [thing.called for thing in view.things]),
        "exits": _joined(view, [e.called + locked * e.is_locked for e in view.exits]),
        "clock": clock_text(view.clock),
    }


def _fixed_tokens(view: CharacterView, fixed: dict[str, str]) -> int:
    frame = template(view.language, "move").template
    return estimated_tokens(frame) + sum(estimated_tokens(text) for text in fixed.values())


def _joined(view: CharacterView, texts: Iterable[str]) -> str:
    return ("; " if view.language == "en" else "；").join(texts) or _NONE[view.language]


def _listed(view: CharacterView, lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or _NONE[view.language]


def _fitted(lines: Iterable[str], budget_tokens: int) -> list[str]:
    """As many of the first lines as the budget holds."""
    kept: list[str] = []
    for line in lines:
        cost = estimated_tokens(line) + 1
        if cost <= budget_tokens:  # one that is too long does not take the room of the others
            budget_tokens -= cost
            kept.append(line)
    return kept


def _percepts(view: CharacterView, most: int, budget_tokens: int) -> list[str]:
    """The latest percepts, oldest first. What sounds the same (voices next door) stands once."""
    latest = [text for p in view.percepts[-most:] if (text := view.worded(p))]
    latest[-1:] = [_cut(text, budget_tokens - 1) for text in latest[-1:]]
    return _fitted(dict.fromkeys(reversed(latest)), budget_tokens)[::-1]


def _cut(text: str, budget_tokens: int) -> str:
    """`text`, or the beginning of it that the budget holds: what happened last is never left out."""
    whole = text
    while text and estimated_tokens(f"{text}…") > budget_tokens:
        text = text[: min(len(text) - 1, len(text) * 9 // 10)]
    return text if text == whole else f"{text}…"


def _patterns(view: CharacterView) -> list[str]:
    lines = []
    for pattern in view.patterns.values():
        sample = next(iter(view.samples(pattern)), "")
        lines.append(f"{pattern.situation} {pattern.manner}" + (f" “{sample}”" if sample else ""))
    return lines


def _fitted_facts(
    view: CharacterView, found: Sequence[FactId], budget_tokens: int
) -> list[KnownFact]:
    """Facts of F_c within a budget: those recalled first, then the latest learned; in order."""
    order = {fact.handle: fact for fact in view.known}
    wanted = [*view.known.pick(found), *reversed(order.values())]
    unique = {fact.handle: fact for fact in wanted}
    kept = set()
    for fact in unique.values():
        cost = estimated_tokens(_fact_line(view, 99, fact)) + 1
        if cost <= budget_tokens:
            budget_tokens -= cost
            kept.add(fact.handle)
    return [fact for handle, fact in order.items() if handle in kept]


def _fact_line(view: CharacterView, number: int, fact: KnownFact) -> str:
    source = view.names(fact.source) if fact.source else ""
    route = _ROUTES[view.language][fact.route].format(source=source)
    said = fact.statement if fact.source is None else _QUOTED[view.language].format(fact.statement)
    return f"f{number}: {said} ({route})"
