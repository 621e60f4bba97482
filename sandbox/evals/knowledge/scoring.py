"""Scores of whole files: witnesses and answers that came out as the list says."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.evals.knowledge.answering import Answer, answer
from sandbox.evals.knowledge.items import KNOWN_OPS, ListedItem, Question, read_items
from sandbox.evals.knowledge.replaying import Replay, replay
from sandbox.evals.knowledge.translating import Switches

_SHOWN = 50
"""Ids of what came out wrong that are listed."""


@dataclass
class Tally:
    """Questions of one kind."""

    questions: int = 0
    correct: int = 0


@dataclass
class Score:
    """Figures of one file."""

    file: str
    items: int = 0
    events: int = 0
    witnessed: int = 0
    """Events whose witnesses the list states."""
    witnessed_correct: int = 0
    questions: int = 0
    correct: int = 0
    unknown: int = 0
    """Events and questions of a kind the form does not have; skipped."""
    by_op: dict[str, Tally] = field(default_factory=dict)
    by_kind: dict[str, Tally] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """`item@event` for witnesses, `item#question` for answers; the first 50."""
    refused: list[str] = field(default_factory=list)
    """Events the stage did not allow: item, index, why, and what would be right."""
    problems: list[str] = field(default_factory=list)
    """Lines that are no items."""
    seconds: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether everything in the file was played and asked."""
        return not (self.unknown or self.refused or self.problems)

    def as_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        tallies = {
            name: {key: vars(tally) for key, tally in sorted(getattr(self, name).items())}
            for name in ("by_op", "by_kind")
        }
        rate = round(self.events / self.seconds) if self.seconds else 0
        return (
            plain
            | tallies
            | {
                "wrong": self.wrong[:_SHOWN],
                "refused": self.refused[:_SHOWN],
                "events_per_second": rate,
            }
        )


_PLAIN = ("file", "items", "events", "witnessed", "witnessed_correct", "questions", "correct", "unknown")  # fmt: skip


def score_file(
    path: Path, switches: Switches, clock: Callable[[], float] = time.perf_counter
) -> Score:
    """Replay every item of a file and ask its questions.

    Raises:
        OSError: the file cannot be read.
    """
    score = Score(str(path))
    for item in read_items(path, score.problems):
        begun = clock()
        played = replay(item, switches)
        score.seconds += clock() - begun
        score.items += 1
        score.events += len(item.events)
        score.unknown += played.unknown
        score.refused += [f"{item.id}: event {i}: {why}" for i, why in played.refused]
        _score_witnesses(score, item, played)
        for number, question in enumerate(item.questions):
            _score_question(score, item, number, question, played, switches)
    return score


def _score_witnesses(score: Score, item: ListedItem, played: Replay) -> None:
    for event in item.events:
        expected = event.perceived_by
        if expected is None or (event.i not in played.heard and not _was_refused(played, event.i)):
            continue
        score.witnessed += 1
        if played.heard.get(event.i) == expected:
            score.witnessed_correct += 1
        else:
            score.wrong.append(f"{item.id}@{event.i}")


def _was_refused(played: Replay, number: int) -> bool:
    return any(number == i for i, _ in played.refused)


def _score_question(
    score: Score,
    item: ListedItem,
    number: int,
    question: Question,
    played: Replay,
    switches: Switches,
) -> None:
    if question.ask.op not in KNOWN_OPS:
        score.unknown += 1
        return
    try:
        is_right = answer(question.ask, played, switches.trust) == _gold(question.gold)
    except (KeyError, IndexError):
        is_right = False  # it asks about nobody or nothing of this list
    score.questions += 1
    score.correct += is_right
    for tallies, key in ((score.by_op, question.ask.op), (score.by_kind, question.kind)):
        tally = tallies.setdefault(key, Tally())
        tally.questions += 1
        tally.correct += is_right
    if not is_right:
        score.wrong.append(f"{item.id}#{number}")


def _gold(gold: Any) -> Answer:
    """An answer as it is compared: trimmed, sets as sets."""
    if isinstance(gold, list | tuple | set):
        return frozenset(str(name).strip() for name in gold)
    return None if gold is None else str(gold).strip()
