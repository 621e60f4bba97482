"""Where a save's memory lives: in its own folder with Chroma, or in the process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sandbox.memory.keeping import MemoryFolder
from sandbox.memory.store import MemoryStore

EMBEDDER = "wordllama-256"


class ChromaHome:
    """Chroma in the save's `memory/` folder. Disposable: it comes back from the journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = MemoryFolder(folder, EMBEDDER)
        self._generation = self._folder.current()
        self.is_new = self._generation is None
        self._is_switched = not self.is_new

    def open(self) -> MemoryStore:
        """The current generation, or a new one that counts after its first flush."""
        from sandbox.memory.chroma import ChromaStore
        from sandbox.memory.embedding import WordLlama, cached

        if self._generation is None:
            self._generation = self._folder.begin_generation()
        else:
            self._folder.sweep()
        return ChromaStore(self._generation, cached(WordLlama()))

    @property
    def applied(self) -> int:
        return 0 if self.is_new else self._folder.applied

    def settle(self, seq: int) -> None:
        """Note how far memory got; a new generation becomes the current one."""
        if not self._is_switched and self._generation is not None:
            self._folder.switch(self._generation.name)
            self._is_switched = True
        self._folder.applied = seq


@dataclass
class InProcessHome:
    """A store in the process, for views of an earlier turn, tests and simulations."""

    applied: int = 0
    is_new: bool = True

    def open(self) -> MemoryStore:
        """An empty store."""
        from sandbox.memory.embedding import WordLlama, cached
        from sandbox.memory.in_process import InProcessStore

        return InProcessStore(cached(WordLlama()))

    def settle(self, seq: int) -> None:
        """Nothing to note: it is gone when the process ends."""
