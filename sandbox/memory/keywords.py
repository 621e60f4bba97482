"""Which memories share the words of a query: an inverted index of one shelf, in the process only.

Static vectors hardly know a name, and tell Chinese sentences little apart: a name or a rare word in
a query brings its memories by this way, however many others are nearer by meaning.
"""

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest

import numpy as np
from numpy.typing import NDArray

from sandbox.memory.store import Record
from sandbox.memory.terms import Part, parts_of, terms_of

_CHARACTER = 0.4
"""What a text holds of a character that is in it, but in none of its pairs: 渡 of 渡口 in 渡船."""

_SHARPNESS = 1.5
"""Power of a word's rarity. At 1 the two names in `Osric Pell's wife` make up for the wife of whom
nobody ever spoke: 6 of 30 questions without an answer found support, at 1.5 half as many."""

_PLACES = 6
"""Decimals of a share: sums of floats in another order must not decide."""

_MOST_PARTS = 64
"""Of a long query the rarest parts speak. All 400 characters of a scene cost 12 ms, these 3."""

Numbers = NDArray[np.uint32]
Floats = NDArray[np.float64]


class WordIndex:
    """Grows with its shelf. Equal texts count once, and the latest of them stands for all."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._number_of_text: dict[str, int] = {}
        self._number_of_id: dict[str, int] = {}
        self._latest: list[tuple[int, str]] = []
        """By number of the text: journal line and id of the latest memory that says it."""
        self._postings: dict[str, array[int]] = {}
        """By term, the numbers of the texts that hold it."""
        self.add(records)

    def add(self, records: Iterable[Record]) -> None:
        """Take in memories of ids that are not there yet."""
        for record in records:
            number = self._number_of_text.setdefault(record.text, len(self._latest))
            if number == len(self._latest):
                self._latest.append((record.seq, record.id))
                for term in terms_of(record.text):
                    self._postings.setdefault(term, array("I")).append(number)
            self._number_of_id[record.id] = number
            self._latest[number] = max(self._latest[number], (record.seq, record.id))

    def shares(self, query: str) -> "Shares":
        """How much of the query's words each memory holds, rare words counting for more."""
        held = np.zeros(len(self._latest))
        # One for all parts: a clean one for each would cost more than all that is looked up.
        scratch = np.zeros(len(self._latest))
        weighed = [self._weighed(part, counts) for part, counts in parts_of(query).items()]
        chosen = nlargest(_MOST_PARTS, weighed, key=lambda one: one.counts * one.whole)
        for one in chosen:
            self._add(one, held, scratch)
        total = math.fsum(one.counts * one.whole for one in chosen)
        shares = np.round(held / total, _PLACES) if total else held
        return Shares(shares, self._number_of_id, self._latest)

    def _weighed(self, part: Part, counts: float) -> "_Weighed":
        # A pair nobody ever said is a seam between two words, and says nothing.
        pairs = {pair: self._rarity(pair) for pair in part.pairs if pair in self._postings}
        alone = self._rarity(part.term)
        return _Weighed(part, counts, max(pairs.values(), default=alone), alone, pairs)

    def _add(self, one: "_Weighed", held: Floats, scratch: Floats) -> None:
        """Add to `held` what each text holds of a part. Whatever holds a pair holds the character."""
        numbers = self._numbers(one.part.term)
        if not len(numbers):
            return
        share = min(1.0, _CHARACTER * one.alone / one.whole) if one.part.pairs else 1.0
        scratch[numbers] = share
        for pair, weight in one.pairs.items():
            with_pair = self._numbers(pair)
            scratch[with_pair] = np.maximum(scratch[with_pair], weight / one.whole)
        held[numbers] += one.counts * one.whole * scratch[numbers]
        scratch[numbers] = 0.0

    def _numbers(self, term: str) -> Numbers:
        found = self._postings.get(term)
        return np.frombuffer(found or b"", dtype=np.uint32)

    def _rarity(self, term: str) -> float:
        """By BM25's measure, never 0; a word that nobody here ever said is the rarest of all."""
        holding = len(self._postings.get(term, ()))
        rarity = math.log1p((len(self._latest) - holding + 0.5) / (holding + 0.5))
        return math.pow(rarity, _SHARPNESS)


@dataclass(frozen=True)
class _Weighed:
    """A part of a query with what it counts on this shelf."""

    part: Part
    counts: float
    whole: float
    """Rarity of the best that a text can hold of it."""
    alone: float
    """Rarity of the character or word by itself."""
    pairs: Mapping[str, float]
    """The pairs somebody said, with their rarity."""


@dataclass(frozen=True)
class Shares:
    """The answer of a `WordIndex` to one query. Good until the index grows."""

    _shares: Floats = field(default_factory=lambda: np.zeros(0))
    _number_of_id: Mapping[str, int] = field(default_factory=dict)
    _latest: Sequence[tuple[int, str]] = ()

    def of(self, id_: str) -> float:
        """The share of the query's words that a memory holds, in [0, 1]; 0 for one not known."""
        number = self._number_of_id.get(id_)
        return 0.0 if number is None else float(self._shares[number])

    def best(self, limit: int) -> list[str]:
        """Ids of the memories that hold most of them, best first; of equals the latest.

        What shares no word is not among them.
        """
        sharing = np.flatnonzero(self._shares)
        if limit <= 0:
            return []
        if len(sharing) > limit:
            last = np.partition(self._shares[sharing], -limit)[-limit]
            sharing = sharing[self._shares[sharing] >= last]
        return [
            self._latest[number][1] for number in sorted(sharing.tolist(), key=self._rank)[:limit]
        ]

    def _rank(self, number: int) -> tuple[float, int, str]:
        seq, id_ = self._latest[number]
        return -float(self._shares[number]), -seq, id_


def keyword_score(query: str, text: str) -> float:
    """The share of the query's words that `text` holds, in [0, 1]; 0 for a query without words."""
    return keyword_scores(query, [text])[0]


def keyword_scores(query: str, texts: Sequence[str]) -> list[float]:
    """`keyword_score` of each text, where words that most of `texts` hold count for less."""
    shares = _index_of(tuple(texts)).shares(query)
    return [shares.of(str(number)) for number in range(len(texts))]


@lru_cache(maxsize=256)
def _index_of(texts: tuple[str, ...]) -> WordIndex:
    """Kept, as the same few texts are compared again and again. Its ids are their numbers."""
    return WordIndex(Record(str(n), text, "", 0, 0, "") for n, text in enumerate(texts))
