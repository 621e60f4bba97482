"""A model that repeats what failed in passing: a 429, a 5xx, a cut stream."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from sandbox.errors import ModelUnavailableError
from sandbox.models.port import ChatModel, Chunk, Request, Usage

_FIRST_WAIT_S = 0.5
_MAX_WAIT_S = 8.0
_MAX_ASKED_WAIT_S = 30.0
"""However long the endpoint asks for: a person is waiting too."""


@dataclass(frozen=True)
class Restarted:
    """The reply begins anew: whoever reads it discards what it has of it."""

    attempt: int
    """Number of the attempt that follows; the first repeat is 2."""
    reason: str


class Retrying:
    """Any model, with transient failures repeated.

    Args:
        model: whose requests are repeated; closed together with this one.
        repeats: most repeats of one request. 0 repeats nothing.
        sleep: waits that many seconds.
    """

    def __init__(
        self,
        model: ChatModel,
        repeats: int,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.name = model.name
        self.repeated = 0
        """Repeats so far, over all requests."""
        self._model = model
        self._repeats = repeats
        self._sleep = sleep

    async def stream(self, request: Request) -> AsyncGenerator[Chunk | Usage | Restarted, None]:
        """Yield the reply; before each repeat a `Restarted`, whether or not text had come.

        Raises:
            ModelUnavailableError: not transient, or still failing after the last repeat.
            ModelError: the answer is no reply; a repeat would not mend it.
        """
        attempt = 1
        while True:
            try:
                async with aclosing(self._model.stream(request)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except ModelUnavailableError as error:
                if not error.transient or attempt > self._repeats:
                    raise
                failure = error
            self.repeated += 1
            attempt += 1
            # Before the wait, so that the screen can say what it is waiting for.
            yield Restarted(attempt, str(failure))
            await self._sleep(_wait_s(attempt - 2, failure.retry_after_s))

    async def aclose(self) -> None:
        await self._model.aclose()


def _wait_s(repeats: int, asked_s: float | None) -> float:
    """Doubles with each repeat. No jitter: a story is played by one client, not by thousands."""
    if asked_s is not None:
        return min(asked_s, _MAX_ASKED_WAIT_S)
    return min(_FIRST_WAIT_S * 2.0**repeats, _MAX_WAIT_S)
