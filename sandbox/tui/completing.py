"""How a line of the prompt may go on: commands, and the names the viewpoint knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandbox.tui import words
from sandbox.tui.prompting import CHANGES, USAGES
from sandbox.tui.state import StoryState


def completions(text: str, state: StoryState, is_replay: bool = False) -> list[str]:
    """Whole lines that begin with `text`, the likeliest first; names are those the viewpoint knows."""
    if not text.startswith("/"):
        return []
    name, space, rest = text[1:].partition(" ")
    if not space:
        known = [n for n in USAGES if not (is_replay and n in CHANGES)]
        return [f"/{n}" + (" " if " " in USAGES[n] else "") for n in known if n.startswith(name)]
    return [f"/{name} {done}" for done in _arguments(name, rest, state)]


def _arguments(name: str, rest: str, state: StoryState) -> Iterator[str]:
    people = [names[0] for _, names in state.people()]
    others = [names[0] for who, names in state.people() if state.own not in (None, who)]
    places = [names[0] for _, names in state.places()]
    actors = people if state.viewpoint is None else people[:1]
    match name:
        case "say":
            yield from _begun(rest, [f"{who}: " for who in actors])
            yield from _begun(rest, [f"to {other}: " for other in others])
        case "do":
            yield from _begun(rest, [f"{who}: " for who in actors])
        case "search":
            yield from _begun(rest, list(actors))
        case "as":
            yield from _begun(rest, [*actors, words.DIRECTOR])
        case "view":
            yield from _begun(rest, [*people, words.DIRECTOR])
        case "whisper":
            yield from _begun(rest, [f"{other}: " for other in others])
            yield from _begun(rest, [f"{a} to {b}: " for a in actors for b in people if a != b])
        case "go":
            yield from _begun(rest, places if state.own else [])
            yield from _begun(rest, [f"{who} {place}" for who in actors for place in places])
        case "fire" if state.viewpoint is None:
            prepared = [id_ for id_ in state.world.canon.prepared_by_id]
            yield from _begun(rest, [id_ for id_ in prepared if id_ not in state.world.fired])
        case "event" if state.viewpoint is None:
            yield from _begun(rest, [f"{place}: " for place in places])
        case _:
            return


def _begun(text: str, wholes: Sequence[str]) -> Iterator[str]:
    begun = text.casefold()
    for whole in wholes:
        # Who types a place's name without its article goes on without it.
        bare = whole.removeprefix("the ") if begun else whole
        if end := next((w for w in (whole, bare) if w.casefold().startswith(begun)), ""):
            yield text + end[len(text) :]
