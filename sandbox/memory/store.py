"""The port every memory store fulfils, and the records it keeps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.story.ids import CharacterId

if TYPE_CHECKING:
    from sandbox.memory.candidates import Candidates

Vectors = NDArray[np.float32]


class Layer(StrEnum):
    """The three layers of a character's memory (ReverieMem, arXiv 2606.25632, section 3.3)."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PERSONALITY = "personality"


@dataclass(frozen=True)
class Shelf:
    """One character's collection for one layer. Written `mara.episodic`."""

    owner: CharacterId
    layer: Layer

    def __str__(self) -> str:
        return f"{self.owner}.{self.layer}"


@dataclass(frozen=True)
class Record:
    """One memory. Its text is what is searched and what may reach a prompt."""

    id: str
    text: str
    kind: str
    """`percept`, `episode`, `fact` or `pattern`."""
    seq: int
    """Journal line it came from; 0 for canon."""
    turn: int
    """Turn it came from; 0 for canon."""
    scene: str
    """Id of the scene it belongs to; empty where there is none."""
    salience: float = 0.5
    """How much it mattered, as a share in [0, 1]."""


@dataclass(frozen=True)
class Hit:
    """A record found by a query."""

    record: Record
    similarity: float
    """Cosine of the query's and the record's vectors, in [-1, 1]."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    name: str
    """Written into the save: another embedder needs a rebuild. `"wordllama-256"`."""
    dimensions: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors for `texts`: (n, d) float32, rows of unit length (all zero for an empty text)."""
        ...


class MemoryStore(Protocol):
    """All shelves of one save. Calls are made one at a time, from any thread."""

    def put(self, shelf: Shelf, records: Iterable[Record]) -> None:
        """Keep `records`; they are searchable at once and on disk after the next `flush`.

        The same id with the same content is no change.

        Raises:
            MemoryStoreError: an id is there already with other content. Nothing is put.
        """
        ...

    def remove(self, shelf: Shelf, ids: Iterable[str]) -> None:
        """Drop the named records, pending or kept. Ids that are not there are passed over."""
        ...

    def flush(self, shelf: Shelf | None = None) -> None:
        """Write what is pending, on one shelf or on all: one write for each shelf."""
        ...

    def query(self, shelf: Shelf, text: str, limit: int) -> list[Hit]:
        """The nearest records of this shelf, pending ones included, by similarity then id.

        A text without a word is like nothing, and finds nothing.
        """
        ...

    def candidates(self, shelf: Shelf, text: str, limit: int) -> "Candidates":
        """What `query` finds and, beside it, half as many that share most of the words.

        Of records with equal text the latest stands for all among those found by words.
        """
        ...

    def records(self, shelf: Shelf) -> Mapping[str, Record]:
        """Everything on a shelf, pending records included, by id."""
        ...

    def shelves(self) -> Sequence[Shelf]:
        """Every shelf that exists, sorted by name."""
        ...

    def close(self) -> None:
        """Flush and let go of files."""
        ...
