"""What a store hands to recall: memories near a query by meaning or by words, and what to judge by."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from sandbox.memory.background import Background, Sample
from sandbox.memory.keywords import Shares, WordIndex
from sandbox.memory.store import Embedder, Hit, Record, Vectors


@dataclass(frozen=True)
class Candidates:
    """Memories that may bear on a query; by default none, on an empty shelf."""

    hits: Sequence[Hit] = ()
    """Each once; those found by meaning first."""
    shares: Shares = field(default_factory=Shares)
    """How much of the query's words each memory of the shelf holds."""
    background: Background = field(default_factory=Background)
    """What the query has in common with whatever is on the shelf."""


class ShelfIndex:
    """What is known of a shelf beside its vectors. It is made from records alone, when first asked."""

    def __init__(self, embedder: Embedder, records: Iterable[Record]) -> None:
        held = list(records)
        self._words = WordIndex(held)
        self._sample = Sample(embedder, held)

    def add(self, records: Sequence[Record]) -> None:
        """Take in memories that were put on the shelf."""
        self._words.add(records)
        self._sample.add(records)

    def candidates(
        self,
        text: str,
        vector: Vectors,
        limit: int,
        nearest: Callable[[int], list[Hit]],
        compared: Callable[[Sequence[str]], list[Hit]],
    ) -> Candidates:
        """The `limit` nearest, and half as many that share most words; those found both ways once.

        Args:
            text: the query.
            vector: its vector, (d,) of unit length.
            limit: the most to take by meaning.
            nearest: finds that many by meaning.
            compared: the memories of given ids, as far as they are there, with their similarity.
        """
        shares = self._words.shares(text)
        # A text without a word is like nothing.
        hits = nearest(limit) if limit > 0 and vector.any() else []
        met = {hit.record.id for hit in hits}
        by_words = compared([id_ for id_ in shares.best(limit // 2) if id_ not in met])
        return Candidates([*hits, *by_words], shares, self._sample.background(vector))
