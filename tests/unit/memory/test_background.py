"""What a query has in common with whatever is on a shelf, and what stands out from it."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from sandbox.memory.background import SAMPLE, Background, Sample
from sandbox.memory.embedding import unit_rows
from sandbox.memory.store import Record, Vectors


class Numbers:
    """A text is a number, and its cosine to (1, 0) is that number."""

    name = "numbers-2"
    dimensions = 2

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        cosines = np.array([float(text) for text in texts])
        return unit_rows(np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1))


QUERY = np.array([1.0, 0.0], dtype=np.float32)


def records(texts: Sequence[str]) -> list[Record]:
    return [Record(f"p:{n}", text, "percept", n, n, "s1") for n, text in enumerate(texts)]


def test_the_background_is_the_middle_of_what_is_there_each_text_once() -> None:
    background = Sample(Numbers(), records(["0.2", "0.4", "0.4", "0.6"])).background(QUERY)
    assert background.middle == pytest.approx(0.4)
    assert background.spread == pytest.approx(0.2 * 0.68, abs=1e-6)
    assert background.count == 3


def test_what_is_about_the_query_does_not_hide_in_its_own_background() -> None:
    shelf = [str(0.40 + n / 100) for n in range(8)]
    apart = Sample(Numbers(), records(shelf)).background(QUERY)
    among = Sample(Numbers(), records([*shelf, "0.95"])).background(QUERY)
    assert among.middle == pytest.approx(apart.middle, abs=0.01)
    assert among.excess(0.95) > 0.8 * apart.excess(0.95) > 4


def test_a_single_memory_is_its_own_background() -> None:
    background = Sample(Numbers(), records(["0.9"])).background(QUERY)
    assert background.lift(0.9) == pytest.approx(0.0, abs=1e-6)
    assert background.excess(0.9) == pytest.approx(0.0, abs=1e-5)


def test_an_empty_shelf_has_none() -> None:
    assert Sample(Numbers()).background(QUERY) == Background()


def test_lift_is_a_share_of_the_way_left() -> None:
    assert Background(middle=0.5).lift(0.75) == Background(middle=0.0).lift(0.5) == 0.5
    assert Background(middle=0.5).lift(0.2) == Background(middle=1.0).lift(1.0) == 0.0
    assert Background(middle=0.5).lift(1.0) == 1.0


def test_the_more_memories_the_farther_the_best_has_to_stand_out() -> None:
    by_count = [Background(0.4, 0.1, count).excess(0.9) for count in (1, 30, 900, 5000)]
    assert by_count == sorted(by_count, reverse=True)
    assert by_count[0] == pytest.approx(5.0)
    assert by_count[3] == pytest.approx(5.0 - math.sqrt(2 * math.log(5000)))
    assert Background(0.4, 0.1, 900).excess(0.7) == 0.0


def test_the_sample_is_the_same_whatever_order_memories_came_in() -> None:
    held = records([str(n / 2000) for n in range(1000)])
    at_once = Sample(Numbers(), held).background(QUERY)
    grown = Sample(Numbers(), held[:300])
    grown.background(QUERY)
    grown.add(held[:200:-1])
    assert grown.background(QUERY) == at_once
    assert at_once.middle == pytest.approx(0.25, abs=0.03)


def test_no_more_is_embedded_than_the_sample_and_that_once() -> None:
    embedder = Numbers()
    sample = Sample(embedder, records([str(n / 2000) for n in range(1000)]))
    for _ in range(3):
        sample.background(QUERY)
    assert embedder.embedded == SAMPLE
