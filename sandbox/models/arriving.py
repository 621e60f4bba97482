"""One reply while it arrives: what its lines hold, and how long an endpoint may take for it."""

import asyncio
import json
from collections.abc import Awaitable, Iterator
from typing import Any, Literal, TypeVar

from sandbox.errors import ModelUnavailableError
from sandbox.models.dialects import is_about_form
from sandbox.models.faults import Faults
from sandbox.models.port import Chunk, Request, Usage
from sandbox.settings import ModelSettings

T = TypeVar("T")
_Kind = Literal["reply", "reasoning"]
MAX_BYTES = 1024 * 1024
"""Of reply and thinking together; whatever is larger is a runaway."""
_TOKEN_BYTES, _LEAST_BYTES = 32, 16 * 1024
"""No tokenizer has 32 bytes to a token: what is larger does not heed `max_tokens`. Thinking is not
counted here: some endpoints give it freely."""
_DRAIN_S = 0.2
"""After `[DONE]`: read to the end so that the connection is used again, but do not hang on it."""
_SSE_FIELDS = (b"", b"event", b"id", b"retry")


class Complained(Exception):
    """The endpoint will not have an optional part of the request, and no reply has begun.

    `failure` is what to raise when nothing is left to drop.
    """

    def __init__(self, complaint: str, failure: ModelUnavailableError) -> None:
        self.complaint = complaint.lower()
        self.failure = failure
        super().__init__(self.complaint)


class Reply:
    """What has arrived of one reply, read line by line."""

    def __init__(self, faults: Faults, request: Request) -> None:
        self.whole = False
        """The endpoint said that the reply is finished; nothing after it can spoil it."""
        self.over = False
        self.usage = Usage()
        self._faults = faults
        self._most = min(MAX_BYTES, max(_LEAST_BYTES, request.max_tokens * _TOKEN_BYTES))
        self._finish = ""
        self._size = {"reply": 0, "reasoning": 0}
        self._events = 0
        self._stray = b""

    def take(self, line: bytes) -> Iterator[Chunk]:
        """The text in a line.

        Raises:
            ModelError: it is no part of a reply, or the reply has grown too large.
            Complained: instead of a reply there is an error about the form of the request.
        """
        field, _, value = line.partition(b":")
        if field == b"data":
            yield from self._event(value.strip())
        elif field not in _SSE_FIELDS:
            self._stray += line
            if len(self._stray) > MAX_BYTES:
                raise self._faults.too_large(MAX_BYTES)

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
            pieces = _pieces(choice.get("delta") or choice.get("message") or {})
        except (ValueError, AttributeError, KeyError, IndexError, TypeError, RecursionError):
            raise self._faults.no_completion(data) from None
        if event.get("error"):
            raise self._reported(event["error"])
        self._note(choice.get("finish_reason"), event.get("usage"))
        for text, kind in pieces:
            if isinstance(text, str) and text:
                self._grow(text, kind)
                yield Chunk(text, kind)

    def _reported(self, problem: Any) -> Exception:
        said, failure = json.dumps(problem, default=str), self._faults.reported(problem)
        if not any(self._size.values()) and is_about_form(said):
            return Complained(said, failure)
        return failure

    def _note(self, finish: object, usage: object) -> None:
        if isinstance(finish, str) and finish:
            self._finish, self.whole = finish, True
        if isinstance(usage, dict):
            counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
            self.usage = Usage(*(n if isinstance(n, int) else None for n in counts))

    def _grow(self, text: str, kind: _Kind) -> None:
        self._size[kind] += len(text.encode(errors="replace"))
        if self._size["reply"] > self._most:
            raise self._faults.too_large(self._most)
        if sum(self._size.values()) > MAX_BYTES:
            raise self._faults.too_large(MAX_BYTES)


def _pieces(part: dict[str, Any]) -> list[tuple[Any, _Kind]]:
    """Thinking, which some send under both names; then text, or the words of a model that declines."""
    thinking = part.get("reasoning_content") or part.get("reasoning")
    return [(thinking, "reasoning"), (part.get("content") or part.get("refusal"), "reply")]


class Patience:
    """How long an endpoint may be silent, and how long one reply may take in all.

    Only text ends a silence: role deltas and keep-alive comments must not hold a dead request
    open. Time in which the consumer does not ask for more is not counted.
    """

    def __init__(self, faults: Faults, settings: ModelSettings) -> None:
        self._faults, self._settings = faults, settings
        self._first = True
        self._left = settings.reply_timeout_s
        self._allow(settings.first_token_timeout_s)

    def text_came(self) -> None:
        self._first = False
        self._allow(self._settings.gap_timeout_s)

    def reply_over(self) -> None:
        self._allow(_DRAIN_S)

    async def within(self, awaited: Awaitable[T]) -> T:
        began = self._now()
        is_last = began + self._left < self._until
        try:
            async with asyncio.timeout_at(min(self._until, began + self._left)):
                return await awaited
        except TimeoutError:
            if is_last:
                raise self._faults.endless(self._settings) from None
            raise self._faults.slow(self._settings, first=self._first) from None
        finally:
            self._left -= self._now() - began

    def _allow(self, wait_s: float) -> None:
        self._until = self._now() + wait_s

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
