"""What every memory store owes its callers; Chroma and the in-process store alike."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from sandbox.errors import MemoryStoreError
from sandbox.memory.chroma import ChromaStore
from sandbox.memory.embedding import WordLlama, cached
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import Embedder, Layer, MemoryStore, Record, Shelf
from sandbox.story.ids import CharacterId

MARA = Shelf(CharacterId("mara"), Layer.EPISODIC)
MARA_KNOWS = Shelf(CharacterId("mara"), Layer.SEMANTIC)
TOBIN = Shelf(CharacterId("tobin"), Layer.EPISODIC)

WHO = ("Mara", "Tobin", "Ines", "Osric", "the miller", "a stranger", "my sister", "the watchman")
DID = ("hid", "found", "asked about", "broke", "spoke of", "looked for", "gave away", "praised")
WHAT = ("the cellar key", "a silver ring", "the letter", "her lantern", "a loaf", "the horse")
WHERE = ("in the kitchen", "by the well", "at supper", "in the attic", "on the road", "at dawn")


def record(id_: str, text: str, seq: int = 1, salience: float = 0.5) -> Record:
    return Record(id_, text, "percept", seq=seq, turn=seq, scene="supper", salience=salience)


def many(count: int) -> list[Record]:
    """Sentences that are alike, as those of one story are, and differ all the same."""
    parts = [
        (WHO[n % 8], DID[n // 8 % 8], WHAT[n // 64 % 6], WHERE[n // 384]) for n in range(count)
    ]
    return [record(f"p:{n:04d}", f"{' '.join(part)}.", seq=n) for n, part in enumerate(parts)]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return cached(WordLlama())


@pytest.fixture(params=["in_process", pytest.param("chroma", marks=pytest.mark.chroma)])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, embedder: Embedder
) -> Iterator[MemoryStore]:
    store: MemoryStore = InProcessStore(embedder)
    if request.param == "chroma":
        store = ChromaStore(tmp_path / "g0001", embedder)
    yield store
    store.close()


@pytest.fixture
def reopened(tmp_path: Path, embedder: Embedder) -> Iterator[Callable[[], ChromaStore]]:
    """Opens the same folder again, after closing what was open."""
    opened: list[ChromaStore] = []

    def reopen() -> ChromaStore:
        for store in opened:
            store.close()
        opened.append(ChromaStore(tmp_path / "g0001", embedder))
        return opened[-1]

    yield reopen
    for store in opened:
        store.close()


def texts(store: MemoryStore, shelf: Shelf, query: str, limit: int = 3) -> list[str]:
    return [hit.record.text for hit in store.query(shelf, query, limit)]


def test_what_was_put_comes_back_whole(store: MemoryStore) -> None:
    kept = Record("e:1", "I hid the key.", "episode", seq=7, turn=5, scene="s2", salience=0.1)
    store.put(MARA, [kept])
    assert store.records(MARA) == {"e:1": kept}
    store.flush()
    assert store.records(MARA) == {"e:1": kept}
    assert [hit.record for hit in store.query(MARA, "key", 1)] == [kept]


@pytest.mark.parametrize("flushed", [False, True])
def test_the_same_memory_twice_is_no_change(store: MemoryStore, flushed: bool) -> None:
    store.put(MARA, [record("a", "Rain."), record("a", "Rain.")])
    if flushed:
        store.flush()
    store.put(MARA, [record("a", "Rain.")])
    assert store.records(MARA) == {"a": record("a", "Rain.")}
    assert len(store.query(MARA, "Rain.", 5)) == 1


@pytest.mark.parametrize("flushed", [False, True])
@pytest.mark.parametrize("other", [record("a", "Snow."), record("a", "Rain.", salience=0.9)])
def test_an_id_never_gets_other_content(store: MemoryStore, other: Record, flushed: bool) -> None:
    store.put(MARA, [record("a", "Rain.")])
    if flushed:
        store.flush()
    with pytest.raises(MemoryStoreError, match=r"mara.episodic.*`a` is there with other content"):
        store.put(MARA, [record("b", "Wind."), other])
    assert store.records(MARA) == {"a": record("a", "Rain.")}, "nothing of it may be put"


def test_two_contents_for_one_id_in_one_call_are_refused(store: MemoryStore) -> None:
    with pytest.raises(MemoryStoreError, match="other content"):
        store.put(MARA, [record("a", "Rain."), record("a", "Snow.")])
    assert store.records(MARA) == {}


def test_what_is_pending_is_found_beside_what_is_on_disk(store: MemoryStore) -> None:
    store.put(MARA, [record("a", "The cellar key is missing.")])
    store.flush()
    store.put(MARA, [record("b", "Somebody took the cellar key.")])
    assert set(texts(store, MARA, "cellar key")) == {
        "The cellar key is missing.",
        "Somebody took the cellar key.",
    }


@pytest.mark.parametrize("flushed", [False, True])
def test_what_was_removed_is_gone(store: MemoryStore, flushed: bool) -> None:
    store.put(MARA, [record("a", "Rain."), record("b", "Snow.")])
    if flushed:
        store.flush()
    store.remove(MARA, ["a", "not there"])
    store.remove(TOBIN, ["a"])
    store.flush()
    assert set(store.records(MARA)) == {"b"}
    assert texts(store, MARA, "Rain.") == ["Snow."]


def test_a_removed_id_may_come_back_with_other_content(store: MemoryStore) -> None:
    store.put(MARA, [record("a", "Rain.")])
    store.flush()
    store.remove(MARA, ["a"])
    store.put(MARA, [record("a", "Snow.")])
    assert store.records(MARA) == {"a": record("a", "Snow.")}
    store.flush()
    assert texts(store, MARA, "weather") == ["Snow."]


@pytest.mark.parametrize("flushed", [False, True])
def test_nobody_finds_what_lies_on_another_shelf(store: MemoryStore, flushed: bool) -> None:
    store.put(MARA, [record("a", "The cellar key is missing.")])
    store.put(TOBIN, [record("a", "I saw a light under the cellar door.")])
    if flushed:
        store.flush()
    assert texts(store, TOBIN, "The cellar key is missing.") == [
        "I saw a light under the cellar door."
    ]
    assert texts(store, MARA_KNOWS, "key") == []
    assert store.records(MARA_KNOWS) == {}
    assert store.shelves() == [MARA, TOBIN]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Who saw a light in the cellar?", "I saw a light under the cellar door."),
        ("地窖的钥匙在哪里？", "地窖的钥匙不见了。"),
        ("庙里谁成亲了？", "小梅和老吴在庙里偷偷成了亲。"),
    ],
)
def test_the_memory_that_means_it_is_found_first(
    store: MemoryStore, query: str, expected: str
) -> None:
    told = [
        "I saw a light under the cellar door.",
        "Osric owes the miller forty silver coins.",
        "The bread was stale again.",
        "地窖的钥匙不见了。",
        "小梅和老吴在庙里偷偷成了亲。",
        "昨夜的风吹倒了篱笆。",
    ]
    store.put(MARA, [record(f"p:{n}", text) for n, text in enumerate(told)])
    store.flush()
    assert texts(store, MARA, query, 1) == [expected]


def test_hits_fall_in_similarity_and_equals_stand_by_id(store: MemoryStore) -> None:
    store.put(MARA, [record("z", "Tobin enters."), record("m", "The hens are fed.")])
    store.flush()
    store.put(MARA, [record("b", "Tobin enters."), record("c", "Tobin enters.")])
    hits = store.query(MARA, "Tobin enters.", 4)
    assert [hit.record.id for hit in hits] == ["b", "c", "z", "m"]
    assert [hit.similarity for hit in hits[:3]] == [1.0, 1.0, 1.0]
    assert hits[3].similarity == round(hits[3].similarity, 4) < 0.5


def test_among_forty_equals_the_first_ids_are_chosen(store: MemoryStore) -> None:
    store.put(MARA, [record(f"p:{n:02d}", "Tobin enters.") for n in reversed(range(40))])
    store.flush()
    found = [hit.record.id for hit in store.query(MARA, "Tobin enters.", 3)]
    assert found == ["p:00", "p:01", "p:02"]


@pytest.mark.parametrize("flushed", [False, True])
def test_a_name_is_found_by_its_word_however_many_are_nearer_by_meaning(
    store: MemoryStore, flushed: bool
) -> None:
    store.put(
        MARA,
        [
            *many(600),
            record(
                "o", "The hens were hoarse, and Quarles swept snow off a fence all morning.", seq=3
            ),
        ],
    )
    if flushed:
        store.flush()
    query = "Did Quarles find the letter in the kitchen at supper?"
    assert "o" not in {hit.record.id for hit in store.query(MARA, query, 24)}
    found = store.candidates(MARA, query, 24)
    assert "o" in {hit.record.id for hit in found.hits}
    assert found.shares.of("o") > found.shares.of("p:0000")
    assert len({hit.record.id for hit in found.hits}) == len(found.hits) <= 36
    assert found.background.count == 601


def test_words_find_what_was_put_later_and_not_what_was_removed(store: MemoryStore) -> None:
    store.put(MARA, many(100))
    store.flush()

    def share() -> float:
        return store.candidates(MARA, "Zebulon", 4).shares.of("late")

    assert share() == 0.0
    store.put(MARA, [record("late", "Zebulon came.")])
    assert share() == 1.0
    store.flush()
    assert share() == 1.0
    store.remove(MARA, ["late"])
    assert share() == 0.0


@pytest.mark.parametrize("query", ["", "  ", "?!"])
def test_without_a_word_nothing_shares_words(store: MemoryStore, query: str) -> None:
    store.put(MARA, [record("a", "Rain."), record("b", "!?")])
    assert store.candidates(MARA, query, 4).shares.best(4) == []
    assert store.candidates(TOBIN, "rain", 4).hits == []


def test_an_empty_memory_is_kept_and_an_empty_query_finds_nothing(store: MemoryStore) -> None:
    store.put(MARA, [record("a", ""), record("b", "Rain.")])
    store.flush()
    assert set(store.records(MARA)) == {"a", "b"}
    assert [hit.similarity for hit in store.query(MARA, "Rain.", 5)] == [1.0, 0.0]
    assert store.query(MARA, "  ", 5) == []
    assert store.query(MARA, "Rain.", 0) == []


def test_nothing_put_makes_no_shelf(store: MemoryStore) -> None:
    store.put(MARA, [])
    store.flush()
    assert store.shelves() == []
    assert store.query(MARA, "Rain.", 3) == []


def test_a_thousand_memories_are_kept_and_found(store: MemoryStore) -> None:
    told = many(1000)
    store.put(MARA, told)
    store.flush()
    assert store.records(MARA) == {record.id: record for record in told}
    assert store.query(MARA, told[777].text, 1)[0].record == told[777]


@pytest.mark.chroma
def test_both_stores_hold_and_find_the_same(tmp_path: Path, embedder: Embedder) -> None:
    stores: tuple[MemoryStore, ...] = (
        InProcessStore(embedder),
        ChromaStore(tmp_path / "g0001", embedder),
    )
    told = many(400)
    for store in stores:
        store.put(MARA, told[:350])
        store.flush()
        store.put(MARA, told[350:])
        store.remove(MARA, [told[3].id, told[399].id])
    exact, chroma = stores
    assert exact.records(MARA) == chroma.records(MARA)
    for query in ("Where is the cellar key?", "Osric at supper", "谁拿了钥匙？", told[40].text):
        assert exact.query(MARA, query, 10) == chroma.query(MARA, query, 10)
        found = exact.candidates(MARA, query, 24), chroma.candidates(MARA, query, 24)
        assert found[0].background == found[1].background
        for id_ in exact.records(MARA):
            assert found[0].shares.of(id_) == found[1].shares.of(id_)
        by_id = [sorted((hit.record.id, hit.similarity) for hit in one.hits) for one in found]
        assert by_id[0] == by_id[1]
    chroma.close()


@pytest.mark.chroma
def test_what_was_flushed_is_there_after_reopening(reopened: Callable[[], ChromaStore]) -> None:
    told = many(30)
    store = reopened()
    store.put(MARA, told[:20])
    store.flush()
    store.put(TOBIN, told[20:])  # closing flushes it
    again = reopened()
    assert again.shelves() == [MARA, TOBIN]
    assert again.records(MARA) == {record.id: record for record in told[:20]}
    assert again.records(TOBIN) == {record.id: record for record in told[20:]}
    assert again.query(MARA, told[5].text, 1)[0].record == told[5]
    with pytest.raises(MemoryStoreError, match="other content"):
        again.put(MARA, [record(told[5].id, "Something else.")])


def test_an_embedder_gives_rows_of_unit_length(embedder: Embedder) -> None:
    rows = embedder.embed([record.text for record in many(50)])
    assert rows.dtype == np.float32
    assert rows.shape == (50, embedder.dimensions)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
