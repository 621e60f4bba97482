"""What somebody thinks or feels is answered by what was told of that; who did it, by who did something."""

from typing import Any

import pytest

from sandbox.agents.reasoning.inward import asks_inward
from sandbox.agents.reasoning.probes import probe_fast
from sandbox.agents.reasoning.questions import question_of
from sandbox.agents.reasoning.synthesis import Grounded, Reason, Refusal, synthesise
from sandbox.evals.guarding import Worlds
from sandbox.storage.places import worlds_folder
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from tests.property.house import fact, house, person
from tests.property.scenes import Told, claim, says

WORLDS = Worlds(worlds_folder())


def answered(view: CharacterView, words: str) -> list[str] | Reason:
    asked = question_of(words, view)
    match synthesise(view, asked, probe_fast(view, asked)):
        case Grounded(support=support):
            return [held.statement for held in support]
        case Refusal(reason=reason):
            return reason
    raise AssertionError("nothing was asked")


def view_of(name: str, who: str) -> CharacterView:
    return CharacterView(WORLDS[name], CharacterId(who))


@pytest.mark.parametrize("who", ["ines", "tobin", "mara"])
@pytest.mark.parametrize(
    "question",
    [
        "What is Tobin thinking?",
        "What does Tobin think of Osric?",
        "How does Mara feel?",
        "What does Tobin want?",
        "What is Mara dreaming of?",
        "What is on Mara's mind?",
        "What does Osric hope for?",
        "What goes on in Osric's head?",
        "What are Tobin's thoughts?",
    ],
)
def test_what_is_in_anothers_mind_nobody_knows_who_was_not_told(who: str, question: str) -> None:
    """Each of them knows a good deal of the others, and none of it is that."""
    assert answered(view_of("lantern_inn", who), question) is Reason.NOTHING_KNOWN


@pytest.mark.parametrize("who", ["meng_liao", "xiao_man", "shen_jingzhai"])
@pytest.mark.parametrize(
    "question",
    [
        "杜水生在想什么？",
        "杜水生心里怎么想？",
        "孟蓼想要什么？",
        "方序做什么梦？",
        "孟蓼心里有什么事？",
        "小满觉得怎么样？",
        "杜水生打的什么主意？",
    ],
)
def test_in_chinese_neither(who: str, question: str) -> None:
    assert answered(view_of("jiangcun_duchuan", who), question) is Reason.NOTHING_KNOWN


def test_who_was_told_what_somebody_thinks_of_can_say_so() -> None:
    said = "Cy thinks of nothing but the cup."
    tells = [claim("cy", "said_about", "thinks of nothing but the cup", said)]
    taken = fact("walk", "cy", "was_at", "attic", "Cy was upstairs.", common=True)
    canon = house(facts=[*(f.model_dump() for f in house().facts), taken])
    before = Told(canon=canon)
    assert answered(before.view("ben"), "What is Cy thinking?") is Reason.NOTHING_KNOWN
    after = Told(says("ann", said, "ben", tells=tells), canon=canon)
    assert answered(after.view("ben"), "What is Cy thinking?") == [said]
    assert answered(after.view("ben"), "What is Dee thinking?") is Reason.NOTHING_KNOWN


def test_a_predicate_of_fear_answers_what_somebody_fears() -> None:
    view = view_of("lantern_inn", "tobin")
    found = answered(view, "What is Mara afraid of?")
    assert isinstance(found, list)
    assert found[0].startswith("Mara is afraid")


def test_of_its_own_mind_it_tells_what_it_holds_of_that_and_nothing_else() -> None:
    found = answered(view_of("lantern_inn", "mara"), "What are you thinking?")
    assert isinstance(found, list)
    assert [said.startswith("Mara is afraid") for said in found] == [True]
    ines = answered(view_of("lantern_inn", "ines"), "What are you thinking?")
    assert ines is Reason.NOTHING_KNOWN


@pytest.mark.parametrize(
    "question",
    [
        "What do you think of Tobin?",
        "Who do you think took the packet?",
        "What did Tobin do?",
        "你觉得铜铃是谁动的？",
        "你说是谁想动渡船？",
    ],
)
def test_to_ask_what_somebody_thinks_happened_is_no_question_after_its_mind(question: str) -> None:
    name, who = (
        ("lantern_inn", "tobin") if question.isascii() else ("jiangcun_duchuan", "meng_liao")
    )
    assert not question_of(question, view_of(name, who)).is_inward


def test_what_is_asked_after_by_a_predicate_is_no_question_after_a_mind() -> None:
    assert not asks_inward("What is | waiting for?", "en")
    assert not asks_inward("|是谁动的？", "zh")


# ── who did it ────────────────────────────────────────────────────────────────────────────────


SENT: dict[str, Any] = {
    "predicates": {
        **house().predicates,
        "addressed_to": {
            "id": "addressed_to",
            "object": "character",
            "wordings": ["{s} was addressed to {o}."],
            "question": "To whom is {s} addressed?",
        },
        "wrote_to": {
            "id": "wrote_to",
            "wordings": ["{s} wrote to {o}."],
            "question": "To whom did {s} write?",
        },
        "near": {"id": "near", "wordings": ["{s} lies by {o}."]},
    }
}


def knowing(*said: str) -> CharacterView:
    known = fact("one", *said, common=True)
    return Told(canon=house(facts=[known], **SENT)).view("ann")


def test_the_nearest_fact_answers_who_did_it_only_with_somebody_who_did_something() -> None:
    view = knowing("cup", "near", "box", "The cup lies by the box.")
    assert answered(view, "Who polished the cup?") is Reason.NOTHING_KNOWN
    view = knowing("cup", "wrote_to", "dee", "The cup was a letter to Dee.")
    assert answered(view, "Who polished the cup?") is Reason.NOTHING_KNOWN
    view = knowing("cup", "taken_by", "dee", "Dee took the cup.")
    assert answered(view, "Who polished the cup?") == ["Dee took the cup."]


def test_the_nearest_fact_answers_where_only_with_a_place() -> None:
    view = knowing("cup", "taken_by", "dee", "Dee took the cup.")
    assert answered(view, "Where did they polish the cup?") is Reason.NOTHING_KNOWN


@pytest.mark.parametrize(
    ("name", "who", "question"),
    [
        ("lantern_inn", "ines", "Who posted the packet?"),
        ("lantern_inn", "osric", "Who made off with the packet while it was dark?"),
        ("lantern_inn", "vane", "Who lost his place at the bank?"),
    ],
)
def test_to_whom_it_was_sent_is_no_answer_to_who_sent_it(
    name: str, who: str, question: str
) -> None:
    assert answered(view_of(name, who), question) is Reason.NOTHING_KNOWN


@pytest.mark.parametrize(
    ("who", "question", "statement"),
    [
        ("du_shuisheng", "是谁把铜铃摘走的？", "收船以后"),
        ("fang_xu", "谁悬赏捉拿孟樵？", "祝家米行在镇上贴了红帖"),
        ("meng_liao", "庙里的墙是谁出钱刷的？", "前年祝家米行出钱"),
    ],
)
def test_chinese_questions_find_their_facts_in_other_words(
    who: str, question: str, statement: str
) -> None:
    found = answered(view_of("jiangcun_duchuan", who), question)
    assert isinstance(found, list)
    assert any(said.startswith(statement) for said in found)


def test_who_wonders_about_something_has_no_name_for_it_but_by_what_its_question_says() -> None:
    """A want names its subject to the program, and not to the character."""
    for question, is_named in (
        ("What does she hide up there?", False),
        ("Who took the cup?", True),
    ):
        want = {"question": question, "subject": "cup", "predicate": "taken_by"}
        people = [person(id_, home="hall") for id_ in ("ann", "cy", "dee", "eve")]
        ben = person("ben", wants=[want])
        things = [{"id": "cup", "name": "the cup", "place": "attic", "concealed": True}]
        canon = house(characters=[ben, *people], things=things)
        view = Told(canon=canon).view("ben")
        assert view.named_in("Where is the cup?") == (("cup",) if is_named else ())
