"""Event lists in every shape a file may have: who hears, who knows, what somebody believes."""

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.evals.knowledge.answering import is_right
from tests.listed import asked, event, heard, played, raw_item, scored

AB = [event("enter", "Ann"), event("enter", "Bob")]


# ── conversations ─────────────────────────────────────────────────────────────────────────────


def test_whoever_joins_late_knows_no_topic_of_before() -> None:
    done = played(
        event("join", "小明"),
        event("join", "小明明"),
        event("say", "小明", topic="婚事"),
        event("join", "王老师"),
        event("say", "小明明", topic="搬家"),
    )
    assert asked(done, "who_knows", topic="婚事") == {"小明", "小明明"}
    assert asked(done, "who_knows", topic="搬家") == {"小明", "小明明", "王老师"}
    assert asked(done, "knows", "小明", "小明明", topic="婚事") == "yes"
    assert asked(done, "knows", "小明", "小明明", "王老师", topic="婚事") == "no"
    assert asked(done, "knows", "王老师", "小明", "小明明", topic="搬家") == "yes"


def test_an_aside_is_heard_by_those_it_names_and_aloud_where_it_names_nobody() -> None:
    done = played(
        *AB,
        event("enter", "Cy"),
        event("say", "Ann", aside=True, heard_by=["Ann", "Bob"], topic="debt"),
        event("say", "Ann", aside=True, heard_by=None, topic="frost"),
    )
    assert heard(done)[3:] == [{"Ann", "Bob"}, {"Ann", "Bob", "Cy"}]
    assert asked(done, "who_knows", topic="debt") == {"Ann", "Bob"}


def test_a_conversation_without_places_takes_place_where_all_present_are() -> None:
    done = played(
        event("say", "Ann", None, topic="debt", present=["Ann", "Bob"]),
        event("join", "Cy", None, present=["Ann", "Bob", "Cy"]),
        event("whisper", "Ann", None, targets=["Cy"], topic="frost", present=["Ann", "Cy"]),
        event("say", "Bob", None, topic="bread"),
        event("leave", "Ann", None),
        event("say", "Cy", None, topic="wine"),
    )
    assert heard(done)[3:] == [{"Ann", "Bob", "Cy"}, {"Ann", "Bob", "Cy"}, {"Bob", "Cy"}]
    assert asked(done, "who_knows", topic="debt") == {"Ann", "Bob"}
    assert asked(done, "who_knows", topic="frost") == {"Ann", "Cy"}


def test_those_who_talk_and_never_came_were_there_from_the_beginning() -> None:
    done = played(
        event("say", "Ann", topic="debt", present=["Ann", "Bob"]),
        event("join", "Cy", present=["Ann", "Bob", "Cy"]),
        event("say", "Bob", topic="frost"),
    )
    assert heard(done) == [{"Ann", "Bob"}, {"Ann", "Bob", "Cy"}, {"Ann", "Bob", "Cy"}]


def test_an_event_without_place_happens_where_its_actor_is() -> None:
    done = played(
        event("enter", "Ann", "shed"),
        event("enter", "Bob", "yard"),
        event("move_object", "Ann", None, object="key", container="jar"),
        event("exit", "Ann", None),
    )
    assert heard(done)[2:] == [{"Ann"}, {"Ann"}]
    assert asked(done, "place", object="key") == "shed"


# ── names and forms ───────────────────────────────────────────────────────────────────────────

NAMES = [
    ["Ann", "Ann Lee", "ann", "ANN"],
    ["小红", "小红花", "红", "小 红"],
    ["a.b", "a_b", "a b", "a-b"],
    ["c0", "p0", "t0", "b0"],
    ["x" * 5000, "x" * 5001, "y", "{@c0}"],
    ["O'Neill", '"', "\\", "`c1`"],
]


@pytest.mark.parametrize("names", NAMES, ids=lambda names: names[1][:8])
def test_names_are_only_names(names: list[str]) -> None:
    a, b, c, d = names
    done = played(
        event("enter", a),
        event("enter", b),
        event("move_object", a, object=c, container=d),
        event("exit", b),
        event("move_object", a, object=c, container=a),
        event("say", a, topic=b),
    )
    assert heard(done) == [{a}, {a, b}, {a, b}, {a, b}, {a}, {a}]
    assert asked(done, "container", b, object=c) == d
    assert asked(done, "container", a, object=c) == a
    assert asked(done, "who_knows", topic=b) == {a}


@pytest.mark.parametrize("cast", [["Ann"], {"Ann": "Ann of the mill"}, [], None, [None, 3], "Ann"])
def test_whoever_acts_belongs_to_the_cast_however_that_is_written(
    tmp_path: Path, cast: Any
) -> None:
    events = [event("enter", "Ann"), event("enter", None, actors=["Bob", "Cy"])]
    events.append(event("say", "Bob", topic="frost", present=["Ann", "Bob", "Cy"]))
    asks = [{"ask": {"op": "who_knows", "topic": "frost"}, "gold": [" Ann", "Bob ", "Cy", "Cy"]}]
    score = scored(tmp_path, raw_item(*events, cast=cast, questions=asks))
    assert (score.witnessed_correct, score.correct, score.is_whole) == (1, 1, True)


def test_numbers_order_and_doubles_of_i_do_not_matter() -> None:
    done = played(
        event("enter", "Ann", i=40),
        event("enter", "Bob", i=7),
        event("exit", "Bob", i=7),
        event("wait", "Ann", i="3"),
    )
    assert heard(done) == [{"Ann"}, {"Ann", "Bob"}, {"Ann", "Bob"}, {"Ann"}]
    assert asked(done, "who_heard", event=3) == {"Ann"}
    assert asked(done, "did_hear", "Bob", event=40) == "no"


def test_a_file_with_bom_crlf_empty_lines_odd_fields_and_the_same_id_twice(tmp_path: Path) -> None:
    one = {"i": 0, "type": "enter", "actor": "Ann", "place": "hall", "mood": {"x": [1]}}
    line = json.dumps({"id": 7, "events": [one | {"present": ["Ann"], "text": None}], "extra": 1})
    score = scored(tmp_path, b"\xef\xbb\xbf" + line.encode() + b"\r", b"\r", b"", line.encode())
    assert (score.items, score.witnessed_correct, score.problems) == (2, 2, [])


@pytest.mark.parametrize(
    ("given", "gold", "op", "right"),
    [
        ("yes", "Yes", "knows", True), ("no", " NO ", "did_hear", True), ("yes", True, "knows", True),
        ("yes", "no", "knows", False), ("jar", " jar ", "container", True), ("jar", "Jar", "container", False),
        ("5", 5, "container", True), (None, None, "place", True), (None, "jar", "place", False),
        ("jar", None, "place", False), (frozenset({"Ann"}), "Ann", "who_knows", True),
        (frozenset({"Ann", "Bob"}), ["Bob", " Ann"], "who_knows", True), (frozenset(), [], "who_heard", True),
        (frozenset({"Ann"}), ["Ann", "Bob"], "who_knows", False), (frozenset(), None, "who_knows", True),
    ],
)  # fmt: skip
def test_answers_are_compared_trimmed_and_sets_as_sets(
    given: Any, gold: Any, op: str, right: bool
) -> None:
    assert is_right(given, gold, op) is right


# ── stages of plays ───────────────────────────────────────────────────────────────────────────


def test_a_new_scene_keeps_those_carried_over_and_clears_the_rest() -> None:
    done = played(
        event("scene_start", place="1.1", carried_over=[]),
        event("enter", "a", "1.1", actors=["a", "b"]),
        event("scene_start", place="1.2", carried_over=["b"]),
        event("say", "b", "1.2"),
        event("scene_start", place="1.3", present=["a", "c"]),
        event("say", "c", "1.3"),
        cast={"a": "A", "b": "B", "c": "C"},
    )
    assert [heard(done)[n] for n in (1, 3, 5)] == [{"a", "b"}, {"b"}, {"a", "c"}]


def test_who_calls_from_off_the_stage_is_heard_by_those_on_it_and_not_by_itself() -> None:
    cast = {"a": "A", "b": "B"}
    done = played(event("enter", "a", "1.1"), event("say", "b", "1.1", topic="fire"), cast=cast)
    assert heard(done)[1] == {"a"}
    assert asked(done, "who_knows", topic="fire") == {"a", "b"}


def test_several_say_a_line_together() -> None:
    done = played(*AB, event("say", None, actors=["Bob", "Cy", "Ann"], topic="fire"))
    assert heard(done)[2] == {"Ann", "Bob", "Cy"}


def test_an_exit_takes_off_the_stage_only_those_it_removes() -> None:
    done = played(
        event("enter", "a", "1.1", actors=["a", "b"]),
        event("exit", "a", "1.1", actors=["a", "b", "c"], removed=[]),
        event("exit", "a", "1.1", actors=["a", "c"], removed=["a"]),
        event("say", "b", "1.1"),
        cast={"a": "A", "b": "B", "c": "C"},
    )
    assert heard(done)[1:] == [{"a", "b"}, {"a", "b"}, {"b"}]


def test_the_dead_miss_everything_until_they_enter_again_even_where_they_lie() -> None:
    done = played(
        *AB,
        event("dies", "Bob"),
        event("say", "Ann", topic="grief"),
        event("enter", "Bob"),
        event("say", "Ann", topic="fear"),
    )
    assert heard(done)[2:] == [{"Ann", "Bob"}, {"Ann"}, {"Ann", "Bob"}, {"Ann", "Bob"}]
    assert asked(done, "who_knows", topic="grief") == {"Ann"}


def test_a_body_that_is_brought_in_dead_perceives_nothing() -> None:
    done = played(
        event("enter", "Ann"),
        event("enter", None, actors=["Cy", "Bob"], dead=["Bob"]),
        event("exit", None, actors=["Cy", "Bob"], dead=["Bob"]),
        event("wait", "Ann"),
    )
    assert heard(done)[1:] == [{"Ann", "Cy"}, {"Ann", "Cy"}, {"Ann"}]


def test_in_a_play_whom_the_list_counts_dead_as_it_speaks_is_a_voice() -> None:
    cast = {"a": "A", "b": "B"}
    done = played(
        event("enter", "a", "1.1", actors=["a", "b"]),
        event("dies", "b", "1.1"),
        event("say", "b", "1.1", dead=["b"], topic="alas"),
        cast=cast,
    )
    assert heard(done)[2] == {"a"}
    assert asked(done, "who_knows", topic="alas") == {"a"}


def test_who_dies_off_the_stage_is_not_seen_to() -> None:
    done = played(event("enter", "a", "1.1"), event("dies", "b", "1.1"), cast={"a": "A", "b": "B"})
    assert heard(done)[1] == {"a"}


def test_a_line_or_label_that_nobody_is_named_for_is_there_for_all() -> None:
    done = played(
        *AB, event("say", None, topic="fire"), event("see_label", None, object="tin", label="tea")
    )
    assert heard(done)[2:] == [{"Ann", "Bob"}] * 2
    assert asked(done, "who_knows", topic="fire") == {"Ann", "Bob"}
    assert asked(done, "content", "Bob", object="tin") == "tea"
