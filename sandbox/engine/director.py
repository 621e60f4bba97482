"""The director: it fires prepared events and brings the right people together (DESIGN section 8).

It may look at the whole world, and so it has nothing to say: a `Direction` holds ids and no text
(invariant 5). What comes of one is made from the author's words and from movement on the stage,
and reaches characters as events that they perceive or do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sandbox.story.chance import Chance
from sandbox.story.events import Left, Narrated
from sandbox.story.facts import Proposition
from sandbox.story.findable import may_tell, reachable
from sandbox.story.ids import CharacterId, FactId, PlaceId, PreparedId, ThreadId
from sandbox.story.stage import NOWHERE
from sandbox.story.threads import holds, is_closed, moved_turn, obstacle, thread_state
from sandbox.story.world import World

DIRECTOR = "director"
"""Mind of the beats that are nobody's."""

_STILL = 5
"""Turns without news after which something may happen: in rehearsal the ninth brings some at the latest."""
_STANDS = 12
"""Turns a thread stands before people are brought together for its sake: one that moves is left alone."""
_LONG = 24
"""Turns a thread stands before something happens for its sake, though there is other news."""
_APART = 8
"""Turns between two directions: most of a story is the characters' own."""
_SENT_AGAIN = 24
"""Turns before the same person is sent to somebody once more."""


@dataclass(frozen=True)
class Direction:
    """What is to come about before the next round. Ids only; nothing set: let the story go on."""

    fires: PreparedId | None = None
    sends: CharacterId | None = None
    """Who is to walk to somebody."""
    to: PlaceId | None = None
    """Where those are to meet."""


class Director(Protocol):
    """Decides between two rounds."""

    def decide(self, world: World, chance: Chance) -> Direction:
        """What is to come about now; the same for the same world and chance."""
        ...


class RehearsalDirector:
    """Directs without a model: when the story stands still, or a thread has stood open for long."""

    def __init__(self, held: Collection[CharacterId] = ()) -> None:
        """`held`: characters that a person plays; they are never sent anywhere."""
        self._held = frozenset(held)

    def decide(self, world: World, chance: Chance) -> Direction:
        """A prepared event, a meeting, or neither; never two directions close together."""
        waiting = [t for t in world.canon.threads_by_id if not is_closed(world, t)]
        if not (waiting or world.canon.prepared) or _directed_lately(world):
            return Direction()
        is_still = world.turn - last_news(world) >= _STILL
        stood = {thread: world.turn - moved_turn(world, thread) for thread in waiting}
        is_stuck = any(turns >= _LONG for turns in stood.values())
        event = self._event(world, chance) if is_still or is_stuck else None
        standing = [thread for thread in waiting if stood[thread] >= _STANDS]
        meeting = self._meeting(world, standing, chance)
        if event is not None and (meeting is None or chance.share("event or meeting") < 0.5):
            return Direction(fires=event)
        return meeting or Direction()

    # ── prepared events ───────────────────────────────────────────────────────────────────────

    def _event(self, world: World, chance: Chance) -> PreparedId | None:
        """One that may happen where somebody perceives it, the one that teaches most people first."""
        ready = [id_ for id_ in world.canon.prepared_by_id if not obstacle(world, id_)]
        seen = [id_ for id_ in ready if _audience(world, id_)]
        order = chance.shuffled("prepared event", seen)
        return max(order, key=lambda id_: _learners(world, id_), default=None)

    # ── meetings ──────────────────────────────────────────────────────────────────────────────

    def _meeting(
        self, world: World, standing: Sequence[ThreadId], chance: Chance
    ) -> Direction | None:
        """Who may tell what a thread waits for goes to whom it waits for, or is gone to."""
        sent = _sent_lately(world)
        for thread in chance.shuffled("thread", standing):
            for learner, fact in chance.shuffled(f"in {thread}", list(_wanted(world, thread))):
                for teller in _tellers(world, learner, fact, chance):
                    for walker, host in ((teller, learner), (learner, teller)):
                        if walker not in sent and self._can_go(world, walker, host):
                            return Direction(sends=walker, to=world.stage.place_of[host])
        return None

    def _can_go(self, world: World, walker: CharacterId, host: CharacterId) -> bool:
        """Whether somebody is free to walk to another who is somewhere else, over unlocked doors."""
        stage = world.stage
        here, there = stage.place_of[walker], stage.place_of[host]
        if here == there or there == NOWHERE or not stage.is_attending(host):
            return False
        is_free = walker not in self._held and self._is_idle(world, walker)
        return is_free and there in reachable(world, walker)

    def _is_idle(self, world: World, who: CharacterId) -> bool:
        """Whether somebody is between two scenes, or alone: nobody is called out of a talk."""
        stage = world.stage
        here = stage.place_of[who]
        if here == NOWHERE or who in stage.hidden or who in stage.spying:
            return False
        others = [other for other in stage.attending(here) if other != who]
        is_between = not others or world.scene_at(here) is None
        return stage.is_attending(who) and is_between and not self._held.intersection(others)


# ── what the story is waiting for ─────────────────────────────────────────────────────────────


def last_news(world: World) -> int:
    """Turn in which anybody last learned something, beyond who or what is where; 0: in none."""
    newest = 0
    for held in world.grants.values():
        for fact in reversed(list(held)):
            turn = held[fact][0].because.turn
            if turn <= newest:
                break
            if world.facts[fact].statement is not None:
                newest = turn
    return newest


def _audience(world: World, prepared_id: PreparedId) -> list[CharacterId]:
    """Those who would perceive a prepared event."""
    place, stage = world.canon.prepared_by_id[prepared_id].place, world.stage
    if place is not None:
        return stage.attending(place)
    return [w for w, there in stage.place_of.items() if there and stage.is_attending(w)]


def _learners(world: World, prepared_id: PreparedId) -> int:
    """How many would learn something from a prepared event."""
    facts = world.canon.prepared_by_id[prepared_id].reveals
    shown = [fact for fact in facts if fact in world.facts]
    there = _audience(world, prepared_id)
    return sum(any(not world.knows(who, fact) for fact in shown) for who in there)


def _wanted(world: World, thread_id: ThreadId) -> Iterator[tuple[CharacterId, FactId]]:
    """Who has to learn which fact, for a thread to come to a later state than the one it is in."""
    states = world.canon.threads_by_id[thread_id].states
    now = thread_state(world, thread_id)
    passed = next((n + 1 for n, state in enumerate(states) if state.id == now), 0)
    for condition in (one for state in states[passed:] for one in state.when):
        fact = condition.knows
        if fact is not None and fact in world.facts and not holds(world, condition):
            people = [condition.who] if condition.who else sorted(world.grants)
            yield from ((who, fact) for who in people if _lacks(world, who, fact))


def _lacks(world: World, who: CharacterId, fact: FactId) -> bool:
    return who in world.grants and not world.knows(who, fact)


def _tellers(world: World, learner: CharacterId, fact: FactId, chance: Chance) -> list[CharacterId]:
    """Those who know a fact and do not keep it from the learner; first who wants to tell it."""
    knowers = [who for who in world.knowers(fact) if who != learner]
    wish = {who: _wishes(world, who, world.facts[fact].proposition, learner) for who in knowers}
    able = [who for who in knowers if wish[who] or may_tell(world, who, fact, learner)]
    order = chance.shuffled(f"teller of {fact}", able)
    return sorted(order, key=lambda who: not wish[who])


def _wishes(world: World, who: CharacterId, said: Proposition, learner: CharacterId) -> bool:
    return any(
        wish.fact in world.facts
        and world.facts[wish.fact].proposition == said
        and (not wish.to or learner in wish.to)
        for wish in world.canon.cast[who].wishes
        if world.canon.holds(wish, world.start)
    )


# ── what was directed lately ──────────────────────────────────────────────────────────────────


def _directed_lately(world: World) -> bool:
    """Whether something was directed, by whomever, in the last turns."""
    for beat in reversed(world.beats):
        if world.turn - beat.turn >= _APART:
            return False
        for happened in beat.events:
            event = happened.event
            if isinstance(event, Narrated) and event.prepared is not None:
                return True
            if beat.mind == DIRECTOR and isinstance(event, Left):
                return True
    return world.turn < _APART


def _sent_lately(world: World) -> set[CharacterId]:
    sent = set[CharacterId]()
    for beat in reversed(world.beats):
        if world.turn - beat.turn >= _SENT_AGAIN:
            break
        if beat.mind == DIRECTOR:
            sent |= {h.event.actor for h in beat.events if isinstance(h.event, Left)}
    return sent
