"""Patterns that grow without a model: what turned a mood, and how somebody then spoke."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.story.canon import Canon
from sandbox.story.commands import Retract
from sandbox.story.events import PatternGrown
from sandbox.story.growing import MOST_GROWN, grown_of
from sandbox.story.ids import CharacterId
from sandbox.story.patterns import GrownPattern
from sandbox.story.people import Occasion, Pattern
from sandbox.story.predicates import built_in
from tests.property.scenes import Plain, Told, acts, claim, says, whispers
from tests.property.strategies import small_canon
from tests.unit.story.test_withdrawing import after

ANN = CharacterId("ann")
LINE = "I will not be spoken to in this way."


def turns_to(mood: str, actor: str = "ann") -> Plain:
    return {"kind": "mood_turned", "actor": actor, "mood": mood}


def grown(told: Told, who: str = "ann") -> PatternGrown | None:
    view = told.view(who)
    return grown_of(view, list(view.percepts))


def asks(actor: str, *to: str) -> Plain:
    return says(actor, "Where were you at night?", *to)


def chinese() -> Canon:
    """The small world, in Chinese but for its names."""
    canon = small_canon()
    took = {"id": "took", "wordings": ["{s}拿了{o}"]}
    over: dict[str, Any] = {"language": "zh", "predicates": {**built_in("zh"), "took": took}}
    return Canon.model_validate(canon.model_dump(by_alias=True) | over)


def with_patterns(*patterns: dict[str, Any]) -> Canon:
    given = [
        {"id": f"p{n}", "owner": "ann", "manner": "I hum."} | p for n, p in enumerate(patterns)
    ]
    return small_canon(patterns=given)


# ── what turned the mood ──────────────────────────────────────────────────────────────────────

TELLS = [claim("cup", "took", "ben", "Ben took the cup.")]


@pytest.mark.parametrize(
    ("cause", "words", "occasions"),
    [
        (asks("ben", "ann"), "When somebody puts a question to me", (Occasion.ANSWERING,)),
        (
            says("ben", "Ben took the cup.", tells=TELLS),
            "When I am told something I did not know",
            (Occasion.LEARNING,),
        ),
        (says("ben", "Good evening.", "ann"), "When somebody speaks to me", ()),
        (acts("ben", "slams the door"), "When somebody does something before my eyes", ()),
        (
            {"kind": "narrated", "text": "The lamp goes out.", "place": "hall"},
            "When something befalls us that nobody did",
            (),
        ),
        (
            {"kind": "left", "actor": "ben", "place": "hall", "to_place": "yard"},
            "When somebody leaves",
            (),
        ),
    ],
)
def test_the_situation_is_what_came_just_before_the_mood_turned(
    cause: Plain, words: str, occasions: tuple[Occasion, ...]
) -> None:
    pattern = grown(Told(cause, turns_to("cross"), says("ann", LINE)))
    assert pattern is not None
    assert pattern.situation == f"{words}, and from calm I turn cross."
    assert (pattern.mood_before, pattern.mood_after) == ("calm", "cross")
    assert pattern.occasions == occasions
    assert pattern.samples == (LINE,)
    assert pattern.owner == "ann"


def test_it_rests_on_the_cause_the_turn_and_the_lines_and_on_nothing_else() -> None:
    told = Told(acts("ben", "sits"), asks("ben", "ann"), turns_to("cross"), says("ann", LINE))
    told.happen(acts("ben", "yawns"))
    pattern = grown(told)
    assert pattern is not None
    assert pattern.rests_on == tuple(told.beats[n].event_id(0) for n in (1, 2, 3))


def test_samples_are_own_lines_after_the_turn_and_before_the_next() -> None:
    told = Told(says("ann", "Before that."), asks("ben", "ann"), turns_to("cross"))
    for event in (
        says("ann", LINE),
        says("ben", "I beg your pardon."),
        whispers("ann", "Leave me be.", "ben"),
        turns_to("calm"),
        says("ann", "Well, sit down."),
    ):
        told.happen(event)
    pattern = grown(told)
    assert pattern is not None
    assert pattern.samples == (LINE, "Leave me be.")


@pytest.mark.parametrize(
    "events",
    [
        [],
        [asks("ben", "ann"), says("ann", LINE)],
        [asks("ben", "ann"), turns_to("cross")],
        [turns_to("cross"), says("ann", LINE)],
        [asks("ben", "ann"), turns_to("calm"), says("ann", LINE)],
        [asks("ben", "ann"), turns_to("cross", "ben"), says("ann", LINE)],
        [asks("ben", "ann"), turns_to("cross"), says("ben", "I am sorry.")],
    ],
    ids=[
        "nothing",
        "no turn",
        "no line",
        "no cause",
        "no other mood",
        "another's",
        "another's line",
    ],
)
def test_nothing_grows_where_the_mood_did_not_turn_or_nothing_was_said(
    events: list[Plain],
) -> None:
    assert grown(Told(*events)) is None


# ── how one then spoke ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lines", "manner"),
    [
        ([says("ann", "No.")], "I use few words."),
        ([says("ann", "And you?", "ben")], "I ask in turn; I use few words."),
        ([says("ann", LINE)], "I say what I have to say."),
        (
            [whispers("ann", "Not here.", "ben")],
            "I lower my voice so that only one can hear; I use few words.",
        ),
        ([acts("ann", "mends the cup"), says("ann", LINE)], "my hands are busy while I speak."),
    ],
)
def test_the_manner_is_what_most_of_the_lines_have_in_common(
    lines: list[Plain], manner: str
) -> None:
    pattern = grown(Told(asks("ben", "ann"), turns_to("cross"), *lines))
    assert pattern is not None
    assert pattern.manner == manner


def test_one_question_among_many_lines_is_no_manner() -> None:
    many = [says("ann", f"{LINE} {n}") for n in range(3)]
    pattern = grown(Told(asks("ben", "ann"), turns_to("cross"), says("ann", "And you?"), *many))
    assert pattern is not None
    assert "ask" not in pattern.manner


def test_a_chinese_pattern_is_worded_in_chinese() -> None:
    told = Told(canon=chinese())
    for event in (says("ben", "昨夜你在哪里？", "ann"), turns_to("恼火"), says("ann", "不知道。")):
        told.happen(event)
    pattern = grown(told)
    assert pattern is not None
    assert pattern.situation == "有人问到我头上，我的心情从calm变得恼火。"
    assert pattern.manner == "我话不多。"


# ── not twice, and not without end ────────────────────────────────────────────────────────────

CROSS = {"situation": "Asked.", "occasions": ["answering"], "mood_after": "cross"}


@pytest.mark.parametrize(
    ("pattern", "is_new"),
    [
        (CROSS, False),
        (CROSS | {"mood_before": "calm"}, False),
        (CROSS | {"mood_before": "glad"}, True),
        (CROSS | {"mood_after": "sad"}, True),
        (CROSS | {"occasions": ["telling"]}, True),
        (CROSS | {"owner": "ben"}, True),
    ],
)
def test_what_a_pattern_of_mine_already_answers_to_does_not_grow_again(
    pattern: dict[str, Any], is_new: bool
) -> None:
    told = Told(canon=with_patterns(pattern))
    for event in (asks("ben", "ann"), turns_to("cross"), says("ann", LINE)):
        told.happen(event)
    assert (grown(told) is not None) is is_new


def test_at_most_twelve_grow_in_a_life_and_none_of_them_twice() -> None:
    told = Told()
    for number in range(2 * MOST_GROWN):
        for event in (asks("ben", "ann"), turns_to(f"mood {number}"), says("ann", LINE)):
            told.happen(event)
        if (pattern := grown(told)) is not None:
            told.happen(pattern.model_dump(mode="json"))
            again = grown(told)
            assert again is None or again.situation != pattern.situation
    patterns = [p for p in told.view("ann").patterns.values() if isinstance(p, GrownPattern)]
    assert len(patterns) == MOST_GROWN == 12
    assert len({p.situation for p in patterns}) == 12


# ── a grown pattern is its owner's alone, and goes with what it rests on ──────────────────────


def told_once() -> Told:
    told = Told(asks("ben", "ann"), turns_to("cross"), says("ann", LINE))
    pattern = grown(told)
    assert pattern is not None
    happened = told.happen(pattern.model_dump(mode="json"))
    assert happened.witnesses == {"ann": "full"}
    return told


def test_a_grown_pattern_is_held_by_its_owner_alone_and_perceived_by_nobody() -> None:
    told = told_once()
    (pattern,) = told.view("ann").patterns.values()
    assert isinstance(pattern, Pattern)
    assert told.view("ann").samples(pattern) == (LINE,)
    assert not told.view("ben").patterns
    assert len(told.world.percepts[ANN]) == 3


def test_the_same_story_gives_a_grown_pattern_the_same_id() -> None:
    (one,), (two,) = told_once().view("ann").patterns, told_once().view("ann").patterns
    assert one == two
    assert one.startswith("grown_")


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_grown_pattern_goes_with_any_line_it_rests_on(turn: int) -> None:
    told = told_once()
    told.happen(acts("ben", "yawns"))
    assert len(told.view("ann").patterns) == 1
    assert not after(told, Retract(turn=turn)).grown[ANN]
    assert len(after(told, Retract(turn=5)).grown[ANN]) == 1


def test_a_pattern_without_samples_is_a_pattern() -> None:
    told = Told(
        {"kind": "pattern_grown", "owner": "ann", "situation": "It rains.", "manner": "I hum.",
         "rests_on": []}
    )  # fmt: skip
    (pattern,) = told.view("ann").patterns.values()
    assert told.view("ann").samples(pattern) == ()
