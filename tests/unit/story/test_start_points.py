"""A save starts after any canon scene, and holds nothing later than it."""

from typing import Any

import pytest

from sandbox.story.canon import Canon
from tests.property.scenes import Told
from tests.property.strategies import small_canon

SCENES = ("dawn", "noon", "dusk")


def over_time(**over: Any) -> Canon:
    roster = {"active": ["ann", "ben"]}
    scenes = [
        {
            "id": scene,
            "title": scene,
            "place": "hall",
            "clock": f"{n + 6}:00",
            "roster": roster,
            "episodes": {"ann": f"I saw {scene}."},
            "positions": {"cy": place},
        }
        for n, (scene, place) in enumerate(zip(SCENES, ("yard", "attic", "hall"), strict=True))
    ]
    spans = [
        {"text": "early", "until": "noon"},
        {"text": "middle", "from": "noon", "until": "dusk"},
        {"text": "late", "from": "dusk"},
    ]
    ann = {
        "id": "ann",
        "name": "Ann",
        "home": "hall",
        "goals": spans,
        "mood": spans,
        "public": spans,
        "wants": [{"question": "Who?", "subject": "ben", "predicate": "took", "from": "noon"}],
        "keeps": [{"fact": "secret", "because": "shame"}],
    }
    people = [ann, *(c.model_dump(by_alias=True) for c in small_canon().characters[1:])]
    secret = {
        "id": "secret",
        "subject": "ann",
        "predicate": "took",
        "object": "it",
        "statement": "Ann took it.",
        "scene": "noon",
        "experienced": ["ann"],
        "told": [{"to": "ben", "by": "ann", "scene": "dusk"}],
    }
    brief = secret | {"id": "brief", "statement": "It was day.", "until": "dusk", "told": []}
    pattern = {
        "id": "p",
        "owner": "ann",
        "situation": "S.",
        "occasions": ["asking"],
        "manner": "M.",
        "samples": spans,
        "from": "noon",
    }
    parts: dict[str, Any] = {"characters": people, "facts": [secret, brief], "patterns": [pattern]}
    return small_canon(scenes=scenes, things=[], **(parts | over))


@pytest.mark.parametrize(("start", "text"), zip(SCENES, ("early", "middle", "late"), strict=True))
def test_of_a_text_in_time_the_one_that_holds_is_shown(start: str, text: str) -> None:
    view = Told(canon=over_time(), start=start).view("ann")
    assert (view.goals, view.mood, view.looks) == ((text,), text, (text,))


def test_a_fact_is_known_from_its_scene_on_and_until_it_ends() -> None:
    known = {
        start: {str(f.handle) for f in Told(canon=over_time(), start=start).view("ann").known}
        for start in SCENES
    }
    assert known == {"dawn": set(), "noon": {"secret", "brief"}, "dusk": {"secret"}}


def test_what_was_told_in_a_later_scene_is_not_known_before_it() -> None:
    told = {s: len(Told(canon=over_time(), start=s).view("ben").known) for s in SCENES}
    assert told == {"dawn": 0, "noon": 0, "dusk": 1}


def test_a_motive_to_hide_what_one_does_not_know_yet_is_not_there() -> None:
    assert Told(canon=over_time(), start="dawn").view("ann").keeps == []
    assert len(Told(canon=over_time(), start="noon").view("ann").keeps) == 1


def test_wants_and_patterns_and_their_sample_lines_begin_in_their_scene() -> None:
    dawn = Told(canon=over_time(), start="dawn").view("ann")
    noon = Told(canon=over_time(), start="noon").view("ann")
    assert (dawn.wants, list(dawn.patterns)) == ([], [])
    assert len(noon.wants) == 1
    assert [noon.samples(p) for p in noon.patterns.values()] == [("middle",)]


def test_episodes_and_positions_are_those_up_to_the_start_point() -> None:
    noon = Told(canon=over_time(), start="noon")
    assert [e.text for e in noon.view("ann").episodes] == ["I saw dawn.", "I saw noon."]
    assert noon.view("cy").place == "attic"
    assert noon.world.clock == 7 * 60


def test_who_comes_later_is_on_no_stage_before_it() -> None:
    people = [
        c.model_dump(by_alias=True) | ({"from": "dusk"} if c.id == "eve" else {})
        for c in over_time().characters
    ]
    early = Told(canon=over_time(characters=people), start="noon").world
    late = Told(canon=over_time(characters=people), start="dusk").world
    assert ("eve" in early.stage.place_of, "eve" in late.stage.place_of) == (False, True)
