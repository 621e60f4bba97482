"""A mind behind a language model: one structured request a move, one retry."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from sandbox.agents.minds import Cost, DraftDropped, Drafted, Move, Situation
from sandbox.agents.prompting import Found, Limits, prompt_of, template
from sandbox.agents.reading import DraftReader, Problem, Unreadable, move_of
from sandbox.errors import ModelError
from sandbox.memory.store import Layer
from sandbox.models.port import Chunk, Message, Request, Usage
from sandbox.models.retrying import Restarted
from sandbox.story.ids import FactId
from sandbox.story.percepts import percept_id
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView

_ATTEMPTS = 2
"""The request and its one retry: the ceiling of a fast move."""
_QUERY_PERCEPTS = 4
_QUERY_CHARS = 500


@dataclass(frozen=True)
class LanguageMind:
    """Plays characters with a model. What it is shown comes from the view alone."""

    name: str
    temperature: float
    max_tokens: int
    prompt_tokens: int
    percepts: int
    recalled: int

    async def decide(
        self, situation: Situation
    ) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        """Yield sentences as they become whole, then the move.

        Raises:
            ModelError: the model failed, or gave no usable reply twice.
        """
        view = situation.view
        limits = Limits(self.max_tokens, self.prompt_tokens, self.temperature, self.percepts)
        prompt = prompt_of(view, await self._found(situation), limits)
        request, problem = prompt.request, Unreadable(Problem.EMPTY)
        for attempt in range(_ATTEMPTS):
            reader = DraftReader()
            async with aclosing(_listen(situation, attempt, request, reader)) as drafts:
                async for draft in drafts:
                    yield draft
            try:
                yield move_of(reader.text, view, prompt.numbered)
                return
            except Unreadable as error:
                problem = error
                yield DraftDropped(f"{self.name}: the reply could not be used: {problem}.")
                request = _again(prompt.request, view, problem.told(view.language))
        raise ModelError(
            f"{self.name}: gave no usable reply twice: {problem}. Try again, or another model."
        )

    async def _found(self, situation: Situation) -> Found:
        """What recall brings: memories not among the latest percepts, and facts."""
        view, limit = situation.view, self.recalled
        query = _query(view)
        if not limit or not query:
            return Found((), ())
        outside = situation.outside
        # Asked together, so that no write of memories gets between the two.
        memories, facts = await asyncio.gather(
            outside.recall(Layer.EPISODIC, query, limit),
            outside.recall(Layer.SEMANTIC, query, limit),
        )
        latest = {percept_id(percept) for percept in view.percepts[-self.percepts :]}
        texts = [view.memory(id_) for id_ in memories if id_ not in latest]
        return Found(texts, [FactId(id_) for id_ in facts])


def _query(view: CharacterView) -> str:
    """What is on the character's mind: the last things it perceived."""
    latest = [text for p in view.percepts[-_QUERY_PERCEPTS:] if (text := view.worded(p))]
    return " ".join([*latest, *view.goals])[-_QUERY_CHARS:]


async def _listen(
    situation: Situation, attempt: int, request: Request, reader: DraftReader
) -> AsyncGenerator[Drafted | DraftDropped, None]:
    """Drafts of one reply; its text is left in `reader`, its cost is counted."""
    cost, asked = situation.cost, request
    cost.calls += 1
    usage = Usage()
    async with aclosing(situation.outside.reply("move", attempt, asked)) as pieces:
        async for piece in pieces:
            match piece:
                case Chunk(kind="reply"):
                    for sentence in reader.feed(piece.text):
                        yield Drafted(sentence)
                case Restarted():
                    cost.repeats += 1
                    reader.begin_anew()
                    yield DraftDropped(piece.reason)
                case Usage():
                    usage = piece
                case _:
                    pass
    _count(cost, usage, asked, reader.text)


def _count(cost: Cost, usage: Usage, request: Request, reply: str) -> None:
    """Tokens by the endpoint's own figures, else an estimate."""
    sent = sum(estimated_tokens(message.content) for message in request.messages)
    cost.is_estimated |= usage.prompt_tokens is None
    cost.prompt_tokens += sent if usage.prompt_tokens is None else usage.prompt_tokens
    given = usage.output_tokens
    cost.output_tokens += estimated_tokens(reply) if given is None else given


def _again(request: Request, view: CharacterView, problem: str) -> Request:
    words = template(view.language, "again").substitute(problem=problem)
    return replace(request, messages=(*request.messages, Message("user", words)))
