"""Deep probing: the character asks its own memory, in at most two requests (ReverieMem, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sandbox.agents.fusing import Limits
from sandbox.agents.hearing import heard
from sandbox.agents.minds import Situation
from sandbox.agents.reading import Unreadable, object_of
from sandbox.agents.reasoning.anchors import Anchor
from sandbox.agents.reasoning.cues import Kind
from sandbox.agents.reasoning.pool import FactPool, Probe, Way
from sandbox.agents.reasoning.probes import add_causes
from sandbox.agents.reasoning.questions import Asked, question_of
from sandbox.agents.reasoning.requests import persona_of, request_of, sheet_of
from sandbox.agents.reasoning.support import bearings
from sandbox.errors import ModelError
from sandbox.memory.store import Layer
from sandbox.models.port import Request
from sandbox.story.ids import FactId
from sandbox.story.text import clean
from sandbox.story.view import CharacterView

ROUNDS: Final = 2
MOST_QUESTIONS: Final = 3
"""Of one round."""
_QUESTION_CHARS: Final = 200
_FOUND: Final = 4
"""Facts a search brings for one question."""
_NEAR: Final = 4
"""Newest facts of each that it names."""
_NEAREST: Final = 6
"""Facts that bear on it."""
_KEYS: Final = frozenset({"enough", "ask"})
PROBE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["enough", "ask"],
    "properties": {
        "enough": {"type": "boolean"},
        "ask": {"type": "array", "items": {"type": "string"}},
    },
}


@dataclass(frozen=True)
class Probes:
    """What a reply to a probe asks."""

    enough: bool
    ask: tuple[str, ...]
    """Questions to the own memory; at most three."""


def read_probes(text: str) -> Probes:
    """The questions in a reply. What cannot be read asks nothing: it is never an error."""
    try:
        found = object_of(text, _KEYS)
    except Unreadable:
        return Probes(enough=False, ask=())
    asked = found.get("ask")
    texts = asked if isinstance(asked, list) else [asked]
    words = [clean(item, _QUESTION_CHARS) for item in texts if isinstance(item, str)]
    ask = tuple(dict.fromkeys(word for word in words if word))[:MOST_QUESTIONS]
    return Probes(enough=found.get("enough") is True, ask=ask)


def deep_request(
    view: CharacterView,
    asked: Asked | None,
    anchors: Sequence[Anchor],
    pool: FactPool,
    limits: Limits,
) -> Request:
    """The request of one round: who I am, what is asked or happens, my scenes, what I have so far."""
    persona = persona_of(view, limits)
    words = asked.words if asked else ""
    sheet = sheet_of(view, "probe", persona, limits, words, anchors, pool.newest_first)
    return request_of(view, "probe", persona, limits, sheet.slots, PROBE_SCHEMA)


async def probe_deep(
    situation: Situation,
    asked: Asked | None,
    anchors: Sequence[Anchor],
    pool: FactPool,
    limits: Limits,
) -> tuple[Probes, ...]:
    """Widen a pool by the character's own questions. Two requests at most.

    It ends when the character has enough, has nothing to ask, or a round brings nothing new. A
    reply that cannot be read, or a model that fails, ends it too: the move goes on with what there is.

    Args:
        situation: of the move; its cost and its trace are written on.
        asked: what was asked of the character. None: nothing.
        anchors: its own scenes.
        pool: widened in place.
        limits: of a request.

    Returns:
        What was asked in each round.
    """
    rounds = list[Probes]()
    for number in range(1, ROUNDS + 1):
        request = deep_request(situation.view, asked, anchors, pool, limits)
        situation.trace.requests.append(request)
        try:
            reply = await heard(situation.outside, f"probe:{number}", request, situation.cost)
        except ModelError:
            break
        probes = read_probes(reply)
        rounds.append(probes)
        if probes.enough or not await _widen_all(situation, probes.ask, pool):
            break
    if asked is not None and asked.kind is Kind.WHY:
        add_causes(situation.view, asked, pool)
    return tuple(rounds)


async def _widen_all(situation: Situation, questions: Sequence[str], pool: FactPool) -> int:
    """How much the answers of the memory add."""
    added = 0
    for words in questions:
        found = await situation.outside.recall(Layer.SEMANTIC, words, _FOUND, supporting=True)
        added += widen(situation.view, words, [FactId(id_) for id_ in found], pool)
    return added


def widen(view: CharacterView, words: str, found: Sequence[FactId], pool: FactPool) -> int:
    """Widen a pool by one question to the own memory, `I` and `you` being its owner.

    Args:
        view: of the owner.
        words: the question.
        found: facts that a search for it brought, best first.
        pool: widened in place.

    Returns:
        How much is new.

    Raises:
        BoundaryError: what the search brought lies outside F_c.
    """
    asked, graph = question_of(words, view, asker=view.me), view.known.graph
    edges = {
        edge.fact: edge
        for entity in asked.entities
        for predicate in asked.predicates
        for edge in graph.saying(entity, predicate, _NEAREST)
    }
    for entity in asked.entities:
        edges |= {edge.fact: edge for edge in graph.at(entity, _NEAREST * _NEAR)}
    nearest = bearings(view, asked, view.known.pick(edges))
    wanted = [one.fact.handle for one in nearest[:_NEAREST]]
    wanted += [edge.fact for entity in asked.entities for edge in graph.at(entity, _NEAR)]
    return pool.add(Probe(Way.SUB_QUESTION, words), [*wanted, *found[:_FOUND]])
