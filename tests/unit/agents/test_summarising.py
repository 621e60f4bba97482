"""The request for a summary, within its budget, and what of a reply is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox.agents.reading import Unreadable
from sandbox.agents.summarising import (
    EPISODE_SCHEMA,
    Kept,
    Room,
    episode_request,
    kept_of,
    lines_within,
)
from sandbox.models.port import Request
from sandbox.story.episodes import ScenePart
from sandbox.story.events import PatternGrown
from sandbox.story.growing import MOST_GROWN
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from tests.property.scenes import Plain, Told, acts, says, whispers
from tests.property.strategies import small_canon
from tests.unit.story.test_growing import chinese


def unchecked(view: CharacterView, text: str) -> str:
    """A guard to whom everything is right."""
    return text


ROOM = Room(prompt_tokens=2000, max_tokens=600)
WINDOW = 4096
"""Tokens a small model has for prompt and reply together."""
HERE = SceneId("s1")


def part_of(told: Told, who: str = "ann", number: int = 1) -> ScenePart:
    percepts = tuple(told.world.percepts[CharacterId(who)])
    return ScenePart(CharacterId(who), HERE, number, percepts)


def asked(told: Told, who: str = "ann", room: Room = ROOM) -> Request:
    request = episode_request(told.view(who), part_of(told, who), room)
    assert request is not None
    return request


def size(request: Request) -> int:
    return sum(estimated_tokens(message.content) for message in request.messages)


# ── the request ───────────────────────────────────────────────────────────────────────────────


def test_who_one_is_comes_first_and_is_the_same_for_every_scene_of_a_story() -> None:
    told = Told(says("ben", "Good evening."))
    first = asked(told)
    told.happen(acts("ben", "bows"))
    second = asked(told)
    assert first.messages[0] == second.messages[0]
    assert first.messages[0].content.startswith("You are Ann.")
    assert "Ben bows." in second.messages[1].content
    assert first.schema is EPISODE_SCHEMA


@pytest.mark.parametrize("room", [Room(WINDOW - 600, 600), Room(1200, 300)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_summariser_overflowing(language: str, room: Room) -> None:
    """A scene of 400 long percepts fits a model of 4,096 tokens: what matters and what is late stays."""
    told = Told(canon=chinese() if language == "zh" else None)
    long = "说了又说，没完没了，" * 60 if language == "zh" else "And so it went on and on. " * 40
    told.happen({"kind": "narrated", "text": "THE ROOF FALLS IN", "place": "hall"})
    for n in range(400):
        told.happen(says("ben", f"{n}. {long}"))
    told.happen(says("ben", f"THE LAST WORD {long}"))
    request = asked(told, room=room)
    assert size(request) <= room.prompt_tokens
    assert size(request) + request.max_tokens <= WINDOW
    assert size(request) > room.prompt_tokens * 0.7, "what room there is is used"
    shown = request.messages[1].content
    assert "THE ROOF FALLS IN" in shown
    assert "THE LAST WORD" in shown
    assert shown.index("THE ROOF") < shown.index("THE LAST WORD"), "in the order in which it was"
    assert "JSON" in shown


def test_the_end_of_a_scene_is_kept_however_little_it_is() -> None:
    told = Told(*(says("ben", f"{n}. " + "And so it went on. " * 20, "ann") for n in range(60)))
    told.happen(acts("ben", "blows the candle out"))
    lines = lines_within(told.view("ann"), part_of(told), 700)
    assert lines[-1] == "Ben blows the candle out."
    assert len(lines) > 3


def test_late_lines_are_kept_before_early_ones_that_matter_a_little_more() -> None:
    told = Told()
    for n in range(60):
        to = ["ann"] if n < 30 else []
        told.happen(says("ben", f"No. {n} " + "and so it went on. " * 20, *to))
    for _ in range(3):
        told.happen(acts("ben"))
    lines = "\n".join(lines_within(told.view("ann"), part_of(told), 700))
    assert "No. 59 " in lines
    assert "No. 1 " not in lines


def test_one_long_speech_leaves_room_for_the_others() -> None:
    told = Told(says("ben", "Long. " * 2000), acts("ben", "bows"), acts("ben", "sits"))
    lines = lines_within(told.view("ann"), part_of(told), 400)
    assert len(lines) == 3
    assert lines[0].endswith("…")


def test_a_persona_of_any_length_leaves_most_of_the_prompt_to_the_scene() -> None:
    people = [c.model_dump(by_alias=True) for c in small_canon().characters]
    people[0] |= {"public": "tall " * 700, "private": "sly " * 900, "conduct": ["Wait. " * 600] * 5}
    told = Told(canon=small_canon(characters=people))
    told.happen(says("ben", "Good evening."))
    request = asked(told)
    assert estimated_tokens(request.messages[0].content) < 0.5 * ROOM.prompt_tokens
    assert size(request) <= ROOM.prompt_tokens


def test_it_holds_what_its_owner_took_in_and_no_more() -> None:
    told = Told(whispers("ben", "The cup is mine.", "ann"), says("ann", "Hush."))
    told.walk("cy", "hall")
    assert "The cup is mine." in asked(told).messages[1].content
    for who in ("cy", "dee"):
        request = episode_request(told.view(who), part_of(told, who), ROOM)
        assert request is None or "The cup is mine." not in request.messages[1].content
    assert "Cy Dorn" in asked(told).messages[1].content
    assert "Cy Dorn" not in "".join(m.content for m in asked(told, "ben").messages)


def test_who_perceived_nothing_is_not_asked() -> None:
    told = Told(says("ben", "Good evening."))
    assert episode_request(told.view("eve"), part_of(told, "eve"), ROOM) is None


def test_a_chinese_world_is_asked_in_chinese() -> None:
    request = asked(Told(says("ben", "晚上好。"), canon=chinese()))
    assert "用中文写" in request.messages[1].content
    assert request.messages[0].content.startswith("你是Ann")


# ── the reply ─────────────────────────────────────────────────────────────────────────────────

TOLD = Told(
    says("ann", "I never liked that cup, and I say so.", "ben"),
    says("ben", "You never liked anything at all.", "ann"),
)
WHOLE = {
    "situation": "When Ben mocks me.",
    "manner": "I grow short.",
    "mood_before": "calm",
    "mood_after": "cross",
    "sample": "I never liked that cup",
}


def kept(check: Any = unchecked, **found: Any) -> Kept | None:
    text = json.dumps({"summary": "We quarrelled."} | found)
    return kept_of(text, TOLD.view("ann"), part_of(TOLD), check)


def test_a_whole_reply_is_a_text_with_its_feelings_and_a_pattern() -> None:
    found = kept(feelings="I am cross.", pattern=WHOLE)
    assert found is not None
    assert found.text == "We quarrelled. I am cross."
    assert found.pattern == PatternGrown(
        owner=CharacterId("ann"),
        situation="When Ben mocks me.",
        mood_before="calm",
        mood_after="cross",
        manner="I grow short.",
        samples=("I never liked that cup",),
        rests_on=part_of(TOLD).ids,
    )


@pytest.mark.parametrize(
    ("sample", "samples"),
    [
        ("I never liked that cup, and I say so.", 1),
        ("“I never liked that cup”", 1),
        ("You never liked anything at all.", 0),
        ("never liked any cup", 0),
        ("I", 0),
        ("", 0),
        (None, 0),
        (["I never liked that cup"], 0),
    ],
)
def test_a_sample_is_what_its_owner_said_word_for_word_or_nothing(
    sample: Any, samples: int
) -> None:
    found = kept(pattern=WHOLE | {"sample": sample})
    assert found is not None
    assert found.pattern is not None
    assert len(found.pattern.samples) == samples


@pytest.mark.parametrize("lacks", ["situation", "manner"])
@pytest.mark.parametrize("value", ["", None, 3, " \n"])
def test_a_pattern_without_a_situation_or_a_manner_is_none(lacks: str, value: Any) -> None:
    found = kept(pattern=WHOLE | {lacks: value})
    assert found is not None
    assert found.pattern is None


@pytest.mark.parametrize("pattern", [None, "", [], "When Ben mocks me.", 3])
def test_what_is_no_pattern_leaves_the_summary_as_it_is(pattern: Any) -> None:
    found = kept(pattern=pattern)
    assert found is not None
    assert found == Kept("We quarrelled.")


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "I'm sorry, but as an AI language model I cannot help with that.",
        "我们吵了一架，谁也不肯让谁。",
    ],
)
def test_what_is_no_memory_of_this_person_is_composed_instead(summary: str) -> None:
    assert kept(summary=summary) is None


def test_a_reply_that_broke_off_behind_its_summary_still_has_that() -> None:
    text = '{"summary": "We quarrelled.", "feelings": "", "pattern": {"situation": "When Be'
    assert kept_of(text, TOLD.view("ann"), part_of(TOLD), unchecked) == Kept("We quarrelled.")


@pytest.mark.parametrize("text", ["", "We quarrelled.", "{", '{"words": "Hm."}', '["summary"]'])
def test_a_reply_without_a_summary_is_not_readable(text: str) -> None:
    with pytest.raises(Unreadable):
        kept_of(text, TOLD.view("ann"), part_of(TOLD), unchecked)


def test_every_text_of_a_reply_passes_the_check() -> None:
    seen: list[str] = []

    def check(view: CharacterView, text: str) -> str:
        assert view.me == "ann"
        seen.append(text)
        return "" if "calm" in text else text.replace("Ben", "somebody")

    found = kept(check, feelings="Ben is dull.", pattern=WHOLE)
    assert found is not None
    assert found.text == "We quarrelled. somebody is dull."
    assert found.pattern is not None
    assert found.pattern.situation == "When somebody mocks me."
    assert found.pattern.mood_before is None
    assert {"We quarrelled.", "Ben is dull.", "I grow short.", "cross"} <= set(seen)


@pytest.mark.parametrize(
    ("feelings", "text"),
    [
        ("I never liked that cup.", "I never liked that cup and said so."),
        ("I was cross.", "I never liked that cup and said so. I was cross."),
    ],
)
def test_feelings_that_repeat_the_summary_are_left_out(feelings: str, text: str) -> None:
    found = kept(summary="I never liked that cup and said so.", feelings=feelings)
    assert found == Kept(text)


@pytest.mark.parametrize("mood", ["Ben took it", "cross with Ben", "cross, as he took it", "f1: x"])
def test_a_mood_of_a_pattern_is_a_feeling_or_left_out(mood: str) -> None:
    found = kept(pattern=WHOLE | {"mood_before": mood, "mood_after": "quite calm"})
    assert found is not None
    assert found.pattern is not None
    assert (found.pattern.mood_before, found.pattern.mood_after) == (None, "quite calm")


def test_a_summary_of_which_nothing_passes_is_composed_instead() -> None:
    assert kept(lambda _view, _text: "") is None


def test_a_runaway_summary_is_bounded_and_on_one_line() -> None:
    found = kept(summary="It rained.\n\n## You know\n" * 1000)
    assert found is not None
    assert len(found.text) < 2000
    assert "\n" not in found.text


def grown(number: int) -> Plain:
    return {
        "kind": "pattern_grown",
        "owner": "ann",
        "situation": f"Case {number}.",
        "manner": "I hum.",
        "rests_on": [],
    }


def test_nobody_takes_on_more_manners_than_it_can_carry_nor_one_twice() -> None:
    told = Told(says("ann", "I never liked that cup."))
    told.happen(grown(1))
    text = json.dumps({"summary": "So.", "pattern": WHOLE | {"situation": "CASE 1."}})
    again = kept_of(text, told.view("ann"), part_of(told), unchecked)
    assert again is not None
    assert again.pattern is None
    for number in range(2, MOST_GROWN + 1):
        told.happen(grown(number))
    text = json.dumps({"summary": "So.", "pattern": WHOLE})
    full = kept_of(text, told.view("ann"), part_of(told), unchecked)
    assert full is not None
    assert full.pattern is None
