from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from sandbox.memory.embedding import WordLlama, cached, unit_rows
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.recall import Recalled, recall, recency, supported
from sandbox.memory.store import Embedder, Layer, Record, Shelf, Vectors
from sandbox.story.ids import CharacterId

MARA = Shelf(CharacterId("mara"), Layer.EPISODIC)

ENGLISH = (
    "The cellar key hung on the hook beside the stove until supper.",
    "Tobin saw a light under the cellar door at midnight.",
    "Osric owes the miller forty silver coins.",
    "The old bridge over the river collapsed last spring.",
    "Tobin is afraid of dogs since he was bitten as a child.",
    "The innkeeper waters down the wine on feast days.",
    "The storm tore the roof off the granary.",
    "Ines found a torn map inside the music box.",
)
CHINESE = (
    "地窖的钥匙一直挂在灶台旁边的钩子上。",
    "阿福半夜看见地窖门下有灯光。",
    "老吴欠磨坊主四十两银子。",
    "河上的旧桥去年春天塌了。",
    "阿福小时候被狗咬过，所以怕狗。",
    "掌柜过节的时候往酒里掺水。",
    "暴风掀翻了粮仓的屋顶。",
    "小梅在八音盒里发现一张撕破的地图。",
)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return cached(WordLlama())


def store_of(embedder: Embedder, records: Sequence[Record]) -> InProcessStore:
    store = InProcessStore(embedder)
    store.put(MARA, records)
    return store


def told(lines: Sequence[str]) -> list[Record]:
    return [Record(f"p:{n}", line, "percept", n, n, "s1") for n, line in enumerate(lines)]


def ask(
    embedder: Embedder,
    records: Sequence[Record],
    query: str,
    limit: int = 3,
    ages: Mapping[str, int] | None = None,
) -> list[Recalled]:
    return recall(store_of(embedder, records), MARA, query, limit=limit, ages=ages or {})


@pytest.mark.parametrize(
    ("lines", "query", "first"),
    [
        (ENGLISH, "Where did the cellar key hang?", 0),
        (ENGLISH, "Why does Tobin fear dogs?", 4),
        (ENGLISH, "How much money does Osric owe?", 2),
        (CHINESE, "地窖的钥匙挂在哪里？", 0),
        (CHINESE, "阿福为什么怕狗？", 4),
        (CHINESE, "老吴欠了多少钱？", 2),
    ],
)
def test_what_bears_on_a_question_comes_first_and_is_support(
    embedder: Embedder, lines: Sequence[str], query: str, first: int
) -> None:
    recalled = ask(embedder, told(lines), query)
    assert recalled[0].record.text == lines[first]
    assert recalled[0] in supported(recalled)


@pytest.mark.parametrize(
    ("lines", "query"),
    [
        (ENGLISH, "What is the capital of Portugal?"),
        (ENGLISH, "The quarterly earnings exceeded expectations."),
        (CHINESE, "葡萄牙的首都是哪里？"),
        (CHINESE, "公司的季度利润超出预期。"),
    ],
)
def test_what_nothing_bears_on_has_no_support_in_either_language(
    embedder: Embedder, lines: Sequence[str], query: str
) -> None:
    assert supported(ask(embedder, told(lines), query)) == []


def test_support_cannot_be_told_by_similarity_alone(embedder: Embedder) -> None:
    """The reason for `Background`: strangers in Chinese are nearer than friends in English."""
    stranger = ask(embedder, told(CHINESE), "葡萄牙的首都是哪里？")[0]
    friend = ask(embedder, told(ENGLISH), "Who saw light beneath the cellar door?")[0]
    assert stranger.similarity > 0.4
    assert stranger.lift < friend.lift


class Angles:
    """Vectors of known similarity to whatever is not in the table."""

    name = "angles-2"
    dimensions = 2

    def __init__(self, similarities: Mapping[str, float]) -> None:
        self.similarities = similarities

    def embed(self, texts: Sequence[str]) -> Vectors:
        cosines = np.array([self.similarities.get(text, 1.0) for text in texts])
        return unit_rows(np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1))


def test_a_name_that_the_vectors_miss_is_found_by_its_letters() -> None:
    lines = {"Somebody came.": 0.5, "Osric came.": 0.45, "It rains.": 0.4, "It snows.": 0.35}
    recalled = ask(Angles(lines), told(list(lines)), "Osric?", limit=1)
    assert [found.record.text for found in recalled] == ["Osric came."]


@pytest.mark.parametrize(
    ("other", "rare", "query"),
    [
        ("Somebody came to the door, {}.", "Osric came.", "Did Osric come to the door?"),
        ("有人来过门口，第{}回。", "阿福来过。", "阿福来过门口吗？"),
    ],
)
def test_a_rare_name_brings_its_memory_however_many_others_are_nearer(
    other: str, rare: str, query: str
) -> None:
    lines = {other.format(n): 0.8 - n / 10000 for n in range(600)} | {rare: -0.5}
    recalled = ask(Angles(lines), told(list(lines)), query, limit=1)
    assert [found.record.text for found in recalled] == [rare]


def test_what_one_said_over_and_over_comes_to_mind_once_as_it_was_last() -> None:
    lines = {"Tobin enters.": 0.9, "Tobin sits.": 0.8, "It rains.": 0.1}
    often = [Record(f"p:{n:02d}", "Tobin enters.", "percept", n, n, f"s{n}") for n in range(40)]
    ages = {f"s{n}": 39 - n for n in range(40)}
    recalled = ask(Angles(lines), [*often, *told(list(lines)[1:])], "Tobin?", 3, ages)
    assert [found.record.id for found in recalled] == ["p:39", "p:0"]


def test_facts_that_read_the_same_are_all_found(embedder: Embedder) -> None:
    facts = [Record(f"f:{n}", "The key is gone.", "fact", n, n, "") for n in range(2)]
    assert len(ask(embedder, [*facts, *told(ENGLISH)], "Is the key gone?")) == 3
    found = ask(embedder, [*facts, *told(ENGLISH)], "Is the key gone?", limit=2)
    assert [one.record for one in found] == facts


def test_of_two_alike_the_more_recent_scene_comes_first(embedder: Embedder) -> None:
    alike = [
        Record(f"p:{scene}", "The key is gone.", "episode", 1, 1, scene)
        for scene in ("lost", "old", "new")
    ]
    recalled = ask(embedder, alike, "the key", ages={"new": 0, "old": 3, "older": 9})
    assert [found.record.scene for found in recalled] == ["new", "old", "lost"]


def test_a_closed_scenes_summary_comes_before_its_percepts_and_an_open_ones_percepts_stand(
    embedder: Embedder,
) -> None:
    words = "Tobin saw a light under the cellar door at midnight."
    pair = [Record("a", words, "percept", 1, 1, "s1"), Record("b", words, "episode", 2, 2, "s1")]
    store = store_of(embedder, pair)

    def order(age: int) -> list[str]:
        found = recall(store, MARA, "What did Tobin see?", limit=2, ages={"s1": age})
        return [item.record.id for item in found]

    assert order(1) == ["b", "a"]
    assert order(0) == ["a", "b"]


def test_of_two_alike_the_more_salient_comes_first(embedder: Embedder) -> None:
    alike = [
        Record(f"p:{share}", "The key is gone.", "episode", 1, 1, "s1", salience=share)
        for share in (0.2, 0.9)
    ]
    assert ask(embedder, alike, "the key")[0].record.salience == 0.9


def test_equals_stand_by_id_and_scores_are_rounded(embedder: Embedder) -> None:
    alike = [Record(i, "The key is gone.", "episode", 1, 1, "s1") for i in ("c", "a", "b")]
    recalled = ask(embedder, [*alike, *told(ENGLISH)], "Where is the key?", limit=8)
    assert [found.record.id for found in recalled[:3]] == ["a", "b", "c"]
    assert all(found.score == round(found.score, 4) for found in recalled)
    assert all(0 <= found.score <= 1 for found in recalled)
    assert [found.score for found in recalled] == sorted(
        (found.score for found in recalled), reverse=True
    )


def test_recency_does_not_lift_what_has_nothing_to_do_with_it(embedder: Embedder) -> None:
    old = Record("p:old", "The cellar key hung beside the stove.", "percept", 1, 1, "long ago")
    new = [Record(f"n:{n}", x, "percept", 1, 1, "now") for n, x in enumerate(ENGLISH[2:])]
    recalled = ask(embedder, [old, *new], "Where is the cellar key?", ages={"now": 0, "s": 50})
    assert recalled[0].record == old


def test_no_more_than_the_limit_comes_to_mind(embedder: Embedder) -> None:
    assert len(ask(embedder, told(ENGLISH), "the key", limit=2)) == 2
    assert ask(embedder, told(ENGLISH), "the key", limit=0) == []
    assert ask(embedder, [], "the key") == []


def test_recency_halves_by_scenes() -> None:
    assert [recency(age) for age in (0, 4, 8)] == [1.0, 0.5, 0.25]
