"""What counts as held: what others say, do and show, and never what somebody made up itself."""

from collections.abc import Callable

import pytest

from sandbox.agents.guarding import Guard, passed
from tests.houses import world
from tests.property.scenes import Plain, Told, acts, says, whispers

FLAT = {
    "en": "It was Osric who drew out the bridge money, to pay for a barge of spoiled barley.",
    "zh": "孟樵半夜回来给爹妈上坟磕头，天不亮就翻过山口走了。",
}
WHO = {"en": ("ines", "mara"), "zh": ("fang_xu", "du_shuisheng")}
"""A character that does not hold it, and another in the same place."""
TAKEN = {"subject": "bridge_fund", "predicate": "taken_by", "object": "osric"}


def story(language: str, *events: Plain) -> Told:
    canon = world(language).canon
    return Told(*events, canon=canon, start=canon.default_start)


def may_say(told: Told, who: str, words: str) -> bool:
    return Guard(told.view(who)).check(words) is None


def thinks(who: str, text: str) -> Plain:
    return {"kind": "thought", "actor": who, "text": text}


def keeps(who: str, text: str) -> Plain:
    return {"kind": "episode_written", "owner": who, "scene": "s1", "text": text, "rests_on": []}


def grows(who: str, text: str) -> Plain:
    words = {"situation": text, "manner": text, "samples": [text]}
    return {"kind": "pattern_grown", "owner": who, "rests_on": [], **words}


# ── what somebody made up itself ──────────────────────────────────────────────────────────────

OWN: dict[str, Callable[[str, str], Plain]] = {
    "line": says,
    "deed": lambda who, text: acts(who, f"writes: {text}"),
    "deed with a first person": lambda who, text: acts(who, "writes", first=f"write: {text}"),
    "thought": thinks,
    "summary": keeps,
    "pattern": grows,
    "mood": lambda who, text: {"kind": "mood_turned", "actor": who, "mood": text},
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("made", OWN)
def test_nobody_comes_to_hold_what_it_made_up_itself(language: str, made: str) -> None:
    me, _ = WHO[language]
    event = OWN[made](me, FLAT[language])
    told = story(language)
    assert not may_say(told, me, FLAT[language])
    told.happen(event)
    assert not may_say(told, me, FLAT[language])
    assert not may_say(story(language, event), me, FLAT[language]), "nor when it is read anew"


def test_a_question_put_as_a_thought_does_not_license_its_answer() -> None:
    why = "I wonder why Osric drew out the bridge money to pay for a barge of spoiled barley."
    told = story("en", thinks("ines", why), keeps("ines", why))
    assert not may_say(told, "ines", FLAT["en"])


def test_a_name_that_somebody_used_itself_is_no_better_known_for_that() -> None:
    said = "I must speak with Bartholomew Fisk."
    told = story("en", says("ines", said, "mara"))
    assert not may_say(told, "ines", said)
    assert may_say(told, "mara", said), "she heard it"


def test_a_name_that_somebody_gave_itself_is_its_own_from_then_on() -> None:
    told = story("en", says("vane", "My name is Edmund Hale.", "tobin"))
    assert may_say(told, "vane", "It is written here as Edmund Hale.")


def test_an_episode_of_the_canon_is_held() -> None:
    hester = story("en").view("hester")
    episodes = [e.text for e in hester.episodes if e.turn == 0]
    assert episodes
    assert [text for text in episodes if passed(hester, text) != text] == []


# ── what others say, do and write ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("made", ["line", "deed"])
def test_what_another_says_or_writes_is_held_by_who_took_it_in(language: str, made: str) -> None:
    me, other = WHO[language]
    told = story(language)
    told.happen(OWN[made](other, FLAT[language]))
    assert may_say(told, me, FLAT[language])


GUESSED = [
    ("en", f"I think that {FLAT['en'][0].lower()}{FLAT['en'][1:]}", FLAT["en"]),
    ("zh", f"也许{FLAT['zh']}", FLAT["zh"]),
    ("en", "Perhaps Osric took the bridge money.", "Osric took the bridge money."),
    ("en", "Did Osric take the bridge money?", "Osric took the bridge money."),
    ("zh", "也许铜铃是老何动的。", "铜铃是老何动的。"),
    ("zh", "铜铃是老何动的吗？", "铜铃是老何动的。"),
]


@pytest.mark.parametrize(("language", "guess", "flat"), GUESSED)
@pytest.mark.parametrize("made", ["line", "deed"])
def test_what_another_guesses_or_asks_does_not_license_saying_it_flatly(
    language: str, guess: str, flat: str, made: str
) -> None:
    me, other = WHO[language]
    told = story(language)
    told.happen(OWN[made](other, guess))
    assert not may_say(told, me, flat)


def test_a_guess_that_was_told_as_one_is_no_value_held() -> None:
    said = "Perhaps Osric took the bridge money."
    told = story(
        "en", says("mara", said, "ines", tells=[TAKEN | {"said": said, "mode": "supposed"}])
    )
    assert any(fact.is_guess for fact in told.view("ines").known)
    assert not may_say(told, "ines", "Osric took the bridge money.")
    told.happen(says("mara", FLAT["en"], "ines", tells=[TAKEN | {"said": FLAT["en"]}]))
    assert may_say(told, "ines", "Osric took the bridge money.")


def test_what_is_whispered_to_others_is_not_held() -> None:
    told = story("en", whispers("mara", FLAT["en"], "osric"))
    assert not may_say(told, "ines", FLAT["en"])


def test_a_deed_that_was_seen_is_held_as_it_was_done() -> None:
    told = story("en", acts("osric", "burns a letter with the crown of the post in the candle"))
    assert may_say(told, "ines", "Osric burned a letter in the candle, with the crown on it.")
