"""Replies as models give them: what can be used of each, and why the rest cannot."""

import json
from typing import Any

import pytest

from sandbox.agents.fusing import template
from sandbox.agents.minds import Move
from sandbox.agents.reading import DraftReader, Problem, Unreadable, move_of
from sandbox.story.ids import FactId
from sandbox.story.items import Language
from sandbox.story.text import clean, sentences
from tests.halls import chinese_hall
from tests.halls import english_hall as hall
from tests.property.scenes import Told

SHOWN = (FactId("rain"), FactId("vow"))


def read(reply: str | dict[str, Any], who: str = "ben") -> Move:
    text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return move_of(text, hall().view(who), SHOWN)


def test_every_problem_can_be_told_in_chinese() -> None:
    for problem in Problem:
        told = Unreadable(problem).told("zh").replace("JSON", "")
        assert not any(char.isascii() and char.isalpha() for char in told)


def test_people_are_meant_by_what_the_speaker_calls_them() -> None:
    assert read({"words": "You!", "to": ["Ann"]}).to == ("ann",)
    assert read({"words": "You!", "to": "ann."}).to == ("ann",)
    assert read({"words": "You!", "to": ["the visitor", "Visitor"]}).to == ("cy",)
    assert read({"words": "You!", "to": ["Ann", "Ann", "Zoe"]}).to == ("ann",)


def test_the_name_of_a_stranger_means_nobody_to_who_does_not_know_it() -> None:
    assert read({"words": "You!", "to": ["Cy Dorn"]}).to == ()
    assert read({"words": "You!", "to": ["Dorn"]}).to == ()
    assert read({"words": "You!", "to": ["Dorn"]}, who="ann").to == ("cy",)


def test_somebody_elsewhere_is_not_spoken_to() -> None:
    assert read({"words": "Dee!", "to": ["Dee"]}).to == ()


@pytest.mark.parametrize("yes", [True, "true", "True", "yes", 1, "是", "tru", "to Ann", ["yes"]])
def test_a_whisper_is_a_whisper_in_whatever_form_it_is_asked_for(yes: object) -> None:
    assert read({"words": "Psst.", "to": ["Ann"], "whisper": yes}).whisper


@pytest.mark.parametrize("no", [False, "false", "No.", 0, None, "", [], {}, "否"])
def test_a_no_in_whatever_form_is_aloud(no: object) -> None:
    assert not read({"words": "Psst.", "to": ["Ann"], "whisper": no}).whisper


def test_a_whisper_that_names_nobody_here_goes_to_the_only_one_who_is() -> None:
    view = Told().view("ben")
    move = move_of('{"words": "Psst.", "to": ["Zoe"], "whisper": true}', view, ())
    assert (move.to, move.whisper) == (("ann",), True)


def test_a_neighbouring_place_is_gone_to_and_no_other() -> None:
    assert read({"go": "The yard"}).go == "yard"
    assert read({"words": "Off.", "go": "the far"}).go is None


def test_a_thing_is_examined_with_its_own_words_or_plain_ones() -> None:
    move = read({"examine": "the cup"})
    assert (move.examines, move.action, move.action_first) == (
        "cup",
        "looks closely at the cup",
        "look closely at the cup",
    )
    assert read({"examine": "the cup", "action": "lifts it."}).action == "lifts it"


def test_numbers_of_facts_are_those_shown_and_no_others() -> None:
    named = ["f1", "f2", "f1", "f3", "f0", "f-1", "rain", "f" + "9" * 5000, "f²", 4]
    assert read({"words": "So.", "relied_on": named}).relied_on == SHOWN


def test_a_mood_that_stays_is_no_turn_and_a_long_one_is_cut() -> None:
    assert read({"words": "So.", "mood": "glad"}).mood == ""
    assert len(read({"words": "So.", "mood": "very " * 40}).mood) <= 40


def test_chinese_names_and_full_width_marks_are_understood() -> None:
    reply = '{"words": "“你们好。”走吧！", "to": ["王安娜，", "「那位客人」"], "go": "院子。"}'
    move = move_of(reply, chinese_hall().view("ben"), ())
    assert (move.words, move.to, move.go) == ("“你们好。”走吧！", ("ann", "cy"), "yard")


# ── drafts ────────────────────────────────────────────────────────────────────────────────────

FIRST = '{"thought": "x", "words": "One. Two! Three?", "to": ["Ann"]}'
DRAFTED = [
    FIRST,
    '{"words": "One. Two! Three?"}',
    '{"to": [], "words": "He said \\"Go.\\" Then he went… Gone"}',
    '{"words": "“走吧。”他说。真的？真的！", "mood": "急"}',
    f'<think>{{"words": "I plan. To lie."}}</think>{FIRST}',
    f"As {{asked}}: {FIRST}",
    f"```json\n{FIRST}\n```",
]


@pytest.mark.parametrize("reply", DRAFTED)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_sentences_drafted_one_by_one_are_the_final_words(reply: str, size: int) -> None:
    reader, drafted = DraftReader(), list[str]()
    for at in range(0, len(reply), size):
        drafted += reader.feed(reply[at : at + size])
    words = move_of(reply, hall().view("ben"), ()).words
    assert drafted == list(sentences(clean(words)))


def test_nothing_is_drafted_while_a_model_thinks() -> None:
    reader = DraftReader()
    assert reader.feed('<think>{"words": "The key. Is mine. ') == []


def test_a_reply_that_begins_anew_is_drafted_from_its_beginning() -> None:
    reader = DraftReader()
    assert reader.feed('{"words": "One. Tw') == ["One."]
    reader.begin_anew()
    assert reader.feed('{"words": "One. Two."}') == ["One.", "Two."]


def test_a_sentence_is_drafted_when_the_next_begins() -> None:
    reader = DraftReader()
    assert reader.feed('{"words": "One. ') == []
    assert reader.feed("Tw") == ["One."]


@pytest.mark.parametrize(
    ("words", "said", "thought"),
    [
        ("(I hid the key myself.) Good evening.", "Good evening.", "I hid the key myself."),
        ("Good evening. [Nobody may know.]", "Good evening.", "Nobody may know."),
        ("Good *I hid it* evening.", "Good evening.", "I hid it"),
        ("（钥匙是我藏的。）晚上好。", "晚上好。", "钥匙是我藏的。"),
        ("晚上好。【谁也不能知道】", "晚上好。", "谁也不能知道"),
        ("Good evening. (I hid the key", "Good evening.", "I hid the key"),
    ],
)
def test_what_stands_in_brackets_is_a_thought_and_is_not_said(
    words: str, said: str, thought: str
) -> None:
    move = move_of(json.dumps({"words": words}, ensure_ascii=False), Told().view("ann"), ())
    assert (move.words, move.thought) == (said, thought)
    reader = DraftReader()
    assert thought not in " ".join(reader.feed(json.dumps({"words": words, "go": ""})))


def test_a_thought_that_is_said_as_well_is_not_said() -> None:
    reply = {"thought": "I hid the key myself.", "words": "I hid the key myself. Good evening."}
    move = move_of(json.dumps(reply), Told().view("ann"), ())
    assert move.words == "Good evening."


def test_a_bracketed_deed_is_not_seen() -> None:
    reply = {"action": "nods (and hides the key)", "words": "Yes."}
    move = move_of(json.dumps(reply), Told().view("ann"), ())
    assert move.action == "nods"
    assert move.thought == "and hides the key"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("step", ["persona", "persona_brief"])
def test_the_form_of_a_prompt_given_back_as_it_stands_is_no_move(
    language: Language, step: str
) -> None:
    lines = template(language, step).template.splitlines()
    form = next(line for line in lines if line.startswith("{"))
    view = (chinese_hall() if language == "zh" else hall()).view("ben")
    with pytest.raises(Unreadable):
        move_of(form, view, SHOWN)
    assert DraftReader().feed(form) == []


def test_words_that_only_begin_as_the_form_does_are_somebodys_own() -> None:
    assert read({"words": "Said aloud it sounds worse."}).words == "Said aloud it sounds worse."
    assert read({"words": "A way out."}).words == "A way out."
