"""What a query has in common with memories that are not about it: the background of a shelf.

Vectors of one language, one story or one manner of writing share a part that says nothing:
unrelated pairs score about 0 to 0.1 in English and 0.4 to 0.6 in Chinese. So a similarity says
something only beside those that the same query has to a fixed sample of the shelf.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappush, heappushpop
from zlib import crc32

import numpy as np

from sandbox.memory.store import Embedder, Record, Vectors

SAMPLE = 128
"""Texts in the sample: their median is known to a tenth of their spread."""

_LEAST_SPREAD = 0.05
"""Of a few memories that happen to be alike; measured on 30 to 5,000, it is 0.06 to 0.13."""


_ONE_BELOW = 0.16
"""Share of normal values more than one standard deviation below the middle. What is below it is not
about the query; of a dozen memories, those that are would move a mean and widen a deviation."""


@dataclass(frozen=True)
class Background:
    """How similar a query is to whatever is on the shelf."""

    middle: float = 0.0
    """Median similarity."""
    spread: float = _LEAST_SPREAD
    """Standard deviation below the middle."""
    count: int = 0
    """Texts on the shelf, each counted once."""

    def lift(self, similarity: float) -> float:
        """How much of the way from the background to identity a similarity goes, in [0, 1]."""
        way = 1.0 - self.middle
        return max(0.0, min(1.0, (similarity - self.middle) / way)) if way > 0 else 0.0

    def excess(self, similarity: float) -> float:
        """Spreads by which a similarity exceeds what the best of so many reaches by chance, ≥ 0.

        Of n normal values the highest is expected at √(2 ln n): 2.6 of 30, 4.1 of 5,000.
        """
        by_chance = math.sqrt(2 * math.log(self.count)) if self.count > 1 else 0.0
        return max(0.0, (similarity - self.middle) / self.spread - by_chance)


class Sample:
    """The same texts of a shelf, whatever order they came in: those of the lowest checksums."""

    def __init__(self, embedder: Embedder, records: Iterable[Record] = ()) -> None:
        self._embedder = embedder
        self._texts: set[str] = set()
        self._lowest: list[tuple[int, str]] = []
        """A heap of negated checksums with their texts: the highest of the sample comes first."""
        self._rows: Vectors | None = None
        """Their vectors, made when asked for; None after a change."""
        self.add(records)

    def add(self, records: Iterable[Record]) -> None:
        """Take in more memories."""
        for text in (record.text for record in records if record.text not in self._texts):
            self._texts.add(text)
            entry = (-crc32(text.encode()), text)
            if len(self._lowest) < SAMPLE:
                heappush(self._lowest, entry)
                self._rows = None
            elif heappushpop(self._lowest, entry) != entry:
                self._rows = None

    def background(self, vector: Vectors) -> Background:
        """The background of a query, (d,) of unit length. A single memory is its own."""
        if not self._lowest:
            return Background()
        if self._rows is None:
            self._rows = self._embedder.embed([text for _, text in sorted(self._lowest)])
        similarities = self._rows.astype(np.float64) @ vector.astype(np.float64)
        low, middle = np.quantile(similarities, (_ONE_BELOW, 0.5))
        spread = max(_LEAST_SPREAD, float(middle - low))
        return Background(float(middle), spread, len(self._texts))
