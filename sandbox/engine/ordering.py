"""A person's commands as events."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.story.beats import Beat, Happened
from sandbox.story.commands import Command, Do, Go, Inject, Retake, Rewind, Say, Stage
from sandbox.story.events import (
    Acted,
    Commanded,
    Event,
    LineSpoken,
    Narrated,
    SceneOpened,
    Whispered,
    Withdrawn,
)
from sandbox.story.fold import surviving
from sandbox.story.ids import CharacterId, PlaceId, SceneId, scene_id
from sandbox.story.text import clean
from sandbox.story.world import World

_RETAKEN = Commanded(command="retake")


@dataclass(frozen=True)
class Order:
    """What a command comes to."""

    happened: Sequence[Happened]
    scene: SceneId | None
    clock: int
    withdraws: frozenset[int] = frozenset()


def carry_out(command: Command, world: World, beats: Sequence[Beat]) -> Order:
    """The events of a command.

    Raises:
        StageError: the stage or the story does not allow it. Nothing is applied.
    """
    match command:
        case Rewind():
            return _withdrawal(command, world, _after(beats, command.turn, world.turn))
        case Retake():
            return _retake(command, world, beats)
        case _:
            return _staged(command, world)


def _staged(command: Inject | Say | Do | Go | Stage, world: World) -> Order:
    place = _place_of(command, world)
    staging = Staging(world.stage)
    staging.add(Commanded(command=command.kind))
    scene = _scene_in(place, world, staging if isinstance(command, Say) else None)
    before = len(staging.happened)
    match command:
        case Go():
            staging.walk(command.character, command.place)
        case Stage():
            staging.add(*command.events)
        case Inject():
            staging.add(Narrated(text=_worded(command.text), place=command.place))
        case Say() | Do():
            staging.add(_deed(command))
    if len(staging.happened) == before:
        raise StageError("the command holds no event, so nothing would happen.")
    return Order(staging.happened, scene, world.clock + staging.minutes)


def _place_of(command: Inject | Say | Do | Go | Stage, world: World) -> PlaceId | None:
    """Where a command takes effect; None: everywhere, or nowhere in particular."""
    match command:
        case Inject():
            return command.place
        case Stage():
            actors = [a for e in command.events if (a := getattr(e, "actor", None))]
            return world.stage.place_of.get(actors[0]) if actors else None
        case Say() | Do() | Go():
            return world.stage.where(command.character)


def _scene_in(place: PlaceId | None, world: World, staging: Staging | None) -> SceneId | None:
    """The scene in a place. Where none plays, one opens on `staging`: who is spoken to answers in it."""
    if place is None or not world.stage.attending(place):
        return None
    if (scene := world.scene_at(place)) is not None:
        return scene.id
    if staging is None:
        return None
    number = world.counts.scenes + 1
    staging.add(SceneOpened(scene=scene_id(number), place=place, number=number))
    return scene_id(number)


def _worded(text: str) -> str:
    words = clean(text)
    if not words:
        raise StageError("the command has no words in it, so nothing would happen.")
    return words


def _deed(command: Say | Do) -> Event:
    who = command.character
    if isinstance(command, Do):
        return Acted(actor=who, text=_worded(command.text))
    words = _worded(command.words)
    if command.whisper:
        return Whispered(actor=who, words=words, targets=command.to, tells=command.tells)
    return LineSpoken(actor=who, words=words, targets=command.to, tells=command.tells)


def _after(beats: Sequence[Beat], turn: int, now: int) -> list[Beat]:
    if turn >= now:
        raise StageError(f"the story is at turn {now}: nothing to rewind after turn {turn}.")
    return [beat for beat in surviving(beats) if beat.turn > turn and beat.is_story]


def _retake(command: Retake, world: World, beats: Sequence[Beat]) -> Order:
    played = [beat for beat in surviving(beats) if beat.mind in world.canon.cast]
    if not played:
        raise StageError("no beat to play again: nobody has acted yet.")
    last = played[-1]
    later = [b for b in surviving(beats) if b.seq >= last.seq and b.is_story]
    return _withdrawal(command, world, later)


def forced_by(
    beats: Sequence[Beat], since: int, cast: Container[CharacterId]
) -> CharacterId | None:
    """Whom the last withdrawal, where it was a retake after line `since`, makes act again."""
    last = next((beat for beat in reversed(beats) if beat.withdrawn_seqs), None)
    if last is None or last.seq <= since or _RETAKEN not in [h.event for h in last.events]:
        return None
    gone = (CharacterId(b.mind) for b in beats if b.seq in last.withdrawn_seqs)
    return next((who for who in gone if who in cast), None)


def _withdrawal(command: Rewind | Retake, world: World, gone: Sequence[Beat]) -> Order:
    seqs = tuple(beat.seq for beat in gone)
    before = [beat for beat in world.beats if beat.seq not in seqs]
    canon, start = world.canon, world.start
    clock = before[-1].clock if before else canon.opening_clock(start)
    staging = Staging(world.stage)
    staging.add(Commanded(command=command.kind), Withdrawn(seqs=seqs))
    return Order(staging.happened, None, clock, frozenset(seqs))
