"""A draft becomes a move: read, checked by the guard, asked for once more, and what still offends is cut."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Literal

from sandbox.agents.fusing import Prompt, again, once_more
from sandbox.agents.guarding import Finding, mood_in, passed, retry_text, without
from sandbox.agents.minds import DraftDropped, Drafted, Move, Situation
from sandbox.agents.objecting import Objecting, objections
from sandbox.agents.reading import DraftReader, Unreadable, move_of
from sandbox.agents.trace import Found
from sandbox.errors import ModelError
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.retrying import Restarted
from sandbox.story.events import GuardFound

_ATTEMPTS = 2
"""The request and its one retry: the ceiling of a fast move."""


@dataclass(frozen=True)
class _Unusable:
    """Why a reply is asked for once more."""

    problem: str
    """For people."""
    request: Request
    """What asks for another."""


@dataclass
class Drafting:
    """One move in the making."""

    situation: Situation
    prompt: Prompt
    name: str
    """Of the mind, for what is said when it fails."""
    _noted: list[GuardFound] = field(default_factory=list)
    _held: tuple[Move, list[Finding]] | None = None
    """A readable move whose offending sentences can be cut, if nothing better comes."""

    async def moves(self) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        """Yield sentences that passed as they become whole, then the move.

        Raises:
            ModelError: the model failed, or gave no usable reply twice.
        """
        request, problem = self.prompt.request, ""
        for attempt in range(_ATTEMPTS):
            reader = DraftReader()
            async with aclosing(self._listen(attempt, request, reader)) as drafts:
                async for draft in drafts:
                    yield draft
            match self._read(reader.text, is_last=attempt + 1 == _ATTEMPTS):
                case Move() as move:
                    yield move
                    return
                case _Unusable(problem=problem, request=request):
                    yield DraftDropped(f"{self.name}: the reply could not be used: {problem}.")
        raise ModelError(
            f"{self.name}: gave no usable reply twice: {problem}. Try again, or another model."
        )

    def _read(self, text: str, *, is_last: bool) -> Move | _Unusable:
        """The move of a reply, whole or, where nothing more will come, without what offends."""
        view = self.situation.view
        try:
            move = move_of(text, view, self.prompt.numbered)
        except Unreadable as error:
            if is_last and self._held is not None:
                return self._without(*self._held)
            told = error.told(view.language)
            return _Unusable(str(error), again(self.prompt, view.language, told))
        found = objections(view, move)
        move = self._with_rest_checked(move)
        if not found or is_last:
            return self._without(move, found)
        self._held = (move, found)
        self._note(found, "retried")
        request = once_more(self.prompt, retry_text(view, found))
        return _Unusable(f"the guard objects ({found[0].offence})", request)

    def _without(self, move: Move, found: Sequence[Finding]) -> Move:
        self._note(found, "cut")
        kept = without(move, found, self.situation.view) if found else move
        return replace(kept, findings=tuple(self._noted))

    def _with_rest_checked(self, move: Move) -> Move:
        """A thought and a mood are remembered: what may not enter a memory is dropped from them."""
        view = self.situation.view
        return replace(move, thought=passed(view, move.thought), mood=mood_in(view, move.mood))

    def _note(self, found: Sequence[Finding], outcome: Literal["retried", "cut"]) -> None:
        owner, trace = self.situation.view.me, self.situation.trace
        for one in found:
            self._noted.append(
                GuardFound(owner=owner, offence=one.offence, sentence=one.sentence, outcome=outcome)
            )
            trace.findings.append(Found(one.offence, one.sentence, outcome))

    async def _listen(
        self, attempt: int, request: Request, reader: DraftReader
    ) -> AsyncGenerator[Drafted | DraftDropped, None]:
        """Drafts of one reply, up to the first that offends; its text is left in `reader`."""
        cost, outside = self.situation.cost, self.situation.outside
        check, passes = Objecting(self.situation.view), True
        cost.calls += 1
        self.situation.trace.requests.append(request)
        usage = Usage()
        async with aclosing(outside.reply("move", attempt, request)) as pieces:
            async for piece in pieces:
                match piece:
                    case Chunk(kind="reply"):
                        for sentence in reader.feed(piece.text):
                            passes = passes and check.sentence(sentence) is None
                            if passes:
                                yield Drafted(sentence)
                    case Restarted():
                        cost.repeats += 1
                        reader.begin_anew()
                        check, passes = Objecting(self.situation.view), True
                        yield DraftDropped(piece.reason)
                    case Usage():
                        usage = piece
                    case _:
                        pass
        cost.count(usage, request, reader.text)
