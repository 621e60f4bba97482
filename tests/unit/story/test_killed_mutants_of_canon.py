"""What no other test would have missed of what the canon taught whom (docs/mutation.md)."""

from typing import Any

import pytest

from sandbox.story.beliefs import Standing, believed, entries
from sandbox.story.evidence import Kind
from sandbox.story.ids import CharacterId
from sandbox.story.routes import Route
from tests.property.scenes import Told
from tests.property.strategies import small_canon
from tests.unit.story.test_killed_mutants import ANN, BEN, CUP, CY, EVE, STATE, knows
from tests.unit.story.test_killed_mutants_of_grants import fact, joins, learned
from tests.unit.story.test_perception_senses import canon_with

SUPPER: Any = small_canon().scenes[0].model_dump(mode="json", by_alias=True)
SCENES = [SUPPER | {"id": id_, "title": id_} for id_ in ("dawn", "noon", "dusk")]


def at(start: str, *facts: dict[str, Any], person: Any = None, **league: Any) -> Told:
    """A story that starts after dawn, noon or dusk, with a league."""
    group: dict[str, Any] = {"id": "league", "name": "the league", "members": ["ann"]}
    canon = canon_with(
        person, facts=list(facts), things=[CUP], scenes=SCENES, organisations=[group | league]
    )
    return Told(canon=canon, start=start)


def shared(*scenes: str | None) -> dict[str, Any]:
    return fact("broken", shared=[{"organisation": "league", "scene": scene} for scene in scenes])


def knowers(told: Told) -> dict[CharacterId, list[tuple[Route, str | None]]]:
    """Who knows that the cup is broken, by which routes, and since which scene of the canon."""
    held = {who: learned(told, who, "broken") for who in told.world.grants}
    return {
        who: [(grant.route, grant.because.scene) for grant in grants]
        for who, grants in held.items()
        if grants
    }


def test_who_was_in_a_scene_knows_that_the_others_took_it_in_and_of_before_it_does_not() -> None:
    together = at("noon", fact("broken", scene="dawn", experienced=["ann"], observed=["ben"]))
    assert knowers(together) == {
        ANN: [(Route.EXPERIENCED, "dawn")],
        BEN: [(Route.OBSERVED, "dawn")],
    }
    assert knows(together, ANN, BEN)
    apart = at("noon", fact("broken", experienced=["ann"], observed=["ben"]))
    assert knowers(apart) == {ANN: [(Route.EXPERIENCED, None)], BEN: [(Route.OBSERVED, None)]}
    assert not knows(apart, ANN, BEN)
    assert {e.kind for e in apart.world.evidence["cup", STATE]} == {Kind.SEEN}


@pytest.mark.parametrize(
    "how",
    [
        {"common": True},
        {"experienced": ["eve", "ann"]},
        {"scene": "dawn", "observed": ["eve", "ann"]},
        {"told": [{"to": "eve", "by": "ben", "scene": "dawn"}, {"to": "ann", "by": "ben", "scene": "dawn"}]},
        {"shared": [{"organisation": "league"}]},
    ],
)  # fmt: skip
def test_who_has_left_the_story_is_given_nothing_and_the_others_their_own(how: Any) -> None:
    told = at("dusk", fact("broken", **how), person={"eve": {"until": "noon"}},
              members=["eve", "ann"])  # fmt: skip
    assert EVE not in told.world.grants
    assert knows(told, ANN)


def test_what_nobody_of_a_scene_is_left_to_know_is_known_to_nobody() -> None:
    told = at("dusk", fact("broken", scene="dawn", observed=["eve"]),
              person={"eve": {"until": "noon"}})  # fmt: skip
    assert knowers(told) == {}


def test_what_is_shared_later_than_the_start_is_not_known_and_what_was_shared_before_is() -> None:
    assert knowers(at("dawn", shared("noon"))) == {}
    assert knowers(at("noon", shared("noon"))) == {ANN: [(Route.ORGANISATION, "noon")]}
    assert knowers(at("noon", shared("dusk", "dawn"))) == {ANN: [(Route.ORGANISATION, "dawn")]}


def test_what_was_shared_with_a_group_from_the_beginning_is_as_old_as_the_group() -> None:
    assert knowers(at("dawn", shared(None))) == {ANN: [(Route.ORGANISATION, None)]}
    assert knowers(at("noon", shared(None), **{"from": "noon"})) == {
        ANN: [(Route.ORGANISATION, "noon")]
    }
    assert knowers(at("dawn", shared(None), **{"from": "noon"})) == {}


def test_who_joined_before_the_start_and_after_the_sharing_knows_only_where_it_was_briefed() -> (
    None
):
    members = ["ann", {"who": "cy", "from": "noon"}, {"who": "ben", "until": "noon"}]
    told = at("dusk", shared("dawn"), members=members)
    assert set(knowers(told)) == {ANN, BEN}
    briefed = at("dusk", shared("dawn"), members=members, briefs_newcomers=True)
    assert set(knowers(briefed)) == {ANN, BEN, CY}
    assert {e.kind for e in briefed.world.evidence["cup", STATE]} == {Kind.SEEN}


def test_who_joins_in_play_is_briefed_on_what_the_canon_shared() -> None:
    told = at("dusk", shared("dawn"), briefs_newcomers=True)
    told.happen(joins("ben"))
    [grant] = learned(told, BEN, "broken")
    assert (grant.route, grant.teller, grant.said) == (Route.ORGANISATION, None, None)


def test_what_was_told_in_the_canon_is_known_from_its_teller_once_its_scene_is_over() -> None:
    tellings = [
        {"to": "cy", "by": "ben", "scene": "dusk"},
        {"to": "ben", "by": "ann", "scene": "noon"},
    ]
    told = at("noon", fact("broken", told=tellings))
    assert knowers(told) == {BEN: [(Route.TOLD, "noon")]}
    later = at("dusk", fact("broken", told=tellings))
    assert knowers(later) == {BEN: [(Route.TOLD, "noon")], CY: [(Route.TOLD, "dusk")]}
    found = [e.teller for e in later.world.evidence["cup", STATE]]
    assert found == ["ann", "ben"], "in order of the canon, not of writing"


def test_what_somebody_not_trusted_told_in_the_canon_is_doubted() -> None:
    told = at(
        "noon",
        fact("broken", told=[{"to": "ben", "by": "ann", "scene": "dawn"}]),
        person={"ben": {"trust": {"ann": 0.1}}},
    )
    assert believed(told.world, [BEN], "cup", STATE) is None
    assert [e.standing for e in entries(told.world, [BEN], "cup", STATE)] == [Standing.DOUBTED]
