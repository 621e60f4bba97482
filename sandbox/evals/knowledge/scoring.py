"""Scores of whole files: witnesses and answers that came out as the list says."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.evals.knowledge.answering import answer, is_right
from sandbox.evals.knowledge.items import KNOWN_OPS, KNOWN_TYPES, ListedItem, Question
from sandbox.evals.knowledge.moment import Switches
from sandbox.evals.knowledge.reading import read_items
from sandbox.evals.knowledge.replaying import Replay, replay

_SHOWN = 50
"""Ids of what came out wrong, and refusals, that are listed."""


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
    """`item@event` for witnesses, `item#question` for answers."""
    refusals: list[str] = field(default_factory=list)
    """Events the stage did not allow: item, index, why, and what would be right."""
    problems: list[str] = field(default_factory=list)
    """Lines, events and questions that cannot be read."""
    seconds: float = 0.0
    """Spent playing: from item to world, without reading and asking."""

    @property
    def is_whole(self) -> bool:
        """Whether everything in the file was played and asked."""
        return not (self.unknown or self.refusals or self.problems)

    def as_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        tallies = {
            name: {key: vars(tally) for key, tally in sorted(getattr(self, name).items())}
            for name in ("by_op", "by_kind")
        }
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "refused": len(self.refusals),
            "unreadable": len(self.problems),
            **tallies,
            "wrong": self.wrong[:_SHOWN],
            "refusals": self.refusals[:_SHOWN],
            "events_per_second": round(self.events / self.seconds) if self.seconds else 0,
        }


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
        score.refusals += [
            f"{item.id}: event {item.events[number].i}: {why}"
            for number, why in played.refused.items()
        ]
        _score_witnesses(score, item, played)
        for number, question in enumerate(item.questions):
            _score_question(score, item, number, question, played, switches)
    return score


def _score_witnesses(score: Score, item: ListedItem, played: Replay) -> None:
    for event, heard in zip(item.events, played.witnesses, strict=True):
        expected = event.perceived_by
        if expected is None or event.type not in KNOWN_TYPES:
            continue
        score.witnessed += 1
        if heard == expected:
            score.witnessed_correct += 1
        else:
            score.wrong.append(f"{item.id}@{event.i}")


def _score_question(
    score: Score,
    item: ListedItem,
    number: int,
    question: Question,
    played: Replay,
    switches: Switches,
) -> None:
    op = question.ask.op
    if op not in KNOWN_OPS:
        score.unknown += 1
        return
    try:
        correct = is_right(answer(question.ask, played, switches.trust), question.gold, op)
    except (KeyError, IndexError):
        correct = False  # it asks about nobody or nothing of this list
    score.questions += 1
    score.correct += correct
    for tallies, key in ((score.by_op, op), (score.by_kind, question.kind)):
        tally = tallies.setdefault(key, Tally())
        tally.questions += 1
        tally.correct += correct
    if not correct:
        score.wrong.append(f"{item.id}#{number}")
