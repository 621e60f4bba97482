"""Rules of perception, version 2: loudness, sight, senses, tongues, disguises, spies, messages, announcements."""

from typing import Any

import pytest

from sandbox.agents.minds import Move
from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.story.beats import Detail, Happened
from sandbox.story.ids import CharacterId
from tests.property.scenes import FULL, THAT, Told, acts, claim, says, turns, whispers
from tests.property.strategies import small_canon


def canon_with(person: dict[str, dict[str, Any]] | None = None, **over: Any) -> Any:
    """The small canon with more fields for some of its people."""
    plain = small_canon(over.pop("links", ()), **over).model_dump(mode="json", by_alias=True)
    for who in plain["characters"]:
        who |= (person or {}).get(who["id"], {})
    return type(small_canon()).model_validate(plain)


def details(happened: Happened) -> dict[str, Detail]:
    return {str(who): detail for who, detail in happened.witnesses.items()}


def door(kind: str, carries: str, **more: Any) -> Any:
    return canon_with(
        links=[{"between": ["hall", "yard"], "door": kind, "carries": carries, **more}]
    )


@pytest.mark.parametrize(
    ("kind", "carries", "volume", "heard"),
    [
        ("open", "words", "low", THAT),
        ("open", "sound", "low", None),
        ("shut", "words", "shout", FULL),
        ("shut", "sound", "shout", THAT),
        ("locked", "nothing", "shout", None),
        ("open", "nothing", "shout", THAT),
        ("open", "sound", "shout", FULL),
    ],
)
def test_a_low_voice_carries_one_step_less_and_a_shout_one_step_more(
    kind: str, carries: str, volume: str, heard: Detail | None
) -> None:
    told = Told(canon=door(kind, carries))
    assert details(told.happen(says("ann", volume=volume))).get("cy") is heard


def test_a_low_voice_is_heard_by_all_in_the_room() -> None:
    assert details(Told().happen(says("ann", volume="low")))["ben"] is FULL


def test_through_a_way_with_sight_one_sees_that_something_is_done_and_who_comes_and_goes() -> None:
    told = Told(canon=door("open", "nothing", sight=True))
    assert details(told.happen(acts("ann"))) == {"ann": FULL, "ben": FULL, "cy": THAT}
    left = told.happen({"kind": "left", "actor": "ann", "place": "hall"})
    assert details(left)["cy"] is FULL
    assert ("ben", "cy") in left.unnoticed
    assert ("cy", "ann") not in left.unnoticed


def test_a_shut_door_hides_what_is_done_behind_it() -> None:
    told = Told(canon=door("shut", "nothing", sight=True))
    assert "cy" not in details(told.happen(acts("ann")))


def test_between_two_places_outdoors_with_no_door_one_sees_across() -> None:
    places = [
        {"id": p, "name": p, "outdoors": p != "attic"} for p in ("hall", "yard", "attic", "far")
    ]
    links = [{"between": ["hall", "yard"]}, {"between": ["hall", "attic"]}]
    told = Told(canon=canon_with(places=places, links=links))
    seen = details(told.happen(acts("ann")))
    assert seen["cy"] is THAT
    assert "dee" not in seen


def test_a_call_by_wire_reaches_somebody_elsewhere_and_who_stands_near_does_not_know_whom() -> None:
    call = Told().happen(whispers("ann", "It is done.", "eve", by_wire=True))
    assert details(call) == {"ann": FULL, "eve": FULL, "ben": THAT}
    assert ("ben", "eve") in call.unnoticed
    assert ("ann", "eve") not in call.unnoticed
    assert ("eve", "ann") not in call.unnoticed


def test_a_whisper_to_somebody_elsewhere_is_refused_without_a_wire() -> None:
    with pytest.raises(StageError, match="`eve` is not where `ann` is"):
        Told().happen(whispers("ann", "It is done.", "eve"))


def test_the_distracted_miss_it_and_seem_to_have_taken_it_in() -> None:
    told = Told(turns("ben", "distracted"))
    line = told.happen(says("ann"))
    assert "ben" not in line.witnesses
    assert line.seeming == ("ben",)
    assert told.beats[0].events[0].witnesses == {}, "nobody notices that somebody is distracted"
    told.happen(turns("ben", "attentive"))
    assert details(told.happen(says("ann")))["ben"] is FULL


def test_who_is_distracted_still_knows_its_own_acts() -> None:
    assert details(Told(turns("ben", "distracted")).happen(acts("ben")))["ben"] is FULL


def test_the_deaf_see_that_somebody_speaks_and_hear_nothing_from_next_door() -> None:
    canon = canon_with({"ben": {"deaf": True}, "cy": {"deaf": True}})
    line = Told(canon=canon).happen(says("ann"))
    heard = details(line)
    assert heard["ben"] is THAT
    assert "cy" not in heard
    assert line.seeming == (), "everybody knows of it"


def test_a_deafness_that_is_not_known_seems_like_hearing_to_all_but_those_who_know() -> None:
    canon = canon_with({"ben": {"deaf": True, "impairment_known_to": ["dee"]}})
    told = Told(canon=canon)
    told.walk("dee", "hall")
    line = told.happen(says("ann"))
    assert line.seeming == ("ben",)
    assert ("dee", "ben") in line.aware
    assert ("ann", "ben") not in line.aware


def test_the_blind_hear_what_is_said_and_only_that_something_is_done() -> None:
    told = Told(canon=canon_with({"ben": {"blind": True}}))
    assert details(told.happen(says("ann")))["ben"] is FULL
    assert details(told.happen(acts("ann")))["ben"] is THAT


def test_a_tongue_one_does_not_speak_is_heard_and_not_understood() -> None:
    canon = canon_with({"ann": {"languages": ["Dutch"]}, "cy": {"languages": ["Dutch"]}})
    told = Told(canon=canon)
    told.walk("cy", "hall")
    said = claim("cup", "state", "broken", "De kop is stuk.")
    line = told.happen(says("ann", "De kop is stuk.", language="Dutch", tells=[said]))
    heard = details(line)
    assert (heard["ben"], heard["cy"]) == (THAT, FULL)
    assert told.knows("cy")
    assert "De kop is stuk." not in told.knows("ben")


def test_who_is_disguised_is_witnessed_as_somebody_else() -> None:
    entities = [{"id": "pedlar", "name": "the pedlar"}]
    worn = {"seen_as": "pedlar", "seen_through_by": ["ben"]}
    told = Told(canon=canon_with({"cy": {"disguise": worn}}, entities=entities))
    told.walk("cy", "hall")
    told.happen(says("cy", "Ribbons!"))
    assert any("the pedlar" in text.casefold() for text in told.remembers("ann"))
    assert not any("visitor" in text or "Dorn" in text for text in told.remembers("ann"))
    assert any("visitor" in text for text in told.remembers("ben")), "it sees through"
    assert told.view("ann").known.saying("pedlar", "located_in")  # type: ignore[arg-type]
    assert not told.view("ann").known.saying("cy", "located_in")  # type: ignore[arg-type]


def test_who_is_disguised_is_seen_and_spoken_to_as_whom_it_seems_to_be() -> None:
    entities = [{"id": "pedlar", "name": "the pedlar"}]
    told = Told(canon=canon_with({"cy": {"disguise": {"seen_as": "pedlar"}}}, entities=entities))
    told.walk("cy", "hall")
    view = told.view("ann")
    assert [(p.id, p.called) for p in view.people if p.id != "ben"] == [("pedlar", "the pedlar")]
    assert view.person_called("the pedlar") == "pedlar"
    assert view.person_called("Cy Dorn") is None
    staging = Staging(told.world.stage)
    pedlar = CharacterId("pedlar")
    staging.move(CharacterId("ann"), Move(words="Any ribbons?", to=(pedlar,)))
    spoken = told.take(staging.happened).event
    assert spoken.targets == ("cy",), "the story knows who stands there"  # type: ignore[union-attr]
    heard = told.view("ann").percepts[-1].event
    assert heard.targets == ("pedlar",)  # type: ignore[union-attr]


def test_who_watches_a_disguise_put_on_sees_through_it() -> None:
    entities = [{"id": "pedlar", "name": "the pedlar"}]
    told = Told(canon=canon_with(entities=entities))
    told.happen({"kind": "disguised", "actor": "ann", "seen_as": "pedlar"})
    told.walk("cy", "hall")
    told.happen(says("ann"))
    assert told.view("ben").percepts[-1].event.actor == "ann"  # type: ignore[union-attr]
    assert told.view("cy").percepts[-1].event.actor == "pedlar"  # type: ignore[union-attr]
    told.happen({"kind": "disguised", "actor": "ann", "seen_as": None})
    told.happen(says("ann"))
    assert told.view("cy").percepts[-1].event.actor == "ann"  # type: ignore[union-attr]


def test_what_somebody_in_disguise_tells_comes_from_whom_it_seems_to_be() -> None:
    entities = [{"id": "pedlar", "name": "the pedlar"}]
    told = Told(canon=canon_with({"ann": {"disguise": {"seen_as": "pedlar"}}}, entities=entities))
    said = claim("cup", "state", "broken", "The cup is broken.")
    told.happen(says("ann", "The cup is broken.", tells=[said]))
    [fact] = told.view("ben").known.saying("cup", "state")  # type: ignore[arg-type]
    assert fact.source == "pedlar"


def test_a_spy_takes_in_all_of_a_place_and_nobody_notices_it() -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"})
    whisper = told.happen(whispers("ann", "Hush.", "ben"))
    assert details(whisper)["eve"] is FULL
    assert {("ann", "eve"), ("ben", "eve")} <= set(whisper.unnoticed)
    assert ("eve", "ann") not in whisper.unnoticed
    assert ("eve", "ben") not in whisper.unnoticed
    told.happen({"kind": "spied", "actor": "eve", "on": None})
    assert "eve" not in details(told.happen(says("ann")))


def test_spying_ends_when_the_spy_goes_elsewhere() -> None:
    told = Told({"kind": "spied", "actor": "cy", "on": "attic"})
    told.walk("cy", "hall")
    assert details(told.happen(says("dee")))["cy"] is THAT, "as through any shut door"


def letter(**more: Any) -> dict[str, Any]:
    said = claim("cup", "state", "broken", "The cup is broken.")
    body = {"message": "m1", "words": "The cup is broken.", "tells": [said]}
    return body | more


def test_a_message_tells_whoever_reads_it_and_those_near_see_that_it_is_read() -> None:
    told = Told()
    sent = told.happen({"kind": "message_sent", "actor": "ann", "to": "cy", **letter()})
    assert details(sent) == {"ann": FULL, "ben": THAT}
    assert not told.view("cy").known.saying("cup", "state")  # type: ignore[arg-type]
    read = told.happen({"kind": "message_read", "actor": "cy", "sender": "ann", **letter()})
    assert details(read) == {"cy": FULL}
    [fact] = told.view("cy").known.saying("cup", "state")  # type: ignore[arg-type]
    assert (fact.route, fact.source) == ("told", "ann")
    with pytest.raises(StageError, match="no message on its way `m1`"):
        told.happen({"kind": "message_read", "actor": "cy", "sender": "ann", **letter()})


def test_a_message_withheld_never_arrives_and_one_only_read_does() -> None:
    for withheld in (True, False):
        told = Told({"kind": "message_sent", "actor": "ann", "to": "cy", **letter()})
        taken = {"kind": "message_read", "actor": "dee", "sender": "ann", "withheld": withheld}
        told.happen(taken | letter())
        assert told.view("dee").known.saying("cup", "state")  # type: ignore[arg-type]
        assert ("m1" in told.world.stage.letters) is not withheld


def test_a_message_says_what_was_sent_or_is_refused() -> None:
    told = Told({"kind": "message_sent", "actor": "ann", "to": "cy", **letter()})
    forged = {"kind": "message_read", "actor": "cy", "sender": "ann", "message": "m1"}
    with pytest.raises(StageError, match="says something else"):
        told.happen(forged | {"words": "All is well.", "tells": []})


def test_a_voice_from_off_the_stage_is_heard_in_the_place_and_not_by_who_calls() -> None:
    told = Told({"kind": "stage_set", "places": {"eve": None}})
    call = told.happen(says("eve", "Help!", into="hall"))
    assert details(call) == {"ann": FULL, "ben": FULL, "cy": FULL, "dee": THAT}


def test_who_rose_from_the_dead_perceives_again() -> None:
    told = Told(turns("ben", "died"))
    assert "ben" not in details(told.happen(says("ann")))
    told.happen(turns("ben", "rose"))
    assert details(told.happen(says("ann")))["ben"] is FULL


def test_several_who_come_in_together_all_witness_it() -> None:
    told = Told({"kind": "left", "actor": "ann", "place": "hall", "alongside": ["ben"]})
    came = told.happen({"kind": "entered", "actor": "ann", "place": "yard", "alongside": ["ben"]})
    assert details(came) == {"ann": FULL, "ben": FULL, "cy": FULL}
    assert told.world.stage.place_of[CharacterId("ben")] == "yard"


def test_what_is_found_by_searching_is_seen_by_all_there_and_lies_open_after() -> None:
    things = [{"id": "packet", "name": "the packet", "place": "hall", "concealed": True}]
    told = Told(canon=canon_with(things=things, facts=[]))
    assert told.view("ann").things == []
    with pytest.raises(StageError, match="not within reach"):
        told.happen(acts("ann", "reads it", examines="packet"))
    found = told.happen({"kind": "thing_found", "actor": "ann", "thing": "packet"})
    assert details(found) == {"ann": FULL, "ben": FULL}
    assert [seen.id for seen in told.view("ben").things] == ["packet"]
    with pytest.raises(StageError, match="is not hidden where"):
        told.happen({"kind": "thing_found", "actor": "ann", "thing": "packet"})


def test_who_comes_in_unseen_is_noticed_by_nobody_and_hears_all() -> None:
    told = Told()
    told.happen({"kind": "state_turned", "actor": "cy", "state": "hid"})
    gone = told.happen({"kind": "left", "actor": "cy", "place": "yard", "to_place": "hall"})
    came = told.happen({"kind": "entered", "actor": "cy", "place": "hall", "unseen": True})
    assert details(gone) == {"cy": FULL}
    assert details(came) == {"cy": FULL}
    line = told.happen(says("ann"))
    assert details(line)["cy"] is FULL
    assert ("ann", "cy") in line.unnoticed
    assert [p.id for p in told.view("ann").people] == ["ben"]
    told.happen({"kind": "state_turned", "actor": "cy", "state": "found"})
    assert [p.id for p in told.view("ann").people] == ["ben", "cy"]
