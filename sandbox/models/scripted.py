"""A model that says what it was told to: for tests, demos, and scripts."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence

from sandbox.errors import ModelError
from sandbox.models.port import Chunk, Request, Usage

Step = str | Chunk | Usage | ModelError | asyncio.Event
"""Text and chunks are sent, errors raised, events waited for: a gate inside a reply."""
Script = str | Sequence[Step]
"""One reply. Plain text is sent in small pieces; of a sequence, each step by itself."""


class ScriptedModel:
    """Replies from a list, in the order asked, or from a callable that is shown the request."""

    def __init__(
        self,
        replies: Iterable[Script] | Callable[[Request], Script],
        *,
        name: str = "scripted",
        piece_chars: int = 8,
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self.abandoned = 0
        """Replies that were closed or cancelled before their end."""
        self._reply_to = replies if callable(replies) else _in_turn(replies)
        self._piece_chars = piece_chars

    async def stream(self, request: Request) -> AsyncGenerator[Chunk | Usage, None]:
        """Yield the reply to this request, then its usage.

        Raises:
            ModelError: a step of the reply, or there is no reply left, or none with content.
        """
        self.requests.append(request)
        usage, content = Usage(), False
        try:
            for step in self._steps(self._reply_to(request)):
                match step:
                    case asyncio.Event():
                        await step.wait()
                    case ModelError():
                        raise step
                    case Usage():
                        usage = step
                    case Chunk():
                        content |= step.kind == "reply" and bool(step.text)
                        yield step
        except (GeneratorExit, asyncio.CancelledError):
            self.abandoned += 1
            raise
        if not content:
            raise ModelError(f"{self.name}: the reply has no content. Its script should have some.")
        yield usage

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _steps(self, script: Script) -> Iterator[Chunk | Usage | ModelError | asyncio.Event]:
        if isinstance(script, str):
            size = self._piece_chars
            script = [script[at : at + size] for at in range(0, len(script), size)]
        for step in script:
            yield Chunk(step) if isinstance(step, str) else step


def _in_turn(replies: Iterable[Script]) -> Callable[[Request], Script]:
    left = iter(replies)

    def reply_to(request: Request) -> Script:
        for script in left:
            return script
        raise ModelError("scripted model: no reply is left. Give its script one for each request.")

    return reply_to
