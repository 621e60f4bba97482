"""Which pattern a character acts by: the one that fits its situation and mood, and not always the same."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.agents.choosing import chosen_pattern, occasions_of
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PatternId, canonical_json
from sandbox.story.people import Occasion
from sandbox.story.view import CharacterView
from tests.property.scenes import Plain, Told, acts, claim, says
from tests.property.strategies import small_canon

ANN = CharacterId("ann")


def pattern(id_: str, *occasions: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "owner": "ann",
        "situation": more.pop("situation", f"Case {id_}."),
        "occasions": list(occasions),
        "manner": "I hum.",
        **more,
    }


def canon(*patterns: dict[str, Any]) -> Canon:
    return small_canon(patterns=list(patterns))


def story(*patterns: dict[str, Any], events: tuple[Plain, ...] = ()) -> Told:
    told = Told(canon=canon(*patterns))
    for event in events:
        told.happen(event)
    return told


def chosen(told: Told, *occasions: str, situation: str = "", number: int = 1) -> str | None:
    chance = Chance(1, number, "s1", "ann")
    found = chosen_pattern(told.view("ann"), chance, situation, [Occasion(o) for o in occasions])
    return None if found is None else found.id


def all_chosen(told: Told, *occasions: str) -> set[str | None]:
    """What chance may choose."""
    return {chosen(told, *occasions, number=n) for n in range(40)}


def turns_to(mood: str) -> Plain:
    return {"kind": "mood_turned", "actor": "ann", "mood": mood}


def used(told: Told, id_: str) -> None:
    """Let Ann act by a pattern."""
    last = told.happen(acts("ann", "nods"))
    seq = told.beats[-1].seq + 1
    beat = told.beats[-1].model_copy(
        update={"seq": seq, "turn": seq, "mind": "ann", "pattern": PatternId(id_)}
    )
    assert last
    told.beats.append(beat)
    told._folding.apply(beat)


# ── what fits ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("occasion", list(Occasion))
def test_a_pattern_fits_the_kinds_of_situation_it_names(occasion: Occasion) -> None:
    others = [pattern(f"p_{other}", other) for other in Occasion]
    assert all_chosen(story(*others), occasion) == {f"p_{occasion}"}


def test_of_those_that_fit_the_situation_the_one_that_begins_from_my_mood_is_chosen() -> None:
    told = story(
        pattern("sad", "answering", mood_before="sad"),
        pattern("calm", "answering", mood_before="calm"),
        pattern("any", "answering"),
    )
    assert all_chosen(told, "answering") == {"calm"}


def test_the_very_turn_of_my_mood_weighs_more_than_the_mood_it_ended_in() -> None:
    told = story(
        pattern("turn", "answering", mood_before="calm", mood_after="cross"),
        pattern("end", "answering", mood_before="cross"),
        events=(turns_to("cross"),),
    )
    assert all_chosen(told, "answering") == {"turn"}
    used(told, "turn")
    assert all_chosen(told, "answering") == {"end"}, "which fits well enough"


def test_a_turn_of_mood_of_long_ago_is_no_longer_felt() -> None:
    told = story(
        pattern("turn", "answering", mood_before="calm", mood_after="cross"),
        pattern("end", "answering", mood_before="cross"),
        events=(turns_to("cross"), *(acts("ben") for _ in range(8))),
    )
    assert all_chosen(told, "answering") == {"end"}


def test_the_words_of_the_situation_tell_where_nothing_else_does() -> None:
    told = story(
        pattern("ferry", "idle", situation="When the ferry is late."),
        pattern("debts", "idle", situation="When money or a debt comes up."),
    )
    assert chosen(told, "telling", situation="Ben asks after the debt of the miller") == "debts"
    assert chosen(told, "telling", situation="The ferry has not come") == "ferry"


def test_the_words_of_a_chinese_situation_tell_too() -> None:
    told = story(
        pattern("duchuan", "idle", situation="渡船来晚了的时候。"),
        pattern("zhang", "idle", situation="有人提起欠账的时候。"),
    )
    assert chosen(told, "telling", situation="老何问起磨坊的欠账") == "zhang"
    assert chosen(told, "telling", situation="渡船到现在还没来") == "duchuan"


def test_nothing_is_chosen_where_nothing_fits_or_there_is_nothing() -> None:
    assert chosen(story(), "answering") is None
    assert chosen(story(pattern("p", "idle")), "answering", situation="…") is None


def test_a_pattern_without_samples_is_chosen_like_any_other() -> None:
    assert chosen(story(pattern("p", "answering", samples=[])), "answering") == "p"


def test_somebody_elses_patterns_are_never_chosen() -> None:
    told = story(pattern("p", "answering") | {"owner": "ben"})
    assert chosen(told, "answering") is None


# ── another than last time ────────────────────────────────────────────────────────────────────


def test_another_than_last_time_is_chosen_where_another_fits() -> None:
    told = story(pattern("one", "answering"), pattern("two", "answering"), pattern("far", "idle"))
    used(told, "one")
    assert all_chosen(told, "answering") == {"two"}
    used(told, "two")
    assert all_chosen(told, "answering") == {"one"}


def test_the_same_is_chosen_again_where_no_other_fits() -> None:
    told = story(pattern("one", "answering"), pattern("far", "idle"))
    used(told, "one")
    assert all_chosen(told, "answering") == {"one"}


def test_what_somebody_else_did_last_changes_nothing() -> None:
    told = story(pattern("one", "answering"), pattern("far", "idle"))
    used(told, "one")
    told.happen(acts("ben"))
    assert told.world.last_pattern == {"ann": "one"}


def test_chance_decides_between_those_that_fit_alike_and_the_same_chance_the_same() -> None:
    told = story(pattern("one", "answering"), pattern("two", "answering"))
    assert all_chosen(told, "answering") == {"one", "two"}
    assert [chosen(told, "answering", number=n) for n in range(9)] == [
        chosen(told, "answering", number=n) for n in range(9)
    ]


def test_a_grown_pattern_is_chosen_by_its_words_and_its_mood() -> None:
    told = story(pattern("other", "telling"))
    told.happen(
        {
            "kind": "pattern_grown",
            "owner": "ann",
            "situation": "When Ben is late.",
            "mood_before": "calm",
            "manner": "I count.",
            "rests_on": [],
        }
    )
    found = chosen_pattern(told.view("ann"), Chance(1, 1, "s1", "ann"), "Ben is late again")
    assert found is not None
    assert found.manner == "I count."


# ── the situation, as it was perceived ────────────────────────────────────────────────────────

TELLS = [claim("cup", "took", "ben", "Ben took the cup.")]


@pytest.mark.parametrize(
    ("events", "occasion"),
    [
        ([says("ben", "Where is the cup?", "ann")], Occasion.ANSWERING),
        ([says("ben", "杯子在哪里？", "ann")], Occasion.ANSWERING),
        ([says("ben", "Ben took the cup.", tells=TELLS)], Occasion.LEARNING),
        ([says("ben", "Where is the cup?")], Occasion.ASKING),
        ([says("ben", "Where is the cup?", "ann"), says("ann", "Here.")], Occasion.ASKING),
        ([], Occasion.ASKING),
    ],
)
def test_the_kind_of_situation_is_judged_from_what_came_since_i_last_did_something(
    events: list[Plain], occasion: Occasion
) -> None:
    told = story(events=tuple(events))
    assert occasion in occasions_of(told.view("ann"))
    assert (Occasion.ANSWERING in occasions_of(told.view("ann"))) is (
        occasion is Occasion.ANSWERING
    )


def test_who_is_alone_searches_or_idles() -> None:
    assert occasions_of(story().view("eve")) == (Occasion.SEARCHING, Occasion.IDLE)


# ── in the journal ────────────────────────────────────────────────────────────────────────────


def test_a_beat_without_a_pattern_is_written_as_before_and_one_with_it_comes_back() -> None:
    told = story(pattern("one", "answering"), events=(acts("ann"),))
    assert "pattern" not in told.beats[0].as_json()
    beat = told.beats[0].model_copy(update={"mind": "ann", "pattern": PatternId("one")})
    again = Beat.model_validate_json(canonical_json(beat.as_json()))
    assert again == beat
    folding = Fold(told.world.canon, told.world.start)
    folding.apply(again)
    assert CharacterView(folding.world, ANN).last_pattern == "one"
