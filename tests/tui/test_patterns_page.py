"""The page of patterns: what a world wrote, what was taken on in play, what was last acted by."""

from __future__ import annotations

from sandbox.story.ids import CharacterId
from sandbox.tui.inspecting import page
from sandbox.tui.state import StoryState
from tests.property.scenes import Told, says
from tests.property.strategies import small_canon
from tests.unit.agents.test_choosing import pattern, used

ANN, BEN = CharacterId("ann"), CharacterId("ben")


def shown(told: Told, who: CharacterId, viewpoint: CharacterId | None = None) -> str:
    state = StoryState(told.world, viewpoint=viewpoint)
    state.selected = who
    return "\n".join(str(block) for block in page(state, "patterns"))


def told_once() -> Told:
    told = Told(
        says("ben", "Well?", "ann"), canon=small_canon(patterns=[pattern("one", "answering")])
    )
    told.happen(
        {
            "kind": "pattern_grown",
            "owner": "ann",
            "situation": "When Ben is late.",
            "manner": "I count.",
            "samples": ["Seven and eight."],
            "rests_on": [],
        }
    )
    return told


def test_a_pattern_taken_on_in_play_stands_there_with_its_turn_and_its_lines() -> None:
    text = shown(told_once(), ANN)
    for part in ("When Ben is late.", "I count.", "Seven and eight.", "taken on in play, turn 2"):
        assert part in text
    assert text.count("taken on in play") == 1, "the other is the world's"
    assert "last acted by" not in text


def test_the_pattern_last_acted_by_is_marked() -> None:
    told = told_once()
    used(told, "one")
    assert shown(told, ANN).count("last acted by") == 1


def test_through_somebody_elses_eyes_nothing_of_it_is_shown() -> None:
    assert "When Ben is late." not in shown(told_once(), ANN, viewpoint=BEN)
