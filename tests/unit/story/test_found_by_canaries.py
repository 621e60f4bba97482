"""Leaks that canary runs found: what the blind, the distracted and a deaf or blind spy were given."""

from typing import Any

import pytest

from sandbox.story.asking.why import why_own
from sandbox.story.ids import CharacterId
from sandbox.story.predicates import IS_NAMED
from sandbox.story.telling.told import told_by
from sandbox.story.viewpoint import cast_seen, transcript
from tests.property.scenes import FULL, THAT, Plain, Told, acts, says, turns, whispers
from tests.property.strategies import small_canon

ANN = CharacterId("ann")


def put(**places: str) -> Plain:
    """They are there of a sudden, and nobody saw them come."""
    return {"kind": "stage_set", "places": places}


def seen_by_ann(told: Told) -> list[str]:
    return [who for who, _, _ in cast_seen(told.world, ANN) if who != ANN]


def heard_with_ann(told: Told) -> list[str]:
    """Whom Ann noticed beside her as the last thing happened."""
    return [heard.name for heard in list(transcript(told.world, ANN))[-1].heard]


# ── the blind ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("event", [says("ben"), says("ann"), acts("ben", "jumps")])
def test_the_blind_do_not_notice_who_came_without_a_word(event: Plain) -> None:
    told = Told(turns("ann", "blinded"), put(dee="hall"))
    happened = told.happen(event)
    assert ("ann", "dee") in happened.unnoticed
    assert ("ben", "dee") not in happened.unnoticed, "Ben sees her"
    assert seen_by_ann(told) == ["ben"]
    assert "Dee" not in heard_with_ann(told)


def test_the_blind_do_not_think_that_one_of_whom_they_do_not_know_has_heard() -> None:
    said = {"subject": "cup", "predicate": "state", "object": "cracked", "said": "It cracked."}
    told = Told(turns("ann", "blinded"), put(dee="hall"))
    told.happen(says("ben", "It cracked.", tells=[said]))
    (fact,) = told.view("ann").known.saying("cup", "state")  # type: ignore[arg-type]
    assert not told.view("ann").thinks_knows(CharacterId("dee"), fact.handle)


@pytest.mark.parametrize(
    "before",
    [
        [put(dee="hall"), turns("ann", "blinded")],
        [turns("ann", "blinded"), put(dee="hall"), says("dee", "It is I.")],
        [turns("ann", "blinded"), put(dee="hall"), says("ben", "Come in.", "dee")],
        [turns("ann", "blinded"), put(dee="hall"), whispers("ben", "Come in.", "dee")],
        [turns("ann", "blinded"), put(dee="attic", ann="attic")],
    ],
    ids=["seen before", "heard", "addressed", "whispered to", "set there together"],
)
def test_the_blind_notice_those_of_whom_they_know_that_they_are_there(before: list[Plain]) -> None:
    told = Told(*before)
    if told.world.stage.place_of[ANN] == "hall":
        assert ("ann", "dee") not in told.happen(says("ben")).unnoticed
    else:
        assert ("ann", "dee") not in told.happen(says("ann")).unnoticed


@pytest.mark.parametrize(
    "meanwhile",
    [
        [put(dee="attic"), put(dee="hall")],
        [put(ann="attic"), put(ann="hall")],
        [{"kind": "disguised", "actor": "dee", "seen_as": "cy"}],
    ],
    ids=["gone and come back", "gone itself", "somebody else now"],
)
def test_the_blind_lose_touch(meanwhile: list[Plain]) -> None:
    told = Told(put(dee="hall"), turns("ann", "blinded"), *meanwhile)
    assert ("ann", "dee") in told.happen(says("ben")).unnoticed


def test_whom_the_blind_cannot_hear_they_do_not_come_to_know_of() -> None:
    told = Told(turns("ann", "blinded"), turns("ann", "deafened"), put(dee="hall"), says("dee"))
    assert ("ann", "dee") in told.happen(acts("ben")).unnoticed


def test_who_sees_again_notices_all() -> None:
    told = Told(turns("ann", "blinded"), put(dee="hall"), turns("ann", "seeing"))
    assert ("ann", "dee") not in told.happen(says("ben")).unnoticed


def test_who_was_there_at_first_is_not_taken_for_somebody_it_is_dressed_up_as_since() -> None:
    told = Told(turns("ann", "blinded"), put(ben="attic"))
    told.happen({"kind": "disguised", "actor": "ben", "seen_as": "cy"})
    told.happen(put(ben="hall"))
    assert seen_by_ann(told) == []


# ── the distracted ────────────────────────────────────────────────────────────────────────────


def test_who_does_not_attend_is_not_told_what_somebody_heard_before_looks_like() -> None:
    # Heard through the door, from the hall, into which Ann then comes with her mind elsewhere.
    told = Told(put(cy="hall", ann="yard"), says("cy"), turns("ann", "distracted"))
    told.happen(put(ann="hall"))
    assert [(p.id, p.looks) for p in told.view("ann").people] == [("ben", ""), ("cy", "")]
    told.happen(turns("ann", "attentive"))
    assert ("cy", "wet") in [(p.id, p.looks) for p in told.view("ann").people]


# ── spies ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("state", "event", "detail"),
    [
        ("deafened", says("ann"), THAT),
        ("deafened", whispers("ann", "Hush.", "ben"), THAT),
        ("deafened", says("ann", "Hush.", "ben", aside=True), THAT),
        ("deafened", acts("ann"), FULL),
        ("blinded", says("ann"), FULL),
        ("blinded", acts("ann"), THAT),
        ("blinded", turns("ann", "hid"), THAT),
        ("distracted", says("ann"), None),
    ],
)
def test_a_spy_takes_in_what_its_senses_let_it_as_if_it_stood_there(
    state: str, event: Plain, detail: Any
) -> None:
    told = Told({"kind": "spied", "actor": "eve", "on": "hall"}, turns("eve", state))
    assert told.happen(event).witnesses.get(CharacterId("eve")) is detail


# ── where something was learned ───────────────────────────────────────────────────────────────


def test_what_everybody_knows_of_a_scene_nobody_learned_in_a_place_it_was_not_in() -> None:
    rain = {
        "id": "rain",
        "subject": "yard",
        "predicate": "said_about",
        "object": "rain",
        "statement": "It rains.",
        "common": True,
        "scene": "supper",
    }
    world = Told(canon=small_canon(facts=[rain])).world
    saying = next(fact.proposition for fact in world.facts.values() if fact.id == "rain")
    was_there = {who for who in world.grants if why_own(world, who, saying).chain[0].place}
    assert was_there == set(world.canon.scenes[0].roster.present)
    assert was_there < set(world.grants)


# ── names ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("The cup is the visitor.", []),
        ("Ben is the visitor.", []),
        ("The visitor is called Dorn.", [("cy", "Dorn")]),
        ("The visitor is called Cy Dorn.", [("cy", "Cy Dorn")]),
    ],
)
def test_a_name_is_told_by_who_says_it_and_not_by_words_that_stand_for_its_bearer(
    words: str, named: list[tuple[str, str]]
) -> None:
    told = told_by(words, ANN, [CharacterId("ben")], Told().world)
    assert [(c.subject, c.object) for c in told if c.predicate == IS_NAMED] == named
