"""Whether the secrets of a world can be found out by those who are not meant to know them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, FactId, PlaceId
from sandbox.story.stage import way
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
    return shown or any(may_tell(world, who, fact, other) for who in knowers for other in others)


def _shown_in(world: World, fact: FactId) -> Iterator[PlaceId]:
    """Places with a thing that shows the fact; a held thing is where its holder is."""
    for thing in world.stage.thing_at:
        if fact in world.canon.things_by_id[thing].reveals:
            yield world.stage.place_of_thing(thing)


def reachable(
    world: World, who: CharacterId, unlocked: Collection[frozenset[PlaceId]] = ()
) -> set[PlaceId]:
    """Places somebody can walk to without opening a locked door, but for those in `unlocked`."""
    found, frontier = set[PlaceId](), [world.stage.place_of[who]]
    while frontier:
        place = frontier.pop()
        if place not in found:
            found.add(place)
            frontier += [
                other
                for other, _, door in world.stage.exits(place)
                if door is not Door.LOCKED or way(place, other) in unlocked
            ]
    return found


def may_tell(world: World, who: CharacterId, fact: FactId, other: CharacterId) -> bool:
    """Whether somebody has no motive to keep a fact, or another that says the same, from another."""
    canon, said = world.canon, world.facts[fact].proposition
    keeps = [keep for keep in canon.cast[who].keeps if canon.holds(keep, world.start)]
    same = (k for k in keeps if k.fact in world.facts and world.facts[k.fact].proposition == said)
    return all(other in keep.unless for keep in same)
