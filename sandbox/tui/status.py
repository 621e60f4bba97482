"""The title row: world, clock, turn, whose eyes, which minds, what it cost; never wall time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.tui import words
from sandbox.tui.looking import Piece
from sandbox.tui.page import Span, cut, shown_clock, width_of
from sandbox.tui.state import StoryState

REHEARSAL = "rehearsal"
"""Name of the mind that needs no model."""


@dataclass(frozen=True)
class Status:
    """What the title says besides the story."""

    minds: tuple[str, ...] = ()
    """Names of the minds in play; empty: a replay."""
    calls: int = 0
    tokens: int = 0
    is_estimated: bool = False
    activity: str = ""
    last_turn: int | None = None
    """Of a replay, in the director's view."""


def title_row(state: StoryState, status: Status, width: int) -> list[Piece]:
    """The title at a width: what matters least goes first where there is no room."""
    eyes = words.AS_SEEN_BY.format(name=state.name(state.viewpoint)) if state.viewpoint else ""
    clock = shown_clock(state.world.clock)
    row: tuple[Span, ...] = ()
    for title_cells, turn, right in _versions(state, status):
        title = cut(state.world.canon.title, title_cells)
        left = [Span(f" {title} ", "title"), Span(f"· {clock} · {turn} ")]
        middle = [Span(f"· {eyes} ", "eyes")] if eyes else []
        rest = width - width_of([*left, *middle]) - width_of([Span(right)]) - 2
        row = (*left, *middle, Span("─" * max(rest, 0), "dim"), Span(f" {right} ", "minds"))
        if rest >= 1:
            break
    return [Piece(span) for span in row]


def _versions(state: StoryState, status: Status) -> Iterator[tuple[int, str, str]]:
    """(cells for the world's title, turn, right end), widest first."""
    turn = turn_text(state, status)
    short = words.TURN_SHORT.format(turn=state.turn)
    long_mind, short_mind, tiny_mind = _minds(status)
    about = words.ESTIMATED if status.is_estimated else ""
    cost = calls = ""
    if status.minds:
        cost = words.COST.format(calls=status.calls, tokens=f"{about}{status.tokens:,}")
        calls = words.COST_SHORT.format(calls=status.calls)
    yield 40, turn, _right(long_mind, cost, status.activity)
    yield 24, turn, _right(long_mind, calls, status.activity)
    yield 24, turn, _right(long_mind, "", status.activity)
    yield 24, short, _right(short_mind, calls, status.activity)
    yield 16, short, _right(short_mind, "", status.activity)
    yield 12, short, _right(tiny_mind, "", status.activity)
    yield 8, short, status.activity or tiny_mind


def turn_text(state: StoryState, status: Status) -> str:
    """The turn, in a replay with the last one; how many there are, only the director knows."""
    if status.last_turn is not None and state.viewpoint is None:
        return words.TURN_OF.format(turn=state.turn, last=status.last_turn)
    return words.TURN.format(turn=state.turn)


def _minds(status: Status) -> tuple[str, str, str]:
    if not status.minds:
        return (words.REPLAY, words.REPLAY, words.REPLAY)
    if status.minds == (REHEARSAL,):
        return (words.REHEARSAL, words.REHEARSAL_SHORT, words.REHEARSAL_TINY)
    names = words.JOIN.join(status.minds)
    return (names, cut(names, 24), cut(names, 14))


def _right(*parts: str) -> str:
    return words.GROUPS.join(part for part in parts if part)
