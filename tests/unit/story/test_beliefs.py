"""Beliefs by best standing, and what one thinks that another believes or knows."""

from typing import Any

import pytest

from sandbox.story.beliefs import (
    Standing,
    believed,
    entries,
    place_believed,
    thinks_knows,
    whereabouts,
)
from sandbox.story.ids import CharacterId, PredicateId
from tests.property.scenes import Told, acts, claim, says, turns, whispers
from tests.property.strategies import small_canon
from tests.unit.story.test_perception_senses import canon_with

STATE, AT = PredicateId("state"), PredicateId("located_in")
ANN, BEN, CY, DEE = (CharacterId(who) for who in ("ann", "ben", "cy", "dee"))


def tells(actor: str, state: str, *to: str, mode: str = "claimed", kind: str = "say") -> Any:
    words = f"The cup is {state}."
    said = claim("cup", "state", state, words) | {"mode": mode}
    line = says if kind == "say" else whispers
    return line(actor, words, *to, tells=[said])


def turned(state: str, actor: str | None = "ann") -> dict[str, Any]:
    return {"kind": "thing_changed", "actor": actor, "thing": "cup", "state": state}


def test_own_perception_is_believed_and_a_later_one_replaces_it() -> None:
    told = Told(turned("full"), turned("empty"))
    assert believed(told.world, [BEN], "cup", STATE) == "empty"
    standings = [e.standing for e in entries(told.world, [BEN], "cup", STATE)]
    assert standings == [Standing.NOTED, Standing.BELIEVED]


def test_who_left_goes_on_believing_what_it_saw() -> None:
    told = Told(turned("full"))
    told.walk("ben", "attic")
    told.happen(turned("empty"))
    assert believed(told.world, [BEN], "cup", STATE) == "full"
    assert believed(told.world, [ANN], "cup", STATE) == "empty"
    assert believed(told.world, [ANN, BEN], "cup", STATE) == "full"
    assert believed(told.world, [BEN, ANN], "cup", STATE) == "full"


def test_a_trusted_word_about_what_changes_replaces_what_one_saw_earlier() -> None:
    told = Told(turned("full"), tells("ann", "broken", "ben"))
    assert believed(told.world, [BEN], "cup", STATE) == "broken"
    assert believed(told.world, [ANN], "cup", STATE) == "full", "telling changes no own belief"
    assert believed(told.world, [ANN, BEN], "cup", STATE) == "broken"
    assert believed(told.world, [BEN, ANN], "cup", STATE) == "broken"


def test_the_word_of_somebody_not_trusted_is_doubted_and_kept() -> None:
    told = Told(
        turned("full"),
        tells("ann", "broken", "ben"),
        canon=canon_with({"ben": {"trust": {"ann": 0.4}}}),
    )
    assert believed(told.world, [BEN], "cup", STATE) == "full"
    doubted = entries(told.world, [BEN], "cup", STATE)[-1]
    assert (doubted.object, doubted.standing) == ("broken", Standing.DOUBTED)
    assert believed(told.world, [ANN, BEN], "cup", STATE) == "broken", "trust is private"
    assert believed(told.world, [BEN, ANN], "cup", STATE) == "full", "Ben takes it for a lie"


def test_against_own_eyes_a_word_counts_only_where_things_change() -> None:
    fixed = {"id": "made_of", "functional": True, "wordings": ["{s} is made of {o}."]}
    predicates: dict[Any, Any] = {**small_canon().predicates, "made_of": fixed}
    seen = claim("cup", "made_of", "tin", "It is tin.")
    heard = claim("cup", "made_of", "gold", "It is gold.")
    told = Told(
        {"kind": "fact_seen", "actor": "ann", "place": "hall", "fact": seen},
        says("ann", "It is gold.", "ben", tells=[heard]),
        canon=canon_with(predicates=predicates),
    )
    assert believed(told.world, [BEN], "cup", PredicateId("made_of")) == "tin"


def test_a_guess_is_noted_and_believed_by_nobody() -> None:
    told = Told(tells("ann", "broken", "ben", mode="supposed"))
    assert believed(told.world, [BEN], "cup", STATE) is None
    assert not thinks_knows(told.world, [BEN], "cup", STATE, "broken")


def test_a_denial_leaves_no_belief_in_what_was_only_told() -> None:
    told = Told(tells("ann", "broken", "ben"), tells("ann", "broken", "ben", mode="denied"))
    assert believed(told.world, [BEN], "cup", STATE) is None


def test_two_stories_side_by_side_both_stay_with_their_tellers() -> None:
    told = Told(tells("ann", "broken", "ben"))
    told.walk("cy", "hall")
    told.happen(tells("cy", "whole", "ben"))
    found = entries(told.world, [BEN], "cup", STATE)
    assert [(e.object, e.evidence.teller) for e in found] == [("broken", "ann"), ("whole", "cy")]
    assert believed(told.world, [BEN], "cup", STATE) == "whole"


def test_an_inverse_counts_as_the_same() -> None:
    taken = {"id": "taken_by", "functional": True, "inverse": "took", "wordings": ["{s}: {o}"]}
    took = {"id": "took", "inverse": "taken_by", "wordings": ["{s} took {o}."]}
    predicates: dict[Any, Any] = {**small_canon().predicates, "taken_by": taken, "took": took}
    said = claim("cy", "took", "cup", "Cy took the cup.")
    told = Told(
        says("ann", "Cy took the cup.", "ben", tells=[said]),
        canon=canon_with(predicates=predicates),
    )
    assert believed(told.world, [BEN], "cup", PredicateId("taken_by")) == "cy"


def test_a_whisper_makes_two_know_that_the_other_knows_and_a_third_know_of_nothing() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(tells("ann", "broken", "ben", kind="whisper"))
    world = told.world
    assert thinks_knows(world, [ANN, BEN], "cup", STATE, "broken")
    assert thinks_knows(world, [BEN, ANN], "cup", STATE, "broken")
    assert thinks_knows(world, [BEN, ANN, BEN], "cup", STATE, "broken")
    assert not thinks_knows(world, [CY, BEN], "cup", STATE, "broken")
    assert not thinks_knows(world, [BEN, CY], "cup", STATE, "broken")


def test_a_spy_knows_and_nobody_thinks_that_it_does() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"}, tells("ann", "broken", "ben"))
    eve = CharacterId("eve")
    assert thinks_knows(told.world, [eve, BEN], "cup", STATE, "broken")
    assert not thinks_knows(told.world, [ANN, eve], "cup", STATE, "broken")
    assert not thinks_knows(told.world, [eve, ANN, eve], "cup", STATE, "broken")


@pytest.mark.parametrize("how", ["distracted", "deaf"])
def test_an_inattention_nobody_knows_of_makes_others_think_wrongly_that_one_knows(how: str) -> None:
    deaf = {"ben": {"deaf": True, "impairment_known_to": ["dee"]}} if how == "deaf" else {}
    told = Told(canon=canon_with(deaf))
    told.walk("dee", "hall")
    if how == "distracted":
        told.happen(turns("ben", "distracted"))
    told.happen(tells("ann", "broken", "ben"))
    assert not thinks_knows(told.world, [BEN], "cup", STATE, "broken")
    assert thinks_knows(told.world, [ANN, BEN], "cup", STATE, "broken")
    to_dee = thinks_knows(told.world, [ANN, DEE, BEN], "cup", STATE, "broken")
    assert to_dee, "Ann does not know what Dee knows of it"
    assert thinks_knows(told.world, [DEE, BEN], "cup", STATE, "broken") is (how == "distracted")


def test_who_listens_at_the_door_knows_and_is_not_thought_to() -> None:
    told = Told(tells("ann", "broken", "ben"))
    assert thinks_knows(told.world, [CY], "cup", STATE, "broken")
    assert not thinks_knows(told.world, [ANN, CY], "cup", STATE, "broken")
    assert not thinks_knows(told.world, [CY, BEN], "cup", STATE, "broken"), "Cy heard Ann alone"


def test_what_only_the_reader_sees_others_do_not_think_they_know_the_content_of() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(acts("cy", "reads", examines="book"))
    assert thinks_knows(told.world, [CY], *_proposition(told, "debt"))
    assert not thinks_knows(told.world, [ANN, CY], *_proposition(told, "debt"))


def _proposition(told: Told, fact: str) -> Any:
    return told.world.facts[fact].proposition  # type: ignore[index]


def test_a_thing_in_a_box_is_where_one_believes_the_box_to_be() -> None:
    things = [
        {"id": "box", "name": "the box", "place": "hall"},
        {"id": "cup", "name": "the cup", "place": "hall"},
    ]
    put = {"kind": "thing_changed", "actor": "ann", "thing": "cup", "inside": "box"}
    told = Told(put, canon=canon_with(things=things, facts=[]))
    assert whereabouts(told.world, [BEN], "cup") == "box"
    assert place_believed(told.world, [BEN], "cup") == "hall"
    told.walk("ben", "attic")
    told.happen({"kind": "thing_changed", "actor": "ann", "thing": "box", "holder": "ann"})
    told.walk("ann", "yard")
    assert told.world.stage.place_of_thing("cup") == "yard"  # type: ignore[arg-type]
    assert place_believed(told.world, [ANN], "cup") == "yard"
    assert place_believed(told.world, [BEN], "cup") == "hall"
    assert place_believed(told.world, [CY], "cup") is None


def test_common_knowledge_is_thought_to_be_everybodys_at_any_depth() -> None:
    facts = [
        {"id": "war", "subject": "cup", "predicate": "state", "object": "old", "statement": "x", "common": True}
    ]  # fmt: skip
    told = Told(
        canon=canon_with(facts=facts, things=[{"id": "cup", "name": "cup", "place": "hall"}])
    )
    assert thinks_knows(told.world, [ANN, DEE, CY, BEN], "cup", STATE, "old")
