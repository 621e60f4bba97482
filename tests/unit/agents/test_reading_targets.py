"""Whom, what and where a model may mean: by names its character knows of what it sees here, and by nothing else."""

import json
from functools import cache
from typing import Any

import pytest

from sandbox.agents.minds import Move
from sandbox.agents.reading import Unreadable, move_of
from sandbox.evals.guarding import Worlds
from sandbox.storage.places import worlds_folder
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from tests.halls import chinese_hall, english_hall
from tests.property.scenes import Told

WORLDS = Worlds(worlds_folder())


@cache
def hall(language: str) -> Told:
    """Ann, Ben, and Cy, whose name Ben does not know."""
    return english_hall() if language == "en" else chinese_hall()


def read(view: CharacterView, **parts: Any) -> Move:
    base = {"words": "好。" if view.language == "zh" else "Well.", "whisper": False}
    return move_of(json.dumps(base | parts, ensure_ascii=False), view, ())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stranger_is_not_meant_by_id_nor_by_a_name_that_the_speaker_does_not_know(
    language: str,
) -> None:
    view = hall(language).view("ben")
    stranger = hall(language).world.canon.cast[CharacterId("cy")]
    seen = next(person for person in view.people if person.id == "cy")
    for name in ("cy", stranger.name, *stranger.aliases, f"{stranger.name} (cy)", "character:cy"):
        assert read(view, to=[name]).to == ()
    assert read(view, to=[seen.called]).to == ("cy",)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_whisper_to_a_name_that_it_does_not_know_is_never_aloud_nor_to_that_one(
    language: str,
) -> None:
    """Three are here, so that nobody is the only one."""
    view = hall(language).view("ben")
    for name in ("cy", hall(language).world.canon.cast[CharacterId("cy")].name):
        with pytest.raises(Unreadable):
            read(view, to=[name], whisper=True)


@pytest.mark.parametrize("name", ["lantern_inn", "jiangcun_duchuan"])
def test_whatever_id_or_name_of_the_world_is_given_only_what_is_seen_here_is_meant(
    name: str,
) -> None:
    canon = WORLDS[name].canon
    for who in WORLDS[name].grants:
        view = CharacterView(WORLDS[name], who)
        people = {person.id for person in view.people}
        things = {thing.id for thing in view.things}
        exits = {way.place for way in view.exits}
        for id_, names in canon.names.items():
            for called in (id_, *names):
                move = read(view, to=[called], examine=called, go=called)
                assert set(move.to) <= people
                assert {move.examines} - {None} <= things
                assert {move.go} - {None} <= exits


@pytest.mark.parametrize("name", ["lantern_inn", "jiangcun_duchuan"])
def test_an_id_is_no_name_even_of_who_stands_beside_one(name: str) -> None:
    canon = WORLDS[name].canon
    called = {n.casefold().removeprefix("the ") for names in canon.names.values() for n in names}
    for who in WORLDS[name].grants:
        view = CharacterView(WORLDS[name], who)
        here = [*(p.id for p in view.people), *(t.id for t in view.things)]
        for id_ in (one for one in here if one not in called):
            move = read(view, to=[id_], examine=id_)
            assert (move.to, move.examines) == ((), None)


@pytest.mark.parametrize("name", ["lantern_inn", "jiangcun_duchuan"])
def test_a_way_that_leads_nowhere_it_sees_gets_the_same_answer_whether_the_place_exists_or_not(
    name: str,
) -> None:
    """Else a model could find out by asking which places there are."""
    canon = WORLDS[name].canon
    for who in WORLDS[name].grants:
        view = CharacterView(WORLDS[name], who)
        exits = {way.place for way in view.exits}
        answers = set()
        for place in ("Zorblax", *(p.name for p in canon.places if p.id not in exits)):
            with pytest.raises(Unreadable) as caught:
                read(view, words="", go=place)
            answers.add(caught.value.told(view.language))
        assert len(answers) == 1
