"""The state of an author's questions, with each condition and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.story.ids import CharacterId, FactId, ThreadId
from sandbox.story.plot import Condition, Held, ThreadState
from sandbox.story.threads import holds, thread_state
from sandbox.story.world import World


@dataclass(frozen=True)
class Met:
    """A condition, and whether it holds. Exactly one of `knows`, `lacks` and `believes` is given."""

    who: CharacterId | None
    """None: anybody of whom it did not hold at the start point."""
    knows: FactId | None
    lacks: FactId | None
    believes: Held | None
    holds: bool


@dataclass(frozen=True)
class StateMet:
    """One state of a thread."""

    id: str
    closes: bool
    """Whether the question is settled by it."""
    when: tuple[Met, ...]

    @property
    def holds(self) -> bool:
        return all(one.holds for one in self.when)


@dataclass(frozen=True)
class ThreadAnswer:
    """A thread and how it stands."""

    id: ThreadId
    question: str
    state: str
    """Id of the last state that holds, else `open`."""
    states: tuple[StateMet, ...]


def thread_answer(world: World, thread_id: ThreadId) -> ThreadAnswer:
    """How a thread stands; for a director, who sees into every mind."""
    thread = world.canon.threads_by_id[thread_id]
    states = tuple(_state(world, state) for state in thread.states)
    return ThreadAnswer(thread_id, thread.question, thread_state(world, thread_id), states)


def _state(world: World, state: ThreadState) -> StateMet:
    return StateMet(state.id, state.closes, tuple(_met(world, one) for one in state.when))


def _met(world: World, one: Condition) -> Met:
    return Met(one.who, one.knows, one.lacks, one.believes, holds(world, one))
