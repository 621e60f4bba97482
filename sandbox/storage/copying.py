"""Copying: a save of its own that begins as part of another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandbox.storage.cassette import (
    Answering,
    Opened,
    Ordered,
    Steering,
    entry_line,
    read_cassette,
)
from sandbox.storage.files import write_whole
from sandbox.storage.journal import line_of
from sandbox.storage.saves import Save, create_save
from sandbox.story.beats import Beat
from sandbox.story.commands import Command

Ordering = tuple[Command, Beat]
"""A person's command, and the journal line that it led to."""


def copy_prefix(
    source: Save,
    folder: Path,
    beats: tuple[Beat, ...],
    note: str,
    ordered: Sequence[Ordering] = (),
) -> Save:
    """A save of its own that begins as the given prefix of `source`'s journal, with its cassette.

    Args:
        source: the save to copy.
        folder: the new save's.
        beats: the prefix.
        note: where the new save comes from.
        ordered: what is ordered in the new save before it is opened, with the lines it leads to.

    Raises:
        SaveError: the name is taken or the folder cannot be written.
        CassetteError: the cassette is damaged.
    """
    entries = entries_until(source, len(beats))
    entries += [Ordered(seq=beat.seq - 1, command=command) for command, beat in ordered]
    everything = [*beats, *(beat for _, beat in ordered)]
    entries.append(Opened(seq=len(everything)))
    lines, total = [], ""
    for beat in everything:
        line, total = line_of(beat, total)
        lines.append(f"{line}\n")
    manifest = source.manifest.model_copy(update={"branched_from": note})
    original = source.folder / "world" / source.manifest.world
    branch = create_save(folder, original, manifest)
    write_whole(branch.cassette_path, "".join(f"{entry_line(e)}\n" for e in entries))
    write_whole(branch.journal_path, "".join(lines))
    return branch


def entries_until(source: Save, last: int) -> list[Steering | Answering]:
    """The cassette up to what led to line `last`; steering that begins after it is left out.

    Raises:
        CassetteError: the cassette is damaged.
    """
    kept: list[Steering | Answering] = []
    for entry in read_cassette(source.cassette_path):
        seq = getattr(entry, "seq", None)
        if seq is not None and seq >= last:
            break
        kept.append(entry)
    return kept
