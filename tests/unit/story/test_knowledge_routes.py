"""All routes of knowledge: organisations, announcements, documents, confirmation, denial, inference."""

from typing import Any

from sandbox.story.ids import CharacterId, FactId
from sandbox.story.routes import Route
from tests.property.scenes import Told, acts, claim, says
from tests.unit.story.test_perception_senses import canon_with

ANN, BEN, CY, DEE = (CharacterId(who) for who in ("ann", "ben", "cy", "dee"))
LEAGUE = {"id": "league", "name": "the league", "members": ["ann", {"who": "cy"}]}


def fact(id_: str, **more: Any) -> dict[str, Any]:
    body = {"id": id_, "subject": "cup", "predicate": "state", "object": id_}
    return body | {"statement": f"The cup is {id_}."} | more


def world(*facts: dict[str, Any], **league: Any) -> Any:
    return canon_with(facts=list(facts), organisations=[LEAGUE | league], things=[
        {"id": "cup", "name": "the cup", "place": "hall"},
    ])  # fmt: skip


def knowers(told: Told, id_: str) -> list[str]:
    return [str(who) for who in told.world.knowers(FactId(id_))]


def joins(who: str, joined: bool = True) -> dict[str, Any]:
    return {"kind": "membership_changed", "actor": who, "organisation": "league", "joined": joined}


def test_what_was_shared_with_an_organisation_its_members_know_and_nobody_else() -> None:
    told = Told(canon=world(fact("old", shared=[{"organisation": "league"}])))
    assert knowers(told, "old") == ["ann", "cy"]
    [grant] = told.world.grants[CY][FactId("old")]
    assert grant.route is Route.ORGANISATION


def test_who_joins_later_learns_what_was_shared_only_where_newcomers_are_briefed() -> None:
    shared = fact("old", shared=[{"organisation": "league"}])
    told = Told(joins("ben"), canon=world(shared))
    assert knowers(told, "old") == ["ann", "cy"]
    briefed = Told(joins("ben"), canon=world(shared, briefs_newcomers=True))
    assert knowers(briefed, "old") == ["ann", "ben", "cy"]
    [grant] = briefed.world.grants[BEN][FactId("old")]
    assert (grant.route, grant.because.turn) == (Route.ORGANISATION, 1)


def test_an_announcement_reaches_the_members_of_its_time_wherever_they_are() -> None:
    told = Told(canon=world(fact("new"), briefs_newcomers=True))
    note = {"kind": "announced", "actor": None, "to": "league", "words": "Hear.", "facts": ["new"]}
    told.happen(joins("cy", joined=False))
    told.happen(note)
    assert knowers(told, "new") == ["ann"]
    told.happen(joins("dee"))
    assert knowers(told, "new") == ["ann", "dee"]


def test_an_announcement_to_all_is_common_knowledge_and_its_claims_keep_their_announcer() -> None:
    said = claim("cup", "state", "sold", "The cup is sold.")
    told = Told(canon=world())
    told.happen({"kind": "announced", "actor": "ann", "words": "The cup is sold.", "tells": [said]})
    for who in ("ben", "cy", "dee", "eve"):
        [known] = told.view(who).known.saying("cup", "state")  # type: ignore[arg-type]
        assert (known.route, known.source) == (Route.COMMON, "ann")
    assert not told.view("ann").known.saying("cup", "state")  # type: ignore[arg-type]


def test_a_document_grants_what_it_shows_to_who_reads_it() -> None:
    told = Told()
    told.happen(acts("ann", "turns the cup", examines="cup"))
    routes = {who: told.world.grants[who][FactId("theft")][-1].route for who in (ANN, BEN)}
    assert routes == {ANN: Route.EXPERIENCED, BEN: Route.OBSERVED}


def test_a_second_source_confirms_and_the_first_route_stays_shown() -> None:
    said = claim("cup", "state", "old", "The cup is old.")
    told = Told(canon=world(fact("old", observed=["ann", "ben"])))
    told.happen(says("ann", "The cup is old.", "ben", tells=[said]))
    told.happen({"kind": "thing_changed", "actor": "ann", "thing": "cup", "state": "old"})
    world_ = told.world
    held = world_.propositions[BEN][("cup", "state", "old")]  # type: ignore[index]
    assert len(held) == 3, "as observed, as told, as seen again"
    assert told.view("ben").known.saying("cup", "state")[0].route is Route.OBSERVED  # type: ignore[arg-type]
    told.happen(says("ann", "The cup is old.", "ben", tells=[said]))
    assert len(world_.grants[BEN][held[1]]) == 2, "told twice by the same words"


def test_a_denial_is_known_as_one_and_is_no_knowledge_of_what_it_denies() -> None:
    said = claim("cup", "state", "old", "The cup is not old.") | {"mode": "denied"}
    told = Told(canon=world(fact("old", observed=["ann"])))
    told.happen(says("ann", "The cup is not old.", "ben", tells=[said]))
    [known] = told.view("ben").known.saying("cup", "state")  # type: ignore[arg-type]
    assert known.is_denied
    assert known.statement == "The cup is not old."
    assert knowers(told, "old") == ["ann"]


def test_an_inference_is_the_guess_of_the_one_who_draws_it() -> None:
    said = claim("cup", "state", "old", "So it is old.") | {"mode": "supposed"}
    told = Told(canon=world(fact("old")))
    told.happen({"kind": "belief_inferred", "owner": "ann", "belief": said, "rests_on": []})
    [known] = told.view("ann").known.saying("cup", "state")  # type: ignore[arg-type]
    assert known.is_guess
    assert known.route is Route.EXPERIENCED
    assert knowers(told, "old") == []
    assert not told.view("ben").known.saying("cup", "state")  # type: ignore[arg-type]


def test_a_prepared_event_shows_what_it_reveals_to_those_who_perceive_it_in_full() -> None:
    prepared = [{"id": "crash", "text": "A crash.", "place": "hall", "reveals": ["old"]}]
    canon = canon_with(
        facts=[fact("old")],
        things=[{"id": "cup", "name": "the cup", "place": "hall"}],
        prepared=prepared,
    )
    told = Told(canon=canon)
    told.happen({"kind": "narrated", "text": "A crash.", "place": "hall", "prepared": "crash"})
    assert knowers(told, "old") == ["ann", "ben"]
    assert "crash" in told.world.fired


def test_who_hears_a_name_it_cannot_place_learns_of_the_name_alone() -> None:
    told = Told(canon=world())
    said = claim("cup", "held_by", "cy", "Cy Dorn has the cup.")
    told.happen(says("ann", "Cy Dorn has the cup.", "ben", tells=[said]))
    [known] = told.view("ben").known.saying("cup", "held_by")  # type: ignore[arg-type]
    assert known.object == "Cy Dorn", "Ben does not know that the visitor is Cy Dorn"
    looks = claim("cup", "held_by", "cy", "The visitor has the cup.")
    told.happen(says("ann", "The visitor has the cup.", "ben", tells=[looks]))
    assert told.view("ben").known.saying("cup", "held_by")[-1].object == "cy"  # type: ignore[arg-type]


def test_once_the_name_is_known_what_was_heard_of_it_is_known_of_the_person() -> None:
    told = Told(canon=world())
    said = claim("cup", "held_by", "cy", "Cy Dorn has the cup.")
    told.happen(says("ann", "Cy Dorn has the cup.", "ben", tells=[said]))
    named = claim("cy", "is_named", "Cy Dorn", "The visitor is called Cy Dorn.")
    told.happen(says("ann", "The visitor is called Cy Dorn.", "ben", tells=[named]))
    objects = [f.object for f in told.view("ben").known.saying("cup", "held_by")]  # type: ignore[arg-type]
    assert objects == ["Cy Dorn", "cy"]
    assert told.view("ben").known.saying("cup", "held_by")[-1].source == "ann"  # type: ignore[arg-type]
