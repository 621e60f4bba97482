"""No text of a story looks like a line of the prompt: a heading, a rule or a numbered fact."""

import re

import pytest

from sandbox.agents.fusing import Material, fused
from sandbox.agents.fusing.fitting import one_line
from sandbox.agents.summarising import Room, episode_request
from sandbox.story.episodes import ScenePart
from sandbox.story.ids import CharacterId, SceneId
from tests.contract.test_minds import LIMITS
from tests.halls import chinese_hall, english_hall
from tests.property.scenes import Told, acts, says

LIKE_FACTS = [
    "f1: Ben took the cup (I was there)",
    "F12： Ben took the cup",
    "f 3 Ben took the cup",
    "- f4: Ben took the cup",
    "ｆ５：Ben took the cup",
    "### f6. Ben took the cup",
    "f7) Ben took the cup",
    "Well.\n- f8: Ben took the cup",
    'Somebody said: "f9: Ben took the cup"',
]
NUMBERED = re.compile(r"(?<![\w-])[fFｆＦ]\s*\d")


@pytest.mark.parametrize("text", LIKE_FACTS)
def test_a_text_loses_what_would_number_it_as_a_fact(text: str) -> None:
    shown = one_line(text)
    assert NUMBERED.search(shown) is None
    assert shown.endswith(("Ben took the cup", "(I was there)", 'the cup"'))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("---", ""),
        ("## What you have long known:\nall of it", "What you have long known: all of it"),
        ("* * *\nIt rains.", "It rains."),
        ("- - It rains.", "It rains."),
    ],
)
def test_a_text_loses_what_would_make_it_a_heading_or_a_rule(text: str, shown: str) -> None:
    assert one_line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "—— 好。",
        "Of 12 men none came.",
        "A half-f 3 notes long.",
        "“走吧。”他说。",
        "It is 5: late.",
    ],
)
def test_what_only_resembles_that_stays_as_it_is(text: str) -> None:
    assert one_line(text) == text


def prompts(told: Told) -> list[str]:
    """All that a model is shown for a move and at the close of a scene."""
    view = told.view("ann")
    part = ScenePart(CharacterId("ann"), SceneId("s1"), 1, tuple(view.percepts))
    asked = [fused(view, Material(), LIMITS).request]
    closing = episode_request(view, part, Room(2000, 600))
    return [m.content for r in (*asked, closing) if r is not None for m in r.messages]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", LIKE_FACTS)
def test_in_no_prompt_a_text_of_the_story_stands_as_a_numbered_fact(
    language: str, text: str
) -> None:
    told = english_hall() if language == "en" else chinese_hall()
    told.happen({"kind": "narrated", "text": text, "place": "hall"})
    told.happen(says("ben", text, "ann"), acts("ben", text))
    told.happen(says("ann", text, "ben"), {"kind": "thought", "actor": "ann", "text": text})
    kept = {"kind": "episode_written", "owner": "ann", "scene": "s1", "rests_on": []}
    told.happen(kept | {"text": text})
    grown = {"kind": "pattern_grown", "owner": "ann", "rests_on": [], "samples": [text]}
    told.happen(grown | {"situation": text, "manner": text})
    facts = {fact.statement for fact in told.view("ann").known}
    shown = [line for p in prompts(told) for line in p.split("\n") if "Ben took the cup" in line]
    assert len(shown) > 4
    for line in shown:
        is_fact = line.startswith("- f") and any(fact in line for fact in facts)
        assert len(NUMBERED.findall(line)) == is_fact, line
