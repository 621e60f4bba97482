"""How a move came about, in words for people: what was asked, what came to mind, what was sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.models.port import Request


@dataclass(frozen=True)
class Widened:
    """One step by which the fact pool grew."""

    probe: str
    """The question or the name that was followed."""
    added: tuple[str, ...]
    """Statements of the facts it brought, as the character holds them."""


@dataclass(frozen=True)
class Found:
    """What the guard objected to, and what became of it."""

    offence: str
    sentence: str
    outcome: str


@dataclass
class Trace:
    """The way to one move. Texts only, written down while the view was what the mind decided from.

    It holds a character's thoughts and a whole request: it is for the director, and for whoever
    plays that character; it goes into no save and no log.
    """

    asked: str = ""
    """The question put to the character; empty: none."""
    anchors: tuple[str, ...] = ()
    """Its own scenes that bear on the moment, the first line of each."""
    probes: list[Widened] = field(default_factory=list)
    pool: tuple[str, ...] = ()
    """Facts at hand in the end."""
    conclusion: str = ""
    """`grounded`, `refusal: …`, or empty where nothing was asked."""
    support: tuple[str, ...] = ()
    pattern: str = ""
    """The situation of the pattern that was chosen."""
    requests: list[Request] = field(default_factory=list)
    """As sent, in order."""
    findings: list[Found] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {
            "asked": self.asked,
            "anchors": list(self.anchors),
            "probes": [{"probe": one.probe, "added": list(one.added)} for one in self.probes],
            "pool": list(self.pool),
            "conclusion": self.conclusion,
            "support": list(self.support),
            "pattern": self.pattern,
            "requests": [_sent(request) for request in self.requests],
            "findings": [vars(found) for found in self.findings],
        }

    def lines(self) -> list[str]:
        """What led to the move, one line each, then every request as it was sent."""
        heads: list[tuple[str, Sequence[str]]] = [
            ("asked", [self.asked] if self.asked else []),
            ("anchor", self.anchors),
            (
                "probe",
                [f"{one.probe} → {'; '.join(one.added) or 'nothing new'}" for one in self.probes],
            ),
            ("conclusion", [self.conclusion] if self.conclusion else []),
            ("rests on", self.support),
            ("pattern", [self.pattern] if self.pattern else []),
            ("guard", [f"{one.offence} ({one.outcome}): {one.sentence}" for one in self.findings]),
        ]
        told = [f"{head}: {text}" for head, texts in heads for text in texts]
        for number, request in enumerate(self.requests, start=1):
            for message in request.messages:
                told.append(f"request {number}, {message.role}:")
                told += [f"  {line}" for line in message.content.splitlines()]
        return told


def _sent(request: Request) -> list[dict[str, str]]:
    return [{"role": one.role, "content": one.content} for one in request.messages]
