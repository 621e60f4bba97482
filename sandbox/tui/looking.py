"""The cast as the viewpoint has it: who is where, in what mood, awake or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import cast_seen
from sandbox.story.world import World
from sandbox.tui import words
from sandbox.tui.page import Block, Span, Style, block, cut, para, width_of
from sandbox.tui.state import StoryState

_NAME_CELLS = 13
"""Room for a name in the side panel, so that moods stand under one another."""


@dataclass(frozen=True)
class PersonRow:
    id: CharacterId
    name: str
    note: str


@dataclass(frozen=True)
class PlaceRows:
    """A place with those in it."""

    name: str
    is_playing: bool
    """Whether a scene is open there."""
    people: tuple[PersonRow, ...]


def cast_rows(state: StoryState) -> list[PlaceRows]:
    """Places in the world's order; for a character the place it is in, then whom it saw last where."""
    if (view := state.view) is not None:
        return list(_seen_by(state, view))
    return list(_all(state.world))


def _all(world: World) -> Iterator[PlaceRows]:
    seen = cast_seen(world, None)
    notes = {who: _note(world, who) for who, _, _ in seen}
    for place in [*world.canon.places_by_id, PlaceId("")]:
        people = tuple(PersonRow(who, name, notes[who]) for who, name, at in seen if at == place)
        if people:
            name = world.names(None)(place) if place else words.GONE
            yield PlaceRows(name, world.scene_at(place) is not None, people)


def _note(world: World, who: CharacterId) -> str:
    stage = world.stage
    states = [
        (who in stage.dead, words.DEAD),
        (who in stage.asleep, words.ASLEEP),
        (who in stage.hidden, words.HIDDEN),
    ]
    return next((text for holds, text in states if holds), world.moods[who])


def _seen_by(state: StoryState, view: CharacterView) -> Iterator[PlaceRows]:
    people = [
        PersonRow(who, name, _note_seen(view, who))
        for who, name, _ in cast_seen(state.world, view.me)
    ]
    people.sort(key=lambda row: row.id != view.me)
    yield PlaceRows(view.names(view.place), True, tuple(people))
    here = {row.id for row in people}
    away = tuple(
        PersonRow(who, view.names(who), note)
        for who, note in sorted(state.last_seen().items())
        if who not in here
    )
    if away:
        yield PlaceRows(words.ELSEWHERE, False, away)


def _note_seen(view: CharacterView, who: CharacterId) -> str:
    if who == view.me:
        return view.mood
    return "" if view.is_attending(who) else words.LIES_STILL


def cast_blocks(state: StoryState, rows: list[PlaceRows]) -> list[Block]:
    """The cast, one under another."""
    blocks = []
    for place in rows:
        mark = "◉" if place.is_playing else "◯"
        blocks.append(block(para(Span(f"{mark} {place.name}", "place"), hang=2)))
        blocks += [_person(state, row) for row in place.people]
    return blocks


def _person(state: StoryState, row: PersonRow) -> Block:
    mark = "▸" if row.id == state.selected else " "
    you = f" ({words.PERSON_PLAYED})" if row.id == state.speaking_as else ""
    # What says that it is you is never cut; a long name takes the room it needs.
    shown = cut(row.name, _NAME_CELLS) + you
    shown += " " * (_NAME_CELLS - cell_len(shown))
    look: Style = "name" if row.id == state.selected else ""
    return block(
        para(Span(f"{mark} "), Span(shown, look), Span(f" {row.note}", "dim"), hang=4), key=row.id
    )


@dataclass(frozen=True)
class Piece:
    """Part of a one-row bar; with a key it can be clicked."""

    span: Span
    key: str | None = None


def cast_line(state: StoryState, rows: list[PlaceRows], width: int) -> list[Piece]:
    """The cast in one row: the places with those in them, by shorter names where there is no room."""
    pieces: list[Piece] = []
    for cells, first_only in ((20, False), (14, True), (8, True), (5, True)):
        pieces = list(_in_one_row(state, rows, cells, first_only))
        if width_of([piece.span for piece in pieces]) <= width:
            break
    return pieces


def _in_one_row(
    state: StoryState, rows: list[PlaceRows], cells: int, first_only: bool
) -> Iterator[Piece]:
    for number, place in enumerate(rows):
        yield Piece(Span(" │ " if number else " ", "dim"))
        yield Piece(Span(f"{_short(place.name, cells)}: ", "place"))
        for at, row in enumerate(place.people):
            name = row.name.split()[0] if first_only else row.name
            mark = "▸" if row.id == state.selected else ""
            look: Style = "name" if row.id == state.selected else ""
            still = f" ({row.note})" if row.note in _STATES else ""
            yield Piece(Span(" · " if at else "", "dim"))
            yield Piece(Span(f"{mark}{cut(name, cells)}{still}", look), row.id)


def _short(name: str, cells: int) -> str:
    """A place's name where there is little room: the article goes before the name does."""
    return cut(name if cell_len(name) <= cells else name.removeprefix("the "), cells)


_STATES = frozenset([words.DEAD, words.ASLEEP, words.HIDDEN, words.LIES_STILL])
