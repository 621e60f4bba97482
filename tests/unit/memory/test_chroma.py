"""What only the store on disk can get wrong: Chroma itself, its files, threads and cost."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings

from sandbox.errors import MemoryStoreError
from sandbox.memory.chroma import ChromaStore
from sandbox.memory.embedding import unit_rows
from sandbox.memory.keeping import UNFINISHED, MemoryFolder, difference, sync
from sandbox.memory.store import Layer, Record, Shelf, Vectors
from sandbox.story.ids import CharacterId

pytestmark = pytest.mark.chroma

MARA = Shelf(CharacterId("mara"), Layer.EPISODIC)
TOBIN = Shelf(CharacterId("tobin"), Layer.SEMANTIC)


class Letters:
    """Counts of letters as vectors: what is spelt alike is near."""

    name = "letters-26"
    dimensions = 26

    def embed(self, texts: Sequence[str]) -> Vectors:
        counts = [[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts]
        return unit_rows(np.array(counts, dtype=np.float32).reshape(-1, 26))


def record(id_: str, text: str) -> Record:
    return Record(id_, text, "percept", 3, 2, "s1", 0.25)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaStore]:
    store = ChromaStore(tmp_path / "g0001", Letters())
    yield store
    store.close()


@pytest.fixture
def behind(store: ChromaStore) -> Iterator[Any]:
    """Mara's collection, reached without the store; it holds `rain` and `snow`."""
    store.put(MARA, [record("a", "rain"), record("b", "snow")])
    store.flush()
    client = chromadb.PersistentClient(store.folder, settings=Settings(anonymized_telemetry=False))
    yield client.get_collection("mara.episodic", embedding_function=None)
    client.close()  # type: ignore[attr-defined]


def found(store: ChromaStore, query: str) -> list[str]:
    return [hit.record.id for hit in store.query(MARA, query, 5)]


def test_what_is_removed_from_chroma_is_recalled_no_more(store: ChromaStore, behind: Any) -> None:
    assert found(store, "rain") == ["a", "b"]
    behind.delete(ids=["a"])
    assert found(store, "rain") == ["b"]
    assert set(store.records(MARA)) == {"b"}


def test_a_strangers_item_shows(store: ChromaStore, behind: Any) -> None:
    behind.add(ids=["x"], embeddings=Letters().embed(["rains"]), documents=["rains"])
    behind.add(ids=["y"], embeddings=Letters().embed(["hail"]), metadatas=[{"seq": 4}])
    assert found(store, "rain") == ["a", "x", "y", "b"]
    assert store.records(MARA)["x"] == Record("x", "rains", "", 0, 0, "", 0.5)
    assert store.records(MARA)["y"] == Record("y", "", "", 4, 0, "", 0.5)


def test_an_id_pending_here_and_put_by_a_stranger_is_found_once_as_ours(
    store: ChromaStore, behind: Any
) -> None:
    store.put(MARA, [record("x", "rains")])
    behind.add(ids=["x"], embeddings=Letters().embed(["rain"]), documents=["theirs"])
    for _ in range(2):
        hits = [hit.record for hit in store.query(MARA, "rain", 5)]
        assert hits == [record("a", "rain"), record("x", "rains"), record("b", "snow")]
        store.flush()


def test_what_is_removed_from_chroma_is_found_by_its_words_no_more(
    store: ChromaStore, behind: Any
) -> None:
    assert {hit.record.id for hit in store.candidates(MARA, "snow", 2).hits} == {"a", "b"}
    behind.delete(ids=["b"])
    found = store.candidates(MARA, "snow", 2)
    assert found.shares.of("b") == 1.0, "the index still has it"
    assert [hit.record.id for hit in found.hits] == ["a"]


def test_a_text_changed_behind_our_back_is_recalled_as_it_is(
    store: ChromaStore, behind: Any
) -> None:
    behind.update(ids=["a"], documents=["rain of frogs"], embeddings=Letters().embed(["rain"]))
    assert store.query(MARA, "rain", 1)[0].record.text == "rain of frogs"
    assert difference(store, MARA, [record("a", "rain"), record("b", "snow")]).changed == ("a",)


def test_sync_mends_what_was_done_behind_our_back(store: ChromaStore, behind: Any) -> None:
    behind.delete(ids=["a"])
    behind.update(ids=["b"], documents=["slush"], embeddings=Letters().embed(["slush"]))
    behind.add(ids=["x"], embeddings=Letters().embed(["hail"]), documents=["hail"])
    expected = [record("a", "rain"), record("b", "snow")]
    sync(store, MARA, expected)
    store.flush()
    assert not difference(store, MARA, expected)
    assert behind.get(ids=["a", "b", "x"])["documents"] == ["rain", "snow"]


def test_collections_that_are_no_shelves_are_passed_over(store: ChromaStore, behind: Any) -> None:
    for name in ("langchain", "Mara.episodic", "mara.dreams"):
        behind._client.create_collection(name)
    assert store.shelves() == [MARA]


def test_more_than_a_hundred_shelves_are_all_listed(store: ChromaStore) -> None:
    shelves = [Shelf(CharacterId(f"guest_{n:03d}"), Layer.EPISODIC) for n in range(110)]
    for shelf in shelves:
        store.put(shelf, [record("a", "rain")])
    store.flush()
    assert store.shelves() == shelves


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Every write to Chroma: the collection's name, and how many items."""
    written: list[tuple[str, int]] = []
    upsert = Collection.upsert

    def counted(self: Collection, ids: Any, **columns: Any) -> None:
        written.append((self.name, len(ids)))
        upsert(self, ids, **columns)

    monkeypatch.setattr(Collection, "upsert", counted)
    return written


def test_a_flush_is_one_write_for_each_shelf_and_none_where_nothing_waits(
    store: ChromaStore, written: list[tuple[str, int]]
) -> None:
    for n in range(10):
        store.put(MARA, [record(f"m{n}", "rain")])
        store.put(TOBIN, [record(f"t{n}", "snow"), record(f"u{n}", "hail")])
    assert written == []
    store.flush()
    assert written == [("mara.episodic", 10), ("tobin.semantic", 20)]
    store.put(MARA, [record("m1", "rain")])
    store.flush()
    assert len(written) == 2


def test_a_write_larger_than_chroma_takes_is_parted(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch, written: list[tuple[str, int]]
) -> None:
    store.open()
    monkeypatch.setattr(store._client, "get_max_batch_size", lambda: 4)
    told = [record(f"m{n}", "rain" * n) for n in range(10)]
    store.put(MARA, told)
    store.flush()
    assert [size for _, size in written] == [4, 4, 2]
    assert store.records(MARA) == {one.id: one for one in told}


def test_what_could_not_be_written_stays_and_is_written_later(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MARA, [record("a", "rain")])

    def fail(self: Collection, **columns: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Collection, "upsert", fail)
        with pytest.raises(MemoryStoreError, match=r"`mara.episodic` cannot be written.*No space"):
            store.flush()
    assert found(store, "rain") == ["a"]
    store.flush()
    assert store.records(MARA) == {"a": record("a", "rain")}
    store.close()
    again = ChromaStore(store.folder, Letters())
    assert set(again.records(MARA)) == {"a"}
    again.close()


def test_a_folder_that_is_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    place = tmp_path / "memory"
    place.write_text("no folder", encoding="utf-8")
    store = ChromaStore(place, Letters())
    with pytest.raises(MemoryStoreError) as refused:
        store.put(MARA, [record("a", "rain")])
    assert str(refused.value).startswith(f"{place}: the memory database cannot be opened: ")
    assert "It needs a folder that can be written" in str(refused.value)
    assert "\n" not in str(refused.value)
    store.close()


@pytest.mark.parametrize("damage", ["overwritten", "cut off"])
def test_a_damaged_database_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    with_one = ChromaStore(tmp_path, Letters())
    with_one.put(MARA, [record("a", "rain")])
    with_one.close()
    database = tmp_path / "chroma.sqlite3"
    whole = database.read_bytes()
    database.write_bytes(b"garbage " * 900 if damage == "overwritten" else whole[:20_000])
    # In a process of its own, as Chroma keeps a database it failed to open.
    code = (
        "import sys; from pathlib import Path\n"
        "from sandbox.errors import MemoryStoreError\n"
        "from sandbox.memory.chroma import ChromaStore\n"
        "try: ChromaStore(Path(sys.argv[1]), None).open()\n"
        "except MemoryStoreError as error: print(error)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith(f"{tmp_path}: the memory database cannot be opened: ")
    assert told.stdout.count("\n") == 1


def test_a_write_that_was_cut_off_is_not_trusted_later(tmp_path: Path) -> None:
    folder = MemoryFolder(tmp_path, Letters.name)
    generation = folder.begin_generation()
    folder.switch(generation.name)
    code = (
        "import os, sys; from pathlib import Path\n"
        "from chromadb.api.models.Collection import Collection\n"
        "from tests.unit.memory.test_chroma import ChromaStore, Letters, MARA, record\n"
        "store = ChromaStore(Path(sys.argv[1]), Letters())\n"
        "store.put(MARA, [record('a', 'rain')]); store.flush()\n"
        "Collection.upsert = lambda *given, **columns: os._exit(9)\n"
        "store.put(MARA, [record('b', 'snow')]); store.flush()\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(generation)], check=False)
    assert killed.returncode == 9
    assert folder.current() is None
    with pytest.raises(MemoryStoreError, match="last write was cut off"):
        ChromaStore(generation, Letters()).open()


def test_nothing_is_left_beside_the_database_by_a_write_that_ended(store: ChromaStore) -> None:
    store.put(MARA, [record("a", "rain")])
    store.flush()
    store.remove(MARA, ["a"])
    assert not (store.folder / UNFINISHED).exists()


def test_an_index_that_lost_its_memories_is_refused_at_opening(tmp_path: Path) -> None:
    store = ChromaStore(tmp_path, Letters())
    # Chroma writes its index files at a thousand.
    store.put(MARA, [record(f"r{n:04d}", f"rain {'abcdefghij'[n % 10] * n}") for n in range(1100)])
    store.close()
    for index in (path for path in tmp_path.iterdir() if path.is_dir()):
        shutil.rmtree(index)
    damaged = ChromaStore(tmp_path, Letters())
    with pytest.raises(MemoryStoreError, match=r"`mara.episodic` has 1100 memories of which"):
        damaged.open()
    damaged.close()


def test_making_a_store_imports_and_writes_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from sandbox.memory.chroma import ChromaStore\n"
        "store = ChromaStore(Path(sys.argv[1]), None); store.flush(); store.close()\n"
        "print('chromadb' in sys.modules, Path(sys.argv[1]).exists())"
    )
    place = str(tmp_path / "g0001")
    told = subprocess.run(
        [sys.executable, "-c", code, place], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "False False"


def test_a_closed_store_says_so(store: ChromaStore) -> None:
    store.put(MARA, [record("a", "rain")])
    store.close()
    store.close()
    with pytest.raises(MemoryStoreError, match="is closed"):
        store.query(MARA, "rain", 1)


def test_it_may_be_opened_in_a_thread_and_used_from_many(store: ChromaStore) -> None:
    def put_and_look(n: int) -> bool:
        shelf = MARA if n % 2 else TOBIN
        store.put(shelf, [record(f"r{n}", f"rain {'abcdefghij'[n % 10] * n}")])
        if n % 5 == 0:
            store.flush()
        seen = store.query(shelf, "rain", 3) and f"r{n}" in store.records(shelf)
        return bool(seen)

    with ThreadPoolExecutor(8) as threads:
        opening = threads.submit(store.open)
        assert all(threads.map(put_and_look, range(60)))
        opening.result()
    store.flush()
    assert len(store.records(MARA)) == len(store.records(TOBIN)) == 30
