"""What the mind without a model does with secrets, doubts and rumours, in both languages, whatever chance says."""

import pytest

from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import DOUBT
from sandbox.story.canon import Canon
from tests.property.house import (
    ASKED_BY_BEN,
    ASKED_BY_CY,
    BECAUSE,
    BEN,
    QUESTION,
    TAKEN,
    chinese,
    claims,
    fact,
    house,
    lies,
    moves,
    person,
)
from tests.property.scenes import Told, acts, claim, says, whispers

# ── lies ──────────────────────────────────────────────────────────────────────────────────────


def test_who_keeps_the_answer_lies_or_evades_and_never_tells_it() -> None:
    told = Told(ASKED_BY_CY, canon=house())
    found = list(moves(told, "ann"))
    assert all(("cup", "taken_by", "ann", "claimed") not in claims(m) for m in found)
    lying = [m for m in found if m.tells]
    assert lying
    assert len(lying) < len(found)
    for move in lying:
        ((subject, predicate, object_, mode),) = claims(move)
        assert (subject, predicate, mode) == (*TAKEN, "claimed")
        assert told.view("ann").kind_of(object_) == "character"
        assert object_ not in ("ann", "cy")
        assert move.thought == BECAUSE
        assert BECAUSE not in move.words


def test_a_lie_accuses_nobody_aloud_who_stands_by() -> None:
    told = Told(ASKED_BY_CY, canon=house())
    for move in lies(told, "ann"):
        (said,) = move.tells
        assert move.whisper or said.object == "dee", move.words


def test_who_has_lied_says_the_same_to_whoever_asks() -> None:
    lie = claim("cup", "taken_by", "dee", "It was Dee who took the cup.")
    line = says("ann", "It was Dee who took the cup.", "cy", tells=[lie])
    told = Told(ASKED_BY_CY, line, ASKED_BY_BEN, canon=house())
    again = lies(told, "ann")
    assert again
    assert {c.object for m in again for c in m.tells} == {"dee"}


def test_nobody_is_lied_to_who_saw_it_done() -> None:
    seen = fact(
        "theft", "cup", "taken_by", "ann", "Ann took the cup.",
        scene="supper", experienced=["ann"], observed=["cy"],
    )  # fmt: skip
    late = fact("late", "dee", "was_at", "attic", "Dee sat up late.", common=True)
    told = Told(ASKED_BY_CY, canon=house(facts=[seen, late]))
    assert lies(told, "ann") == []
    # Ben did not: he is lied to, and in his ear, as Cy knows better.
    asked = Told(ASKED_BY_BEN, canon=house(facts=[seen, late]))
    assert lies(asked, "ann")
    assert all(move.whisper for move in lies(asked, "ann"))


def test_nobody_is_lied_to_about_their_own_affair() -> None:
    seen = fact("theft", "cup", "taken_by", "cy", "Cy took the cup.", observed=["ann"])
    late = fact("late", "dee", "was_at", "attic", "Dee sat up late.", common=True)
    assert lies(Told(ASKED_BY_CY, canon=house(facts=[seen, late])), "ann") == []
    assert lies(Told(ASKED_BY_BEN, canon=house(facts=[seen, late])), "ann")


def test_who_told_somebody_the_truth_does_not_lie_to_them_afterwards() -> None:
    truth = claim("cup", "taken_by", "ann", "I took the cup.")
    told = Told(says("ann", "I took the cup.", "cy", tells=[truth]), ASKED_BY_CY, canon=house())
    assert lies(told, "ann") == []


def test_friends_are_lied_to_less_than_strangers() -> None:
    to_friend = lies(Told(ASKED_BY_BEN, canon=house()), "ann", 400)
    to_stranger = lies(Told(ASKED_BY_CY, canon=house()), "ann", 400)
    assert 0 < len(to_friend) < len(to_stranger)


def test_a_friend_is_never_accused() -> None:
    out = fact("out", "ben", "was_at", "yard", "Ben was out.", common=True)
    told = Told(canon=house(facts=[*house().model_dump()["facts"], out]))
    told.walk("ben", "yard")
    told.happen(ASKED_BY_CY)
    assert {c.object for m in lies(told, "ann") for c in m.tells} == {"dee"}


def test_who_stands_accused_by_a_lie_is_not_told_it() -> None:
    said = "It was Cy who took the cup."
    lie = claim("cup", "taken_by", "cy", said)
    told = Told(whispers("ann", said, "ben", tells=[lie]), ASKED_BY_CY, canon=house())
    assert lies(told, "ann") == []


def test_who_has_a_secret_answers_for_somebody_else_who_is_asked_for_it() -> None:
    told = Told(says("cy", "Who took the cup?", "ben", asks=QUESTION), canon=house())
    assert {m.to for m in lies(told, "ann")} == {("cy",)}
    for _ in range(8):  # and no more when the question is no longer in the air
        told.happen(acts("ben"))
    assert not lies(told, "ann")


def test_nobody_lies_unasked_when_the_talk_gets_near_a_secret() -> None:
    said = "The cup was in the yard."
    near = [claim("cup", "was_at", "yard", said)]
    told = Told(says("cy", said, "ben", tells=near), canon=house())
    assert lies(told, "ann") == []
    told.happen(says("cy", "Who took the cup?", "ben", asks=QUESTION))
    assert {m.to for m in lies(told, "ann")} == {("cy",)}


# ── doubts ────────────────────────────────────────────────────────────────────────────────────

SAID = "It was Dee who took the cup."
TELLING = [claim("cup", "taken_by", "dee", SAID)]


def test_who_is_told_something_by_one_it_does_not_trust_says_that_it_doubts_it() -> None:
    told = Told(says("cy", SAID, "ben", tells=TELLING), canon=house())
    assert {m.words for m in moves(told, "ben")} & set(DOUBT["en"])
    trusting = Told(says("ann", SAID, "ben", tells=TELLING), canon=house())
    assert not {m.words for m in moves(trusting, "ben")} & set(DOUBT["en"])


def test_a_doubted_answer_is_asked_of_somebody_else_and_not_of_who_gave_it() -> None:
    told = Told(says("cy", SAID, "ben", tells=TELLING), canon=house())
    asking = [m for m in moves(told, "ben") if m.asks and m.asks.subject == "cup"]
    assert asking
    assert {m.to for m in asking} == {("ann",)}
    told.walk("ann", "yard")
    assert not [m for m in moves(told, "ben") if m.asks and m.asks.predicate == "taken_by"]


def test_a_believed_answer_is_asked_of_nobody() -> None:
    told = Told(says("ann", SAID, "ben", tells=TELLING), canon=house())
    assert not [m for m in moves(told, "ben") if m.asks and m.asks.subject == "cup"]


def test_a_doubted_word_is_passed_on_as_a_guess_with_who_said_it() -> None:
    told = Told(whispers("cy", SAID, "ben", tells=TELLING), canon=house())
    told.walk("cy", "yard")
    told.happen(says("ann", "Who took the cup?", "ben", asks=QUESTION))
    answers = [m for m in moves(told, "ben") if m.tells]
    assert answers
    for move in answers:
        assert claims(move) == [("cup", "taken_by", "dee", "supposed")]
        assert "Cy" in move.words


def test_a_doubted_word_is_not_passed_on_to_who_has_heard_it() -> None:
    told = Told(says("cy", SAID, "ben", tells=TELLING), canon=house())
    told.walk("cy", "yard")
    told.happen(says("ann", "Who took the cup?", "ben", asks=QUESTION))
    assert not [m for m in moves(told, "ben") if m.tells]
    other = Told(whispers("cy", SAID, "ben", tells=TELLING), canon=house())
    other.walk("cy", "yard")
    guess = "Cy has it that it was Dee who took the cup."
    hint = [claim("cup", "taken_by", "dee", guess) | {"mode": "supposed"}]
    other.happen(says("ben", guess, "ann", tells=hint))
    other.happen(says("ann", "Who took the cup?", "ben", asks=QUESTION))
    assert not [m for m in moves(other, "ben") if m.tells]


def test_two_answers_that_do_not_agree_are_asked_about_before_neither_teller() -> None:
    other = claim("cup", "taken_by", "eve", "Eve took the cup.")
    told = Told(
        says("dee", "Eve took the cup.", tells=[other], into=None),
        canon=house(characters=[
            person("ann"), person("ben", wants=[{"question": "Who took the cup?", **QUESTION}]),
            person("cy"), person("dee"), person("eve", home="far"),
        ]),
    )  # fmt: skip
    told.happen(says("cy", SAID, "ben", tells=TELLING))
    asking = [m for m in moves(told, "ben") if m.asks and m.asks.subject == "cup"]
    assert asking
    assert {m.to for m in asking} == {("ann",)}


# ── rumours ───────────────────────────────────────────────────────────────────────────────────


EVE = claim("eve", "was_at", "far", "Eve was in the far.")


def test_what_is_said_of_somebody_away_goes_to_a_friend_with_its_source() -> None:
    people = [*house().characters[:1], person("ben", relations=[{"to": "ann", "kind": "friend"}])]
    others = [person("cy"), person("dee", home="yard"), person("eve", home="far")]
    told = Told(
        whispers("cy", "Eve was in the far.", "ben", tells=[EVE]),
        canon=house(characters=[*people, *others]),
    )
    told.walk("cy", "yard")
    passed = [m for m in moves(told, "ben") for c in m.tells if c.subject == "eve"]
    assert passed
    for move in passed:
        assert move.to == ("ann",)
        assert "Cy" in move.words
        assert claims(move) == [("eve", "was_at", "far", "claimed")]


def test_what_was_found_out_about_a_friend_is_told_to_nobody_before_them_nor_to_the_untrusted() -> (
    None
):
    truth = claim("cup", "taken_by", "ann", "Ann has the cup.")
    told = Told(whispers("dee", "Ann has the cup.", "ben", tells=[truth]), canon=upstairs())
    assert not [m for m in moves(told, "ben") for c in m.tells if c.object == "ann"]
    told.walk("dee", "attic")
    assert not [m for m in moves(told, "ben") for c in m.tells if c.object == "ann"]
    told.walk("ann", "attic")
    passed = [m for m in moves(told, "ben") for c in m.tells if c.object == "ann"]
    assert {m.to for m in passed} == {("eve",)}


def upstairs() -> Canon:
    """Dee is in the hall too, and Eve, whom Ben trusts; he does not trust Cy."""
    people = [c.model_dump() for c in house().characters[:3]]
    return house(characters=[*people, person("dee"), person("eve")])


def test_only_a_trusted_answer_answers_a_question_of_any_kind() -> None:
    asks = {"subject": "dee"}
    said = "Dee was in the yard."
    tells = [claim("dee", "was_at", "yard", said)]
    for teller, answered in (("cy", set()), ("ann", {("dee", None)})):
        asked = says("ben", "And Dee?", teller, asks=asks)
        told = Told(asked, says(teller, said, "ben", tells=tells), canon=house())
        notebook = Notebook(BEN)
        notebook.update(told.view("ben"))
        assert notebook.answered == answered


def test_what_a_friend_confided_goes_no_further() -> None:
    told = Told(whispers("ann", "Eve was in the far.", "ben", tells=[EVE]), canon=house())
    told.walk("ann", "yard")
    assert not [m for m in moves(told, "ben") for c in m.tells if c.subject == "eve"]


# ── in Chinese ────────────────────────────────────────────────────────────────────────────────


def test_lies_and_hearsay_are_chinese_in_a_chinese_world() -> None:
    told = Told(says("cy", "杯子是谁拿的？", "ann", asks=QUESTION), canon=chinese())
    lying = lies(told, "ann")
    assert {m.tells[0].said for m in lying} >= {"杯子是小迪拿的。"}
    said = "杯子是小迪拿的。"
    doubted = [claim("cup", "taken_by", "dee", said)]
    told = Told(whispers("cy", said, "ben", tells=doubted), canon=chinese())
    assert {m.words for m in moves(told, "ben")} & set(DOUBT["zh"])
    told.walk("cy", "yard")
    told.happen(says("ann", "杯子是谁拿的？", "ben", asks=QUESTION))
    answers = {m.words for m in moves(told, "ben") if m.tells}
    assert answers
    assert all("老赛" in words for words in answers)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_same_view_and_chance_give_the_same_choice(language: str) -> None:
    told = Told(ASKED_BY_CY, canon=chinese() if language == "zh" else house())
    assert list(moves(told, "ann", 30)) == list(moves(told, "ann", 30))
