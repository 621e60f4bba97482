"""Leaks and faults that an attacker found. Each is closed; each stays a test."""

from typing import Any

import pytest
from pydantic import ValidationError

from sandbox.agents.minds import Move
from sandbox.engine.ordering import carry_out
from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.story.commands import Say
from sandbox.story.events import LineSpoken
from sandbox.story.ids import CharacterId
from tests.property.scenes import Plain, Told, acts, claim, says, turns
from tests.property.strategies import small_canon

CUP: Plain = {"kind": "thing_changed", "actor": None, "thing": "cup"}


def people(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [c.model_dump(by_alias=True) | changes.get(c.id, {}) for c in small_canon().characters]


def later(**over: Any) -> Any:
    """The small world with a second scene, and what begins with it."""
    first = small_canon().scenes[0].model_dump()
    second = first | {"id": "night", "clock": "23:00", "episodes": {}}
    return small_canon(scenes=[first, second], **over)


def test_a_false_name_does_not_give_away_the_true_one() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(says("cy", "I am Bob.", tells=[claim("cy", "is_named", "Bob", "I am Bob.")]))
    assert "Cy Dorn" not in told.view("ben").names("cy")


def test_a_thing_shows_nothing_that_belongs_to_a_later_scene() -> None:
    theft = small_canon().facts[0].model_dump(by_alias=True) | {"scene": "night"}
    told = Told(acts("ann", "turns it", examines="cup"), canon=later(facts=[theft]))
    assert "Ben took the cup." not in told.knows("ann")


def test_the_name_of_somebody_who_comes_later_is_not_known() -> None:
    zed = {"id": "zed", "name": "Zed Key", "home": "far", "name_known_to": [], "from": "night"}
    ann = {"relations": [{"to": "zed", "text": "An enemy."}]}
    told = Told(canon=later(characters=[*people(ann=ann), zed]))
    view = told.view("ann")
    assert "Zed" not in " ".join(view.names(other) for other, _ in view.relations)


def test_a_place_that_is_not_there_yet_is_no_exit() -> None:
    places = [
        p.model_dump(by_alias=True) | ({"from": "night"} if p.id == "yard" else {})
        for p in small_canon().places
    ]
    told = Told(canon=later(places=places, characters=people(cy={"home": "hall"})))
    assert [e.called for e in told.view("ann").exits] == ["the attic"]


def test_who_sees_a_thing_go_does_not_learn_where_it_went() -> None:
    told = Told(CUP | {"place": "far"})
    assert "The cup is in the far." not in told.knows("ann")


@pytest.mark.parametrize("where", [{"holder": "nobody"}, {"place": "nowhere"}])
def test_a_thing_goes_to_nobody_and_nowhere_that_is_not_there(where: Plain) -> None:
    with pytest.raises(StageError):
        Told(CUP | where)


def test_nobody_is_seen_to_leave_for_a_place_that_no_way_leads_to() -> None:
    with pytest.raises(StageError):
        Told({"kind": "left", "actor": "ann", "place": "hall", "to_place": "secret_vault"})


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "fact_granted", "fact": "nothing", "to": ["ann"], "route": "observed"},
        {"kind": "fact_granted", "fact": "debt", "to": ["nobody"], "route": "observed"},
        {"kind": "episode_written", "owner": "nobody", "scene": "s1", "text": "x", "rests_on": []},
    ],
)
def test_an_event_about_nobody_is_refused_before_it_is_in_the_journal(event: Plain) -> None:
    with pytest.raises(StageError):
        Told(event)


def test_a_fact_known_to_somebody_who_is_gone_does_not_break_the_start() -> None:
    canon = later(characters=people(ben={"until": "night"}))
    Told(canon=canon, start="night")


def test_the_state_of_a_thing_names_no_stranger() -> None:
    told = Told(CUP | {"state": "signed by Cy Dorn"})
    assert "Cy Dorn" not in " ".join([*told.remembers("ben"), *told.knows("ben")])


def test_a_statement_of_the_canon_names_no_stranger() -> None:
    theft = small_canon().facts[0].model_dump(by_alias=True)
    statement = theft | {"subject": "cy", "statement": "Cy Dorn took the cup."}
    told = Told(canon=small_canon(facts=[statement]))
    assert "Cy Dorn" not in " ".join(f.statement for f in told.view("ben").known)


def test_what_somebody_hidden_does_is_not_seen() -> None:
    told = Told(turns("ben", "hid"), acts("ben", "takes the key"))
    assert told.remembers("ann") == ["Ben hid."]


def test_a_whisper_to_nobody_is_not_said_aloud() -> None:
    told = Told()
    command = Say(character=CharacterId("ann"), words="The key!", whisper=True)
    ordered = [h.event for h in carry_out(command, told.world, told.beats).happened]
    staging = Staging(told.world.stage)
    staging.move(CharacterId("ann"), Move(words="The key!", whisper=True))
    events = [*ordered, *(h.event for h in staging.happened)]
    assert not [event for event in events if isinstance(event, LineSpoken)]


def test_nobody_hears_a_claim_that_the_words_do_not_hold() -> None:
    with pytest.raises((ValidationError, StageError)):
        Told(says("ann", "Nice weather.", tells=[claim("cup", "took", "ben", "Ben took it.")]))


def test_hearsay_is_passed_on_with_nothing_that_was_not_said() -> None:
    told = Told()
    heard = claim("cup", "took", "forty crowns of ransom", "It was no accident.")
    told.happen(says("ann", "It was no accident.", "ben", tells=[heard]))
    view = told.view("ben")
    (fact,) = [f for f in view.known if f.source == "ann" and f.learned_turn]
    assert "ransom" not in view.voiced(fact.handle)


def test_a_name_that_was_read_on_a_thing_is_kept_as_it_was_read() -> None:
    theft = small_canon().facts[0].model_dump(by_alias=True)
    parcel = theft | {
        "subject": "cup",
        "object": "a name",
        "statement": "On the cup stands Cy Dorn.",
    }
    told = Told(canon=small_canon(facts=[parcel]))
    assert "On the cup stands Cy Dorn." in [f.statement for f in told.view("ben").known]


def test_what_somebody_hidden_takes_or_whispers_gives_nothing_away_to_others() -> None:
    told = Told(turns("ben", "hid"))
    told.happen({"kind": "thing_changed", "actor": "ben", "thing": "cup", "holder": "ben"})
    assert told.remembers("ann") == ["Ben hid."]
    whisper = {"kind": "whispered", "actor": "ben", "words": "Psst.", "targets": ["ann"]}
    told.happen(whisper)
    assert told.remembers("ann")[-1] == 'Ben whispered to me: "Psst."'
    assert "ben" in told.view("ann").percepts[-1].noticed


def test_a_claim_needs_a_predicate_of_the_worlds_list() -> None:
    with pytest.raises(StageError, match="no predicate `nopred`"):
        Told(says("ann", "So it is.", tells=[claim("cup", "nopred", "ben", "So it is.")]))


def test_who_whispers_from_a_hiding_place_stays_hidden_and_who_speaks_aloud_does_not() -> None:
    told = Told(turns("ben", "hid"))
    told.happen({"kind": "whispered", "actor": "ben", "words": "Psst.", "targets": ["ann"]})
    assert "ben" in told.world.stage.hidden
    told.happen(says("ben", "Here I am."))
    assert "ben" not in told.world.stage.hidden
