"""Whom an event reaches: by being in the room, addressed, through a door, in sight, or spying."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import assert_never

from sandbox.story import events
from sandbox.story.beats import Detail
from sandbox.story.events import Event, actor_of
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.stage import NOWHERE, Stage
from sandbox.story.ways import Carries, Door, carried, is_open


class Sense(Enum):
    """What an event is taken in by."""

    SIGHT = auto()
    SOUND = auto()
    EITHER = auto()


@dataclass
class Reach:
    """Whom an event reaches, before it is asked who of them takes it in."""

    stage: Stage
    event: Event
    reached: dict[CharacterId, tuple[Detail, Sense]] = field(default_factory=dict)
    own: set[CharacterId] = field(default_factory=set)
    """Those whose own act it is."""
    places: set[PlaceId] = field(default_factory=set)
    """Where it happens: who spies on one of these takes in all of it."""
    sense: Sense | None = None
    """What who is in these places takes all of it in by."""
    party: set[CharacterId] = field(default_factory=set)
    """Those who notice one another wherever they are: the two ends of a wire, a whole organisation."""

    def doers(self, *people: CharacterId) -> None:
        """Rule *own act*: whoever does something witnesses it."""
        self.own.update(people)
        self.reached |= dict.fromkeys(people, (Detail.FULL, Sense.EITHER))

    def all_in(self, place: PlaceId, sense: Sense, detail: Detail = Detail.FULL) -> None:
        """Rule *in the room*: whoever is there, alive and awake."""
        self.places.add(place)
        if detail is Detail.FULL or self.sense is None:
            self.sense = sense
        for who in self.stage.attending(place):
            self.reached.setdefault(who, (detail, sense))

    def targets(self, people: Iterable[CharacterId], sense: Sense) -> None:
        """Rule *addressed*: those whom words are meant for."""
        self.sense = sense
        for who in people:
            if self.stage.is_attending(who):
                self.reached[who] = (Detail.FULL, sense)

    def through_doors(self, place: PlaceId, volume: str) -> None:
        """Rule *through the door*: a voice carries as far as way, door and loudness let it."""
        for other, link, door in self.stage.exits(place):
            heard = carried(link, door, volume)
            if heard is not Carries.NOTHING:
                detail = Detail.FULL if heard is Carries.WORDS else Detail.THAT
                self._elsewhere(other, Sense.SOUND, detail)

    def in_sight(self, place: PlaceId, detail: Detail) -> None:
        """Rule *in sight*: what is done in view of a neighbouring place is seen from there."""
        places = self.stage.canon.places_by_id
        for other, link, door in self.stage.exits(place):
            both_out = places[place].outdoors and places[other].outdoors
            if (link.sight and is_open(door)) or (both_out and door is Door.NONE):
                self._elsewhere(other, Sense.SIGHT, detail)

    def _elsewhere(self, place: PlaceId, sense: Sense, detail: Detail) -> None:
        for who in self.stage.attending(place):
            self.reached.setdefault(who, (detail, sense))

    def spies(self) -> set[CharacterId]:
        """Rule *spying*: who spies on a place takes in what happens there as if beside them."""
        return {
            who
            for who, on in self.stage.spying.items()
            if on in self.places and who not in self.own and self.stage.is_attending(who)
        }


_InPlace = (
    events.ThingChanged
    | events.ThingFound
    | events.Disguised
    | events.FactSeen
    | events.ThingsSeen
    | events.DoorChanged
    | events.Narrated
    | events.SceneOpened
    | events.SceneClosed
)
_Own = (
    events.FactGranted
    | events.EpisodeWritten
    | events.PatternGrown
    | events.BeliefInferred
    | events.Thought
    | events.MoodTurned
    | events.Travelled
    | events.Spied
    | events.StageSet
    | events.GuardFound
    | events.Commanded
    | events.Withdrawn
)

_Silent = (
    events.Acted
    | events.Left
    | events.ThingChanged
    | events.ThingFound
    | events.MessageSent
    | events.MessageRead
    | events.Disguised
    | events.StateTurned
)


def _is_unseen(event: _Silent, stage: Stage) -> bool:
    """Whether somebody hidden does it, and stays so."""
    is_found = isinstance(event, events.StateTurned) and event.state == "found"
    return event.actor in stage.hidden and not is_found


def gather(event: Event, stage: Stage, reach: Reach) -> None:
    """Whom each kind of event reaches."""
    here = stage.place_of.get(actor_of(event) or CharacterId(""), NOWHERE)
    match event:
        case events.LineSpoken():
            _spoken(event, here, reach)
        case events.Whispered():
            _whispered(event, here, reach)
        case events.Announced():
            _announced(event, stage, reach)
        case _ if isinstance(event, _Silent) and _is_unseen(event, stage):
            # Rule *hidden*: what it does without a sound nobody sees.
            if event.actor is not None:
                reach.doers(event.actor)
        case events.MessageSent() | events.MessageRead():
            reach.doers(event.actor)
            reach.all_in(here, Sense.SIGHT, Detail.THAT)
        case events.Acted():
            reach.doers(event.actor, *event.alongside)
            reach.all_in(here, Sense.SIGHT)
            reach.in_sight(here, Detail.THAT)
        case events.Entered() if event.unseen:
            # Rule *unseen*: a coming that nobody notices; a going is one where who goes is hidden.
            reach.doers(event.actor, *event.alongside)
        case events.Left() | events.Entered():
            reach.doers(event.actor, *event.alongside)
            reach.all_in(event.place, Sense.SIGHT)
            reach.in_sight(event.place, Detail.FULL)
        case events.StateTurned():
            _turned(event, here, reach)
        case events.MembershipChanged():
            reach.doers(event.actor)
            reach.all_in(here, Sense.EITHER)
            _members(stage.members.get(event.organisation, ()), stage, reach)
        case _:
            _gather_in_place(event, here, reach)


def _gather_in_place(event: _InPlace | _Own, here: PlaceId, reach: Reach) -> None:
    """Whom an event reaches that can be seen in its place, whoever does it, or that is one's own."""
    match event:
        case events.ThingChanged():
            _thing(event, reach)
        case events.ThingFound() | events.Disguised():
            reach.doers(event.actor)
            reach.all_in(here, Sense.SIGHT)
        case events.FactSeen():
            if event.actor is not None:
                reach.doers(event.actor)
            reach.all_in(event.place, Sense.SIGHT)
        case events.ThingsSeen(by=by) if by is not None:
            reach.doers(by)
        case events.ThingsSeen():
            reach.all_in(event.place, Sense.SIGHT)
        case events.DoorChanged():
            if event.actor is not None:
                reach.doers(event.actor)
            for place in event.between:
                reach.all_in(place, Sense.EITHER)
        case events.Narrated():
            for place in (
                [event.place] if event.place else sorted(set(reach.stage.place_of.values()))
            ):
                reach.all_in(place, Sense.EITHER)
        case events.SceneOpened() | events.SceneClosed():
            reach.all_in(event.place, Sense.EITHER)
        case events.FactGranted():
            reach.doers(*sorted(event.to))
        case events.EpisodeWritten() | events.PatternGrown() | events.BeliefInferred():
            reach.doers(event.owner)
        case events.Thought() | events.MoodTurned() | events.Travelled() | events.Spied():
            reach.doers(event.actor)
        case events.StageSet() | events.GuardFound() | events.Commanded() | events.Withdrawn():
            pass
        case _:
            assert_never(event)


def _spoken(event: events.LineSpoken, here: PlaceId, reach: Reach) -> None:
    if event.into is None:
        reach.doers(event.actor, *event.chorus)
    # Rule *off the stage*: who is nowhere witnesses nothing, not even what it calls into a place.
    place = event.into or here
    reach.targets(event.targets, Sense.SOUND)
    reach.places.add(place)
    if not event.aside:
        reach.all_in(place, Sense.SOUND)
        reach.through_doors(place, event.volume)


def _whispered(event: events.Whispered, here: PlaceId, reach: Reach) -> None:
    reach.doers(event.actor)
    reach.targets(event.targets, Sense.SOUND)
    reach.party |= {event.actor, *event.targets}
    reach.places.add(here)
    if event.actor not in reach.stage.hidden:
        reach.all_in(here, Sense.EITHER, Detail.THAT)


def _announced(event: events.Announced, stage: Stage, reach: Reach) -> None:
    """Rule *announced*: it reaches every member, or everybody, wherever they are, asleep or awake."""
    _members(stage.place_of if event.to is None else stage.members.get(event.to, ()), stage, reach)
    if event.actor is not None:
        reach.doers(event.actor)
        reach.party.add(event.actor)


def _members(people: Iterable[CharacterId], stage: Stage, reach: Reach) -> None:
    for who in sorted(people):
        if who not in stage.dead:
            reach.reached.setdefault(who, (Detail.FULL, Sense.EITHER))
            reach.party.add(who)


def _turned(event: events.StateTurned, here: PlaceId, reach: Reach) -> None:
    if event.state in ("distracted", "attentive"):
        return  # nobody notices, not even who is
    reach.doers(event.actor)
    if event.known_to is None:
        reach.all_in(here, Sense.SIGHT)


def _thing(event: events.ThingChanged, reach: Reach) -> None:
    stage = reach.stage
    if event.actor is not None:
        # The thing is in reach, so those beside it are those beside the doer.
        reach.doers(event.actor)
    lies = stage.place_of_thing(event.thing)
    to = stage.goal_of(event)
    if event.actor is None and _is_out_of_sight(event, stage):
        return
    # Who sees it go elsewhere by itself does not see where it comes to; those there do.
    reach.all_in(lies, Sense.SIGHT, Detail.FULL if to in (None, lies) else Detail.THAT)
    if to is not None:
        reach.all_in(to, Sense.SIGHT)
    reach.in_sight(lies, Detail.THAT)


def _is_out_of_sight(event: events.ThingChanged, stage: Stage) -> bool:
    """Rule *out of sight*: what becomes of a hidden thing, or of one where it lies in another, nobody sees."""
    stays = event.holder is None and event.place is None and event.inside is None
    return event.thing in stage.concealed or (
        stays and stage.thing_at.get(event.thing) in stage.thing_at
    )
