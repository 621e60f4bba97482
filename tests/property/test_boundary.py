"""The knowledge boundary, for all small stories."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.storage.worlds import read_world
from sandbox.story.beats import Beat, Happened
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.events import LineSpoken
from sandbox.story.first_stage import stage_at
from sandbox.story.fold import Fold, fold
from sandbox.story.granting import Granting
from sandbox.story.ids import CharacterId, PredicateId, SceneId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property import invariants
from tests.property.canary import Tracker
from tests.property.canary_pages import everything_in
from tests.property.canary_plan import CAST, ID_OF, SCENES
from tests.property.canary_world import canary_world
from tests.property.strategies import START, History, histories, intents, small_canon, staged

bounded = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)


def told(history: History) -> World:
    return fold(history.canon, START, history.beats).world


@bounded
@given(histories())
def test_nobody_gains_a_percept_it_was_no_witness_of(history: History) -> None:
    invariants.percepts_are_the_stored_witnesses(told(history), history)


@bounded
@given(histories())
def test_nobody_gains_a_fact_it_did_not_perceive(history: History) -> None:
    invariants.knowledge_is_what_was_perceived(told(history), history)


@bounded
@given(histories())
def test_a_listener_gains_a_claim_as_said_and_the_speaker_nothing(history: History) -> None:
    invariants.what_is_told_is_what_was_said(told(history), history)


@bounded
@given(histories())
def test_witnesses_follow_the_rules_of_perception(history: History) -> None:
    invariants.witnesses_follow_the_rules(history)


@bounded
@given(histories())
def test_nobody_notices_anybody_through_a_wall(history: History) -> None:
    invariants.nobody_notices_through_a_wall(told(history))


@bounded
@given(histories())
def test_a_cause_is_shown_to_those_who_know_it_too(history: History) -> None:
    invariants.causes_are_known(told(history))


@settings(bounded, max_examples=20)
@given(histories(most=14))
def test_the_fold_of_a_prefix_is_the_state_at_that_turn(history: History) -> None:
    folding = Fold(history.canon, START)
    for turn, beat in enumerate(history.beats, start=1):
        folding.apply(beat)
        prefix = fold(history.canon, START, history.beats[:turn]).world
        assert invariants.summary(folding.world) == invariants.summary(prefix)


@settings(bounded, max_examples=20)
@given(histories())
def test_the_order_in_which_witnesses_are_written_changes_nothing(history: History) -> None:
    turned = [
        beat.model_copy(update={"events": tuple(_turned(h) for h in beat.events)})
        for beat in history.beats
    ]
    other = fold(history.canon, START, turned).world
    assert invariants.summary(told(history)) == invariants.summary(other)


def _turned(happened: Happened) -> Happened:
    backwards = dict(reversed(list(happened.witnesses.items())))
    return happened.model_copy(update={"witnesses": backwards})


@settings(bounded, max_examples=20)
@given(st.lists(intents(), min_size=8, max_size=24))
def test_somebody_in_an_unconnected_place_changes_nothing_here(
    wished: list[dict[str, str]],
) -> None:
    alone, with_zed = small_canon(), small_canon()
    zed = with_zed.characters[0].model_copy(update={"id": "zed", "name": "Zed", "home": "void"})
    void = with_zed.places[0].model_copy(update={"id": "void", "name": "the void"})
    crowded = with_zed.model_copy(
        update={
            "characters": (*with_zed.characters, zed),
            "places": (*with_zed.places, void),
        }
    )
    crowded = Canon.model_validate(crowded.model_dump(by_alias=True))
    before, after = staged(alone, wished), staged(crowded, wished)
    assert len(before.beats) == len(after.beats)
    for who in stage_at(alone, START).place_of:
        here = invariants.of_one(told(before), who)
        there = invariants.of_one(told(after), who)
        there["names"], there["seen"] = there["names"][:-1], there["seen"][:-1]
        assert here == there


# ── the canon in time ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("start", SCENES)
def test_nothing_of_a_later_scene_is_in_any_view(tmp_path: Path, start: str, language: str) -> None:
    world = canary_world(language)
    canon = read_world(world.write(tmp_path / "canaries"))
    folded = Fold(canon, SceneId(ID_OF[start])).world
    tracker = Tracker(world, start, structured=True)
    tracker.follow([])
    for who in CAST:
        for text in everything_in(CharacterView(folded, CharacterId(ID_OF[who]))):
            tracker.check(who, text, f"in its view after `{start}`")
    order = canon.scene_order
    for episodes in folded.episodes.values():
        assert all(order[SceneId(e.scene)] <= order[SceneId(ID_OF[start])] for e in episodes)


def test_people_and_things_stand_where_the_start_point_leaves_them(tmp_path: Path) -> None:
    canon = read_world(canary_world().write(tmp_path / "canaries"))
    early = Fold(canon, SceneId(ID_OF["arrival"])).world.stage
    late = Fold(canon, SceneId(ID_OF["morning"])).world.stage
    assert early.place_of[CharacterId(ID_OF["ann"])] == ID_OF["hall"]
    assert late.place_of[CharacterId(ID_OF["eve"])] == ID_OF["garden"]
    assert ID_OF["statue"] not in early.thing_at
    assert ID_OF["statue"] in late.thing_at


# ── the same in every process ─────────────────────────────────────────────────────────────────

_PLAY = """
import asyncio, hashlib, sys
from pathlib import Path
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.settings import Settings

async def main(folder):
    save = begin(folder / "save", Beginning(Path("tests/worlds/tiny"), seed=3), Settings())
    session = open_session(save, Settings(), memory="in_process")
    session.start()
    for _ in range(15):
        async for _ in session.advance():
            pass
    await session.close()
    sys.stdout.write(hashlib.sha256(save.journal_path.read_bytes()).hexdigest())

asyncio.run(main(Path(sys.argv[1])))
"""


def test_the_journal_is_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _PLAY, str(tmp_path / seed)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=root,
            stdout=subprocess.PIPE,
        )
        for seed in ("0", "1", "4711")
    ]
    found = [process.communicate(timeout=60)[0] for process in running]
    assert all(process.returncode == 0 for process in running)
    assert len(set(found)) == 1


# ── planted faults ────────────────────────────────────────────────────────────────────────────


def overheard() -> History:
    return staged(
        small_canon(),
        [
            {"kind": "whispered", "actor": "ann", "targets": [0], "tells": ()},
            {
                "kind": "line_spoken",
                "actor": "ann",
                "targets": [0],
                "aside": False,
                "tells": (
                    {"subject": "cup", "predicate": "took", "object": "ben", "mode": "claimed"},
                ),
            },
            {"kind": "thought", "actor": "ben"},
        ],
    )


def changed(history: History, seq: int, **witnesses: str) -> History:
    """The history with other witnesses stored in one of its lines."""
    beats = list(history.beats)
    happened = beats[seq - 1].events[0]
    values = happened.model_dump() | {"witnesses": witnesses}
    events = (Happened.model_validate(values),)
    beats[seq - 1] = beats[seq - 1].model_copy(update={"events": events})
    return History(history.canon, tuple(beats))


def test_a_thought_with_a_second_witness_is_seen() -> None:
    with pytest.raises(AssertionError):
        invariants.witnesses_follow_the_rules(changed(overheard(), 3, ben="full", ann="full"))


def test_a_whisper_with_an_eavesdropper_in_full_detail_is_seen() -> None:
    with pytest.raises(AssertionError):
        invariants.witnesses_follow_the_rules(
            changed(overheard(), 1, ann="full", ben="full", cy="full")
        )


def test_an_act_its_actor_did_not_witness_is_seen() -> None:
    with pytest.raises(AssertionError, match="own act"):
        invariants.witnesses_follow_the_rules(changed(overheard(), 3, ann="full"))


def test_a_grant_to_one_who_heard_only_that_somebody_spoke_is_seen() -> None:
    history = overheard()
    muffled = changed(history, 2, ann="full", ben="full", cy="that")
    invariants.knowledge_is_what_was_perceived(told(muffled), muffled)
    with pytest.raises(AssertionError):
        invariants.knowledge_is_what_was_perceived(told(history), muffled)


def test_a_fold_that_lets_the_speaker_learn_from_itself_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learn = Granting._tell

    def also_the_teller(granting: Granting, claim: Claim, words: str, *rest: Any) -> None:
        route, _, *more = rest
        learn(granting, claim, words, route, CharacterId("nobody"), *more)

    monkeypatch.setattr(Granting, "_tell", also_the_teller)
    history = overheard()
    with pytest.raises(AssertionError):
        invariants.what_is_told_is_what_was_said(told(history), history)


def test_a_cause_outside_the_boundary_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    history = overheard()
    invariants.causes_are_known(told(history))
    monkeypatch.setattr(
        "sandbox.story.known.KnownFacts._cause", lambda known, fact, grant: fact.cause
    )
    with pytest.raises(AssertionError):
        invariants.causes_are_known(told(history))


def test_a_claim_said_to_be_something_else_than_the_words_is_seen() -> None:
    claim = Claim(subject="cup", predicate=PredicateId("took"), object="ben", said="Never said.")
    ann = CharacterId("ann")
    line = LineSpoken(actor=ann, words="Words.", tells=(claim,))
    happened = Happened.model_validate(
        {
            "event": line.model_dump(),
            "witnesses": {"ann": "full", "ben": "full"},
        }
    )
    beat = Beat(seq=1, turn=1, round=1, scene=None, mind="person", clock=1200, events=(happened,))
    history = History(small_canon(), (beat,))
    with pytest.raises(AssertionError):
        invariants.what_is_told_is_what_was_said(told(history), history)
