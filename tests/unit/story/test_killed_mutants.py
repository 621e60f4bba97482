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
from sandbox.story.evidence import Evidence, Kind
from sandbox.story.ids import CharacterId, FactId, PredicateId
from sandbox.story.routes import Route
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


def test_who_is_trusted_by_half_is_believed_and_who_is_trusted_by_less_is_not() -> None:
    for trust, held in ((0.5, "broken"), (0.49, None)):
        canon = canon_with({"ben": {"trust": {"ann": trust}}})
        told = Told(told_ben(state("broken")), canon=canon)
        assert believed(told.world, [BEN], "cup", STATE) == held


def test_whom_one_distrusts_others_are_supposed_to_trust_whoever_thinks_of_whom() -> None:
    people: Any = {"ben": {"trust": {"ann": 0.4}}, "cy": {"home": "hall"}}
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


def test_only_the_inverse_and_no_other_relation_to_a_thing_counts_as_the_same() -> None:
    taken = {"id": "taken_by", "functional": True, "inverse": "took", "wordings": ["{s}: {o}"]}
    took = {"id": "took", "inverse": "taken_by", "wordings": ["{s} took {o}."]}
    likes = {"id": "likes", "wordings": ["{s} likes {o}."]}
    predicates: dict[Any, Any] = {**small_canon().predicates, "taken_by": taken, "took": took}
    told = Told(
        told_ben(claim("ann", "likes", "cup", "Ann likes it.")),
        canon=canon_with(predicates={**predicates, "likes": likes}, facts=[], things=[CUP]),
    )
    assert believed(told.world, [BEN], "cup", PredicateId("taken_by")) is None
    told.happen(told_ben(claim("ann", "took", "cup", "Ann took it.")))
    assert believed(told.world, [BEN], "cup", PredicateId("taken_by")) == "ann"


def test_who_told_something_before_the_curtain_rose_knows_it() -> None:
    told_it = {"to": "ben", "by": "ann", "scene": "supper"}
    broken = {"id": "broken", "subject": "cup", "predicate": "state", "object": "broken"}
    fact = broken | {"statement": "The cup is broken.", "told": [told_it]}
    told = Told(canon=canon_with(facts=[fact], things=[CUP]))
    assert knows(told, ANN)
    assert knows(told, BEN, ANN)
    assert not knows(told, CY)


def test_who_does_not_look_is_thought_to_have_seen_what_all_could_see() -> None:
    told = Told(turns("ben", "distracted"), seen(state("broken")))
    assert not knows(told, BEN)
    assert knows(told, ANN, BEN)
    assert [e.kind for e in told.world.evidence["cup", STATE]] == [Kind.SEEN]


def test_who_does_not_look_is_not_thought_to_have_read_what_only_the_reader_sees() -> None:
    told = Told(turns("ben", "distracted"))
    told.walk("cy", "hall")
    told.happen(acts("cy", "reads", examines="book"))
    debt: Any = told.world.facts[FactId("debt")].proposition
    assert not thinks_knows(told.world, [CY, BEN], *debt)


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


def test_who_wrote_what_somebody_disguised_reads_is_known_to_have_told_it() -> None:
    told = cy_as_pedlar()
    letter = {"message": "m1", "words": "The cup is broken.", "tells": [state("broken")]}
    told.happen({"kind": "message_sent", "actor": "ann", "to": "cy", **letter})
    told.happen({"kind": "message_read", "actor": "cy", "sender": "ann", **letter})
    assert knows(told, ANN)
    assert knows(told, CY)
    assert not knows(told, BEN)


def test_what_is_done_to_a_thing_beside_somebody_disguised_is_seen_as_it_is() -> None:
    told = cy_as_pedlar(turns("ben", "distracted"))
    told.happen({"kind": "thing_changed", "actor": "ann", "thing": "cup", "state": "broken"})
    assert knows(told, CY)
    assert knows(told, ANN, PEDLAR)
    assert knows(told, ANN, BEN), "Ben seems to have seen it"
    assert {e.kind for e in told.world.evidence["cup", STATE]} == {Kind.SEEN}
    held = {who: told.world.grants[who] for who in (ANN, CY)}
    routes = {who: [g.route for id_ in held[who] for g in held[who][id_] if g.because.turn == 2]
              for who in held}  # fmt: skip
    assert routes == {ANN: [Route.EXPERIENCED], CY: [Route.OBSERVED]}


def test_what_is_given_to_somebody_disguised_is_held_by_whom_it_seems_to_be() -> None:
    told = cy_as_pedlar()
    told.happen({"kind": "thing_changed", "actor": "ann", "thing": "cup", "holder": "cy"})
    assert believed(told.world, [BEN], "cup", HELD) == "pedlar"
    assert believed(told.world, [CY], "cup", HELD) == "cy"
