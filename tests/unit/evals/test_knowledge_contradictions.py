"""Lists that contradict themselves: the event is refused in names, with what would be right; the rest counts."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.evals.knowledge.moment import Switches
from sandbox.evals.knowledge.replaying import replay
from tests.listed import Event, asked, event, heard, item, raw_item, scored

START = [event("enter", "Ann"), event("enter", "小红", "yard"), event("enter", "Bob")]
WRONG = {
    "two_places": (
        event("enter", "Ann", "yard"),
        "`Ann` is in `hall`; it has to leave `hall` before it enters `yard`, or to come with"
        " `from_place` `hall`.",
    ),
    "from_another_place": (
        event("enter", "Ann", "shed", from_place="yard"),
        "`Ann` is in `hall`, not in `yard`; it has to leave `hall`",
    ),
    "one_of_several_elsewhere": (
        event("enter", None, "yard", actors=["Cy", "Bob"]),
        "`Bob` is in `hall`; it has to leave",
    ),
    "leaving_another_place": (
        event("exit", "小红", "hall"),
        "`小红` is in `yard` and cannot leave `hall`; it has to enter first.",
    ),
    "leaving_who_never_came": (
        event("leave", "Cy", "hall", present=["Ann", "Cy"]),
        "`Cy` is nowhere on the stage and cannot leave `hall`",
    ),
    "dead_speaker": (
        event("say", "Dee", "hall", topic="frost"),
        "`Dee` is dead and does nothing more; it may enter again, as a ghost.",
    ),
    "dead_whisperer": (event("whisper", "Dee", targets=["Ann"]), "`Dee` is dead"),
    "dead_hand": (event("move_object", "Dee", object="key", container="jar"), "`Dee` is dead"),
    "dead_eye": (event("open", "Dee", object="tin", content="tea"), "`Dee` is dead"),
    "acting_elsewhere": (
        event("move_object", "Ann", "yard", object="key", container="jar"),
        "`Ann` is in `hall`, not in `yard`; it has to enter first.",
    ),
    "acting_nowhere": (
        event("move_object", "Cy", object="key", container="jar"),
        "`Cy` is nowhere on the stage, not in `hall`",
    ),
    "speaking_elsewhere": (event("say", "Ann", "yard", topic="x"), "`Ann` is in `hall`, not in"),
    "waiting_elsewhere": (event("wait", "Ann", "yard"), "`Ann` is in `hall`, not in `yard`"),
    "carrying_from_elsewhere": (
        event("carry_object", "Ann", "yard", object="key", to_place="shed"),
        "`Ann` is in `hall`, not in `yard`",
    ),
    "reading_elsewhere": (
        event("see_label", "Ann", "yard", object="key", label="x"),
        "`Ann` is in `hall`, not in `yard`",
    ),
    "inside_itself": (
        event("move_object", "Ann", object="key", container="key"),
        "`key` cannot be put inside itself; name another `container`.",
    ),
    "inside_what_it_holds": (
        event("move_object", "Ann", object="box", container="bag"),
        "`box` cannot be put inside itself",
    ),
    "whisper_of_nobody": (event("whisper", None, targets=["Ann"]), "whisper needs an `actor`."),
    "nothing_moved": (event("move_object", "Ann"), "move_object needs an `object`"),
    "carried_nowhere": (event("carry_object", "Ann", object="key"), "carry_object needs"),
    "nothing_opened": (event("open", "Ann"), "open needs an `object`."),
}
DEAD = [event("enter", "Dee"), event("dies", "Dee")]
NESTED = [
    event("move_object", "Bob", object="box"),
    event("move_object", "Bob", object="bag", container="box"),
]


@pytest.mark.parametrize("name", WRONG)
def test_a_contradiction_is_refused_with_what_would_be_right(tmp_path: Path, name: str) -> None:
    wrong, why = WRONG[name]
    listed = [
        *START,
        *DEAD,
        *NESTED,
        wrong | {"present": ["Ann"]},
        event("say", "Bob", topic="bread"),
    ]
    score = scored(tmp_path, raw_item(*listed))
    (refusal,) = score.refusals
    assert refusal.startswith("a story: event 7: ")
    assert why in refusal
    assert not score.is_whole
    assert score.as_json()["refused"] == 1
    assert (score.witnessed, score.witnessed_correct, score.wrong) == (1, 0, ["a story@7"])


@pytest.mark.parametrize("name", WRONG)
def test_the_rest_of_a_list_goes_on_as_if_the_refused_event_had_never_been(name: str) -> None:
    after = [event("say", "Bob", topic="bread"), event("move_object", "Bob", object="key")]
    marked = WRONG[name][0] | {"secret_witnesses": ["小红"], "distracted": ["Bob"], "dead": ["Ann"]}
    listed = [*START, *DEAD, *NESTED, marked, *after]
    done = replay(item(*listed), Switches())
    assert set(done.refused) == {7}
    assert heard(done)[8:] == [{"Ann", "Bob"}] * 2
    assert asked(done, "who_knows", topic="bread") == {"Ann", "Bob"}
    stage = done.fold.world.stage
    assert (stage.distracted, stage.spying, len(stage.dead)) == (set(), {}, 1)


def test_types_and_ops_that_the_form_does_not_have_are_counted_and_the_rest_scored(
    tmp_path: Path,
) -> None:
    events: list[Event] = [
        event("dances", "Ann", present=["Ann"]),
        *[one | {"present": ["Ann"]} for one in START[:1]],
        event("", "Ann"),
    ]
    asks: list[Any] = [
        {"ask": {"op": "sings", "chain": ["Ann"]}, "gold": "la"},
        {"ask": {"op": "who_heard", "event": 1}, "gold": ["Ann"]},
    ]
    score = scored(tmp_path, raw_item(*events, questions=asks))
    assert (score.unknown, score.questions, score.correct) == (3, 1, 1)
    assert (score.witnessed, score.witnessed_correct, score.is_whole) == (1, 1, False)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "line 1: is no JSON"),
        (b"\xff\xfe", "line 1: is no JSON"),
        (b"[1]", "line 1: is no item. An item is an object with `id`, `cast` and `events`."),
        (b'{"id": "x"}', "line 1: `events` has to be a list."),
        (b'{"events": [3]}', "line 1: event 0: has to be an object with `type`"),
        (b'{"events": [{"type": "say", "actor": {"a": 1}}]}', "event 0: `actor` has to be a name"),
        (b'{"events": [{"type": "say", "i": "x"}]}', "event 0: `i` has to be a whole number"),
        (b'{"events": [], "questions": {}}', "line 1: `questions` has to be a list."),
        (b'{"events": [], "questions": [{"gold": 1}]}', "question 0: has to be an object with `ask`"),
        (b"[" * 100_000, "line 1: is no JSON"),
    ],
    ids=range(10),
)  # fmt: skip
def test_what_cannot_be_read_is_named_and_the_rest_scored(
    tmp_path: Path, line: bytes, said: str
) -> None:
    score = scored(tmp_path, line, raw_item(event("enter", "Ann", present=["Ann"])))
    assert said in score.problems[0]
    assert score.witnessed_correct == 1
    assert score.as_json()["unreadable"] == 1
    assert not score.is_whole


def test_a_line_past_the_limit_is_named_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.evals.knowledge.reading.MAX_LINE_BYTES", 1000)
    long = raw_item(event("enter", "Ann", note="x" * 5000))
    score = scored(tmp_path, long, raw_item(event("enter", "Ann", present=["Ann"])))
    assert "line 1: is longer than" in score.problems[0]
    assert (score.items, score.witnessed_correct) == (1, 1)
