"""Any OpenAI-compatible chat-completions endpoint, hosted or local, behind the port."""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sandbox.errors import ModelUnavailableError
from sandbox.models.arriving import MAX_BYTES, Complained, Patience, Reply
from sandbox.models.dialects import (
    COMPLAINT_CHARS,
    OF_THIS_PROCESS,
    Dialect,
    Dialects,
    Search,
    declines_format,
)
from sandbox.models.faults import Faults, Role, complaint_of
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.redacting import Redacting
from sandbox.settings import ModelSettings

if TYPE_CHECKING:
    import openai

_CONNECT_TIMEOUT_S = 10.0
_LOADED_LATE = "anyio._backends._asyncio"
"""What `openai`'s HTTP library loads with the first connection."""
_TELLING_HEADERS = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers that tell headers at their lower levels, and so a key, wherever logs go."""


def load() -> None:
    """Load what the first request would otherwise wait for; takes about a second."""
    import_module("openai")
    # Another version may have it elsewhere; then it is loaded when it is needed.
    with suppress(ImportError):
        import_module(_LOADED_LATE)


class EndpointModel:
    """A language model behind HTTP. The one place that loads `openai`, on the first request.

    Args:
        settings: how to reach it.
        role: whose settings these are, for what errors say.
        dialects: where it is remembered what endpoints take.

    Raises:
        SettingsError: the address or the key cannot be used for HTTP at all.
    """

    def __init__(
        self,
        settings: ModelSettings,
        role: Role = "MODEL",
        dialects: Dialects = OF_THIS_PROCESS,
    ) -> None:
        self.name = settings.name
        self._settings = settings
        self._faults = Faults(settings, role)
        self._dialects = dialects
        self._client: openai.AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    async def stream(self, request: Request) -> AsyncGenerator[Chunk | Usage, None]:
        """Yield the reply as it arrives, then its usage; closing cancels the HTTP request.

        Raises:
            ModelUnavailableError: refused, timed out, cut off, or an HTTP error status.
            ModelError: the answer is no reply: HTML, empty, without content, or without end.
        """
        client = await self._connected()
        patience = Patience(self._faults, self._settings)
        search = Search(self._dialects.of(self._faults.place, self.name))
        while True:
            try:
                asked = self._answer(client, search.dialect, request, patience)
                async with aclosing(asked) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except Complained as complained:
                if not search.found_simpler(complained.complaint, request):
                    raise complained.failure from None

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _connected(self) -> "openai.AsyncOpenAI":
        async with self._connecting:
            if self._client is None:
                # The import takes about a second, certificates a tenth; the screen stays alive meanwhile.
                self._client = await asyncio.to_thread(self._made)
            return self._client

    def _made(self) -> "openai.AsyncOpenAI":
        load()
        import openai

        for name in _TELLING_HEADERS:
            logging.getLogger(name).setLevel(logging.WARNING)
        return openai.AsyncOpenAI(
            base_url=self._settings.base_url,
            api_key=self._faults.key or "none",
            timeout=openai.Timeout(None, connect=_CONNECT_TIMEOUT_S),
            max_retries=0,
        )

    async def _answer(
        self,
        client: "openai.AsyncOpenAI",
        dialect: Dialect,
        request: Request,
        patience: Patience,
    ) -> AsyncGenerator[Chunk | Usage, None]:
        """The reply to a request in one dialect.

        Raises:
            Complained: the endpoint will not have a part of it.
        """
        place, format_ = self._faults.place, dialect.format
        async with aclosing(self._arriving(client, dialect, request, patience)) as pieces:
            asks = request.schema is not None and format_ != "plain"
            if asks and not self._dialects.is_proven(place, self.name, format_):
                for piece in await self._beginning(pieces):
                    yield piece
            async for piece in pieces:
                yield piece
        self._dialects.prove(place, self.name, format_)

    async def _beginning(self, pieces: AsyncGenerator[Chunk | Usage, None]) -> list[Chunk | Usage]:
        """The pieces up to where they can be no complaint about the format any more.

        Some endpoints answer 200 and say in the reply itself that they have no such format. So
        the first reply in a format is shown a little later than the others.

        Raises:
            Complained: that is what they say.
        """
        held, text = list[Chunk | Usage](), ""
        async for piece in pieces:
            held.append(piece)
            text += piece.text if isinstance(piece, Chunk) and piece.kind == "reply" else ""
            if len(text) > COMPLAINT_CHARS:
                return held
        if declines_format(text):
            raise Complained(text, self._faults.reported(text))
        return held

    async def _arriving(
        self,
        client: "openai.AsyncOpenAI",
        dialect: Dialect,
        request: Request,
        patience: Patience,
    ) -> AsyncGenerator[Chunk | Usage, None]:
        reply, redacting = Reply(self._faults, request), Redacting(self._faults.key)
        async with (
            await patience.within(self._open(client, dialect, request)) as answer,
            aclosing(self._lines(answer)) as lines,
        ):
            while (line := await self._line(lines, reply, patience)) is not None:
                for chunk in reply.take(line):
                    for clean in redacting.of(chunk):
                        yield clean
                    patience.text_came()
                if reply.over:
                    patience.reply_over()
            for chunk in reply.end():
                for clean in redacting.of(chunk):
                    yield clean
            for chunk in redacting.rest():
                yield chunk
            yield reply.usage

    async def _open(
        self, client: "openai.AsyncOpenAI", dialect: Dialect, request: Request
    ) -> "openai.AsyncStream[Any]":
        import openai

        body: Any = dialect.body(self.name, request)
        try:
            # Not `client.chat.completions.create`: it goes through the body against types that it loads
            # and evaluates first, 100 ms for the first request and 3 for each, and changes nothing.
            answer = await client.post(
                "/chat/completions",
                cast_to=object,
                body=body,
                stream=True,
                stream_cls=openai.AsyncStream[Any],
            )
        except openai.APIStatusError as error:
            failure = self._faults.status(error)
            if complaint := complaint_of(error):
                raise Complained(complaint, failure) from None
            raise failure from None
        except openai.APIConnectionError as error:
            raise self._faults.unreachable(error) from None
        self._dialects.took(self._faults.place, self.name, dialect)
        return answer

    async def _line(
        self, lines: AsyncGenerator[bytes, None], reply: Reply, patience: Patience
    ) -> bytes | None:
        """The next line; None at the end. Once the reply is whole, any failure is its end."""
        try:
            return await patience.within(anext(lines))
        except StopAsyncIteration:
            return None
        except ModelUnavailableError:
            if reply.whole:
                return None
            raise

    async def _lines(self, answer: "openai.AsyncStream[Any]") -> AsyncGenerator[bytes, None]:
        """Raw lines: the library's own reader hides `[DONE]` and puts no limit on a line."""
        # openai 2 speaks through httpx, openai 3 through httpx2.
        broken = sys.modules[type(answer.response).__module__].HTTPError
        buffer = b""
        async with aclosing(answer.response.aiter_bytes()) as pieces:
            try:
                async for piece in pieces:
                    *whole, buffer = (buffer + piece).split(b"\n")
                    for line in whole:
                        yield line
                    if len(buffer) > MAX_BYTES:
                        raise self._faults.too_large(MAX_BYTES)
            except broken:
                raise self._faults.cut() from None
        if buffer:
            yield buffer
