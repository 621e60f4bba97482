"""What no other test would have missed of how words are heard (docs/mutation.md)."""

import pytest

from sandbox.story.beliefs import Standing, entries
from sandbox.story.claims import Claim, Question
from sandbox.story.hearing import Hearer, as_heard, asked_as_heard
from sandbox.story.routes import Route
from tests.property.scenes import Told, claim, says
from tests.property.strategies import small_canon
from tests.unit.story.test_killed_mutants import BEN, CY, STATE, cy_as_pedlar
from tests.unit.story.test_killed_mutants_of_grants import announces, joins, league
from tests.unit.story.test_perception_senses import canon_with

# ── names that cannot be placed ───────────────────────────────────────────────────────────────


def ben_hears(said: str, *what: str, words: str | None = None, mode: str = "claimed") -> Told:
    """Ann, who knows the visitor by name, tells Ben, who does not."""
    told = Told(canon=league())
    one = claim(what[0], what[1], what[2], said) | {"mode": mode}
    told.happen(says("ann", words or said, "ben", tells=[one]))
    return told


def held_by_ben(told: Told) -> list[tuple[str, str, str]]:
    """What Ben learned in play: subject, object, sentence."""
    return [(f.subject, f.object, f.statement) for f in told.view("ben").known if f.learned_turn]


def names_the_visitor(told: Told, mode: str = "claimed", name: str = "Cy Dorn") -> None:
    words = f"The visitor is called {name}."
    one = claim("cy", "is_named", name, words) | {"mode": mode}
    told.happen(says("ann", words, "ben", tells=[one]))


@pytest.mark.parametrize("name", ["Cy Dorn", "Dorn"])
def test_of_a_name_one_cannot_place_one_keeps_as_much_as_was_said(name: str) -> None:
    said = f"{name} is late."
    assert held_by_ben(ben_hears(said, "cy", "state", "late")) == [(name, "late", said)]


def test_a_name_called_out_in_capitals_is_the_same_name() -> None:
    told = ben_hears("DORN IS LATE!", "cy", "state", "late")
    assert held_by_ben(told) == [("Dorn", "late", "DORN IS LATE!")]


def test_once_named_the_word_of_somebody_not_trusted_is_still_doubted() -> None:
    told = Told(canon=league(person={"ben": {"trust": {"ann": 0.1}}}))
    late = claim("cy", "state", "late", "Dorn is late.")
    told.happen(says("ann", "Dorn is late.", "ben", tells=[late]))
    names_the_visitor(told)
    [entry] = entries(told.world, [BEN], "cy", STATE)
    assert entry.standing is Standing.DOUBTED


def test_a_newcomer_who_cannot_place_a_name_is_briefed_on_the_name_alone() -> None:
    told = Told(canon=league())
    told.happen(announces("ann", claim("cy", "state", "late", "Dorn is late."), to="league"))
    told.happen(joins("ben"))
    assert held_by_ben(told) == [("Dorn", "late", "Dorn is late.")]


def test_a_newcomer_is_briefed_on_somebody_whom_no_word_names_as_on_that_one() -> None:
    told = Told(canon=league())
    told.happen(announces("ann", claim("cy", "state", "late", "He is late."), to="league"))
    told.happen(joins("ben"))
    assert held_by_ben(told) == [("cy", "late", "He is late.")]


def test_what_its_own_sentence_does_not_name_is_of_the_name_that_the_line_gives() -> None:
    told = ben_hears("He is late.", "cy", "state", "late", words="No Dorn yet. He is late.")
    assert held_by_ben(told) == [("Dorn", "late", "He is late.")]


def test_what_a_letter_says_is_of_the_name_that_the_letter_gives() -> None:
    told = Told(canon=league())
    late = claim("cy", "state", "late", "He is late.")
    letter = {"message": "m1", "words": "No Dorn yet. He is late.", "tells": [late]}
    told.happen({"kind": "message_sent", "actor": "ann", "to": "ben", **letter})
    told.happen({"kind": "message_read", "actor": "ben", "sender": "ann", **letter})
    assert held_by_ben(told) == [("Dorn", "late", "He is late.")]


def test_the_name_in_the_sentence_itself_goes_before_another_in_the_line() -> None:
    told = ben_hears("Dorn is late.", "cy", "state", "late", words="Cy Dorn? Dorn is late.")
    assert held_by_ben(told) == [("Dorn", "late", "Dorn is late.")]


def test_what_is_said_of_somebody_by_looks_alone_is_known_to_be_of_that_one() -> None:
    told = ben_hears("The visitor is late.", "cy", "state", "late")
    assert held_by_ben(told) == [("cy", "late", "The visitor is late.")]


@pytest.mark.parametrize("mode", ["claimed", "supposed", "denied"])
def test_once_named_a_guess_or_denial_of_a_mere_name_is_one_of_the_person(mode: str) -> None:
    told = ben_hears("Dorn is late.", "cy", "state", "late", mode=mode)
    names_the_visitor(told)
    of_name, _, of_person = told.view("ben").known.pick([*told.world.grants[BEN]][-3:])
    assert (of_name.subject, of_person.subject) == ("Dorn", "cy")
    for known in (of_name, of_person):
        assert known.is_guess is (mode == "supposed")
        assert known.is_denied is (mode == "denied")
        assert (known.route, known.source, known.statement) == (Route.TOLD, "ann", "Dorn is late.")
    [grant] = told.world.grants[BEN][of_person.handle]
    assert grant.because.turn == 2, "by the event that gave the name"
    assert grant.said == "Dorn is late."


def test_once_named_what_was_heard_of_others_stays_as_it_was() -> None:
    told = ben_hears("The cup is late.", "cup", "state", "late")
    before = held_by_ben(told)
    names_the_visitor(told)
    assert [f for f in held_by_ben(told) if f[1] != "Cy Dorn"] == before


@pytest.mark.parametrize(
    ("mode", "name"), [("supposed", "Cy Dorn"), ("denied", "Cy Dorn"), ("claimed", "Bob")]
)
def test_a_guessed_a_denied_and_a_false_name_place_nobody(mode: str, name: str) -> None:
    told = ben_hears("Dorn is late.", "cy", "state", "late")
    names_the_visitor(told, mode, name)
    assert told.world.strangers[BEN] == {CY}
    assert ("cy", "late", "Dorn is late.") not in held_by_ben(told)


def test_an_alias_places_somebody_as_well_as_the_name() -> None:
    told = ben_hears("Cy Dorn is late.", "cy", "state", "late")
    names_the_visitor(told, name="Dorn")
    assert told.world.strangers[BEN] == frozenset()
    assert ("cy", "late", "Cy Dorn is late.") in held_by_ben(told)


def test_the_name_of_somebody_who_is_not_in_the_cast_is_a_fact_like_any_other() -> None:
    told = ben_hears("A sailor is called Bob.", "a sailor", "is_named", "Bob")
    assert held_by_ben(told) == [("a sailor", "Bob", "A sailor is called Bob.")]


def test_that_somebody_bears_a_name_is_heard_as_said_and_not_of_the_name_itself() -> None:
    told = Told(canon=league())
    names_the_visitor(told)
    assert held_by_ben(told) == [("cy", "Cy Dorn", "The visitor is called Cy Dorn.")]


def test_of_two_who_hear_a_name_each_learns_of_whom_it_can_place() -> None:
    told = Told(canon=canon_with({"dee": {"home": "hall"}}, facts=[]))
    late = claim("cy", "state", "late", "Dorn is late.")
    told.happen(says("dee", "Dorn is late.", tells=[late]))
    subjects = {
        who: [f.subject for f in told.view(who).known if f.learned_turn] for who in ("ann", "ben")
    }
    assert subjects == {"ann": ["cy"], "ben": ["Dorn"]}


# ── what is said of and by somebody disguised ─────────────────────────────────────────────────


def test_what_somebody_disguised_says_of_itself_is_heard_of_whom_it_seems_to_be() -> None:
    told = cy_as_pedlar()
    told.happen(says("cy", "I am late.", "ben", tells=[claim("cy", "state", "late", "I am late.")]))
    assert held_by_ben(told) == [("pedlar", "late", "I am late.")]


def test_what_is_said_of_somebody_by_its_own_looks_is_heard_of_that_one_though_it_is_disguised() -> (
    None
):
    told = cy_as_pedlar()
    said = "THE VISITOR is late."
    told.happen(says("ann", said, "ben", tells=[claim("cy", "state", "late", said)]))
    assert held_by_ben(told) == [("cy", "late", said)]


@pytest.mark.parametrize(
    ("words", "about"),
    [("Where is Dorn?", "Dorn"), ("Where is the visitor?", "cy"), ("Where are you?", "pedlar")],
)
def test_what_a_line_asks_for_is_heard_of_whom_its_hearer_can_place(words: str, about: str) -> None:
    canon, asked = small_canon(), Question(subject="cy", predicate=STATE)
    heard = asked_as_heard(asked, words, canon, Hearer({CY}, {"cy": "pedlar"}))
    assert heard == Question(subject=about, predicate=STATE)
    assert asked_as_heard(asked, words, canon, Hearer((), {})) == asked


def test_a_question_is_heard_by_who_only_lacks_the_name_or_only_sees_the_disguise() -> None:
    canon, asked = small_canon(), Question(subject="cy", predicate=STATE)
    by_name = asked_as_heard(asked, "Where is Dorn?", canon, Hearer({CY}, {}))
    assert by_name.subject == "Dorn"
    by_sight = asked_as_heard(asked, "Where are you?", canon, Hearer((), {"cy": "pedlar"}))
    assert by_sight.subject == "pedlar"


def test_a_name_is_heard_as_it_is_though_somebody_disguised_has_it_for_an_id() -> None:
    named = Claim.model_validate(claim("ben", "is_named", "cy", "Ben is called cy."))
    hearer = Hearer((), {"cy": "pedlar"})
    assert as_heard(named, named.said, small_canon(), hearer) == named
