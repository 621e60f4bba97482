"""Budgets of a request: it stays within them for any view, and what matters most goes last."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from statistics import mean
from typing import Any

import pytest
from pydantic import ValidationError

from sandbox.agents.fusing import Material
from sandbox.agents.fusing.files import heading_tokens
from sandbox.agents.fusing.fitting import (
    Sources,
    all_shortened,
    cut,
    filled,
    fitted,
    named,
    text_tokens,
)
from sandbox.agents.fusing.parts import BLOCK_SHARES, PARTS, Block, parts_of
from sandbox.evals.prompts import slope
from sandbox.settings import ModelSettings
from sandbox.story.ids import FactId
from sandbox.story.items import Language
from sandbox.story.percepts import percept_id
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from tests.property.scenes import Told, claim, says
from tests.unit.agents.fusing_stories import (
    LEAST,
    LIMITS,
    SMALL_MODEL,
    WINDOW_TOKENS,
    WORDS,
    canon_of,
    crowd,
    facts,
    persona,
    still,
    text_of,
    tokens_of,
)

LANGUAGES: tuple[Language, ...] = ("en", "zh")
SIZES = {"500": LEAST, "default": LIMITS, "4,096-token model": SMALL_MODEL}


def test_the_shares_of_each_block_and_of_the_blocks_make_a_whole() -> None:
    assert sum(BLOCK_SHARES.values()) == pytest.approx(1)
    for block in Block:
        assert sum(part.share for part in parts_of(block)) == pytest.approx(1)
        ranks = [part.rank for part in parts_of(block)]
        assert ranks == sorted(set(ranks), reverse=True)


@pytest.mark.parametrize("block", Block)
def test_parts_give_way_by_rank_the_most_needed_last(block: Block) -> None:
    """Everybody wants more than there is; headings cost nothing here."""
    parts = parts_of(block)
    sources = Sources({}, {part.name: partial(cut, "word " * 1500) for part in parts})
    none = dict.fromkeys((slot for part in parts for slot in part.fills), 0)
    for budget in range(0, 400, 20):
        texts = filled(parts, sources, "en", none, budget).texts
        assert sum(map(text_tokens, texts.values())) <= budget
        left = budget
        for part in parts:
            if left < part.least:
                break
            left -= max(part.least, int(part.share * budget))
            assert text_tokens(texts[part.name]) >= min(part.least, 5)
    silent = Sources({}, dict(sources.own) | {parts[-1].name: lambda budget: ""})
    texts = filled(parts, silent, "en", none, 1000).texts
    left_over = int(parts[-1].share * 1000)
    assert text_tokens(texts[parts[0].name]) >= int(parts[0].share * 1000) + left_over * 0.8


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("manner", ["", "_brief"])
def test_every_part_has_its_slots_in_the_prompt_files(language: Language, manner: str) -> None:
    slots = {slot for part in PARTS for slot in part.fills}
    assert slots | {"earlier", "unanswered"} == set(heading_tokens(language, manner))


LARGE: Mapping[str, Callable[[Language], Told]] = {
    "who has not moved for 300 beats": lambda language: still(language, 300),
    "who knows 3,000 facts": lambda language: still(language, 3, facts=facts(3000, language)),
    "who stands among 100 people": lambda language: still(
        language, 3, crowd=crowd(100, language, looks=40)
    ),
    "who has 400 sentences in each text of its own": lambda language: still(
        language, 3, ann=persona(400, language)
    ),
    "who has all of it": lambda language: still(
        language,
        300,
        facts=facts(3000, language),
        crowd=crowd(100, language, looks=40),
        ann=persona(400, language),
    ),
}


@cache
def large(who: str, language: Language) -> CharacterView:
    """Ann, to whom Ben has just said the last thing that happened."""
    told = LARGE[who](language)
    told.happen(says("ben", WORDS[language]["last"]))
    return told.view("ann")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("who", LARGE)
def test_no_view_is_too_large_and_what_matters_most_stays(
    who: str, language: Language, size: str
) -> None:
    view, limits = large(who, language), SIZES[size]
    known = [fact.handle for fact in view.known]
    material = Material(
        asked=WORDS[language]["question"],
        found=tuple(known[::7]),
        memories=tuple(percept_id(percept) for percept in view.percepts[:200]),
        conclusion=tuple(known[-90:]),
    )
    text = text_of(view, material, limits)
    assert tokens_of(view, material, limits) <= limits.prompt_tokens
    assert WORDS[language]["last"] in text
    assert WORDS[language]["question"] in text
    assert "Ben" in text.split(WORDS[language]["last"])[0]


def test_a_small_model_has_room_for_the_reply_beside_the_prompt() -> None:
    assert SMALL_MODEL.prompt_tokens + SMALL_MODEL.max_tokens == WINDOW_TOKENS
    assert ModelSettings(context_tokens=32_000).prompt_budget == LIMITS.prompt_tokens
    with pytest.raises(ValidationError, match="leaves 496 for a prompt, and it needs 500"):
        ModelSettings(context_tokens=1096)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_large_budget_is_used(language: Language) -> None:
    told = still(language, 300, facts=facts(3000, language), ann=persona(400, language))
    assert 0.9 * LIMITS.prompt_tokens < tokens_of(told.view("ann"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prompt_does_not_grow_with_the_length_of_the_story(language: Language) -> None:
    """Scenes open and close, and every third line tells something new."""
    told, sizes, words = Told(canon=canon_of(language)), list[int](), WORDS[language]
    for n in range(210):
        if n % 10 == 0:
            told.happen(*closed(n // 10, words["line"]), opening(n // 10 + 1))
        line = words["line"].format(n=f"{n:03}")
        news = claim("yard", "said_about", f"{n:03}", line)
        told.happen(says("ben" if n % 2 else "ann", line, tells=[news] if n % 3 == 0 else []))
        sizes.append(tokens_of(told.view("ann")))
    # A scene has its own rise and fall; three of them and ten pieces of news make one round.
    rounds = [mean(sizes[at : at + 30]) for at in range(90, 210, 30)]
    assert abs(slope(rounds)) / 30 * 100 <= 4
    assert max(sizes) <= LIMITS.prompt_tokens


def opening(number: int) -> dict[str, Any]:
    return {"kind": "scene_opened", "scene": f"s{number}", "place": "hall", "number": number}


def closed(number: int, text: str) -> list[dict[str, Any]]:
    """The close of a scene with Ann's summary of it; nothing before the first."""
    if not number:
        return []
    written = {"kind": "episode_written", "owner": "ann", "rests_on": []}
    return [
        {"kind": "scene_closed", "scene": f"s{number}", "place": "hall"},
        written | {"scene": f"s{number}", "text": text.format(n=number) * 8},
    ]


@pytest.mark.parametrize("size", SIZES)
def test_what_happened_last_is_never_left_out_however_long_it_is(size: str) -> None:
    told = Told(says("ben", "Before."), says("ben", "The roof is on fire! " + "Run! " * 700))
    assert "The roof is on fire!" in text_of(told.view("ann"), limits=SIZES[size])


@pytest.mark.parametrize("size", SIZES)
def test_a_long_question_is_still_put_by_its_beginning(size: str) -> None:
    asked = Material(asked="Who was at the mill? " + "I want to know. " * 700)
    assert "Who was at the mill?" in text_of(Told().view("ann"), asked, SIZES[size])


def test_a_fact_that_answers_is_shown_before_all_others_and_named() -> None:
    told = still("en", 3, facts=facts(3000))
    for limits in SIZES.values():
        material = Material(
            asked="Which?",
            found=tuple(FactId(f"fact_{n}") for n in range(500)),
            conclusion=(FactId("fact_1234"),),
        )
        text = text_of(told.view("ann"), material, limits)
        (line,) = [line for line in text.splitlines() if "number 1234" in line]
        number = line.removeprefix("- ").split(":")[0]
        assert text.rstrip().splitlines()[-3].endswith(f": {number}")


def test_what_is_older_than_the_percepts_shown_stands_in_one_line() -> None:
    told = Told()
    told.happen({"kind": "narrated", "text": "The bridge fell.", "place": "hall"})
    for n in range(40):
        told.happen(says("ben", f"Line {n}. " + "So it went on. " * 3))
    text = text_of(told.view("ann"))
    assert "- The bridge fell." not in text
    assert "\nThe bridge fell." in text


def test_in_a_crowd_those_who_did_something_just_now_are_named_first() -> None:
    told = Told(canon=canon_of(crowd=crowd(100)))
    told.happen(says("p77", "Here I am."))
    text = text_of(told.view("ann"), limits=LEAST)
    (here,) = [line for line in text.splitlines() if line.startswith("Here: ")]
    assert here.startswith("Here: Person 77; Ben; ")
    assert here.endswith(" more")


def test_tokens_of_chinese_are_counted_as_such_where_a_text_is_made_to_fit() -> None:
    """A fault of others: undercounted threefold, a Chinese text ran over the model's window."""
    chinese = "他说了又说，谁也拦不住他。" * 40
    assert 40 <= len(cut(chinese, 50)) <= 52
    assert 150 <= len(cut("He went on and nobody could stop him. " * 40, 50)) <= 180
    (line,) = fitted([chinese], 50)
    assert len(line) <= 50


@pytest.mark.parametrize("budget", range(0, 120, 7))
def test_what_is_made_to_fit_fits(budget: int) -> None:
    texts = ["short", "A sentence of some length that goes on. " * 3, "他说了又说。" * 9]
    for text in texts:
        assert not cut(text, budget) or estimated_tokens(cut(text, budget)) <= budget
    assert sum(estimated_tokens(f"- {line}\n") for line in fitted(texts, budget)) <= budget
    shown = all_shortened(texts, budget)
    assert sum(estimated_tokens(f"- {line}\n") for line in shown) <= max(budget, 0)
    names = named(texts, "en", budget)
    assert not names or estimated_tokens(names) <= budget
