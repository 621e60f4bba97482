"""Coming and going, as lists tell it: entering, leaving, a new scene."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import LABELLED, UNPLACED
from sandbox.evals.knowledge.moment import Moment, Step, Steps, set_apart
from sandbox.story import events
from sandbox.story.claims import Claim
from sandbox.story.events import Sighting
from sandbox.story.ids import CharacterId, ThingId
from sandbox.story.stage import NOWHERE


def arrive(m: Moment) -> Steps:
    """Those who come, or are said to be there, and what all there see of the place."""
    ghosts = [w for w in m.doers if w in m.stage.dead and m.names.name(w) not in m.event.dead]
    if astray := [w for w in m.doers if m.stage.place_of[w] == UNPLACED != m.place or w in ghosts]:
        yield set_apart(dict.fromkeys(astray), None)
    coming = [who for who in m.doers if not m.is_here(who)]
    _check_free(m, coming)
    bodies = [w for w in coming if w in m.stage.dead and w not in ghosts]
    if bodies:  # the list says that they are dead as they come: others bring them
        yield set_apart(bodies, m.place)
    coming = [who for who in coming if who not in bodies]
    for who in ghosts:
        yield from _rise(m, who)
    leaving = [who for who in coming if m.stage.place_of[who] != NOWHERE]
    if leaving:
        origin = m.stage.place_of[leaving[0]]
        yield Step(events.Left(actor=leaving[0], place=origin, alongside=tuple(leaving[1:])))
    if coming:
        came = events.Entered(actor=coming[0], place=m.place, alongside=tuple(coming[1:]))
        yield Step(came, is_main=True)
    else:
        yield Step(m.business(), is_main=True)
    yield from seen_on_entering(m)


def _rise(m: Moment, who: CharacterId) -> Steps:
    yield Step(events.StateTurned(actor=who, state="rose"))
    if who in m.stage.distracted and m.names.name(who) not in m.event.distracted:
        yield Step(events.StateTurned(actor=who, state="attentive"))


def _check_free(m: Moment, coming: Sequence[CharacterId]) -> None:
    """Nobody is in two places: who enters comes from off the stage, or from the place it is said to."""
    origin = m.names.place(m.event.from_place) if m.event.from_place else None
    for who in coming:
        here = m.stage.place_of[who]
        if here in (NOWHERE, origin):
            continue
        name, where = m.names.name(who), m.names.name(here)
        said = f", not in `{m.event.from_place}`" if m.event.from_place else ""
        raise StageError(
            f"`{name}` is in `{where}`{said}; it has to leave `{where}` before it enters"
            f" `{m.place_name}`, or to come with `from_place` `{where}`."
        )


def seen_on_entering(m: Moment) -> Steps:
    """What all there see, with one another, when somebody enters."""
    if m.switches.on_entering == "nothing":
        return
    place, stage = m.place, m.stage
    here = [t for t in stage.thing_at if stage.place_of_thing(t) == place]
    if m.switches.on_entering == "open":
        here = [t for t in here if stage.thing_at[t] == place]
    if here:
        inside_first = sorted(here, key=lambda thing: thing not in m.names.container_ids)
        seen = tuple(Sighting(thing=t, where=stage.thing_at[t]) for t in inside_first)
        yield Step(events.ThingsSeen(place=place, seen=seen))
    if m.switches.on_entering == "all":
        for thing in here:
            yield from _label_seen(m, thing)


def _label_seen(m: Moment, thing: ThingId) -> Steps:
    shown = m.world.evidence.get((thing, LABELLED))
    if shown:
        label = shown[-1].fact.object
        said = f"{m.names.name(thing)}: {label}"
        fact = Claim(subject=thing, predicate=LABELLED, object=label, said=said)
        yield Step(events.FactSeen(actor=None, place=m.place, fact=fact))


def depart(m: Moment) -> Steps:
    """Those who go; the dead are carried off."""
    removed = m.event.removed
    leaving = m.doers if removed is None else m.names.everybody(dict.fromkeys(removed))
    for who in leaving:
        if not m.is_here(who):
            raise StageError(
                f"`{m.names.name(who)}` is {m.somewhere(who)} and cannot leave `{m.place_name}`;"
                " it has to enter first."
            )
    alive = [who for who in leaving if who not in m.stage.dead]
    if alive:
        left = events.Left(actor=alive[0], place=m.place, alongside=tuple(alive[1:]))
        yield Step(left, is_main=True)
    else:
        yield Step(events.Narrated(text=m.words, place=m.place), is_main=True)
    if carried_off := [who for who in leaving if who in m.stage.dead]:
        yield set_apart(carried_off, None)


def new_scene(m: Moment) -> Steps:
    """Who is carried over, or there as it opens, is in the new place; all others are off the stage."""
    there = m.event.present if m.event.carried_over is None else m.event.carried_over
    on = set(m.names.everybody(there or ()))
    places = {w: m.place if w in on else None for w in sorted(m.stage.place_of)}
    yield Step(events.StageSet(places=places))


def die(m: Moment) -> Steps:
    """Those who die; who is dead already, or off the stage, is not what those there see."""
    here = [w for w in m.doers if m.is_here(w) and w not in m.stage.dead]
    others = [w for w in m.doers if not m.is_here(w) and w not in m.stage.dead]
    if not here:
        yield Step(events.Narrated(text=m.words, place=m.place), is_main=True)
    for number, who in enumerate([*here, *others]):
        died = events.StateTurned(actor=who, state="died")
        yield Step(died, is_main=number == 0 and bool(here))
