"""Beginning, opening and branching saves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sandbox.agents.minds import LANGUAGE_MIND_VERSION
from sandbox.agents.rehearsal import REHEARSAL_VERSION
from sandbox.engine.branching import branch as branch
from sandbox.engine.casting import casting_of
from sandbox.engine.consolidating import LAYERS_VERSION
from sandbox.engine.home import EMBEDDER, ChromaHome, InProcessHome
from sandbox.engine.keeper import Home, Keeper
from sandbox.engine.outside import LiveOutside, TapedOutside
from sandbox.engine.roles import models_of
from sandbox.engine.session import Session
from sandbox.errors import SaveError, UsageError, nearest
from sandbox.settings import Settings
from sandbox.storage.cassette import Key
from sandbox.storage.copying import copy_prefix
from sandbox.storage.journal import read_journal
from sandbox.storage.saves import (
    Manifest,
    OpenSave,
    Save,
    check_name,
    create_save,
)
from sandbox.storage.world_copy import refuse_links
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.ids import SceneId

MemoryKind = Literal["chroma", "in_process"]


@dataclass(frozen=True)
class Beginning:
    """How a new save begins."""

    world_folder: Path
    seed: int = 1
    start: str | None = None
    """Canon scene after which it begins. None: the world's default."""
    minds: Mapping[str, str] | None = None
    """Mind of single characters: `rehearsal`, `model` or `person`."""


def manifest_of(beginning: Beginning, canon: Canon, settings: Settings) -> Manifest:
    """The manifest of a new save.

    Raises:
        UsageError: the start point or a character is unknown.
    """
    start = beginning.start or canon.default_start
    if start not in canon.scene_order:
        known = ", ".join(canon.scene_order)
        problem = f"no canon scene `{start}` in `{canon.id}`.{nearest(start, canon.scene_order)}"
        raise UsageError(f"{problem} There are: {known}.")
    for who in beginning.minds or {}:
        if who not in canon.cast:
            raise UsageError(f"no character `{who}` in `{canon.id}`.{nearest(who, canon.cast)}")
    model = settings.model
    return Manifest(
        rehearsal=REHEARSAL_VERSION,
        language_mind=LANGUAGE_MIND_VERSION,
        layers=LAYERS_VERSION,
        world=beginning.world_folder.name,
        world_digest="",
        title=canon.title,
        language=canon.language,
        start=SceneId(start),
        seed=beginning.seed,
        minds=dict(beginning.minds or {}),
        mind="model" if model.name else "rehearsal",
        model=model.name,
        summaries=settings.summaries.name if model.name else "",
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        prompt_tokens=model.prompt_budget,
        embedder=EMBEDDER,
        story=settings.story,
    )


def begin(folder: Path, beginning: Beginning, settings: Settings) -> Save:
    """Create a save.

    Raises:
        WorldFileError: the world cannot be read.
        SaveError: the name is taken or the folder cannot be written.
        UsageError: the start point or a character is unknown.
    """
    check_name(folder.name)
    refuse_links(beginning.world_folder)
    canon = read_world(beginning.world_folder)
    return create_save(folder, beginning.world_folder, manifest_of(beginning, canon, settings))


def open_session(save: Save, settings: Settings, memory: MemoryKind = "chroma") -> Session:
    """Open a save for playing; call `start` on the result inside the event loop.

    Raises:
        SaveError: it is open elsewhere, damaged or cannot be written.
    """
    canon = save.canon()
    casting = casting_of(save.manifest)
    models = models_of(save.manifest, settings)
    opened = OpenSave(save)

    def outside(key: Key) -> LiveOutside | TapedOutside:
        return LiveOutside(session.world, keeper, opened.cassette, models, key)

    try:
        home: Home = ChromaHome(save.memory_path) if memory == "chroma" else InProcessHome()
        keeper = Keeper(home)
        session = Session(opened, canon, casting, keeper, outside, models)
    except BaseException:
        opened.close()
        raise
    return session


def salvage(source: Save, folder: Path) -> Save:
    """A save of its own, with every journal line of `source` before the first damaged one.

    Raises:
        SaveError: the name is taken, or not even the first line is good.
    """
    beats = read_journal(source.journal_path, salvage=True).beats
    if not beats:
        raise SaveError(f"{source.journal_path}: not one line of it is good.")
    return copy_prefix(source, folder, beats, f"{source.name}, its {len(beats)} good lines")
