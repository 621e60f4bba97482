"""Which optional parts of the protocol an endpoint takes: found out once, then remembered.

Remembered for the process, by address and model, so that every session and role in it profits. Not
kept on disk: it costs at most a few refused requests to find out, and a server may be another one
tomorrow.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sandbox.models.port import Request

Format = Literal["json_schema", "json_object", "plain"]
_SIMPLER: dict[Format, Format] = {"json_schema": "json_object", "json_object": "plain"}
_TOO_LONG = re.compile(r"context[ _](length|size|window)")
_FORMATS = r"response_format|json_schema|json_object|json.mode|structured.output"
_OF_FORM = re.compile(rf"{_FORMATS}|stream_options|max_completion_tokens|temperature")
_OF_FORMAT = re.compile(_FORMATS)
COMPLAINT_CHARS = 600
"""A longer text is no complaint, but a reply."""


@dataclass(frozen=True)
class Dialect:
    """One way to ask; begins with the richest."""

    format: Format = "json_schema"
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

    def simpler(self, complaint: str, request: Request) -> "Dialect | None":
        """What to try after a refusal; None when nothing optional is left to drop.

        A complaint may name the part. Where it does not, formats go before `stream_options`, and
        come back once those are dropped: only one of the two was at fault.
        """
        if self.tokens == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, tokens="max_completion_tokens")
        if self.temperature and "temperature" in complaint:
            return replace(self, temperature=False)
        if self.usage and "stream_options" in complaint:
            return replace(self, usage=False)
        if request.schema is not None and self.format != "plain":
            return replace(self, format=_SIMPLER[self.format])
        if self.usage and "response_format" not in complaint:
            return replace(self, usage=False, format=Dialect.format)
        return None


def is_about_form(complaint: str) -> bool:
    """Whether an error sent with status 200 is about an optional part of the request."""
    return bool(_OF_FORM.search(complaint.lower()))


def declines_format(reply: str) -> bool:
    """Whether a reply is no reply, but the sentence that its format cannot be had."""
    return len(reply) <= COMPLAINT_CHARS and bool(_OF_FORMAT.search(reply.lower()))


@dataclass
class Dialects:
    """What endpoints were found to take."""

    _taken: dict[tuple[str, str], Dialect] = field(default_factory=dict[tuple[str, str], Dialect])
    _proven: set[tuple[str, str, Format]] = field(default_factory=set[tuple[str, str, Format]])

    def of(self, place: str, model: str) -> Dialect:
        """What this model took last there; the richest where nothing is known."""
        return self._taken.get((place, model), Dialect())

    def took(self, place: str, model: str, dialect: Dialect) -> None:
        self._taken[place, model] = dialect

    def prove(self, place: str, model: str, format_: Format) -> None:
        """A whole reply came in this format, and it was not a complaint about it."""
        self._proven.add((place, model, format_))

    def is_proven(self, place: str, model: str, format_: Format) -> bool:
        return (place, model, format_) in self._proven

    def forget(self) -> None:
        self._taken.clear()
        self._proven.clear()


OF_THIS_PROCESS = Dialects()


class Search:
    """Which dialect to try next for one request: ever simpler ones, none of them twice.

    What is remembered may have stopped working: when nothing simpler is left, the search begins
    once more with the richest.
    """

    def __init__(self, remembered: Dialect) -> None:
        self.dialect = remembered
        self._tried = {remembered}
        self._is_anew = remembered == Dialect()

    def found_simpler(self, complaint: str, request: Request) -> bool:
        """Whether there is another dialect to try; it is `dialect` then."""
        if _TOO_LONG.search(complaint):
            return False
        following = self.dialect.simpler(complaint, request)
        while following in self._tried:
            following = following.simpler(complaint, request) if following else None
        if following is None and not self._is_anew:
            self._is_anew, following = True, Dialect()
        if following is None:
            return False
        self._tried.add(following)
        self.dialect = following
        return True
