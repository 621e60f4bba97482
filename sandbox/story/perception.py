"""Perception: who witnesses an event, and in what detail. Computed once, at commit, by small named rules."""

from dataclasses import dataclass, field
from typing import assert_never

from sandbox.story import events
from sandbox.story.events import Detail, Event, Happened
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.stage import Stage
from sandbox.story.ways import Carries


@dataclass
class _Perceiving:
    """Witnesses gathered for one event."""

    stage: Stage
    event: Event
    details: dict[CharacterId, Detail] = field(default_factory=dict)

    def all_in(self, place: PlaceId, detail: Detail = Detail.FULL) -> None:
        """Rule *in the room*: whoever is there, alive and awake."""
        for who in self.stage.attending(place):
            self.details.setdefault(who, detail)

    def alone(self, who: CharacterId) -> None:
        """Rule *own act*: the actor witnesses what it does."""
        self.details[who] = Detail.FULL

    def neighbours(self, place: PlaceId) -> None:
        """Rule *through the door*: a voice carries as far as link and door let it."""
        for other, link, door in self.stage.exits(place):
            carried = self.stage.carries(link, door)
            if carried is Carries.NOTHING:
                continue
            detail = Detail.FULL if carried is Carries.WORDS else Detail.THAT
            for who in self.stage.attending(other):
                self.details.setdefault(who, detail)

    def unnoticed(self) -> tuple[tuple[CharacterId, CharacterId], ...]:
        """Pairs (a, b): a did not notice b, who was hidden, or in another place and not heard."""
        is_voice = isinstance(self.event, events.LineSpoken | events.Whispered)
        heard = getattr(self.event, "actor", None) if is_voice else None
        hidden = self.stage.hidden - {heard}
        return tuple(
            (a, b)
            for a in sorted(self.details)
            for b in sorted(self.details)
            if a != b and (b in hidden or (b != heard and self._place(a) != self._place(b)))
        )

    def _place(self, who: CharacterId) -> PlaceId:
        """Where somebody is as it happens; who enters is in the new place."""
        if isinstance(self.event, events.Entered) and who == self.event.actor:
            return self.event.place
        return self.stage.place_of[who]


def perceive(event: Event, stage: Stage) -> Happened:
    """`event` with its witnesses on `stage`, which stands as it was just before.

    The actor always witnesses its own act, the leaver its leaving; a thought only its thinker.
    """
    p = _Perceiving(stage, event)
    _gather(event, stage, p)
    return Happened(event=event, witnesses=p.details, unnoticed=p.unnoticed())


def _gather(event: Event, stage: Stage, p: _Perceiving) -> None:
    match event:
        case events.LineSpoken():
            p.alone(event.actor)
            _spoken(event, stage, p)
        case events.Whispered():
            p.alone(event.actor)
            _for_targets(event.targets, stage, p)
            if event.actor not in stage.hidden:
                p.all_in(stage.place_of[event.actor], Detail.THAT)
        case events.Thought() | events.MoodTurned() | events.Travelled():
            p.alone(event.actor)
        case events.Acted() | events.Left() | events.ThingChanged() if event.actor in stage.hidden:
            # Rule *hidden*: what it does without a sound nobody sees.
            p.alone(event.actor)
        case events.Acted() | events.Left() | events.StateTurned():
            p.alone(event.actor)
            p.all_in(stage.place_of[event.actor])
        case events.Entered():
            p.alone(event.actor)
            p.all_in(event.place)
        case events.ThingChanged():
            _thing(event, stage, p)
        case events.DoorChanged():
            for place in event.between:
                p.all_in(place)
        case events.Narrated():
            for place in [event.place] if event.place else sorted(set(stage.place_of.values())):
                p.all_in(place)
        case events.SceneOpened() | events.SceneClosed():
            p.all_in(event.place)
        case events.FactGranted():
            for who in sorted(event.to):
                p.alone(who)
        case events.EpisodeWritten():
            p.alone(event.owner)
        case events.Commanded() | events.Withdrawn():
            pass
        case _:
            assert_never(event)


def _spoken(event: events.LineSpoken, stage: Stage, p: _Perceiving) -> None:
    place = stage.place_of[event.actor]
    _for_targets(event.targets, stage, p)
    if not event.aside:
        p.all_in(place)
        p.neighbours(place)


def _for_targets(targets: tuple[CharacterId, ...], stage: Stage, p: _Perceiving) -> None:
    for target in targets:
        if stage.is_attending(target):
            p.details[target] = Detail.FULL


def _thing(event: events.ThingChanged, stage: Stage, p: _Perceiving) -> None:
    if event.actor is not None:
        p.alone(event.actor)
        p.all_in(stage.place_of[event.actor])
    there = stage.thing_at[event.thing]
    here = stage.place_of.get(CharacterId(there), PlaceId(there))
    to = event.place if event.holder is None else stage.place_of[event.holder]
    # Who sees it go elsewhere by itself does not see where it comes to; those there do.
    p.all_in(here, Detail.FULL if to in (None, here) else Detail.THAT)
    if to is not None:
        p.all_in(to)
