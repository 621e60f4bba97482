"""Synthesis: what counts as support, what is believed, and every way to refuse. Values, never phrases."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.reasoning.pool import FactPool, Probe, Way
from sandbox.agents.reasoning.probes import probe_fast
from sandbox.agents.reasoning.questions import question_of
from sandbox.agents.reasoning.synthesis import Answer, Grounded, Reason, Refusal, synthesise
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.view import CharacterView
from tests.property.house import chinese, fact, house, person
from tests.property.scenes import Told, claim, says, turns, whispers

WORLDS = Path(__file__).parents[3] / "worlds"
INN, FERRY = (read_world(WORLDS / name) for name in ("lantern_inn", "jiangcun_duchuan"))
SAID = "It was Dee who took the cup."
DEE = claim("cup", "taken_by", "dee", SAID)


def answer_of(view: CharacterView, words: str, found: Sequence[FactId] = ()) -> Answer:
    asked = question_of(words, view)
    answer = synthesise(view, asked, probe_fast(view, asked, (), found))
    assert answer is not None
    return answer


def told(view: CharacterView, words: str) -> list[str]:
    """What an answer rests on; nothing for a refusal."""
    answer = answer_of(view, words)
    return [f.statement for f in answer.support] if isinstance(answer, Grounded) else []


def refused(view: CharacterView, words: str) -> Reason | None:
    answer = answer_of(view, words)
    return answer.reason if isinstance(answer, Refusal) else None


def view_of(canon: Canon, who: str) -> CharacterView:
    return CharacterView(Fold(canon, canon.default_start).world, CharacterId(who))


def knowing(*facts: dict[str, Any], who: str = "ann", **over: Any) -> CharacterView:
    return Told(canon=house(facts=list(facts), **over)).view(who)


def common(id_: str, *said: str) -> dict[str, Any]:
    return fact(id_, *said, common=True)


# ── support ───────────────────────────────────────────────────────────────────────────────────


def test_nothing_asked_is_nothing_answered() -> None:
    view = Told(canon=house()).view("ann")
    assert synthesise(view, None, probe_fast(view, None)) is None


def test_a_question_is_answered_by_who_knows_and_refused_by_who_does_not() -> None:
    story = Told(canon=house())
    assert told(story.view("ann"), "Who took the cup?") == ["Ann took the cup."]
    for who in ("ben", "cy", "dee", "eve"):
        assert refused(story.view(who), "Who took the cup?") is Reason.NOTHING_KNOWN


def test_the_inverse_of_a_predicate_answers_too() -> None:
    view = knowing(common("t", "dee", "took", "cup", "Dee took the cup."))
    assert told(view, "Who took the cup?") == ["Dee took the cup."]
    assert told(view, "By whom was the cup taken?") == ["Dee took the cup."]


def test_a_fact_that_shares_neither_subject_nor_object_is_no_support() -> None:
    view = knowing(common("t", "box", "taken_by", "dee", "Dee took the box."))
    assert refused(view, "Who took the cup?") is Reason.NOTHING_KNOWN


def test_a_fact_of_another_predicate_is_no_support() -> None:
    view = knowing(common("h", "cup", "hidden_in", "attic", "The cup is upstairs."))
    assert refused(view, "Who took the cup?") is Reason.NOTHING_KNOWN
    assert told(view, "Where is the cup hidden?") == ["The cup is upstairs."]
    assert told(view, "Where is the cup?") == ["The cup is upstairs."]


def test_what_is_only_said_about_it_supports_by_the_words_it_shares() -> None:
    view = knowing(
        common("s", "cup", "said_about", "broken", "Somebody took the cup by night."),
        common("r", "cup", "said_about", "blue", "The cup is blue."),
    )
    assert told(view, "When was the cup taken?") == ["Somebody took the cup by night."]
    assert told(view, "What do you know about the cup?") == [
        "The cup is blue.",
        "Somebody took the cup by night.",
    ]


def test_who_asks_for_somebody_and_where_for_a_place() -> None:
    view = knowing(common("w", "cup", "was_at", "attic", "The cup was upstairs."))
    assert refused(view, "Who washed the cup?") is Reason.NOTHING_KNOWN
    view = knowing(common("w", "cup", "taken_by", "dee", "Dee took the cup."))
    assert refused(view, "Where is the cup?") is Reason.NOTHING_KNOWN


def test_of_two_that_are_named_a_fact_about_both_goes_alone() -> None:
    one = common("a", "dee", "was_at", "attic", "Dee was upstairs.")
    both = common("b", "dee", "was_at", "cup", "Dee was with the cup.")
    view = knowing(one, both)
    assert told(view, "What of Dee and the cup?") == ["Dee was with the cup."]
    other = common("c", "cup", "hidden_in", "far", "The cup is far off.")
    assert set(told(knowing(one, other), "What of Dee and the cup?")) == {
        "Dee was upstairs.",
        "The cup is far off.",
    }


def test_i_am_no_topic_where_another_is_named() -> None:
    me = common("a", "ann", "was_at", "attic", "Ann was upstairs.")
    cup = common("c", "cup", "was_at", "yard", "The cup was outside.")
    assert told(knowing(me, cup), "What of you and the cup?") == ["The cup was outside."]
    assert told(knowing(me, cup), "What of yourself?") == ["Ann was upstairs."]
    assert refused(knowing(me), "What do you want with the cup?") is Reason.NOTHING_KNOWN


def test_what_says_it_otherwise_is_answered_and_not_sworn_to() -> None:
    """`Put by` is in no wording and no sentence: that somebody had it is the nearest there is."""
    view = knowing(common("t", "cup", "taken_by", "dee", "Dee took the cup."))
    answer = answer_of(view, "Who polished the cup?")
    assert isinstance(answer, Grounded)
    assert answer.is_unsure
    view = knowing(common("h", "cup", "hidden_in", "attic", "The cup is upstairs."))
    assert refused(view, "What is wrong with the cup?") is Reason.NOTHING_KNOWN


def test_the_very_words_of_a_predicates_question_ask_for_that_predicate_alone() -> None:
    """Where something is hidden is not where it was left; asked in other words, that is the nearest."""
    view = knowing(common("l", "cup", "left_at", "attic", "The cup was left upstairs."), **LEFT)
    assert refused(view, "Where is the cup hidden?") is Reason.NOTHING_KNOWN
    answer = answer_of(view, "Where did they hide the cup?")
    assert isinstance(answer, Grounded)
    assert answer.is_unsure


LEFT: dict[str, Any] = {
    "predicates": {
        **house().predicates,
        "left_at": {
            "id": "left_at",
            "wordings": ["{s} was left in {o}."],
            "question": "Where was {s} left?",
        },
    }
}


def test_of_two_that_are_named_one_alone_is_nothing_to_guess_from() -> None:
    view = knowing(
        common("t", "cup", "taken_by", "dee", "Dee took the cup."),
        common("b", "box", "was_at", "yard", "The box was in the yard."),
    )
    assert refused(view, "Who polished the cup in the box?") is Reason.NOTHING_KNOWN


@pytest.mark.parametrize(
    ("canon", "who", "words", "statement"),
    [
        (INN, "mara", "Who found Jory?", "It was old Hobb, who kept the ford,"),
        (INN, "mara", "Is Jory dead?", "Jory Quill drowned at the ford"),
        (INN, "tobin", "Whom do you owe?", "Tobin owes Osric four crowns"),
        (INN, "hobb", "Are you deaf?", "Old Hobb hears every word"),
        (INN, "osric", "Who put out the lamp?", "Osric wetted two fingers"),
        (FERRY, "du_shuisheng", "是谁摘了铜铃？", "收船以后，杜水生亲手摘下铜铃"),
        (FERRY, "meng_liao", "茶棚押给了谁？", "孟蓼为了弟弟的账"),
        (FERRY, "fang_xu", "公函耽搁了多久？", "公函十二就到了镇邮局"),
    ],
)
def test_what_the_worlds_know_is_found(canon: Canon, who: str, words: str, statement: str) -> None:
    assert told(view_of(canon, who), words)[0].startswith(statement)


# ── what is believed ──────────────────────────────────────────────────────────────────────────


def test_of_two_values_that_which_is_believed_supports_and_the_other_is_outdone() -> None:
    """Ben trusts Ann and not Cy."""
    story = Told(
        says("cy", SAID, "ben", tells=[DEE]),
        whispers("ann", "I took the cup.", "ben", tells=[stolen("ann", "I took the cup.")]),
        canon=house(),
    )
    answer = answer_of(story.view("ben"), "Who took the cup?")
    assert isinstance(answer, Grounded)
    assert not answer.is_unsure
    assert [f.object for f in answer.support] == ["ann"]
    assert [f.object for f in answer.outdone] == ["dee"]


def stolen(by: str, said: str, **more: str) -> dict[str, Any]:
    return {**claim("cup", "taken_by", by, said), **more}


def test_own_eyes_outdo_a_lie() -> None:
    story = Told(says("cy", SAID, "ann", tells=[DEE]), canon=house())
    answer = answer_of(story.view("ann"), "Who took the cup?")
    assert isinstance(answer, Grounded)
    assert [f.object for f in answer.support] == ["ann"]
    assert [f.object for f in answer.outdone] == ["dee"]


def test_a_word_that_is_doubted_and_a_guess_are_answers_nobody_swears_to() -> None:
    doubted = Told(says("cy", SAID, "ben", tells=[DEE]), canon=house())
    guessed = Told(says("ann", SAID, "ben", tells=[{**DEE, "mode": "supposed"}]), canon=house())
    for story in (doubted, guessed):
        answer = answer_of(story.view("ben"), "Who took the cup?")
        assert isinstance(answer, Grounded)
        assert answer.is_unsure
        assert [f.statement for f in answer.support] == [SAID]
    sure = Told(says("ann", SAID, "ben", tells=[DEE]), canon=house())
    answer = answer_of(sure.view("ben"), "Who took the cup?")
    assert isinstance(answer, Grounded)
    assert not answer.is_unsure


def test_what_was_said_not_to_be_so_is_no_value() -> None:
    denied = stolen("dee", "Dee did not take the cup.", mode="denied")
    story = Told(says("ann", "Dee did not take the cup.", "ben", tells=[denied]), canon=house())
    answer = answer_of(story.view("ben"), "Did Dee take the cup?")
    assert isinstance(answer, Grounded)
    assert answer.is_unsure
    assert answer.support[0].is_denied


# ── refusals ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", Reason.EMPTY),
        (" \n ", Reason.EMPTY),
        ("?!", Reason.EMPTY),
        ("Who is Zorblax?", Reason.UNKNOWN_NAME),
        ("What did Zorblax do in the attic?", Reason.UNKNOWN_NAME),
        ("Why did Zorblax leave?", Reason.UNKNOWN_NAME),
        ("谁拿了杯子？", Reason.OTHER_LANGUAGE),
        ("Qui l'a prise, et pourquoi donc ?", Reason.OTHER_LANGUAGE),
        ("Who?", Reason.NOTHING_KNOWN),
        ("What happened at dawn?", Reason.NOTHING_KNOWN),
        ("Why does the moon shine?", Reason.NOTHING_KNOWN),
    ],
)
def test_every_question_without_an_answer_is_refused_for_its_reason(
    words: str, reason: Reason
) -> None:
    view = Told(canon=house()).view("ann")
    assert answer_of(view, words) == Refusal(reason, len(view.known))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", Reason.EMPTY),
        ("……", Reason.EMPTY),
        ("张三是谁？", Reason.UNKNOWN_NAME),
        ("Who took the cup?", Reason.OTHER_LANGUAGE),
        ("天上为什么有月亮？", Reason.NOTHING_KNOWN),
        ("杯子是谁拿的？", Reason.NOTHING_KNOWN),
    ],
)
def test_it_is_refused_in_chinese_for_the_same_reasons(words: str, reason: Reason) -> None:
    view = Told(canon=chinese()).view("ben")
    assert answer_of(view, words) == Refusal(reason, len(view.known))


def test_a_question_in_another_language_is_answered_by_the_names_in_it_and_not_sworn_to() -> None:
    answer = answer_of(Told(canon=chinese()).view("ann"), "Who took 杯子?")
    assert isinstance(answer, Grounded)
    assert answer.is_unsure
    assert {f.statement for f in answer.support} == {"Ann took the cup.", "The cup is upstairs."}


def test_who_knows_nothing_at_all_refuses_everything() -> None:
    """Not a fact, not a percept, not an episode."""
    people = [person("ann"), *(person(who, home="far") for who in ("ben", "cy", "dee", "eve"))]
    view = knowing(who="eve", characters=people, things=[])
    assert len(view.known) == 0
    assert not view.percepts
    assert not view.episodes
    for words in ("Who took the cup?", "What do you know?", "Why?", "Where is Ann?"):
        assert answer_of(view, words) == Refusal(Reason.NOTHING_KNOWN, 0)


def test_the_refusal_is_the_same_for_a_name_of_the_world_and_for_none() -> None:
    """Mara has never heard the lodger's name."""
    mara = view_of(INN, "mara")
    for words in ("Who is {}?", "What does {} want?", "Why did {} come?", "Where is {}?"):
        assert answer_of(mara, words.format("Vane")) == answer_of(mara, words.format("Zorblax"))
        assert refused(mara, words.format("Vane")) is Reason.UNKNOWN_NAME


def test_who_did_not_hear_it_cannot_tell() -> None:
    """A deaf bystander, a sleeper, somebody next door behind a wall, one who is whispered past."""
    people = [person("ann"), person("ben"), person("cy", deaf=True), person("dee", home="attic")]
    story = Told(
        turns("dee", "fell_asleep"),
        whispers("ann", SAID, "ben", tells=[DEE]),
        canon=house(characters=[*people, person("eve", home="far")]),
    )
    for who in ("cy", "dee", "eve"):
        assert refused(story.view(who), "Who took the cup?") is Reason.NOTHING_KNOWN
    assert told(story.view("ben"), "Who took the cup?") == [SAID]


def test_people_are_shown_statements_with_route_and_source() -> None:
    story = Told(says("ann", SAID, "ben", tells=[DEE]), canon=house())
    view = story.view("ben")
    shown = answer_of(view, "Who took the cup?").plain(view)
    assert shown["outcome"] == "grounded"
    assert shown["support"] == [{"statement": SAID, "route": "told", "source": "Ann", "turn": 1}]
    refusal = answer_of(story.view("eve"), "Who took the cup?").plain(story.view("eve"))
    assert refusal == {"outcome": "refusal", "reason": "nothing_known", "searched": 1}


def test_an_answer_rests_on_the_pool_alone() -> None:
    view = Told(canon=house()).view("ann")
    asked = question_of("Who took the cup?", view)
    empty = FactPool(view.known)
    assert isinstance(synthesise(view, asked, empty), Refusal)
    empty.add(Probe(Way.FOUND), [FactId("theft")])
    assert isinstance(synthesise(view, asked, empty), Grounded)


# ── before its eyes ───────────────────────────────────────────────────────────────────────────


def seen(view: CharacterView, words: str) -> tuple[str, ...]:
    answer = answer_of(view, words)
    return answer.at_hand if isinstance(answer, Grounded) else ()


def test_whoever_stands_beside_one_is_found_without_a_memory() -> None:
    view = Told().view("ann")
    assert seen(view, "Where is Ben?") == ("Ben is in the hall.",)
    assert seen(view, "Where are you?") == ("I am in the hall.",)
    assert seen(view, "Where is Dee?") == ()
    assert refused(view, "Where is Dee?") is Reason.NOTHING_KNOWN


def test_where_somebody_was_or_hid_something_is_not_answered_by_looking() -> None:
    view = view_of(INN, "mara")
    assert seen(view, "Where is Ines now?")
    assert seen(view, "Where was Ines at supper?") == ()
    assert seen(view, "Ines, where did you hide the packet?") == ()


def test_whoever_hides_beside_one_is_not_found() -> None:
    view = Told(turns("ben", "hid")).view("ann")
    assert seen(view, "Where is Ben?") == ()


def test_in_chinese_too() -> None:
    view = view_of(FERRY, "xiao_man")
    assert seen(view, "你在哪儿？") == (f"我在{view.names(view.place)}。",)
