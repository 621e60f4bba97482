"""Nothing acknowledged is lost: kills at any moment and at any byte, full disks, damage."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import shutil
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from sandbox.engine.auditing import audit
from sandbox.engine.opening import salvage
from sandbox.engine.replay import verify
from sandbox.errors import JournalError, SaveError
from sandbox.settings import Settings
from sandbox.storage.files import Appender, write_whole
from sandbox.storage.journal import line_of, read_journal
from sandbox.storage.saves import OpenSave, Save, load_save
from sandbox.story.beats import Beat
from sandbox.story.chance import Chance
from sandbox.story.commands import Inject, Retake, Rewind, Say
from sandbox.story.ids import CharacterId
from tests.playing import (
    act,
    assert_verifies,
    begun,
    committed,
    no_wait,
    one_round,
    play,
    play_on,
    playing,
)

KILLS = 50
SPAN = 26
"""Beats over which the kills are spread."""
SUB_BEAT_S = 0.012
"""A little more than a beat takes."""
ANN, BEN = CharacterId("ann"), CharacterId("ben")


# ── kill -9 ───────────────────────────────────────────────────────────────────────────────────


async def tell_on(folder: Path, say: Callable[[str], None]) -> None:
    """Play until killed; each journal line is said after it was committed."""
    say("begins")
    save = load_save(folder) if (folder / "save.toml").exists() else begun(folder)
    async with playing(save) as session:
        say("opened")
        for round_ in range(1, 400):
            updates = await one_round(session)
            if round_ % 5 == 0:
                updates += session.command(Inject(text="A bell rings."))
            if round_ % 7 == 0:
                updates += session.command(Retake())
            if round_ % 11 == 0:
                updates += session.command(Rewind(turn=session.world.turn - 3))
            for beat in committed(updates):
                say(json.dumps(beat.as_json()))


def _teller(folder: Path, shown: Connection) -> None:
    import asyncio

    asyncio.run(tell_on(folder, shown.send))


def _killed(process: BaseProcess, shown: Connection, lines: int, wait_s: float) -> list[Beat]:
    """What a process had shown when it was killed, `wait_s` after so many lines."""
    heard: list[str] = []
    while len(heard) < lines:
        heard.append(shown.recv())
    time.sleep(wait_s)  # where in a beat the kill falls is left to chance
    process.kill()
    process.join()
    try:
        while True:
            heard.append(shown.recv())
    except (EOFError, OSError):
        return [Beat.model_validate(json.loads(line)) for line in heard if line.startswith("{")]


async def test_a_story_killed_at_any_moment_holds_all_that_was_shown_and_goes_on(
    tmp_path: Path,
) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.unit.storage.test_crashes"])
    for number in range(KILLS):
        chance = Chance(number, 0, "", "")
        folder = tmp_path / f"story-{number}"
        killed_before = tmp_path / f"story-{number - 1}"
        if number % 3 == 2 and (killed_before / "save.toml").exists():
            shutil.move(killed_before, folder)
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_teller, args=(folder, theirs))
        process.start()
        theirs.close()
        lines = int(chance.share("lines") * SPAN) if number % 5 else number % 2
        shown = _killed(process, ours, lines, chance.share("wait") * SUB_BEAT_S)
        ours.close()
        process.close()
        await _assert_whole(folder, shown)


async def _assert_whole(folder: Path, shown: list[Beat]) -> None:
    if not (folder / "save.toml").exists():
        assert not shown
        return
    save = load_save(folder)
    seqs = {beat.seq: beat for beat in save.read().beats}
    assert [seqs.get(beat.seq) for beat in shown] == shown
    before = save.read().beats
    assert len(before) <= max((b.seq for b in shown), default=0) + 4 or not shown
    await play_on(save, 3, Inject(text="It goes on."), 1)
    assert save.read().beats[: len(before)] == before
    await assert_verifies(save)


# ── a kill at any byte ────────────────────────────────────────────────────────────────────────


class Tape:
    """Every write to the files of a save, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writes: list[tuple[str, bytes]] = []
        append = Appender.append

        def noted(file: Appender, *lines: str, sync: bool = True) -> None:
            data = "".join(f"{line}\n" for line in lines).encode()
            self.writes.append((file._path.name, data))
            append(file, *lines, sync=sync)

        monkeypatch.setattr(Appender, "append", noted)

    def cut(self, save: Save, at: int) -> tuple[int, bool]:
        """Put the files as a kill at byte `at` leaves them: (beats acknowledged, torn)."""
        held = {"journal.jsonl": b"", "cassette.jsonl": b""}
        whole, torn = 0, False
        for name, data in self.writes:
            held[name] += data[:at]
            torn = name == "journal.jsonl" and 0 < at < len(data)
            whole += name == "journal.jsonl" and at >= len(data)
            at -= len(data)
            if at <= 0:
                break
        for name, data in held.items():
            (save.folder / name).write_bytes(data)
        return whole, torn


async def test_a_kill_at_any_byte_loses_at_most_the_beat_in_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = Tape(monkeypatch)
    said = Say(character=ANN, words="Hush.", to=(BEN,))
    save = await play(tmp_path / "story", 5, Rewind(turn=3), 2, said, Retake(), 2)
    monkeypatch.undo()
    total = sum(len(data) for _, data in tape.writes)
    ends = {sum(len(data) for _, data in tape.writes[:n]) for n in range(len(tape.writes))}
    for at in range(total - 1500, total + 1):
        acknowledged, torn = tape.cut(save, at)
        opened = OpenSave(save)
        assert len(opened.read.beats) == acknowledged, at
        assert opened.read.is_torn == torn, at
        opened.close()
        assert len(save.journal_path.read_bytes()) == opened.read.good_bytes
        if at % 173 == 0 or at in ends or at - 1 in ends:
            tape.cut(save, at)
            await play_on(save, 1)
            await assert_verifies(save)


@pytest.mark.parametrize("name", ["journal.jsonl", "cassette.jsonl"])
async def test_either_file_may_be_cut_alone_and_the_story_goes_on(
    tmp_path: Path, name: str
) -> None:
    save = await play(tmp_path / "story", 5, Rewind(turn=3), 2)
    path = save.folder / name
    whole, beats = path.read_bytes(), save.read().beats
    for cut in range(1, min(len(whole), 1200), 3):
        path.write_bytes(whole[:-cut])
        opened = OpenSave(save)
        opened.close()
        assert opened.read.beats == beats[: len(opened.read.beats)]
        assert path.read_bytes()[-1:] in (b"", b"\n")
        if cut % 97 == 0:
            await play_on(save, 2)
            assert not save.read().is_torn
            path.write_bytes(whole)
            (save.folder / "journal.jsonl").write_bytes(
                "".join(_lines_of(beats)).encode() if name != "journal.jsonl" else whole
            )


def _lines_of(beats: tuple[Beat, ...]) -> list[str]:
    lines, total = [], ""
    for beat in beats:
        line, total = line_of(beat, total)
        lines.append(f"{line}\n")
    return lines


# ── damage ────────────────────────────────────────────────────────────────────────────────────


def _flipped(lines: list[bytes], at: int) -> int:
    line = bytearray(lines[at])
    middle = len(line) * 2 // 3
    line[middle] ^= 1
    lines[at] = bytes(line)
    return at + 1


def _removed(lines: list[bytes], at: int) -> int:
    del lines[at]
    return at + 1


def _swapped(lines: list[bytes], at: int) -> int:
    lines[at : at + 2] = [lines[at + 1], lines[at]]
    return at + 1


def _doubled(lines: list[bytes], at: int) -> int:
    lines.insert(at, lines[at])
    return at + 2


def _split(lines: list[bytes], at: int) -> int:
    lines[at] = lines[at][:20] + b"\n" + lines[at][20:]
    return at + 1


def _no_beat(lines: list[bytes], at: int) -> int:
    lines[at] = b"[]\n"
    return at + 1


DAMAGE = [_flipped, _removed, _swapped, _doubled, _split, _no_beat]


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_journal_is_refused_with_its_line_and_salvaged_up_to_it(
    tmp_path: Path, damage: Callable[[list[bytes], int], int]
) -> None:
    save = await play(tmp_path / "story", 4, Inject(text="A bell."), 4)
    lines = save.journal_path.read_bytes().splitlines(keepends=True)
    number = damage(lines, 5)
    save.journal_path.write_bytes(b"".join(lines))
    before = save.journal_path.read_bytes()
    with pytest.raises(JournalError, match=f"line {number} is damaged"):
        OpenSave(save)
    assert any(f"line {number} is damaged" in problem for problem in audit(save))
    good = salvage(save, tmp_path / "good")
    assert len(good.read().beats) == number - 1
    await assert_verifies(good)
    await play_on(good, 2)
    await assert_verifies(good)
    assert save.journal_path.read_bytes() == before


async def test_any_flipped_byte_of_a_whole_line_is_found(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 3)
    whole = save.journal_path.read_bytes()
    ends = [at for at, byte in enumerate(whole) if byte == ord("\n")]
    for at in range(len(whole) - 1):  # the last line feed cut off is a torn line, which is mended
        line = sum(end < at for end in ends) + 1
        damaged = bytearray(whole)
        damaged[at] ^= 1
        save.journal_path.write_bytes(damaged)
        with pytest.raises(JournalError, match=rf"line {line} is damaged"):
            save.read()


async def test_a_save_without_one_good_line_cannot_be_salvaged(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 3)
    save.journal_path.write_bytes(b"?" + save.journal_path.read_bytes())
    with pytest.raises(SaveError, match="not one line"):
        salvage(save, tmp_path / "good")
    assert not (tmp_path / "good").exists()


@pytest.mark.parametrize("line", ["[]", "{}", '"text"', "null", "\x00\x00"])
async def test_a_cassette_line_that_is_no_entry_is_refused_with_its_number(
    tmp_path: Path, line: str
) -> None:
    save = await play(tmp_path / "story", 2)
    lines = save.cassette_path.read_text("utf-8").splitlines(keepends=True)
    lines.insert(2, f"{line}\n")
    save.cassette_path.write_text("".join(lines), "utf-8")
    with pytest.raises(SaveError, match=r"line 3 is no cassette entry"):
        OpenSave(save)
    with pytest.raises(SaveError, match=r"line 3"):
        salvage(save, tmp_path / "good")
    assert not (tmp_path / "good").exists()
    with pytest.raises(SaveError, match=r"line 3"):
        await verify(save)


# ── a full disk ───────────────────────────────────────────────────────────────────────────────


class Disk:
    """A disk that fills up: of the next write it takes a part, then it complains."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        """Bytes that are left; None: no end of them."""
        self.only = ""
        """The one file that is affected; empty: all."""
        write = Appender._write

        def limited(file: Appender, data: bytes) -> None:
            if self.room is None or (self.only and file._path.name != self.only):
                return write(file, data)
            write(file, data[: self.room])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(Appender, "_write", limited)


@pytest.mark.parametrize("name", ["journal.jsonl", "cassette.jsonl"])
@pytest.mark.parametrize("room", [0, 1, 40])
async def test_a_full_disk_is_one_clear_line_and_costs_no_beat_that_was_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, room: int
) -> None:
    save = begun(tmp_path / "story")
    disk = Disk(monkeypatch)
    async with playing(save) as session:
        shown = await act(session, 4)
        disk.room, disk.only = room, name
        with pytest.raises(SaveError, match=rf"{name}: cannot be written: No space left"):
            await one_round(session)
        with pytest.raises(SaveError, match="No space left"):
            session.command(Inject(text="A bell."))
        assert list(session.beats) == shown
        disk.room = None
        shown += await act(session, 2, Inject(text="There is room again."), 1)
    assert list(save.read().beats) == shown
    await assert_verifies(save)


async def test_a_disk_that_stays_full_lets_go_of_the_save_and_what_was_shown_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = begun(tmp_path / "story")
    disk = Disk(monkeypatch)
    shown: list[Beat] = []

    async def until_full() -> None:
        async with playing(save) as session:
            shown.extend(await act(session, 4))
            disk.room = 30
            await one_round(session)

    with pytest.raises(SaveError, match="No space left"):
        await until_full()
    disk.room = None
    async with playing(save) as session:
        assert list(session.beats) == shown
        await act(session, 2)
    await assert_verifies(save)


def test_a_write_that_takes_a_part_only_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow:
        """Takes three bytes at a time, as a disk that fills up does."""

        def __init__(self, fd: int) -> None:
            self.fd = fd

        def write(self, data: memoryview) -> int:
            return os.write(self.fd, data[:3])

        def fileno(self) -> int:
            return self.fd

        def close(self) -> None:
            os.close(self.fd)

    file = Appender(tmp_path / "lines")
    fd = os.dup(file._file.fileno())
    file.close()
    monkeypatch.setattr(file, "_file", Slow(fd))
    file.append("It was a dark and stormy night.", "夜深了。")
    file.close()
    written = (tmp_path / "lines").read_text("utf-8")
    assert written == "It was a dark and stormy night.\n夜深了。\n"


def test_nothing_is_ever_written_behind_half_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    file = Appender(tmp_path / "lines")
    file.append("first")
    mend = os.ftruncate
    monkeypatch.setattr(os, "ftruncate", lambda fd, size: mend(-1, size))  # even that fails
    disk.room = 3
    with pytest.raises(SaveError):
        file.append("second")
    disk.room = None
    with pytest.raises(SaveError):
        file.append("third")
    assert (tmp_path / "lines").read_bytes() == b"first\nsec"
    monkeypatch.setattr(os, "ftruncate", mend)
    file.append("fourth")
    file.close()
    assert (tmp_path / "lines").read_bytes() == b"first\nfourth\n"


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "save.toml"
    write_whole(path, "old")

    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SaveError, match=r"save\.toml: cannot be written: No space left"):
        write_whole(path, "new")
    assert path.read_text("utf-8") == "old"


def test_a_missing_journal_is_an_empty_story(tmp_path: Path) -> None:
    read = read_journal(tmp_path / "journal.jsonl")
    assert (read.beats, read.is_torn, read.good_bytes) == ((), False, 0)


async def test_settings_of_the_moment_change_nothing_in_a_save(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 2, settings=Settings())
    before = (save.folder / "save.toml").read_bytes()
    await play_on(save, 2)
    await no_wait(0)
    assert (save.folder / "save.toml").read_bytes() == before
