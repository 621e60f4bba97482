"""Whether the threads of a world can be closed from what can be found out in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox.story.canon import Canon
from sandbox.story.findable import may_tell, reachable
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, FactId, PlaceId, ThingId, ThreadId
from sandbox.story.plot import Condition, Prepared, ThreadState
from sandbox.story.stage import way
from sandbox.story.threads import in_words, new_to
from sandbox.story.ways import Door
from sandbox.story.world import World


@dataclass(frozen=True)
class Unclosable:
    """A thread that cannot be closed, and why."""

    thread: ThreadId
    problem: str


def unclosable(canon: Canon) -> list[Unclosable]:
    """Threads that no closing state can settle, as the world stands at its default start.

    A closing state can come about if each fact that its conditions want known can be learned by
    whom they name: from a thing within reach, a prepared event, or somebody who may tell it. What
    somebody believes can be a lie, so any belief may come about.
    """
    if not canon.threads:
        return []
    findable = Findable(Fold(canon, canon.default_start).world)
    return [
        Unclosable(ThreadId(t.id), why) for t in canon.threads if (why := _why(findable, t.states))
    ]


def _why(findable: Findable, states: tuple[ThreadState, ...]) -> str:
    """Why none of the closing states can come about; empty where one can."""
    closing = [state for state in states if state.closes]
    if not closing:
        return "no state of it `closes`, so it stays open for ever."
    unmet = [[one for one in state.when if not findable.may_hold(one)] for state in closing]
    if not all(unmet):
        return ""
    reasons = "; ".join(
        f"`{state.id}`: {' and '.join(f'never that {in_words(one)}' for one in lacking)}"
        for state, lacking in zip(closing, unmet, strict=True)
    )
    return f"cannot be closed: {reasons}. Let a thing, a prepared event or somebody show it."


@dataclass
class Findable:
    """Who can come to know which facts, the kindest case taken at every turn."""

    world: World
    known: dict[CharacterId, set[FactId]] = field(default_factory=dict)
    _fired: list[Prepared] = field(default_factory=list)

    def __post_init__(self) -> None:
        facts = [f for f, fact in self.world.facts.items() if fact.canon is not None]
        self.known = {
            who: {f for f in facts if self.world.knows(who, f)} for who in self.world.grants
        }
        while self._grow(facts):
            pass

    def may_hold(self, condition: Condition) -> bool:
        """Whether a condition can come to hold."""
        people = [condition.who] if condition.who else new_to(self.world, condition)
        if condition.knows is not None:
            return any(condition.knows in self.known.get(who, ()) for who in people)
        if condition.lacks is not None:
            lacked = condition.lacks
            return any(
                w not in self.world.grants or not self.world.knows(w, lacked) for w in people
            )
        return True

    def _grow(self, facts: list[FactId]) -> bool:
        """One step more. Whether it brought anything."""
        before = len(self._fired), sum(map(len, self.known.values()))
        self._fired = [
            event for event in self.world.canon.prepared if all(map(self.may_hold, event.when))
        ]
        unlocked = {
            way(*d.between) for e in self._fired for d in e.doors if d.door is not Door.LOCKED
        }
        ways = {who: reachable(self.world, who, unlocked) for who in self.known}
        for who, known in self.known.items():
            known |= {f for f in facts if f not in known and self._can_learn(who, f, ways)}
        return before != (len(self._fired), sum(map(len, self.known.values())))

    def _can_learn(
        self, who: CharacterId, fact: FactId, ways: dict[CharacterId, set[PlaceId]]
    ) -> bool:
        shown = any(place is None or place in ways[who] for place in self._shown(fact, who))
        return shown or any(
            other != who
            and fact in known
            and ways[who] & ways[other]
            and may_tell(self.world, other, fact, who)
            for other, known in self.known.items()
        )

    def _shown(self, fact: FactId, who: CharacterId) -> Iterator[PlaceId | None]:
        """Places where `who` could be shown a fact; None: anywhere."""
        for event in self._fired:
            if fact in event.reveals:
                yield event.place
        stage = self.world.stage
        for thing, there in stage.thing_at.items():
            item = self.world.canon.things_by_id[thing]
            if fact not in item.reveals:
                continue
            # Whoever holds a thing that only its reader reads shows it to nobody.
            if there == who or there not in stage.place_of or item.shows == "all":
                yield stage.place_of_thing(thing)
            yield from self._brought_to(thing)

    def _brought_to(self, thing: ThingId) -> Iterator[PlaceId | None]:
        """Where prepared events bring a thing."""
        for change in (change for event in self._fired for change in event.things):
            if change.thing == thing and change.holder in self.world.stage.place_of:
                yield self.world.stage.place_of[change.holder]
            elif change.thing == thing and change.place is not None:
                yield change.place
