"""Texts for memories are read strictly: however a thing is put, it has to rest on what is held."""

import pytest

from sandbox.agents.guarding import mood_in, passed
from sandbox.story.episodes import composed
from sandbox.story.ids import FactId
from tests.houses import view, world
from tests.property.scenes import Told, acts, says, whispers


def story(language: str, *events: dict[str, object]) -> Told:
    canon = world(language).canon
    return Told(*events, canon=canon, start=canon.default_start)


# ── however it is put ─────────────────────────────────────────────────────────────────────────

FRAMES = {
    "en": [
        "{F}.",
        "I wonder why {F}.",
        "Was it not so that {F}?",
        "I felt sure that {F}.",
        "Nobody told me that {F}.",
    ],
    "zh": [
        "{F}。",
        "我想知道为什么{F}。",
        "如果{F}，我就走。",
        "难道不是{F}吗？",
        "我坐在火边，想着{F}。",
        "我不知道{F}。",
    ],
}
MOST_PASSING = {"en": 0.05, "zh": 0.05}
"""Share of the facts unknown to an owner; some it nearly knows."""


@pytest.mark.parametrize(
    ("language", "frame"), [(language, frame) for language in FRAMES for frame in FRAMES[language]]
)
def test_what_somebody_does_not_hold_enters_no_memory_of_its(language: str, frame: str) -> None:
    tried, passing = 0, list[tuple[str, str]]()
    for who in sorted(world(language).grants):
        own = view(language, who)
        for fact in world(language).canon.facts:
            if own.held(FactId(fact.id)) is None:
                tried += 1
                text = frame.format(F=fact.statement.rstrip(".。"))
                passing += [(who, fact.id)] if passed(own, text) else []
    assert tried > 100
    assert len(passing) < MOST_PASSING[language] * tried, passing


PUT_DIFFERENTLY = [
    ("en", "Ask Osric why he drew out the bridge money for spoiled barley."),
    ("en", "If Osric had not drawn out the bridge money for barley, my road would be dry."),
    ("en", "I know now in my bones what Osric drew out of the bridge money for spoiled barley."),
    ("en", "I remembered looking in the old lantern in the cellar, where the packet is."),
    ("en", "I sat by the fire, for Osric took the bridge money."),
    ("en", 'I thought: "Osric took the bridge money."'),
    ("zh", "我心里认定铜铃是杜师傅从桩上摘下来的。"),
    ("zh", "我坐在火边，想起铜铃是杜师傅从桩上摘下来的。"),
]


@pytest.mark.parametrize(("language", "text"), PUT_DIFFERENTLY)
def test_questions_guesses_and_what_they_presuppose_are_dropped(language: str, text: str) -> None:
    assert passed(view(language, "ines" if language == "en" else "fang_xu"), text) == ""


# ── what was lived through ────────────────────────────────────────────────────────────────────


def evening() -> Told:
    return story(
        "en",
        says("mara", "Perhaps Osric took the bridge money.", "ines"),
        says("ines", "Who took the packet out of my bag, with the crown on it?", "mara"),
        says("osric", "Twice in the last year I offered to have the cellar cleared.", "ines"),
        acts("osric", "lights his pipe at the candle"),
        whispers("mara", "The packet is in the old lantern.", "ines"),
        acts("ines", "turns back the leaves of the guest book to the last entry"),
        {"kind": "narrated", "text": "The wind slams the yard gate.", "place": "taproom"},
    )


HONEST = [
    "Mara told me that perhaps Osric took the bridge money.",
    "I asked Mara who took the packet out of my bag.",
    "Osric said that he twice offered to have the cellar cleared, and I did not like it.",
    "Osric lit his pipe at the candle and said nothing.",
    "Mara whispered to me that the packet is in the old lantern.",
    "I turned back the leaves of the guest book, and my hands shook.",
    "The wind slammed the gate.",
    "The wind slammed the gate so hard that the whole house shook.",
    "I felt tired, and I wanted to be gone.",
    "Mara looked pale.",
]


@pytest.mark.parametrize("text", HONEST)
def test_what_was_said_asked_and_done_is_remembered(text: str) -> None:
    assert passed(evening().view("ines"), text) == text


EVENING_ZH = (
    says("fang_xu", "也许铜铃是老何动的。", "du_shuisheng"),
    says("du_shuisheng", "夜里是谁把我那条船解走的？", "fang_xu"),
    acts("fang_xu", "翻开小本子，在页角画了个圈"),
)
HONEST_ZH = [
    "方序对我说，也许铜铃是老何动的。",
    "我问方序夜里是谁把我那条船解走的。",
    "方序翻开小本子画了个圈。",
    "我心里很乱，一夜没睡好。",
]


@pytest.mark.parametrize("text", HONEST_ZH)
def test_what_was_said_asked_and_done_is_remembered_in_chinese(text: str) -> None:
    assert passed(story("zh", *EVENING_ZH).view("du_shuisheng"), text) == text


TWISTED = [
    ("ines", "Osric took the bridge money."),
    ("ines", "I know now that Osric took the bridge money."),
    ("osric", "Mara whispered to Ines that the packet is in the old lantern."),
    ("ines", "Tobin told me that Jory lined the bridge box with green baize."),
]


@pytest.mark.parametrize(("who", "text"), TWISTED)
def test_a_guess_heard_is_no_knowledge_and_nothing_is_told_that_was_not_heard(
    who: str, text: str
) -> None:
    assert passed(evening().view(who), text) == ""


def test_a_memory_made_by_rule_passes_as_it_is() -> None:
    told = evening()
    for who in ("ines", "mara", "osric"):
        own = told.view(who)
        text = composed(own, own.percepts)
        assert text
        assert passed(own, text) == text


# ── moods ─────────────────────────────────────────────────────────────────────────────────────

MOODS = [
    ("en", "uneasy", True),
    ("en", "quite at ease", True),
    ("en", "grim but hopeful", True),
    ("en", "sure Osric stole it", False),
    ("en", "he took it", False),
    ("en", "Osric", False),
    ("en", "the bridge money", False),
    ("en", "calm. Osric is guilty", False),
    ("en", "f1: glad", False),
    ("en", "afraid of what may come", False),
    ("en", "<think>", False),
    ("zh", "忐忑", True),
    ("zh", "心里踏实了些", True),
    ("zh", "铜铃是他动的", False),
    ("zh", "疑心杜师傅", False),
    ("zh", "又惊又怕又悔又恨", False),
]


@pytest.mark.parametrize(("language", "mood", "is_one"), MOODS)
def test_a_mood_is_a_feeling_and_tells_nothing(language: str, mood: str, is_one: bool) -> None:
    who = view(language, "ines" if language == "en" else "fang_xu")
    assert mood_in(who, mood) == (mood if is_one else "")


def test_every_mood_of_the_worlds_own_is_one() -> None:
    for language in ("en", "zh"):
        for who in world(language).canon.cast.values():
            for mood in who.mood:
                assert mood_in(view(language, who.id), mood.text) == mood.text
