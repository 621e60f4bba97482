"""The mind without a model minds who is in the room: whom it asks, whom it speaks of, what it stops at."""

from sandbox.agents.rehearsal.phrases import ASK_ELSEWHERE, IGNORANCE
from sandbox.story.people import Occasion
from tests.property.house import ASKED_BY_BEN, ASKED_BY_CY, fact, house, moves
from tests.property.scenes import Told, claim, says

LATE = "Ben sat up late."


def test_a_question_goes_to_somebody_who_is_named_with_its_subject() -> None:
    seen = fact("dusting", "cup", "was_at", "hall", "Ann dusted the cup.", common=True)
    told = Told(canon=house(facts=[seen]))
    asked = [m.to for m in moves(told, "cy") if m.asks and m.asks.predicate == "taken_by"]
    assert set(asked) == {("ann",)}


def test_nobody_is_spoken_of_aloud_in_the_third_person_where_they_stand_by() -> None:
    late = fact("late", "ben", "was_at", "attic", LATE, observed=["cy"])
    told = Told(canon=house(facts=[late]))
    spoken = [m for m in moves(told, "cy") if m.tells and m.to == ("ann",)]
    assert spoken
    assert all(m.whisper for m in spoken)


def test_who_does_not_know_says_so_in_words_that_fit_any_question() -> None:
    found = [m.words for m in moves(Told(ASKED_BY_CY, canon=house(facts=[])), "ann")]
    plain = {*IGNORANCE["en"], *(f.format(who="Ben") for f in ASK_ELSEWHERE["en"])}
    assert found
    assert set(found) <= plain


def test_who_asked_waits_for_the_answer_before_saying_more() -> None:
    told = Told(ASKED_BY_BEN, canon=house())
    assert not [m for m in moves(told, "ben") if m.words or m.go]


def test_who_hears_itself_spoken_of_reacts_before_anything_else() -> None:
    pattern = {
        "id": "start", "owner": "ben", "situation": "news", "manner": "I start.",
        "occasions": [Occasion.LEARNING], "samples": ["Well, I never."],
    }  # fmt: skip
    about = [claim("ben", "was_at", "attic", LATE)]
    told = Told(says("cy", LATE, "ann", tells=about), canon=house(patterns=[pattern]))
    assert {m.words for m in moves(told, "ben")} == {"Well, I never."}
    assert {m.to for m in moves(told, "ben")} == {("cy",)}
