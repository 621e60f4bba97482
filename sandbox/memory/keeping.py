"""A save's `memory/` folder, and making a store equal to what the journal says."""

import json
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.errors import MemoryStoreError
from sandbox.memory.store import MemoryStore, Record, Shelf

SCHEMA = 1
"""Raised when what is stored for a record changes: older folders are then rebuilt."""

UNFINISHED = "unfinished"
"""A file in a generation while its database is written. Found at the start: it was cut off."""

_GENERATION = re.compile(r"g(\d{4,})")


class MemoryFolder:
    """Where a save keeps its memory: numbered generations, one of which the manifest names.

    A rebuild goes into a new generation, as Chroma turns read-only when its folder is replaced
    under it. Whatever is damaged here is rebuilt: the journal is the truth.
    """

    def __init__(self, path: Path, embedder: str) -> None:
        self.path = path
        self.embedder = embedder
        """Name of the embedder in use: vectors of another one count for nothing."""

    @property
    def manifest(self) -> Path:
        return self.path / "manifest.json"

    def current(self) -> Path | None:
        """The generation in use. None: there is none that is whole and fits; rebuild it."""
        held = _read(self.manifest)
        name = held.get("generation")
        fits = held.get("embedder") == self.embedder and held.get("schema") == SCHEMA
        if not fits or not isinstance(name, str) or not _GENERATION.fullmatch(name):
            return None
        whole = (self.path / name).is_dir() and not (self.path / name / UNFINISHED).exists()
        return self.path / name if whole else None

    def begin_generation(self) -> Path:
        """A new empty folder, of a number never used before. It counts only after `switch`.

        Raises:
            MemoryStoreError: it cannot be made.
        """
        # The manifest may name one whose folder is gone: its number is taken all the same.
        numbers = [_number(folder.name) for folder in self._generations()]
        numbers.append(_number(str(_read(self.manifest).get("generation"))))
        folder = self.path / f"g{max(numbers) + 1:04d}"
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise _unwritable(folder, error) from error
        return folder

    def switch(self, name: str) -> None:
        """Make generation `name` the current one, at once or not at all.

        Raises:
            MemoryStoreError: there is no such generation, or the manifest cannot be written.
        """
        if not _GENERATION.fullmatch(name) or not (self.path / name).is_dir():
            raise MemoryStoreError(
                f"{self.path}: there is no generation `{name}`. `begin_generation` makes one."
            )
        held = {"generation": name, "embedder": self.embedder, "schema": SCHEMA}
        _write(self.manifest, held)

    def sweep(self) -> None:
        """Delete the generations that are not current, as far as possible.

        For the opening of a save, when nothing has an older one open. Where none is current, all
        stay: a manifest that cannot be read is no reason to delete what it may name.
        """
        current = self.current()
        for folder in self._generations() if current else []:
            if folder != current:
                shutil.rmtree(folder, ignore_errors=True)

    @property
    def applied(self) -> int:
        """The last journal line that the current generation holds on disk; 0 where none is sure.

        Set it after a flush. What lies after it is put again, and what is put twice is no change.
        """
        current = self.current()
        seq = _read(current / "applied.json").get("seq") if current else None
        return seq if isinstance(seq, int) and not isinstance(seq, bool) and seq > 0 else 0

    @applied.setter
    def applied(self, seq: int) -> None:
        current = self.current()
        if current is None:
            raise MemoryStoreError(
                f"{self.path}: there is no memory to note line {seq} in. Rebuild and switch first."
            )
        _write(current / "applied.json", {"seq": seq})

    def _generations(self) -> list[Path]:
        found = self.path.iterdir() if self.path.is_dir() else ()
        return sorted(folder for folder in found if _GENERATION.fullmatch(folder.name))


def _number(name: str) -> int:
    match = _GENERATION.fullmatch(name)
    return int(match[1]) if match else 0


def _read(path: Path) -> dict[str, Any]:
    """The JSON object in a file; empty where there is none, or none that can be read."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def _write(path: Path, held: dict[str, Any]) -> None:
    """Replace a file whole: after a crash it holds the old text or the new, never a part."""
    beside = path.with_suffix(".new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(json.dumps(held) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error


def _sync_folder(folder: Path) -> None:
    # The new name is safe only once its folder is; Windows does not open folders, nor needs it.
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _unwritable(path: Path, error: OSError) -> MemoryStoreError:
    return MemoryStoreError(
        f"{path}: cannot be written: {error.strerror}. The save needs a folder that can be written."
    )


@dataclass(frozen=True)
class Difference:
    """Where a shelf departs from what is expected; ids, sorted."""

    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """There, with other content."""

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.changed)


def difference(store: MemoryStore, shelf: Shelf, expected: Iterable[Record]) -> Difference:
    """What `sync` would mend."""
    return _difference(store, shelf, _by_id(shelf, expected))


def sync(store: MemoryStore, shelf: Shelf, expected: Iterable[Record]) -> Difference:
    """Make a shelf hold `expected` and nothing else. Returns what was amiss; the caller flushes.

    Raises:
        MemoryStoreError: `expected` names an id twice with different content. Nothing is changed.
    """
    wanted = _by_id(shelf, expected)
    amiss = _difference(store, shelf, wanted)
    if amiss.extra or amiss.changed:
        store.remove(shelf, amiss.extra + amiss.changed)
    if amiss.missing or amiss.changed:
        lacking = {*amiss.missing, *amiss.changed}
        store.put(shelf, [record for record in wanted.values() if record.id in lacking])
    return amiss


def _difference(store: MemoryStore, shelf: Shelf, wanted: dict[str, Record]) -> Difference:
    held = store.records(shelf)
    return Difference(
        missing=tuple(sorted(wanted.keys() - held.keys())),
        extra=tuple(sorted(held.keys() - wanted.keys())),
        changed=tuple(sorted(i for i in wanted.keys() & held.keys() if wanted[i] != held[i])),
    )


def _by_id(shelf: Shelf, expected: Iterable[Record]) -> dict[str, Record]:
    wanted: dict[str, Record] = {}
    for record in expected:
        if wanted.setdefault(record.id, record) != record:
            raise MemoryStoreError(
                f"memory `{shelf}`: `{record.id}` is expected with two contents. Ids are unique."
            )
    return wanted
