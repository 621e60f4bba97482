"""The fold: canon and beats make the world. The only place where grants are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from sandbox.story import events, predicates
from sandbox.story.canon import Canon, CanonScene
from sandbox.story.events import Beat, Claim, Detail, Happened
from sandbox.story.facts import (
    Fact,
    Grant,
    Mode,
    Proposition,
    Source,
    fact_by_rule,
    fact_of_canon,
    fact_of_claim,
)
from sandbox.story.ids import CharacterId, FactId, PlaceId, PredicateId, SceneId, ThingId
from sandbox.story.percepts import Episode, Percept
from sandbox.story.routes import Route
from sandbox.story.stage import Stage
from sandbox.story.world import Counts, Gained, Scene, World


class Fold:
    """Owns one mutable state, to which beats are applied; `world` shows it read-only."""

    def __init__(self, canon: Canon, start: SceneId) -> None:
        self._stage = Stage.at_start(canon, start)
        everybody = sorted(self._stage.place_of)
        self._scenes: dict[SceneId, Scene] = {}
        self._facts: dict[FactId, Fact] = {}
        self._grants: dict[CharacterId, dict[FactId, list[Grant]]] = {c: {} for c in everybody}
        self._propositions: dict[CharacterId, dict[Proposition, list[FactId]]] = {
            c: {} for c in everybody
        }
        self._percepts: dict[CharacterId, list[Percept]] = {c: [] for c in everybody}
        self._episodes: dict[CharacterId, list[Episode]] = {c: [] for c in everybody}
        self._moods: dict[CharacterId, str] = {}
        self._strangers: dict[CharacterId, frozenset[CharacterId]] = {}
        self._been: dict[CharacterId, set[PlaceId]] = {
            c: {place, canon.cast[c].home} for c, place in self._stage.place_of.items()
        }
        self._last_acted: dict[CharacterId, int] = dict.fromkeys(everybody, 0)
        self._beats: list[Beat] = []
        self._counts = Counts()
        self._new: list[tuple[CharacterId, Fact, Grant]] = []
        self.world = World(
            canon,
            start,
            self._stage,
            MappingProxyType(self._scenes),
            MappingProxyType(self._facts),
            MappingProxyType(self._grants),
            MappingProxyType(self._propositions),
            MappingProxyType(self._percepts),
            MappingProxyType(self._episodes),
            MappingProxyType(self._moods),
            MappingProxyType(self._strangers),
            MappingProxyType(self._been),
            MappingProxyType(self._last_acted),
            self._beats,
            self._counts,
        )
        self._begin(canon, start, everybody)

    def _begin(self, canon: Canon, start: SceneId, everybody: Sequence[CharacterId]) -> None:
        """State at the start point: the canon folded up to it; nothing later is loaded."""
        for who in everybody:
            person = canon.cast[who]
            moods = canon.at(person.mood, start)
            self._moods[who] = moods[-1] if moods else ""
            hidden = (c for c in canon.cast if c != who and not _named(canon, c, who))
            self._strangers[who] = frozenset(hidden)
        self._counts.clock = canon.opening_clock(start)
        order = canon.scene_order
        for item in canon.facts:
            begins = item.scene or item.from_
            if (begins is None or order[begins] <= order[start]) and canon.holds(item, start):
                self._facts[FactId(item.id)] = fact_of_canon(item, canon)
                self._grant_canon(self._facts[FactId(item.id)], everybody, order, start)
        for scene in canon.scenes_until(start):
            self._remember(scene)

    def _grant_canon(
        self,
        fact: Fact,
        everybody: Sequence[CharacterId],
        order: Mapping[SceneId, int],
        start: SceneId,
    ) -> None:
        item = fact.canon
        assert item is not None
        source = Source(item.scene)
        known = [
            *((who, Route.COMMON) for who in everybody if item.common),
            *((who, Route.EXPERIENCED) for who in item.experienced),
            *((who, Route.OBSERVED) for who in item.observed),
        ]
        for who, route in known:
            # Whoever has left the story by now is given nothing.
            if who in self._grants:
                self._grant(who, fact, self._canon_grant(who, route, source))
        for told in sorted(item.told, key=lambda t: order[t.scene]):
            if order[told.scene] <= order[start] and told.to in self._grants:
                grant = self._canon_grant(told.to, Route.TOLD, Source(told.scene))
                self._grant(told.to, fact, replace(grant, teller=told.by))

    def _canon_grant(self, who: CharacterId, route: Route, source: Source) -> Grant:
        return Grant(route, source, strangers=self._strangers[who])

    def _remember(self, scene: CanonScene) -> None:
        for who, text in sorted(scene.episodes.items()):
            if who in self._episodes:
                self._been[who].add(scene.place)
                id_ = f"canon:{scene.id}:{who}"
                self._episodes[who].append(Episode(who, id_, scene.id, text, turn=0, seq=0))

    def apply(self, beat: Beat) -> Gained:
        """Take one beat into the world.

        Reads the witnesses written into it and never recomputes them.
        """
        self._new = []
        percepts: list[Percept] = []
        episodes: list[Episode] = []
        self._counts.seq, self._counts.round = beat.seq, beat.round
        self._counts.turn, self._counts.clock = beat.turn, beat.clock
        if beat.is_story:
            self._beats.append(beat)
        for index, happened in enumerate(beat.events):
            percepts += self._perceived(beat, index, happened)
            if isinstance(happened.event, events.EpisodeWritten):
                episodes.append(self._written(beat, index, happened.event))
            self._take(beat, index, happened)
            self._stage.apply(happened.event)
            actor = getattr(happened.event, "actor", None)
            if actor is not None:
                self._last_acted[actor] = beat.turn
        if beat.scene in self._scenes:
            self._scenes[beat.scene].beats.append(beat)
        return Gained(tuple(percepts), tuple(self._new), tuple(episodes))

    def _perceived(self, beat: Beat, index: int, happened: Happened) -> list[Percept]:
        if isinstance(happened.event, events.EpisodeWritten):
            return []
        places = self._stage.place_of
        there = places.get(getattr(happened.event, "actor", None) or CharacterId(""))
        made = [
            Percept(who, detail, beat, index, happened, places[who], self._strangers[who], there)
            for who, detail in happened.witnesses.items()
        ]
        for percept in made:
            self._percepts[percept.witness].append(percept)
        return made

    def _written(self, beat: Beat, index: int, event: events.EpisodeWritten) -> Episode:
        id_ = beat.event_id(index)
        episode = Episode(event.owner, id_, event.scene, event.text, beat.turn, beat.seq)
        self._episodes[event.owner].append(episode)
        return episode

    def _take(self, beat: Beat, index: int, happened: Happened) -> None:
        """What an event changes beside the stage. Grants are made here and nowhere else."""
        source = Source(beat.scene, beat, index)
        match happened.event:
            case events.SceneOpened() as event:
                scene = Scene(event.scene, event.place, event.number, beat.turn)
                self._scenes[event.scene] = scene
                self._counts.scenes = max(self._counts.scenes, event.number)
            case events.SceneClosed() as event:
                self._scenes.pop(event.scene, None)
            case events.LineSpoken() | events.Whispered() as event:
                for claim in event.tells:
                    self._told(event.actor, claim, happened, source)
            case events.MoodTurned() as event:
                self._moods[event.actor] = event.mood
            case events.Acted() as event if event.examines is not None:
                self._examined(event.actor, event.examines, happened, source)
            case events.Entered() as event:
                self._been[event.actor].add(event.place)
                self._by_rule(event.actor, predicates.LOCATED_IN, event.place, happened, source)
            case events.ThingChanged() as event:
                self._changed(event, happened, source)
            case events.StateTurned() as event:
                if event.state == "died":
                    self._by_rule(event.actor, predicates.ALIVE, "dead", happened, source)
            case events.FactGranted() as event:
                for who in sorted(event.to):
                    self._grant(who, self._facts[event.fact], Grant(event.route, source))
            case (
                events.Acted()
                | events.Thought()
                | events.Left()
                | events.Travelled()
                | events.DoorChanged()
                | events.Narrated()
                | events.EpisodeWritten()
                | events.Commanded()
                | events.Withdrawn()
            ):
                pass
            case _:
                assert_never(happened.event)

    def _told(self, teller: CharacterId, claim: Claim, happened: Happened, source: Source) -> None:
        """Listeners in full detail get the claim as said, not the fact, its cause or its mode."""
        fact = fact_of_claim(claim)
        self._facts.setdefault(fact.id, fact)
        for who, detail in happened.witnesses.items():
            if who != teller and detail is Detail.FULL:
                strangers = self._strangers[who]
                grant = Grant(Route.TOLD, source, teller, claim.said, strangers)
                self._grant(who, self._facts[fact.id], grant)

    def _examined(
        self, actor: CharacterId, id_: ThingId, happened: Happened, source: Source
    ) -> None:
        thing = self.world.canon.things_by_id[id_]
        there = self._stage.thing_at[id_]
        held = there in self._stage.place_of
        where = predicates.HELD_BY if held else predicates.LOCATED_IN
        self._by_rule(id_, where, there, happened, source)
        # What belongs to a later canon scene is not there to be found.
        for fact_id in (fact for fact in thing.reveals if fact in self._facts):
            for who in self._full(happened):
                if who == actor:
                    self._grant(who, self._facts[fact_id], Grant(Route.EXPERIENCED, source))
                elif thing.shows == "all":
                    self._grant(who, self._facts[fact_id], Grant(Route.OBSERVED, source))

    def _changed(self, event: events.ThingChanged, happened: Happened, source: Source) -> None:
        if event.holder:
            self._by_rule(event.thing, predicates.HELD_BY, event.holder, happened, source)
        elif event.place:
            self._by_rule(event.thing, predicates.LOCATED_IN, event.place, happened, source)
        if event.state:
            self._by_rule(event.thing, predicates.STATE, event.state, happened, source)

    def _by_rule(
        self,
        subject: str,
        predicate: PredicateId,
        object_: str,
        happened: Happened,
        source: Source,
    ) -> None:
        """A fact by rule is first known to those who perceived its event in full."""
        fact = fact_by_rule(subject, predicate, object_)
        fact = self._facts.setdefault(fact.id, fact)
        actor = getattr(happened.event, "actor", None)
        for who in self._full(happened):
            route = Route.EXPERIENCED if who == actor else Route.OBSERVED
            self._grant(who, fact, Grant(route, source, strangers=self._strangers[who]))

    def _full(self, happened: Happened) -> list[CharacterId]:
        return [who for who, detail in happened.witnesses.items() if detail is Detail.FULL]

    def _grant(self, who: CharacterId, fact: Fact, grant: Grant) -> None:
        held = self._grants[who].setdefault(fact.id, [])
        if not held:
            self._new.append((who, fact, grant))
            self._propositions[who].setdefault(fact.proposition, []).append(fact.id)
            if self._is_true_name(fact):
                self._strangers[who] -= {CharacterId(fact.subject)}
        held.append(grant)

    def _is_true_name(self, fact: Fact) -> bool:
        """Whether a fact tells somebody's name: a false name does not give away the true one."""
        if fact.predicate != predicates.IS_NAMED or fact.mode is Mode.SUPPOSED:
            return False
        return fact.object in self.world.canon.names.get(fact.subject, ())


def _named(canon: Canon, person: CharacterId, by: CharacterId) -> bool:
    known_to = canon.cast[person].name_known_to
    return known_to is None or by in known_to


def surviving(beats: Iterable[Beat]) -> list[Beat]:
    """The beats that no later line withdraws, in order."""
    all_beats = list(beats)
    gone = frozenset[int]().union(*(beat.withdrawn_seqs for beat in all_beats))
    return [beat for beat in all_beats if beat.seq not in gone]


def fold(canon: Canon, start: SceneId, beats: Iterable[Beat]) -> Fold:
    """The fold of `beats`, withdrawn ones left out."""
    folding = Fold(canon, start)
    for beat in surviving(beats):
        folding.apply(beat)
    return folding
