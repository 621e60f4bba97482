"""Scenes that close with a model: one that plays and is asked what people keep, and stories up to a close."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandbox.agents.summarising import EPISODE_SCHEMA
from sandbox.engine.session import Session
from sandbox.engine.updates import Update
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import MemoryStore
from sandbox.models.port import Request
from sandbox.models.scripted import Script, ScriptedModel
from sandbox.storage.saves import Save
from sandbox.story.events import Event, SceneClosed
from sandbox.story.ids import CharacterId
from sandbox.story.world import World
from tests.playing import (
    LettersHome,
    begun,
    committed,
    one_round,
    reply,
    world_of,
)

ANN, BEN, CY = (CharacterId(who) for who in ("ann", "ben", "cy"))
KEPT = "I sat with the others, and I kept my counsel."
PATTERN = {
    "situation": "When Ben is slow to answer.",
    "manner": "I wait and count.",
    "mood_before": "calm",
    "mood_after": "impatient",
    "sample": "It is said.",
}


def is_summary(request: Request) -> bool:
    return request.schema is EPISODE_SCHEMA


def owner_of(request: Request) -> str:
    first = request.messages[0].content
    return next(who for who in ("Ann", "Ben", "Cy Dorn") if f"You are {who}." in first)


def summary(text: str = KEPT, **pattern: str) -> str:
    return json.dumps({"summary": text, "feelings": "", "pattern": pattern})


class Model(ScriptedModel):
    """Plays moves by number, and answers summaries as it was told to."""

    def __init__(self, kept: Callable[[Request], Script] = lambda _: summary()) -> None:
        self.asked: list[Request] = []
        self.moves = 0
        self._kept = kept
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Script:
        if is_summary(request):
            self.asked.append(request)
            return self._kept(request)
        self.moves += 1
        return reply(f"Line {self.moves}. It is said.", to=["Ben"])

    @property
    def owners(self) -> list[str]:
        return [owner_of(request) for request in self.asked]


def begun_with_model(folder: Path, **more: Any) -> Save:
    return begun(folder, model="scripted", **more)


def events_of(save: Save, kind: type[Event]) -> list[Any]:
    return [h.event for beat in save.read().beats for h in beat.events if isinstance(h.event, kind)]


async def until_closed(session: Session) -> list[Update]:
    """Rounds until a scene has closed; the updates of the last."""
    for _ in range(12):
        updates = await one_round(session)
        if any(isinstance(h.event, SceneClosed) for b in committed(updates) for h in b.events):
            return updates
    raise AssertionError("no scene closed")


def before_close(save: Save) -> World:
    beats = list(save.read().beats)
    at = next(
        n for n, b in enumerate(beats) if any(isinstance(h.event, SceneClosed) for h in b.events)
    )
    return world_of(save, beats[:at])


class KeptHome(LettersHome):
    """A memory that can still be looked at when the session is closed."""

    def __init__(self, store: InProcessStore) -> None:
        super().__init__()
        self._store = store

    def open(self) -> MemoryStore:
        return self._store
