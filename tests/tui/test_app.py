"""The screen at work: keys, the prompt, beats that stream, viewpoints, replays."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from sandbox.agents.minds import Move
from sandbox.engine.playback import Playback
from sandbox.engine.session import Session
from sandbox.errors import ModelError, ModelUnavailableError
from sandbox.settings import ScreenSettings, Settings
from sandbox.storage.saves import load_save
from sandbox.story.commands import Command, Inject
from sandbox.story.events import LineSpoken
from sandbox.tui.actions import ACTIONS
from sandbox.tui.app import StoryApp
from sandbox.tui.playing import PlayApp
from sandbox.tui.screens import ConfirmScreen, HelpScreen
from sandbox.tui.sheet import Sheet
from sandbox.tui.watching import WatchApp
from tests.tui.stages import (
    ANN,
    BEN,
    CUP,
    CUP_STORY,
    FERRY,
    FERRY_STORY,
    HALL,
    YARD,
    Gated,
    Scripted,
    cast_with,
    screen_text,
    session_at,
    sheet_text,
    tell,
    told_world,
    until,
)

FAST = Settings(screen=ScreenSettings(beats_per_minute=6000))
SLOW = Settings(screen=ScreenSettings(beats_per_minute=1))


@asynccontextmanager
async def playing(
    folder: Path,
    *,
    story: Sequence[Command] = (),
    mind: Scripted | Gated | None = None,
    settings: Settings = SLOW,
    size: tuple[int, int] = (120, 40),
    world: Path = CUP,
) -> AsyncIterator[tuple[PlayApp, Pilot[int]]]:
    """An app that plays a new save."""
    session = session_at(folder / "save", world)
    if mind is not None:
        cast_with(session, mind)
    app = PlayApp(session, settings)
    async with app.run_test(size=size) as pilot:
        tell(app, story)
        await pilot.pause()
        yield app, pilot


def turns(app: PlayApp) -> int:
    return app.session.world.turn


def journal(folder: Path) -> str:
    return (folder / "save" / "journal.jsonl").read_text(encoding="utf-8")


def hint_of(app: StoryApp) -> str:
    return str(app.query_one("#hint").render())


async def typed(pilot: Pilot[int], text: str) -> None:
    """Put a line into the prompt and send it."""
    app = pilot.app
    assert isinstance(app, StoryApp)
    app.action_prompt(text)
    await pilot.press("enter")
    await pilot.pause()


# ── playing ───────────────────────────────────────────────────────────────────────────────────


async def test_space_plays_one_beat(tmp_path: Path) -> None:
    async with playing(tmp_path, mind=Scripted(Move(words="Good evening."))) as (app, pilot):
        await pilot.press("space")
        await until(pilot, lambda: turns(app) == 1 and not app.is_busy)
        assert "Good evening." in sheet_text(app, "transcript")
        assert not app.is_playing


async def test_a_story_plays_on_until_it_is_paused(tmp_path: Path) -> None:
    mind = Scripted(Move(words="On and on."))
    async with playing(tmp_path, mind=mind, settings=FAST) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: turns(app) >= 5)
        await pilot.press("p")
        await until(pilot, lambda: not app.is_busy and not app.is_playing)
        stopped_at = turns(app)
        await pilot.pause()
        assert turns(app) == stopped_at


async def test_the_save_is_closed_when_the_person_quits_in_the_middle_of_a_beat(
    tmp_path: Path,
) -> None:
    mind = Gated("Never said.")
    async with playing(tmp_path, mind=mind) as (app, pilot):
        await pilot.press("space")
        await until(pilot, mind.drafted.is_set)
        await pilot.press("ctrl+q")
    assert app.return_code == 0
    assert "Never said." not in journal(tmp_path)
    again = await _reopened(tmp_path)
    await again.close()


async def test_stopping_leaves_nothing_of_a_beat(tmp_path: Path) -> None:
    mind = Gated("I never said that.")
    async with playing(tmp_path, mind=mind) as (app, pilot):
        await pilot.press("space")
        await until(pilot, lambda: "I never said that." in sheet_text(app, "transcript"))
        assert "(draft)" in sheet_text(app, "transcript")
        await pilot.press("escape")
        await until(pilot, lambda: not app.is_busy)
        assert "I never said that." not in screen_text(app)
        assert turns(app) == 0
        assert journal(tmp_path) == ""
        assert "Stopped" in hint_of(app)


async def test_a_draft_becomes_a_line_when_it_is_committed(tmp_path: Path) -> None:
    mind = Gated("It was I.")
    async with playing(tmp_path, mind=mind) as (app, pilot):
        await pilot.press("space")
        await until(pilot, lambda: "(draft)" in sheet_text(app, "transcript"))
        mind.gate.set()
        await until(pilot, lambda: turns(app) > 0 and not app.is_busy)
        shown = sheet_text(app, "transcript")
        assert "(draft)" not in shown
        assert "heard: " in shown


async def test_a_withdrawn_draft_goes(tmp_path: Path) -> None:
    mind = Gated("Half a sen", drops=True)
    async with playing(tmp_path, mind=mind) as (app, pilot):
        await pilot.press("space")
        await until(pilot, lambda: "Half a sen" in sheet_text(app, "transcript"))
        mind.gate.set()
        await until(pilot, lambda: not app.is_busy)
        assert "Half a sen" not in screen_text(app)


async def test_drafts_and_who_decides_are_hidden_from_a_character(tmp_path: Path) -> None:
    mind = Gated("A draft of somebody.")
    async with playing(tmp_path, mind=mind, story=CUP_STORY) as (app, pilot):
        app.see_as(BEN)
        await pilot.press("space")
        await until(pilot, mind.drafted.is_set)
        app.redraw()
        await pilot.pause()
        assert "A draft of somebody." not in screen_text(app)
        assert "… a beat" in screen_text(app)
        await pilot.press("v", "v")
        await until(pilot, lambda: app.story.viewpoint is None)
        assert "A draft of somebody." not in sheet_text(app, "cast")


@pytest.mark.parametrize(
    "error", [ModelUnavailableError("the endpoint refused."), ModelError("no JSON in the reply.")]
)
async def test_a_beat_that_fails_pauses_and_says_so(tmp_path: Path, error: ModelError) -> None:
    async with playing(tmp_path, mind=Scripted(error), settings=FAST) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: len(app._notifications) > 0)
        (notice,) = list(app._notifications)[:1]
        assert notice.title == "Next beat"
        assert str(error) in notice.message
        assert not app.is_playing
        assert turns(app) == 0


async def test_what_went_wrong_in_another_mind_is_not_told_to_a_character(tmp_path: Path) -> None:
    error = ModelError("Ann's reply names the SECRET.")
    async with playing(tmp_path, mind=Scripted(error), story=CUP_STORY) as (app, pilot):
        app.see_as(BEN)
        app.session._forced = ANN
        await pilot.press("space")
        await until(pilot, lambda: len(app._notifications) > 0)
        assert all("SECRET" not in notice.message for notice in app._notifications)


async def test_a_failing_endpoint_is_told_once(tmp_path: Path) -> None:
    error = ModelUnavailableError("http://x: cannot be reached (connection refused).")
    mind = Scripted(error, drops=[str(error)])
    async with playing(tmp_path, mind=mind, settings=FAST, size=(80, 24)) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: len(app._notifications) > 0 and not app.is_busy)
        assert len(app._notifications) == 1
        assert hint_of(app) == ""


async def test_play_waits_for_the_person_who_is_spoken_to(tmp_path: Path) -> None:
    mind = Scripted(Move(words="And you?", to=(ANN,)))
    async with playing(tmp_path, mind=mind, settings=FAST) as (app, pilot):
        app.session.casting.held = frozenset([ANN])
        await pilot.press("p")
        await until(pilot, lambda: not app.is_playing and not app.is_busy)
        (notice,) = list(app._notifications)
        said = "Ann is addressed by Ben: the story waits for you. `/as Ann` answers."
        assert notice.message == said


async def test_play_pauses_where_nobody_can_act(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        app.session.casting.held = frozenset(app.session.canon.cast)
        await pilot.press("p")
        await until(pilot, lambda: len(app._notifications) > 0 and not app.is_playing)
        assert "Nobody can act" in next(iter(app._notifications)).message


# ── the prompt ────────────────────────────────────────────────────────────────────────────────


async def test_plain_text_is_narrated_by_the_director(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("enter")
        await pilot.press(*"The lamp goes out.", "enter")
        await until(pilot, lambda: turns(app) == 1)
        assert "The lamp goes out.  seen by: Ann, Ben" in sheet_text(app, "transcript")
        assert app.prompt.value == ""


async def test_plain_text_is_said_by_the_character_that_was_chosen(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await typed(pilot, "/as ann")
        await typed(pilot, "Sit down, all of you.")
        event = app.session.beats[-1].events[-1].event
        assert event == LineSpoken(actor=ANN, words="Sit down, all of you.")


async def test_the_first_letter_of_a_command_goes_to_the_prompt_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await pilot.press(*"/say ann: hi", "enter")
        await until(pilot, lambda: turns(app) == 1)
        assert "ANN  hi" in sheet_text(app, "transcript")


async def test_a_wrong_name_leaves_the_text_in_the_prompt(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await typed(pilot, "/say Bem: hello")
        assert app.prompt.value == "/say Bem: hello"
        assert hint_of(app) == "✗ nobody here is called `Bem`. Did you mean `Ben`?"
        assert turns(app) == 0


async def test_what_the_stage_refuses_goes_back_to_the_prompt(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await typed(pilot, "/whisper Ann to Cy Dorn: psst")
        assert app.prompt.value == "/whisper Ann to Cy Dorn: psst"
        assert "is not where" in hint_of(app)
        assert turns(app) == 0


async def test_a_command_during_a_beat_takes_effect_after_it(tmp_path: Path) -> None:
    mind = Gated("I am speaking.")
    async with playing(tmp_path, mind=mind) as (app, pilot):
        await pilot.press("space")
        await until(pilot, mind.drafted.is_set)
        await typed(pilot, "/event The bell rings.")
        assert turns(app) == 0
        mind.gate.set()
        await until(pilot, lambda: "The bell rings." in sheet_text(app, "transcript"))
        shown = sheet_text(app, "transcript")
        assert shown.index("I am speaking.") < shown.index("The bell rings.")


async def test_markup_of_a_person_is_shown_as_it_is(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await typed(pilot, "/say ann: [bold]no[/bold] [@click=app.quit]x[/]")
        assert "[bold]no[/bold] [@click=app.quit]x[/]" in screen_text(app)
        await typed(pilot, "/say [red]x[/red]: y")
        assert "`[red]x[/red]`" in screen_text(app)


async def test_plain_text_happens_where_the_prompt_said_when_it_was_begun(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("enter")
        await pilot.press(*"A dog")
        assert "Director, the hall" in screen_text(app)
        tell(app, [Inject(text="It rains.", place=YARD)])
        app.redraw_sides()
        await pilot.pause()
        assert "Director, the hall" in screen_text(app)
        await pilot.press(*" barks.", "enter")
        await until(pilot, lambda: turns(app) == 2)
        assert app.session.beats[-1].events[-1].event.place == HALL  # type: ignore[union-attr]
        await typed(pilot, "/event the yard: It rains.")
        await until(pilot, lambda: "Director, the yard" in screen_text(app))


async def test_escape_and_ctrl_u_clear_what_is_typed(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await typed(pilot, "/say Bem: hello")
        await pilot.press("left", "left", "ctrl+u")
        assert app.prompt.value == ""
        await typed(pilot, "/say Bem: hello")
        await pilot.press("escape")
        await pilot.pause()
        assert app.prompt.value == ""
        assert hint_of(app) == ""
        assert app.prompt.has_focus
        await pilot.press("escape")
        assert app.transcript.has_focus


async def test_what_the_stage_refuses_is_told_in_names(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await typed(pilot, "/whisper Ann to Cy Dorn: psst")
        assert hint_of(app) == "✗ Cy Dorn is not where Ann is (the hall)."


# ── going back ────────────────────────────────────────────────────────────────────────────────


async def test_rewinding_asks_first(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        await pilot.press("alt+up", "alt+up", "alt+up", "u")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
        assert turns(app) == 9
        line = app.story.chosen_line
        assert line is not None
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: turns(app) == line.turn)
        assert "SECRETHALL" not in sheet_text(app, "transcript")


async def test_a_retake_withdraws_the_last_beat_and_plays_it_anew(tmp_path: Path) -> None:
    mind = Scripted(Move(words="First try."))
    async with playing(tmp_path, mind=mind) as (app, pilot):
        await pilot.press("space")
        await until(pilot, lambda: turns(app) > 0 and not app.is_busy)
        mind.move = Move(words="Second try.")
        before = turns(app)
        await pilot.press("r")
        await until(pilot, lambda: "Second try." in sheet_text(app, "transcript"))
        assert turns(app) == before


async def test_a_retake_of_nothing_is_an_error_with_a_title(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("r")
        await until(pilot, lambda: len(app._notifications) > 0)
        assert next(iter(app._notifications)).title == "Retake"


# ── views ─────────────────────────────────────────────────────────────────────────────────────


async def test_the_viewpoint_changes_everything_on_screen(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        assert "SECRETTHOUGHT" in screen_text(app)
        await pilot.press("i", "v", "v")
        await until(pilot, lambda: app.story.viewpoint == BEN)
        for tab in "1234":
            await pilot.press(tab)
            await pilot.pause()
            shown = screen_text(app)
            assert "as Ben sees it" in shown
            assert "Cy Dorn" not in shown
            assert "SECRETDEED" not in shown
        await pilot.press("v", "v")
        await until(pilot, lambda: app.story.viewpoint is None)
        assert "Cy Dorn" in screen_text(app)


async def test_who_is_spoken_for_is_kept_or_said(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        await typed(pilot, "/as ann")
        app.see_as(ANN)
        assert app.story.speaking_as == ANN
        assert "speak as" not in hint_of(app)
        app.see_as(BEN)
        assert app.story.speaking_as == BEN
        assert "You now speak as Ben." in hint_of(app)
        app.see_as(None)
        assert app.story.speaking_as == ANN
        assert "You now speak as Ann." in hint_of(app)
        await typed(pilot, "/as director")
        app.see_as(BEN)
        assert app.story.speaking_as is None


async def test_the_inspector_shows_who_perceived_the_chosen_line(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        await pilot.press("alt+up", "i")
        await pilot.pause()
        shown = sheet_text(app, "inspector")
        assert "✗ Ann" in shown
        assert "✓ Cy Dorn" in shown
        await pilot.press("c", "2")
        await pilot.pause()
        assert "I hid the key." in sheet_text(app, "inspector")
        await pilot.press("3")
        await pilot.pause()
        assert "The key of the house lies hidden" in sheet_text(app, "inspector")


async def test_a_line_and_a_character_are_chosen_with_the_mouse(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY) as (app, pilot):
        await pilot.click("#transcript", offset=(10, 1))
        assert app.story.chosen_line is app.story.lines[1]
        await pilot.click("#cast", offset=(6, 1))
        assert app.story.selected == BEN


async def test_at_80_columns_the_inspector_covers_the_story_and_goes_again(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY, size=(80, 24)) as (app, pilot):
        assert not app.query_one("#cast").display
        assert app.query_one("#cast-line").display
        await pilot.press("alt+up", "i")
        await pilot.pause()
        assert not app.transcript.display
        assert "Who perceived it" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.transcript.display


async def test_a_terminal_that_is_too_small_is_told_so(tmp_path: Path) -> None:
    async with playing(tmp_path, size=(50, 14)) as (app, pilot):
        await pilot.pause()
        shown = screen_text(app)
        assert "This needs at least 60×16 characters; the" in shown
        assert "Director" not in shown
        await pilot.resize_terminal(58, 20)
        assert "58×20" in screen_text(app)
        await pilot.resize_terminal(120, 30)
        await pilot.pause()
        assert "Cy Dorn       tired" in screen_text(app)


async def test_the_help_lists_every_action_with_its_key(tmp_path: Path) -> None:
    settings = SLOW.model_copy(update={"keys": {"play": "f9"}})
    async with playing(tmp_path, settings=settings) as (app, pilot):
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        rows = app.screen.query_one("#help", Sheet).rows
        shown = "\n".join("".join(span.text for span in row) for row in rows)
        for action in ACTIONS:
            assert action.title in shown
        assert "f9" in shown
        assert "SANDBOX_MODEL_BASE_URL" in shown
        await pilot.press("escape")
        await pilot.press("f9")
        await until(pilot, lambda: app.is_playing)


async def test_unknown_actions_in_the_settings_are_reported(tmp_path: Path) -> None:
    settings = SLOW.model_copy(update={"keys": {"plai": "f9"}})
    async with playing(tmp_path, settings=settings) as (app, pilot):
        await until(pilot, lambda: len(app._notifications) > 0)
        assert "Did you mean `play`?" in next(iter(app._notifications)).message


async def test_the_palette_offers_what_is_possible(tmp_path: Path) -> None:
    async with playing(tmp_path) as (app, _):
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert "story: Next beat" in offered
        assert "replay: Earlier turn" not in offered
        assert "story: Rewind to line" not in offered


async def test_the_story_is_followed_unless_one_scrolls_up(tmp_path: Path) -> None:
    mind = Scripted(Move(words="Something to say again."))
    async with playing(tmp_path, mind=mind, settings=FAST, size=(80, 24)) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: turns(app) >= 20)
        await pilot.press("p")
        await until(pilot, lambda: not app.is_busy)
        assert app.transcript.scroll_offset.y == app.transcript.max_scroll_y
        await pilot.press("home")
        await until(pilot, lambda: app.transcript.scroll_offset.y == 0)
        now = turns(app)
        await app._run_beats().wait()
        await until(pilot, lambda: turns(app) > now and not app.is_busy)
        assert app.transcript.scroll_offset.y == 0
        # How many depends on whether a scene ended just then: how far it had played is the clock's.
        new_lines = re.compile(r"▼ [1-9]\d* new lines? · f")
        await until(pilot, lambda: new_lines.search(screen_text(app)) is not None)
        await pilot.press("f")
        await until(pilot, lambda: app.transcript.scroll_offset.y == app.transcript.max_scroll_y)
        assert "▼" not in screen_text(app)


@pytest.mark.parametrize("way", ["space", "p", "line"])
async def test_who_plays_or_sends_a_line_is_taken_to_the_end(tmp_path: Path, way: str) -> None:
    mind = Scripted(Move(words="Something to say again."))
    async with playing(tmp_path, mind=mind, story=CUP_STORY, size=(80, 16)) as (app, pilot):
        await pilot.press("alt+up", "alt+up", "home")
        now = turns(app)
        if way == "line":
            await typed(pilot, "The bell rings.")
        else:
            await pilot.press(way)
        await until(pilot, lambda: turns(app) > now and not app.is_busy)
        assert app.story.chosen is None
        assert app.transcript.scroll_offset.y == app.transcript.max_scroll_y
        assert "▼" not in screen_text(app)


async def test_lines_that_come_while_one_is_chosen_are_counted(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY, size=(80, 16)) as (app, pilot):
        await pilot.press("alt+up")
        tell(app, [Inject(text="A bell.", place=HALL), Inject(text="A crash.", place=HALL)])
        await until(pilot, lambda: "▼ 2 new lines · f" in screen_text(app))
        await pilot.click("#newer", offset=(4, 0))
        await until(pilot, lambda: app.story.chosen is None)
        assert "▼" not in screen_text(app)


async def test_every_action_has_a_method() -> None:
    for app_class in (PlayApp, WatchApp):
        for action in ACTIONS:
            assert hasattr(app_class, f"action_{action.method.partition('(')[0]}"), action.id


# ── replay ────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def watching(folder: Path) -> AsyncIterator[tuple[WatchApp, Pilot[int]]]:
    session = await told_world(folder / "save", CUP_STORY)
    await session.close()
    app = WatchApp(Playback(load_save(folder / "save")), FAST)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        yield app, pilot


async def test_a_replay_goes_back_and_forth_and_jumps(tmp_path: Path) -> None:
    async with watching(tmp_path) as (app, pilot):
        assert hint_of(app) == "turn 9 of 9 · [ earlier · g jump"
        await pilot.press("space")
        await pilot.pause()
        assert "This is the end." in hint_of(app)
        assert "turn 9 of 9" in screen_text(app)
        whole = sheet_text(app, "transcript")
        await pilot.press("left_square_bracket")
        assert app.playback.turn == 8
        assert "SECRETHALL" not in sheet_text(app, "transcript")
        await pilot.press("g")
        await pilot.press("2", "enter")
        await until(pilot, lambda: app.playback.turn == 2)
        await pilot.press("escape")
        await pilot.press(*["right_square_bracket"] * 7)
        assert app.playback.turn == 9
        assert sheet_text(app, "transcript") == whole


async def test_a_replay_plays_to_its_end(tmp_path: Path) -> None:
    async with watching(tmp_path) as (app, pilot):
        app.go_to_turn(0)
        await pilot.press("p")
        await until(pilot, lambda: app.playback.turn == 9 and not app.is_playing)


async def test_a_replay_changes_nothing(tmp_path: Path) -> None:
    async with watching(tmp_path) as (app, pilot):
        before = journal(tmp_path)
        for action in ("retake", "rewind"):
            assert app.check_action(action, ()) is None
        footer = screen_text(app).splitlines()[-1]
        assert "[ Earlier  ] Later" in footer
        assert "Rewind" not in footer
        await pilot.press("r", "u")
        await typed(pilot, "/event The roof falls in.")
        assert "replay" in hint_of(app)
        assert journal(tmp_path) == before


async def test_a_characters_replay_goes_from_percept_to_percept(tmp_path: Path) -> None:
    async with watching(tmp_path) as (app, pilot):
        app.see_as(ANN)
        app.go_to_turn(0)
        await pilot.press("right_square_bracket", "right_square_bracket")
        # Turn 2 is a thought of somebody else.
        assert app.playback.turn == 3
        await pilot.press("left_square_bracket")
        assert app.playback.turn == 1
        assert " of 9" not in screen_text(app)


# ── Chinese ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_rows_of_chinese_are_as_wide_as_the_screen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with playing(tmp_path, story=FERRY_STORY, world=FERRY, size=size) as (app, pilot):
        await pilot.press("alt+up", "i")
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {size[0]}
        assert "方序" in screen_text(app)


async def test_a_session_may_be_played_again_after_the_app_ended(tmp_path: Path) -> None:
    async with playing(tmp_path, story=CUP_STORY):
        pass
    again: Session = await _reopened(tmp_path)
    assert again.world.turn == 9
    await again.close()


async def _reopened(folder: Path) -> Session:
    from tests.playing import opened

    session = opened(load_save(folder / "save"))
    session.start()
    await asyncio.sleep(0)
    return session
