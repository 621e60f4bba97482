"""The store on disk: one embedded Chroma database a save. Only this module knows chromadb."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sandbox.errors import MemoryStoreError
from sandbox.memory.candidates import Candidates, ShelfIndex
from sandbox.memory.columns import anything, metadata_of, records_of, shelf_of
from sandbox.memory.guarded import errors_as_ours, marked
from sandbox.memory.in_process import Drawer, fresh, nearest, order, rounded
from sandbox.memory.keeping import UNFINISHED
from sandbox.memory.store import Embedder, Hit, Record, Shelf, Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_SPARE = 16
"""Candidates beyond those asked for, as Chroma's order is not that of rounded similarities."""

_WIDER = 4
"""How many times more are taken where all the spare ones tie: `Tobin enters.`, forty times over."""

_CONFIGURATION: Any = {"hnsw": {"space": "cosine", "ef_search": 200}}
"""At 100, Chroma's default, a query missed 1 in 2,400 of the exact top 24 of 5,000; at 200, none.
That costs nothing measurable, whereas each text or vector fetched costs 0.05 ms."""


class ChromaStore:
    """A save's memory in a folder. Cheap to make: the first call that needs the database opens it.

    What was flushed is searched in Chroma: only what Chroma holds is found. Beside that, each shelf
    has what is pending and an index of words (`ShelfIndex`), made from what was last read; ids that
    it names and Chroma no longer has are passed over. The records kept here spare a query their
    texts, which cost it three times what the search does, and refuse other content for an id,
    which Chroma itself would drop in silence.
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
        self._indexes: dict[Shelf, ShelfIndex] = {}
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
                if index := self._indexes.get(shelf):
                    index.add(added)

    def remove(self, shelf: Shelf, ids: Iterable[str]) -> None:
        """See `MemoryStore.remove`. What is on disk goes at once."""
        named = list(dict.fromkeys(ids))
        with self._lock:
            self._indexes.pop(shelf, None)
            if drawer := self._pending.get(shelf):
                drawer.drop(named)
            collection = self._collection(shelf)
            if collection is not None and named:
                with (
                    errors_as_ours(self.folder, f"`{shelf}` cannot be changed"),
                    marked(self.folder),
                ):
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
                    with (
                        errors_as_ours(self.folder, f"`{shelf}` cannot be written"),
                        marked(self.folder),
                    ):
                        self._write(shelf, list(drawer.records.values()), drawer.rows)
                del self._pending[shelf]

    def query(self, shelf: Shelf, text: str, limit: int) -> list[Hit]:
        """See `MemoryStore.query`. A text without a word is like nothing, and finds nothing."""
        vector = self._embedder.embed([text])[0]
        if limit <= 0 or not vector.any():
            return []
        with self._lock:
            hits = self._nearest(shelf, vector, limit)
            pending = self._pending.get(shelf, Drawer()).records
            flushed = [hit.record.id for hit in hits if hit.record.id not in pending]
            read = {**pending, **self._read_some(shelf, flushed)}
            return [Hit(read[hit.record.id], hit.similarity) for hit in hits]

    def candidates(self, shelf: Shelf, text: str, limit: int) -> Candidates:
        """See `MemoryStore.candidates`."""
        vector = self._embedder.embed([text])[0]
        with self._lock:
            if shelf not in self._indexes:
                pending = self._pending.get(shelf, Drawer())
                held = {**self._known(shelf), **pending.records}
                self._indexes[shelf] = ShelfIndex(self._embedder, held.values())
            return self._indexes[shelf].candidates(
                text,
                vector,
                limit,
                nearest=partial(self._nearest, shelf, vector),
                compared=partial(self._compared, shelf, vector),
            )

    def records(self, shelf: Shelf) -> Mapping[str, Record]:
        """See `MemoryStore.records`."""
        with self._lock:
            pending = self._pending.get(shelf, Drawer())
            return {**self._read(shelf), **pending.records}

    def shelves(self) -> Sequence[Shelf]:
        """See `MemoryStore.shelves`. Collections of other names are not ours, and passed over."""
        with self._lock:
            client = self._opened()
            with errors_as_ours(self.folder, "its collections cannot be listed"):
                names = [collection.name for collection in client.list_collections()]
            kept = {shelf for name in names if (shelf := shelf_of(name))}
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
                    with errors_as_ours(self.folder, "the memory database cannot be closed"):
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
            with errors_as_ours(self.folder, "the memory database cannot be opened"):
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

            with errors_as_ours(self.folder, f"`{shelf}` cannot be opened"):
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
            with errors_as_ours(self.folder, f"`{shelf}` cannot be read"):
                got = collection.get(include=["documents", "metadatas"])
                records = records_of(got["ids"], got["documents"], got["metadatas"])
        self._kept[shelf] = {record.id: record for record in records}
        return self._kept[shelf]

    def _check(self, shelf: Shelf, known: Mapping[str, Record]) -> None:
        # Where its index files are lost, Chroma still lists every record, and finds hardly any.
        due = min(len(known), _SPARE)
        if due and len(self._candidates(shelf, anything(self._embedder), due)) < due:
            raise MemoryStoreError(
                f"{self.folder}: `{shelf}` has {len(known)} memories of which a query finds fewer "
                f"than {due}. Memory is to be rebuilt from the journal."
            )

    def _nearest(self, shelf: Shelf, vector: Vectors, limit: int) -> list[Hit]:
        pending = self._pending.get(shelf, Drawer())
        kept = self._nearest_kept(shelf, vector, limit)
        hits = [hit for hit in kept if hit.record.id not in pending.records]
        return sorted([*hits, *pending.nearest(vector, limit)], key=order)[:limit]

    def _nearest_kept(self, shelf: Shelf, vector: Vectors, limit: int) -> list[Hit]:
        wanted = limit + _SPARE
        while True:
            hits = self._candidates(shelf, vector, wanted)
            if len(hits) < wanted or hits[-1].similarity < hits[limit - 1].similarity:
                return hits[:limit]
            wanted *= _WIDER

    def _candidates(self, shelf: Shelf, vector: Vectors, wanted: int) -> list[Hit]:
        """What Chroma finds, by similarity then id."""
        collection = self._collection(shelf)
        if collection is None:
            return []
        with errors_as_ours(self.folder, f"`{shelf}` cannot be searched"):
            got: Any = collection.query(
                query_embeddings=vector[np.newaxis], n_results=wanted, include=["distances"]
            )
            ids, distances = got["ids"][0], np.asarray(got["distances"][0], dtype=np.float64)
        records = self._recorded(shelf, ids)
        found = zip(ids, distances, strict=True)
        return sorted((Hit(records[i], rounded(1.0 - away)) for i, away in found), key=order)

    def _recorded(self, shelf: Shelf, ids: Sequence[str]) -> Mapping[str, Record]:
        """The records of ids that Chroma found, as last seen; those put by others are read now."""
        kept = self._known(shelf)
        if unmet := [id_ for id_ in ids if id_ not in kept]:
            self._kept[shelf] = {**kept, **self._read_some(shelf, unmet)}
        return self._kept[shelf]

    def _read_some(self, shelf: Shelf, ids: Sequence[str]) -> Mapping[str, Record]:
        """What Chroma holds under given ids, now."""
        collection = self._collection(shelf) if ids else None
        if collection is None:
            return {}
        with errors_as_ours(self.folder, f"`{shelf}` cannot be read"):
            got = collection.get(ids=list(ids), include=["documents", "metadatas"])
            records = records_of(got["ids"], got["documents"], got["metadatas"])
        return {record.id: record for record in records}

    def _compared(self, shelf: Shelf, vector: Vectors, ids: Sequence[str]) -> list[Hit]:
        """The named memories, as far as they are pending or in Chroma, with their similarity."""
        pending = self._pending.get(shelf, Drawer())
        hits = pending.compared(vector, ids)
        flushed = [id_ for id_ in ids if id_ not in pending.records]
        collection = self._collection(shelf) if flushed else None
        if collection is None:
            return hits
        with errors_as_ours(self.folder, f"`{shelf}` cannot be read"):
            got: Any = collection.get(ids=flushed, include=["embeddings"])
        records = self._recorded(shelf, got["ids"])
        found = [records[id_] for id_ in got["ids"]]
        return [*hits, *nearest(vector, found, got["embeddings"], len(found))]

    def _write(self, shelf: Shelf, records: Sequence[Record], rows: Vectors) -> None:
        client = self._opened()
        collection = self._collection(shelf) or client.get_or_create_collection(
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
                metadatas=[metadata_of(record) for record in part],
            )
        self._collections[shelf] = collection
        self._kept[shelf].update((record.id, record) for record in records)
