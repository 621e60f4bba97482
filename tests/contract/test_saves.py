"""What a save owes whoever opens it: a safe name, one writer, its own world, and clear words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from sandbox.engine.opening import Beginning, begin, branch, open_session, salvage
from sandbox.errors import SandboxError, SaveError, UsageError
from sandbox.settings import Settings
from sandbox.storage.saves import FORMAT, OpenSave, check_name, find_save, list_saves, load_save
from tests.playing import TINY, act, assert_verifies, begun, play, play_on, playing

ROOT = Path(__file__).parents[2]
TRICKS = [
    "",
    " ",
    ".",
    "..",
    "../up",
    "a/b",
    "/etc",
    "a\\b",
    ".hidden",
    "a:b",
    "a\nb",
    "x" * 81,
    "a*",
]
HOLD = """
import sys
from pathlib import Path
from sandbox.storage.saves import OpenSave, load_save
opened = OpenSave(load_save(Path(sys.argv[1])))
print("open", flush=True)
sys.stdin.read()
"""


def is_one_clear_line(error: SandboxError) -> bool:
    text = str(error)
    return "\n" not in text and text.endswith((".", ")")) and "None" not in text


def world_with(folder: Path, change: Callable[[Path], None]) -> Path:
    """A copy of the tiny world, changed."""
    import shutil

    shutil.copytree(TINY, folder)
    change(folder)
    return folder


# ── names ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", TRICKS)
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(SaveError, match="save name"):
        check_name(name)


@pytest.mark.parametrize("name", ["night", "江村渡船", "a b", "x" * 80, "渡" * 80, "nacht-2.bis"])
async def test_a_name_of_any_script_will_do(tmp_path: Path, name: str) -> None:
    save = await play(tmp_path / check_name(name), 2)
    assert find_save(tmp_path, name).name == name
    assert [found.name for found in list_saves(tmp_path) if not isinstance(found, SaveError)] == [
        name
    ]
    await assert_verifies(save)


def test_a_name_too_long_for_the_disk_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="too long") as raised:
        begun(tmp_path / ("🦊" * 80))
    assert is_one_clear_line(raised.value)


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_what_is_there_already_is_left_alone(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "story")
    with pytest.raises(SaveError, match="something already") as raised:
        begun(tmp_path / "story")
    assert is_one_clear_line(raised.value)
    assert not (tmp_path / "story" / "save.toml").exists()


async def test_a_branch_or_a_salvage_takes_no_name_that_is_taken(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 2)
    before = save.journal_path.read_bytes()
    with pytest.raises(SaveError, match="something already"):
        branch(save, 1, tmp_path / "story")
    with pytest.raises(SaveError, match="something already"):
        salvage(save, tmp_path / "story")
    assert save.journal_path.read_bytes() == before


@pytest.mark.parametrize("turn", [-1, 99])
async def test_a_branch_begins_at_a_turn_the_story_has(tmp_path: Path, turn: int) -> None:
    save = await play(tmp_path / "story", 2)
    with pytest.raises(SaveError, match=r"is at turn (\d)\. `--at` takes 0 to \1\."):
        branch(save, turn, tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_an_unknown_save_names_the_nearest(tmp_path: Path) -> None:
    begun(tmp_path / "lantern")
    with pytest.raises(UsageError, match=r"no save `lanern` .* Did you mean `lantern`"):
        find_save(tmp_path, "lanern")


@pytest.mark.parametrize("given", [{"start": "super"}, {"minds": {"anne": "person"}}])
def test_a_start_or_character_that_is_not_there_names_the_nearest(
    tmp_path: Path, given: dict[str, object]
) -> None:
    with pytest.raises(UsageError, match="Did you mean"):
        begin(tmp_path / "story", Beginning(TINY, **given), Settings())  # type: ignore[arg-type]
    assert not (tmp_path / "story").exists()


# ── one writer ────────────────────────────────────────────────────────────────────────────────


def test_a_save_that_is_open_here_is_not_opened_twice(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    opened = OpenSave(save)
    with pytest.raises(SaveError, match="open in another program") as raised:
        OpenSave(save)
    assert is_one_clear_line(raised.value)
    opened.close()
    OpenSave(save).close()


async def test_a_save_open_in_another_process_is_refused_until_that_is_killed(
    tmp_path: Path,
) -> None:
    save = await play(tmp_path / "story", 2)
    with subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", HOLD, str(save.folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(SaveError, match="open in another program"):
            OpenSave(save)
        await assert_verifies(save)  # reading needs no lock
        other.kill()
        other.wait()
    await play_on(save, 2)
    await assert_verifies(save)


def test_a_save_whose_journal_is_damaged_is_let_go_of(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    save.journal_path.write_bytes(b"{}\n")
    with pytest.raises(SaveError, match="line 1 is damaged"):
        OpenSave(save)
    with FileLock(save.folder / "lock", timeout=0):
        pass


def test_a_save_whose_world_does_not_fit_is_let_go_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = begun(tmp_path / "story")

    def broken(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("sandbox.engine.session.fold", broken)
    with pytest.raises(KeyError):
        open_session(save, Settings(), memory="in_process")
    OpenSave(save).close()


# ── folders that cannot be written ────────────────────────────────────────────────────────────


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SaveError, match="cannot be written") as raised:
        begun(tmp_path / "file" / "story")
    assert is_one_clear_line(raised.value)


def test_a_world_that_cannot_be_copied_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sandbox.storage.world_copy.shutil.copytree", full)
    with pytest.raises(SaveError, match="No space left on device") as raised:
        begun(tmp_path / "story")
    assert is_one_clear_line(raised.value)
    monkeypatch.undo()
    begun(tmp_path / "story")


def test_a_save_in_a_folder_that_may_not_be_written_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = begun(tmp_path / "story")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FileLock, "acquire", refused)
    with pytest.raises(SaveError, match="cannot be written: Permission denied") as raised:
        OpenSave(save)
    assert is_one_clear_line(raised.value)


# ── the manifest ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("seed = 1", "seed = = 1", "cannot be read"),
        ("seed = 1", 'seed = "many"', "`seed`: "),
        ("seed = 1", "sead = 1", "`s"),
        (f"format = {FORMAT}", f"format = {FORMAT + 1}\nnew = 1", "is newer than"),
        (f"format = {FORMAT}", "format = []", "cannot be read"),
        ("seed = 1", "seed = " + "[" * 5000, "cannot be read"),
        ('world = "tiny"', 'world = "../../tiny"', "`world`: "),
        ('world = "tiny"', 'world = ".."', "`world`: "),
        ('world = "tiny"', 'world = ""', "`world`: "),
        ('world = "tiny"', 'world = "/etc"', "`world`: "),
    ],
)
def test_a_damaged_manifest_is_one_clear_line(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    save = begun(tmp_path / "story")
    path = save.folder / "save.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(SaveError, match=told) as raised:
        load_save(save.folder)
    assert str(raised.value).startswith(f"{path}: ")
    (listed,) = list_saves(tmp_path)
    assert isinstance(listed, SaveError)


def test_a_manifest_that_is_no_text_is_one_clear_line(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    (save.folder / "save.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SaveError, match=r"save\.toml: cannot be read"):
        load_save(save.folder)
    (save.folder / "save.toml").unlink()
    with pytest.raises(SaveError, match=r"holds no `save\.toml`"):
        load_save(save.folder)
    (save.folder / "save.toml").mkdir()
    with pytest.raises(SaveError, match=r"save\.toml: cannot be read"):
        load_save(save.folder)


# ── the world ─────────────────────────────────────────────────────────────────────────────────


def _a_file(world: Path) -> None:
    (world / "notes.md").symlink_to("/etc/hostname")


def _a_scene(world: Path) -> None:
    secret = world.parent / "secret.md"
    secret.write_text("+++\ntitle = 'x'\n+++\nthe key of the safe", "utf-8")
    (world / "scenes" / "02_secret.md").symlink_to(secret)


def _a_folder(world: Path) -> None:
    outside = world.parent / "outside"
    outside.mkdir()
    (outside / "private.md").write_text("private", "utf-8")
    (world / "more").symlink_to(outside, target_is_directory=True)


def _nowhere(world: Path) -> None:
    (world / "gone.md").symlink_to("/nowhere/at/all.md")


@pytest.mark.parametrize("link", [_a_file, _a_scene, _a_folder, _nowhere])
def test_a_link_out_of_a_world_is_refused_and_never_read(
    tmp_path: Path, link: Callable[[Path], None]
) -> None:
    world = world_with(tmp_path / "tiny", link)
    with pytest.raises(SaveError, match="is a link out of the world") as raised:
        begun(tmp_path / "saves" / "story", world)
    assert is_one_clear_line(raised.value)
    assert not (tmp_path / "saves").exists()


@pytest.mark.parametrize("link", [_a_file, _a_folder])
async def test_a_link_that_was_put_into_a_save_is_not_followed_when_it_is_verified(
    tmp_path: Path, link: Callable[[Path], None]
) -> None:
    save = await play(tmp_path / "story", 2)
    link(save.folder / "world" / "tiny")
    with pytest.raises(SaveError, match="is a link out of the world"):
        await assert_verifies(save)
    with pytest.raises(SaveError, match="is a link out of the world"):
        branch(save, 1, tmp_path / "own")
    assert not (tmp_path / "own").exists()


async def test_a_save_holds_its_world_and_the_original_may_change_or_go(tmp_path: Path) -> None:
    world = world_with(tmp_path / "tiny", lambda _: None)
    save = await play(tmp_path / "story", 2, world=world)
    for path in world.rglob("*.*"):
        path.write_text("gone", "utf-8")
    async with playing(save) as session:
        await act(session, 2)
    await assert_verifies(save)


def test_only_the_files_of_a_world_are_copied(tmp_path: Path) -> None:
    def clutter(world: Path) -> None:
        (world / ".DS_Store").write_bytes(b"\xff\x00")
        (world / "run.sh").write_text("rm -r /", "utf-8")
        (world / "notes.md").write_bytes(b"\xff\xfe no UTF-8")

    save = begun(tmp_path / "story", world_with(tmp_path / "tiny", clutter))
    names = {path.name for path in (save.folder / "world").rglob("*") if path.is_file()}
    assert {"notes.md", "cast.toml", "01_supper.md"} <= names
    assert not names & {".DS_Store", "run.sh"}


async def test_a_stray_file_beside_the_copied_world_changes_nothing(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 2)
    (save.folder / "world" / "tiny" / ".DS_Store").write_bytes(b"\xff\x00")
    await assert_verifies(save)


def test_a_world_folder_that_is_itself_a_link_will_do(tmp_path: Path) -> None:
    os.symlink(TINY, tmp_path / "tiny")
    assert begun(tmp_path / "story", tmp_path / "tiny").canon().id == "tiny"
