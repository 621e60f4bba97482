"""Any OpenAI-compatible chat-completions endpoint, hosted or local, behind the port."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncGenerator, Awaitable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sandbox.errors import ModelUnavailableError
from sandbox.models.faults import Faults, complaint_of
from sandbox.models.port import Chunk, Request, Usage
from sandbox.settings import ModelSettings

if TYPE_CHECKING:
    import openai

T = TypeVar("T")
_Kind = Literal["reply", "reasoning"]
MAX_REPLY_BYTES = 1024 * 1024
"""A move is a few hundred tokens; whatever is larger is a runaway."""
_CONNECT_TIMEOUT_S = 10.0
_DRAIN_S = 0.2
"""After `[DONE]`: read to the end so that the connection is used again, but do not hang on it."""
_SSE_FIELDS = (b"", b"event", b"id", b"retry")
_Format = Literal["json_schema", "json_object", "plain"]
_SIMPLER: dict[_Format, _Format] = {"json_schema": "json_object", "json_object": "plain"}
_TOO_LONG = re.compile(r"context[ _](length|size|window)")


@dataclass(frozen=True)
class _Dialect:
    """Which optional parts of the protocol an endpoint takes; begins with the richest."""

    format: _Format = "json_schema"
    usage: bool = True
    temperature: bool = True
    tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def body(self, model: str, request: Request) -> dict[str, Any]:
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        body: dict[str, Any] = {
            "model": model,
            "messages": messages,
            self.tokens: request.max_tokens,
        }
        if self.temperature:
            body["temperature"] = request.temperature
        if self.usage:
            body["stream_options"] = {"include_usage": True}
        if request.schema is not None and self.format != "plain":
            body["response_format"] = {"type": self.format}
            if self.format == "json_schema":
                schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
                body["response_format"]["json_schema"] = schema
        return body | {"stream": True}

    def simpler(self, complaint: str, request: Request) -> "_Dialect | None":
        """What to try after a refusal; None when nothing optional is left to drop.

        A complaint may name the part. Where it does not, formats go before `stream_options`, and
        come back once those are dropped: only one of the two was at fault.
        """
        if _TOO_LONG.search(complaint):
            return None
        if self.tokens == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, tokens="max_completion_tokens")
        if self.temperature and "temperature" in complaint:
            return replace(self, temperature=False)
        if self.usage and "stream_options" in complaint:
            return replace(self, usage=False)
        if request.schema is not None and self.format != "plain":
            return replace(self, format=_SIMPLER[self.format])
        if self.usage and "response_format" not in complaint:
            return replace(self, usage=False, format=_Dialect.format)
        return None


class _Reply:
    """What has arrived of one reply, read line by line."""

    def __init__(self, faults: Faults) -> None:
        self.whole = False
        """The endpoint said that the reply is finished; nothing after it can spoil it."""
        self.over = False
        self.usage = Usage()
        self._faults = faults
        self._finish = ""
        self._size = {"reply": 0, "reasoning": 0}
        self._events = 0
        self._stray = b""

    def take(self, line: bytes) -> Iterator[Chunk]:
        field, _, value = line.partition(b":")
        if field == b"data":
            yield from self._event(value.strip())
        elif field not in _SSE_FIELDS:
            self._stray += line
            self._check_size(len(self._stray))

    def end(self) -> Iterator[Chunk]:
        """The rest, once nothing more will come, or the reason why this is no reply."""
        if not self._events and (body := self._stray.strip()):
            # Some endpoints ignore `stream` and answer with one JSON object.
            yield from self._event(body)
            if b'"choices"' not in body:
                raise self._faults.no_completion(body)
            self.whole = True
        if not self._events:
            raise self._faults.nothing()
        if not self.whole:
            raise self._faults.cut()
        if not self._size["reply"]:
            raise self._faults.no_content(self._finish, thought=self._size["reasoning"] > 0)

    def _event(self, data: bytes) -> Iterator[Chunk]:
        self._events += 1
        if data == b"[DONE]":
            self.whole = self.over = True
            return
        try:
            event = json.loads(data)
            choice = (event.get("choices") or [{}])[0]
            part = choice.get("delta") or choice.get("message") or {}
            # Some send their thinking under both names.
            thinking = part.get("reasoning_content") or part.get("reasoning")
            pieces: list[tuple[Any, _Kind]] = [
                (thinking, "reasoning"),
                (part.get("content"), "reply"),
            ]
        except (ValueError, AttributeError, KeyError, IndexError, TypeError):
            raise self._faults.no_completion(data) from None
        if event.get("error"):
            raise self._faults.reported(event["error"])
        self._note(choice.get("finish_reason"), event.get("usage"))
        for text, kind in pieces:
            if isinstance(text, str) and text:
                self._size[kind] += len(text.encode(errors="replace"))
                self._check_size(sum(self._size.values()))
                yield Chunk(text, kind)

    def _note(self, finish: object, usage: object) -> None:
        if isinstance(finish, str) and finish:
            self._finish, self.whole = finish, True
        if isinstance(usage, dict):
            counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
            self.usage = Usage(*(n if isinstance(n, int) else None for n in counts))

    def _check_size(self, size: int) -> None:
        if size > MAX_REPLY_BYTES:
            raise self._faults.too_large(MAX_REPLY_BYTES)


class _Patience:
    """How long an endpoint may be silent.

    Only text ends a silence: role deltas and keep-alive comments must not hold a dead request
    open. Time in which the consumer does not ask for more is not counted.
    """

    def __init__(self, faults: Faults, settings: ModelSettings) -> None:
        self._faults, self._settings = faults, settings
        self._first = True
        self._allow(settings.first_token_timeout_s)

    def text_came(self) -> None:
        self._first = False
        self._allow(self._settings.gap_timeout_s)

    def reply_over(self) -> None:
        self._allow(_DRAIN_S)

    async def within(self, awaited: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout_at(self._until):
                return await awaited
        except TimeoutError:
            raise self._faults.slow(self._settings, first=self._first) from None

    def _allow(self, wait_s: float) -> None:
        self._until = asyncio.get_running_loop().time() + wait_s


class EndpointModel:
    """A language model behind HTTP. The one place that loads `openai`, on the first request.

    Raises:
        SettingsError: the address or the key cannot be used for HTTP at all.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self.name = settings.name
        self._settings = settings
        self._faults = Faults(settings)
        self._dialect = _Dialect()
        """What the endpoint took last; later requests begin with it."""
        self._client: openai.AsyncOpenAI | None = None

    async def stream(self, request: Request) -> AsyncGenerator[Chunk | Usage, None]:
        """Yield the reply as it arrives, then its usage; closing cancels the HTTP request.

        Raises:
            ModelUnavailableError: refused, timed out, cut off, or an HTTP error status.
            ModelError: the answer is no reply: HTML, empty, without content, or over 1 MiB.
        """
        client = await self._connected()
        reply, patience = _Reply(self._faults), _Patience(self._faults, self._settings)
        async with (
            await patience.within(self._open(client, request)) as answer,
            aclosing(self._lines(answer)) as lines,
        ):
            while (line := await self._line(lines, reply, patience)) is not None:
                for chunk in reply.take(line):
                    yield chunk
                    patience.text_came()
                if reply.over:
                    patience.reply_over()
            for chunk in reply.end():
                yield chunk
            yield reply.usage

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _connected(self) -> "openai.AsyncOpenAI":
        # The import takes about a second; in a thread, the screen stays alive meanwhile.
        openai = await asyncio.to_thread(import_module, "openai")
        if self._client is None:
            self._client = openai.AsyncOpenAI(
                base_url=self._settings.base_url,
                api_key=self._faults.key or "none",
                timeout=openai.Timeout(None, connect=_CONNECT_TIMEOUT_S),
                max_retries=0,
            )
        return self._client

    async def _open(
        self, client: "openai.AsyncOpenAI", request: Request
    ) -> "openai.AsyncStream[Any]":
        import openai

        dialect = self._dialect
        while True:
            body: Any = dialect.body(self.name, request)
            try:
                answer: openai.AsyncStream[Any] = await client.chat.completions.create(**body)
            except openai.APIStatusError as error:
                complaint = complaint_of(error)
                simpler = complaint and dialect.simpler(complaint, request)
                if not simpler:
                    raise self._faults.status(error) from None
                dialect = simpler
            except openai.APIConnectionError as error:
                raise self._faults.unreachable(error) from None
            else:
                self._dialect = dialect
                return answer

    async def _line(
        self, lines: AsyncGenerator[bytes, None], reply: _Reply, patience: _Patience
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
                    if len(buffer) > MAX_REPLY_BYTES:
                        raise self._faults.too_large(MAX_REPLY_BYTES)
            except broken:
                raise self._faults.cut() from None
        if buffer:
            yield buffer
