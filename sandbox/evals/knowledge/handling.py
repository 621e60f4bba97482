"""Things, as lists tell of them: put somewhere, carried, looked at, opened."""

from __future__ import annotations

from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import CONTAINS, LABELLED
from sandbox.evals.knowledge.moment import Moment, Step, Steps
from sandbox.story import events
from sandbox.story.claims import Claim
from sandbox.story.ids import PredicateId, ThingId
from sandbox.story.predicates import LOCATED_IN


def put(m: Moment) -> Steps:
    """An object is somewhere, or somebody puts it there. A container is where it is put to use."""
    event, place = m.event, m.place
    actor = m.doers[0] if event.type == "move_object" and m.doers else None
    if actor is not None:
        m.check_alive([actor])
        m.check_here([actor])
    inside = m.names.container(event.container, m.place_name) if event.container else None
    thing = m.names.thing(event.object) if event.object else inside
    if thing is None:
        raise StageError(f"{event.type} needs an `object` or a `container`.")
    if inside == thing and event.object:
        raise StageError(f"`{event.object}` cannot be put inside itself; name another `container`.")
    if inside is not None and inside != thing:
        yield from _brought(m, inside)
    if actor is not None and inside != thing:
        yield from _brought(m, thing)
    there = None if inside in (None, thing) else inside
    change = events.ThingChanged(
        actor=actor if inside != thing else None,
        thing=thing,
        inside=there,
        place=None if there else place,
    )
    yield Step(change, is_main=True)


def _brought(m: Moment, thing: ThingId) -> Steps:
    """What a list uses in a place is there, however it came."""
    if m.stage.place_of_thing(thing) != m.place:
        yield Step(events.ThingChanged(actor=None, thing=thing, place=m.place))


def carry(m: Moment) -> Steps:
    """An object goes along with who carries it; those left behind saw where to."""
    event = m.event
    if not (m.doers and event.object and event.to_place):
        raise StageError("carry_object needs `actor`, `object` and `to_place`.")
    actor, *others = m.doers
    m.check_alive(m.doers)
    m.check_here(m.doers)
    thing, to = m.names.thing(event.object), m.names.place(event.to_place)
    yield from _brought(m, thing)
    yield Step(events.ThingChanged(actor=actor, thing=thing, holder=actor), is_main=True)
    seen = Claim(subject=thing, predicate=LOCATED_IN, object=to, said=m.words)
    yield Step(events.FactSeen(actor=actor, place=m.place, fact=seen))
    if to == m.place:
        yield Step(events.ThingChanged(actor=actor, thing=thing, place=to))
        return
    party = tuple(others)
    yield Step(events.Left(actor=actor, place=m.place, alongside=party))
    yield Step(events.Entered(actor=actor, place=to, from_place=m.place, alongside=party))
    yield Step(events.ThingChanged(actor=actor, thing=thing, place=to))


def look_at(m: Moment) -> Steps:
    """Somebody reads a label, or opens something and sees what it holds."""
    event = m.event
    if event.object is None:
        raise StageError(f"{event.type} needs an `object`.")
    on_stage = [who for who in m.doers if m.is_here(who)]
    if not m.is_staged:
        m.check_here(m.doers)
    m.check_alive(on_stage)
    thing = m.names.thing(event.object)
    yield from _brought(m, thing)
    is_label = event.type == "see_label"
    predicate = LABELLED if is_label else CONTAINS
    value = (event.label if is_label else event.content) or _shown_before(m, thing, predicate)
    if value is None:
        yield Step(m.business(), is_main=True)
        return
    said = f"{event.object}: {value}"
    fact = Claim(subject=thing, predicate=predicate, object=value, said=said)
    actor = on_stage[0] if on_stage else None
    yield Step(events.FactSeen(actor=actor, place=m.place, fact=fact), is_main=True)


def _shown_before(m: Moment, thing: ThingId, predicate: PredicateId) -> str | None:
    shown = m.world.evidence.get((thing, predicate))
    return shown[-1].fact.object if shown else None
