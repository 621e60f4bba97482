"""What a request is made of beside the view, what bounds it, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sandbox.models.port import Request
from sandbox.story.ids import FactId, PatternId

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_TEXTS: Final[dict[str, Any]] = {"type": "array", "items": _TEXT}
_FORM: Final[dict[str, Any]] = {
    "thought": _TEXT,
    "action": _TEXT,
    "words": _TEXT,
    "to": _TEXTS,
    "whisper": {"type": "boolean"},
    "examine": _TEXT,
    "go": _TEXT,
    "mood": _TEXT,
    "relied_on": _TEXTS,
}
MOVE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": list(_FORM),
    "properties": _FORM,
}

_AGAIN_TOKENS, _AGAIN_SHARE = 64, 0.08
"""Kept free for the one retry, which adds a message to the same request: at least so many tokens, or
that share of the prompt, for it may quote a sentence."""
_FRAME_TOKENS = 24
"""What chat templates put around three messages, at most, by those of common open models."""


def again_tokens(prompt_tokens: int) -> int:
    """Tokens that a prompt of such a size keeps free for a retry."""
    return max(_AGAIN_TOKENS, int(prompt_tokens * _AGAIN_SHARE))


@dataclass(frozen=True)
class Material:
    """What co-reasoning brought for one move, by handle: the texts come from the view alone."""

    asked: str = ""
    """The question put to the character, as it heard it. Empty: none."""
    anchors: tuple[str, ...] = ()
    """Ids of memories of the scenes that bear on this (S_c), best first."""
    memories: tuple[str, ...] = ()
    """Ids of other memories that came to mind, best first."""
    found: tuple[FactId, ...] = ()
    """The fact pool, in the order in which probing found it."""
    conclusion: tuple[FactId, ...] | None = None
    """Facts that answer what is asked. None: nothing was concluded."""
    refused: bool = False
    """Whether nothing the character knows answers what is asked."""
    pattern: PatternId | None = None
    """The pattern for this moment, m*."""


NOTHING: Final = Material()
"""Of a mind that did not reason at all."""


@dataclass(frozen=True)
class Limits:
    max_tokens: int
    """Most output tokens."""
    prompt_tokens: int
    """Budget of the whole prompt, the one retry included; at least `settings.LEAST_PROMPT_TOKENS`."""
    temperature: float
    percepts: int
    """Most recent percepts that are shown one by one."""

    @property
    def room(self) -> int:
        """Tokens for the messages of a first attempt."""
        return self.prompt_tokens - again_tokens(self.prompt_tokens) - _FRAME_TOKENS


@dataclass(frozen=True)
class Prompt:
    """A request with what is needed to read its reply."""

    request: Request
    numbered: tuple[FactId, ...]
    """The facts shown, so that `f1` in the reply is the first of them."""
    spare_tokens: int
    """Of the budget, kept free for a retry."""
