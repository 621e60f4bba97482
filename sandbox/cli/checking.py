"""`sandbox check` and `sandbox where`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from sandbox import settings as settings_module
from sandbox.cli.common import load_settings
from sandbox.engine.auditing import audit
from sandbox.engine.roles import role_problems, roles_in_words
from sandbox.errors import Exit, SandboxError, WorldFileError
from sandbox.settings import FILE_VARIABLE, Settings, settings_file
from sandbox.storage.places import (
    bundled_worlds,
    find_world,
    logs_folder,
    saves_folder,
    worlds_folder,
)
from sandbox.storage.saves import Save, load_save
from sandbox.storage.world_copy import folder_digest
from sandbox.storage.worlds import read_world
from sandbox.story.closable import unclosable


def check(arguments: argparse.Namespace) -> int:
    """Report every problem in settings and in a world or save; exit 1 where there is one."""
    problems: list[str] = []
    settings = Settings()
    try:
        settings = load_settings()
        problems += [*_key_problems(settings), *role_problems(settings)]
    except SandboxError as error:
        problems += str(error).splitlines()
    save = _save(arguments.what, settings)
    if save is not None:
        problems += audit(save)
        _report_changed_original(save)
    else:
        for world in [find_world(arguments.what)] if arguments.what else bundled_worlds():
            problems += _world_problems(world)
    for problem in problems:
        print(f"sandbox: {problem}", file=sys.stderr)
    if problems:
        return Exit.STORY
    print("No problems found.")
    return Exit.OK


def _report_changed_original(save: Save) -> None:
    """Say where the world a save was begun with has changed since; the save holds its own copy."""
    try:
        original = find_world(save.manifest.world)
        changed = folder_digest(original) != save.manifest.world_digest
    except SandboxError:
        return
    if changed:
        print(
            f"note: {original} has changed since this save was begun; it goes on with its own copy.",
            file=sys.stderr,
        )


def _key_problems(settings: Settings) -> list[str]:
    if not settings.keys:
        return []
    # The table of keys is the screen's: loaded only where somebody has set one.
    from sandbox.tui.actions import key_problems

    return key_problems(settings.keys)


def _save(what: str | None, settings: Settings) -> Save | None:
    if what is None:
        return None
    for candidate in (Path(what), saves_folder(settings.saves) / what):
        if (candidate / "save.toml").is_file():
            return load_save(candidate)
    return None


def _world_problems(world: Path) -> list[str]:
    try:
        canon = read_world(world)
    except WorldFileError as error:
        return list(error.problems)
    plot = world / "plot.toml"
    return [f"{plot}: `threads.{item.thread}`: {item.problem}" for item in unclosable(canon)]


def where(arguments: argparse.Namespace) -> int:
    """Print every path and setting in use; a key only as set or not set, an address without its password."""
    settings = load_settings()
    print(f"settings  {settings_file(os.environ)}")
    print(f"worlds    {worlds_folder()}")
    print(f"saves     {saves_folder(settings.saves)}")
    print(f"logs      {logs_folder()}")
    print(f"models    {roles_in_words(settings)}")
    print(f"\n{FILE_VARIABLE}: names another settings file")
    for variable, path in settings_module.variables().items():
        mark = "*" if variable in os.environ else " "
        print(f"{mark} {variable} = {_shown(settings, path)}")
    print("\n* set in the environment")
    return Exit.OK


def _shown(settings: Settings, path: tuple[str, ...]) -> str:
    value: object = settings
    for name in path:
        value = getattr(value, name)
    if path[-1].endswith("key"):
        return "(set)" if value else "(not set)"
    if path[-1] == "base_url":
        return re.sub(r"//[^/@]*@", "//…@", str(value))
    return "(default)" if value is None else str(value)
