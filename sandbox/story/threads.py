"""Threads: the state of an author's question, computed from who knows and believes what (DESIGN section 8)."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.story.beliefs import believed, entries
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, FactId, PreparedId, ThreadId
from sandbox.story.plot import Condition
from sandbox.story.world import World

OPEN = "open"
"""State of a thread of which no other state holds."""
_START = "the world at the start point"


def thread_state(world: World, thread_id: ThreadId) -> str:
    """Id of the last state all of whose conditions hold, else `open`."""
    states = world.canon.threads_by_id[thread_id].states
    held = [state.id for state in states if all(holds(world, one) for one in state.when)]
    return held[-1] if held else OPEN


def is_closed(world: World, thread_id: ThreadId) -> bool:
    """Whether the state a thread is in settles its question."""
    states = {state.id: state for state in world.canon.threads_by_id[thread_id].states}
    state = states.get(thread_state(world, thread_id))
    return state is not None and state.closes


def holds(world: World, condition: Condition) -> bool:
    """Whether a condition holds.

    Of a condition without `who`: whether it holds of anybody who did not know the fact (or believe
    the value) at the start point.
    """
    if condition.who is not None:
        return _is_so(world, condition.who, condition)
    return any(_is_so(world, who, condition) for who in new_to(world, condition))


def new_to(world: World, condition: Condition) -> list[CharacterId]:
    """Those who, at the start point, did not know or believe what a condition is about, by id."""
    before = at_start(world)
    asked = condition
    if (fact := condition.knows or condition.lacks) is not None:
        asked = Condition(knows=fact)
    return [who for who in sorted(world.grants) if not _is_so(before, who, asked)]


def at_start(world: World) -> World:
    """The world as the canon leaves it at the start point, before the first beat."""
    kept: World | None = world.memo.get(_START)
    if kept is None:
        kept = world.memo[_START] = Fold(world.canon, world.start).world
    return kept


def _is_so(world: World, who: CharacterId, condition: Condition) -> bool:
    """Who has left the story by the start point knows and believes nothing."""
    is_there = who in world.grants
    if condition.knows is not None:
        return is_there and world.knows(who, condition.knows)
    if condition.lacks is not None:
        return not (is_there and world.knows(who, condition.lacks))
    held = condition.believes
    assert held is not None
    return is_there and believed(world, (who,), held.subject, held.predicate) == held.object


# ── how long it has stood ─────────────────────────────────────────────────────────────────────


def moved_turn(world: World, thread_id: ThreadId) -> int:
    """Turn in which somebody last learned what a thread turns on; 0: nobody did in play."""
    states = world.canon.threads_by_id[thread_id].states
    turns = (turn for state in states for one in state.when for turn in _turns(world, one))
    return max(turns, default=0)


def _turns(world: World, condition: Condition) -> Iterator[int]:
    people = [condition.who] if condition.who else sorted(world.grants)
    fact, held = condition.knows or condition.lacks, condition.believes
    for who in people:
        if who in world.grants and fact is not None:
            yield from _learned(world, who, fact)
        elif who in world.grants and held is not None:
            about = entries(world, (who,), held.subject, held.predicate)
            yield from (entry.evidence.source.turn for entry in about)


def _learned(world: World, who: CharacterId, fact: FactId) -> Iterator[int]:
    if fact in world.facts:
        for id_ in world.propositions[who].get(world.facts[fact].proposition, ()):
            yield world.grants[who][id_][0].because.turn


# ── prepared events ───────────────────────────────────────────────────────────────────────────


def obstacle(world: World, prepared_id: PreparedId) -> str:
    """Why a prepared event may not happen in the next turn; empty where it may."""
    event = world.canon.prepared_by_id[prepared_id]
    if prepared_id in world.fired:
        return f"`{prepared_id}` has happened. Each prepared event happens once."
    if world.turn + 1 < event.not_before:
        first = event.not_before
        return f"`{prepared_id}` may happen from turn {first} on; the next is {world.turn + 1}."
    unmet = [in_words(one) for one in event.when if not holds(world, one)]
    return f"`{prepared_id}` may happen while {' and '.join(unmet)}." if unmet else ""


def in_words(condition: Condition) -> str:
    """A condition as authors are told of it, in ids."""
    who = f"`{condition.who}`" if condition.who else "somebody who did not at the start"
    if condition.knows is not None:
        return f"{who} knows `{condition.knows}`"
    if condition.lacks is not None:
        return f"{who} does not know `{condition.lacks}`"
    held = condition.believes
    assert held is not None
    return f"{who} believes `{held.subject} {held.predicate} {held.object}`"
