"""Branches: a save of its own begun as a copy of another up to a turn, perhaps with a line changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandbox.engine.ordering import carry_out
from sandbox.engine.withdrawals import line_of, withdrawals_until
from sandbox.errors import SaveError
from sandbox.storage.cassette import Advanced, Answering, Closed, Opened, Ordered, Steering
from sandbox.storage.copying import Ordering, copy_prefix, entries_until
from sandbox.storage.saves import OpenSave, Save
from sandbox.story.beats import Beat
from sandbox.story.commands import Command, Edit, Retract, Rewind
from sandbox.story.fold import fold
from sandbox.story.withdrawing import surviving


def branch(source: Save, turn: int, folder: Path) -> Save:
    """A save of its own, begun as a copy of `source` up to and with `turn`.

    Raises:
        SaveError: the story never got there, or the name is taken.
    """
    return _branch(source, turn, folder, [])


def branch_edited(source: Save, turn: int, words: str, folder: Path) -> Save:
    """A save of its own up to `turn`, whose line there has other words; nothing of what followed.

    Raises:
        SaveError: the story never got there, or the name is taken.
        StageError: the turn has no words, or `words` is empty.
    """
    return _branch(source, turn, folder, [Edit(turn=turn, words=words)])


def _branch(source: Save, turn: int, folder: Path, then: Sequence[Command]) -> Save:
    beats = source.read().beats
    story = [beat for beat in surviving(beats) if beat.is_story]
    last = story[-1].turn if story else 0
    if not 0 <= turn <= last:
        raise SaveError(f"{source.folder}: is at turn {last}. `--at` takes 0 to {last}.")
    # What was edited or retracted later is no prefix of the journal: the rest is rewound there.
    prefix = withdrawals_until(beats, turn)
    left = [beat for beat in surviving(prefix) if beat.is_story]
    rewound: list[Command] = [Rewind(turn=turn)] if left and left[-1].turn > turn else []
    note = f"{source.name} at turn {turn}{', edited' if then else ''}"
    ordered = _ordered(source, prefix, [*rewound, *then])
    return copy_prefix(source, folder, prefix, note, ordered)


def _ordered(source: Save, prefix: tuple[Beat, ...], commands: Sequence[Command]) -> list[Ordering]:
    """What commands, given one after another at the end of a journal, lead to."""
    if not commands:
        return []
    round_ = last_round(prefix, entries_until(source, len(prefix)))
    canon, beats, found = source.canon(), list(prefix), list[Ordering]()
    for command in commands:
        world = fold(canon, source.manifest.start, beats).world
        beat = line_of(carry_out(command, world, beats), beats, round_)
        beats.append(beat)
        found.append((command, beat))
    return found


def take_back(save: Save, command: Retract | Edit) -> Beat:
    """Carry out a command on a save that is not being played. Its memory follows when it is opened.

    Raises:
        SaveError: it is open elsewhere, damaged or cannot be written.
        StageError: the story does not allow it; nothing has changed.
    """
    canon, opened = save.canon(), OpenSave(save)
    try:
        beats = list(opened.read.beats)
        world = fold(canon, save.manifest.start, beats).world
        order = carry_out(command, world, beats)
        beat = line_of(order, beats, last_round(beats, opened.entries))
        opened.cassette.write(Opened(seq=len(beats)), Ordered(seq=len(beats), command=command))
        opened.append(beat)
        opened.cassette.write(Closed(seq=beat.seq))
        return beat
    finally:
        opened.close()


def last_round(beats: Sequence[Beat], entries: Sequence[Steering | Answering]) -> int:
    """The last round that was begun."""
    asked = (entry.round for entry in entries if isinstance(entry, Advanced))
    return max([*(beat.round for beat in beats), *asked, 0])
