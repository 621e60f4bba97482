"""A world folder as a save copies it: its files and nothing else, and the digest of them."""

from __future__ import annotations

import shutil
from pathlib import Path

from sandbox.errors import SaveError
from sandbox.story.ids import digest

MAX_WORLD_BYTES = 64 * 1024 * 1024
_WORLD_FILES = (".toml", ".md")


def copy_world(world_folder: Path, to: Path) -> None:
    """Copy the files of a world.

    Raises:
        OSError: one cannot be read or written.
    """
    shutil.copytree(world_folder, to, ignore=_not_of_a_world)


def _not_of_a_world(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if not n.endswith(_WORLD_FILES) and not (Path(folder) / n).is_dir()]


def folder_digest(folder: Path) -> str:
    """Digest of every file of a world folder, by name and content.

    Raises:
        SaveError: it is too large, holds a link that leads out of it, or cannot be read.
    """
    refuse_links(folder)
    files = sorted(p for p in folder.rglob("*") if p.suffix in _WORLD_FILES and p.is_file())
    if sum(path.stat().st_size for path in files) > MAX_WORLD_BYTES:
        raise SaveError(f"{folder}: more than {MAX_WORLD_BYTES // 2**20} MiB. That is no world.")
    return digest("\n".join(f"{p.relative_to(folder).as_posix()}\0{_content(p)}" for p in files))


def _content(path: Path) -> str:
    try:
        return digest(path.read_text("utf-8", errors="backslashreplace"))
    except OSError as error:
        raise SaveError(f"{path}: cannot be read: {error.strerror}.") from error


def refuse_links(world_folder: Path) -> None:
    """Let no link in a world folder bring in what lies elsewhere on this machine.

    Raises:
        SaveError: one leads out of the folder.
    """
    inside = world_folder.resolve()
    for path in world_folder.rglob("*"):
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            raise SaveError(f"{path}: is a link out of the world. Put the file itself there.")
