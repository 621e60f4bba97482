"""What is on disk when: before anybody is shown a beat, and when memories are written at the latest."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from sandbox.engine import pacing
from sandbox.engine.updates import BeatCommitted
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import MemoryStore, Shelf
from sandbox.settings import Settings, StorySettings
from sandbox.storage.files import Appender
from sandbox.story.commands import Do, Inject
from sandbox.story.ids import CharacterId
from tests.playing import Letters, LettersHome, begun, playing

LONG_SCENES = Settings(story=StorySettings(scene_beats=200))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything written to or synced in journal and cassette, in order."""
    seen: list[str] = []
    names: dict[int, str] = {}
    write, sync = Appender._write, os.fsync

    def written(file: Appender, data: bytes) -> None:
        names[file._file.fileno()] = file._path.stem
        seen.append(f"{file._path.stem} written")
        write(file, data)

    def synced(descriptor: int) -> None:
        if descriptor in names:
            seen.append(f"{names[descriptor]} synced")
        sync(descriptor)

    monkeypatch.setattr(Appender, "_write", written)
    monkeypatch.setattr(os, "fsync", synced)
    return seen


def _in_order(seen: list[str], *wanted: str) -> bool:
    rest: Iterator[str] = iter(seen)
    return all(step in rest for step in wanted)


async def test_a_beat_is_on_disk_behind_its_inputs_before_it_is_shown(
    tmp_path: Path, disk: list[str]
) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        disk.clear()
        async with aclosing(session.advance(1)) as updates:
            async for update in updates:
                if isinstance(update, BeatCommitted):
                    disk.append("shown")
        steps = (
            "cassette written",
            "cassette synced",
            "journal written",
            "journal synced",
            "shown",
        )
        assert _in_order(disk, *steps), disk
        assert disk.index("journal written") > disk.index("cassette synced")
        assert disk.index("shown") > disk.index("journal synced")


async def test_a_persons_command_is_on_disk_before_it_is_shown(
    tmp_path: Path, disk: list[str]
) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        disk.clear()
        session.command(Inject(text="A bell rings."))
        assert disk[:4] == [
            "cassette written",
            "cassette synced",
            "journal written",
            "journal synced",
        ]


class Counted(InProcessStore):
    """A store that notes what is flushed."""

    def __init__(self) -> None:
        super().__init__(Letters())
        self.flushed: list[str] = []
        self.any = asyncio.Event()

    def flush(self, shelf: Shelf | None = None) -> None:
        self.flushed.append(str(shelf))


class CountedHome(LettersHome):
    def __init__(self) -> None:
        super().__init__()
        self.store = Counted()
        self.settled: list[int] = []

    def open(self) -> MemoryStore:
        return self.store

    def settle(self, seq: int) -> None:
        self.settled.append(seq)


async def _until(condition: Any) -> None:
    # The worker runs on a thread of its own: there is no event to wait for.
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("beats", [pacing.FLUSH_BEATS])
async def test_memories_are_written_after_so_many_beats_each_shelf_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beats: int
) -> None:
    monkeypatch.setattr(pacing, "FLUSH_S", 1000.0)
    home = CountedHome()
    async with playing(begun(tmp_path / "s", settings=LONG_SCENES), home=home) as session:
        await _until(lambda: home.settled == [0])
        home.store.flushed.clear()
        for number in range(beats - 1):
            session.command(Do(character=CharacterId("ann"), text=f"counts to {number}"))
        await asyncio.sleep(0.02)
        assert home.store.flushed == []
        session.command(Do(character=CharacterId("ann"), text="stops counting"))
        await _until(lambda: home.settled == [0, beats])
        assert sorted(home.store.flushed) == ["ann.episodic", "ben.episodic"]


async def test_memories_are_written_after_a_while_however_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "FLUSH_S", 0.01)
    home = CountedHome()
    async with playing(begun(tmp_path / "s", settings=LONG_SCENES), home=home) as session:
        await _until(lambda: home.settled == [0])
        session.command(Do(character=CharacterId("ann"), text="waits"))
        await _until(lambda: home.settled == [0, 1])


async def test_memories_are_written_soon_after_a_scene_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "FLUSH_S", 1000.0)
    monkeypatch.setattr(pacing, "CLOSE_S", 0.01)
    home = CountedHome()
    async with playing(begun(tmp_path / "s"), home=home) as session:
        await _until(lambda: home.settled == [0])
        while not any(beat.mind == "director" for beat in session.beats):
            async with aclosing(session.advance()) as updates:
                async for _ in updates:
                    pass
        await _until(lambda: home.settled[-1] >= session.seq)
