"""Whether the secrets of a world can be found out by those who are not meant to know them."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, FactId, PlaceId
from sandbox.story.ways import Door
from sandbox.story.world import World


def unfindable(canon: Canon) -> list[FactId]:
    """Secrets that nobody new could witness or be told, as the world stands at its default start.

    A secret can be found out where a thing shows it in a place somebody can reach who does not
    know it, or where somebody knows it who does not keep it from one who does not know it.
    """
    world = Fold(canon, canon.default_start).world
    secrets = [FactId(fact.id) for fact in canon.facts if fact.secret]
    return [fact for fact in secrets if not _can_be_found(world, fact)]


def _can_be_found(world: World, fact: FactId) -> bool:
    knowers = set(world.knowers(fact))
    others = [who for who in world.stage.place_of if who not in knowers]
    shown = any(
        place in reachable(world, who) for who in others for place in _shown_in(world, fact)
    )
    return shown or any(_may_tell(world, who, fact, other) for who in knowers for other in others)


def _shown_in(world: World, fact: FactId) -> Iterator[PlaceId]:
    """Places with a thing that shows the fact; a held thing is where its holder is."""
    for thing, there in world.stage.thing_at.items():
        if fact in world.canon.things_by_id[thing].reveals:
            yield world.stage.place_of.get(CharacterId(there), PlaceId(there))


def reachable(world: World, who: CharacterId) -> set[PlaceId]:
    """Places somebody can walk to without opening a locked door."""
    found, frontier = set[PlaceId](), [world.stage.place_of[who]]
    while frontier:
        place = frontier.pop()
        if place not in found:
            found.add(place)
            exits = world.stage.exits(place)
            frontier += [other for other, _, door in exits if door is not Door.LOCKED]
    return found


def _may_tell(world: World, who: CharacterId, fact: FactId, other: CharacterId) -> bool:
    """Whether somebody has no motive to keep a fact from another."""
    canon = world.canon
    keeps = [k for k in canon.cast[who].keeps if k.fact == fact and canon.holds(k, world.start)]
    return all(other in keep.unless for keep in keeps)
