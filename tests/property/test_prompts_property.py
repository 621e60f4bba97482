"""Requests of made-up characters in made-up stories: within the budget, and of their own view alone."""

import re
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.agents.fusing import Limits, Material, fused
from sandbox.story.canon import Canon
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.items import Language
from sandbox.story.percepts import percept_id
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from tests.property.scenes import Told, says
from tests.property.strategies import CAST, START, History, histories
from tests.unit.agents.fusing_stories import (
    WORDS,
    canon_of,
    crowd,
    facts,
    persona,
    text_of,
    tokens_of,
)

limits = st.builds(
    Limits,
    max_tokens=st.integers(16, 600),
    prompt_tokens=st.integers(500, 4000),
    temperature=st.just(0.8),
    percepts=st.integers(4, 60),
)


def material_of(view: CharacterView, data: st.DataObject) -> Material:
    """Anything that is the character's own."""
    known = [fact.handle for fact in view.known]
    lived = [percept_id(percept) for percept in view.percepts] + [e.id for e in view.episodes]
    some = st.lists(st.sampled_from(known), unique=True) if known else st.just([])
    memories = st.lists(st.sampled_from(lived), unique=True) if lived else st.just([])
    return Material(
        asked=data.draw(st.sampled_from(["", "Who?", "Who was at the mill? " * 90])),
        anchors=tuple(data.draw(memories)),
        memories=tuple(data.draw(memories)),
        found=tuple(data.draw(some)),
        conclusion=data.draw(st.none() | some.map(tuple)),
        refused=data.draw(st.booleans()),
    )


@settings(max_examples=60, deadline=None)
@given(histories(), limits, st.sampled_from(CAST), st.data())
def test_a_request_holds_what_its_owner_knows_and_fits(
    history: History, limit: Limits, who: str, data: st.DataObject
) -> None:
    world = fold(history.canon, START, history.beats).world
    view = CharacterView(world, CharacterId(who))
    material = material_of(view, data)
    assert tokens_of(view, material, limit) <= limit.prompt_tokens
    prompt = fused(view, material, limit)
    assert len(set(prompt.numbered)) == len(prompt.numbered)
    assert view.known.pick(prompt.numbered)
    text = text_of(view, material, limit)
    numbers = [int(n) for n in re.findall(r"^- f(\d+): ", text, re.MULTILINE)]
    assert numbers == list(range(1, len(prompt.numbered) + 1))
    own = " ".join([*map(view.worded, view.percepts), *(fact.statement for fact in view.known)])
    marks = set(re.findall(r"\bw\d{3}\b", text))  # one in each text of a made-up story
    assert marks <= set(re.findall(r"\bw\d{3}\b", f"{own} {view.mood}"))


@cache
def large(language: Language, sentences: int, known: int, people: int) -> Canon:
    return canon_of(
        language,
        ann=persona(sentences, language),
        facts=facts(known, language),
        crowd=crowd(people, language, looks=1 + sentences // 10),
    )


@settings(max_examples=60, deadline=None)
@given(
    st.builds(
        large,
        st.sampled_from(["en", "zh"]),
        st.sampled_from([1, 8, 60, 400]),
        st.sampled_from([0, 1, 30, 300]),
        st.sampled_from([0, 1, 30]),
    ),
    st.lists(st.integers(1, 60), max_size=30),
    limits,
    st.data(),
)
def test_no_character_is_too_much_for_its_budget_in_either_language(
    canon: Canon, lengths: list[int], limit: Limits, data: st.DataObject
) -> None:
    told = Told(canon=canon)
    for n, length in enumerate(lengths):
        words = f"No. {n:03}: {WORDS[canon.language]['sentence'] * length}"
        told.happen(says("ben" if n % 3 else "ann", words))
    view = told.view("ann")
    assert tokens_of(view, material_of(view, data), limit) <= limit.prompt_tokens
    if lengths:
        assert f"No. {len(lengths) - 1:03}: " in text_of(view, limits=limit)


@settings(max_examples=30, deadline=None)
@given(histories(), limits, st.sampled_from(CAST), st.data())
def test_what_stands_before_what_is_new_does_not_depend_on_it(
    history: History, limit: Limits, who: str, data: st.DataObject
) -> None:
    world = fold(history.canon, START, history.beats).world
    view = CharacterView(world, CharacterId(who))
    plain, full = (
        fused(view, material, limit).request.messages
        for material in (Material(), material_of(view, data))
    )
    assert plain[0] == full[0]
    heads = [m[1].content.split("\n\n")[0] for m in (plain, full)]
    if heads[0].startswith(("How you are", "What you have long known", "Your manner", "You know:")):
        assert heads[0] == heads[1]
    assert estimated_tokens(plain[0].content) > 100
