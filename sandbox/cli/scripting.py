"""`sandbox run SCRIPT.yaml`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from contextlib import aclosing
from pathlib import Path

from sandbox.cli.common import character_of, deepened
from sandbox.cli.printing import Printer
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.script_run import play_script
from sandbox.engine.scripts import Script, check_names, read_script, world_of
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted
from sandbox.errors import Exit, ScriptError, UsageError
from sandbox.settings import Settings
from sandbox.storage.places import saves_folder
from sandbox.storage.saves import check_name


def run_script(arguments: argparse.Namespace, settings: Settings) -> int:
    """Run a script in a save of its own; without `--save` the save is thrown away."""
    path = Path(arguments.what)
    script = read_script(path)
    for option in ("beats", "start"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option}: the script says this itself.")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "script"
        if arguments.save is not None:
            folder = saves_folder(settings.saves) / check_name(arguments.save)
        chosen = deepened(settings, arguments.deep)
        session = _session(arguments, script, path, folder, chosen)
        viewpoint = character_of(session.canon, arguments.viewpoint)
        printer = Printer(viewpoint, as_json=arguments.json, traces=arguments.trace)
        try:
            asyncio.run(_played(session, script, printer))
        except ScriptError as error:
            raise ScriptError(f"{path}: {error}") from error
    print(f"{path}: all expectations met.", file=sys.stderr)
    return Exit.OK


def _session(
    arguments: argparse.Namespace, script: Script, path: Path, folder: Path, settings: Settings
) -> Session:
    seed = script.seed if arguments.seed is None else arguments.seed
    world = world_of(script, path)
    beginning = Beginning(world, seed=seed, start=script.start, minds=dict(script.minds))
    save = begin(folder, beginning, settings)
    check_names(script, save.canon(), path)
    return open_session(save, settings)


async def _played(session: Session, script: Script, printer: Printer) -> None:
    session.start()
    try:
        async with aclosing(play_script(session, script)) as updates:
            async for update in updates:
                if isinstance(update, BeatCommitted):
                    printer.beat(session.world, update)
    finally:
        await session.close()
