"""When memories are written: in the pauses of a story, and never later than promised."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.engine.pacing import CLOSE_S, FLUSH_BEATS, FLUSH_S, PAUSE_S, Pace


def with_beats(count: int, at: float = 0.0, *, ends_scene: bool = False) -> Pace:
    pace = Pace()
    for _ in range(count):
        pace.beat(at, ends_scene=ends_scene)
    return pace


def test_without_a_beat_there_is_nothing_to_write() -> None:
    pace = Pace()
    pace.search(5.0)
    assert pace.start == inf


def test_a_few_beats_wait_for_half_the_time_and_then_for_a_pause() -> None:
    pace = with_beats(2)
    assert pace.start == FLUSH_S / 2
    pace.search(FLUSH_S / 2)
    assert pace.start == FLUSH_S / 2 + PAUSE_S


def test_many_beats_or_the_end_of_a_scene_use_the_next_pause() -> None:
    assert with_beats(FLUSH_BEATS // 2, 7.0).start == 7.0 + PAUSE_S
    assert with_beats(1, 7.0, ends_scene=True).start == 7.0 + PAUSE_S


@pytest.mark.parametrize(
    ("pace", "latest"),
    [
        (with_beats(1), FLUSH_S),
        (with_beats(FLUSH_BEATS - 1), FLUSH_S),
        (with_beats(1, ends_scene=True), CLOSE_S),
        (with_beats(FLUSH_BEATS), 0.0),
    ],
)
def test_however_busy_the_store_is_writing_begins_in_time(pace: Pace, latest: float) -> None:
    pace.search(latest + 50)
    assert pace.start == latest


def test_what_is_pressed_for_is_written_at_once() -> None:
    pace = with_beats(1)
    pace.search(0.5)
    pace.press(0.5)
    assert pace.start == 0.5


def test_writing_stops_for_a_search_and_goes_on_in_the_next_pause_or_when_it_has_to() -> None:
    pace = with_beats(FLUSH_BEATS // 2)
    pace.begin()
    pace.search(1.0)
    assert pace.start == 1.0 + PAUSE_S
    pace.search(FLUSH_S - PAUSE_S / 2)
    assert pace.start == FLUSH_S
    pace.end()
    assert pace.start == inf


def test_what_comes_while_writing_is_pending_anew() -> None:
    pace = with_beats(FLUSH_BEATS)
    pace.begin()
    pace.beat(1.0, ends_scene=False)
    pace.end()
    assert pace.start == 1.0 + FLUSH_S / 2


@given(
    st.lists(st.tuples(st.sampled_from(["beat", "end", "search"]), st.floats(0, 0.5)), max_size=60)
)
def test_no_beat_ever_waits_longer_than_promised(story: list[tuple[str, float]]) -> None:
    """Whatever happens in between; writing is begun as soon as it may."""
    pace, now, oldest, pending = Pace(), 0.0, inf, 0
    for what, later in story:
        now += later
        if pace.start <= now:
            begun = pace.start
            assert begun <= oldest + FLUSH_S
            pace.begin()
            pace.end()
            oldest, pending = inf, 0
        if what == "search":
            pace.search(now)
        else:
            pace.beat(now, ends_scene=what == "end")
            oldest, pending = min(oldest, now), pending + 1
        assert pending < FLUSH_BEATS or pace.start <= now
