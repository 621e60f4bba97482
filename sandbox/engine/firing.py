"""Firing a prepared event: what its author wrote, as events that the stage checks like all others."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.errors import StageError
from sandbox.story.events import DoorChanged, Event, Narrated, ThingChanged
from sandbox.story.ids import PreparedId
from sandbox.story.threads import obstacle
from sandbox.story.world import World


def events_of(world: World, prepared_id: PreparedId) -> list[Event]:
    """What a prepared event comes to, in order: its text, then what it changes.

    Raises:
        StageError: there is none of that id, it has happened, or it may not happen yet.
    """
    world.stage.known("prepared event", prepared_id, world.canon.prepared_by_id)
    if problem := obstacle(world, prepared_id):
        raise StageError(problem)
    return list(_events(world, prepared_id))


def _events(world: World, prepared_id: PreparedId) -> Iterator[Event]:
    item = world.canon.prepared_by_id[prepared_id]
    yield Narrated(text=item.text, place=item.place, prepared=prepared_id)
    for thing in item.things:
        yield ThingChanged(
            actor=None,
            thing=thing.thing,
            state=thing.state,
            place=thing.place,
            holder=thing.holder,
        )
    for door in item.doors:
        yield DoorChanged(actor=None, between=door.between, door=door.door)
