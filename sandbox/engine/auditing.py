"""Auditing a save: whether every part of it is whole and says the same."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.engine.home import EMBEDDER
from sandbox.engine.records import expected, shelves
from sandbox.errors import SandboxError
from sandbox.memory.keeping import MemoryFolder, difference
from sandbox.memory.store import MemoryStore
from sandbox.storage.cassette import read_cassette
from sandbox.storage.saves import Save
from sandbox.storage.world_copy import folder_digest
from sandbox.story.fold import fold
from sandbox.story.world import World


def audit(save: Save) -> list[str]:
    """A line for each problem in a save; its memories are compared item by item."""
    problems: list[str] = []
    try:
        world_folder = save.folder / "world" / save.manifest.world
        if folder_digest(world_folder) != save.manifest.world_digest:
            problems.append(f"{world_folder}: changed since the save was begun with it.")
        read = save.read()
        if read.is_torn:
            problems.append(f"{save.journal_path}: its last line is cut off; it never counted.")
        read_cassette(save.cassette_path)
        world = fold(save.canon(), save.manifest.start, read.beats).world
        problems += audit_memory(save, world)
    except SandboxError as error:
        problems += str(error).splitlines()
    return problems


def audit_memory(save: Save, world: World) -> list[str]:
    """What is amiss in the memory of a save; nothing where it was not built yet, or lags behind."""
    folder = MemoryFolder(save.memory_path, EMBEDDER)
    current = folder.current()
    if current is None or folder.applied != world.counts.seq:
        return []
    from sandbox.memory.chroma import ChromaStore
    from sandbox.memory.embedding import WordLlama

    store = ChromaStore(current, WordLlama())
    try:
        return list(memory_problems(store, world))
    finally:
        store.close()


def memory_problems(store: MemoryStore, world: World) -> Iterator[str]:
    """Where a store departs from what its characters witnessed or were granted, item by item."""
    wanted = shelves(world)
    for stranger in sorted({str(s) for s in store.shelves()} - {str(s) for s in wanted}):
        yield f"memory: `{stranger}` belongs to nobody in this world."
    for shelf in wanted:
        amiss = difference(store, shelf, expected(world, shelf))
        for kind, ids in (
            ("holds what its owner never learned", amiss.extra),
            ("lacks", amiss.missing),
            ("holds other words for", amiss.changed),
        ):
            if ids:
                yield f"memory: `{shelf}` {kind}: {', '.join(ids[:5])}{' …' * (len(ids) > 5)}."
