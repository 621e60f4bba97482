"""`sandbox run`: a story without a screen, or a script with expectations."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import aclosing
from pathlib import Path

from sandbox.cli.common import load_settings, opened, story_of, told_where
from sandbox.cli.main import DEFAULT_WORLD
from sandbox.cli.printing import Printer
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted, BeatFailed, BeatPassed, DirectionRefused
from sandbox.errors import Exit, UsageError
from sandbox.settings import Settings
from sandbox.story.highlight_words import counted
from sandbox.story.highlights import highlights_of

DEFAULT_BEATS = 24
_IDLE_ROUNDS = 3
"""Rounds in a row in which nobody does anything, after which a run ends."""


def run(arguments: argparse.Namespace) -> int:
    """Play headless, or run a script."""
    settings = load_settings()
    if arguments.what and Path(arguments.what).suffix in (".yaml", ".yml"):
        from sandbox.cli.scripting import run_script

        return run_script(arguments, settings)
    if arguments.beats is not None and arguments.beats < 1:
        raise UsageError(f"--beats {arguments.beats}: has to be at least 1.")
    return play_headless(arguments, settings, arguments.beats or DEFAULT_BEATS)


def play_headless(arguments: argparse.Namespace, settings: Settings, beats: int) -> int:
    """Play `beats` beats of the story that the arguments name, to stdout."""
    story = story_of(arguments, settings, DEFAULT_WORLD)
    session, viewpoint = opened(story, arguments.viewpoint, settings)
    printer = Printer(
        viewpoint,
        as_json=getattr(arguments, "json", False),
        traces=getattr(arguments, "trace", False),
    )
    mind = session.casting.default.name
    note = "" if mind != "rehearsal" else " (no model; `sandbox --help` says how to connect one)"
    print(f"{session.canon.title} · save `{story.save.name}` · {mind}{note}", file=sys.stderr)
    if session.was_torn:
        print(
            "The last line of the journal was cut off in writing and is dropped.", file=sys.stderr
        )
    turn = session.world.turn
    try:
        return asyncio.run(_played(session, printer, beats))
    finally:
        if viewpoint is None:
            _tell_highlights(session, turn)
        told_where(story, session)


def _tell_highlights(session: Session, since: int) -> None:
    """One line on what was worth telling after a turn; for the director, who may know it."""
    found = highlights_of(session.canon, session.save.manifest.start, session.beats)
    if told := counted(highlight for highlight in found if highlight.turn > since):
        print(f"Highlights: {told}.", file=sys.stderr)


async def _played(session: Session, printer: Printer, beats: int) -> int:
    session.start()
    try:
        return await advance_by(session, printer, beats)
    finally:
        await session.close()


async def advance_by(session: Session, printer: Printer, beats: int) -> int:
    """Play beats until there were enough, nobody does anything, or a move failed for good."""
    done = idle = 0
    while done < beats and idle < _IDLE_ROUNDS:
        before = done
        async with aclosing(session.advance(beats - done)) as updates:
            async for update in updates:
                match update:
                    case BeatCommitted():
                        printer.beat(session.world, update)
                        done += update.cost is not None
                    case BeatFailed():
                        raise update.error
                    case DirectionRefused() if printer.viewpoint is None:
                        # It names what an author prepared: the director's to know.
                        print(f"sandbox: {update.error}", file=sys.stderr)
                    case BeatPassed():
                        pass
                    case _:
                        pass
        idle = 0 if done > before else idle + 1
    if idle:
        print(f"Nobody had anything to do after {done} beats.", file=sys.stderr)
    return Exit.OK
