"""The port every language model fulfils."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Request:
    """All that a model is shown."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    """JSON Schema the reply should follow; None for plain text."""
    max_tokens: int = 600
    temperature: float = 0.8


@dataclass(frozen=True)
class Chunk:
    """Part of a reply, in the order it arrived."""

    text: str
    kind: Literal["reply", "reasoning"] = "reply"
    """`reasoning`: the endpoint's separate thinking channel, never shown as speech."""


@dataclass(frozen=True)
class Usage:
    """The endpoint's own figures, sent last; None where it gave none."""

    prompt_tokens: int | None = None
    output_tokens: int | None = None


class ChatModel(Protocol):
    name: str
    """Shown on screen and written into the save: `"qwen3-32b"`."""

    def stream(self, request: Request) -> AsyncGenerator[Chunk | Usage, None]:
        """Yield the reply as it arrives; closing the generator cancels the request.

        Raises:
            ModelUnavailableError: refused, timed out, cut off, or an HTTP error status.
            ModelError: the endpoint answered with something that is no reply at all
                (HTML, an empty 200).
        """
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...
