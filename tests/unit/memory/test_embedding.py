import logging
import socket
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from sandbox.memory.embedding import WordLlama, cached, unit_rows
from sandbox.memory.store import Embedder, Vectors

LINES = ["The cellar key is missing.", "地窖的钥匙不见了。", "Rain.", "Osric cannot read " * 40]


@pytest.fixture(scope="module")
def llama() -> WordLlama:
    return WordLlama()


class Counting:
    """Counts the texts it is asked for; each gets its length on the first axis."""

    name = "counting-2"
    dimensions = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32).reshape(-1, 2)


def test_rows_have_unit_length_and_blank_texts_have_none(llama: WordLlama) -> None:
    rows = llama.embed([*LINES, "", " \n"])
    assert rows.dtype == np.float32
    assert rows.shape == (6, llama.dimensions)
    assert np.allclose(np.linalg.norm(rows[:4], axis=1), 1.0, atol=1e-6)
    assert not rows[4:].any()


def test_no_texts_give_no_rows(llama: WordLlama) -> None:
    assert llama.embed([]).shape == (0, 256)


def test_a_text_has_one_vector_whatever_stands_beside_it(llama: WordLlama) -> None:
    together = llama.embed(LINES)
    alone = np.vstack([llama.embed([line]) for line in LINES])
    assert np.array_equal(together, alone)


def test_two_processes_give_the_same_vectors(llama: WordLlama) -> None:
    code = (
        "from sandbox.memory.embedding import WordLlama;"
        "print(WordLlama().embed(['The cellar key is missing.']).tobytes().hex())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == llama.embed(LINES[:1]).tobytes().hex()


def test_it_is_nearer_to_what_means_the_same(llama: WordLlama) -> None:
    key, lost, coins = llama.embed(["The key is missing.", "Who lost a key?", "Osric owes silver."])
    assert key @ lost > key @ coins


def test_nothing_is_looked_up_online(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: object, **kwargs: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    assert WordLlama().embed(["Rain."]).any()


def test_the_module_is_imported_without_its_model() -> None:
    code = (
        "import sys, sandbox.memory.embedding;"
        "print({'wordllama', 'tokenizers', 'chromadb'} & set(sys.modules))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "set()"


def test_loading_it_sends_no_log_lines_to_the_screen() -> None:
    code = (
        "import logging; from sandbox.memory.embedding import WordLlama; WordLlama();"
        "logging.getLogger('someone').info('chatter'); print(logging.getLogger().handlers)"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (other.stdout.strip(), other.stderr) == ("[]", "")
    assert logging.getLogger().level == logging.WARNING


def test_a_cached_embedder_asks_once_for_a_text() -> None:
    counting = Counting()
    embedder: Embedder = cached(counting)
    assert (embedder.name, embedder.dimensions) == ("counting-2", 2)
    rows = embedder.embed(["a", "bb", "a"])
    assert rows.tolist() == [[1, 1], [2, 1], [1, 1]]
    assert embedder.embed(["bb", "ccc"]).tolist() == [[2, 1], [3, 1]]
    assert counting.asked == ["a", "bb", "ccc"]
    assert embedder.embed([]).shape == (0, 2)


def test_a_cached_embedder_forgets_what_it_met_longest_ago() -> None:
    counting = Counting()
    embedder = cached(counting, size=2)
    embedder.embed(["a", "bb"])
    embedder.embed(["a", "ccc"])
    embedder.embed(["a"])
    embedder.embed(["bb"])
    assert counting.asked == ["a", "bb", "ccc", "bb"]


def test_a_batch_larger_than_the_cache_still_gets_all_its_rows() -> None:
    assert cached(Counting(), size=1).embed(["a", "bb", "a"]).tolist() == [[1, 1], [2, 1], [1, 1]]


def test_a_cached_row_cannot_be_spoilt_by_who_was_given_it() -> None:
    embedder = cached(Counting())
    embedder.embed(["a"])[:] = 9
    assert embedder.embed(["a"]).tolist() == [[1, 1]]


def test_a_zero_row_stays_zero() -> None:
    assert unit_rows(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist() == [
        [0.0, 0.0],
        pytest.approx([0.6, 0.8]),
    ]
