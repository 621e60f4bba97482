"""What comes to mind for a query: meaning, words, recency and salience together. Pure on a store."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from sandbox.memory.candidates import Candidates
from sandbox.memory.store import Hit, MemoryStore, Record, Shelf

_CANDIDATES = 4
"""Taken by meaning for each memory wanted, and half as many by words: what is wanted is among them."""

MEANING = 0.42
"""As much as words: a little more of either changed no more than one question of 46."""

KEYWORDS = 0.42
"""Names carry a story, and static vectors hardly know a name."""

RECENCY = 0.10
"""Breaks ties among the relevant: a related pair leads an unrelated one by about 0.2."""

SALIENCE = 0.06
"""Less than recency: it is a guess made when the memory was laid down."""

OLD_PERCEPT = 0.85
"""What is left of the score of a percept whose scene is over: its summary is to come first, and a
percept that bears clearly more on the query still passes it."""

_HALF_LIFE_SCENES = 4
"""Scenes after which recency has halved: about an act."""

SUPPORT = 0.45
"""What words and meaning have to bring together. On lives of 900 memories it passed 39 of 48 answers
that came to mind, and something for 3 of 30 questions that no memory answers."""

_EXCESS = 0.1
"""What a spread beyond chance counts for, beside a share of words: three say as much as a third of
the words."""


@dataclass(frozen=True)
class Recalled:
    """A memory that came to mind, and why."""

    record: Record
    score: float
    """What it is ranked by, in [0, 1]."""
    similarity: float
    """Cosine to the query, in [-1, 1]. Says little alone: see `lift` and `excess`."""
    lift: float
    """How far it stands out from the shelf's background: 0 not at all, 1 says the same."""
    excess: float
    """Spreads by which it does so beyond what the best of the shelf would by chance, ≥ 0."""
    keywords: float
    """Share of the query's words it holds, rare ones counting for more, in [0, 1]."""

    @property
    def support(self) -> float:
        """How much an answer could rest on it, whenever it was and however it mattered, ≥ 0."""
        return self.keywords + _EXCESS * self.excess


def recall(
    store: MemoryStore, shelf: Shelf, query: str, *, limit: int, ages: Mapping[str, int]
) -> list[Recalled]:
    """The memories that bear most on `query`, best first; equals by id.

    Percepts that say the same come to mind once, the best of them.

    Args:
        store: where they are kept.
        shelf: whose memories, and of which layer.
        query: a sentence, a question or a few names.
        limit: the most to return.
        ages: by scene id, how many scenes ago it was; 0 is the open one. A scene that is not there
            counts as the oldest. Empty: recency does not matter.
    """
    found = store.candidates(shelf, query, _CANDIDATES * limit)
    oldest = max(ages.values(), default=0)
    recalled = [_recalled(hit, found, ages.get(hit.record.scene, oldest)) for hit in found.hits]
    ranked = sorted(recalled, key=lambda one: (-one.score, one.record.id))
    return list(_each_once(ranked))[:limit]


def _each_once(ranked: Iterable[Recalled]) -> Iterable[Recalled]:
    said: set[str] = set()
    for one in ranked:
        record = one.record
        if record.kind != "percept" or record.text not in said:
            yield one
        if record.kind == "percept":
            said.add(record.text)


def _recalled(hit: Hit, found: Candidates, age: int) -> Recalled:
    record = hit.record
    words, lifted = found.shares.of(record.id), found.background.lift(hit.similarity)
    parts = (
        MEANING * lifted,
        KEYWORDS * words,
        RECENCY * recency(age),
        SALIENCE * record.salience,
    )
    score = fsum(parts) * (OLD_PERCEPT if record.kind == "percept" and age > 0 else 1.0)
    excess = found.background.excess(hit.similarity)
    return Recalled(record, round(score, 4), hit.similarity, lifted, excess, words)


def recency(age: int) -> float:
    """1 for the open scene, halved every few scenes before it.

    Args:
        age: how many scenes ago.
    """
    return float(0.5 ** (age / _HALF_LIFE_SCENES))


def supported(recalled: Sequence[Recalled]) -> list[Recalled]:
    """Those that bear on the query enough to rest an answer on. None: there is no support.

    It is judged against the shelf: a word counts by how few other memories hold it, a similarity as
    far as it exceeds what the best of so many memories reaches by chance.
    """
    return [found for found in recalled if found.support >= SUPPORT]
