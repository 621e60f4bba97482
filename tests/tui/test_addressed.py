"""What a person is told of being spoken to: what its character heard, by whom it takes the speaker for."""

from pathlib import Path

from sandbox.agents.minds import Move
from sandbox.story.commands import Stage
from sandbox.story.events import Disguised, StateTurned
from tests.tui.stages import ANN, BEN, Scripted, until
from tests.tui.test_app import FAST, playing, turns

SPOKEN = Move(words="And you?", to=(ANN,))
LOST = StateTurned(actor=ANN, state="distracted")
BACK = StateTurned(actor=ANN, state="attentive")


async def test_who_did_not_take_it_in_is_not_told_that_it_was_spoken_to(tmp_path: Path) -> None:
    story = (Stage(events=(LOST,)),)
    async with playing(tmp_path, mind=Scripted(SPOKEN), settings=FAST, story=story) as (app, pilot):
        app.session.casting.held = frozenset([ANN])
        app.see_as(ANN)
        before = turns(app)
        await pilot.press("p")
        await until(pilot, lambda: turns(app) > before + 1)
        assert [notice.message for notice in app._notifications] == []
        await pilot.press("p")
        await until(pilot, lambda: not app.is_busy)


async def test_who_is_spoken_to_by_somebody_disguised_is_told_whom_it_sees(tmp_path: Path) -> None:
    story = (Stage(events=(LOST, Disguised(actor=BEN, seen_as="cy"), BACK)),)
    async with playing(tmp_path, mind=Scripted(SPOKEN), settings=FAST, story=story) as (app, pilot):
        app.session.casting.held = frozenset([ANN])
        app.see_as(ANN)
        await pilot.press("p")
        await until(pilot, lambda: not app.is_playing and not app.is_busy)
        (notice,) = list(app._notifications)
        assert "by Cy" in notice.message
        assert "Ben" not in notice.message
