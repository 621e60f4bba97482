"""`sandbox play`: the terminal UI; without a terminal, a stretch of story on stdout."""

from __future__ import annotations

import argparse
import sys

from sandbox.cli.common import load_settings, opened, story_of, told_where
from sandbox.cli.main import DEFAULT_WORLD


def play(arguments: argparse.Namespace) -> int:
    """Open a story on the screen, or play 24 beats of it where there is none."""
    settings = load_settings()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from sandbox.cli.running import DEFAULT_BEATS, play_headless

        return play_headless(arguments, settings, DEFAULT_BEATS)
    from sandbox import tui

    story = story_of(arguments, settings, DEFAULT_WORLD)
    session, viewpoint = opened(story, arguments.viewpoint, settings)
    try:
        return tui.play(session, settings, viewpoint=viewpoint)
    finally:
        told_where(story, session)
