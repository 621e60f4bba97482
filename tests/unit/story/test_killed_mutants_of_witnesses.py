"""What no other test would have missed of who witnesses what (docs/mutation.md)."""

from typing import Any

import pytest

from sandbox.story.beliefs import believed, place_believed
from tests.property.scenes import FULL, THAT, Told, acts, claim, says, turns, whispers
from tests.unit.story.test_killed_mutants import ANN, AT, BEN, CUP, ENTITIES, HELD
from tests.unit.story.test_perception_senses import canon_with, details

# ── through a door ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "event",
    [
        says("dee", "Ribbons?", "cy"),
        says("dee", "Ribbons!", chorus=["cy"]),
        acts("dee", "dances", alongside=["cy"]),
        says("cy", "Ribbons!"),
        {"kind": "left", "actor": "dee", "place": "yard", "alongside": ["cy"]},
    ],
)
def test_from_next_door_somebody_disguised_is_taken_for_whom_it_seems_to_be(event: Any) -> None:
    link = {"between": ["hall", "yard"], "door": "open", "carries": "words", "sight": True}
    people: Any = {"cy": {"disguise": {"seen_as": "pedlar"}}, "dee": {"home": "yard"}}
    told = Told(canon=canon_with(people, entities=ENTITIES, links=[link]))
    assert ("ann", "cy", "pedlar") in told.happen(event).taken
    passing = told.happen(says("ann")).taken
    assert ("ben", "cy", "pedlar") not in passing, "out of sight, and no part of it"


def test_from_next_door_who_gets_a_thing_in_a_disguise_is_taken_for_whom_it_seems_to_be() -> None:
    link = {"between": ["hall", "yard"], "door": "open", "carries": "words", "sight": True}
    people: Any = {"cy": {"disguise": {"seen_as": "pedlar"}}, "dee": {"home": "yard"}}
    things = [CUP | {"place": "yard"}]
    told = Told(canon=canon_with(people, entities=ENTITIES, links=[link], things=things, facts=[]))
    given = told.happen({"kind": "thing_changed", "actor": "dee", "thing": "cup", "holder": "cy"})
    assert ("ann", "cy", "pedlar") in given.taken


# ── spies ─────────────────────────────────────────────────────────────────────────────────────


def test_a_spy_takes_in_nothing_of_another_place_than_it_spies_on() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "attic"})
    assert details(told.happen(whispers("ann", "Hush.", "ben"))) == {"ann": FULL, "ben": FULL}


def test_who_whispers_in_hiding_is_heard_by_a_spy_and_seen_by_nobody() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"}, turns("ann", "hid"))
    assert details(told.happen(whispers("ann", "Hush.", "ben"))) == {
        "ann": FULL,
        "ben": FULL,
        "eve": FULL,
    }


@pytest.mark.parametrize("how", ["fell_asleep", "died"])
def test_a_spy_that_is_asleep_or_dead_takes_in_nothing(how: str) -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"}, turns("eve", how))
    assert "eve" not in details(told.happen(says("ann")))


def test_who_does_something_where_it_spies_is_no_spy_on_itself() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"})
    assert details(told.happen({"kind": "thought", "actor": "eve", "text": "So."})) == {"eve": FULL}
    assert details(told.happen(acts("eve"))) == {"eve": FULL}


def test_a_spy_hears_what_is_said_aside() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"})
    aside = told.happen(says("ann", "Psst.", "ben", aside=True))
    assert details(aside) == {"ann": FULL, "ben": FULL, "eve": FULL}


def test_a_shout_carries_no_more_than_words_where_words_carry_anyway() -> None:
    assert details(Told().happen(says("ann", volume="shout")))["cy"] is FULL


def test_who_is_found_is_seen_by_all_and_what_else_becomes_of_it_in_hiding_by_nobody() -> None:
    told = Told(turns("ben", "hid"))
    assert details(told.happen(turns("ben", "fell_asleep"))) == {"ben": FULL}
    assert details(told.happen(turns("ben", "woke"))) == {"ben": FULL}
    assert details(told.happen(turns("ben", "found"))) == {"ann": FULL, "ben": FULL}


def test_a_spy_sees_that_a_letter_is_written_and_read_and_not_what_stands_in_it() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"})
    letter = {"message": "m1", "words": "The cup is broken.", "tells": []}
    sent = told.happen({"kind": "message_sent", "actor": "ann", "to": "ben", **letter})
    assert details(sent) == {"ann": FULL, "ben": THAT, "eve": THAT}
    read = told.happen({"kind": "message_read", "actor": "ben", "sender": "ann", **letter})
    assert details(read) == {"ann": THAT, "ben": FULL, "eve": THAT}


def test_a_spy_takes_somebody_disguised_for_whom_it_seems_to_be() -> None:
    worn = {"home": "hall", "disguise": {"seen_as": "pedlar"}}
    canon = canon_with({"cy": worn}, entities=ENTITIES)
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"}, canon=canon)
    assert ("eve", "cy", "pedlar") in told.happen(says("ann")).taken
    assert ("eve", "cy", "pedlar") not in told.happen(says("dee")).taken


def test_a_coming_that_nobody_notices_is_known_to_those_who_come_alone() -> None:
    told = Told({"kind": "left", "actor": "ann", "place": "hall", "alongside": ["ben"]})
    came = {"kind": "entered", "actor": "ann", "place": "yard", "alongside": ["ben"]}
    assert details(told.happen(came | {"unseen": True})) == {"ann": FULL, "ben": FULL}


# ── who notices whom ──────────────────────────────────────────────────────────────────────────


def test_who_speaks_in_hiding_is_noticed_and_who_moves_a_door_in_hiding_is_not() -> None:
    told = Told(turns("ben", "hid"))
    door = {"kind": "door_changed", "actor": "ben", "between": ["hall", "yard"], "door": "shut"}
    assert ("ann", "ben") in told.happen(door).unnoticed
    assert ("ann", "ben") not in told.happen(whispers("ben", "Hush.", "ann")).unnoticed
    assert ("ann", "ben") not in told.happen(says("ben")).unnoticed


def test_who_sees_somebody_come_in_from_next_door_is_not_noticed_by_those_inside() -> None:
    told = Told({"kind": "left", "actor": "ann", "place": "hall"}, canon=with_cup(sight=True))
    came = told.happen({"kind": "entered", "actor": "ann", "place": "hall"})
    assert details(came) == {"ann": FULL, "ben": FULL, "cy": FULL}
    assert set(came.unnoticed) == {("ann", "cy"), ("ben", "cy"), ("cy", "ben")}


def test_who_sees_through_a_disguise_takes_nobody_for_another() -> None:
    worn = {"home": "hall", "disguise": {"seen_as": "pedlar", "seen_through_by": ["ben"]}}
    told = Told(canon=canon_with({"cy": worn}, entities=ENTITIES))
    assert told.happen(says("ann")).taken == (("ann", "cy", "pedlar"),)


# ── what is taken in by which sense ───────────────────────────────────────────────────────────


def test_who_is_deaf_is_seen_to_be_whispered_to_and_hears_nothing() -> None:
    told = Told(canon=canon_with({"ben": {"deaf": True}}))
    assert details(told.happen(whispers("ann", "Hush.", "ben"))) == {"ann": FULL, "ben": THAT}


def test_who_is_blind_does_not_see_what_becomes_of_another() -> None:
    told = Told(canon=canon_with({"ben": {"blind": True}}))
    assert details(told.happen(turns("ann", "fell_asleep")))["ben"] is THAT


def test_who_is_blind_does_not_see_what_a_search_finds() -> None:
    note = {"id": "note", "name": "the note", "place": "hall", "concealed": True}
    told = Told(canon=canon_with({"ben": {"blind": True}}, things=[CUP, note], facts=[]))
    found = told.happen({"kind": "thing_found", "actor": "ann", "thing": "note"})
    assert details(found) == {"ann": FULL, "ben": THAT}


def test_who_is_blind_sees_nothing_of_what_is_done_next_door() -> None:
    told = Told(canon=with_cup(person={"cy": {"blind": True}}, sight=True))
    assert details(told.happen(acts("ann"))) == {"ann": FULL, "ben": FULL}


def test_who_is_blind_does_not_see_who_goes_and_yet_knows_what_it_does_with_others() -> None:
    blind = {"ben": {"blind": True}}
    gone = Told(canon=canon_with(blind)).happen({"kind": "left", "actor": "ann", "place": "hall"})
    assert details(gone)["ben"] is THAT
    danced = Told(canon=canon_with(blind)).happen(acts("ann", "dances", alongside=["ben"]))
    assert details(danced)["ben"] is FULL


def test_who_is_deaf_and_joins_in_a_chorus_knows_what_it_says() -> None:
    told = Told(canon=canon_with({"ben": {"deaf": True}}))
    assert details(told.happen(says("ann", "Hear, hear!", chorus=["ben"])))["ben"] is FULL


def test_nobody_notices_that_somebody_attends_again() -> None:
    told = Told(turns("ben", "distracted"))
    assert details(told.happen(turns("ben", "attentive"))) == {}


@pytest.mark.parametrize("actor", ["ann", None])
def test_what_is_seen_to_be_so_the_blind_do_not_see(actor: str | None) -> None:
    what = claim("cup", "state", "old", "The cup is old.")
    told = Told(canon=canon_with({"ben": {"blind": True}}))
    seen = told.happen({"kind": "fact_seen", "actor": actor, "place": "hall", "fact": what})
    assert details(seen) == {"ann": FULL, "ben": THAT}


def test_who_is_blind_and_feels_how_something_is_knows_it() -> None:
    what = claim("cup", "state", "old", "The cup is old.")
    told = Told(canon=canon_with({"ben": {"blind": True}}))
    seen = told.happen({"kind": "fact_seen", "actor": "ben", "place": "hall", "fact": what})
    assert details(seen) == {"ann": FULL, "ben": FULL}


def test_what_one_alone_takes_note_of_is_seen_by_that_one_alone() -> None:
    lying = [{"thing": "cup", "where": "hall"}]
    noted = {"kind": "things_seen", "place": "hall", "by": "ben", "seen": lying}
    assert details(Told().happen(noted)) == {"ben": FULL}


def test_a_scene_opens_and_closes_before_those_in_its_place() -> None:
    told = Told()
    opened = {"kind": "scene_opened", "scene": "one", "place": "hall", "number": 1}
    assert details(told.happen(opened)) == {"ann": FULL, "ben": FULL}
    closed = {"kind": "scene_closed", "scene": "one", "place": "hall"}
    assert details(told.happen(closed)) == {"ann": FULL, "ben": FULL}


# ── things ────────────────────────────────────────────────────────────────────────────────────


def changed(actor: str | None = None, **to: str) -> dict[str, Any]:
    return {"kind": "thing_changed", "actor": actor, "thing": "cup", **to}


def with_cup(*things: dict[str, Any], person: Any = None, **link: Any) -> Any:
    way = {"between": ["hall", "yard"], "door": "open", "carries": "nothing", **link}
    return canon_with(person, links=[way], things=[CUP, *things], facts=[])


def test_what_goes_elsewhere_by_itself_is_seen_to_go_and_seen_to_come() -> None:
    told = Told(canon=with_cup())
    assert details(told.happen(changed(place="yard"))) == {"ann": THAT, "ben": THAT, "cy": FULL}
    assert told.knows("cy")
    assert not told.knows("ann")
    blind = Told(canon=with_cup(person={"cy": {"blind": True}}))
    assert details(blind.happen(changed(place="yard")))["cy"] is THAT


def test_what_changes_by_itself_is_seen_by_those_there_who_can_see() -> None:
    told = Told(canon=with_cup(person={"ben": {"blind": True}}))
    assert details(told.happen(changed(state="cracked"))) == {"ann": FULL, "ben": THAT}


def test_what_becomes_by_itself_of_a_thing_out_of_sight_nobody_sees() -> None:
    concealed = Told(canon=canon_with(things=[CUP | {"concealed": True}], facts=[]))
    assert details(concealed.happen(changed(state="cracked"))) == {}
    box = {"id": "box", "name": "the box", "place": "hall"}
    in_box = {**CUP, "place": None, "inside": "box"}
    boxed = Told(canon=canon_with(things=[box, in_box], facts=[]))
    assert details(boxed.happen(changed(state="cracked"))) == {}
    assert details(boxed.happen(changed("ann", state="whole"))) == {"ann": FULL, "ben": FULL}
    for to in ({"place": "hall"}, {"holder": "ann"}):
        out = Told(canon=canon_with(things=[box, in_box], facts=[]))
        assert details(out.happen(changed(**to))) == {"ann": FULL, "ben": FULL}
    other = {"id": "bag", "name": "the bag", "place": "hall"}
    moved = Told(canon=canon_with(things=[box, other, in_box], facts=[]))
    assert details(moved.happen(changed(inside="bag"))) == {"ann": FULL, "ben": FULL}


@pytest.mark.parametrize("actor", ["ann", None])
def test_what_is_done_to_a_thing_is_seen_from_a_neighbouring_place_in_sight(
    actor: str | None,
) -> None:
    told = Told(canon=with_cup(sight=True))
    assert details(told.happen(changed(actor, state="cracked")))["cy"] is THAT


def test_what_is_given_to_somebody_is_held_by_that_one_for_all_who_saw_it() -> None:
    told = Told(changed("ann", holder="ben"), canon=with_cup())
    assert believed(told.world, [ANN], "cup", HELD) == "ben"
    assert believed(told.world, [ANN], "cup", AT) is None


def test_who_sees_something_put_into_a_bag_sees_who_has_the_bag() -> None:
    bag = {"id": "bag", "name": "the bag", "holder": "ben"}
    told = Told(changed("ann", inside="bag"), canon=with_cup(bag))
    assert believed(told.world, [ANN], "bag", HELD) == "ben"
    assert believed(told.world, [ANN], "cup", AT) == "bag"
    assert place_believed(told.world, [ANN], "cup") is None, "of where Ben is it has seen nothing"


def test_what_is_found_and_what_is_seen_lying_there_is_there_for_all_who_look() -> None:
    note = {"id": "note", "name": "the note", "place": "hall", "concealed": True}
    purse = {"id": "purse", "name": "the purse", "holder": "ann"}
    told = Told(canon=with_cup(note, purse))
    told.happen({"kind": "thing_found", "actor": "ann", "thing": "note"})
    assert believed(told.world, [BEN], "note", AT) == "hall"
    on_ben = {"id": "note", "name": "the note", "holder": "ben", "concealed": True}
    searched = Told(canon=with_cup(on_ben))
    found = searched.happen({"kind": "thing_found", "actor": "ann", "thing": "note"})
    assert details(found) == {"ann": FULL, "ben": FULL}
    assert believed(searched.world, [ANN], "note", HELD) == "ben"
    lying = [{"thing": "cup", "where": "hall"}, {"thing": "purse", "where": "ann"}]
    told.happen({"kind": "things_seen", "place": "hall", "seen": lying})
    assert believed(told.world, [BEN], "cup", AT) == "hall"
    assert believed(told.world, [BEN], "purse", HELD) == "ann"
