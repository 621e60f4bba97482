"""From a listed event to the engine's own events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import CONTAINS, LABELLED, NO_PLACE, Names
from sandbox.evals.knowledge.items import ListedEvent
from sandbox.story import events
from sandbox.story.claims import Claim
from sandbox.story.events import Event, Sighting
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, ThingId
from sandbox.story.predicates import LOCATED_IN, SAID_ABOUT
from sandbox.story.stage import NOWHERE, Stage


@dataclass(frozen=True)
class Switches:
    """Rules in which the public suites differ."""

    on_entering: str = "nothing"
    """What all there see, with one another, when somebody enters: `all` objects and labels, those in
    the `open`, `nothing`."""
    claims: str = "place"
    """Who hears a `say`: those in the `place`, or all `everywhere`."""
    trust: str = "all"
    """Whose claims are believed: `none`, `all`, of `later-leavers` only."""


@dataclass(frozen=True)
class Step:
    """One of the engine's events for a listed one."""

    event: Event
    is_main: bool = False
    """Whether its witnesses are those of the listed event."""


class Translator:
    """Puts one list into the engine's events, against the stage as it is."""

    def __init__(self, names: Names, switches: Switches, *, is_staged: bool) -> None:
        self._names = names
        self._switches = switches
        self._is_staged = is_staged
        self._labels: dict[ThingId, str] = {}

    def steps(self, event: ListedEvent, place_name: str, stage: Stage) -> Iterator[Step]:
        """The engine's events, one main among them at most; the marks of a list bracket them.

        Raises:
            StageError: the list contradicts itself.
        """
        place = self._names.place(place_name)
        if place_name == NO_PLACE and event.present is not None and event.type != "noise":
            # A list that has placed nobody says by `present` alone who is there.
            there = set(self._names.everybody(event.present))
            on = {who: place if who in there else None for who in sorted(stage.place_of)}
            yield Step(events.StageSet(places=on))
        for who in self._names.everybody(event.dead):
            if who not in stage.dead:
                yield Step(events.StateTurned(actor=who, state="died"))
        lapsed = [w for w in self._names.everybody(event.distracted) if w not in stage.dead]
        spies = [w for w in self._names.everybody(event.secret_witnesses) if w not in stage.dead]
        for who in lapsed:
            yield Step(events.StateTurned(actor=who, state="distracted"))
        for who in spies:
            yield Step(events.Spied(actor=who, on=place))
        yield from self._happening(event, place_name, place, stage)
        for who in lapsed:
            yield Step(events.StateTurned(actor=who, state="attentive"))
        for who in spies:
            yield Step(events.Spied(actor=who, on=None))

    def _happening(
        self, event: ListedEvent, place_name: str, place: PlaceId, stage: Stage
    ) -> Iterator[Step]:
        doers = self._names.everybody(event.doers)
        match event.type:
            case "enter" | "join" | "at":
                yield from self._arrive(event, doers, place, stage)
            case "exit" | "leave":
                yield from self._depart(event, doers, place, stage)
            case "scene_start":
                yield self._scene(event, place, stage)
            case "say":
                yield self._say(event, doers, place_name, place, stage)
            case "whisper":
                yield self._whisper(event, doers, place_name, stage)
            case "object_at" | "container_at" | "move_object":
                yield from self._put(event, doers, place_name, place, stage)
            case "carry_object":
                yield from self._carry(event, doers, place, stage)
            case "see_label" | "open":
                yield from self._look_at(event, doers, place, stage)
            case "noise" if not self._is_staged and doers:
                yield Step(events.Thought(actor=doers[0], text=_words(event)), is_main=True)
            case "dies":
                for number, who in enumerate(doers):
                    died = events.StateTurned(actor=who, state="died")
                    yield Step(died, is_main=number == 0)
            case "business" | "wait" | "noise" | "close":
                yield Step(_business(event, doers, place, stage), is_main=True)
            case _:
                pass

    # ── coming and going ──────────────────────────────────────────────────────────────────────

    def _arrive(
        self, event: ListedEvent, doers: Sequence[CharacterId], place: PlaceId, stage: Stage
    ) -> Iterator[Step]:
        unnamed = self._names.place(NO_PLACE)
        if astray := [who for who in doers if stage.place_of[who] == unnamed != place]:
            yield Step(events.StageSet(places=dict.fromkeys(astray, None)))
        coming = [who for who in doers if stage.place_of[who] != place]
        origin = self._names.place(event.from_place) if event.from_place else None
        for who in coming:
            here = stage.place_of[who]
            if here not in (NOWHERE, origin):
                raise StageError(
                    f"`{self._names.name(who)}` is in `{self._names.name(here)}` and has to leave it"
                    f" before it enters `{self._names.name(place)}`."
                )
        for who in coming:
            if who in stage.dead:  # a ghost, or a body
                yield Step(events.StateTurned(actor=who, state="rose"))
        leaving = [who for who in coming if stage.place_of[who] != NOWHERE]
        if leaving and origin is not None:
            first, *others = leaving
            yield Step(events.Left(actor=first, place=origin, alongside=tuple(others)))
        if not coming:
            yield Step(_business(event, doers, place, stage), is_main=True)
            return
        first, *others = coming
        yield Step(events.Entered(actor=first, place=place, alongside=tuple(others)), is_main=True)
        if seen := self._seen_on_entering(place, stage):
            yield Step(events.ThingsSeen(place=place, seen=seen))
        if self._switches.on_entering == "all":
            yield from self._labels_seen(place, stage)

    def _seen_on_entering(self, place: PlaceId, stage: Stage) -> tuple[Sighting, ...]:
        """What all there see when somebody enters."""
        if self._switches.on_entering == "nothing":
            return ()
        containers = set(self._names.containers.values())
        here = [t for t in stage.thing_at if stage.place_of_thing(t) == place]
        in_the_open = [t for t in here if stage.thing_at[t] == place]
        chosen = here if self._switches.on_entering == "all" else in_the_open
        inside_first = sorted(chosen, key=lambda thing: thing not in containers)
        return tuple(Sighting(thing=t, where=stage.thing_at[t]) for t in inside_first)

    def _labels_seen(self, place: PlaceId, stage: Stage) -> Iterator[Step]:
        for thing, label in self._labels.items():
            if stage.place_of_thing(thing) == place:
                yield Step(self._shown(None, place, thing, LABELLED, label))

    def _depart(
        self, event: ListedEvent, doers: Sequence[CharacterId], place: PlaceId, stage: Stage
    ) -> Iterator[Step]:
        leaving = doers if event.removed is None else self._names.everybody(event.removed)
        alive = [who for who in leaving if who not in stage.dead]
        if alive:
            first, *others = alive
            left = events.Left(actor=first, place=place, alongside=tuple(others))
            yield Step(left, is_main=True)
        else:
            yield Step(events.Narrated(text=_words(event), place=place), is_main=True)
        carried_off = [who for who in leaving if who in stage.dead]
        if carried_off:
            yield Step(events.StageSet(places=dict.fromkeys(carried_off, None)))

    def _scene(self, event: ListedEvent, place: PlaceId, stage: Stage) -> Step:
        there = event.present if event.carried_over is None else event.carried_over
        on = set(self._names.everybody(there or ()))
        return Step(
            events.StageSet(places={w: place if w in on else None for w in sorted(stage.place_of)})
        )

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def _say(
        self,
        event: ListedEvent,
        doers: Sequence[CharacterId],
        place_name: str,
        place: PlaceId,
        stage: Stage,
    ) -> Step:
        words, tells = _words(event), self._tells(event, place_name)
        on_stage = sorted(doers, key=lambda who: stage.place_of[who] != place)
        if self._switches.claims == "everywhere":
            told = events.Announced(actor=on_stage[0], words=words, tells=tells)
            return Step(told, is_main=True)
        speaker = on_stage[0]
        chorus = tuple(w for w in on_stage[1:] if stage.place_of[w] == place)
        is_off = stage.place_of[speaker] == NOWHERE
        heard = None if event.heard_by is None else self._names.everybody(event.heard_by)
        spoken = events.LineSpoken(
            actor=speaker,
            words=words,
            aside=heard is not None,
            targets=tuple(w for w in heard or () if w != speaker),
            chorus=chorus,
            into=place if is_off else None,
            tells=tells,
        )
        return Step(spoken, is_main=True)

    def _whisper(
        self, event: ListedEvent, doers: Sequence[CharacterId], place_name: str, stage: Stage
    ) -> Step:
        actor, targets = doers[0], self._names.everybody(event.targets)
        here = stage.place_of[actor]
        whispered = events.Whispered(
            actor=actor,
            words=_words(event),
            targets=targets,
            by_wire=any(stage.place_of[who] != here for who in targets) or here == NOWHERE,
            tells=self._tells(event, place_name),
        )
        return Step(whispered, is_main=True)

    def _tells(self, event: ListedEvent, place_name: str) -> tuple[Claim, ...]:
        words, claims = _words(event), list[Claim]()
        if event.topic:
            topic = event.topic
            claim = Claim(subject=topic, predicate=SAID_ABOUT, object=topic, said=words)
            claims.append(claim)
        if event.object and event.container:
            claims.append(
                Claim(
                    subject=self._names.thing(event.object),
                    predicate=LOCATED_IN,
                    object=self._names.container(event.container, place_name),
                    said=words,
                )
            )
        return tuple(claims)

    # ── things ────────────────────────────────────────────────────────────────────────────────

    def _put(
        self,
        event: ListedEvent,
        doers: Sequence[CharacterId],
        place_name: str,
        place: PlaceId,
        stage: Stage,
    ) -> Iterator[Step]:
        actor = doers[0] if event.type == "move_object" and doers else None
        if actor is not None and stage.place_of[actor] != place:
            here = self._names.name(stage.place_of[actor]) or "nowhere"
            raise StageError(f"`{event.actor}` is in `{here}`, not in `{place_name}`.")
        inside = self._names.container(event.container, place_name) if event.container else None
        if inside is not None and stage.thing_at[inside] != place:
            yield Step(events.ThingChanged(actor=None, thing=inside, place=place))
        thing = self._names.thing(event.object) if event.object else inside
        if thing is None:
            raise StageError("names neither an `object` nor a `container`.")
        if thing == inside:
            put = events.ThingChanged(actor=None, thing=thing, place=place)
            yield Step(put, is_main=True)
            return
        if actor is not None and stage.place_of_thing(thing) != place:
            yield Step(events.ThingChanged(actor=None, thing=thing, place=place))
        where = None if inside else place
        put = events.ThingChanged(actor=actor, thing=thing, inside=inside, place=where)
        yield Step(put, is_main=True)

    def _carry(
        self, event: ListedEvent, doers: Sequence[CharacterId], place: PlaceId, stage: Stage
    ) -> Iterator[Step]:
        if not (doers and event.object and event.to_place):
            raise StageError("carry_object needs `actor`, `object` and `to_place`.")
        actor, thing = doers[0], self._names.thing(event.object)
        to = self._names.place(event.to_place)
        if stage.place_of_thing(thing) != place:
            yield Step(events.ThingChanged(actor=None, thing=thing, place=place))
        yield Step(events.ThingChanged(actor=actor, thing=thing, holder=actor), is_main=True)
        yield Step(events.Left(actor=actor, place=place))
        yield Step(events.Entered(actor=actor, place=to, from_place=place))
        yield Step(events.ThingChanged(actor=actor, thing=thing, place=to))

    def _look_at(
        self, event: ListedEvent, doers: Sequence[CharacterId], place: PlaceId, stage: Stage
    ) -> Iterator[Step]:
        value = event.label if event.type == "see_label" else event.content
        if event.object is None or value is None:
            raise StageError(f"{event.type} needs `object` and what is seen.")
        thing = self._names.thing(event.object)
        if stage.place_of_thing(thing) != place:
            yield Step(events.ThingChanged(actor=None, thing=thing, place=place))
        if event.type == "see_label":
            self._labels[thing] = value
        predicate = LABELLED if event.type == "see_label" else CONTAINS
        actor = doers[0] if doers and stage.place_of[doers[0]] == place else None
        yield Step(self._shown(actor, place, thing, predicate, value), is_main=True)

    def _shown(
        self,
        actor: CharacterId | None,
        place: PlaceId,
        thing: ThingId,
        predicate: PredicateId,
        value: str,
    ) -> Event:
        said = f"{self._names.name(thing)}: {value}"
        fact = Claim(subject=thing, predicate=predicate, object=value, said=said)
        return events.FactSeen(actor=actor, place=place, fact=fact)


def _words(event: ListedEvent) -> str:
    return event.text or "…"


def _business(
    event: ListedEvent, doers: Sequence[CharacterId], place: PlaceId, stage: Stage
) -> Event:
    able = [w for w in doers if stage.place_of[w] == place and w not in stage.dead]
    if not able:
        return events.Narrated(text=_words(event), place=place)
    return events.Acted(actor=able[0], text=_words(event), alongside=tuple(able[1:]))
