"""The port every mind fulfils: it is given one character's view and decides a move."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Protocol

from sandbox.agents.trace import Trace
from sandbox.memory.store import Layer
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.retrying import Restarted
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim, Question
from sandbox.story.events import GuardFound
from sandbox.story.ids import CharacterId, FactId, PatternId, PlaceId, ThingId
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView

LANGUAGE_MIND_VERSION = 2
"""Raised when a model mind or the guard makes another move of the same reply; written into saves."""


@dataclass(frozen=True)
class Move:
    """What one character does in one beat, as its mind wants it. The stage may not allow it."""

    thought: str = ""
    mood: str = ""
    """A new mood; empty: as before."""
    action: str = ""
    """Without its subject: "lifts the board"."""
    action_first: str = ""
    """The same in first person; empty: not given."""
    examines: ThingId | None = None
    searches: bool = False
    """Whether the action looks through the place."""
    words: str = ""
    to: tuple[CharacterId, ...] = ()
    whisper: bool = False
    tells: tuple[Claim, ...] = ()
    asks: Question | None = None
    go: PlaceId | None = None
    relied_on: tuple[FactId, ...] = ()
    """Facts it rests on. Grants nothing."""
    pattern: PatternId | None = None
    """The pattern it was chosen by. None: none, or the mind does not say."""
    findings: tuple[GuardFound, ...] = ()
    """What the guard objected to on the way."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all would happen."""
        done = self.thought or self.mood or self.action or self.words or self.go
        return not (done or self.findings)


@dataclass(frozen=True)
class Drafted:
    """A sentence that is about to be said, not yet committed."""

    text: str


@dataclass(frozen=True)
class DraftDropped:
    """What was drafted so far does not count: the request began anew."""

    reason: str


@dataclass
class Cost:
    """What a move cost at the endpoint."""

    calls: int = 0
    repeats: int = 0
    """Transport repeats, counted apart."""
    prompt_tokens: int = 0
    output_tokens: int = 0
    is_estimated: bool = False
    """Whether the endpoint gave no figures of its own."""

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.calls + other.calls,
            self.repeats + other.repeats,
            self.prompt_tokens + other.prompt_tokens,
            self.output_tokens + other.output_tokens,
            self.is_estimated or other.is_estimated,
        )

    def count(self, usage: Usage, request: Request, reply: str) -> None:
        """Add the tokens of one call, by the endpoint's own figures, else by an estimate."""
        sent = sum(estimated_tokens(message.content) for message in request.messages)
        self.is_estimated |= usage.prompt_tokens is None
        self.prompt_tokens += sent if usage.prompt_tokens is None else usage.prompt_tokens
        given = usage.output_tokens
        self.output_tokens += estimated_tokens(reply) if given is None else given


class Outside(Protocol):
    """Everything from outside that a move may use. Each answer is on the cassette."""

    async def recall(
        self, layer: Layer, query: str, limit: int, *, supporting: bool = False
    ) -> tuple[str, ...]:
        """Ids of the character's own memories nearest to `query`; `supporting`: to rest an answer on."""
        ...

    def reply(
        self, step: str, attempt: int, request: Request
    ) -> AsyncGenerator[Chunk | Restarted | Usage, None]:
        """A model's reply to `request`.

        Raises:
            ModelError: the model failed for good.
        """
        ...


@dataclass(frozen=True)
class Situation:
    """All that a mind decides from."""

    view: CharacterView
    chance: Chance
    outside: Outside
    cost: Cost = field(default_factory=Cost)
    trace: Trace = field(default_factory=Trace)
    """Where the mind notes how it came to its move."""


class Mind(Protocol):
    @property
    def name(self) -> str:
        """Shown on screen: `rehearsal`, `qwen3:8b`."""
        ...

    def decide(self, situation: Situation) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        """Yield drafts as they form and, last, the move. An empty move lets the beat pass.

        Raises:
            ModelError: no move could be had. The story stays as it was.
        """
        ...
