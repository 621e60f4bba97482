"""Event lists in their closed form: what happened, who was there, what is asked.

The form is that of the public suites of who-perceived-what, joined into one vocabulary;
docs/eval-knowledge.md states it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

COMING = frozenset(("enter", "join", "at"))
LEAVING = frozenset(("exit", "leave"))
SCENES = frozenset(("scene_start", "scene_end"))
_SAYING = ("say", "whisper")
_REST = ("business", "wait", "noise", "dies")
_HANDLING = ("object_at", "container_at", "move_object", "carry_object")
_LOOKING = ("see_label", "open", "close")
KNOWN_TYPES = frozenset((*COMING, *LEAVING, *SCENES, *_SAYING, *_HANDLING, *_LOOKING, *_REST))
_BELIEFS = ("container", "place", "first_container", "content", "label")
KNOWN_OPS = frozenset((*_BELIEFS, "who_knows", "knows", "who_heard", "did_hear"))


class ListedEvent(NamedTuple):
    """One event of a list; fields it does not use are empty."""

    i: int
    """Its number, by which questions name it."""
    type: str
    actor: str | None
    actors: tuple[str, ...]
    place: str | None
    from_place: str | None
    to_place: str | None
    text: str
    targets: tuple[str, ...]
    topic: str | None
    object: str | None
    container: str | None
    label: str | None
    content: str | None
    present: tuple[str, ...] | None
    heard_by: tuple[str, ...] | None
    removed: tuple[str, ...] | None
    carried_over: tuple[str, ...] | None
    secret_witnesses: tuple[str, ...]
    distracted: tuple[str, ...]
    dead: tuple[str, ...]

    @property
    def doers(self) -> tuple[str, ...]:
        """Everybody who does it, each once."""
        if not self.actors:
            return (self.actor,) if self.actor else ()
        first = (self.actor,) if self.actor else ()
        return tuple(dict.fromkeys((*first, *self.actors)))

    @property
    def perceived_by(self) -> frozenset[str] | None:
        """Who should perceive it, by the list. None: the list does not say."""
        if self.type in SCENES:
            return None
        if self.heard_by is not None:
            return frozenset(self.heard_by)
        if self.present is None:
            return None
        there = {*self.present, *self.secret_witnesses}
        return frozenset(there - {*self.distracted, *self.dead})


@dataclass(frozen=True, slots=True)
class Ask:
    """What a question asks, in data."""

    op: str
    chain: tuple[str, ...]
    object: str | None
    topic: str | None
    event: int | None


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    ask: Ask
    gold: Any


@dataclass(frozen=True, slots=True)
class ListedItem:
    id: str
    cast: tuple[str, ...]
    is_staged: bool
    """Whether it is a play: what goes on on stage is seen by all on it, and one may call from off it."""
    events: tuple[ListedEvent, ...]
    questions: tuple[Question, ...]
