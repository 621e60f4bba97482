"""How well a character finds its own memories again: questions written by hand on lived shelves.

`recall@5` is the share of questions with one of whose marked memories among the first five. Of the
questions that no memory answers, the share counts for which nothing is held to be support.

`python -m sandbox.evals.recalling FOLDER [dev|held]`
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from sandbox.memory.chroma import ChromaStore
from sandbox.memory.embedding import WordLlama, cached
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.recall import Recalled, recall, supported
from sandbox.memory.store import Embedder, Layer, MemoryStore, Record, Shelf
from sandbox.story.ids import CharacterId
from sandbox.story.items import Language

Half = Literal["dev", "held"]
Kind = Literal["in_process", "chroma"]
_LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")
_WHOSE: Final = Shelf(CharacterId("somebody"), Layer.EPISODIC)
FIRST = 5
"""Memories among which one that answers has to be."""


@dataclass(frozen=True)
class Question:
    """A question put to the owner of a shelf."""

    id: str
    question: str
    gold: tuple[str, ...]
    """Ids of the memories that answer it, each by itself. Empty: none does."""
    form: str
    """`near` shares words with what answers it, `far` says it in other words."""
    half: str


@dataclass
class Figures:
    """One language, one store."""

    language: Language
    kind: Kind
    asked: int = 0
    found: dict[str, int] = field(default_factory=dict)
    """Questions answered by one of the first five, by form; of each form those asked under `of_FORM`."""
    reciprocal: float = 0.0
    """Sum over the questions of 1 by the place of the first memory that answers; 0 where none does."""
    backed: int = 0
    """Questions with a memory that answers and is held to be support."""
    unanswerable: int = 0
    refused: int = 0
    """Unanswerable questions with no support."""
    missed: list[str] = field(default_factory=list)
    """Ids of the questions with no answer among the first five, and of those falsely supported."""
    firsts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By question, the ids of the first five."""

    @property
    def recall(self) -> float:
        """Share in [0, 1] of the answerable questions with an answer among the first five."""
        return self.hits / self.asked if self.asked else 1.0

    @property
    def hits(self) -> int:
        return sum(count for name, count in self.found.items() if not name.startswith("of_"))

    def report(self) -> str:
        """One line for people."""
        forms = [f for f in self.found if not f.startswith("of_")]
        by_form = ", ".join(
            f"{form} {self.found[form]}/{self.found['of_' + form]}" for form in forms
        )
        return (
            f"{self.language} {self.kind:10} recall@{FIRST} {self.hits}/{self.asked} ({by_form}), "
            f"mean reciprocal rank {self.reciprocal / max(1, self.asked):.2f}, "
            f"supported {self.backed}/{self.asked}; without an answer: "
            f"no support {self.refused}/{self.unanswerable}; missed: {' '.join(self.missed) or '-'}"
        )


def measure(
    folder: Path, half: Half | None = None, kinds: Sequence[Kind] = ("in_process", "chroma")
) -> list[Figures]:
    """The figures for each language and store.

    Args:
        folder: holds `recall_shelf_LANGUAGE.jsonl` and `recall_LANGUAGE.jsonl`.
        half: which of the questions. None: all.
        kinds: which stores.
    """
    embedder = cached(WordLlama())
    return [
        _asked(
            language, kind, shelf_of(folder, language), _questions(folder, language, half), embedder
        )
        for language in _LANGUAGES
        for kind in kinds
    ]


def recall_figures(folder: Path) -> dict[str, float]:
    """The figures of all questions, for the benchmark; none where there are no questions."""
    if not (folder / "recall_en.jsonl").is_file():
        return {}
    figures: dict[str, float] = {}
    for found in measure(folder):
        name = f"recall_at_{FIRST}_{found.language}_{found.kind}"
        figures[name] = round(found.recall, 3)
        figures[f"no_support_{found.language}_{found.kind}"] = round(
            found.refused / max(1, found.unanswerable), 3
        )
    return figures


def shelf_of(folder: Path, language: Language) -> list[Record]:
    """The memories of one life."""
    return [Record(**row) for row in _rows(folder / f"recall_shelf_{language}.jsonl")]


def ages_of(records: Sequence[Record]) -> dict[str, int]:
    """How many scenes ago each scene was, for the end of a life."""
    scenes = list(dict.fromkeys(record.scene for record in sorted(records, key=lambda r: r.seq)))
    return {scene: len(scenes) - 1 - number for number, scene in enumerate(scenes)}


def _questions(folder: Path, language: Language, half: Half | None) -> list[Question]:
    rows = _rows(folder / f"recall_{language}.jsonl")
    found = [
        Question(row["id"], row["question"], tuple(row["gold"]), row["form"], row["half"])
        for row in rows
    ]
    return [question for question in found if half in (None, question.half)]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _asked(
    language: Language,
    kind: Kind,
    shelf: Sequence[Record],
    questions: Sequence[Question],
    embedder: Embedder,
) -> Figures:
    figures, ages = Figures(language, kind), ages_of(shelf)
    with tempfile.TemporaryDirectory() as scratch:
        store: MemoryStore = InProcessStore(embedder)
        if kind == "chroma":
            store = ChromaStore(Path(scratch), embedder)
        with closing(store):
            store.put(_WHOSE, shelf)
            store.flush()
            for question in questions:
                _count(figures, question, _first(store, question, ages))
    return figures


def _first(store: MemoryStore, question: Question, ages: Mapping[str, int]) -> list[Recalled]:
    return recall(store, _WHOSE, question.question, limit=FIRST, ages=ages)


def _count(figures: Figures, question: Question, recalled: Sequence[Recalled]) -> None:
    ids = tuple(found.record.id for found in recalled)
    figures.firsts[question.id] = ids
    support = {found.record.id for found in supported(recalled)}
    if not question.gold:
        figures.unanswerable += 1
        figures.refused += not support
        figures.missed += [question.id] if support else []
        return
    places = [place for place, id_ in enumerate(ids, start=1) if id_ in question.gold]
    figures.asked += 1
    figures.found[f"of_{question.form}"] = figures.found.get(f"of_{question.form}", 0) + 1
    figures.found[question.form] = figures.found.get(question.form, 0) + bool(places)
    figures.reciprocal += 1 / places[0] if places else 0.0
    figures.backed += not support.isdisjoint(question.gold)
    figures.missed += [] if places else [question.id]


if __name__ == "__main__":
    chosen = sys.argv[2] if len(sys.argv) > 2 else None
    for line in measure(Path(sys.argv[1]), chosen):  # type: ignore[arg-type]
        sys.stdout.write(line.report() + "\n")
