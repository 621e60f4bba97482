"""Editing and retracting on screen: the question, and what becomes of the story."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.storage.saves import list_saves, load_save
from sandbox.story.commands import Edit, Retract
from sandbox.tui.prompting import PromptError, Reader
from sandbox.tui.screens import ChoiceScreen, ConfirmScreen
from tests.tui.stages import ANN, BEN, CUP_STORY, FERRY, FERRY_STORY, sheet_text, until
from tests.tui.test_app import hint_of, playing, turns, typed


async def test_an_edit_asks_and_keeps_what_followed(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        before = turns(app)
        line = next(line for line in app.story.lines if line.look == "speech")
        await typed(pilot, f"/edit {line.turn}: Quite other words.")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        assert line.text in sheet_text(app, "transcript")
        await pilot.press("k")
        await until(pilot, lambda: "Quite other words." in sheet_text(app, "transcript"))
        assert turns(app) == before


async def test_an_edit_can_be_let_be_and_what_was_typed_stays(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        line = next(line for line in app.story.lines if line.look == "speech")
        await typed(pilot, f"/edit {line.turn}: Quite other words.")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, ChoiceScreen))
        assert "Quite other words." not in sheet_text(app, "transcript")
        assert app.prompt.value == f"/edit {line.turn}: Quite other words."


async def test_an_edit_in_a_branch_leaves_this_story_and_makes_a_save(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        line = next(line for line in app.story.lines if line.look == "speech")
        own = app.session.save.folder
        await typed(pilot, f"/edit {line.turn}：别的话。")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("b")
        made = own.with_name(f"{own.name}-t{line.turn}-1")
        await until(pilot, lambda: (made / "journal.jsonl").exists())
        await until(pilot, lambda: not isinstance(app.screen, ChoiceScreen))
        assert "别的话" not in sheet_text(app, "transcript")
    assert "别的话。" in load_save(made).journal_path.read_text(encoding="utf-8")
    assert len(list(list_saves(own.parent))) == 2


async def test_the_chosen_line_is_put_into_the_prompt_to_be_edited(tmp_path: Path) -> None:
    async with playing(tmp_path, story=FERRY_STORY, world=FERRY) as (app, pilot):
        await pilot.press("alt+up", "e")
        line = app.story.chosen_line
        assert line is not None
        assert app.prompt.value == f"/edit {line.turn}: {line.text}"


async def test_retracting_asks_first_and_keeps_what_followed(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        before = turns(app)
        app.story.chosen = next(
            (line.seq, line.index) for line in app.story.lines if line.look == "speech"
        )
        line = app.story.chosen_line
        assert line is not None
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
        assert line.text in sheet_text(app, "transcript")
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: line.text not in sheet_text(app, "transcript"))
        assert turns(app) == before


async def test_through_ones_own_eyes_nothing_is_said_of_what_rests_on_a_line(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        await typed(pilot, "/go Ben yard")
        await typed(pilot, "/go Ben hall")
        went = turns(app) - 1
        app.see_as(BEN)
        await typed(pilot, f"/retract {went}")
        assert hint_of(app) == (
            f"✗ what followed rests on turn {went}. Rewind to turn {went - 1} to go on without it."
        )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("/edit 1", r"/edit TURN: TEXT"),
        ("/edit 1:", r"/edit TURN: TEXT"),
        ("/edit one: x", "is not a turn"),
        ("/retract 99", "no line of turn 99 is shown"),
    ],
)
async def test_a_slip_is_answered_in_one_line(tmp_path: Path, text: str, problem: str) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, _):
        with pytest.raises(PromptError, match=problem):
            Reader(app.story).read(text)


async def test_through_ones_eyes_only_ones_own_lines_are_changed(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, _):
        mine = next(line for line in app.story.lines if line.speaker_id == ANN)
        other = next(
            line for line in app.story.lines if line.speaker_id == BEN and line.look == "speech"
        )
        app.see_as(ANN)
        reader = Reader(app.story)
        assert reader.read(f"/retract {mine.turn}") == Retract(turn=mine.turn)
        assert reader.read(f"/edit {mine.turn}: No.") == Edit(turn=mine.turn, words="No.")
        with pytest.raises(PromptError, match=r"only Ann can act|no line of turn"):
            reader.read(f"/edit {other.turn}: No.")
