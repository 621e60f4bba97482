"""A model endpoint on loopback that answers at once, for measuring what is our own."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

_WORDS = tuple(
    "river candle ladder window bread letter garden coat winter bridge story lantern table "  # noqa: SIM905
    "spoon market shadow corner bottle carpet evening whistle needle basket mirror stone".split()
)


class InstantEndpoint:
    """Speaks the chat-completions protocol; every reply is a well-formed move."""

    def __init__(self) -> None:
        self.requests = 0
        self.busy_s = 0.0
        """Seconds spent on answering, which are not the program's own."""
        self.cpu_s = 0.0
        """The same of the processor."""
        self.prompts: list[tuple[str, ...]] = []
        """The messages of each request, in order of arrival."""
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Listen on a free port of the loopback interface."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
            for writer in list(self._writers):
                writer.close()
            await self._server.wait_closed()
            await asyncio.gather(*self._serving, return_exceptions=True)

    @property
    def base_url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        if (task := asyncio.current_task()) is not None:
            self._serving.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                body = await reader.readexactly(_content_length(head))
                began, began_cpu = time.perf_counter(), time.thread_time()
                writer.write(self._answer(json.loads(body)))
                self.busy_s += time.perf_counter() - began
                self.cpu_s += time.thread_time() - began_cpu
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    def _answer(self, body: dict[str, Any]) -> bytes:
        self.requests += 1
        messages = tuple(message["content"] for message in body["messages"])
        self.prompts.append(messages)
        text = json.dumps(self.move(messages), ensure_ascii=False)
        events = [*_pieces(text), "[DONE]"]
        stream = "".join(f"data: {event}\n\n" for event in events).encode()
        head = (
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            f"Content-Length: {len(stream)}\r\n\r\n"
        )
        return head.encode() + stream

    def move(self, messages: Sequence[str]) -> dict[str, Any]:
        """The move to answer a request with: words that differ from one request to the next."""
        return new_words(self.requests)


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def new_words(number: int) -> dict[str, Any]:
    """A move in which somebody says what nobody has said."""
    count = len(_WORDS)
    said = [_WORDS[(number * step + step) % count] for step in (3, 5, 7, 11, 13, 17)]
    return {
        "thought": f"This is my thought number {number}.",
        "action": "",
        "words": f"I keep thinking of the {' and the '.join(said)}. That makes {number} of them.",
        "to": [],
        "whisper": False,
        "examine": "",
        "go": "",
        "mood": "calm",
        "relied_on": [],
    }


def _pieces(text: str, size: int = 24) -> Iterator[str]:
    for start in range(0, len(text), size):
        delta = {"content": text[start : start + size]}
        yield json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
