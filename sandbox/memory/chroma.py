"""The store on disk: one embedded Chroma database a save. Only this module knows chromadb."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sandbox.errors import MemoryStoreError
from sandbox.memory.in_process import Drawer, fresh, nearest, order
from sandbox.memory.keeping import UNFINISHED
from sandbox.memory.store import Embedder, Hit, Layer, Record, Shelf, Vectors
from sandbox.story.ids import SLUG, CharacterId

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_SPARE = 16
"""Candidates beyond those asked for, as Chroma's order is not that of rounded similarities."""

_WIDER = 4
"""How many times more are taken where all the spare ones tie: `Tobin enters.`, forty times over."""

_CONFIGURATION: Any = {"hnsw": {"space": "cosine", "ef_search": 200}}
"""At 100, Chroma's default, a query missed 1 in 2,400 of the exact top 24 of 5,000; at 200, none.
That costs nothing measurable, whereas each candidate fetched costs 0.05 ms."""


class ChromaStore:
    """A save's memory in a folder. Cheap to make: the first call that needs the database opens it.

    What was flushed is always read from Chroma, so that what is shown is what is there. The ids in
    this process serve one purpose: to refuse other content for an id, which Chroma itself would
    drop in silence.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self.folder = folder
        self._embedder = embedder
        self._client: Client | None = None
        self._closed = False
        self._collections: dict[Shelf, Collection] = {}
        self._kept: dict[Shelf, dict[str, Record]] = {}
        """What was last seen in Chroma or written to it."""
        self._pending: dict[Shelf, Drawer] = {}
        self._lock = RLock()

    def open(self) -> None:
        """Do now what the first calls would wait for, and make sure that all can be found.

        Meant for a thread of its own at the start; calls in other threads get their turn between
        two shelves, as a long memory takes seconds.

        Raises:
            MemoryStoreError: the folder cannot be written, its database is damaged or it was cut
                off while writing: memory is to be rebuilt.
        """
        for shelf in self.shelves():
            with self._lock:
                self._check(shelf, self._known(shelf))

    def put(self, shelf: Shelf, records: Iterable[Record]) -> None:
        """See `MemoryStore.put`."""
        with self._lock:
            drawer = self._pending.get(shelf, Drawer())
            if added := fresh(shelf, records, drawer.records, self._known(shelf)):
                drawer.add(added, self._embedder.embed([record.text for record in added]))
                self._pending[shelf] = drawer

    def remove(self, shelf: Shelf, ids: Iterable[str]) -> None:
        """See `MemoryStore.remove`. What is on disk goes at once."""
        named = list(dict.fromkeys(ids))
        with self._lock:
            if drawer := self._pending.get(shelf):
                drawer.drop(named)
            collection = self._collection(shelf)
            if collection is not None and named:
                with self._errors_as_ours(f"`{shelf}` cannot be changed"), self._marked():
                    collection.delete(ids=named)
            for id_ in named:
                self._kept.get(shelf, {}).pop(id_, None)

    def flush(self, shelf: Shelf | None = None) -> None:
        """See `MemoryStore.flush`. What could not be written stays pending."""
        with self._lock:
            wanted = sorted(self._pending, key=str) if shelf is None else [shelf]
            for shelf in (one for one in wanted if one in self._pending):
                drawer = self._pending[shelf]
                if drawer.records:
                    with self._errors_as_ours(f"`{shelf}` cannot be written"), self._marked():
                        self._write(shelf, list(drawer.records.values()), drawer.rows)
                del self._pending[shelf]

    def query(self, shelf: Shelf, text: str, limit: int) -> list[Hit]:
        """See `MemoryStore.query`. A text without a word is like nothing, and finds nothing."""
        vector = self._embedder.embed([text])[0]
        if limit <= 0 or not vector.any():
            return []
        with self._lock:
            pending = self._pending.get(shelf, Drawer())
            kept = self._nearest_kept(shelf, vector, limit)
            hits = [hit for hit in kept if hit.record.id not in pending.records]
            hits += pending.nearest(vector, limit)
        return sorted(hits, key=order)[:limit]

    def records(self, shelf: Shelf) -> Mapping[str, Record]:
        """See `MemoryStore.records`."""
        with self._lock:
            pending = self._pending.get(shelf, Drawer())
            return {**self._read(shelf), **pending.records}

    def shelves(self) -> Sequence[Shelf]:
        """See `MemoryStore.shelves`. Collections of other names are not ours, and passed over."""
        with self._lock:
            client = self._opened()
            with self._errors_as_ours("its collections cannot be listed"):
                names = [collection.name for collection in client.list_collections()]
            kept = {shelf for name in names if (shelf := _shelf_of(name))}
            return sorted(kept | self._pending.keys(), key=str)

    def close(self) -> None:
        """See `MemoryStore.close`. Closing twice is no error."""
        with self._lock:
            try:
                self.flush()
            finally:
                client, self._client, self._closed = self._client, None, True
                self._collections.clear()
                if client is not None:
                    with self._errors_as_ours("the memory database cannot be closed"):
                        client.close()

    def _opened(self) -> "Client":
        if self._closed:
            raise MemoryStoreError(f"{self.folder}: this memory is closed. Open the save again.")
        if self._client is None:
            if (self.folder / UNFINISHED).exists():
                raise MemoryStoreError(
                    f"{self.folder}: the last write was cut off, and the database may be damaged. "
                    "Memory is to be rebuilt from the journal."
                )
            with self._errors_as_ours("the memory database cannot be opened"):
                # Here, not above: the import takes a second that a start without memory can save.
                import chromadb
                from chromadb.config import Settings

                settings = Settings(anonymized_telemetry=False)
                client = chromadb.PersistentClient(self.folder, settings=settings)
                # It says less about itself than it is: the interface lacks `close`.
                self._client = cast("Client", client)
        return self._client

    def _collection(self, shelf: Shelf) -> "Collection | None":
        """The shelf's collection, if there is one."""
        if shelf not in self._collections:
            from chromadb.errors import NotFoundError

            with self._errors_as_ours(f"`{shelf}` cannot be opened"):
                try:
                    found = self._opened().get_collection(str(shelf), embedding_function=None)
                except NotFoundError:
                    return None
            self._collections[shelf] = found
        return self._collections[shelf]

    def _known(self, shelf: Shelf) -> Mapping[str, Record]:
        """What was on a shelf when last looked at: good for refusing ids, and for nothing else."""
        return self._kept[shelf] if shelf in self._kept else self._read(shelf)

    def _read(self, shelf: Shelf) -> Mapping[str, Record]:
        """What Chroma holds on a shelf, now."""
        records: list[Record] = []
        if collection := self._collection(shelf):
            with self._errors_as_ours(f"`{shelf}` cannot be read"):
                got = collection.get(include=["documents", "metadatas"])
                records = _records(got["ids"], got["documents"], got["metadatas"])
        self._kept[shelf] = {record.id: record for record in records}
        return self._kept[shelf]

    def _check(self, shelf: Shelf, known: Mapping[str, Record]) -> None:
        # Where its index files are lost, Chroma still lists every record, and finds hardly any.
        due = min(len(known), _SPARE)
        if due and len(self._candidates(shelf, _anything(self._embedder), due)) < due:
            raise MemoryStoreError(
                f"{self.folder}: `{shelf}` has {len(known)} memories of which a query finds fewer "
                f"than {due}. Memory is to be rebuilt from the journal."
            )

    def _nearest_kept(self, shelf: Shelf, vector: Vectors, limit: int) -> list[Hit]:
        wanted = limit + _SPARE
        while True:
            hits = self._candidates(shelf, vector, wanted)
            if len(hits) < wanted or hits[-1].similarity < hits[limit - 1].similarity:
                return hits[:limit]
            wanted *= _WIDER

    def _candidates(self, shelf: Shelf, vector: Vectors, wanted: int) -> list[Hit]:
        """What Chroma finds, compared again exactly: its own distances are approximate."""
        collection = self._collection(shelf)
        if collection is None:
            return []
        with self._errors_as_ours(f"`{shelf}` cannot be searched"):
            got: Any = collection.query(
                query_embeddings=vector[np.newaxis],
                n_results=wanted,
                include=["documents", "metadatas", "embeddings"],
            )
            records = _records(got["ids"][0], got["documents"][0], got["metadatas"][0])
        return nearest(vector, records, got["embeddings"][0], wanted)

    def _write(self, shelf: Shelf, records: Sequence[Record], rows: Vectors) -> None:
        client = self._opened()
        collection = client.get_or_create_collection(
            str(shelf), embedding_function=None, configuration=_CONFIGURATION
        )
        most = client.get_max_batch_size()
        for at in range(0, len(records), most):
            part = records[at : at + most]
            # Not `add`: a write that broke off halfway can then simply be done again.
            collection.upsert(
                ids=[record.id for record in part],
                embeddings=rows[at : at + most],
                documents=[record.text for record in part],
                metadatas=[_metadata(record) for record in part],
            )
        self._collections[shelf] = collection
        self._kept[shelf].update((record.id, record) for record in records)

    @contextmanager
    def _marked(self) -> Iterator[None]:
        """A file stands in the folder while Chroma writes; what finds it later must not trust it.

        Chroma rewrites its index files in place. Of 14 processes killed while writing, 2 left them
        unreadable, and cut-off index files can bring the whole process down.
        """
        mark = self.folder / UNFINISHED
        mark.touch()
        yield
        mark.unlink()

    @contextmanager
    def _errors_as_ours(self, problem: str) -> Iterator[None]:
        try:
            yield
        except MemoryStoreError:
            raise
        # Chroma raises its own errors, SQLite's, the system's, and bare ones from its bindings.
        except Exception as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise MemoryStoreError(
                f"{self.folder}: {problem}: {reason}. It needs a folder that can be written, with "
                "an undamaged database; without one, memory is rebuilt from the journal."
            ) from error


def _anything(embedder: Embedder) -> Vectors:
    vector = np.zeros(embedder.dimensions, dtype=np.float32)
    vector[0] = 1.0
    return vector


def _shelf_of(name: str) -> Shelf | None:
    owner, _, layer = name.rpartition(".")
    ours = re.fullmatch(SLUG, owner) and layer in list(Layer)
    return Shelf(CharacterId(owner), Layer(layer)) if ours else None


def _metadata(record: Record) -> dict[str, str | int | float]:
    return {
        "kind": record.kind,
        "seq": record.seq,
        "turn": record.turn,
        "scene": record.scene,
        "salience": float(record.salience),
    }


def _records(ids: Sequence[str], texts: Any, metadatas: Any) -> list[Record]:
    """Records from Chroma's columns. What others put there may lack any part but its id."""
    return [
        _record(id_, text or "", metadata or {})
        for id_, text, metadata in zip(ids, texts, metadatas, strict=True)
    ]


def _record(id_: str, text: str, metadata: Mapping[str, Any]) -> Record:
    return Record(
        id_,
        text,
        kind=str(metadata.get("kind", "")),
        seq=int(metadata.get("seq", 0)),
        turn=int(metadata.get("turn", 0)),
        scene=str(metadata.get("scene", "")),
        salience=float(metadata.get("salience", 0.5)),
    )
