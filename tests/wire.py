"""One HTTP/1.1 connection as a server sees it: just enough for `tests.endpoint`."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Received:
    """One request as it came in; names of headers in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Body


class Wire:
    """HTTP/1.1 towards one client."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.reusable = True
        """Whether the next request may come over the same connection."""
        self._writer = writer

    async def whole(
        self, body: bytes, code: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        given = {"content-type": "application/json", "content-length": str(len(body))} | dict(
            headers or {}
        )
        await self._write(_head(code, given) + body)

    async def begin(self, content_type: str = "text/event-stream") -> None:
        await self._write(
            _head(200, {"content-type": content_type, "transfer-encoding": "chunked"})
        )

    async def events(self, events: Iterable[Body | str], torn_at: int = 1 << 20) -> None:
        for event in events:
            data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
            await self.send(f"data: {data}\n\n".encode(), torn_at)

    async def send(self, data: bytes, torn_at: int = 1 << 20) -> None:
        for at in range(0, len(data), torn_at):
            piece = data[at : at + torn_at]
            await self._write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await asyncio.sleep(0)  # so that each piece travels by itself

    async def end(self) -> None:
        await self._write(b"0\r\n\r\n")

    async def _write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


async def read_some(reader: asyncio.StreamReader) -> bytes | None:
    with suppress(ConnectionError):
        return await reader.read(1) or None
    return None


async def read_request(reader: asyncio.StreamReader, early: bytes) -> Received | None:
    """The next request; None when the client has gone."""
    try:
        lines = (early + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = lines[0].split(" ")
        pairs = (line.partition(":") for line in lines[1:] if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return Received(method, path, headers, json.loads(raw) if raw else {})


def _head(code: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {code} Said", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
