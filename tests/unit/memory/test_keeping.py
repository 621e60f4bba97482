import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from sandbox.errors import MemoryStoreError
from sandbox.memory.chroma import ChromaStore
from sandbox.memory.embedding import unit_rows
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.keeping import UNFINISHED, Difference, MemoryFolder, difference, sync
from sandbox.memory.store import Layer, Record, Shelf, Vectors
from sandbox.story.ids import CharacterId

MARA = Shelf(CharacterId("mara"), Layer.EPISODIC)


class Letters:
    """Counts of letters as vectors: enough where only what is kept matters."""

    name = "letters-26"
    dimensions = 26

    def embed(self, texts: Sequence[str]) -> Vectors:
        counts = [[text.count(chr(97 + n)) for n in range(26)] for text in texts]
        return unit_rows(np.array(counts, dtype=np.float32).reshape(-1, 26))


def record(id_: str, text: str = "rain") -> Record:
    return Record(id_, text, "percept", 1, 1, "s1")


@pytest.fixture
def folder(tmp_path: Path) -> MemoryFolder:
    return MemoryFolder(tmp_path / "memory", Letters.name)


def begun(folder: MemoryFolder) -> Path:
    generation = folder.begin_generation()
    folder.switch(generation.name)
    return generation


def test_a_new_save_has_no_memory_yet(folder: MemoryFolder) -> None:
    assert folder.current() is None
    assert folder.applied == 0
    folder.sweep()
    assert not folder.path.exists(), "looking must not make anything"


def test_a_generation_counts_only_after_the_switch(folder: MemoryFolder) -> None:
    first = folder.begin_generation()
    assert folder.current() is None
    assert list(first.iterdir()) == []
    folder.switch(first.name)
    assert folder.current() == first == folder.path / "g0001"
    second = folder.begin_generation()
    assert folder.current() == first
    folder.switch(second.name)
    assert folder.current() == second == folder.path / "g0002"


def test_the_manifest_says_generation_embedder_and_schema(folder: MemoryFolder) -> None:
    begun(folder)
    assert json.loads(folder.manifest.read_text(encoding="utf-8")) == {
        "generation": "g0001",
        "embedder": "letters-26",
        "schema": 1,
    }
    assert sorted(path.name for path in folder.path.iterdir()) == ["g0001", "manifest.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"generation": "g0001"}',
        '{"generation": "g0009", "embedder": "letters-26", "schema": 1}',
        '{"generation": "../g0001", "embedder": "letters-26", "schema": 1}',
        '{"generation": 1, "embedder": "letters-26", "schema": 1}',
        '{"generation": "g0001", "embedder": "other-26", "schema": 1}',
        '{"generation": "g0001", "embedder": "letters-26", "schema": 2}',
        "\udcff",
    ],
)
def test_a_manifest_that_does_not_fit_means_rebuild_and_deletes_nothing(
    folder: MemoryFolder, text: str
) -> None:
    first = begun(folder)
    folder.applied = 7
    (folder.path.parent / "g0001").mkdir()
    folder.manifest.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert folder.current() is None
    assert folder.applied == 0
    folder.sweep()
    assert first.is_dir()
    assert begun(folder) == folder.current()


def test_a_generation_whose_last_write_was_cut_off_is_not_current(folder: MemoryFolder) -> None:
    generation = begun(folder)
    (generation / UNFINISHED).touch()
    assert folder.current() is None


def test_numbers_are_never_used_again(folder: MemoryFolder) -> None:
    begun(folder)
    begun(folder).rmdir()
    assert folder.begin_generation().name == "g0003"


def test_older_generations_and_broken_off_rebuilds_go_at_the_next_opening(
    folder: MemoryFolder,
) -> None:
    old = begun(folder)
    (old / "chroma.sqlite3").write_text("x", encoding="utf-8")
    current = begun(folder)
    folder.begin_generation()
    (folder.path / "notes").mkdir()
    folder.sweep()
    assert sorted(path.name for path in folder.path.iterdir()) == [
        current.name,
        "manifest.json",
        "notes",
    ]


@pytest.mark.parametrize("name", ["g0004", "manifest.json", "..", ""])
def test_only_a_generation_that_is_there_can_become_current(
    folder: MemoryFolder, name: str
) -> None:
    first = begun(folder)
    with pytest.raises(MemoryStoreError, match="no generation"):
        folder.switch(name)
    assert folder.current() == first


def test_a_switch_that_breaks_off_leaves_the_old_manifest(
    folder: MemoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = begun(folder)
    second = folder.begin_generation()

    def fail(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("os.replace", fail)
        with pytest.raises(MemoryStoreError, match="No space left"):
            folder.switch(second.name)
    assert folder.current() == first


def test_applied_belongs_to_its_generation(folder: MemoryFolder) -> None:
    first = begun(folder)
    folder.applied = 41
    folder.applied = 42
    assert json.loads((first / "applied.json").read_text(encoding="utf-8")) == {"seq": 42}
    assert MemoryFolder(folder.path, Letters.name).applied == 42
    begun(folder)
    assert folder.applied == 0


@pytest.mark.parametrize("text", ["", "{}", '{"seq": "9"}', '{"seq": -1}', '{"seq": true}', "9"])
def test_a_damaged_note_of_what_was_applied_means_nothing_is_sure(
    folder: MemoryFolder, text: str
) -> None:
    (begun(folder) / "applied.json").write_text(text, encoding="utf-8")
    assert folder.applied == 0


def test_nothing_is_noted_where_there_is_no_memory(folder: MemoryFolder) -> None:
    with pytest.raises(MemoryStoreError, match="no memory to note line 3 in"):
        folder.applied = 3


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file", encoding="utf-8")
    folder = MemoryFolder(tmp_path / "memory", Letters.name)
    assert folder.current() is None
    with pytest.raises(MemoryStoreError, match="g0001: cannot be written"):
        folder.begin_generation()


def test_a_difference_is_reported_and_nothing_is_touched() -> None:
    store = InProcessStore(Letters())
    store.put(MARA, [record("same"), record("other", "snow"), record("stranger")])
    expected = [record("same"), record("other"), record("lacking")]
    found = difference(store, MARA, iter(expected))
    assert found == Difference(missing=("lacking",), extra=("stranger",), changed=("other",))
    assert found
    assert set(store.records(MARA)) == {"same", "other", "stranger"}


@pytest.mark.parametrize("flushed", [False, True])
@pytest.mark.chroma
def test_sync_makes_a_shelf_what_is_expected(tmp_path: Path, flushed: bool) -> None:
    store = ChromaStore(tmp_path / "g0001", Letters())
    store.put(MARA, [record("same"), record("other", "snow"), record("stranger")])
    if flushed:
        store.flush()
    expected = [record("same"), record("other"), record("lacking")]
    assert sync(store, MARA, iter(expected)) == Difference(("lacking",), ("stranger",), ("other",))
    store.flush()
    assert store.records(MARA) == {one.id: one for one in expected}
    assert not sync(store, MARA, expected)
    store.close()


def test_sync_to_nothing_empties_a_shelf() -> None:
    store = InProcessStore(Letters())
    store.put(MARA, [record("a")])
    assert sync(store, MARA, []).extra == ("a",)
    assert store.records(MARA) == {}


def test_two_contents_expected_for_one_id_change_nothing() -> None:
    store = InProcessStore(Letters())
    store.put(MARA, [record("a")])
    with pytest.raises(MemoryStoreError, match="`b` is expected with two contents"):
        sync(store, MARA, [record("b"), record("b", "snow")])
    assert set(store.records(MARA)) == {"a"}


@pytest.mark.chroma
def test_a_memory_is_rebuilt_beside_the_open_one(folder: MemoryFolder) -> None:
    old = ChromaStore(begun(folder), Letters())
    old.put(MARA, [record("a"), record("spoilt")])
    old.flush()
    folder.applied = 9

    generation = folder.begin_generation()
    new = ChromaStore(generation, Letters())
    sync(new, MARA, [record("a"), record("b")])
    new.flush()
    folder.switch(generation.name)
    folder.applied = 10
    old.close()
    folder.sweep()

    new.put(MARA, [record("c")])
    new.flush()
    new.close()
    assert [path.name for path in folder.path.glob("g*")] == ["g0002"]
    again = ChromaStore(generation, Letters())
    assert set(again.records(MARA)) == {"a", "b", "c"}
    assert folder.applied == 10
    again.close()
