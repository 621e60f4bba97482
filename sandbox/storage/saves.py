"""Saves: a folder with the manifest, a copy of the world, the journal and the cassette."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tomli_w
from filelock import FileLock, Timeout
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from sandbox import __version__
from sandbox.errors import SaveError, UsageError, in_plain_words, nearest
from sandbox.settings import StorySettings
from sandbox.storage.cassette import (
    Cassette,
    read_cassette,
)
from sandbox.storage.files import sync_folder, write_whole
from sandbox.storage.journal import Journal, JournalRead, read_journal
from sandbox.storage.migrations import migrated
from sandbox.storage.world_copy import copy_world, folder_digest, refuse_links
from sandbox.storage.worlds import read_world
from sandbox.story.beats import RULES_VERSION, Beat
from sandbox.story.canon import Canon
from sandbox.story.ids import SceneId

FORMAT = 1
"""Version of the save format. Older ones are migrated by name, newer ones refused."""
_NAME_LENGTH = 80


def _one_part(name: str) -> str:
    """A save may come from a stranger: nothing in it leads out of its folder."""
    if Path(name).name != name or name in ("", "..") or "\\" in name:
        raise ValueError(f"`{name}` is not the name of a folder")
    return name


class Manifest(BaseModel):
    """`save.toml`: what shapes the story, and nothing that only shapes the screen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    program: str = __version__
    rules: int = RULES_VERSION
    """Version of the perception rules it was begun under."""
    rehearsal: int = 1
    """Version of the built-in mind it was begun with: what that decides is not on the cassette."""
    language_mind: int = 0
    """Version of the model mind and its guard it was begun with: what they make of a reply is not on
    the cassette. 0: before there was a guard."""
    layers: int = 1
    """Version of what a closing scene leaves in memories, as it was begun."""
    world: Annotated[str, AfterValidator(_one_part)]
    """Name of the folder of the world it was begun from."""
    world_digest: str
    """Digest of the copied world's files."""
    title: str
    language: str
    start: SceneId
    seed: int
    minds: dict[str, str] = {}
    """Mind of each character that has another than `mind`: `rehearsal`, `model` or `person`."""
    mind: str = "rehearsal"
    model: str = ""
    """Name of the model, where one plays."""
    summaries: str = ""
    """Name of the model that writes episodes when a scene closes. Empty: the same model."""
    temperature: float = 0.8
    max_tokens: int = 600
    prompt_tokens: int = 2000
    embedder: str = "wordllama-256"
    story: StorySettings = StorySettings()
    branched_from: str = ""
    """`NAME at turn N`; a note, not a dependency."""


@dataclass(frozen=True)
class Save:
    """A save folder."""

    folder: Path
    manifest: Manifest

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def journal_path(self) -> Path:
        return self.folder / "journal.jsonl"

    @property
    def cassette_path(self) -> Path:
        return self.folder / "cassette.jsonl"

    @property
    def memory_path(self) -> Path:
        """Disposable: comes back equal from the journal."""
        return self.folder / "memory"

    def canon(self) -> Canon:
        """The world as copied when the save began."""
        return read_world(self.folder / "world" / self.manifest.world)

    def read(self) -> JournalRead:
        return read_journal(self.journal_path)


def check_name(name: str) -> str:
    """`name` if a save may have it: one part of a path, of any script.

    Raises:
        SaveError: it is empty, too long, or leads somewhere else.
    """
    if not name.strip() or len(name) > _NAME_LENGTH or name.startswith("."):
        raise SaveError(f"save name `{name}`: needs 1 to {_NAME_LENGTH} characters, no dot first.")
    if any(char in '/\\:*?"<>|' or ord(char) < 32 for char in name):
        raise SaveError(f'save name `{name}`: may not hold any of `/ \\ : * ? " < > |`.')
    return name


def create_save(folder: Path, world_folder: Path, manifest: Manifest) -> Save:
    """Begin a save: copy the world, then write the manifest, which makes it one.

    Raises:
        SaveError: the name is taken, the world holds what is no part of it, or the folder cannot be
            written. What was begun is taken away again.
    """
    check_name(folder.name)
    refuse_links(world_folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        if isinstance(error, FileExistsError) and folder.exists():
            problem = (
                "there is something already. Choose another `--save NAME`, or go on with it: "
                f"`sandbox play {folder.name}`"
            )
        raise SaveError(f"{folder}: {problem}.") from error
    try:
        return _create(folder, world_folder, manifest)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _create(folder: Path, world_folder: Path, manifest: Manifest) -> Save:
    try:
        copy_world(world_folder, folder / "world" / manifest.world)
        (folder / "journal.jsonl").touch()
        (folder / "cassette.jsonl").touch()
    except OSError as error:
        problem = error.strerror or "a file of the world cannot be copied"
        raise SaveError(f"{folder}: cannot be written: {problem}.") from error
    copied = folder_digest(folder / "world" / manifest.world)
    manifest = manifest.model_copy(update={"world_digest": copied})
    write_manifest(folder, manifest)
    sync_folder(folder.parent)
    return Save(folder, manifest)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    write_whole(folder / "save.toml", tomli_w.dumps(manifest.model_dump(mode="json")))


def load_save(folder: Path) -> Save:
    """The save in `folder`.

    Raises:
        SaveError: it is none, or of a later format.
    """
    path = folder / "save.toml"
    if not path.exists():
        raise SaveError(f"{folder}: holds no `save.toml`, so it is no save.")
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        if int(values.get("format", 0)) > FORMAT:
            raise SaveError(
                f"{path}: format {values['format']} is newer than {FORMAT}. Update first."
            )
        return Save(folder, Manifest.model_validate(migrated(values)))
    except (OSError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            raise SaveError(
                f"{path}: `{key}`: {in_plain_words(first['type'], first['msg'])}."
            ) from None
        raise SaveError(f"{path}: cannot be read: {error}.") from None


def list_saves(folder: Path) -> Iterator[Save | SaveError]:
    """Every save in `folder`, by name; a broken one as what is wrong with it."""
    for path in sorted(folder.glob("*/save.toml")) if folder.is_dir() else []:
        try:
            yield load_save(path.parent)
        except SaveError as error:
            yield error


def find_save(folder: Path, name: str) -> Save:
    """The save called `name` in `folder`, or at the path `name`.

    Raises:
        UsageError: there is none; names the nearest.
    """
    for candidate in (Path(name), folder / name):
        if (candidate / "save.toml").exists():
            return load_save(candidate)
    known = [path.parent.name for path in folder.glob("*/save.toml")]
    raise UsageError(f"no save `{name}` in {folder}.{nearest(name, known)}")


class OpenSave:
    """A save with its lock held, open for writing. One writer at a time."""

    def __init__(self, save: Save) -> None:
        """Take the lock and read the journal.

        Raises:
            SaveError: somebody else has it open, or the folder cannot be written.
            JournalError: the journal is damaged.
        """
        self.save = save
        self._lock = FileLock(save.folder / "lock", timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise SaveError(
                f"{save.folder}: is open in another program. Close it there first."
            ) from None
        except OSError as error:
            raise SaveError(f"{save.folder}: cannot be written: {error.strerror}.") from None
        try:
            self.read = save.read()
            self.entries = read_cassette(save.cassette_path)
            good = {"last_sum": self.read.last_sum, "good_bytes": self.read.good_bytes}
            self.journal = Journal(save.journal_path, **good)  # type: ignore[arg-type]
            self.cassette = Cassette(save.cassette_path)
        except BaseException:
            self._lock.release()
            raise

    def append(self, beat: Beat) -> None:
        """Put a beat on disk, behind every input that led to it.

        Raises:
            SaveError: the disk refused.
        """
        self.cassette.sync()
        self.journal.append(beat)

    def close(self) -> None:
        self.journal.close()
        self.cassette.close()
        self._lock.release()
