"""`sandbox replay`, `branch` and `saves`."""

from __future__ import annotations

import argparse
import asyncio
import sys

from sandbox.cli.common import character_of, load_settings, save_of
from sandbox.engine.opening import branch as branch_save
from sandbox.engine.opening import salvage
from sandbox.errors import Exit, SaveError, UsageError
from sandbox.storage.places import saves_folder
from sandbox.storage.saves import Save, check_name, list_saves
from sandbox.story.withdrawing import surviving


def replay(arguments: argparse.Namespace) -> int:
    """Verify a save, or look at it turn by turn."""
    settings = load_settings()
    save = save_of(arguments.save, settings)
    if arguments.verify:
        return _verify(save)
    from sandbox.engine.playback import Playback

    playback = Playback(save)
    viewpoint = character_of(playback.canon, arguments.viewpoint)
    if arguments.at is not None:
        playback.jump(arguments.at)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from sandbox import tui

        return tui.watch(playback, settings, viewpoint=viewpoint)
    from sandbox.cli.printing import Printer
    from sandbox.engine.updates import BeatCommitted

    printer = Printer(viewpoint, as_json=False)
    for beat in playback.world.beats:
        printer.beat(playback.world, BeatCommitted(beat))
    return Exit.OK


def _verify(save: Save) -> int:
    from sandbox.engine.replay import verify

    verdict = asyncio.run(verify(save))
    for note in verdict.notes:
        print(f"note: {note}", file=sys.stderr)
    if not verdict.is_same:
        raise SaveError(verdict.problem)
    print(f"{save.name}: {verdict.lines} journal lines came out the same, byte for byte.")
    return Exit.OK


def branch(arguments: argparse.Namespace) -> int:
    """Begin a save from a turn of another, or from the good part of a damaged one."""
    settings = load_settings()
    save = save_of(arguments.save, settings)
    folder = saves_folder(settings.saves)
    if arguments.salvage:
        made = salvage(save, folder / check_name(arguments.salvage))
    elif arguments.at is None or arguments.name is None:
        raise UsageError("branch needs --at TURN and --name NAME, or --salvage NAME.")
    else:
        made = branch_save(save, arguments.at, folder / check_name(arguments.name))
    print(f"{made.name}: {made.manifest.branched_from}")
    return Exit.OK


def saves(arguments: argparse.Namespace) -> int:
    """List the saves with what is in them."""
    folder = saves_folder(load_settings().saves)
    found = 0
    for save in list_saves(folder):
        found += 1
        if isinstance(save, SaveError):
            print(f"sandbox: {save}", file=sys.stderr)
            continue
        print(_described(save))
    if not found:
        print(f"No saves in {folder} yet. `sandbox play` begins one.", file=sys.stderr)
    return Exit.OK


def _described(save: Save) -> str:
    manifest = save.manifest
    mind = manifest.model if manifest.mind == "model" else manifest.mind
    if manifest.summaries:
        mind += f", summaries by {manifest.summaries}"
    note = f" · from {manifest.branched_from}" if manifest.branched_from else ""
    try:
        story = [beat for beat in surviving(save.read().beats) if beat.is_story]
        turn = f"turn {story[-1].turn if story else 0}"
    except SaveError as error:
        turn = f"damaged: {error}"
    return f"{save.name}  {manifest.title} · {turn} · seed {manifest.seed} · {mind}{note}"
