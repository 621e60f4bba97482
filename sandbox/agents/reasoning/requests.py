"""What the requests of co-reasoning share: who speaks, own scenes, numbered facts, each within its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sandbox.agents.fusing import Limits, Material, fused, template
from sandbox.agents.fusing.facts import FactWords
from sandbox.agents.fusing.files import written
from sandbox.agents.fusing.fitting import (
    cut,
    fitted,
    line_tokens,
    listed,
    one_line,
    text_tokens,
)
from sandbox.agents.reasoning.anchors import Anchor
from sandbox.models.port import Message, Request
from sandbox.story.ids import FactId
from sandbox.story.known import KnownFact
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import clock_text

_FACTS, _ANCHORS, _PERCEPTS, _ASKED = 0.5, 0.25, 0.15, 0.1
"""Shares of what the fixed words and the persona leave of a prompt."""
_LATEST: Final = 8
"""Percepts shown of the moment: the scene at hand is in the request of the move."""


@dataclass(frozen=True)
class Sheet:
    """The texts of one request, and which fact has which number."""

    slots: Mapping[str, str]
    numbered: tuple[FactId, ...]
    """`f1` is the first of them."""

    def numbers(self, facts: Sequence[KnownFact]) -> str:
        """`f2, f5` for those of `facts` that are shown, in the order given."""
        at = {id_: number for number, id_ in enumerate(self.numbered, start=1)}
        return ", ".join(f"f{at[f.handle]}" for f in facts if f.handle in at)


def persona_of(view: CharacterView, limits: Limits) -> Message:
    """Who the character is: word for word what stands before its moves, so that caches hit."""
    return fused(view, Material(), limits).request.messages[0]


def sheet_of(
    view: CharacterView,
    step: str,
    persona: Message,
    limits: Limits,
    asked: str,
    anchors: Sequence[Anchor],
    facts: Sequence[KnownFact],
) -> Sheet:
    """The texts of a request of `step` that fit into the budget of a prompt.

    Args:
        view: whose memory.
        step: name of the prompt file.
        persona: the message before it.
        limits: the budget.
        asked: the question. Empty: the moment itself is shown instead.
        anchors: own scenes, best first.
        facts: those that matter most first; what does not fit is left out from the end.
    """
    fixed = text_tokens(persona.content) + text_tokens(template(view.language, step).template)
    left = max(0, limits.room - fixed)
    scenes = [one_line(text) for anchor in anchors for text in anchor.texts(view) if text]
    shown = _numbered(view, limits, facts, int(left * _FACTS))
    slots = {
        "clock": clock_text(view.clock),
        "asked": cut(one_line(asked), int(left * _ASKED)),
        "percepts": "" if asked else _latest(view, int(left * _PERCEPTS)),
        "anchors": listed(fitted(scenes, int(left * _ANCHORS))),
        "facts": listed(line for _, line in shown),
    }
    return Sheet(slots, tuple(fact.handle for fact, _ in shown))


def _numbered(
    view: CharacterView, limits: Limits, facts: Sequence[KnownFact], budget: int
) -> list[tuple[KnownFact, str]]:
    """Facts with their lines, up to the first that does not fit: numbers have no gaps."""
    words, shown = FactWords(view, limits.room), list[tuple[KnownFact, str]]()
    for number, fact in enumerate(facts, start=1):
        line = words.line(fact, number)
        budget -= line_tokens(line)
        if budget < 0:
            break
        shown.append((fact, line))
    return shown


def _latest(view: CharacterView, budget: int) -> str:
    texts = [one_line(text) for p in view.percepts[-_LATEST:] if (text := view.worded(p))]
    return listed(fitted(reversed(texts), budget)[::-1])


def request_of(
    view: CharacterView,
    step: str,
    persona: Message,
    limits: Limits,
    slots: Mapping[str, str],
    schema: Mapping[str, Any],
) -> Request:
    """The request of a step, its slots filled."""
    return Request(
        messages=(persona, Message("user", written(view.language, step, slots))),
        schema=schema,
        max_tokens=limits.max_tokens,
        temperature=limits.temperature,
    )
