"""`sandbox retract` and `sandbox edit`: taking back one turn of a save that is not being played."""

from __future__ import annotations

import argparse

from pydantic import ValidationError

from sandbox.cli.common import load_settings, save_of
from sandbox.engine.branching import branch_edited, take_back
from sandbox.errors import Exit, UsageError
from sandbox.storage.places import saves_folder
from sandbox.storage.saves import check_name
from sandbox.story.commands import Edit, Retract


def retract(arguments: argparse.Namespace) -> int:
    """Withdraw one turn and keep what followed."""
    save = save_of(arguments.save, load_settings())
    take_back(save, Retract(turn=_turn(arguments)))
    print(f"{save.name}: turn {arguments.at} is withdrawn; what followed stays.")
    return Exit.OK


def edit(arguments: argparse.Namespace) -> int:
    """Change the words of one line, in the save or in a branch of it."""
    settings = load_settings()
    save = save_of(arguments.save, settings)
    try:
        command = Edit(turn=_turn(arguments), words=arguments.words)
    except ValidationError:
        raise UsageError("--words: needs 1 to 4000 characters.") from None
    if arguments.keep:
        take_back(save, command)
        print(f"{save.name}: turn {command.turn} has other words; what followed stays.")
        return Exit.OK
    folder = saves_folder(settings.saves) / check_name(arguments.branch)
    made = branch_edited(save, command.turn, command.words, folder)
    print(f"{made.name}: {made.manifest.branched_from}")
    return Exit.OK


def _turn(arguments: argparse.Namespace) -> int:
    if arguments.at < 1:
        raise UsageError(f"--at {arguments.at}: turns are counted from 1.")
    return int(arguments.at)
