"""Answers to the questions of an event list, from the engine's world."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sandbox.evals.knowledge.casting import CONTAINS, LABELLED, UNPLACED, Names
from sandbox.evals.knowledge.items import Ask
from sandbox.evals.knowledge.replaying import Replay
from sandbox.evals.knowledge.trusting import Everybody, Nobody
from sandbox.story.beliefs import Trust, believed, place_believed, thinks_knows, whereabouts
from sandbox.story.evidence import Kind
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, ThingId
from sandbox.story.predicates import LOCATED_IN, SAID_ABOUT
from sandbox.story.world import World

Answer = str | frozenset[str] | None
_YES_OR_NO = ("knows", "did_hear")


def answer(ask: Ask, played: Replay, trust: str) -> Answer:
    """What the engine answers; a name, a set of names, or None for no belief.

    Raises:
        KeyError: the question names nobody, nothing or no event of the list.
        IndexError: it needs a chain and has none.
    """
    names, world = played.names, played.fold.world
    chain = _chain(ask, names)
    match ask.op:
        case "who_knows":
            return frozenset(map(names.name, _knowers(ask.topic or "", played)))
        case "knows":
            return _yes(_thinks_knows(world, chain, ask.topic or ""))
        case "who_heard":
            return played.heard[_event(ask)]
        case "did_hear":
            return _yes(ask.chain[-1] in played.heard[_event(ask)])
        case _:
            policies: dict[str, Trust] = {"none": Nobody(), "all": Everybody()}
            return _about_thing(ask, played, chain, policies.get(trust, played.departures))


def is_right(given: Answer, gold: Any, op: str) -> bool:
    """Whether an answer is the expected one: compared after trimming, sets as sets."""
    if isinstance(given, frozenset):
        listed = gold if isinstance(gold, list) else [] if gold is None else [gold]
        return given == {_plain(name) for name in listed}
    if isinstance(gold, list) and len(gold) == 1:
        gold = gold[0]
    if op in _YES_OR_NO:
        gold = _yes(gold) if isinstance(gold, bool) else gold
        return given == _plain(gold).casefold()
    return (given or "") == _plain(gold)


def _plain(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _chain(ask: Ask, names: Names) -> tuple[CharacterId, ...]:
    """What somebody thinks that it itself thinks is what it thinks."""
    return tuple(who for who, _ in groupby(names.everybody(ask.chain)))


def _event(ask: Ask) -> int:
    if ask.event is None:
        raise KeyError("event")
    return ask.event


def _knowers(topic: str, played: Replay) -> list[CharacterId]:
    everybody = map(CharacterId, played.names.people.values())
    return [who for who in everybody if _thinks_knows(played.fold.world, (who,), topic)]


def _thinks_knows(world: World, chain: Sequence[CharacterId], topic: str) -> bool:
    if not chain:
        raise IndexError("chain")
    return thinks_knows(world, chain, topic, SAID_ABOUT, topic)


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
            place = _place(world, chain, thing, trust)
            return names.name(place) if place and place != UNPLACED else None
        case "first_container":
            return _first_container(played, thing)
        case "label":
            return _latest(world, thing, LABELLED)
        case _:
            return _content(played, chain, thing, trust)


def _place(world: World, chain: Sequence[CharacterId], thing: ThingId, trust: Trust) -> str | None:
    if not chain:
        return world.stage.place_of_thing(thing)
    return place_believed(world, chain, thing, trust)


def _content(
    played: Replay, chain: Sequence[CharacterId], thing: ThingId, trust: Trust
) -> str | None:
    """What was seen inside beats a label, whichever came last. Put inside is seen inside."""
    world = played.fold.world
    if not chain:
        return _latest(world, thing, CONTAINS) or _lying_in(played, chain, thing, trust)
    inside = believed(world, chain, thing, CONTAINS, trust)
    return (
        inside
        or _lying_in(played, chain, thing, trust)
        or believed(world, chain, thing, LABELLED, trust)
    )


def _lying_in(
    played: Replay, chain: Sequence[CharacterId], box: ThingId, trust: Trust
) -> str | None:
    """An object that lies in `box`, as far as the chain believes it."""
    world = played.fold.world
    for thing in map(ThingId, played.names.things.values()):
        where = whereabouts(world, chain, thing, trust) if chain else world.stage.thing_at[thing]
        if where == box:
            return played.names.name(thing)
    return None


def _latest(world: World, thing: ThingId, predicate: PredicateId) -> str | None:
    shown = [e.fact.object for e in world.evidence.get((thing, predicate), ())]
    return shown[-1] if shown else None


def _first_container(played: Replay, thing: ThingId) -> str | None:
    """The container it first was in; where it never was in any, the place."""
    world = played.fold.world
    found = world.evidence.get((thing, LOCATED_IN), ())
    placed = [e.fact.object for e in found if e.kind is Kind.SEEN]
    inside = (there for there in placed if there in world.stage.thing_at)
    places = (there for there in placed if PlaceId(there) in world.canon.places_by_id)
    first = next(inside, None) or next(places, None)
    return played.names.name(first) if first else None


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
