"""The screen on a real pseudo-terminal, as a person meets it."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import pexpect
import pyte
import pytest

from tests.tui.stages import CUP, PATIENCE_S

_SCRIPT = """
from pathlib import Path
from sandbox.settings import Settings
from sandbox.tui import play
from tests.playing import begun, opened
save = begun(Path({save!r}), Path({world!r}))
raise SystemExit(play(opened(save), Settings()))
"""
_ROOT = Path(__file__).parents[2]


class Terminal:
    """A program on a pseudo-terminal of 80×24, with what stands on its screen."""

    def __init__(self, script: str) -> None:
        environment = os.environ | {"TERM": "xterm-256color", "PYTHONPATH": str(_ROOT)}
        environment["TEXTUAL_ANIMATIONS"] = "none"
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.process: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable, ["-c", script], dimensions=(24, 80), env=environment, timeout=PATIENCE_S
        )

    def until(self, text: str) -> str:
        """Read until `text` stands on the screen."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.shown and time.monotonic() < end:
            self._read()
        assert text in self.shown
        return self.shown

    def _read(self) -> None:
        with suppress(pexpect.TIMEOUT):
            self._stream.feed(self.process.read_nonblocking(65536, timeout=1))

    @property
    def shown(self) -> str:
        return "\n".join(self.screen.display)

    def close(self) -> bool:
        """Wait for the end. Whether it ended well."""
        self.process.expect(pexpect.EOF)
        self.process.close()
        return bool(self.process.exitstatus == 0)


@pytest.mark.slow
def test_a_person_plays_a_beat_speaks_and_leaves(tmp_path: Path) -> None:
    save = tmp_path / "save"
    terminal = Terminal(_SCRIPT.format(save=str(save), world=str(CUP)))
    terminal.until("Nothing has happened yet.")
    terminal.process.send(" ")
    terminal.until("turn 1")
    terminal.process.send("/say ann: Good evening to you all.")
    terminal.until("/say ann: Good evening")
    terminal.process.send("\r")
    shown = terminal.until("ANN  Good evening to you all.")
    assert "heard: Ben" in shown
    assert "rehearsal, no model" in shown
    terminal.process.send("\x11")
    assert terminal.close()
    assert "Good evening to you all." in (save / "journal.jsonl").read_text(encoding="utf-8")
