"""What is withdrawn never was: the world is that of a history without it.

For a suffix: equal in every value to the fold of the prefix. For one event: where the events that
follow come out the same without it (nobody built on it), and none of them tells or rests on what it
taught, the world equals that of the history in which it never was, up to the numbers of lines and
turns and the clock: those that follow keep the numbers they had.
"""

from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sandbox.engine.ordering import carry_out
from sandbox.engine.withdrawals import line_of
from sandbox.errors import StageError
from sandbox.story.beats import Beat
from sandbox.story.commands import Command, Edit, Retract, Rewind
from sandbox.story.fold import fold
from sandbox.story.withdrawing import surviving
from sandbox.story.world import World
from tests.property import invariants
from tests.property.rich import (
    IMPOSSIBLE,
    NAMES,
    Plain,
    rich_canon,
    rich_histories,
    rich_intents,
    told,
)
from tests.property.strategies import START, History

bounded = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.explicit, Phase.generate],
)


def world_of(history: History, beats: tuple[Beat, ...] | list[Beat]) -> World:
    return fold(history.canon, START, beats).world


def ordered(history: History, command: Command) -> list[Beat]:
    beats = list(history.beats)
    order = carry_out(command, world_of(history, beats), beats)
    return [*beats, line_of(order, beats, 0)]


@bounded
@given(rich_histories(), st.floats(0, 0.99))
def test_a_withdrawn_suffix_never_happened(history: History, at: float) -> None:
    turn = int(at * len(history.beats))
    rewound = world_of(history, ordered(history, Rewind(turn=turn)))
    prefix = world_of(history, history.beats[:turn])
    assert invariants.everything(rewound) == invariants.everything(prefix)


def without_numbers(world: World) -> dict[str, Any]:
    """All that is the case, but for the numbers of lines and turns, and the clock."""
    found = invariants.summary(world)
    people = {who: one for who, one in found.items() if who in world.grants}
    for one in people.values():
        one["facts"] = [fact[:-1] for fact in one["facts"]]
    evidence = {
        topic: [(e.fact.id, e.kind, e.learners, e.teller, e.is_open) for e in held]
        for topic, held in world.evidence.items()
        if held
    }
    return {
        "people": people,
        "stage": world.stage,
        "evidence": evidence,
        "strangers": dict(world.strangers),
        "been": {who: set(places) for who, places in world.been.items()},
        "fired": set(world.fired),
        "grants": {
            who: {fact: [(g.route, g.teller, g.said) for g in held] for fact, held in own.items()}
            for who, own in world.grants.items()
        },
    }


@settings(bounded, max_examples=60)
@given(st.lists(rich_intents(), min_size=8, max_size=24), st.floats(0, 0.999))
def test_an_event_that_nobody_built_on_never_happened(wished: list[Plain], at: float) -> None:
    canon = rich_canon(NAMES["en"])
    history = told(canon, wished)
    if not history.beats:
        return
    turn = 1 + int(at * len(history.beats))
    try:
        beats = ordered(history, Retract(turn=turn))
    except StageError:
        return
    # The history in which it never was, told anew from the same intents.
    kept = [beat for beat in history.beats if beat.turn != turn]
    restaged = told_without(history, wished, turn)
    assert [b.events for b in restaged.beats] == [b.events for b in kept]
    never = world_of(restaged, restaged.beats)
    assert without_numbers(world_of(history, beats)) == without_numbers(never)


def told_without(history: History, wished: list[Plain], turn: int) -> History:
    """The same intents but for the one that became beat `turn`; the others keep their texts."""
    becomes = 0
    for number in range(len(wished)):
        if len(told(history.canon, wished[: number + 1]).beats) >= turn:
            becomes = number
            break
    return told(history.canon, [*wished[:becomes], IMPOSSIBLE, *wished[becomes + 1 :]])


@bounded
@given(rich_histories(), st.floats(0, 0.999))
def test_what_may_not_be_taken_out_would_have_been_otherwise(history: History, at: float) -> None:
    """A refusal is never made without need: without the event the stage differs at once."""
    turn = 1 + int(at * max(0, len(history.beats) - 1))
    try:
        ordered(history, Retract(turn=turn))
    except StageError as error:
        refusal = str(error)
    else:
        return
    before = world_of(history, history.beats[: turn - 1]).stage
    after = world_of(history, history.beats[:turn]).stage
    assert before != after
    assert f"turn {turn} cannot be taken out alone: turn " in refusal


@bounded
@given(rich_histories(), st.floats(0, 0.999), st.floats(0, 0.999))
def test_an_edit_changes_one_line_and_keeps_every_other(
    history: History, at: float, again: float
) -> None:
    beats = list(history.beats)
    for share, words in ((at, "Other words."), (again, "又是别的话。")):
        turn = 1 + int(share * max(0, len(history.beats) - 1))
        now = History(history.canon, tuple(beats))
        try:
            beats = ordered(now, Edit(turn=turn, words=words))
        except StageError:
            continue
        was = {b.turn: b for b in surviving(now.beats)}
        story = surviving(beats)
        assert [b.turn for b in story] == list(range(1, len(history.beats) + 1))
        assert [b for b in story if b.turn != turn] == [b for t, b in was.items() if t != turn]
        (new,) = (b for b in story if b.turn == turn)
        assert new.clock == was[turn].clock
        old_events = [h.event.kind for h in was[turn].events if h.event.kind not in ORDERS]
        assert [h.event.kind for h in new.events if h.event.kind not in ORDERS] == old_events
        for happened in new.events:
            for claim in getattr(happened.event, "tells", ()):
                assert claim.said in words
        # A second fold of the survivors is the same.
        assert invariants.everything(world_of(history, beats)) == invariants.everything(
            world_of(history, story)
        )


ORDERS = ("commanded", "withdrawn")
