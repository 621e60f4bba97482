"""The stage refuses what cannot happen, says what would be right, and applies nothing of it."""

import pytest

from sandbox.errors import StageError
from tests.property.invariants import summary
from tests.property.scenes import Plain, Told, acts, says, turns, whispers

BAD: list[tuple[Plain, str]] = [
    (says("an"), "no character `an` on this stage. Did you mean `ann`?"),
    (says("ann", "Hi.", "cy"), "`cy` is not where `ann` is (`hall`)."),
    (whispers("ann", "Hi.", "cy"), "`cy` is not where `ann` is (`hall`)."),
    (acts("ann", "x", examines="book"), "`book` is not within reach of `ann`."),
    (acts("ann", "x", examines="cupp"), "no thing `cupp` on this stage. Did you mean `cup`?"),
    (
        {"kind": "entered", "actor": "ann", "place": "hall"},
        "`ann` is in `hall` already.",
    ),
    (
        {"kind": "entered", "actor": "ann", "place": "yard"},
        "`ann` is in `hall` and has to leave it first.",
    ),
    (
        {"kind": "entered", "actor": "ann", "place": "yart"},
        "no place `yart` on this stage. Did you mean `yard`?",
    ),
    ({"kind": "left", "actor": "ann", "place": "yard"}, "`ann` is in `hall`, not in `yard`."),
    (
        {"kind": "door_changed", "actor": None, "between": ["hall", "far"], "door": "open"},
        "there is no way between `hall` and `far`.",
    ),
    (
        {"kind": "narrated", "text": "x", "place": "hal"},
        "no place `hal` on this stage. Did you mean `hall`?",
    ),
    (
        {"kind": "thing_changed", "actor": "dee", "thing": "cup", "state": "x"},
        "`cup` is not within reach of `dee`.",
    ),
]


@pytest.mark.parametrize(("event", "problem"), BAD)
def test_a_bad_event_is_refused_with_what_would_be_right(event: Plain, problem: str) -> None:
    told = Told()
    before = summary(told.world)
    with pytest.raises(StageError) as refused:
        told.happen(event)
    assert str(refused.value) == problem
    assert summary(told.world) == before
    assert told.beats == []


def test_one_bad_event_of_a_beat_leaves_nothing_of_the_others() -> None:
    told = Told()
    before = summary(told.world)
    with pytest.raises(StageError):
        told.happen(turns("ann", "fell_asleep"), says("ann"))
    assert summary(told.world) == before


def test_the_dead_do_nothing_more() -> None:
    told = Told(turns("ann", "died"))
    with pytest.raises(StageError, match="`ann` is dead"):
        told.happen(says("ann"))


def test_the_sleeping_are_woken_first() -> None:
    told = Told(turns("ann", "fell_asleep"))
    with pytest.raises(StageError, match="Wake it first"):
        told.walk("ann", "yard")
    told.happen(turns("ann", "woke"))
    told.walk("ann", "yard")
    assert told.view("ann").place == "yard"


def test_nobody_walks_through_a_locked_door_or_where_no_way_is() -> None:
    told = Told()
    with pytest.raises(StageError, match="no way from `hall` to `far`"):
        told.walk("ann", "far")
    told.happen(
        {"kind": "door_changed", "actor": None, "between": ["hall", "yard"], "door": "locked"}
    )
    with pytest.raises(StageError, match="the door from `hall` to `yard` is locked"):
        told.walk("ann", "yard")


def test_coming_out_of_hiding_by_walking_one_is_seen_again() -> None:
    told = Told(turns("ann", "hid"))
    assert told.view("ben").people == []
    told.walk("ann", "yard")
    assert [p.called for p in told.view("cy").people] == ["Ann"]
