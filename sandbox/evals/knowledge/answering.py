"""Answers to the questions of an event list, from the engine's world."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.evals.knowledge.casting import CONTAINS, LABELLED
from sandbox.evals.knowledge.items import Ask
from sandbox.evals.knowledge.replaying import Replay
from sandbox.evals.knowledge.trusting import Everybody, Nobody
from sandbox.story.beliefs import Trust, believed, place_believed, thinks_knows, whereabouts
from sandbox.story.ids import CharacterId, PredicateId, ThingId
from sandbox.story.predicates import LOCATED_IN, SAID_ABOUT
from sandbox.story.world import World

Answer = str | frozenset[str] | None


def answer(ask: Ask, played: Replay, trust: str) -> Answer:
    """What the engine answers; names, a set of names, or None for no belief.

    Raises:
        KeyError: the question names nobody or nothing of the list.
    """
    names, world = played.names, played.fold.world
    chain = names.everybody(ask.chain)
    policies: dict[str, Trust] = {"none": Nobody(), "all": Everybody()}
    policy = policies.get(trust, played.departures)
    match ask.op:
        case "who_knows":
            topic = ask.topic or ""
            knowers = (w for w in map(CharacterId, names.people.values()))
            known = (w for w in knowers if thinks_knows(world, (w,), topic, SAID_ABOUT, topic))
            return frozenset(map(names.name, known))
        case "knows":
            topic = ask.topic or ""
            return _yes(thinks_knows(world, chain, topic, SAID_ABOUT, topic))
        case "who_heard":
            return played.heard[ask.event if ask.event is not None else -1]
        case "did_hear":
            return _yes(ask.chain[-1] in played.heard[ask.event if ask.event is not None else -1])
        case _:
            return _about_thing(ask, played, chain, policy)


def _about_thing(ask: Ask, played: Replay, chain: Sequence[CharacterId], trust: Trust) -> Answer:
    names, world = played.names, played.fold.world
    thing = names.thing(ask.object or "")
    match ask.op:
        case "container":
            where = (
                whereabouts(world, chain, thing, trust) if chain else world.stage.thing_at[thing]
            )
            return names.name(where) if where in world.stage.thing_at else None
        case "place":
            place = (
                place_believed(world, chain, thing, trust)
                if chain
                else world.stage.place_of_thing(thing)
            )
            return names.name(place) if place else None
        case "first_container":
            return names.name(_first_container(world, thing))
        case "label":
            return _latest(world, thing, LABELLED)
        case _:
            return _content(world, chain, thing, trust)


def _content(
    world: World, chain: Sequence[CharacterId], thing: ThingId, trust: Trust
) -> str | None:
    """What was seen inside beats a label, whichever came last."""
    if not chain:
        return _latest(world, thing, CONTAINS)
    inside = believed(world, chain, thing, CONTAINS, trust)
    return inside or believed(world, chain, thing, LABELLED, trust)


def _latest(world: World, thing: ThingId, predicate: PredicateId) -> str | None:
    shown = [e.fact.object for e in world.evidence.get((thing, predicate), ())]
    return shown[-1] if shown else None


def _first_container(world: World, thing: ThingId) -> str:
    placed = (e.fact.object for e in world.evidence.get((thing, LOCATED_IN), ()))
    return next((there for there in placed if there in world.stage.thing_at), "")


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
