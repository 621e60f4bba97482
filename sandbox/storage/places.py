"""Where things are on this machine: bundled worlds, saves, the user's folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import platformdirs

import sandbox
from sandbox.errors import UsageError, nearest

APP = "story-sandbox"


def clone_root() -> Path | None:
    """The root of the clone this program runs from; None when it was installed."""
    root = Path(sandbox.__file__).parent.parent
    return root if (root / "worlds").is_dir() and (root / "pyproject.toml").is_file() else None


def worlds_folder() -> Path:
    """The bundled worlds: `worlds/` in a clone, else what came with the wheel."""
    root = clone_root()
    return root / "worlds" if root else Path(sandbox.__file__).parent / "worlds"


def saves_folder(chosen: Path | None = None) -> Path:
    """Where saves go: as set, else `saves/` in a clone, else the user's data folder."""
    if chosen is not None:
        return chosen.expanduser()
    root = clone_root()
    return root / "saves" if root else Path(platformdirs.user_data_dir(APP)) / "saves"


def logs_folder() -> Path:
    return Path(platformdirs.user_log_dir(APP))


def is_world(folder: Path) -> bool:
    return (folder / "world.toml").is_file()


def bundled_worlds() -> Iterator[Path]:
    """Folders of the bundled worlds, by name."""
    folder = worlds_folder()
    return (path.parent for path in sorted(folder.glob("*/world.toml")))


def find_world(name: str) -> Path:
    """The world called `name`, or at the path `name`.

    Raises:
        UsageError: there is none; names the nearest.
    """
    for candidate in (Path(name), worlds_folder() / name, worlds_folder() / name.replace("-", "_")):
        if is_world(candidate):
            return candidate.resolve()
    known = [path.name for path in bundled_worlds()]
    listed = ", ".join(f"`{world}`" for world in known)
    raise UsageError(f"no world `{name}`.{nearest(name, known)} There are: {listed}, or a path.")
