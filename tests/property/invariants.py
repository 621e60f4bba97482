"""What holds of every story, worked out again from the witnesses that are stored."""

from collections import defaultdict
from typing import Any

from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.events import (
    Acted,
    Entered,
    EpisodeWritten,
    FactGranted,
    LineSpoken,
    StateTurned,
    ThingChanged,
    Thought,
    Whispered,
)
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFacts
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property.strategies import History

Said = tuple[str, str, str]


def full(happened: Happened) -> set[str]:
    return {who for who, detail in happened.witnesses.items() if detail is Detail.FULL}


def each_event(beats: tuple[Beat, ...]) -> list[tuple[Beat, int, Happened]]:
    return [(beat, n, happened) for beat in beats for n, happened in enumerate(beat.events)]


def percepts_are_the_stored_witnesses(world: World, history: History) -> None:
    wanted: dict[str, list[tuple[int, int, Detail]]] = defaultdict(list)
    for beat, index, happened in each_event(history.beats):
        for who, detail in happened.witnesses.items():
            if not isinstance(happened.event, EpisodeWritten):
                wanted[who].append((beat.seq, index, detail))
    for who, percepts in world.percepts.items():
        assert [(p.beat.seq, p.index, p.detail) for p in percepts] == wanted[who]


def knowledge_is_what_was_perceived(world: World, history: History) -> None:
    """Everybody holds the propositions it was given at the start or perceived in full; no others."""
    wanted: dict[str, set[Said]] = defaultdict(set)
    canon = history.canon
    facts = {fact.id: (fact.subject, str(fact.predicate), fact.object) for fact in canon.facts}
    for fact in canon.facts:
        knowers = {str(c.id) for c in canon.characters} if fact.common else set()
        for who in knowers | {*fact.experienced, *fact.observed, *(t.to for t in fact.told)}:
            wanted[who].add(facts[fact.id])
    thing_at = {thing.id: str(thing.place or thing.holder) for thing in canon.things}
    for _, _, happened in each_event(history.beats):
        _gained(happened, wanted, facts, thing_at, canon)
    for who in world.grants:
        held = {(f.subject, str(f.predicate), f.object) for f in KnownFacts(world, who)}
        assert held == wanted[who], who


def _gained(
    happened: Happened,
    wanted: dict[str, set[Said]],
    facts: dict[str, Said],
    thing_at: dict[str, str],
    canon: Any,
) -> None:
    seen = full(happened)
    match happened.event:
        case LineSpoken() | Whispered() as line:
            for claim in line.tells:
                for who in seen - {line.actor}:
                    wanted[who].add((claim.subject, claim.predicate, claim.object))
        case Acted(examines=str() as thing) as act:
            there = thing_at[thing]
            where = "held_by" if there in canon.cast else "located_in"
            item = canon.things_by_id[thing]
            for who in seen:
                wanted[who].add((thing, where, there))
                if who == act.actor or item.shows == "all":
                    wanted[who] |= {facts[fact] for fact in item.reveals}
        case Entered() as move:
            for who in seen:
                wanted[who].add((move.actor, "located_in", move.place))
        case ThingChanged() as change:
            there = change.holder or change.place or ""
            thing_at[change.thing] = there
            for who in seen:
                where = "held_by" if change.holder else "located_in"
                wanted[who].add((change.thing, where, there))
        case StateTurned(state="died") as turn:
            for who in seen:
                wanted[who].add((turn.actor, "alive", "dead"))
        case FactGranted() as grant:
            for who in grant.to:
                wanted[who].add(facts[grant.fact])
        case _:
            pass


def what_is_told_is_what_was_said(world: World, history: History) -> None:
    """A fact that was told in play is the sentence as said, from its teller, and no cause."""
    lines = {
        (beat.seq, index): happened
        for beat, index, happened in each_event(history.beats)
        if isinstance(happened.event, LineSpoken | Whispered)
    }
    for who in world.grants:
        for fact in KnownFacts(world, who):
            for grant in KnownFacts(world, who).grants_of(fact.handle):
                if grant.route != "told" or grant.because.beat is None:
                    continue
                happened = lines[grant.because.seq, grant.because.index]
                line = happened.event
                assert isinstance(line, LineSpoken | Whispered)
                assert happened.witnesses[who] is Detail.FULL
                assert who != line.actor == grant.teller
                assert grant.said is not None
                assert grant.said in line.words


def witnesses_follow_the_rules(history: History) -> None:
    away: set[str] = set()
    place = {str(c.id): str(c.home) for c in history.canon.characters}
    for _, _, happened in each_event(history.beats):
        event, seen = happened.event, full(happened)
        actor = getattr(event, "actor", None)
        if actor is not None:
            assert actor in seen, "the actor always witnesses its own act"
        granted = event.to if isinstance(event, FactGranted) else frozenset[CharacterId]()
        assert not (set(happened.witnesses) & away) - {actor} - granted, (
            "the sleeping take nothing in"
        )
        if isinstance(event, Thought):
            assert set(happened.witnesses) == {event.actor}
        if isinstance(event, Whispered):
            assert seen <= {event.actor, *event.targets}
        if not isinstance(event, FactGranted):
            far = {who for who in happened.witnesses if place[who] == "far"}
            here = actor is None or place[actor] == "far"
            assert not far or here, "walls without a door let nothing through"
        for a, b in happened.unnoticed:
            assert {a, b} <= set(happened.witnesses)
        if isinstance(event, StateTurned) and event.state in ("died", "fell_asleep"):
            away.add(event.actor)
        if isinstance(event, StateTurned) and event.state == "woke":
            away.discard(event.actor)
        if isinstance(event, Entered):
            place[event.actor] = event.place


def nobody_notices_through_a_wall(world: World) -> None:
    """Of those elsewhere, one notices the speaker of a line alone."""
    for who, percepts in world.percepts.items():
        others = {other: list(world.percepts[other]) for other in world.percepts}
        for percept in percepts:
            if isinstance(percept.event, Entered | FactGranted):
                continue
            key = (percept.beat.seq, percept.index)
            for other in percept.noticed:
                at = next(p for p in others[other] if (p.beat.seq, p.index) == key)
                speaks = isinstance(percept.event, LineSpoken) and other == percept.event.actor
                assert at.scene_place == percept.scene_place or speaks, (who, other)


def causes_are_known(world: World) -> None:
    for who in world.grants:
        known = KnownFacts(world, who)
        held = {fact.handle for fact in known}
        assert all(fact.cause is None or fact.cause in held for fact in known)


def summary(world: World) -> dict[str, Any]:
    """All that is the case, as plain data."""
    return {who: of_one(world, who) for who in sorted(world.grants)} | {
        "stage": [
            sorted(world.stage.place_of.items()),
            sorted(world.stage.asleep),
            sorted(world.stage.dead),
            sorted(world.stage.hidden),
            sorted((sorted(way), door) for way, door in world.stage.doors.items()),
            sorted(world.stage.thing_at.items()),
        ],
        "turn": world.turn,
        "clock": world.clock,
    }


def of_one(world: World, who: CharacterId) -> dict[str, Any]:
    """All that one character has."""
    view = CharacterView(world, who)
    facts = [
        (f.handle, f.statement, f.route, f.source, f.cause, f.learned_turn) for f in view.known
    ]
    return {
        "percepts": [view.worded(p) for p in view.percepts],
        "noticed": [p.noticed for p in view.percepts],
        "facts": facts,
        "episodes": [e.text for e in view.episodes],
        "mood": view.mood,
        "names": [view.names(other) for other in sorted(world.grants)],
        "people": [(p.called, p.looks) for p in view.people],
        "things": [t.called for t in view.things],
        "exits": [(e.called, e.is_locked) for e in view.exits],
        "seen": [view.last_seen(other) for other in sorted(world.grants)],
    }


def everything(world: World) -> dict[str, Any]:
    """All that a fold makes, for comparing two worlds value by value."""
    return {
        "stage": world.stage,
        "scenes": dict(world.scenes),
        "facts": dict(world.facts),
        "grants": {
            who: {f: list(g) for f, g in held.items()} for who, held in world.grants.items()
        },
        "propositions": {who: dict(held) for who, held in world.propositions.items()},
        "evidence": {topic: list(found) for topic, found in world.evidence.items()},
        "by_object": {of: list(found) for of, found in world.evidence_of_object.items()},
        "percepts": {who: list(held) for who, held in world.percepts.items()},
        "episodes": {who: list(held) for who, held in world.episodes.items()},
        "moods": dict(world.moods),
        "strangers": dict(world.strangers),
        "been": {who: set(places) for who, places in world.been.items()},
        "last_acted": dict(world.last_acted),
        "fired": set(world.fired),
        "beats": list(world.beats),
        "turn": world.turn,
        "clock": world.clock,
        "scenes_so_far": world.counts.scenes,
    }
