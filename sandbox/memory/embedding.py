"""Embedders: texts to vectors on this machine, with nothing looked up online."""

import logging
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from sandbox.memory.store import Embedder, Vectors

CACHED_TEXTS = 4096
"""At 1 KiB a vector, 4 MiB: one scene's percepts for a large cast, and the queries about them."""


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """`rows` scaled to unit length: (n, d) float32. A zero row stays zero."""
    exact = rows.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return (exact / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


class WordLlama:
    """Static word vectors, averaged. They come in the package and load in half a second."""

    name = "wordllama-256"
    dimensions = 256

    def __init__(self) -> None:
        with _root_logger_as_it_was():
            import wordllama  # type: ignore[import-untyped]
        # Given any other cache folder, it goes online for a tokenizer that lies in its own.
        self._model = wordllama.WordLlama.load(
            dim=self.dimensions,
            cache_dir=Path(wordllama.__file__).parent,
            disable_download=True,
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors for `texts`: (n, 256) float32, rows of unit length; all zero for a blank text."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        worded = [row for row, text in enumerate(texts) if text.strip()]
        if worded:
            rows[worded] = self._model.embed([texts[row] for row in worded])
        return unit_rows(rows)


@contextmanager
def _root_logger_as_it_was() -> Iterator[None]:
    # On import, wordllama sends everybody's INFO lines to stderr: over the screen, in our case.
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers


class Cached:
    """An embedder that remembers the texts it met last: one line reaches many memories."""

    def __init__(self, embedder: Embedder, size: int = CACHED_TEXTS) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._size = size
        self._rows: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """What the embedder gives for `texts`, asking it once for those not met lately."""
        with self._lock:
            found = {text: self._rows[text] for text in texts if text in self._rows}
            unmet = [text for text in dict.fromkeys(texts) if text not in found]
            if unmet:
                found |= zip(unmet, self._embedder.embed(unmet), strict=True)
            self._remember(found)
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            rows[row] = found[text]
        return rows

    def _remember(self, found: dict[str, NDArray[np.float32]]) -> None:
        for text, vector in found.items():
            # A view would keep its whole batch alive.
            self._rows[text] = vector if vector.base is None else vector.copy()
            self._rows.move_to_end(text)
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)


def cached(embedder: Embedder, size: int = CACHED_TEXTS) -> Embedder:
    """`embedder`, remembering the last `size` texts."""
    return Cached(embedder, size)
