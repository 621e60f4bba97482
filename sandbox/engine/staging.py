"""From a move to what happened: the stage checks each event again, and witnesses are computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sandbox.agents.minds import Move
from sandbox.errors import StageError
from sandbox.story.allowed import check
from sandbox.story.beats import Happened
from sandbox.story.events import (
    Acted,
    Entered,
    Event,
    Left,
    LineSpoken,
    MoodTurned,
    Narrated,
    Sighting,
    ThingChanged,
    ThingFound,
    ThingsSeen,
    Thought,
    Travelled,
    Whispered,
)
from sandbox.story.graphs import first_step
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.naming import masked
from sandbox.story.perception import perceive
from sandbox.story.phrases import attempt_in_words
from sandbox.story.stage import Stage
from sandbox.story.ways import Door


class Staging:
    """The events of one beat, each set against a stage on which those before it have happened."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage.copy()
        self.happened: list[Happened] = []
        self.minutes = 1
        """Story minutes the beat takes."""

    @property
    def stage(self) -> Stage:
        """The stage after what has happened so far."""
        return self._stage

    def add(self, *events: Event) -> None:
        """Let events happen.

        Raises:
            StageError: one cannot; those before it stand.
        """
        for event in events:
            check(event, self._stage)
            event = _with_names_masked(event, self._stage)
            self.happened.append(perceive(event, self._stage))
            self._stage.apply(event)

    def walk(self, who: CharacterId, to: PlaceId) -> None:
        """Go to a place, through those between; of more than one step the walker keeps the whole way.

        Raises:
            StageError: there is no way, or it is locked.
        """
        start = self._stage.where(who)
        steps = self._steps(start, to)
        minutes = sum(self._step(who, step) for step in steps)
        self.minutes = max(self.minutes, minutes)
        if len(steps) > 1:
            self.add(Travelled(actor=who, from_place=start, to_place=to, minutes=minutes))

    def _steps(self, here: PlaceId, to: PlaceId) -> list[PlaceId]:
        """The places of a shortest way over unlocked doors; just `to` where there is none."""
        if any(
            other == to and door is not Door.LOCKED for other, _, door in self._stage.exits(here)
        ):
            return [to]
        exits = {place: self._stage.exits(place) for place in self._stage.neighbours}
        ways = {
            place: [other for other, _, door in near if door is not Door.LOCKED]
            for place, near in exits.items()
        }
        steps: list[PlaceId] = []
        while here != to:
            step = first_step(ways, here, to)
            if step is None:
                return [to]
            steps.append(step)
            here = step
        return steps or [to]

    def _step(self, who: CharacterId, to: PlaceId) -> int:
        """Leave one place and enter the next. Returns the minutes it takes."""
        here = self._stage.place_of[who]
        link = self._stage.check_way(here, to)
        self.add(Left(actor=who, place=here, to_place=to))
        self.add(Entered(actor=who, place=to, from_place=here))
        return link.minutes

    def act(self, act: Acted) -> None:
        """A deed, with what it brings to light.

        Raises:
            StageError: it cannot be done.
        """
        self.add(act)
        self.add(*brought_to_light(act, self._stage))

    def move(self, who: CharacterId, move: Move) -> None:
        """A mind's move. What is no longer possible becomes an attempt that failed."""
        meant = move.to
        if self._stage.masks:  # it turns to whom it takes somebody for
            move = replace(move, to=tuple(self._stage.behind(seen, who) for seen in meant))
        for event, act, about in _events_of(who, move, meant):
            try:
                if isinstance(event, Acted):
                    self.act(event)
                else:
                    self.add(event)
            except StageError:
                self._fail(who, act, about)
        self.add(*move.findings)
        if move.go is not None:
            try:
                self.walk(who, move.go)
            except StageError:
                self._fail(who, "go", [move.go])

    def _fail(self, who: CharacterId, act: str, about: Sequence[str]) -> None:
        canon = self._stage.canon
        names = [canon.names[id_][0] for id_ in about if id_ in canon.names]
        words = attempt_in_words(canon.language, act, names[0] if names else "")
        self.add(Acted(actor=who, text=words, first=words, failed=True))


def brought_to_light(act: Acted, stage: Stage) -> list[Event]:
    """What somebody who searches a place finds, or sees inside what it examines.

    One find a search, the lowest id first, and not what somebody carries. A search that finds
    nothing yields no event, so that nothing tells what is still hidden.
    """
    place = stage.where(act.actor)
    found: list[Event] = []
    if act.searches:
        hidden = [t for t in stage.concealed_in(place) if not stage.is_carried(t)]
        found += [ThingFound(actor=act.actor, thing=thing) for thing in hidden[:1]]
    if act.examines is not None and (inside := stage.things_in(act.examines)):
        seen = tuple(Sighting(thing=thing, where=act.examines) for thing in inside)
        by = act.actor if act.actor in stage.hidden else None
        found.append(ThingsSeen(place=place, seen=seen, by=by))
    return found


def _with_names_masked(event: Event, stage: Stage) -> Event:
    """Free text of a deed as it is kept: each witness gets it in the names it knows."""
    canon = stage.canon
    match event:
        case Acted():
            first = masked(event.first, canon) if event.first else None
            return event.model_copy(update={"text": masked(event.text, canon), "first": first})
        case Narrated():
            return event.model_copy(update={"text": masked(event.text, canon)})
        case ThingChanged() if event.state is not None:
            return event.model_copy(update={"state": masked(event.state, canon)})
        case _:
            return event


def _events_of(
    who: CharacterId, move: Move, meant: Sequence[str]
) -> Iterator[tuple[Event, str, Sequence[str]]]:
    """The events of a move with what each attempts and at whom or what it is aimed.

    `meant`: whom the mind takes those for to whom it speaks.
    """
    if move.thought:
        yield Thought(actor=who, text=move.thought), "act", []
    if move.mood:
        yield MoodTurned(actor=who, mood=move.mood), "act", []
    if move.action:
        first = move.action_first or None
        act = Acted(
            actor=who,
            text=move.action,
            first=first,
            examines=move.examines,
            searches=move.searches,
        )
        yield act, "act", [move.examines] if move.examines else []
    if move.words and move.whisper:
        whisper = Whispered(
            actor=who, words=move.words, targets=move.to, tells=move.tells, asks=move.asks
        )
        yield whisper, "say", meant
    elif move.words:
        line = LineSpoken(
            actor=who, words=move.words, targets=move.to, tells=move.tells, asks=move.asks
        )
        yield line, "say", meant
