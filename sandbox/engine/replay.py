"""Replay: a save plays again from its manifest, its world and its cassette, into an empty folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.agents.minds import LANGUAGE_MIND_VERSION
from sandbox.agents.rehearsal import REHEARSAL_VERSION
from sandbox.engine.casting import casting_of
from sandbox.engine.home import InProcessHome
from sandbox.engine.keeper import Keeper
from sandbox.engine.outside import TapedOutside
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted
from sandbox.errors import BoundaryError, CassetteError, StageError
from sandbox.memory.candidates import Candidates
from sandbox.memory.store import Hit, MemoryStore, Record, Shelf
from sandbox.storage.cassette import (
    Advanced,
    Closed,
    Key,
    Opened,
    Ordered,
    Steering,
    Stopped,
    Tape,
    read_cassette,
    steering,
)
from sandbox.storage.saves import OpenSave, Save, create_save
from sandbox.storage.world_copy import folder_digest
from sandbox.story.beats import RULES_VERSION


@dataclass
class Verdict:
    """What a verification found."""

    lines: int
    """Journal lines that came out again, byte for byte."""
    problem: str = ""
    """Empty: the journal came out the same."""
    notes: list[str] = field(default_factory=list)
    """What is worth knowing and no fault: drift, a round that a kill cut off."""

    @property
    def is_same(self) -> bool:
        return not self.problem


class _NoMemory(InProcessHome):
    """A replay searches nothing: what searches returned is on the cassette."""

    def open(self) -> MemoryStore:
        """A store that keeps nothing."""
        return _Nowhere()


class _Nowhere:
    def put(self, shelf: Shelf, records: Iterable[Record]) -> None: ...

    def remove(self, shelf: Shelf, ids: Iterable[str]) -> None: ...

    def flush(self, shelf: Shelf | None = None) -> None: ...

    def close(self) -> None: ...

    def query(self, shelf: Shelf, text: str, limit: int) -> list[Hit]:
        return []

    def candidates(self, shelf: Shelf, text: str, limit: int) -> Candidates:
        return Candidates()

    def records(self, shelf: Shelf) -> Mapping[str, Record]:
        return {}

    def shelves(self) -> Sequence[Shelf]:
        return ()


async def verify(save: Save) -> Verdict:
    """Play a save again and compare the journals. `journal.jsonl` is not opened before the end.

    Raises:
        CassetteError: the cassette is damaged or lacks what the story needs.
        WorldFileError: the copied world cannot be read.
    """
    world = save.folder / "world" / save.manifest.world
    if folder_digest(world) != save.manifest.world_digest:
        return Verdict(0, f"{world}: is not the world this save was begun with.")
    with TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        again, drift = Path(empty) / "again", list[str]()
        # Where the story went another way, what came then need not be possible: the lines tell.
        with suppress(BoundaryError, StageError):
            _, drift = await play_again(save, again)
        verdict = _compared(save, again / save.journal_path.name)
        if not verdict.is_same and (then := _begun_under(save)):
            verdict.problem += f" {then}"
        verdict.notes += [f"request `{key}` was not as recorded." for key in drift]
        return verdict


def _begun_under(save: Save) -> str:
    """What the save was begun under that is another today; empty: nothing."""
    pairs = (
        ("perception rules", save.manifest.rules, RULES_VERSION),
        ("rehearsal", save.manifest.rehearsal, REHEARSAL_VERSION),
        ("a model mind", save.manifest.language_mind, LANGUAGE_MIND_VERSION),
    )
    then = [f"{name} {old} (today {now})" for name, old, now in pairs if old != now]
    if not then:
        return ""
    return f"It was begun under {' and '.join(then)}; it opens and goes on, and is not played again alike."


async def play_again(save: Save, folder: Path) -> tuple[Save, list[str]]:
    """Play a save's cassette into `folder`. Returns the new save and what drifted."""
    played = create_save(folder, save.folder / "world" / save.manifest.world, save.manifest)
    entries = read_cassette(save.cassette_path)
    tape, drift = Tape(entries), list[str]()

    def outside(key: Key) -> TapedOutside:
        return TapedOutside(tape, key, drift)

    opened = OpenSave(played)
    session = Session(
        opened, played.canon(), casting_of(played.manifest), Keeper(_NoMemory()), outside
    )
    session.start()
    try:
        await _steer(session, list(steering(entries)))
    finally:
        await session.close()
    return played, drift


async def _steer(session: Session, entries: list[Steering]) -> None:
    """Do what was done then. What was begun and never got to disk has no effect here either."""
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        until = after.seq if after is not None else None
        if until is not None and until <= entry.seq and not isinstance(entry, Advanced):
            continue
        match entry:
            case Advanced():
                try:
                    await _round(session, entry, until)
                except CassetteError:
                    # A kill cut the last round off before its answers came: the journals tell how far.
                    if after is not None:
                        raise
            case Ordered():
                session.command(entry.command, until)
            case Opened() | Stopped() | Closed():
                pass


async def _round(session: Session, entry: Advanced, until: int | None) -> None:
    """One round, up to the line at which it was cut off then."""
    if until is not None and session.seq >= until:
        session.skip_round()
        return
    async with aclosing(session.advance(entry.limit, until)) as updates:
        async for update in updates:
            if isinstance(update, BeatCommitted) and session.seq == until:
                return


def _compared(save: Save, played: Path) -> Verdict:
    """The first line in which two journals differ, in words."""
    old = save.journal_path.read_bytes().splitlines(keepends=True)
    new = played.read_bytes().splitlines(keepends=True)
    for number, (then, now) in enumerate(zip(old, new, strict=False), start=1):
        if then != now:
            return Verdict(number - 1, f"{save.journal_path}: line {number} came out differently.")
    if len(new) < len(old):
        problem = f"{save.journal_path}: line {len(new) + 1} did not come out again."
        return Verdict(len(new), problem)
    notes = []
    if len(new) > len(old):
        notes.append(f"the cassette goes {len(new) - len(old)} lines further: a kill cut them off.")
    return Verdict(len(old), notes=notes)
