"""A person's commands as events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sandbox.agents.guarding import findings
from sandbox.agents.minds import Move
from sandbox.engine.firing import events_of
from sandbox.engine.staging import Staging
from sandbox.engine.withdrawals import Order, taken_back
from sandbox.errors import StageError
from sandbox.story.beats import Beat, Happened
from sandbox.story.commands import (
    Command,
    Do,
    Edit,
    Fire,
    Go,
    Inject,
    Retake,
    Retract,
    Rewind,
    Say,
    Stage,
)
from sandbox.story.events import (
    Acted,
    Commanded,
    Event,
    GuardFound,
    LineSpoken,
    Narrated,
    SceneOpened,
    Whispered,
)
from sandbox.story.ids import PlaceId, SceneId, scene_id
from sandbox.story.telling.told import told_by
from sandbox.story.text import clean
from sandbox.story.view import CharacterView
from sandbox.story.world import World


def carry_out(
    command: Command, world: World, beats: Sequence[Beat], *, guarded: bool = True
) -> Order:
    """The events of a command.

    Args:
        command: what a person or a script asks for.
        world: as it is.
        beats: every journal line so far.
        guarded: whether what the guard finds in its words is noted. They are never changed.

    Raises:
        StageError: the stage or the story does not allow it. Nothing is applied.
    """
    match command:
        case Edit():
            worded = command.model_copy(update={"words": _worded(command.words)})
            return taken_back(worded, world, beats)
        case Rewind() | Retake() | Retract():
            return taken_back(command, world, beats)
        case _:
            order = _staged(command, world)
            return _with_findings(order, command, world) if guarded else order


def _with_findings(order: Order, command: Command, world: World) -> Order:
    """With what the guard finds in what somebody is made to say; shown, and let stand."""
    if not isinstance(command, Say):
        return order
    view = CharacterView(world, command.character)
    line = Move(words=_worded(command.words), to=command.to, whisper=command.whisper)
    found = [
        GuardFound(owner=view.me, offence=f.offence, sentence=f.sentence, outcome="shown")
        for f in findings(view, line)
    ]
    noted = [Happened(event=one) for one in found]
    return replace(order, happened=[*order.happened, *noted])


def _staged(command: Inject | Say | Do | Go | Stage | Fire, world: World) -> Order:
    place = _place_of(command, world)
    staging = Staging(world.stage)
    staging.add(Commanded(command=command.kind))
    scene = _scene_in(place, world, staging if isinstance(command, Say) else None)
    before = len(staging.happened)
    match command:
        case Go():
            staging.walk(command.character, command.place)
        case Stage():
            _stage_all(command, staging)
        case Fire():
            staging.add(*events_of(world, command.prepared))
        case Inject():
            staging.add(Narrated(text=_worded(command.text), place=command.place))
        case Do():
            who, text = command.character, _worded(command.text)
            staging.act(Acted(actor=who, text=text, searches=command.searches))
        case Say():
            staging.add(_line(command, world))
    if len(staging.happened) == before:
        raise StageError("the command holds no event, so nothing would happen.")
    return Order(staging.happened, scene, world.clock + staging.minutes)


def _stage_all(command: Stage, staging: Staging) -> None:
    """Every event, or none: one that cannot happen is named by its number."""
    for number, event in enumerate(command.events, start=1):
        try:
            staging.add(event)
        except StageError as error:
            raise StageError(f"event {number} of {len(command.events)}: {error}") from None


def _place_of(command: Inject | Say | Do | Go | Stage | Fire, world: World) -> PlaceId | None:
    """Where a command takes effect; None: everywhere, or nowhere in particular."""
    match command:
        case Inject():
            return command.place
        case Fire():
            item = world.canon.prepared_by_id.get(command.prepared)
            return item.place if item is not None else None
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


def _line(command: Say, world: World) -> Event:
    who = command.character
    words = _worded(command.words)
    tells = command.tells
    if tells is None:
        tells = told_by(words, who, command.to, world)
    # It turns to whom it takes somebody for.
    to = tuple(world.stage.behind(seen, who) for seen in command.to)
    if command.whisper:
        return Whispered(actor=who, words=words, targets=to, tells=tells)
    return LineSpoken(actor=who, words=words, targets=to, tells=tells)
