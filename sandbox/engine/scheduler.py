"""The scheduler: which scenes play in a round, in which order, and who acts in each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sandbox.story.events import LineSpoken, Whispered
from sandbox.story.ids import CharacterId, PlaceId, SceneId, scene_id
from sandbox.story.world import Scene, World

LONE_REST = 4
"""Turns a character that is alone sits out after a beat: most of a story is between people."""
_ADDRESS_SPAN = 6
"""Beats after which a line that nobody took up is no longer waiting for an answer."""


@dataclass(frozen=True)
class Due:
    """A scene that plays in this round, and who acts in it."""

    place: PlaceId
    scene: SceneId
    opens: bool
    """Whether the scene is new and opens with this beat."""
    number: int
    actor: CharacterId


def due_scenes(
    world: World, held: Collection[CharacterId] = (), forced: CharacterId | None = None
) -> list[Due]:
    """The scenes of a round, those first that have waited longest; this is the order of commit.

    Args:
        world: the state that everybody decides against.
        held: characters that a person plays; they are never picked.
        forced: a character that has to act now, in the place where it is.
    """
    able = _able(world, held)
    if forced is not None:
        able = {place: [forced] for place, there in able.items() if forced in there}
    rested = {p: w for p, w in able.items() if forced or _is_rested(world, p, w)}
    chosen = rested or able
    order = sorted(chosen, key=lambda place: (_last_played(world, place, chosen[place]), place))
    return list(_numbered(world, [(place, chosen[place]) for place in order]))


def _able(world: World, held: Collection[CharacterId]) -> dict[PlaceId, list[CharacterId]]:
    """For each place those in it who can be picked."""
    able: dict[PlaceId, list[CharacterId]] = {}
    for who in sorted(world.stage.place_of):
        if world.stage.is_attending(who) and who not in held:
            able.setdefault(world.stage.place_of[who], []).append(who)
    return able


def _is_rested(world: World, place: PlaceId, able: list[CharacterId]) -> bool:
    if len(world.stage.attending(place)) > 1:
        return True
    last = world.last_acted[able[0]]
    return last == 0 or world.turn - last >= LONE_REST


def _last_played(world: World, place: PlaceId, able: list[CharacterId]) -> int:
    """Turn a place last played; before all others where a person has just had a hand in it."""
    scene = world.scene_at(place)
    if scene and scene.beats:
        return -1 if scene.beats[-1].mind not in world.canon.cast else scene.beats[-1].turn
    return min(world.last_acted[who] for who in able)


def _numbered(world: World, places: list[tuple[PlaceId, list[CharacterId]]]) -> Iterator[Due]:
    number = world.counts.scenes
    for place, able in places:
        scene = world.scene_at(place)
        if scene is not None:
            yield Due(place, scene.id, False, scene.number, next_actor(world, scene, able))
            continue
        number += 1
        actor = min(able, key=lambda who: (world.last_acted[who], who))
        yield Due(place, scene_id(number), True, number, actor)


def next_actor(world: World, scene: Scene, able: list[CharacterId]) -> CharacterId:
    """Who acts next in a scene: the addressed first, else whoever has waited longest."""
    since: set[CharacterId] = set()
    for beat in reversed(scene.beats[-_ADDRESS_SPAN:]):
        # Its answer may have been cut whole: then nobody acts in it.
        since.add(CharacterId(beat.mind))
        for happened in reversed(beat.events):
            event = happened.event
            if isinstance(event, LineSpoken | Whispered):
                waiting = [who for who in event.targets if who in able and who not in since]
                if waiting:
                    return waiting[0]
            actor = getattr(event, "actor", None)
            if actor is not None:
                since.add(actor)
    return min(able, key=lambda who: (world.last_acted[who], who))


def ended_scenes(world: World, scene_beats: int) -> list[Scene]:
    """Scenes that are over: enough beats, or nobody left who takes part.

    Never right after a person's hand in it, which would leave a question without its answer.
    """
    return [
        scene
        for scene in world.scenes.values()
        if not world.stage.attending(scene.place)
        or (len(scene.beats) >= scene_beats and scene.beats[-1].mind in world.canon.cast)
    ]
