"""Graphs: the places a character knows. The only module that imports networkx, and only when used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from sandbox.story.ids import PlaceId


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
