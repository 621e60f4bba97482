"""Threads: their state follows from who knows and believes what, and from nothing else."""

from collections.abc import Sequence

import pytest

from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, FactId, PreparedId, ThreadId
from sandbox.story.plot import Condition, Held
from sandbox.story.threads import (
    OPEN,
    at_start,
    holds,
    is_closed,
    moved_turn,
    new_to,
    obstacle,
    thread_state,
)
from tests.plotting import (
    AHE,
    ANN,
    BEN,
    CY,
    LAOQIU,
    TO_KITCHEN,
    XIAOMO,
    beats_of,
    folded,
    goes,
    mill,
    mill_zh,
    tells,
    told,
    waits,
)

CUP, KEY = ThreadId("cup"), ThreadId("key")
BROKEN, HIDDEN = FactId("cup_broken"), FactId("key_hidden")
TRUTH = tells(BEN, CY, "cup", "broken_by", "ben")
LIE = tells(BEN, CY, "cup", "broken_by", "ann")
SECRET = tells(ANN, CY, "key", "hidden_in", "chest")


def test_a_thread_is_open_while_no_state_of_it_holds() -> None:
    world = told(mill(), TO_KITCHEN, *waits(ANN, 3))
    assert [thread_state(world, t) for t in (CUP, KEY)] == [OPEN, OPEN]
    assert not is_closed(world, CUP)


def test_it_turns_with_what_somebody_is_told() -> None:
    canon = mill()
    assert thread_state(told(canon, TO_KITCHEN, TRUTH), CUP) == "known"
    assert is_closed(told(canon, TO_KITCHEN, TRUTH), CUP)
    assert thread_state(told(canon, TO_KITCHEN, LIE), CUP) == "misled"
    assert not is_closed(told(canon, TO_KITCHEN, LIE), CUP)


def test_of_two_states_that_hold_the_later_counts() -> None:
    world = told(mill(), TO_KITCHEN, TRUTH, LIE)
    misled, known = world.canon.threads_by_id[CUP].states
    assert holds(world, misled.when[0])
    assert holds(world, known.when[0])
    assert thread_state(world, CUP) == "known"


def test_a_guess_is_no_knowledge_and_turns_nothing() -> None:
    guess = tells(BEN, CY, "cup", "broken_by", "ben", mode="supposed")
    assert thread_state(told(mill(), TO_KITCHEN, guess), CUP) == OPEN


def test_whoever_knew_it_at_the_start_is_nobody_new() -> None:
    canon = mill()
    condition = Condition(knows=HIDDEN)
    assert new_to(told(canon), condition) == [BEN, CY]
    assert not holds(told(canon, *waits(ANN, 2)), condition)
    assert holds(told(canon, TO_KITCHEN, SECRET), condition)


def test_without_a_name_lacking_and_believing_are_of_somebody_new_too() -> None:
    canon = mill()
    start, out = told(canon), told(canon, TO_KITCHEN, SECRET)
    assert holds(start, Condition(lacks=HIDDEN))
    assert holds(out, Condition(lacks=HIDDEN))  # Ben does not know it yet
    everybody = told(canon, TO_KITCHEN, SECRET, tells(ANN, BEN, "key", "hidden_in", "chest"))
    assert not holds(everybody, Condition(lacks=HIDDEN))
    belief = Condition.model_validate(
        {"believes": {"subject": "key", "predicate": "hidden_in", "object": "chest"}}
    )
    assert not holds(start, belief)  # Ann does, from the start
    assert holds(out, belief)


def test_who_is_not_in_the_story_knows_nothing_and_lacks_everything() -> None:
    world = told(mill())
    nobody = CharacterId("dora")
    assert not holds(world, Condition(who=nobody, knows=HIDDEN))
    assert holds(world, Condition(who=nobody, lacks=HIDDEN))
    held = Held.model_validate({"subject": "key", "predicate": "hidden_in", "object": "chest"})
    assert not holds(world, Condition(who=nobody, believes=held))


def test_the_start_stays_what_it_was_however_far_the_story_goes() -> None:
    world = told(mill(), TO_KITCHEN, SECRET, TRUTH)
    assert world.knows(CY, HIDDEN)
    assert not at_start(world).knows(CY, HIDDEN)
    assert at_start(world).turn == 0
    assert at_start(world) is at_start(world)


def test_the_state_at_a_turn_is_that_of_the_story_up_to_it() -> None:
    canon = mill()
    beats = beats_of(canon, TO_KITCHEN, *waits(ANN, 2), LIE, *waits(ANN, 1), TRUTH, SECRET)
    states = [thread_state(folded(canon, beats[:n]), CUP) for n in range(len(beats) + 1)]
    assert states == [OPEN] * 4 + ["misled"] * 2 + ["known"] * 2


def test_what_happens_out_of_hearing_turns_nothing() -> None:
    in_the_kitchen = tells(BEN, ANN, "cup", "broken_by", "ben")
    assert thread_state(told(mill(), in_the_kitchen), CUP) == OPEN


def test_a_thread_moved_when_somebody_learned_what_it_turns_on() -> None:
    canon = mill()
    assert moved_turn(told(canon, *waits(ANN, 3)), CUP) == 0
    world = told(canon, TO_KITCHEN, *waits(ANN, 2), LIE, *waits(ANN, 4))
    assert moved_turn(world, CUP) == 4
    assert moved_turn(world, KEY) == 0


@pytest.mark.parametrize(
    ("prepared", "before", "why"),
    [
        ("owl", [], ""),
        ("bell_cracks", [], "may happen from turn 3 on; the next is 1"),
        ("bell_cracks", waits(ANN, 2), ""),
        ("never", waits(ANN, 9), "may happen while `ben` does not know `cup_broken`"),
        ("gone", waits(ANN, 3), "may happen while somebody who did not at the start knows"),
        ("gone", [TO_KITCHEN, SECRET], ""),
    ],
)
def test_a_prepared_event_may_happen_in_its_time_and_while_its_conditions_hold(
    prepared: str, before: Sequence[Event | tuple[Event, ...]], why: str
) -> None:
    found = obstacle(told(mill(), *before), PreparedId(prepared))
    assert why in found
    assert bool(found) == bool(why)


def test_threads_are_the_same_in_a_chinese_world() -> None:
    canon, thread = mill_zh(), ThreadId("bei")
    arrives = goes(LAOQIU, "yuanzi", "chufang")
    truth = tells(XIAOMO, LAOQIU, "beizi_wu", "dasui", "xiaomo")
    assert thread_state(told(canon, arrives), thread) == OPEN
    assert thread_state(told(canon, arrives, truth), thread) == "zhidao"
    lie = tells(AHE, LAOQIU, "beizi_wu", "dasui", "ahe")
    assert thread_state(told(canon, arrives, lie), thread) == OPEN
