"""What comes to mind for a query: meaning, words, recency and salience together. Pure on a store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from sandbox.memory.keywords import keyword_scores
from sandbox.memory.store import Hit, MemoryStore, Record, Shelf

_CANDIDATES = 4
"""Taken by meaning for each memory wanted: words, recency and salience choose among them."""

MEANING = 0.42
"""Beside words it ranked best at equal weight, in either language, on shelves of 30 to 2,000."""

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

SUPPORT = 0.2
"""Relevance that counts as support. Measured with `wordllama-256`, 18 questions that one memory
answers and 18 that none does: on 30 memories it passed 17 and 3 in English, 17 and 1 in Chinese; on
1,730, 17 and 7 in English, 10 and 0 in Chinese, whose vectors tell less apart."""


@dataclass(frozen=True)
class Recalled:
    """A memory that came to mind, and why."""

    record: Record
    score: float
    """What it is ranked by, in [0, 1]."""
    similarity: float
    """Cosine to the query, in [-1, 1]. Says little alone: see `lift`."""
    lift: float
    """How far it stands out from the shelf's background: 0 not at all, 1 says the same."""
    keywords: float
    """Share of the query's words it holds, rare ones counting for more, in [0, 1]."""

    @property
    def relevance(self) -> float:
        """How much it bears on the query, whenever it was and however it mattered, in [0, 1]."""
        return (self.lift + self.keywords) / 2


def recall(
    store: MemoryStore, shelf: Shelf, query: str, *, limit: int, ages: Mapping[str, int]
) -> list[Recalled]:
    """The memories that bear most on `query`, best first; equals by id.

    Args:
        store: where they are kept.
        shelf: whose memories, and of which layer.
        query: a sentence, a question or a few names.
        limit: the most to return.
        ages: by scene id, how many scenes ago it was; 0 is the open one. A scene that is not there
            counts as the oldest. Empty: recency does not matter.
    """
    hits = store.query(shelf, query, _CANDIDATES * limit)
    background = background_of(hits)
    words = keyword_scores(query, [hit.record.text for hit in hits])
    recalled = [
        _recalled(hit, lift(hit.similarity, background), share, ages)
        for hit, share in zip(hits, words, strict=True)
    ]
    return sorted(recalled, key=lambda found: (-found.score, found.record.id))[:limit]


def _recalled(hit: Hit, lifted: float, words: float, ages: Mapping[str, int]) -> Recalled:
    parts = (
        MEANING * lifted,
        KEYWORDS * words,
        RECENCY * recency(hit.record.scene, ages),
        SALIENCE * hit.record.salience,
    )
    score = fsum(parts) * (OLD_PERCEPT if _is_old_percept(hit.record, ages) else 1.0)
    return Recalled(hit.record, round(score, 4), hit.similarity, lifted, words)


def _is_old_percept(record: Record, ages: Mapping[str, int]) -> bool:
    oldest = max(ages.values(), default=0)
    return record.kind == "percept" and ages.get(record.scene, oldest) > 0


def recency(scene: str, ages: Mapping[str, int]) -> float:
    """1 for the open scene, halved every few scenes before it."""
    age = ages.get(scene, max(ages.values(), default=0))
    return float(0.5 ** (age / _HALF_LIFE_SCENES))


def background_of(hits: Sequence[Hit]) -> float:
    """The similarity this query has to memories that are not about it.

    It is the mean over the less similar half of the candidates. Vectors of one language, one story
    or one manner of writing share a part that says nothing: unrelated pairs score about 0 to 0.1 in
    English and 0.4 to 0.6 in Chinese. A single memory is its own background: only its words speak.
    """
    lower = sorted(hit.similarity for hit in hits)[: (len(hits) + 1) // 2]
    return fsum(lower) / len(lower) if lower else 0.0


def lift(similarity: float, background: float) -> float:
    """How much of the way from the background to identity a similarity goes, in [0, 1]."""
    way = 1.0 - background
    return max(0.0, min(1.0, (similarity - background) / way)) if way > 0 else 0.0


def supported(recalled: Sequence[Recalled]) -> list[Recalled]:
    """Those that bear on the query enough to rest an answer on. None: there is no support."""
    return [found for found in recalled if found.relevance >= SUPPORT]
