"""Events in words, in English and in Chinese."""

import re
from typing import Any

import pytest

from sandbox.story.people import Relation
from sandbox.story.phrases import kind_in_words
from sandbox.story.predicates import built_in
from tests.property.scenes import Plain, Told, acts, says, turns, whispers
from tests.property.strategies import small_canon

LEFT: Plain = {"kind": "left", "actor": "ann", "place": "hall", "to_place": "yard"}
CUP: Plain = {"kind": "thing_changed", "actor": None, "thing": "cup"}
DOOR: Plain = {"kind": "door_changed", "actor": None, "between": ["hall", "yard"], "door": "locked"}

EVENTS: list[tuple[Plain, str, str, str, str]] = [
    (
        says("ann", "Hi.", "ben"),
        'I said to Ben: "Hi."',
        'Ann said to me: "Hi."',
        "我对本恩说：“Hi.”",
        "安娜对我说：“Hi.”",
    ),
    (says("ann", "Hi."), 'I said: "Hi."', 'Ann said: "Hi."', "我说：“Hi.”", "安娜说：“Hi.”"),
    (
        whispers("ann", "Hi.", "ben"),
        'I whispered to Ben: "Hi."',
        'Ann whispered to me: "Hi."',
        "我悄声对本恩说：“Hi.”",
        "安娜悄声对我说：“Hi.”",
    ),
    (
        acts("ann", "nods.", first="nod."),
        "I nod.",
        "Ann nods.",
        "我nod。",
        "安娜nods。",
    ),
    (LEFT, "I left the hall for the yard.", "Ann left the hall for the yard.", "", ""),
    (
        turns("ann", "fell_asleep"),
        "I fell asleep.",
        "Ann fell asleep.",
        "我睡着了。",
        "安娜睡着了。",
    ),
    (turns("ann", "died"), "I died.", "Ann died.", "我死了。", "安娜死了。"),
    (CUP | {"holder": "ben"}, "The cup went to Ben.", "The cup went to me.", "", ""),
    (CUP | {"state": "broken"}, "The cup: broken.", "The cup: broken.", "", ""),
    (
        DOOR,
        "The way between the hall and the yard: locked.",
        "The way between the hall and the yard: locked.",
        "",
        "",
    ),
]


def chinese() -> Any:
    english = small_canon()
    names = {"ann": "安娜", "ben": "本恩", "cy": "沈先生"}
    people = [
        person.model_dump(by_alias=True) | {"name": names.get(person.id, "某甲"), "aliases": []}
        for person in english.characters
    ]
    return small_canon(
        characters=people, language="zh", predicates=built_in("zh"), facts=[], things=[]
    )


@pytest.mark.parametrize(("event", "own", "other"), [e[:3] for e in EVENTS])
def test_an_event_is_remembered_in_first_person(event: Plain, own: str, other: str) -> None:
    told = Told(event)
    assert told.remembers("ann") == [own]
    assert told.remembers("ben") == [other]


@pytest.mark.parametrize(("event", "own", "other"), [(e[0], *e[3:]) for e in EVENTS if e[3]])
def test_an_event_is_remembered_in_chinese(event: Plain, own: str, other: str) -> None:
    told = Told(event, canon=chinese())
    assert told.remembers("ann") == [own]
    assert told.remembers("ben") == [other]


def test_a_chinese_memory_holds_no_english_of_the_program() -> None:
    told = Told(canon=chinese())
    told.happen(acts("ann", "去院子", failed=True))
    told.happen(whispers("ann", "嘘", "ben"))
    told.walk("ben", "yard")
    told.happen(says("ann", "有人吗？"))
    told.happen({"kind": "narrated", "text": "钟响了。"})
    told.happen(turns("ann", "hid"))
    for who in ("ann", "ben", "cy", "dee"):
        text = " ".join(told.remembers(who)).replace("the hall", "").replace("the yard", "")
        assert not re.search(r"[A-Za-z]", text), text


def test_a_muffled_voice_is_remembered_as_a_voice() -> None:
    told = Told(says("ann", "Hush.", "ben"))
    assert told.remembers("dee") == [
        "From next door: Ann was talking, and the words did not reach me."
    ]


def test_a_whisper_to_others_is_remembered_as_a_whisper() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(whispers("ann", "Hush.", "ben"))
    assert told.remembers("cy")[-1] == "Ann whispered to Ben."


def test_what_one_is_to_another_has_a_word_in_either_language() -> None:
    kinds = Relation.model_fields["kind"].annotation
    for kind in kinds.__args__:  # type: ignore[union-attr]
        assert kind_in_words("en", kind) == kind
        assert not re.search(r"[a-z]", kind_in_words("zh", kind))
