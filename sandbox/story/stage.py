"""The stage: who and what is where, and which events it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from sandbox.errors import StageError, nearest
from sandbox.story import events
from sandbox.story.canon import Canon
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, PlaceId, SceneId, ThingId
from sandbox.story.ways import Carries, Door, Link

_LEFT_BUT_NOWHERE = PlaceId("")
"""Place of somebody between leaving and entering, and of who has gone for good."""


Neighbours = Mapping[PlaceId, tuple[tuple[PlaceId, Link], ...]]


def _first(near: tuple[PlaceId, Link]) -> PlaceId:
    return near[0]


def way(a: PlaceId, b: PlaceId) -> frozenset[PlaceId]:
    """Key of the link between two places, whichever way one walks."""
    return frozenset((a, b))


@dataclass
class Stage:
    """Where everybody and everything is. Only `apply` changes it."""

    canon: Canon
    at: SceneId
    """The start point: canon items are read as of this scene."""
    neighbours: Neighbours = field(default_factory=dict)
    place_of: dict[CharacterId, PlaceId] = field(default_factory=dict)
    asleep: set[CharacterId] = field(default_factory=set)
    dead: set[CharacterId] = field(default_factory=set)
    hidden: set[CharacterId] = field(default_factory=set)
    doors: dict[frozenset[PlaceId], Door] = field(default_factory=dict)
    thing_at: dict[ThingId, PlaceId | CharacterId] = field(default_factory=dict)
    """Place or holder of each thing."""
    thing_state: dict[ThingId, str] = field(default_factory=dict)

    @classmethod
    def at_start(cls, canon: Canon, at: SceneId) -> Stage:
        """The stage as the canon leaves it at the end of scene `at`."""
        stage = cls(canon, at)
        for who in canon.characters:
            if canon.holds(who, at):
                stage.place_of[CharacterId(who.id)] = who.home
        for scene in canon.scenes_until(at):
            there = dict.fromkeys(scene.roster.present, scene.place) | dict(scene.positions)
            stage.place_of |= {who: p for who, p in there.items() if who in stage.place_of}
        stage.neighbours = cls.ways_of(canon, at)
        for near in stage.neighbours.values():
            stage.doors |= {way(*link.between): link.door for _, link in near}
        for thing in canon.things:
            if canon.holds(thing, at):
                stage.thing_at[ThingId(thing.id)] = thing.place or thing.holder or PlaceId("")
        return stage

    def copy(self) -> Stage:
        """An independent stage that stands where this one stands."""
        return Stage(
            self.canon,
            self.at,
            self.neighbours,
            dict(self.place_of),
            set(self.asleep),
            set(self.dead),
            set(self.hidden),
            dict(self.doors),
            dict(self.thing_at),
            dict(self.thing_state),
        )

    @staticmethod
    def ways_of(canon: Canon, at: SceneId) -> Neighbours:
        """For each place its neighbours, in order of id, with the link that leads there."""
        found: dict[PlaceId, list[tuple[PlaceId, Link]]] = {}
        for link in canon.links:
            places = [canon.places_by_id[place] for place in link.between]
            # A way is there where it and both its places are.
            if all(canon.holds(item, at) for item in (link, *places)):
                a, b = link.between
                found.setdefault(a, []).append((b, link))
                found.setdefault(b, []).append((a, link))
        return {place: tuple(sorted(near, key=_first)) for place, near in found.items()}

    def present(self, place: PlaceId) -> list[CharacterId]:
        """Everybody in `place`, asleep, dead and hidden ones too, in order of id."""
        return sorted(who for who, there in self.place_of.items() if there == place)

    def attending(self, place: PlaceId) -> list[CharacterId]:
        """Those in `place` who take in what happens: alive and awake."""
        return [who for who in self.present(place) if self.is_attending(who)]

    def is_attending(self, who: CharacterId) -> bool:
        return who not in self.asleep and who not in self.dead

    def exits(self, place: PlaceId) -> list[tuple[PlaceId, Link, Door]]:
        """Neighbours of `place` with the link and the door's present state, in order of id."""
        return [
            (other, link, self.doors.get(way(place, other), link.door))
            for other, link in self.neighbours.get(place, ())
        ]

    def carries(self, link: Link, door: Door) -> Carries:
        """How much of a voice gets through: a closed door takes it down one step."""
        if door in (Door.NONE, Door.OPEN) or link.carries is Carries.NOTHING:
            return link.carries
        return Carries.SOUND if link.carries is Carries.WORDS else Carries.NOTHING

    def things_in(self, place: PlaceId) -> list[ThingId]:
        return sorted(thing for thing, there in self.thing_at.items() if there == place)

    def check(self, event: Event) -> None:
        """Refuse an event that cannot happen here.

        Raises:
            StageError: says what is wrong and what would be right. Nothing is applied.
        """
        actor = getattr(event, "actor", None)
        if actor is not None:
            self._check_actor(actor, event)
        match event:
            case events.LineSpoken() | events.Whispered():
                self._check_targets(event.actor, event.targets)
                self._check_claims(event)
            case events.Entered():
                self._check_entering(event)
            case events.Left():
                self._check_place(event.actor, event.place)
                if event.to_place is not None:
                    self.check_way(event.place, event.to_place)
            case events.Acted() if event.examines is not None:
                self._check_reach(event.actor, event.examines)
            case events.ThingChanged():
                self._check_thing(event)
            case events.FactGranted():
                self._known("fact", event.fact, self.canon.facts_by_id)
                for who in sorted(event.to):
                    self.where(who)
            case events.EpisodeWritten():
                self.where(event.owner)
            case events.DoorChanged():
                if way(*event.between) not in self.doors:
                    raise StageError(f"there is no way between `{'` and `'.join(event.between)}`.")
            case events.Narrated() if event.place is not None:
                self._known("place", event.place, self.canon.places_by_id)
            case _:
                pass

    def _check_claims(self, event: events.LineSpoken | events.Whispered) -> None:
        for claim in event.tells:
            self._known("predicate", claim.predicate, self.canon.predicates)
            if claim.said not in event.words:
                raise StageError(
                    f"`{event.actor}` tells what its words do not say: `{claim.said}`."
                )

    def _check_thing(self, event: events.ThingChanged) -> None:
        """A thing moves within one place: who carries it elsewhere walks there."""
        self._known("thing", event.thing, self.thing_at)
        if event.actor is not None:
            self._check_reach(event.actor, event.thing)
        there = self.thing_at[event.thing]
        here = self.place_of.get(CharacterId(there), PlaceId(there))
        if event.place is not None:
            self._known("place", event.place, self.canon.places_by_id)
        to = event.place if event.holder is None else self.where(event.holder)
        if event.actor is not None and to not in (None, here):
            raise StageError(
                f"`{event.thing}` is in `{here}`; `{event.actor}` cannot put it in `{to}`."
            )

    def where(self, who: CharacterId) -> PlaceId:
        """The place somebody is in.

        Raises:
            StageError: nobody of that id is on this stage; names the nearest.
        """
        self._known("character", who, self.place_of)
        return self.place_of[who]

    def _known(self, kind: str, name: str, known: object) -> None:
        names = [str(n) for n in known] if hasattr(known, "__iter__") else []
        if name not in names:
            raise StageError(f"no {kind} `{name}` on this stage.{nearest(name, names)}")

    def _check_actor(self, actor: CharacterId, event: Event) -> None:
        self._known("character", actor, self.place_of)
        if actor in self.dead:
            raise StageError(f"`{actor}` is dead and does nothing more.")
        wakes = isinstance(event, events.StateTurned) and event.state in ("woke", "died", "found")
        if actor in self.asleep and not wakes:
            raise StageError(f"`{actor}` is asleep. Wake it first.")

    def _check_targets(self, actor: CharacterId, targets: tuple[CharacterId, ...]) -> None:
        place = self.place_of[actor]
        for target in targets:
            self._known("character", target, self.place_of)
            if self.place_of[target] != place:
                raise StageError(f"`{target}` is not where `{actor}` is (`{place}`).")

    def _check_place(self, actor: CharacterId, place: PlaceId) -> None:
        if self.place_of[actor] != place:
            raise StageError(f"`{actor}` is in `{self.place_of[actor]}`, not in `{place}`.")

    def _check_entering(self, event: events.Entered) -> None:
        self._known("place", event.place, self.canon.places_by_id)
        here = self.place_of[event.actor]
        if here == event.place:
            raise StageError(f"`{event.actor}` is in `{event.place}` already.")
        if here != _LEFT_BUT_NOWHERE:
            raise StageError(f"`{event.actor}` is in `{here}` and has to leave it first.")

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

    def _check_reach(self, actor: CharacterId, thing: ThingId) -> None:
        self._known("thing", thing, self.thing_at)
        if self.thing_at[thing] not in (actor, self.place_of[actor]):
            raise StageError(f"`{thing}` is not within reach of `{actor}`.")

    def apply(self, event: Event) -> None:
        """Change the stage by an event that `check` let pass."""
        match event:
            case events.Entered():
                self.place_of[event.actor] = event.place
                self.hidden.discard(event.actor)
            case events.LineSpoken():
                # Who speaks aloud gives its hiding place away.
                self.hidden.discard(event.actor)
            case events.Left():
                self.place_of[event.actor] = _LEFT_BUT_NOWHERE
            case events.ThingChanged():
                if there := event.holder or event.place:
                    self.thing_at[event.thing] = there
                if event.state is not None:
                    self.thing_state[event.thing] = event.state
            case events.DoorChanged():
                self.doors[way(*event.between)] = event.door
            case events.StateTurned():
                self._turn(event)
            case (
                events.SceneOpened()
                | events.SceneClosed()
                | events.Whispered()
                | events.Thought()
                | events.Acted()
                | events.MoodTurned()
                | events.Travelled()
                | events.Narrated()
                | events.FactGranted()
                | events.EpisodeWritten()
                | events.Commanded()
                | events.Withdrawn()
            ):
                pass
            case _:
                assert_never(event)

    def _turn(self, event: events.StateTurned) -> None:
        match event.state:
            case "died":
                self.dead.add(event.actor)
            case "fell_asleep":
                self.asleep.add(event.actor)
            case "woke":
                self.asleep.discard(event.actor)
            case "hid":
                self.hidden.add(event.actor)
            case "found":
                self.hidden.discard(event.actor)
            case _:
                assert_never(event.state)
