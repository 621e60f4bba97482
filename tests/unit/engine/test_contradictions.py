"""Stages that contradict themselves: refused with the event's number and what would be right, nothing applied."""

from pathlib import Path

import pytest

from sandbox.errors import StageError
from sandbox.story.commands import Stage
from sandbox.story.events import (
    Acted,
    DoorChanged,
    Entered,
    Event,
    Left,
    LineSpoken,
    StateTurned,
)
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.ways import Door
from tests.playing import begun, playing

ANN, BEN = CharacterId("ann"), CharacterId("ben")
HALL, YARD, CELLAR = PlaceId("hall"), PlaceId("yard"), PlaceId("cellar")
FIRST = Acted(actor=ANN, text="waits")


@pytest.mark.parametrize(
    ("events", "refusal"),
    [
        (
            (FIRST, Entered(actor=ANN, place=YARD)),
            "event 2 of 2: `ann` is in `hall` and has to leave it first.",
        ),
        ((FIRST, Left(actor=ANN, place=YARD)), "event 2 of 2: `ann` is in `hall`, not in `yard`."),
        (
            (StateTurned(actor=BEN, state="died"), LineSpoken(actor=BEN, words="Boo.")),
            "event 2 of 2: `ben` is dead and does nothing more.",
        ),
        (
            (FIRST, FIRST, DoorChanged(actor=ANN, between=(HALL, CELLAR), door=Door.OPEN)),
            "event 3 of 3: there is no way between `hall` and `cellar`.",
        ),
        (
            (Left(actor=ANN, place=HALL, to_place=CELLAR),),
            "event 1 of 1: no way from `hall` to `cellar`. Neighbours: `yard`.",
        ),
    ],
)
async def test_a_contradiction_is_refused_whole(
    tmp_path: Path, events: tuple[Event, ...], refusal: str
) -> None:
    async with playing(begun(tmp_path / "story")) as session:
        journal, stage = session.save.journal_path.read_bytes(), session.world.stage.copy()
        with pytest.raises(StageError) as refused:
            session.command(Stage(events=events))
        assert str(refused.value) == refusal
        assert session.save.journal_path.read_bytes() == journal
        assert session.world.stage == stage
