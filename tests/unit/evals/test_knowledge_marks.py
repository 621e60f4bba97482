"""Event lists: secret witnesses, the distracted, things carried and opened, what is seen on entering, claims."""

from pathlib import Path

import pytest

from sandbox.evals.knowledge.moment import Switches
from tests.listed import asked, event, heard, played, raw_item, scored

AB = [event("enter", "Ann"), event("enter", "Bob")]


# ── marks ─────────────────────────────────────────────────────────────────────────────────────


def test_secret_witnesses_learn_and_nobody_thinks_so() -> None:
    done = played(
        *AB,
        event("enter", "Cy", "yard"),
        event("say", "Ann", topic="debt", secret_witnesses=["Cy", "Dee"]),
        event("say", "Ann", topic="frost"),
    )
    assert heard(done)[3:] == [{"Ann", "Bob", "Cy", "Dee"}, {"Ann", "Bob"}]
    assert asked(done, "knows", "Cy", "Bob", topic="debt") == "yes"
    for chain in (("Ann", "Cy"), ("Cy", "Dee"), ("Cy", "Ann", "Cy")):
        assert asked(done, "knows", *chain, topic="debt") == "no"


def test_who_secretly_hears_a_whisper_across_rooms_knows_whom_it_was_for() -> None:
    done = played(
        *AB,
        event("enter", "Cy", "yard"),
        event("whisper", "Ann", targets=["Cy"], topic="debt", secret_witnesses=["Dee"]),
        event("whisper", "Eve", targets=["Cy"], topic="frost", secret_witnesses=["Bob"]),
    )
    assert heard(done)[3:] == [{"Ann", "Cy", "Dee"}, {"Eve", "Cy", "Bob"}]
    assert asked(done, "knows", "Dee", "Cy", topic="debt") == "yes"
    assert asked(done, "knows", "Bob", "Cy", "Eve", topic="frost") == "yes"
    assert asked(done, "knows", "Cy", "Dee", topic="debt") == "no"


def test_a_secret_witness_in_the_room_is_not_noticed_and_a_dead_one_sees_nothing() -> None:
    done = played(
        *AB,
        event("enter", "Cy"),
        event("dies", "Cy"),
        event("say", "Ann", topic="debt", secret_witnesses=["Bob", "Cy"]),
    )
    assert heard(done)[4] == {"Ann", "Bob"}
    assert asked(done, "knows", "Ann", "Bob", topic="debt") == "no"


def test_the_distracted_miss_it_and_others_think_they_did_not() -> None:
    done = played(
        *AB,
        event("enter", "Cy", "yard"),
        event("move_object", "Ann", object="key", container="jar"),
        event("move_object", "Ann", object="key", container="hat", distracted=["Bob", "Cy", "Dee"]),
    )
    assert heard(done)[4] == {"Ann"}
    assert asked(done, "container", "Bob", object="key") == "jar"
    assert asked(done, "container", "Ann", "Bob", object="key") == "hat"
    assert asked(done, "container", "Ann", "Cy", object="key") is None


def test_who_is_distracted_as_it_dies_attends_again_as_a_ghost() -> None:
    done = played(
        *AB, event("dies", "Bob", distracted=["Ann"]), event("enter", "Bob"), event("wait", "Ann")
    )
    assert heard(done)[4] == {"Ann", "Bob"}


# ── things ────────────────────────────────────────────────────────────────────────────────────


def test_who_is_left_behind_saw_where_a_thing_was_carried() -> None:
    done = played(
        *AB,
        event("enter", "Cy", "yard"),
        event("carry_object", "Ann", object="key", to_place="yard", distracted=["Bob"]),
        event(
            "carry_object", "Cy", "yard", object="key", to_place="hall", secret_witnesses=["Dee"]
        ),
    )
    assert heard(done)[3:] == [{"Ann"}, {"Ann", "Cy", "Dee"}]
    assert asked(done, "place", "Ann", object="key") == "hall"
    assert asked(done, "place", "Dee", object="key") == "hall"
    assert asked(done, "place", "Ann", "Bob", object="key") == "yard"
    assert asked(done, "place", "Bob", object="key") == "hall"


def test_a_container_that_is_carried_takes_along_what_is_in_it() -> None:
    done = played(
        *AB,
        event("object_at", None, object="ring", container="box"),
        event("exit", "Bob"),
        event("carry_object", "Ann", object="box", to_place="yard"),
    )
    assert asked(done, "place", object="ring") == "yard"
    assert asked(done, "container", object="ring") == "box"
    assert (asked(done, "place", "Ann", object="ring"), asked(done, "place", "Bob", object="ring")) == (
        "yard",
        "hall",
    )  # fmt: skip


def test_the_drawer_of_one_room_is_not_that_of_the_next() -> None:
    done = played(
        *AB,
        event("move_object", "Ann", object="key", container="drawer"),
        event("enter", "Cy", "yard"),
        event("container_at", None, "yard", container="drawer"),
        event("move_object", "Cy", "yard", object="pen", container="drawer"),
    )
    assert asked(done, "place", object="key") == "hall"
    assert asked(done, "place", "Cy", object="pen") == "yard"
    assert asked(done, "container", "Cy", object="key") is None


def test_what_was_seen_inside_beats_a_label_whichever_came_last() -> None:
    done = played(
        event("enter", "Ann"),
        event("see_label", "Ann", object="tin", label="tea"),
        event("enter", "Bob"),
        event("see_label", "Bob", object="tin", label="tea"),
        event("exit", "Ann"),
        event("open", "Bob", object="tin", content="nails"),
        event("close", "Bob", object="tin"),
        event("see_label", "Bob", object="tin", label="tea"),
    )
    assert asked(done, "content", object="tin") == "nails"
    assert asked(done, "content", "Ann", object="tin") == "tea"
    assert asked(done, "content", "Bob", object="tin") == "nails"
    assert asked(done, "content", "Bob", "Ann", object="tin") == "tea"
    assert asked(done, "content", "Ann", "Bob", object="tin") == "tea"
    assert asked(done, "label", object="tin") == "tea"


def test_what_was_put_into_a_tin_is_in_it_for_those_who_saw_that() -> None:
    done = played(
        event("enter", "Ann"),
        event("object_at", None, object="nails", container="tin"),
        event("exit", "Ann"),
        event("enter", "Bob"),
        event("see_label", "Bob", object="tin", label="tea"),
    )
    assert asked(done, "content", object="tin") == "nails"
    assert asked(done, "content", "Ann", object="tin") == "nails"
    assert asked(done, "content", "Bob", object="tin") == "tea"


@pytest.mark.parametrize("rule", ["all", "open", "nothing"])
def test_what_is_seen_on_entering_is_a_switch(rule: str) -> None:
    done = played(
        event("enter", "Ann"),
        event("move_object", "Ann", object="key", container="jar"),
        event("move_object", "Ann", object="pen"),
        event("see_label", "Ann", object="pen", label="gold"),
        event("enter", "Bob"),
        switches=Switches(on_entering=rule),
    )
    assert asked(done, "container", "Bob", object="key") == ("jar" if rule == "all" else None)
    assert asked(done, "place", "Bob", object="pen") == (None if rule == "nothing" else "hall")
    assert asked(done, "content", "Bob", object="pen") == ("gold" if rule == "all" else None)
    assert asked(done, "place", "Ann", "Bob", object="pen") == (
        None if rule == "nothing" else "hall"
    )


# ── claims ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["say", "whisper"])
@pytest.mark.parametrize("claims", ["place", "everywhere"])
def test_claims_reach_and_convince_as_the_switches_say(kind: str, claims: str) -> None:
    done = played(
        event("enter", None, actors=["Ann", "Bob", "Cy"]),
        event("object_at", None, object="key", container="jar"),
        event("exit", "Cy"),
        event("exit", "Bob"),
        event("enter", "Bob", "yard"),
        event("exit", "Ann"),
        event("enter", "Ann", "yard"),
        event(kind, "Ann", "yard", targets=["Bob"], object="key", container="hat"),
        switches=Switches(claims=claims),
    )
    hears = {"Ann", "Bob", "Cy"} if (kind, claims) == ("say", "everywhere") else {"Ann", "Bob"}
    assert heard(done)[-1] == hears
    for trust, believed in {"none": "jar", "all": "hat", "later-leavers": "hat"}.items():
        assert asked(done, "container", "Bob", object="key", trust=trust) == believed
        assert asked(done, "container", "Ann", object="key", trust=trust) == "jar"
        assert asked(done, "container", "Ann", "Bob", object="key", trust=trust) == believed
        cy = believed if "Cy" in hears else "jar"
        assert asked(done, "container", "Cy", object="key", trust=trust) == cy
    assert asked(done, "first_container", object="key") == "jar"


def test_of_two_who_left_only_the_later_is_believed() -> None:
    done = played(
        event("enter", None, actors=["Ann", "Bob"]),
        event("object_at", None, object="key", container="jar"),
        event("exit", "Ann"),
        event("exit", "Bob"),
        event("whisper", "Ann", None, targets=["Bob"], object="key", container="hat"),
    )
    assert asked(done, "container", "Bob", object="key", trust="later-leavers") == "jar"
    assert asked(done, "first_container", object="key") == "jar"


def test_a_lie_told_before_a_thing_was_put_anywhere_is_not_where_it_was_first() -> None:
    done = played(
        *AB,
        event("say", "Ann", object="key", container="hat"),
        event("object_at", None, object="key", container="jar"),
    )
    assert asked(done, "first_container", object="key") == "jar"


def test_what_one_thinks_that_one_thinks_is_what_one_thinks() -> None:
    done = played(*AB, event("say", "Ann", object="key", container="hat"))
    assert asked(done, "container", "Ann", "Ann", object="key") is None
    assert asked(done, "container", "Bob", "Bob", "Ann", object="key") == "hat"


def test_a_muttered_remark_is_its_actors_and_who_secretly_listens() -> None:
    done = played(*AB, event("noise", "Ann", secret_witnesses=["Cy"]), event("noise", "Bob", None))
    assert heard(done)[2:] == [{"Ann", "Cy"}, {"Bob"}]


def test_questions_about_nobody_and_nothing_have_the_answers_of_nobody(tmp_path: Path) -> None:
    asks = [
        {"ask": {"op": "container", "object": "moon", "chain": ["Zed"]}, "gold": None},
        {"ask": {"op": "place", "object": "moon", "chain": []}, "gold": None},
        {"ask": {"op": "first_container", "object": "moon"}, "gold": None},
        {"ask": {"op": "knows", "topic": "frost", "chain": ["Ann", "Zed"]}, "gold": "no"},
        {"ask": {"op": "who_knows", "topic": "nothing"}, "gold": []},
    ]
    score = scored(tmp_path, raw_item(*AB, questions=asks))
    assert (score.correct, score.questions) == (5, 5)
