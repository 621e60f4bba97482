"""What several commands share: settings, and which story is meant."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from sandbox import settings as settings_module
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.session import Session
from sandbox.errors import SandboxError, UsageError, nearest
from sandbox.settings import Settings
from sandbox.storage.places import bundled_worlds, find_world, saves_folder
from sandbox.storage.saves import Save, check_name, find_save, load_save
from sandbox.story.canon import Canon
from sandbox.story.ids import CharacterId


def load_settings() -> Settings:
    """Settings in force.

    Raises:
        SettingsError: one of them is wrong.
    """
    return settings_module.load(os.environ)


@dataclass(frozen=True)
class Story:
    """A save that is going to be played, and whether it was begun just now."""

    save: Save
    is_new: bool


def story_of(arguments: argparse.Namespace, settings: Settings, default: str) -> Story:
    """The save that the arguments name, or a new one of the world they name.

    Raises:
        SandboxError: there is neither, or it cannot be opened or begun.
    """
    folder = saves_folder(settings.saves)
    what = arguments.what or default
    if (found := _existing(folder, what)) is not None:
        _refuse_options(arguments)
        return Story(found, is_new=False)
    try:
        world = find_world(what)
    except UsageError as error:
        saves = [path.parent.name for path in folder.glob("*/save.toml")]
        worlds = [path.name for path in bundled_worlds()]
        hint = nearest(what, [*worlds, *saves])
        listed = ", ".join(f"`{name}`" for name in worlds)
        raise UsageError(f"no world or save `{what}`.{hint} Worlds: {listed}.") from error
    return Story(
        begin(
            _new_folder(folder, arguments.save, world),
            _beginning(arguments, world),
            deepened(settings, arguments.deep),
        ),
        True,
    )


def deepened(settings: Settings, deep: bool) -> Settings:
    """The settings, with deep thinking where a new story asks for it."""
    story = settings.story.model_copy(update={"deep": settings.story.deep or deep})
    return settings.model_copy(update={"story": story})


def opened(
    story: Story, viewpoint: str | None, settings: Settings
) -> tuple[Session, CharacterId | None]:
    """A story's session, not yet started, and the character through whose eyes to see it.

    Raises:
        SandboxError: it cannot be opened, or there is no such character.
    """
    session = open_session(story.save, settings)
    try:
        return session, character_of(session.canon, viewpoint)
    except SandboxError:
        session.abandon()
        raise


def told_where(story: Story, session: Session) -> None:
    """Say where a story was saved and how to go on; a new one in which nothing happened is not kept."""
    save = story.save
    if story.is_new and session.seq == 0:
        shutil.rmtree(save.folder, ignore_errors=True)
        print("Nothing happened, so nothing was saved.", file=sys.stderr)
        return
    print(f"Saved as `{save.name}` in {save.folder.parent}", file=sys.stderr)
    print(f"Go on with it: sandbox play {save.name}", file=sys.stderr)


def _existing(folder: Path, what: str) -> Save | None:
    for candidate in (Path(what), folder / what):
        if (candidate / "save.toml").is_file():
            return load_save(candidate)
    return None


def _refuse_options(arguments: argparse.Namespace) -> None:
    for option in ("seed", "start", "save"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for a new story; this save has its own.")
    for option in ("mind", "deep"):
        if getattr(arguments, option):
            raise UsageError(f"--{option} is for a new story; this save has its own.")


def _new_folder(folder: Path, name: str | None, world: Path) -> Path:
    """The folder of a new save: as named, else the world's name with the next free number."""
    if name is not None:
        return folder / check_name(name)
    stem = world.name.replace("_", "-")
    number = 1
    while (folder / f"{stem}-{number}").exists():
        number += 1
    return folder / f"{stem}-{number}"


def _beginning(arguments: argparse.Namespace, world: Path) -> Beginning:
    minds = dict(pair.split("=", 1) for pair in arguments.mind if "=" in pair)
    for alone in (pair for pair in arguments.mind if "=" not in pair):
        raise UsageError(f"--mind {alone}: names no character. Write WHO={alone}.")
    seed = 1 if arguments.seed is None else arguments.seed
    return Beginning(world, seed=seed, start=arguments.start, minds=minds)


def character_of(canon: Canon, name: str | None) -> CharacterId | None:
    """The character that a person means by an id or a name; None for None.

    Raises:
        UsageError: there is none; names the nearest.
    """
    if name is None:
        return None
    wanted = name.casefold()
    for who in canon.characters:
        if wanted in (who.id, who.name.casefold(), *(alias.casefold() for alias in who.aliases)):
            return CharacterId(who.id)
    raise UsageError(f"no character `{name}` in `{canon.id}`.{nearest(name, canon.cast)}")


def save_of(name: str, settings: Settings) -> Save:
    """An existing save.

    Raises:
        SaveError: there is none.
    """
    return find_save(saves_folder(settings.saves), name)
