"""Wordings in the first and second person."""

import pytest

from sandbox.story.persons import in_person


@pytest.mark.parametrize(
    ("wording", "slot", "person", "said"),
    [
        ("{s} took {o}.", "s", 1, "I took {o}."),
        ("{s} is looking for {o}.", "s", 1, "I am looking for {o}."),
        ("{s} is looking for {o}.", "s", 2, "you are looking for {o}."),
        ("{s} still owes {o}.", "s", 1, "I still owe {o}."),
        ("{s} has yet to pay {o}.", "s", 2, "you have yet to pay {o}."),
        ("{s} carries {o}.", "s", 1, "I carry {o}."),
        ("What {s} dreads is {o}.", "s", 1, "What I dread is {o}."),
        ("It was {o} who took {s}.", "o", 1, "It was me who took {s}."),
        ("{o} cheated {s} over it.", "s", 1, "{o} cheated me over it."),
        ("{s} was blamed.", "s", 2, "you were blamed."),
    ],
)
def test_english_puts_pronoun_and_verb_in_the_person(
    wording: str, slot: str, person: int, said: str
) -> None:
    assert list(in_person("en", [wording], {slot: person})) == [said]


@pytest.mark.parametrize(
    "wording", ["The way of {s} led to {o}.", "{s} and {o} came to terms.", "It is {s}'s own."]
)
def test_what_would_sound_wrong_in_the_person_is_passed_over(wording: str) -> None:
    assert list(in_person("en", [wording], {"s": 1})) == []


def test_chinese_needs_no_more_than_the_pronoun() -> None:
    assert list(in_person("zh", ["{s}欠着{o}的账。"], {"s": 1, "o": 2})) == ["我欠着你的账。"]
