"""The outside, live or from a cassette: model replies and memory searches, each under its key."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import asdict, dataclass, field, replace

from sandbox.engine.keeper import Keeper
from sandbox.engine.roles import Models
from sandbox.errors import ModelError, ModelUnavailableError
from sandbox.memory.store import Layer, Shelf
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.retrying import Restarted
from sandbox.storage.cassette import Cassette, Failed, Key, Recalled, Replied, Tape
from sandbox.story.ids import CharacterId, canonical_json, digest
from sandbox.story.world import World

Piece = Chunk | Restarted | Usage


def request_digest(request: Request) -> str:
    """Digest of all that a model is shown; another one at replay is drift."""
    return digest(canonical_json(asdict(request)))


def ages(world: World) -> dict[str, int]:
    """How many scenes ago each scene was: 0 for the latest, canon before play."""
    count, order = world.counts.scenes, world.canon.scene_order
    aged = {f"s{number}": count - number for number in range(1, count + 1)}
    last = order[world.start]
    return aged | {id_: count + last - n for id_, n in order.items() if n <= last}


@dataclass
class LiveOutside:
    """Asks the model and the store, and writes each answer on the cassette."""

    world: World
    keeper: Keeper
    cassette: Cassette
    models: Models | None
    key: Key
    searches: int = 0

    async def recall(
        self, layer: Layer, query: str, limit: int, *, supporting: bool = False
    ) -> tuple[str, ...]:
        """Ids of the character's own memories nearest to `query`; `supporting`: to rest an answer on."""
        self.searches += 1
        key = replace(self.key, step=f"recall:{self.searches}")
        shelf = Shelf(CharacterId(self.key.character), layer)
        # When a fact was learned says nothing about whether it bears on a question.
        aged = ages(self.world) if layer is Layer.EPISODIC else {}
        ids = await self.keeper.recall(shelf, query, limit, aged, supporting)
        self.cassette.write(Recalled(key=str(key), ids=ids))
        return ids

    async def reply(self, step: str, attempt: int, request: Request) -> AsyncGenerator[Piece, None]:
        """The model's reply; recorded when it is whole, or when it failed for good.

        Raises:
            ModelError: as the model says.
        """
        key = str(replace(self.key, step=step, attempt=attempt))
        asked = request_digest(request)
        if self.models is None:
            raise ModelUnavailableError("no model is connected. Set `SANDBOX_MODEL_NAME`.")
        taken = Replied(key=key, request=asked, text="")
        try:
            async with aclosing(self.models.of(step).stream(request)) as pieces:
                async for piece in pieces:
                    taken = _with(taken, piece)
                    yield piece
        except ModelError as error:
            transient = isinstance(error, ModelUnavailableError) and error.transient
            self.cassette.write(
                Failed(key=key, request=asked, problem=str(error), is_transient=transient)
            )
            raise
        self.cassette.write(taken)


def _with(taken: Replied, piece: Piece) -> Replied:
    match piece:
        case Chunk(kind="reply"):
            return taken.model_copy(update={"text": taken.text + piece.text})
        case Restarted():
            return taken.model_copy(update={"text": "", "repeats": taken.repeats + 1})
        case Usage():
            counts = {
                "prompt_tokens": piece.prompt_tokens,
                "output_tokens": piece.output_tokens,
            }
            return taken.model_copy(update=counts)
        case _:
            return taken


@dataclass
class TapedOutside:
    """Answers from a cassette. Needs no network and no store."""

    tape: Tape
    key: Key
    drift: list[str] = field(default_factory=list)
    """Keys whose request is not the recorded one."""
    searches: int = 0

    async def recall(
        self, layer: Layer, query: str, limit: int, *, supporting: bool = False
    ) -> tuple[str, ...]:
        """The ids that the search returned then.

        Raises:
            CassetteError: none is recorded.
        """
        self.searches += 1
        answer = self.tape.answer(replace(self.key, step=f"recall:{self.searches}"))
        return answer.ids if isinstance(answer, Recalled) else ()

    async def reply(self, step: str, attempt: int, request: Request) -> AsyncGenerator[Piece, None]:
        """The recorded reply, in one piece.

        Raises:
            ModelError: the model failed then.
            CassetteError: nothing is recorded.
        """
        key = replace(self.key, step=step, attempt=attempt)
        answer = self.tape.answer(key)
        if not isinstance(answer, Recalled) and answer.request != request_digest(request):
            self.drift.append(str(key))
        match answer:
            case Failed():
                raise ModelUnavailableError(answer.problem, transient=answer.is_transient)
            case Replied():
                yield Chunk(answer.text)
                yield Usage(answer.prompt_tokens, answer.output_tokens)
            case Recalled():
                pass


OutsideOf = Callable[[Key], LiveOutside | TapedOutside]
Sleep = Callable[[float], Awaitable[object]]
