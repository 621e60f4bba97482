"""The journal: one beat a line, append-only, each line chained to the one before by its checksum."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sandbox.errors import JournalError
from sandbox.storage.files import Appender
from sandbox.story.beats import Beat
from sandbox.story.ids import canonical_json, digest

MAX_LINE_BYTES = 8 * 1024 * 1024
"""Journals are untrusted: a longer line is damage."""


def line_of(beat: Beat, previous: str) -> tuple[str, str]:
    """The journal line of a beat, and its checksum.

    Args:
        beat: what to write.
        previous: checksum of the line before; empty for the first.
    """
    body = beat.as_json()
    total = digest(previous + canonical_json(body))
    return canonical_json({**body, "sum": total}), total


@dataclass(frozen=True)
class JournalRead:
    """What a journal file holds."""

    beats: tuple[Beat, ...]
    """All whole lines, withdrawn ones too, in order."""
    last_sum: str
    good_bytes: int
    """Length of the whole lines."""
    is_torn: bool
    """Whether a last line was cut, as a kill in mid-write leaves it; it is not among `beats`."""


def read_journal(path: Path, *, salvage: bool = False) -> JournalRead:
    """Read a journal.

    Args:
        path: the file; a missing one is an empty journal.
        salvage: stop before the first damaged line instead of refusing.

    Raises:
        JournalError: a line other than a torn last one is damaged; says which.
    """
    raw = path.read_bytes() if path.exists() else b""
    beats: list[Beat] = []
    total, good = "", 0
    for number, line, is_whole in _lines(raw):
        try:
            beat, total = _checked(line, total, len(beats) + 1)
        except ValueError as error:
            if not is_whole:
                return JournalRead(tuple(beats), total, good, is_torn=True)
            if salvage:
                break
            raise JournalError(
                f"{path}: line {number} is damaged: {error}. `sandbox branch SAVE --salvage NAME` "
                f"makes a save of the {number - 1} lines before it."
            ) from None
        if not is_whole:
            # A whole line whose line feed was not written was never acknowledged.
            return JournalRead(tuple(beats), _sum_of(beats), good, is_torn=True)
        beats.append(beat)
        good += len(line) + 1
    return JournalRead(tuple(beats), total, good, is_torn=False)


def _sum_of(beats: list[Beat]) -> str:
    total = ""
    for beat in beats:
        _, total = line_of(beat, total)
    return total


def _lines(raw: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """(number from 1, line, whether its line feed is there)."""
    *whole, rest = raw.split(b"\n")
    for number, line in enumerate(whole, start=1):
        yield number, line, True
    if rest:
        yield len(whole) + 1, rest, False


def _checked(line: bytes, previous: str, seq: int) -> tuple[Beat, str]:
    if len(line) > MAX_LINE_BYTES:
        raise ValueError("it is too long")
    try:
        body: Any = json.loads(line)
        total = body.pop("sum")
        beat = Beat.model_validate(body)
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ValueError("it is no JSON") from None
    except (ValidationError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise ValueError(f"it is no beat ({type(error).__name__})") from None
    if total != digest(previous + canonical_json(body)):
        raise ValueError("its checksum does not fit")
    if beat.seq != seq:
        raise ValueError(f"its number is {beat.seq}, not {seq}")
    return beat, str(total)


class Journal:
    """A journal open for appending."""

    def __init__(self, path: Path, *, last_sum: str, good_bytes: int) -> None:
        """Continue after `good_bytes`; a torn tail behind them is cut off, having never counted."""
        if path.exists() and path.stat().st_size > good_bytes:
            with path.open("r+b") as file:
                file.truncate(good_bytes)
        self._file = Appender(path)
        self._sum = last_sum

    def append(self, beat: Beat) -> None:
        """Put a beat on disk before anybody is shown it.

        Raises:
            SaveError: the disk refused.
        """
        line, total = line_of(beat, self._sum)
        self._file.append(line)
        self._sum = total

    def close(self) -> None:
        self._file.close()
