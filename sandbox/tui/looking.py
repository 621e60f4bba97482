"""The cast as the viewpoint has it: who is where, in what mood, awake or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import cast_seen
from sandbox.story.world import World
from sandbox.tui import words
from sandbox.tui.page import Block, Span, Style, block, cut, padded, para
from sandbox.tui.state import StoryState


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


def cast_blocks(state: StoryState, rows: list[PlaceRows], width: int) -> list[Block]:
    """The cast, one under another, at `width` cells."""
    name_width = max(8, min(16, width // 2))
    blocks = []
    for place in rows:
        mark = "◉" if place.is_playing else "◯"
        blocks.append(block(para(Span(f"{mark} {place.name}", "place"), hang=2)))
        blocks += [_person(state, row, name_width) for row in place.people]
    return blocks


def _person(state: StoryState, row: PersonRow, name_width: int) -> Block:
    mark = "▸" if row.id == state.selected else " "
    you = f" ({words.PERSON_PLAYED})" if row.id == state.speaking_as else ""
    shown = padded(row.name + you, name_width)
    look: Style = "name" if row.id == state.selected else ""
    return block(
        para(Span(f"{mark} "), Span(shown, look), Span(f" {row.note}", "dim"), hang=4), key=row.id
    )


@dataclass(frozen=True)
class Piece:
    """Part of a one-row bar; with a key it can be clicked."""

    span: Span
    key: str | None = None


def cast_line(state: StoryState, rows: list[PlaceRows]) -> list[Piece]:
    """The cast in one row: the places with those in them."""
    pieces: list[Piece] = [Piece(Span(" "))]
    for place in rows:
        if len(pieces) > 1:
            pieces.append(Piece(Span(" │ ", "dim")))
        pieces.append(Piece(Span(f"{cut(place.name, 14)}: ", "place")))
        for number, row in enumerate(place.people):
            mark = "▸" if row.id == state.selected else ""
            look: Style = "name" if row.id == state.selected else ""
            still = f" ({row.note})" if row.note in _STATES else ""
            before = " · " if number else ""
            pieces.append(Piece(Span(before, "dim")))
            pieces.append(Piece(Span(f"{mark}{cut(row.name, 14)}{still}", look), row.id))
    return pieces


_STATES = frozenset([words.DEAD, words.ASLEEP, words.HIDDEN, words.LIES_STILL])
