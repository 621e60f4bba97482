"""Playing small stories in tests, with a memory that costs nothing and a model that is scripted."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.engine.casting import casting_of
from sandbox.engine.home import InProcessHome
from sandbox.engine.keeper import Home, Keeper
from sandbox.engine.opening import Beginning, begin
from sandbox.engine.outside import LiveOutside
from sandbox.engine.replay import verify
from sandbox.engine.roles import Models
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted, BeatFailed, Update
from sandbox.errors import StageError
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import MemoryStore, Vectors
from sandbox.models.port import ChatModel
from sandbox.models.retrying import Retrying
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.storage.cassette import Key
from sandbox.storage.saves import OpenSave, Save
from sandbox.story.beats import Beat
from sandbox.story.commands import Command
from sandbox.story.fold import fold
from sandbox.story.world import World

TINY = Path(__file__).parent / "worlds" / "tiny"
PATIENCE_S = 30
"""A test that waits longer hangs."""
SHORT_SCENES = Settings(story=StorySettings(scene_beats=4))
"""Scenes close often, so that a short story has several closings."""
Step = int | Command
"""So many beats, or a person's command."""


class Letters:
    """An embedder for tests of other things: a text by its letters, at no cost."""

    name = "letters-16"
    dimensions = 16

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            np.add.at(rows[row], np.frombuffer(text.encode(), np.uint8) % self.dimensions, 1.0)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        scaled: Vectors = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return scaled


class LettersHome(InProcessHome):
    def open(self) -> MemoryStore:
        return InProcessStore(Letters())


def begun(
    folder: Path,
    world: Path = TINY,
    *,
    seed: int = 1,
    settings: Settings = SHORT_SCENES,
    model: str = "",
    minds: dict[str, str] | None = None,
) -> Save:
    """A new save. With the name of a model, that plays everybody for whom `minds` says nothing."""
    if model:
        settings = settings.model_copy(update={"model": ModelSettings(name=model)})
    return begin(folder, Beginning(world, seed=seed, minds=minds), settings)


async def no_wait(seconds: float) -> None:
    """Instead of sleeping."""


def opened(save: Save, model: ChatModel | None = None, home: Home | None = None) -> Session:
    """A session wired as production does it, but for what is given."""
    opened = OpenSave(save)
    keeper = Keeper(home or LettersHome())
    models = Models(Retrying(model, 3, no_wait)) if model else None

    def outside(key: Key) -> LiveOutside:
        return LiveOutside(session.world, keeper, opened.cassette, models, key)

    casting = casting_of(save.manifest)
    session = Session(opened, save.canon(), casting, keeper, outside)
    return session


@asynccontextmanager
async def playing(
    save: Save, model: ChatModel | None = None, home: Home | None = None
) -> AsyncIterator[Session]:
    session = opened(save, model, home)
    session.start()
    try:
        yield session
    finally:
        await session.close()


async def one_round(session: Session, limit: int | None = None) -> list[Update]:
    async with aclosing(session.advance(limit)) as updates:
        return [update async for update in updates]


async def act(session: Session, *steps: Step) -> list[Beat]:
    """Take the steps; whatever was committed, in order."""
    beats: list[Beat] = []
    for step in steps:
        if not isinstance(step, int):
            beats += committed(session.command(step))
            continue
        done = 0
        for _ in range(4 * step):
            if done >= step:
                break
            updates = await one_round(session, step - done)
            done += sum(isinstance(u, BeatCommitted) and u.cost is not None for u in updates)
            beats += committed(updates)
            if any(isinstance(update, BeatFailed) for update in updates):
                break
    return beats


async def act_where_possible(session: Session, *steps: Step) -> None:
    """Take the steps; those the stage does not allow are passed over."""
    for step in steps:
        with suppress(StageError):
            await act(session, step)


def committed(updates: Sequence[Update]) -> list[Beat]:
    return [update.beat for update in updates if isinstance(update, BeatCommitted)]


async def play(
    folder: Path,
    *steps: Step,
    world: Path = TINY,
    seed: int = 1,
    settings: Settings = SHORT_SCENES,
    model: ChatModel | None = None,
    minds: dict[str, str] | None = None,
) -> Save:
    """Begin a save, take the steps, close it."""
    name = model.name if model else ""
    save = begun(folder, world, seed=seed, settings=settings, model=name, minds=minds)
    await play_on(save, *steps, model=model)
    return save


async def play_on(save: Save, *steps: Step, model: ChatModel | None = None) -> list[Beat]:
    async with playing(save, model) as session:
        return await act(session, *steps)


async def assert_verifies(save: Save) -> None:
    verdict = await verify(save)
    assert verdict.is_same, verdict.problem
    assert verdict.lines == len(save.read().beats)


def world_of(save: Save, beats: Sequence[Beat] | None = None) -> World:
    """The fold of a save, or of some of its beats."""
    chosen = save.read().beats if beats is None else beats
    return fold(save.canon(), save.manifest.start, chosen).world


def state(world: World) -> dict[str, Any]:
    """All that is the case in a world, for comparing; without the numbers of lines and rounds."""
    counts = asdict(world.counts)
    return {
        "stage": world.stage,
        "scenes": dict(world.scenes),
        "facts": dict(world.facts),
        "grants": {who: dict(held) for who, held in world.grants.items()},
        "propositions": {who: dict(held) for who, held in world.propositions.items()},
        "percepts": dict(world.percepts),
        "episodes": dict(world.episodes),
        "grown": dict(world.grown),
        "last_pattern": dict(world.last_pattern),
        "mood_turns": dict(world.mood_turns),
        "moods": dict(world.moods),
        "strangers": dict(world.strangers),
        "last_acted": dict(world.last_acted),
        "beats": list(world.beats),
        "counts": {name: counts[name] for name in ("turn", "clock", "scenes")},
    }


def reply(words: str = "", **parts: Any) -> str:
    """A model's reply to a move."""
    return json.dumps({"words": words, **parts}, ensure_ascii=False)
