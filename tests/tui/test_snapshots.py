"""One picture of each screen state, at a fixed size; the story is told by commands, so it never changes.

After a change that is meant: `pytest tests/tui/test_snapshots.py --snapshot-update`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sandbox.story.commands import Command
from sandbox.tui.playing import PlayApp
from tests.tui.stages import (
    ANN,
    BEN,
    CUP,
    CUP_STORY,
    CY,
    FERRY,
    FERRY_STORY,
    RUMOUR,
    SETTINGS,
    session_at,
    tell,
)

Compare = Callable[..., bool]
SMALL, LARGE = (80, 24), (160, 45)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves by itself, and colours are those of a plain terminal."""
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.delenv("NO_COLOR", raising=False)


def app_of(folder: Path, world: Path = CUP) -> PlayApp:
    app = PlayApp(session_at(folder / "save", world), SETTINGS)
    app.prompt.cursor_blink = False
    app.animation_level = "none"
    return app


def after(
    story: Sequence[Command], *keys: str, then: Callable[[PlayApp], None] | None = None
) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Tell a story, press keys, do something."""

    async def run(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, PlayApp)
        tell(app, story)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        if then is not None:
            then(app)
        await pilot.pause()

    return run


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_the_story(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app_of(tmp_path), run_before=after(CUP_STORY), terminal_size=size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_a_line_inspected(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    run = after(CUP_STORY, "alt+up", "i")
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_through_bens_eyes(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    run = after(CUP_STORY, "3", then=lambda app: app.see_as(BEN))
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_a_chinese_story(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    run = after(FERRY_STORY, "c", "2", *(["i"] if size == SMALL else []))
    assert snap_compare(app_of(tmp_path, FERRY), run_before=run, terminal_size=size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_who_knows_what(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app_of(tmp_path), run_before=after(RUMOUR, "w"), terminal_size=size)


def test_who_knows_what_as_cy_thinks(tmp_path: Path, snap_compare: Compare) -> None:
    run = after(RUMOUR, "w", then=lambda app: app.see_as(CY))
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=LARGE)


def test_who_knows_what_in_chinese(tmp_path: Path, snap_compare: Compare) -> None:
    run = after(FERRY_STORY, "w")
    assert snap_compare(app_of(tmp_path, FERRY), run_before=run, terminal_size=LARGE)


def test_a_draft(tmp_path: Path, snap_compare: Compare) -> None:
    def draft(app: PlayApp) -> None:
        app.story.drafts[ANN] = "I have something to say. It concerns the clock."
        app.redraw_drafts()

    run = after(CUP_STORY, then=draft)
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=SMALL)


def test_a_wrong_name(tmp_path: Path, snap_compare: Compare) -> None:
    run = after(CUP_STORY, *"/say Bem: hi", "enter")
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=SMALL)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_the_help(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app_of(tmp_path), run_before=after((), "f1"), terminal_size=size)


def test_the_question_before_a_rewind(tmp_path: Path, snap_compare: Compare) -> None:
    run = after(CUP_STORY, "alt+up", "alt+up", "alt+up", "u")
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=SMALL)


def test_too_small(tmp_path: Path, snap_compare: Compare) -> None:
    assert snap_compare(app_of(tmp_path), run_before=after(CUP_STORY), terminal_size=(50, 14))


def test_without_colour(
    tmp_path: Path, snap_compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    run = after(CUP_STORY, "alt+up", "i")
    assert snap_compare(app_of(tmp_path), run_before=run, terminal_size=LARGE)
