"""Viewpoints: every screen and export is a function of one. The director sees all, a character its percepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sandbox.story import events
from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, PlaceId, SceneId
from sandbox.story.percepts import Names, Percept
from sandbox.story.surroundings import Surroundings
from sandbox.story.wording import Telling, is_next_door
from sandbox.story.world import World

Viewpoint = CharacterId | None
"""A character, who sees its percepts; None: the director, who sees all."""


class Look(StrEnum):
    """What kind of line it is, for those who lay it out."""

    SCENE = "scene"
    SPEECH = "speech"
    DEED = "deed"
    MOVE = "move"
    THOUGHT = "thought"
    NARRATION = "narration"


@dataclass(frozen=True)
class Heard:
    """One other witness of a line, as far as the viewpoint knows."""

    id: CharacterId
    name: str
    detail: Detail
    from_next_door: bool
    """On the other side of a door: overheard."""


@dataclass(frozen=True)
class Shown:
    """One line of the transcript as a viewpoint has it."""

    seq: int
    index: int
    turn: int
    clock: int
    scene: SceneId | None
    look: Look
    speaker: str
    """Name of who speaks or acts; empty where nobody does."""
    speaker_id: CharacterId | None
    text: str
    """The words of a speech, else a whole sentence."""
    targets: tuple[str, ...]
    whispered: bool
    detail: Detail
    """How much the viewpoint took in; the director always all."""
    heard: tuple[Heard, ...]
    """The other witnesses, in order of id; for the director all of them."""
    next_door: bool = False
    """The viewpoint took it in from the other side of a door."""


def transcript(world: World, viewpoint: Viewpoint) -> Iterator[Shown]:
    """The surviving story as `viewpoint` has it, in order."""
    if viewpoint is None:
        for beat in world.beats:
            yield from lines_of(world, beat, None)
    else:
        for percept in world.percepts[viewpoint]:
            yield from _of_percept(world, percept)


def lines_of(world: World, beat: Beat, viewpoint: Viewpoint) -> Iterator[Shown]:
    """The lines of one beat; none where the viewpoint perceived nothing of it."""
    if viewpoint is None:
        for index, happened in enumerate(beat.events):
            yield from _of_event(world, beat, index, happened)
        return
    for percept in _percepts_of(world.percepts[viewpoint], beat):
        yield from _of_percept(world, percept)


def _percepts_of(percepts: Sequence[Percept], beat: Beat) -> list[Percept]:
    found = []
    for percept in reversed(percepts):
        if percept.beat.turn < beat.turn:
            break
        if percept.beat.seq == beat.seq:
            found.append(percept)
    return found[::-1]


def _look(event: Event) -> Look | None:
    match event:
        case events.SceneOpened():
            return Look.SCENE
        case events.LineSpoken() | events.Whispered() | events.Announced():
            return Look.SPEECH
        case events.Thought() | events.MoodTurned() | events.BeliefInferred():
            return Look.THOUGHT
        case events.Entered() | events.Left() | events.Travelled():
            return Look.MOVE
        case (
            events.Acted()
            | events.ThingChanged()
            | events.ThingFound()
            | events.FactSeen()
            | events.DoorChanged()
            | events.StateTurned()
            | events.Spied()
            | events.Disguised()
            | events.MembershipChanged()
            | events.MessageSent()
            | events.MessageRead()
        ):
            return Look.DEED
        case events.Narrated():
            return Look.NARRATION
        case (
            events.SceneClosed()
            | events.StageSet()
            | events.ThingsSeen()
            | events.EpisodeWritten()
            | events.PatternGrown()
            | events.FactGranted()
            | events.GuardFound()
            | events.Commanded()
            | events.Withdrawn()
        ):
            return None


def _of_event(world: World, beat: Beat, index: int, happened: Happened) -> Iterator[Shown]:
    """A line for the director."""
    names, actor = world.names(None), getattr(happened.event, "actor", None)
    outside = {b for a, b in happened.unnoticed if a == actor}
    heard = tuple(
        Heard(who, names(who), detail, who in outside)
        for who, detail in sorted(happened.witnesses.items())
        if who != actor
    )
    telling = Telling(names)
    yield from _shown(world, beat, index, happened.event, telling, Detail.FULL, heard)


def _of_percept(world: World, percept: Percept) -> Iterator[Shown]:
    """A line for the character whose percept it is: it knows of whom it noticed, no more."""
    names = Names(world.canon, world.start, percept.strangers)
    actor = getattr(percept.event, "actor", None)
    heard = tuple(
        Heard(who, names(who), Detail.FULL, from_next_door=False)
        for who in percept.noticed
        if who != actor and percept.detail is Detail.FULL and _took_in(percept, who)
    )
    telling = Telling(names)
    door = is_next_door(percept)
    beat, index, detail = percept.beat, percept.index, percept.detail
    shown = _shown(world, beat, index, percept.event, telling, detail, heard, next_door=door)
    if percept.is_of_somebody:
        shown = (replace(line, speaker="", speaker_id=None) for line in shown)
    yield from shown


def _took_in(percept: Percept, who: CharacterId) -> bool:
    event = percept.event
    return not isinstance(event, events.Whispered) or who in event.targets


def _shown(
    world: World,
    beat: Beat,
    index: int,
    event: Event,
    telling: Telling,
    detail: Detail,
    heard: tuple[Heard, ...],
    *,
    next_door: bool = False,
) -> Iterator[Shown]:
    look = _look(event)
    if look is None:
        return
    actor = getattr(event, "actor", None)
    text, is_speech = _text(event, detail, telling, next_door)
    is_unseen = _is_to_somebody(event, detail, next_door)
    targets = () if is_unseen else getattr(event, "targets", ())
    yield Shown(
        seq=beat.seq,
        index=index,
        turn=beat.turn,
        clock=beat.clock,
        scene=beat.scene,
        look=look if is_speech or look is not Look.SPEECH else Look.DEED,
        speaker=telling.name(actor) if actor else "",
        speaker_id=actor,
        text=text,
        targets=tuple(telling.name(t) for t in targets),
        whispered=isinstance(event, events.Whispered),
        detail=detail,
        heard=heard,
        next_door=next_door,
    )


def _is_to_somebody(event: Event, detail: Detail, next_door: bool) -> bool:
    """Whether it cannot be told from there who is spoken to."""
    if isinstance(event, events.Whispered):
        return event.by_wire and detail is Detail.THAT
    return isinstance(event, events.LineSpoken) and (next_door or detail is Detail.THAT)


def _text(event: Event, detail: Detail, telling: Telling, next_door: bool) -> tuple[str, bool]:
    """The text of a line, and whether it is somebody's words."""
    if isinstance(event, events.LineSpoken | events.Whispered | events.Announced) and (
        detail is Detail.FULL
    ):
        return event.words, True
    if isinstance(event, events.SceneOpened):
        return telling.name(event.place), False
    return telling.event(event, detail, next_door), False


def missed_by(world: World, happened: Happened) -> list[CharacterId]:
    """Director only: everybody who perceived nothing of an event, in order of id."""
    return sorted(set(world.stage.place_of) - set(happened.witnesses))


def cast_seen(world: World, viewpoint: Viewpoint) -> list[tuple[CharacterId, str, PlaceId | None]]:
    """Whom the viewpoint knows of, with where it last saw them: (id, name, place).

    The director knows where everybody is; a character sees who is with it, itself included.
    """
    stage, names = world.stage, world.names(viewpoint)
    if viewpoint is None:
        return [(who, names(who), place) for who, place in sorted(stage.place_of.items())]
    here = stage.place_of[viewpoint]
    seen = [viewpoint, *(person.id for person in Surroundings(world, viewpoint).people)]
    return [(who, names(who), here) for who in sorted(seen)]


def clock_text(minutes: int) -> str:
    """`21:40` for story minutes; the day before it from the second day on: `2·09:05`."""
    day, rest = divmod(minutes, 24 * 60)
    shown = f"{rest // 60:02}:{rest % 60:02}"
    return f"{day + 1}·{shown}" if day else shown
