"""From a listed event to the engine's own events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sandbox.evals.knowledge import coming, handling, telling
from sandbox.evals.knowledge.casting import UNPLACED, Names
from sandbox.evals.knowledge.items import COMING, SCENES, ListedEvent
from sandbox.evals.knowledge.moment import Moment, Step, Steps, Switches, overheard, set_apart
from sandbox.story import events
from sandbox.story.ids import CharacterId
from sandbox.story.stage import NOWHERE, Stage
from sandbox.story.world import World

_ALONE = frozenset(("whisper", "noise", *SCENES))
"""Types of which `present` names others than those who are in the place."""
_AT_EASE = frozenset(("say", "business", "wait", "close"))
"""What somebody may do of whom the list has not said where it is: it was there from the beginning."""


class Translator:
    """Puts one list into the engine's events, against the stage as it is. It keeps nothing."""

    def __init__(self, names: Names, switches: Switches, *, is_staged: bool) -> None:
        self._names = names
        self._switches = switches
        self._is_staged = is_staged

    def steps(
        self,
        event: ListedEvent,
        place_name: str,
        world: World,
        stage: Stage,
        known_places: set[CharacterId],
    ) -> Iterator[Step]:
        """The engine's events, one main among them at most; the marks of a list bracket them.

        Args:
            event: one of a known type.
            place_name: where it happens.
            world: as it was before the event.
            stage: follows the steps as they are taken.
            known_places: whom the list has placed before.

        Raises:
            StageError: the list contradicts itself; what came before does not count.
        """
        m = Moment(
            event,
            self._names,
            self._switches,
            self._is_staged,
            world,
            stage,
            known_places,
            place_name,
            self._names.place(place_name),
            self._names.everybody(event.doers),
        )
        yield from _there_all_along(m)
        for who in self._names.everybody(event.dead):
            if who not in stage.dead:
                yield Step(events.StateTurned(actor=who, state="died"))
        if event.distracted or event.secret_witnesses:
            yield from _marked(m)
        else:
            yield from _HAPPENING[event.type](m)


def _there_all_along(m: Moment) -> Steps:
    """Puts there whom the list has not placed and yet takes to be there."""
    event, stage = m.event, m.stage
    if event.type in SCENES:
        return
    if m.place == UNPLACED and event.present is not None and _is_of_all_there(m):
        # A list that has placed nobody says by `present` alone who is there.
        there = set(m.names.everybody(event.present))
        yield Step(
            events.StageSet(
                places={who: m.place if who in there else None for who in sorted(stage.place_of)}
            )
        )
        return
    there_now = _seemingly_there(m)
    if m.known_places.issuperset(there_now):
        return
    new = [who for who in dict.fromkeys(there_now) if who not in m.known_places]
    if unplaced := [who for who in new if stage.place_of[who] == NOWHERE]:
        yield set_apart(unplaced, m.place)


def _seemingly_there(m: Moment) -> list[CharacterId]:
    event, found = m.event, list[CharacterId]()
    if event.present and _is_of_all_there(m):
        found += m.names.everybody(event.present)
        if event.type not in _AT_EASE:
            # Who enters comes from off the stage, and who handles something or leaves has to be placed.
            found = [who for who in found if who not in m.doers]
    if event.present is None and event.type in _AT_EASE and not m.is_staged:
        found += m.doers
    return found


def _is_of_all_there(m: Moment) -> bool:
    """Whether `present` names those who are in the place, and nobody elsewhere."""
    is_public = m.event.type == "say" and m.switches.claims == "everywhere"
    return m.event.type not in _ALONE and not is_public


def _marked(m: Moment) -> Steps:
    """An event that some miss though they are there, and others secretly take in."""
    stage = m.stage
    lapsed = [w for w in m.names.everybody(m.event.distracted) if w not in stage.dead]
    # Whoever listens in on a whisper does so where the whisperer is.
    spies = [] if m.event.type in ("whisper", *SCENES) else m.spies
    for who in lapsed:
        yield Step(events.StateTurned(actor=who, state="distracted"))
    yield from overheard(m, spies, m.place, _HAPPENING[m.event.type](m))
    for who in lapsed:
        if who not in stage.dead:
            yield Step(events.StateTurned(actor=who, state="attentive"))


def _business(m: Moment) -> Steps:
    if not m.is_staged and m.event.place:
        m.check_here(who for who in m.doers if m.is_elsewhere(who))
    yield Step(m.business(), is_main=True)


def _nothing(_: Moment) -> Steps:
    return iter(())


_HAPPENING: Mapping[str, Callable[[Moment], Steps]] = {
    **dict.fromkeys(COMING, coming.arrive),
    "exit": coming.depart,
    "leave": coming.depart,
    "scene_start": coming.new_scene,
    "scene_end": _nothing,
    "say": telling.say,
    "whisper": telling.whisper,
    "object_at": handling.put,
    "container_at": handling.put,
    "move_object": handling.put,
    "carry_object": handling.carry,
    "see_label": handling.look_at,
    "open": handling.look_at,
    "close": _business,
    "business": _business,
    "wait": _business,
    "noise": telling.noise,
    "dies": coming.die,
}
"""What each type of the form becomes."""
