"""What a view says of beliefs, trust and others' knowledge: always from its own character's side."""

import inspect

import pytest

from sandbox.errors import BoundaryError
from sandbox.story.beliefs import Standing
from sandbox.story.believing import Believing
from sandbox.story.ids import CharacterId, FactId, PredicateId
from tests.property.house import chinese, fact, house, person
from tests.property.scenes import Told, claim, says, whispers

TAKEN_BY = PredicateId("taken_by")
SAID = "It was Dee who took the cup."
TELLING = [claim("cup", "taken_by", "dee", SAID)]
ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")


def test_a_view_believes_what_its_character_was_told_by_one_it_trusts() -> None:
    told = Told(says("cy", SAID, "ben", tells=TELLING), canon=house())
    assert told.view("ann").believes("cup", TAKEN_BY) == ("ann",)
    assert told.view("ben").believes("cup", TAKEN_BY) == ()
    (held,) = told.view("ben").holds("cup", TAKEN_BY)
    assert (held.object, held.source, held.standing) == ("dee", "cy", Standing.DOUBTED)


def test_what_is_held_follows_the_story() -> None:
    told = Told(canon=house())
    assert told.view("ben").believes("cup", TAKEN_BY) == ()
    told.happen(says("ann", SAID, "ben", tells=TELLING))
    assert told.view("ben").believes("cup", TAKEN_BY) == ("dee",)


def test_a_denial_is_no_answer_and_stands_nowhere() -> None:
    denied = [{**TELLING[0], "mode": "denied"}]
    told = Told(says("cy", SAID, "ann", tells=denied), canon=house())
    view = told.view("ann")
    (heard,) = [f for f in view.known if f.source == "cy"]
    assert view.standing(heard.handle) is None
    assert view.believes("cup", TAKEN_BY) == ("ann",)
    assert [held.object for held in view.holds("cup", TAKEN_BY)] == ["ann"]


def test_one_thinks_that_others_know_what_one_perceived_them_learn_and_no_more() -> None:
    told = Told(whispers("ann", SAID, "ben", tells=TELLING), canon=house())
    view = told.view("ben")
    (heard,) = [f for f in view.known if f.source == "ann"]
    assert view.thinks_knows(ANN, heard.handle)
    assert not view.thinks_knows(CY, heard.handle)
    told.walk("ben", "yard")
    told.happen(whispers("ann", SAID, "cy", tells=TELLING))
    assert not told.view("ben").thinks_knows(CY, heard.handle)
    told.walk("ben", "hall")
    told.happen(says("ben", SAID, "cy", tells=TELLING))
    assert told.view("ben").thinks_knows(CY, heard.handle)


def test_a_view_says_nothing_of_a_fact_outside_its_boundary() -> None:
    view = Told(canon=house()).view("ben")
    with pytest.raises(BoundaryError):
        view.standing(FactId("theft"))
    with pytest.raises(BoundaryError):
        view.thinks_knows(ANN, FactId("theft"))
    with pytest.raises(BoundaryError):
        view.hearsay(FactId("theft"), ANN)


def test_no_chain_of_a_view_can_begin_with_another() -> None:
    """Nothing that a view offers takes the holder of a belief: it is always its own character."""
    for name, method in vars(Believing).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            assert not {"chain", "who", "holder", "me"} & set(inspect.signature(method).parameters)
    told = Told(canon=house())
    assert told.view("ben").holds("cup", TAKEN_BY) == ()
    assert told.view("ann").holds("cup", TAKEN_BY) != ()


def test_what_a_view_holds_carries_no_evidence() -> None:
    told = Told(says("cy", SAID, "ben", tells=TELLING), canon=house())
    (held,) = told.view("ben").holds("cup", TAKEN_BY)
    assert set(vars(held)) == {"object", "source", "standing"}


def test_what_somebody_says_of_itself_or_to_whom_it_is_about_is_in_their_person() -> None:
    view = Told(canon=house()).view("ann")
    assert view.asserted("ann", PredicateId("was_at"), "yard", BEN) == "I was in the yard."
    assert view.asserted("ben", PredicateId("was_at"), "yard", BEN) == "you were in the yard."
    assert view.asserted("cup", TAKEN_BY, "ann", BEN) == "it was me who took the cup."
    assert view.asserted("cup", TAKEN_BY, "cy", BEN, 1) == "it was Cy who took the cup."
    mandarin = Told(canon=chinese()).view("ann")
    assert mandarin.asserted("cup", TAKEN_BY, "ann", BEN) == "杯子是我拿的。"
    assert mandarin.asserted("cup", TAKEN_BY, "ben", BEN) == "杯子是你拿的。"


def test_who_asks_where_or_who_is_told_by_the_question_word() -> None:
    for canon in (house(), chinese()):
        view = Told(canon=canon).view("ann")
        assert view.asked_after(TAKEN_BY) == "person"
        assert view.asked_after(PredicateId("hidden_in")) == "place"
        assert view.asked_after(PredicateId("was_at")) == "other"


def test_hearsay_names_its_source_and_what_was_seen_does_not() -> None:
    told = Told(says("ann", SAID, "ben", tells=TELLING), canon=house())
    (heard,) = [f for f in told.view("ben").known if f.source == "ann"]
    for turn in range(3):
        said = told.view("ben").hearsay(heard.handle, CY, turn)
        assert "Ann" in said
        assert "Dee" in said
    assert "Ann" not in told.view("ben").voiced(heard.handle, CY)
    own = Told(
        canon=house(facts=[fact("seen", "dee", "was_at", "yard", "Dee was out.", observed=["ben"])])
    )
    assert own.view("ben").hearsay(FactId("seen"), CY) == "Dee was out."


def test_a_name_that_is_a_secret_is_not_said_before_who_does_not_know_it() -> None:
    name = fact("name", "cy", "is_named", "Cy Dorn", "He is Cy Dorn.", observed=["ann"])
    people = [c.model_dump() for c in house().characters if c.id != "cy"]
    looks = {"name_known_to": ["ann"], "known_as": "the visitor"}
    stranger = person("cy") | looks | {"name": "Cy Dorn"}
    told = Told(canon=house(characters=[*people, stranger], facts=[name]))
    view = told.view("ann")
    assert view.names("cy") == "Cy Dorn"
    assert view.called("cy", BEN) == "the visitor"
    assert view.asserted("cup", TAKEN_BY, "cy", BEN) == "the cup was taken by the visitor."
    said = "He is Cy Dorn."
    told.happen(says("ann", said, "ben", tells=[claim("cy", "is_named", "Cy Dorn", said)]))
    assert told.view("ann").called("cy", BEN) == "Cy Dorn"
