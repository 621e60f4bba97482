"""The stage: who and what is where, and in what state. Only `apply` changes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import assert_never

from sandbox.errors import StageError, nearest
from sandbox.story import events
from sandbox.story.canon import Canon
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, OrganisationId, PlaceId, SceneId, ThingId
from sandbox.story.ways import Door, Link

NOWHERE = PlaceId("")
"""Place of somebody between leaving and entering, and of who is off the stage."""

Neighbours = Mapping[PlaceId, tuple[tuple[PlaceId, Link], ...]]
Whereabouts = PlaceId | CharacterId | ThingId
"""Where a thing is: in a place, with a person, in a container."""


_SHARED = ("canon", "at", "neighbours")
"""Fields that never change: a copy of a stage shares them."""


def way(a: PlaceId, b: PlaceId) -> frozenset[PlaceId]:
    """Key of the link between two places, whichever way one walks."""
    return frozenset((a, b))


@dataclass(frozen=True)
class Mask:
    """A disguise as worn."""

    seen_as: str
    seen_through_by: frozenset[CharacterId]


@dataclass
class Stage:
    """Where everybody and everything is."""

    canon: Canon
    at: SceneId
    """The start point: canon items are read as of this scene."""
    neighbours: Neighbours = field(default_factory=dict)
    place_of: dict[CharacterId, PlaceId] = field(default_factory=dict)
    asleep: set[CharacterId] = field(default_factory=set)
    dead: set[CharacterId] = field(default_factory=set)
    hidden: set[CharacterId] = field(default_factory=set)
    distracted: set[CharacterId] = field(default_factory=set)
    deaf: set[CharacterId] = field(default_factory=set)
    blind: set[CharacterId] = field(default_factory=set)
    felt: dict[CharacterId, frozenset[CharacterId]] = field(default_factory=dict)
    """Of whom each of the blind knows that they are with it: seen there before, or heard since."""
    known_by: dict[CharacterId, frozenset[CharacterId] | None] = field(default_factory=dict)
    """Who knows that somebody is deaf or blind. None: everybody."""
    spying: dict[CharacterId, PlaceId] = field(default_factory=dict)
    masks: dict[CharacterId, Mask] = field(default_factory=dict)
    members: dict[OrganisationId, set[CharacterId]] = field(default_factory=dict)
    letters: dict[str, events.MessageSent] = field(default_factory=dict)
    """Messages on their way, by id."""
    letters_sent: set[str] = field(default_factory=set)
    doors: dict[frozenset[PlaceId], Door] = field(default_factory=dict)
    thing_at: dict[ThingId, Whereabouts] = field(default_factory=dict)
    thing_state: dict[ThingId, str] = field(default_factory=dict)
    concealed: set[ThingId] = field(default_factory=set)
    _there: dict[PlaceId, list[CharacterId]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Who is in each place, as asked for since somebody last moved."""

    def copy(self) -> Stage:
        """An independent stage that stands where this one stands."""
        mutable = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _SHARED}
        copied = {name: value.copy() for name, value in mutable.items()}
        copied["members"] = {group: set(who) for group, who in self.members.items()}
        return replace(self, **copied)

    # ── who and what is where ─────────────────────────────────────────────────────────────────

    def present(self, place: PlaceId) -> list[CharacterId]:
        """Everybody in `place`, asleep, dead and hidden ones too, in order of id."""
        if place == NOWHERE:
            return []
        if (known := self._there.get(place)) is None:
            known = sorted([who for who, there in self.place_of.items() if there == place])
            self._there[place] = known
        return known.copy()

    def attending(self, place: PlaceId) -> list[CharacterId]:
        """Those in `place` who are alive and awake, and so can take in what happens."""
        there = self.present(place)
        if not (self.asleep or self.dead):
            return there
        return [who for who in there if self.is_attending(who)]

    def is_attending(self, who: CharacterId) -> bool:
        return who not in self.asleep and who not in self.dead

    def exits(self, place: PlaceId) -> list[tuple[PlaceId, Link, Door]]:
        """Neighbours of `place` with the link and the door's present state, in order of id."""
        return [
            (other, link, self.doors.get(way(place, other), link.door))
            for other, link in self.neighbours.get(place, ())
        ]

    def things_in(self, place: Whereabouts) -> list[ThingId]:
        """Things in plain sight in a place, with a person or in a container, in order of id."""
        found = [thing for thing, there in self.thing_at.items() if there == place]
        return sorted(thing for thing in found if thing not in self.concealed)

    def concealed_in(self, place: PlaceId) -> list[ThingId]:
        """Things out of sight in a place, in order of id."""
        return sorted(thing for thing in self.concealed if self.place_of_thing(thing) == place)

    def is_carried(self, thing: ThingId) -> bool:
        """Whether a thing is with a person, or in something that is."""
        there: str = self.thing_at.get(thing, NOWHERE)
        for _ in self.thing_at:
            if there not in self.thing_at:
                break
            there = self.thing_at[ThingId(there)]
        return there in self.place_of

    def place_of_thing(self, thing: ThingId) -> PlaceId:
        """The place a thing is in, whoever holds it, whatever it is inside of."""
        there, steps = self.thing_at.get(thing, NOWHERE), 0
        while there in self.thing_at and steps <= len(self.thing_at):
            there, steps = self.thing_at[ThingId(there)], steps + 1
        return self.place_of.get(CharacterId(there), PlaceId(there))

    def goal_of(self, event: events.ThingChanged) -> PlaceId | None:
        """The place a change brings a thing to. None: it stays where it is."""
        if event.inside is not None:
            return self.place_of_thing(event.inside)
        return event.place if event.holder is None else self.where(event.holder)

    def where(self, who: CharacterId) -> PlaceId:
        """The place somebody is in.

        Raises:
            StageError: nobody of that id is on this stage; names the nearest.
        """
        self.known("character", who, self.place_of)
        return self.place_of[who]

    def known(self, kind: str, name: str, names: Iterable[str]) -> None:
        """Refuse a name that nothing on this stage bears.

        Raises:
            StageError: it is unknown; names the nearest.
        """
        names = names if isinstance(names, Mapping | set | frozenset) else list(names)
        if name not in names:
            raise StageError(f"no {kind} `{name}` on this stage.{nearest(name, list(names))}")

    def seen_as(self, who: str, by: CharacterId) -> str:
        """Whom `by` takes somebody for: itself, or what its disguise shows."""
        mask = self.masks.get(CharacterId(who)) if self.masks else None
        if mask is None or by in (who, mask.seen_as) or by in mask.seen_through_by:
            return who  # nobody is taken for oneself
        return mask.seen_as

    def behind(self, seen: CharacterId, by: CharacterId) -> CharacterId:
        """Who it is that `by`, where it is, takes for `seen`; `seen` itself where nobody is dressed up so."""
        here = self.place_of.get(by)
        dressed = (who for who in sorted(self.masks) if self.place_of.get(who) == here)
        return next((who for who in dressed if self.seen_as(who, by) == seen), seen)

    def check_way(self, from_place: PlaceId, to_place: PlaceId) -> Link:
        """The link somebody walks from one place to the next.

        Raises:
            StageError: there is none, or its door is locked.
        """
        for other, link, door in self.exits(from_place):
            if other == to_place:
                if door is Door.LOCKED:
                    raise StageError(f"the door from `{from_place}` to `{to_place}` is locked.")
                return link
        near = ", ".join(f"`{other}`" for other, _, _ in self.exits(from_place)) or "none"
        raise StageError(f"no way from `{from_place}` to `{to_place}`. Neighbours: {near}.")

    # ── change ────────────────────────────────────────────────────────────────────────────────

    def apply(self, event: Event) -> None:
        """Change the stage by an event that `allowed.check` let pass."""
        if self.blind:
            self._feel(event)
        match event:
            case events.Entered():
                self._move((event.actor, *event.alongside), event.place)
                self.hidden |= {event.actor, *event.alongside} if event.unseen else set()
            case events.Left():
                self._move((event.actor, *event.alongside), NOWHERE)
            case events.StageSet():
                for place in dict.fromkeys(event.places.values()):
                    together = [who for who, to in event.places.items() if to == place]
                    self._move(together, place or NOWHERE)
            case events.LineSpoken():
                # Who speaks aloud gives its hiding place away.
                self.hidden.discard(event.actor)
            case events.ThingChanged():
                self._change(event)
            case events.ThingFound():
                self.concealed.discard(event.thing)
            case events.DoorChanged():
                self.doors[way(*event.between)] = event.door
            case events.StateTurned():
                self._turn(event)
            case events.Spied():
                self.spying.pop(event.actor, None)
                if event.on is not None:
                    self.spying[event.actor] = event.on
            case events.Disguised():
                self._disguise(event)
            case events.MembershipChanged():
                belong = self.members.setdefault(event.organisation, set())
                (belong.add if event.joined else belong.discard)(event.actor)
            case events.MessageSent():
                self.letters[event.message] = event
                self.letters_sent.add(event.message)
            case events.MessageRead():
                if event.withheld or self.letters[event.message].to == event.actor:
                    self.letters.pop(event.message, None)
            case (
                events.SceneOpened()
                | events.SceneClosed()
                | events.Whispered()
                | events.Announced()
                | events.Thought()
                | events.Acted()
                | events.MoodTurned()
                | events.Travelled()
                | events.ThingsSeen()
                | events.FactSeen()
                | events.Narrated()
                | events.FactGranted()
                | events.BeliefInferred()
                | events.EpisodeWritten()
                | events.PatternGrown()
                | events.GuardFound()
                | events.Commanded()
                | events.Withdrawn()
            ):
                pass
            case _:
                assert_never(event)

    def _feel(self, event: Event) -> None:
        """The blind know of those who let themselves be heard beside them."""
        if isinstance(event, events.LineSpoken | events.Whispered):
            here = self.present(self.place_of[event.actor])
            if event.actor not in self.hidden or isinstance(event, events.LineSpoken):
                heard = {event.actor, *event.targets}.intersection(here)
                for who in self.blind.intersection(here) - self.deaf - self.distracted:
                    self.felt[who] |= heard if self.is_attending(who) else set()
        elif isinstance(event, events.Disguised):
            self._lose_touch({event.actor})

    def _lose_touch(self, people: Iterable[CharacterId]) -> None:
        """Who goes, or is somebody else from now on, is out of what the blind know."""
        for who, felt in self.felt.items():
            self.felt[who] = felt.difference(people)

    def _move(self, people: Iterable[CharacterId], to: PlaceId) -> None:
        self._there.clear()
        self._lose_touch(people)
        for who in people:
            self.place_of[who] = to
            self.hidden.discard(who)
            self.spying.pop(who, None)
            if who in self.blind:
                self.felt[who] = frozenset(people)

    def _change(self, event: events.ThingChanged) -> None:
        if there := event.inside or event.holder or event.place:
            self.thing_at[event.thing] = there
        if event.state is not None:
            self.thing_state[event.thing] = event.state

    def _disguise(self, event: events.Disguised) -> None:
        self.masks.pop(event.actor, None)
        if event.seen_as is not None:
            watching = {*self.attending(self.place_of[event.actor])} - self.distracted - self.blind
            if event.actor in self.hidden:
                watching = {event.actor}
            self.masks[event.actor] = Mask(
                event.seen_as, frozenset({*watching, *event.seen_through_by})
            )

    def _turn(self, event: events.StateTurned) -> None:
        who, known = event.actor, event.known_to
        match event.state:
            case "died":
                self.dead.add(who)
            case "rose":
                self.dead.discard(who)
            case "fell_asleep":
                self.asleep.add(who)
            case "woke":
                self.asleep.discard(who)
            case "hid":
                self.hidden.add(who)
            case "found":
                self.hidden.discard(who)
            case "distracted":
                self.distracted.add(who)
            case "attentive":
                self.distracted.discard(who)
            case "deafened":
                self.deaf.add(who)
                self.known_by[who] = None if known is None else frozenset(known)
            case "hearing":
                self.deaf.discard(who)
            case "blinded":
                attends = who not in self.distracted and self.is_attending(who)
                seen = self.present(self.place_of[who]) if attends and who not in self.blind else ()
                self.felt.setdefault(who, frozenset(seen).difference(self.hidden))
                self.blind.add(who)
                self.known_by[who] = None if known is None else frozenset(known)
            case "seeing":
                self.blind.discard(who)
                self.felt.pop(who, None)
            case _:
                assert_never(event.state)
