"""What no other test would have missed of who is granted what (docs/mutation.md)."""

from typing import Any

from sandbox.story.beliefs import believed
from sandbox.story.evidence import Kind
from sandbox.story.ids import CharacterId, FactId, PredicateId
from sandbox.story.routes import Route
from tests.property.scenes import FULL, Told, acts, claim, turns
from tests.property.strategies import small_canon
from tests.unit.story.test_killed_mutants import (
    ANN,
    BEN,
    CUP,
    CY,
    ENTITIES,
    EVE,
    HELD,
    STATE,
    knows,
    state,
)
from tests.unit.story.test_perception_senses import canon_with, details

LEAGUE = {"id": "league", "name": "the league", "members": ["ann", "cy"], "briefs_newcomers": True}


def league(*facts: dict[str, Any], person: Any = None, **more: Any) -> Any:
    return canon_with(
        person, facts=list(facts), things=[CUP], organisations=[LEAGUE | more], entities=ENTITIES
    )


def fact(id_: str, **more: Any) -> dict[str, Any]:
    body = {"id": id_, "subject": "cup", "predicate": "state", "object": id_}
    return body | {"statement": f"The cup is {id_}."} | more


def joins(who: str) -> dict[str, Any]:
    return {"kind": "membership_changed", "actor": who, "organisation": "league", "joined": True}


def announces(actor: str | None, *tells: dict[str, Any], **more: Any) -> dict[str, Any]:
    words = " ".join(one["said"] for one in tells) or "Hear."
    return {"kind": "announced", "actor": actor, "words": words, "tells": list(tells)} | more


def learned(told: Told, who: CharacterId, word: str) -> list[Any]:
    """The grants of somebody for the cup being so."""
    held = told.world.propositions[who].get(("cup", STATE, word), [])
    return [grant for id_ in held for grant in told.world.grants[who][id_]]


# ── announcements and organisations ───────────────────────────────────────────────────────────


def test_what_is_claimed_before_an_organisation_its_members_know_through_it() -> None:
    told = Told(canon=league())
    told.happen(announces("ann", state("sold"), to="league"))
    [grant] = learned(told, CY, "sold")
    assert (grant.route, grant.teller, grant.said) == (
        Route.ORGANISATION,
        "ann",
        "The cup is sold.",
    )
    assert not learned(told, BEN, "sold")


def test_a_newcomer_learns_what_was_claimed_from_whom_by_what_words() -> None:
    told = Told(canon=league())
    told.happen(announces("ann", state("sold"), to="league"))
    told.happen(joins("ben"))
    [grant] = learned(told, BEN, "sold")
    assert (grant.route, grant.teller, grant.said) == (
        Route.ORGANISATION,
        "ann",
        "The cup is sold.",
    )
    assert grant.because.turn == 2, "by joining"
    doubting = Told(canon=league(person={"ben": {"trust": {"ann": 0.1}}}))
    doubting.happen(announces("ann", state("sold"), to="league"))
    doubting.happen(joins("ben"))
    assert believed(doubting.world, [BEN], "cup", STATE) is None, "it is a word like any other"


def test_what_was_shared_with_an_organisation_as_a_fact_is_no_mere_word_to_a_newcomer() -> None:
    told = Told(canon=league(fact("new"), person={"ben": {"trust": {"ann": 0.1}}}))
    told.happen(announces("ann", to="league", facts=["new"]))
    told.happen(joins("ben"))
    [grant] = learned(told, BEN, "new")
    assert (grant.route, grant.teller, grant.said) == (Route.ORGANISATION, None, None)
    assert grant.because.turn == 2
    assert believed(told.world, [BEN], "cup", STATE) == "new"
    assert [e.kind for e in told.world.evidence["cup", STATE]] == [Kind.SEEN, Kind.SEEN]


def test_who_joins_an_organisation_that_was_told_nothing_learns_nothing() -> None:
    told = Told(joins("ben"), canon=league())
    assert told.knows("ben") == []


def test_who_comes_back_is_not_told_what_it_said_itself_and_yet_all_the_rest() -> None:
    told = Told(canon=league())
    told.happen(announces("ann", state("sold"), to="league"))
    told.happen({"kind": "membership_changed", "actor": "ann", "organisation": "league", "joined": False})  # fmt: skip
    told.happen(announces("cy", state("found"), to="league"))
    told.happen(joins("ann"))
    assert not learned(told, ANN, "sold")
    assert len(learned(told, ANN, "found")) == 1


def test_an_announced_fact_is_learned_by_its_members_from_that_event_through_it() -> None:
    told = Told(canon=league(fact("new")))
    told.happen(announces(None, to="league", facts=["new"]))
    [grant] = learned(told, CY, "new")
    assert (grant.route, grant.because.turn) == (Route.ORGANISATION, 1)
    to_all = Told(canon=league(fact("new")))
    to_all.happen(announces(None, facts=["new"]))
    assert {who: learned(to_all, who, "new")[0].route for who in (ANN, EVE)} == {
        ANN: Route.COMMON,
        EVE: Route.COMMON,
    }


def test_who_does_not_attend_to_an_announcement_is_thought_to_know_what_it_said() -> None:
    told = Told(turns("cy", "distracted"), canon=league(fact("new")))
    told.happen(announces(None, to="league", facts=["new"]))
    assert not knows(told, CY, word="new")
    assert knows(told, ANN, CY, word="new")


def test_an_announcement_makes_its_hearers_know_of_one_another_wherever_they_are() -> None:
    told = Told(canon=league())
    called = told.happen(announces("eve", state("broken"), to="league"))
    assert details(called) == {"ann": FULL, "cy": FULL, "eve": FULL}
    assert called.unnoticed == ()
    assert knows(told, ANN, CY)
    assert knows(told, CY, EVE)


def test_an_announcement_to_an_organisation_that_is_not_yet_reaches_who_makes_it_alone() -> None:
    scene = small_canon().scenes[0].model_dump(mode="json", by_alias=True)
    later = [LEAGUE | {"from": "later", "members": ["cy"]}]
    scenes = [scene, scene | {"id": "later", "title": "Later"}]
    told = Told(canon=canon_with(organisations=later, scenes=scenes))
    assert details(told.happen(announces("ann", state("sold"), to="league"))) == {"ann": FULL}
    assert details(told.happen(joins("eve"))) == {"eve": FULL}, "the first to join"


def test_who_joins_is_seen_to_by_those_beside_it_and_by_the_members_wherever_they_are() -> None:
    told = Told(canon=league(members=["cy", "dee"]))
    assert details(told.happen(joins("ben"))) == dict.fromkeys(("ann", "ben", "cy", "dee"), FULL)
    nobodys = Told(canon=league(members=[]))
    assert details(nobodys.happen(joins("ben"))) == {"ann": FULL, "ben": FULL}


def test_an_announcement_from_hiding_leaves_nobody_out_of_it() -> None:
    told = Told(turns("ben", "hid"), canon=league())
    called = told.happen(announces("ben", state("broken")))
    assert called.unnoticed == ()


def test_who_hears_in_an_announcement_a_name_it_cannot_place_learns_of_the_name_alone() -> None:
    told = Told(canon=league())
    has = claim("cup", "held_by", "cy", "He has the cup.")
    told.happen(announces("ann", has) | {"words": "Cy Dorn was here. He has the cup."})
    assert [f.object for f in told.view("ben").known.saying("cup", HELD)] == ["Cy Dorn"]


# ── deeds ─────────────────────────────────────────────────────────────────────────────────────


def test_who_does_something_together_with_another_has_experienced_it_too() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(acts("ann", "turns the cup", examines="cup", alongside=["cy"]))
    routes = {who: told.world.grants[who][FactId("theft")][-1].route for who in (ANN, BEN, CY)}
    assert routes == {ANN: Route.EXPERIENCED, BEN: Route.OBSERVED, CY: Route.EXPERIENCED}


def test_who_looks_at_what_it_holds_shows_that_it_holds_it() -> None:
    told = Told(canon=canon_with(things=[CUP | {"place": None, "holder": "ann"}], facts=[]))
    told.happen(acts("ann", "turns the cup", examines="cup"))
    assert believed(told.world, [BEN], "cup", HELD) == "ann"


def test_what_the_reader_alone_sees_it_has_seen_and_not_been_told() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(acts("cy", "reads", examines="book"))
    debt = told.world.facts[FactId("debt")]
    assert [e.kind for e in told.world.evidence[debt.subject, debt.predicate]] == [Kind.SEEN]


def test_who_sees_somebody_die_and_rise_knows_it_and_of_sleep_nothing_is_learned() -> None:
    alive = PredicateId("alive")
    told = Told(turns("ann", "fell_asleep"), turns("ann", "woke"))
    assert believed(told.world, [BEN], "ann", alive) is None
    told.happen(turns("ann", "died"))
    assert believed(told.world, [BEN], "ann", alive) == "dead"
    assert told.knows("cy") == []
    told.happen(turns("ann", "rose"))
    assert believed(told.world, [BEN], "ann", alive) == "alive"


def test_what_is_granted_is_known_to_those_named_by_the_route_named() -> None:
    told = Told(canon=league(fact("new")))
    granted = {"kind": "fact_granted", "fact": "new", "to": ["ben", "ann"], "route": "common"}
    told.happen(granted)
    assert [g.route for who in (ANN, BEN) for g in learned(told, who, "new")] == [Route.COMMON] * 2
    assert not learned(told, CY, "new")
    assert learned(told, BEN, "new")[0].because.turn == 1
    assert [e.kind for e in told.world.evidence["cup", STATE]] == [Kind.SEEN]


def test_what_a_prepared_event_shows_is_known_since_it_happened() -> None:
    crash = {"id": "crash", "text": "A crash.", "place": "hall", "reveals": ["new"]}
    told = Told(canon=canon_with(facts=[fact("new")], things=[CUP], prepared=[crash]))
    told.happen({"kind": "narrated", "text": "A crash.", "place": "hall", "prepared": "crash"})
    assert learned(told, BEN, "new")[0].because.turn == 1


def test_what_is_seen_is_known_since_it_was_and_what_is_concluded_was_seen_by_nobody() -> None:
    seen = {"kind": "fact_seen", "actor": "ann", "place": "hall", "fact": state("old")}
    so = state("dear", said="So it is dear.", mode="supposed")
    told = Told(seen, {"kind": "belief_inferred", "owner": "ann", "belief": so, "rests_on": []})
    assert learned(told, BEN, "old")[0].because.turn == 1
    assert learned(told, ANN, "dear")[0].because.turn == 2
    kinds = [e.kind for e in told.world.evidence["cup", STATE]]
    assert kinds == [Kind.SEEN, Kind.INFERRED]
