"""What the property tests found, each as a small story with the right value."""

from typing import Any

import pytest

from sandbox.errors import StageError
from sandbox.story.beliefs import believed, thinks_knows
from sandbox.story.canon import Canon
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.naming import masked
from sandbox.story.world import World
from tests.property.rich import NAMES, PEOPLE, rich_canon, told
from tests.property.scenes import Told, claim, says, turns
from tests.property.strategies import START

ANN, BEN, CY, DEE, EVE, FAY = (CharacterId(who) for who in PEOPLE)
TOOK = PredicateId("took")
CLAIM = {"subject": "cup", "predicate": "took", "object": "hall", "mode": "claimed"}
LINE = {"kind": "line_spoken", "targets": [], "aside": False, "language": None}


def story(*intents: dict[str, Any]) -> World:
    canon = rich_canon(NAMES["en"])
    history = told(canon, list(intents))
    assert len(history.beats) == len(intents)
    return fold(canon, START, history.beats).world


def put(**places: str) -> dict[str, Any]:
    return {"kind": "stage_set", "actor": "ann", "places": places}


def tells(actor: str, **more: Any) -> dict[str, Any]:
    return LINE | {"actor": actor, "tells": [CLAIM]} | more


def knows(world: World, *chain: CharacterId) -> bool:
    return thinks_knows(world, chain, "cup", TOOK, "hall")


# ── disguises ─────────────────────────────────────────────────────────────────────────────────


def as_ben(*rest: dict[str, Any]) -> World:
    """Cy goes about as Ben, who is far away; Dee and Fay are in the yard with Cy and hear it say so."""
    there = put(ben="far", fay="yard", eve="yard", ann="far", dee="far")
    return story(there, {"kind": "disguised", "actor": "cy", "seen_as": None},
                 put(cy="garden"), {"kind": "disguised", "actor": "cy", "seen_as": "ben"},
                 put(cy="yard"), *rest)  # fmt: skip


def test_whom_somebody_is_taken_for_neither_says_nor_knows_what_was_said_in_its_name() -> None:
    world = as_ben(tells("cy"))
    assert knows(world, FAY)
    assert not knows(world, BEN)
    assert not knows(world, BEN, FAY)
    assert knows(world, FAY, BEN), "by what Fay perceived it was Ben who said it"
    assert not knows(world, FAY, CY)


def test_who_speaks_in_a_disguise_knows_that_it_was_heard() -> None:
    world = as_ben(tells("cy"))
    assert knows(world, CY, FAY)
    assert knows(world, CY, FAY, EVE)


def test_who_sees_through_a_disguise_takes_the_others_to_have_seen_what_it_saw() -> None:
    world = story(put(ann="yard", eve="yard"), tells("cy"))
    assert world.stage.seen_as("cy", ANN) == "cy"
    assert world.stage.seen_as("cy", EVE) == "pedlar"
    assert knows(world, ANN, EVE)
    assert knows(world, EVE, ANN)
    assert believed(world, [ANN, EVE], "cup", TOOK) == "hall"


def test_nobody_is_taken_for_somebody_by_that_one_itself() -> None:
    world = as_ben(put(ben="yard"), tells("cy"))
    (fact,) = (f for f in world.facts.values() if (f.subject, f.predicate) == ("cup", TOOK))
    assert [grant.teller for grant in world.grants[BEN][fact.id]] == ["cy"]


def test_who_did_not_look_does_not_see_through_a_disguise_put_on_before_it() -> None:
    off = {"kind": "disguised", "actor": "cy", "seen_as": None}
    away = {"kind": "state_turned", "actor": "fay", "state": "distracted", "known_to": None}
    on = {"kind": "disguised", "actor": "cy", "seen_as": "pedlar"}
    world = story(put(fay="yard", dee="yard", eve="yard"), off, away, on)
    seen = {who: world.stage.seen_as("cy", who) for who in (DEE, EVE, FAY)}
    assert seen == {DEE: "cy", EVE: "pedlar", FAY: "pedlar"}, "Eve is blind, Fay was elsewhere"


# ── who seems to take something in ────────────────────────────────────────────────────────────


def test_one_known_to_be_blind_does_not_seem_to_have_seen_while_it_was_distracted() -> None:
    away = {"kind": "state_turned", "actor": "eve", "state": "distracted", "known_to": None}
    look = {"kind": "things_seen", "actor": "ann", "thing": "box"}
    world = story(put(eve="hall"), away, look)
    happened = world.beats[-1].events[0]
    assert happened.seeming == ()
    assert not thinks_knows(world, [ANN, EVE], "box", PredicateId("located_in"), "hall")


def test_who_knows_of_a_deafness_knows_it_also_of_one_who_is_distracted() -> None:
    away = {"kind": "state_turned", "actor": "dee", "state": "distracted", "known_to": None}
    world = story(put(dee="hall"), away, tells("ann"))
    assert knows(world, ANN, DEE)
    assert not knows(world, BEN, DEE), "Ben alone knows that Dee is deaf"


def test_who_does_not_speak_a_tongue_does_not_seem_to_have_understood_it() -> None:
    away = {"kind": "state_turned", "actor": "ben", "state": "distracted", "known_to": None}
    world = story(away, tells("ann", language="dutch"))
    assert world.beats[-1].events[0].seeming == ()


# ── spies, doors, places ──────────────────────────────────────────────────────────────────────


def test_a_spy_is_noticed_by_those_it_is_among() -> None:
    spy = {"kind": "spied", "actor": "ben", "on": "yard"}
    everywhere = {"kind": "narrated", "actor": "ann", "place": None}
    world = story(spy, everywhere)
    unnoticed = set(world.beats[-1].events[0].unnoticed)
    assert (ANN, BEN) not in unnoticed
    assert (CY, BEN) in unnoticed
    assert (BEN, CY) not in unnoticed
    assert (BEN, FAY) in unnoticed, "it spies on the yard, not on all the world"


def test_one_spies_on_another_place_than_ones_own() -> None:
    with pytest.raises(StageError, match=r"`eve` is in `far`; one spies on another place"):
        Told({"kind": "spied", "actor": "eve", "on": "far"})


def test_whoever_turns_a_door_stands_at_it_and_perceives_it() -> None:
    door = {"kind": "door_changed", "between": ["hall", "yard"], "door": "shut"}
    with pytest.raises(
        StageError, match="`dee` is in `attic`, not at the door of `hall` and `yard"
    ):
        Told(door | {"actor": "dee"})
    turned = Told(turns("ann", "distracted"), door | {"actor": "ann"})
    assert turned.beats[-1].events[0].witnesses[ANN] == "full"


def test_nobody_leaves_a_place_while_it_is_nowhere() -> None:
    nowhere = {"kind": "stage_set", "places": {"ann": None}}
    with pytest.raises(StageError, match="no place ``"):
        Told(nowhere, {"kind": "left", "actor": "ann", "place": ""})


def test_those_off_the_stage_are_in_no_place_together() -> None:
    nowhere = {"kind": "stage_set", "places": {"ann": None, "ben": None}}
    granted = {"kind": "fact_granted", "fact": "debt", "to": ["ann", "ben"], "route": "observed"}
    pairs = Told(nowhere, granted).beats[-1].events[0].unnoticed
    assert set(pairs) == {(ANN, BEN), (BEN, ANN)}


# ── letters, organisations, names ─────────────────────────────────────────────────────────────


def test_who_wrote_a_letter_does_not_know_that_it_was_read_elsewhere() -> None:
    sent = {"kind": "message_sent", "actor": "ann", "to": "dee", "tells": [CLAIM], "minutes": 1}
    read = {"kind": "message_read", "actor": "dee", "which": 0, "withheld": False}
    world = story(sent, read)
    assert knows(world, DEE)
    assert knows(world, DEE, ANN)
    assert not knows(world, ANN, DEE)


def test_who_joins_again_is_not_briefed_on_what_it_announced_itself() -> None:
    hear = {"kind": "announced", "actor": "ann", "to": "guild", "tells": [CLAIM], "facts": []}
    leave = {"kind": "membership_changed", "actor": "ann", "organisation": "guild"}
    joins = {"kind": "membership_changed", "actor": "fay", "organisation": "guild", "joined": True}
    world = story(hear, leave | {"joined": False}, leave | {"joined": True}, joins)
    (fact,) = (f.id for f in world.facts.values() if (f.subject, f.predicate) == ("cup", TOOK))
    assert fact not in world.grants[ANN]
    assert [g.teller for g in world.grants[FAY][fact]] == ["ann"]


def named(cy: str, ben: str, language: str = "en") -> Canon:
    return rich_canon(NAMES["en"] | {"cy": cy, "ben": ben}, language)


@pytest.mark.parametrize(
    ("cy", "ben", "text", "found"),
    [
        ("李", "李四", "李四看着李。", "李四看着{@cy}。"),
        ("四", "李四", "李四看着四。", "李四看着{@cy}。"),
        ("Ann", "Ben Ann", "Ben Ann looks at Ann.", "Ben Ann looks at {@cy}."),
        ("Lee Ann", "Ann", "Ann looks at Lee Ann.", "Ann looks at {@cy}."),
    ],
)
def test_a_name_that_stands_in_the_name_of_somebody_all_know_is_left_in_it(
    cy: str, ben: str, text: str, found: str
) -> None:
    assert masked(text, named(cy, ben)) == found


def test_a_claim_in_a_tongue_one_does_not_speak_teaches_nothing() -> None:
    said = claim("cup", "took", "cy", "Het was Cy.")
    line = says("ann", "Het was Cy.", tells=[said], language="dutch")
    assert Told(line).knows("ben") == []
