"""Probing without a model: two steps over the graph of F_c from the entities at hand (section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from sandbox.agents.reasoning.anchors import Anchor
from sandbox.agents.reasoning.cues import Kind
from sandbox.agents.reasoning.pool import FactPool, Probe, Way
from sandbox.agents.reasoning.questions import Asked
from sandbox.agents.reasoning.support import bearings
from sandbox.story.graphs import Edge, FactGraph
from sandbox.story.ids import FactId
from sandbox.story.view import CharacterView

DEPTH: Final = 3
"""Causes followed back from what is asked about."""


@dataclass(frozen=True)
class Caps:
    """How far probing goes. None of it grows with what the character knows."""

    facts: int = 24
    """Facts in the pool, causes of what is asked about not counted."""
    of_entity: int = 16
    """Newest facts looked at of one entity."""
    near: int = 6
    """The same of an entity one step on."""
    steps_from: int = 12
    """Best facts from which the second step sets out."""
    asked: int = 24
    """Facts looked at for each entity and predicate that a question names."""


_FROM_ASKED, _FROM_FOUND, _FROM_ANCHOR, _FROM_HERE = 1.0, 0.6, 0.35, 0.3
"""Weights of where a probe sets out: a question leads, an own scene and who is here only colour."""
_STEP: Final = 0.4
"""What is left of a weight one step on."""
_BOTH, _MEANT, _RECENT = 1.0, 1.0, 0.1
"""Worth of sharing subject and object with a question, of its predicate, and of being new."""


@dataclass
class _Score:
    edge: Edge
    probe: Probe
    worth: float


@dataclass
class _Probing:
    """One search; scores each fact once, by the best way to it."""

    view: CharacterView
    asked: Asked | None
    graph: FactGraph
    found: dict[FactId, _Score] = field(default_factory=dict)

    def reach(self, edges: Iterable[Edge], probe: Probe, start: float) -> None:
        """Note facts that a probe comes upon."""
        for edge in edges:
            worth = start + self._worth(edge)
            known = self.found.get(edge.fact)
            if known is None or worth > known.worth:
                self.found[edge.fact] = _Score(edge, probe, worth)

    def _worth(self, edge: Edge) -> float:
        worth = _RECENT * (edge.number + 1) / len(self.graph)
        if (asked := self.asked) is None:
            return worth
        ends = {edge.subject, edge.object}
        worth += _BOTH * (len(ends & set(asked.entities)) > 1)
        return worth + _MEANT * (edge.predicate in asked.predicates)

    def best(self, most: int) -> list[_Score]:
        """The facts of greatest worth; equals by the later learned."""
        ranked = sorted(self.found.values(), key=lambda one: (-one.worth, -one.edge.number))
        return ranked[:most]


def probe_fast(
    view: CharacterView,
    asked: Asked | None,
    anchors: Sequence[Anchor] = (),
    found: Sequence[FactId] = (),
    caps: Caps = Caps(),
) -> FactPool:
    """A fact pool for the moment, without a model.

    Args:
        view: of whoever thinks.
        asked: what was asked of it. None: nothing; it sets out from who is here and what it wants.
        anchors: its own scenes that came to mind.
        found: facts that a search brought, best first.
        caps: how far it goes.

    Raises:
        BoundaryError: what a search brought lies outside F_c.
    """
    pool = FactPool(view.known)
    if asked is not None:
        add_asked(view, asked, pool, caps)
    search = _Probing(view, asked, view.known.graph)
    _set_out(search, anchors, found, caps)
    _step_on(search, caps)
    _gather(pool, search.best(caps.facts), caps)
    return pool


def add_asked(view: CharacterView, asked: Asked, pool: FactPool, caps: Caps) -> int:
    """Widen a pool by what bears on a question, and by its causes; returns how much is new."""
    graph, before = view.known.graph, len(pool)
    for entity in asked.entities or ("",):
        edges = _about(graph, entity, asked, caps) if entity else graph.newest(caps.asked)
        facts = view.known.pick(edge.fact for edge in edges)
        nearest = [one.fact.handle for one in bearings(view, asked, facts)]
        pool.add(Probe(Way.ASKED, entity), nearest[: caps.facts // 2])
    if asked.kind is Kind.WHY:
        add_causes(view, asked, pool)
    return len(pool) - before


def _about(graph: FactGraph, entity: str, asked: Asked, caps: Caps) -> list[Edge]:
    """The facts about an entity that could answer: those by the predicates meant, and the newest."""
    edges = {
        edge.fact: edge
        for predicate in asked.predicates
        for edge in graph.saying(entity, predicate, caps.asked)
    }
    edges |= {edge.fact: edge for edge in graph.at(entity, caps.asked)}
    return list(edges.values())


def add_causes(view: CharacterView, asked: Asked, pool: FactPool) -> None:
    """Widen a pool by the causes, inside F_c, of the facts that a why-question is about."""
    for effect in [one.fact for one in bearings(view, asked, pool)]:
        chain, cause = list[FactId](), effect.cause
        while cause is not None and cause not in chain and len(chain) < DEPTH:
            chain.append(cause)
            cause = view.known.pick([cause])[0].cause
        if chain:
            pool.add(Probe(Way.CAUSE, effect.subject), chain)


def _set_out(
    search: _Probing, anchors: Sequence[Anchor], found: Sequence[FactId], caps: Caps
) -> None:
    view, graph = search.view, search.graph
    if search.asked is not None:
        for entity in search.asked.entities:
            edges = _about(graph, entity, search.asked, caps)[: caps.of_entity]
            search.reach(edges, Probe(Way.ASKED, entity), _FROM_ASKED)
    view.known.pick(found)  # raises for what is not its own
    search.reach((graph.edge(id_) for id_ in found), Probe(Way.FOUND), _FROM_FOUND)
    for anchor in anchors:
        learned = graph.learned_in(anchor.scene, caps.of_entity)
        search.reach(learned, Probe(Way.ANCHOR), _FROM_ANCHOR)
        for entity in anchor.entities:
            edges = graph.at(entity, caps.of_entity)
            search.reach(edges, Probe(Way.ANCHOR, entity), _FROM_ANCHOR)
    for entity in _at_hand(view):
        search.reach(graph.at(entity, caps.of_entity), Probe(Way.HERE, entity), _FROM_HERE)


def _at_hand(view: CharacterView) -> Iterator[str]:
    """Who is here, and what the character wants to know about."""
    yield from (person.id for person in view.people)
    yield from dict.fromkeys(want.subject for want in view.wants)


def _step_on(search: _Probing, caps: Caps) -> None:
    """The second step: from the other ends of the best facts so far."""
    started = {one.probe.about for one in search.found.values()} | {search.view.me}
    for one in search.best(caps.steps_from):
        for end in (one.edge.subject, one.edge.object):
            if end not in started and search.view.kind_of(end) != "text":
                started.add(end)
                edges = search.graph.at(end, caps.near)
                search.reach(edges, Probe(Way.NEAR, end), _STEP * one.worth)


def _gather(pool: FactPool, best: list[_Score], caps: Caps) -> None:
    """Put the best into the pool, probe by probe, as far as there is room."""
    new = [one for one in best if one.edge.fact not in pool]
    room = max(0, caps.facts - len(pool))
    by_probe: dict[Probe, list[FactId]] = {}
    for one in new[:room]:
        by_probe.setdefault(one.probe, []).append(one.edge.fact)
    for probe, facts in by_probe.items():
        pool.add(probe, facts)
