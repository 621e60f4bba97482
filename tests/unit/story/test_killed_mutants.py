"""What no other test would have missed: each story here ends a mutant that lived (docs/mutation.md)."""

from collections.abc import Sequence
from typing import Any

from sandbox.story.beliefs import (
    Standing,
    believed,
    entries,
    place_believed,
    thinks_knows,
    whereabouts,
)
from sandbox.story.evidence import Evidence
from sandbox.story.ids import CharacterId, FactId, PredicateId
from tests.property.scenes import Told, acts, claim, says, turns
from tests.property.strategies import small_canon
from tests.unit.story.test_perception_senses import canon_with

STATE, AT, HELD, MADE = (PredicateId(p) for p in ("state", "located_in", "held_by", "made_of"))
ANN, BEN, CY, DEE, EVE = (CharacterId(who) for who in ("ann", "ben", "cy", "dee", "eve"))
PEDLAR = CharacterId("pedlar")
CUP = {"id": "cup", "name": "the cup", "place": "hall"}
ENTITIES = [{"id": "pedlar", "name": "the pedlar"}]
STAYS = {"id": "made_of", "functional": True, "wordings": ["{s} is made of {o}."]}


class Nobody:
    """Trusts nobody's word."""

    def trusts(self, chain: Sequence[CharacterId], telling: Evidence) -> bool:
        return False


def state(word: str, *, mode: str = "claimed", said: str | None = None) -> dict[str, Any]:
    return claim("cup", "state", word, said or f"The cup is {word}.") | {"mode": mode}


def made(word: str, *, mode: str = "claimed") -> dict[str, Any]:
    return claim("cup", "made_of", word, f"It is {word}.") | {"mode": mode}


def seen(what: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "fact_seen", "actor": "ann", "place": "hall", "fact": what}


def told_ben(what: dict[str, Any]) -> dict[str, Any]:
    return says("ann", what["said"], "ben", tells=[what])


def of_a_lasting_thing(*events: dict[str, Any], person: Any = None) -> Told:
    predicates: dict[Any, Any] = {**small_canon().predicates, "made_of": STAYS}
    return Told(*events, canon=canon_with(person, predicates=predicates))


def knows(told: Told, *chain: CharacterId, word: str = "broken") -> bool:
    return thinks_knows(told.world, chain, "cup", STATE, word)


# ── beliefs ───────────────────────────────────────────────────────────────────────────────────


def test_by_ones_own_measure_of_trust_a_thing_is_where_one_saw_it_and_not_where_one_was_told() -> (
    None
):
    to_cy = claim("cup", "located_in", "yard", "The cup is in the yard.")
    put = {"kind": "thing_changed", "actor": "ann", "thing": "cup", "place": "hall"}
    told = Told(put, told_ben(to_cy))
    assert place_believed(told.world, [BEN], "cup") == "yard"
    assert place_believed(told.world, [BEN], "cup", Nobody()) == "hall"
    assert believed(told.world, [BEN], "cup", AT, Nobody()) == "hall"
    assert whereabouts(told.world, [BEN], "cup", Nobody()) == "hall"


def test_by_ones_own_measure_of_trust_a_box_is_where_one_saw_it_too() -> None:
    box = {"id": "box", "name": "the box", "place": "hall"}
    put = {"kind": "thing_changed", "actor": "ann", "thing": "cup", "inside": "box"}
    told = Told(put, canon=canon_with(things=[CUP, box], facts=[]))
    told.happen(told_ben(claim("box", "located_in", "yard", "The box is in the yard.")))
    assert place_believed(told.world, [BEN], "cup") == "yard"
    assert place_believed(told.world, [BEN], "cup", Nobody()) == "hall"


def test_who_is_told_that_two_boxes_lie_in_each_other_believes_them_nowhere() -> None:
    box = {"id": "box", "name": "the box", "place": "hall"}
    inside = [
        claim("cup", "located_in", "box", "The cup is in the box."),
        claim("box", "located_in", "cup", "The box is in the cup."),
    ]
    told = Told(says("ann", " ".join(one["said"] for one in inside), "ben", tells=inside),
                canon=canon_with(things=[CUP, box], facts=[]))  # fmt: skip
    assert whereabouts(told.world, [BEN], "cup") == "box"
    assert place_believed(told.world, [BEN], "cup") is None


def test_of_what_was_seen_and_cannot_change_a_denial_by_word_takes_nothing_away() -> None:
    told = of_a_lasting_thing(seen(made("tin")), told_ben(made("tin", mode="denied")))
    assert believed(told.world, [BEN], "cup", MADE) == "tin"


def test_of_what_was_seen_and_cannot_change_ones_own_conclusion_leaves_nothing() -> None:
    not_so = made("tin", mode="denied")
    told = of_a_lasting_thing(
        seen(made("tin")),
        {"kind": "belief_inferred", "owner": "ben", "belief": not_so, "rests_on": []},
    )
    assert believed(told.world, [ANN], "cup", MADE) == "tin"
    assert believed(told.world, [BEN], "cup", MADE) is None


def test_of_what_can_change_a_denial_by_word_leaves_nothing_of_what_was_seen() -> None:
    told = Told(seen(state("full")), told_ben(state("full", mode="denied")))
    assert believed(told.world, [BEN], "cup", STATE) is None


def test_of_what_was_only_told_a_denial_leaves_nothing_though_it_cannot_change() -> None:
    told = of_a_lasting_thing(told_ben(made("tin")), told_ben(made("tin", mode="denied")))
    assert believed(told.world, [BEN], "cup", MADE) is None


def test_a_denial_of_something_else_leaves_the_belief_as_it_was() -> None:
    told = Told(told_ben(state("full")), told_ben(state("old", mode="denied")))
    assert believed(told.world, [BEN], "cup", STATE) == "full"


def test_the_last_denial_counts_and_not_an_earlier_word() -> None:
    told = Told(
        told_ben(state("old", mode="denied")),
        told_ben(state("full")),
        told_ben(state("full", mode="denied")),
    )
    assert believed(told.world, [BEN], "cup", STATE) is None


def test_a_denial_by_somebody_not_trusted_leaves_the_belief() -> None:
    told = Told(
        seen(state("full")),
        told_ben(state("full", mode="denied")),
        canon=canon_with({"ben": {"trust": {"ann": 0.4}}}),
    )
    assert believed(told.world, [BEN], "cup", STATE) == "full"
    assert entries(told.world, [BEN], "cup", STATE)[-1].standing is Standing.DOUBTED


def test_whom_one_distrusts_others_are_supposed_to_trust_whoever_thinks_of_whom() -> None:
    people = {"ben": {"trust": {"ann": 0.4}}, "cy": {"home": "hall"}}
    told = Told(told_ben(state("broken")), canon=canon_with(people))
    assert believed(told.world, [BEN, ANN], "cup", STATE) is None, "Ben takes it for a lie"
    assert believed(told.world, [BEN, ANN, CY], "cup", STATE) == "broken"
    assert believed(told.world, [BEN, CY, ANN], "cup", STATE) == "broken"


def test_of_what_can_be_many_things_at_once_all_are_believed() -> None:
    took = [claim("cup", "took", who, f"{who} took it.") for who in ("ann", "ben")]
    told = Told(*(told_ben(one) for one in took))
    found = entries(told.world, [BEN], "cup", PredicateId("took"))
    assert [(e.object, e.standing) for e in found[-2:]] == [
        ("ann", Standing.BELIEVED),
        ("ben", Standing.BELIEVED),
    ]


def test_what_nobody_in_particular_announced_is_nobodys_word_to_be_doubted() -> None:
    said = state("broken")
    told = Told({"kind": "announced", "actor": None, "words": said["said"], "tells": [said]})
    assert believed(told.world, [BEN], "cup", STATE, Nobody()) == "broken"


# ── who took in what, where somebody is disguised ─────────────────────────────────────────────


def cy_as_pedlar(*events: dict[str, Any], **cy: Any) -> Told:
    """Ann, Ben and Cy in the hall, where Cy goes about as the pedlar."""
    worn = {"disguise": {"seen_as": "pedlar"}, "home": "hall"}
    return Told(*events, canon=canon_with({"cy": worn | cy}, entities=ENTITIES))


def test_who_listens_in_a_disguise_is_thought_to_know_as_whom_it_seems_to_be() -> None:
    told = cy_as_pedlar(told_ben(state("broken")))
    assert knows(told, CY)
    assert knows(told, ANN, PEDLAR)
    assert knows(told, ANN, BEN, PEDLAR)
    assert not knows(told, ANN, CY)


def test_who_listens_hidden_and_in_a_disguise_is_thought_of_by_nobody() -> None:
    told = cy_as_pedlar(turns("cy", "hid"), told_ben(state("broken")))
    assert knows(told, CY)
    assert not knows(told, ANN, PEDLAR)
    assert not knows(told, ANN, BEN, PEDLAR)


def test_a_third_who_is_hidden_is_thought_of_by_nobody_while_another_is_in_a_disguise() -> None:
    told = cy_as_pedlar(turns("ben", "hid"), told_ben(state("broken")))
    assert knows(told, BEN)
    assert not knows(told, CY, BEN)
    assert not knows(told, CY, ANN, BEN)
    assert knows(told, BEN, ANN)


def test_what_only_a_disguised_reader_sees_nobody_thinks_that_anybody_knows() -> None:
    told = cy_as_pedlar(acts("cy", "reads", examines="book"))
    debt: Any = told.world.facts[FactId("debt")].proposition
    assert thinks_knows(told.world, [CY], *debt)
    assert not thinks_knows(told.world, [ANN, PEDLAR], *debt)
    assert not thinks_knows(told.world, [CY, ANN], *debt)
