"""A real HTTP server on loopback that speaks chat completions and fails on demand.

```python
async with FakeEndpoint(Text("Good evening.")) as endpoint:
    model = EndpointModel(ModelSettings(name="any", base_url=endpoint.base_url))
```
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

from tests.wire import Body, Received, Wire, read_request, read_some


class Reply(ABC):
    """What the endpoint does with one request."""

    @abstractmethod
    async def play(self, wire: Wire, body: Body) -> None: ...


@dataclass(frozen=True)
class Text(Reply):
    """A good reply, in pieces; whole where the request does not ask for a stream."""

    text: str
    chunk_size: int = 8
    delay_s: float = 0.0
    """Before each piece; for benchmarks. Tests use `gate`."""
    reasoning: str = ""
    reasoning_field: str = "reasoning_content"
    gate: asyncio.Event | None = None
    """Waited for after the first piece."""
    finish_reason: str = "stop"
    usage: tuple[int, int] | None = (7, 3)
    """Prompt and completion tokens, given where the request asks for them."""
    torn: bool = False
    """Sent three bytes at a time, so that characters and lines arrive in halves."""

    async def play(self, wire: Wire, body: Body) -> None:
        if not body.get("stream"):
            return await wire.whole(json.dumps(self._completion()).encode())
        await wire.begin()
        for number, event in enumerate(self._events(body)):
            await asyncio.sleep(self.delay_s)
            if self.gate and number == 1:
                await self.gate.wait()
            await wire.events([event], *([3] if self.torn else []))
        await wire.end()

    def _events(self, body: Body) -> Iterator[Body | str]:
        yield from _pieces(self.reasoning, self.chunk_size, self.reasoning_field)
        yield from _pieces(self.text, self.chunk_size)
        yield _chunk({}, self.finish_reason)
        if self.usage and (body.get("stream_options") or {}).get("include_usage"):
            yield {"choices": [], "usage": self._usage()}
        yield "[DONE]"

    def _completion(self) -> Body:
        message = {"role": "assistant", "content": self.text, self.reasoning_field: self.reasoning}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return {"object": "chat.completion", "choices": [choice], "usage": self._usage()}

    def _usage(self) -> Body | None:
        names = ("prompt_tokens", "completion_tokens")
        return dict(zip(names, self.usage, strict=True)) if self.usage else None


@dataclass(frozen=True)
class Status(Reply):
    """An HTTP error status."""

    code: int
    body: object = ""
    """Text is sent as it is, anything else as JSON."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def play(self, wire: Wire, body: Body) -> None:
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        await wire.whole(text.encode(), self.code, self.headers)


@dataclass(frozen=True)
class CutStream(Reply):
    """The connection breaks after so many characters."""

    text: str
    after_chars: int

    async def play(self, wire: Wire, body: Body) -> None:
        await wire.begin()
        await wire.events(_pieces(self.text[: self.after_chars]))
        wire.reusable = False


@dataclass(frozen=True)
class NoDone(Reply):
    """Ends in good order, but with neither a finish reason nor `[DONE]`."""

    text: str

    async def play(self, wire: Wire, body: Body) -> None:
        await wire.begin()
        await wire.events(_pieces(self.text))
        await wire.end()


@dataclass(frozen=True)
class Html(Status):
    """A web page with status 200, as a wrong address or a captive portal gives."""

    code: int = 200
    body: object = "<!doctype html>\n<html><body>Welcome</body></html>\n"
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/html"})


@dataclass(frozen=True)
class Empty(Status):
    """Status 200 and not one byte."""

    code: int = 200


@dataclass(frozen=True)
class Hang(Reply):
    """Sends the text, if any, and then nothing; without text not even a status."""

    text: str = ""

    async def play(self, wire: Wire, body: Body) -> None:
        if self.text:
            await wire.begin()
            await wire.events(_pieces(self.text))
        await asyncio.Event().wait()


@dataclass(frozen=True)
class Huge(Reply):
    """Text without end."""

    one_line: bool = False
    """A single event that never ends, instead of many."""

    async def play(self, wire: Wire, body: Body) -> None:
        event = json.dumps(_chunk({"content": "x" * 16_384}))
        await wire.begin()
        await wire.send(b"data: ")
        while True:
            await wire.send((event if self.one_line else f"{event}\n\ndata: ").encode())


@dataclass(frozen=True)
class Raw(Reply):
    """These bytes as a stream."""

    body: bytes
    content_type: str = "text/event-stream"
    hold: bool = False
    """Leaves the stream open after them."""

    async def play(self, wire: Wire, body: Body) -> None:
        await wire.begin(self.content_type)
        await wire.send(self.body)
        if self.hold:
            await asyncio.Event().wait()
        await wire.end()


class FakeEndpoint:
    """An async context manager; `reply` answers all requests, or is chosen by a request's body."""

    def __init__(self, reply: Reply | Callable[[Body], Reply]) -> None:
        self.reply = reply
        self.requests: list[Received] = []
        self.arrived = asyncio.Event()
        """Set when a request has come in."""
        self.connections = 0
        self.disconnects = 0
        """Clients that went away before their reply had ended."""
        self.disconnected = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()
        if self._failure:  # a bug in a test's own `reply`; the client only saw a broken connection
            raise self._failure

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            early: bytes | None = b""
            while early is not None and (received := await read_request(reader, early)):
                self.requests.append(received)
                self.arrived.set()
                early = await self._answer(received, reader, Wire(writer))
        except asyncio.CancelledError:
            pass  # `__aexit__` closes; a task that ended as cancelled asyncio would log as an error
        except Exception as error:
            self._failure = error
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(
        self, received: Received, reader: asyncio.StreamReader, wire: Wire
    ) -> bytes | None:
        """What is here of the next request; None when the connection is to close."""
        play = asyncio.create_task(self._reply_to(received).play(wire, received.body))
        # A client that waits for its reply sends nothing: what can be read is its going away.
        watch = asyncio.create_task(read_some(reader))
        try:
            await asyncio.wait({play, watch}, return_when=asyncio.FIRST_COMPLETED)
            early = watch.result() if watch.done() else b""
            if early is not None:
                await asyncio.wait({play})
            if not play.done() or isinstance(play.exception(), ConnectionError):
                self.disconnects += 1
                self.disconnected.set()
                return None
            play.result()
            if watch.done():  # the next request may have begun while this reply ended
                early = watch.result()
            return early if wire.reusable else None
        finally:
            play.cancel()
            watch.cancel()
            await asyncio.gather(play, watch, return_exceptions=True)

    def _reply_to(self, received: Received) -> Reply:
        if (received.method, received.path) != ("POST", "/v1/chat/completions"):
            return Status(404, {"error": {"message": "no such path"}})
        return self.reply if isinstance(self.reply, Reply) else self.reply(received.body)


def _chunk(delta: Body, finish_reason: str | None = None) -> Body:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"object": "chat.completion.chunk", "choices": [choice], "usage": None}


def _pieces(text: str, size: int = 8, name: str = "content") -> Iterator[Body]:
    for at in range(0, len(text), size):
        yield _chunk({name: text[at : at + size]})
