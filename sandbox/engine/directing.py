"""Between two rounds: messages arrive, and what a director decides comes about, if the stage allows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox.engine.director import DIRECTOR, Direction, Director
from sandbox.engine.firing import events_of
from sandbox.engine.staging import Staging
from sandbox.engine.withdrawals import Order
from sandbox.errors import StageError
from sandbox.story.chance import Chance
from sandbox.story.events import MessageRead, MessageSent
from sandbox.story.ids import CharacterId, PlaceId, SceneId
from sandbox.story.stage import NOWHERE
from sandbox.story.world import World


@dataclass
class Directing:
    """Carries out, between two rounds, what nobody in the story does by itself."""

    director: Director | None
    """None: nothing is fired and nobody is sent; messages arrive all the same."""
    seed: int
    held: frozenset[CharacterId] = frozenset()
    """Characters a person plays."""
    _told: set[str] = field(default_factory=set)
    """What the stage refused and has been said: the same is wanted round after round."""

    def delivered(self, world: World) -> Iterator[Order]:
        """One order for each message whose time has come; each is made when it is asked for."""
        for message in arrived(world):
            yield delivery(world, message)

    def directed(self, world: World, round_: int) -> Order | None:
        """What the director's decision comes to, at most one thing; None: nothing.

        Raises:
            StageError: the stage does not allow it; raised once for each reason. Nothing is applied.
        """
        if self.director is None:
            return None
        direction = self.director.decide(world, Chance(self.seed, round_, "", DIRECTOR))
        try:
            return self._order(world, direction)
        except StageError as error:
            if str(error) in self._told:
                return None
            self._told.add(str(error))
            raise

    def _order(self, world: World, direction: Direction) -> Order | None:
        if direction.fires is not None:
            return _fired(world, direction)
        if direction.sends is not None and direction.to is not None:
            return self._sent(world, direction.sends, direction.to)
        return None

    def _sent(self, world: World, who: CharacterId, to: PlaceId) -> Order:
        """The walk through doors and places like anybody's: who sees it takes it in."""
        here = world.stage.where(who)
        if who in self.held:
            raise StageError(f"`{who}` is played by a person, who alone moves it.")
        if here == to:
            raise StageError(f"`{who}` is in `{to}` already.")
        staging = Staging(world.stage)
        staging.walk(who, to)
        scene = _scene_in(world, here)
        return Order(staging.happened, scene, world.clock + staging.minutes)


def _fired(world: World, direction: Direction) -> Order:
    assert direction.fires is not None
    events = events_of(world, direction.fires)
    staging = Staging(world.stage)
    try:
        staging.add(*events)
    except StageError as error:
        problem = f"prepared event `{direction.fires}` did not happen: {error}"
        raise StageError(problem) from error
    place = world.canon.prepared_by_id[direction.fires].place
    return Order(staging.happened, _scene_in(world, place), world.clock + staging.minutes)


def _scene_in(world: World, place: PlaceId | None) -> SceneId | None:
    scene = world.scene_at(place) if place is not None else None
    return scene.id if scene is not None else None


# ── messages ──────────────────────────────────────────────────────────────────────────────────


def arrived(world: World) -> list[MessageSent]:
    """Messages whose time has come and whose addressee is awake, the earliest due first."""
    if not world.stage.letters:
        return []
    due = [(_due(world, message), message) for message in world.stage.letters.values()]
    return [
        message
        for when, message in sorted(due, key=lambda item: (item[0], item[1].message))
        if when <= world.clock and _can_read(world, message.to)
    ]


def _due(world: World, message: MessageSent) -> int:
    """Story minute from which a message can arrive."""
    for beat in reversed(world.beats):
        if any(happened.event == message for happened in beat.events):
            return beat.clock + message.minutes
    return world.clock


def _can_read(world: World, who: CharacterId) -> bool:
    return world.stage.is_attending(who) and world.stage.where(who) != NOWHERE


def delivery(world: World, message: MessageSent) -> Order:
    """The addressee reads a message where it is."""
    staging = Staging(world.stage)
    read = MessageRead(
        actor=message.to,
        message=message.message,
        sender=message.actor,
        words=message.words,
        tells=message.tells,
    )
    staging.add(read)
    place = world.stage.place_of[message.to]
    return Order(staging.happened, _scene_in(world, place), world.clock + staging.minutes)
