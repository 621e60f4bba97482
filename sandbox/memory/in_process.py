"""The reference store: everything in this process, searched exactly."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.errors import MemoryStoreError
from sandbox.memory.candidates import Candidates, ShelfIndex
from sandbox.memory.store import Embedder, Hit, Record, Shelf, Vectors

_PLACES = 4
"""Decimals of a similarity. What two builds of one memory differ in lies three places further."""

_ROUGH = 1e-4
"""A product in single precision is right to about 1e-6; what rounds to the same ties besides."""


def nearest(query: Vectors, records: Sequence[Record], rows: ArrayLike, limit: int) -> list[Hit]:
    """The `limit` records most like `query`, by similarity then id.

    Args:
        query: (d,) float32, of unit length.
        records: whatever is to be compared.
        rows: (n, d), their vectors, in the same order.
        limit: the most to return.
    """
    vectors = np.asarray(rows, dtype=np.float64).reshape(len(records), len(query))
    lengths = np.linalg.norm(vectors, axis=1)
    cosines = (vectors @ query.astype(np.float64)) / np.where(lengths > 0, lengths, 1.0)
    # `+ 0.0`: a rounded -0.0 would print like no other number.
    similarities = np.round(cosines, _PLACES) + 0.0
    hits = [Hit(records[row], float(similarities[row])) for row in _highest(similarities, limit)]
    return sorted(hits, key=order)[:limit]


def rounded(similarity: float) -> float:
    """A similarity as hits have it."""
    return round(float(similarity), _PLACES) + 0.0


def _highest(similarities: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
    # With all that tie for the last place: their ids decide, not where they stand.
    if limit >= len(similarities):
        return np.arange(len(similarities))
    last = np.partition(similarities, -limit)[-limit]
    return np.flatnonzero(similarities >= last)


def order(hit: Hit) -> tuple[float, str]:
    """Sort key: the most similar first, equals by id."""
    return -hit.similarity, hit.record.id


def fresh(shelf: Shelf, given: Iterable[Record], *kept: Mapping[str, Record]) -> list[Record]:
    """Those of `given` that none of `kept` holds, each once.

    Raises:
        MemoryStoreError: an id is in `kept`, or twice in `given`, with different content.
    """
    found: dict[str, Record] = {}
    for record in given:
        known = next((place[record.id] for place in (found, *kept) if record.id in place), None)
        if known is None:
            found[record.id] = record
        elif known != record:
            raise MemoryStoreError(
                f"memory `{shelf}`: `{record.id}` is there with other content "
                f"({known.text[:40]!r}, now {record.text[:40]!r}). A changed memory needs a new id."
            )
    return list(found.values())


class Drawer:
    """Records of one shelf with their vectors, in memory."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._rows: Vectors | None = None
        """The vectors as one array, with room for more behind them; None where none was asked for."""
        self._filled = 0
        """How many rows of it are taken."""

    @property
    def records(self) -> Mapping[str, Record]:
        return MappingProxyType(self._records)

    @property
    def rows(self) -> Vectors:
        """The vectors, (n, d) float32, in the order of `records`. There must be one."""
        count = len(self._vectors)
        if self._rows is None or len(self._rows) < count:
            width = len(next(iter(self._vectors.values())))
            # Twice the room: a shelf that grows by one between two queries is not copied each time.
            self._rows = np.empty((2 * count, width), dtype=np.float32)
            self._filled = 0
        if self._filled < count:
            new = list(islice(self._vectors.values(), self._filled, None))
            self._rows[self._filled : count] = new
            self._filled = count
        return self._rows[:count]

    def add(self, records: Sequence[Record], vectors: Vectors) -> None:
        """Take in records that are not there yet."""
        for record, vector in zip(records, vectors, strict=True):
            self._records[record.id] = record
            self._vectors[record.id] = vector

    def drop(self, ids: Iterable[str]) -> None:
        for id_ in ids:
            self._records.pop(id_, None)
            self._vectors.pop(id_, None)
        self._rows = None

    def nearest(self, query: Vectors, limit: int) -> list[Hit]:
        """The `limit` records most like `query`, (d,) of unit length."""
        if not self._records:
            return []
        rough = self.rows @ query
        # Exactly compared are those within what single precision may have misplaced.
        last = np.partition(rough, -limit)[-limit] if limit < len(rough) else -np.inf
        near = np.flatnonzero(rough >= last - _ROUGH)
        records = list(self._records.values())
        return nearest(query, [records[row] for row in near], self.rows[near], limit)

    def compared(self, query: Vectors, ids: Iterable[str]) -> list[Hit]:
        """The named records with their similarity to `query`; those not there are passed over."""
        held = [id_ for id_ in ids if id_ in self._records]
        if not held:
            return []
        rows = np.stack([self._vectors[id_] for id_ in held])
        return nearest(query, [self._records[id_] for id_ in held], rows, len(held))


class InProcessStore:
    """A store that ends with the process: for tests, and for memories as of an earlier turn."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._drawers: dict[Shelf, Drawer] = {}
        self._indexes: dict[Shelf, ShelfIndex] = {}

    def put(self, shelf: Shelf, records: Iterable[Record]) -> None:
        """See `MemoryStore.put`."""
        drawer = self._drawers.get(shelf, Drawer())
        if added := fresh(shelf, records, drawer.records):
            drawer.add(added, self._embedder.embed([record.text for record in added]))
            self._drawers[shelf] = drawer
            if index := self._indexes.get(shelf):
                index.add(added)

    def remove(self, shelf: Shelf, ids: Iterable[str]) -> None:
        """See `MemoryStore.remove`."""
        if drawer := self._drawers.get(shelf):
            drawer.drop(ids)
            self._indexes.pop(shelf, None)

    def flush(self, shelf: Shelf | None = None) -> None:
        """Nothing waits for disk here."""

    def query(self, shelf: Shelf, text: str, limit: int) -> list[Hit]:
        """See `MemoryStore.query`. A text without a word is like nothing, and finds nothing."""
        vector = self._embedder.embed([text])[0]
        drawer = self._drawers.get(shelf)
        return drawer.nearest(vector, limit) if drawer and limit > 0 and vector.any() else []

    def candidates(self, shelf: Shelf, text: str, limit: int) -> Candidates:
        """See `MemoryStore.candidates`."""
        vector = self._embedder.embed([text])[0]
        drawer = self._drawers.get(shelf, Drawer())
        if shelf not in self._indexes:
            self._indexes[shelf] = ShelfIndex(self._embedder, drawer.records.values())
        return self._indexes[shelf].candidates(
            text,
            vector,
            limit,
            nearest=partial(drawer.nearest, vector),
            compared=partial(drawer.compared, vector),
        )

    def records(self, shelf: Shelf) -> Mapping[str, Record]:
        """See `MemoryStore.records`."""
        drawer = self._drawers.get(shelf)
        return dict(drawer.records) if drawer else {}

    def shelves(self) -> Sequence[Shelf]:
        """See `MemoryStore.shelves`."""
        return sorted(self._drawers, key=str)

    def close(self) -> None:
        """Nothing to let go of."""
