"""Graphs: the places a character knows, and its facts. Alone imports networkx, and only when used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sandbox.story.ids import FactId, PlaceId, PredicateId
from sandbox.story.predicates import LOCATED_IN


def first_step(
    ways: Mapping[PlaceId, Iterable[PlaceId]], here: PlaceId, goal: PlaceId
) -> PlaceId | None:
    """The neighbour of `here` on a shortest way to `goal`; None where no way is known.

    Of several shortest ways the one that comes first by id, so that a replay walks the same.
    """
    return _first_step(frozenset((a, b) for a in ways for b in ways[a]), here, goal)


@lru_cache(maxsize=4096)
def _first_step(
    ways: frozenset[tuple[PlaceId, PlaceId]], here: PlaceId, goal: PlaceId
) -> PlaceId | None:
    """Kept, as people walk the same few ways again and again."""
    import networkx as nx

    graph = nx.Graph(sorted(ways))
    if here == goal or here not in graph or goal not in graph or not nx.has_path(graph, here, goal):
        return None
    return min(PlaceId(path[1]) for path in nx.all_shortest_paths(graph, here, goal))


@dataclass(frozen=True, slots=True)
class Edge:
    """One fact, between the two that it is about."""

    fact: FactId
    subject: str
    predicate: PredicateId
    object: str
    scene: str
    """Scene in which it was learned; empty where there is none."""
    number: int
    """Its place in the order of learning, from 0."""


class FactGraph:
    """F_c as a graph: entities and texts joined by the facts about them. It only grows.

    Kept as lists by node, in order of learning: a knower of 3,000 facts asks for the newest few of
    a node in microseconds, where a general graph would walk all edges of the node to find them.
    """

    def __init__(self) -> None:
        self._edges: list[Edge] = []
        self._at: dict[str, list[Edge]] = {}
        self._lasting: dict[str, list[Edge]] = {}
        """Of each node all but who and what was where: of that there is something new at every step."""
        self._saying: dict[tuple[str, PredicateId], list[Edge]] = {}
        self._learned_in: dict[str, list[Edge]] = {}
        self._of: dict[FactId, Edge] = {}

    def __len__(self) -> int:
        return len(self._edges)

    def add(self, edge: Edge) -> None:
        self._edges.append(edge)
        self._of[edge.fact] = edge
        if edge.predicate != LOCATED_IN:
            self._learned_in.setdefault(edge.scene, []).append(edge)
        for node in dict.fromkeys((edge.subject, edge.object)):
            self._at.setdefault(node, []).append(edge)
            if edge.predicate != LOCATED_IN:
                self._lasting.setdefault(node, []).append(edge)
            self._saying.setdefault((node, edge.predicate), []).append(edge)

    @property
    def nodes(self) -> Mapping[str, Sequence[Edge]]:
        """Whom and what the facts are about, in order of first hearing of them."""
        return self._at

    def edge(self, fact: FactId) -> Edge:
        return self._of[fact]

    def newest(self, most: int) -> list[Edge]:
        """The facts learned last, the last first."""
        return self._edges[: -most - 1 : -1]

    def at(self, node: str, most: int) -> list[Edge]:
        """The newest facts about a node, the last first; where it is, only if nothing else is known."""
        return (self._lasting.get(node) or self._at.get(node, []))[: -most - 1 : -1]

    def saying(self, node: str, predicate: PredicateId, most: int) -> list[Edge]:
        """The newest facts about a node by one predicate, the last first."""
        return self._saying.get((node, predicate), [])[: -most - 1 : -1]

    def learned_in(self, scene: str, most: int) -> list[Edge]:
        """The newest facts that were learned in a scene, the last first; not who was where in it."""
        return self._learned_in.get(scene, [])[: -most - 1 : -1]
