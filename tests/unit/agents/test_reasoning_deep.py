"""Deep probing: at most two requests, each with the persona first; nothing a model replies is an error."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from sandbox.agents.fusing import Limits, Material, fused
from sandbox.agents.minds import Situation
from sandbox.agents.reasoning.deep import (
    PROBE_SCHEMA,
    Probes,
    deep_request,
    probe_deep,
    read_probes,
    widen,
)
from sandbox.agents.reasoning.pool import FactPool, Way
from sandbox.agents.reasoning.probes import probe_fast
from sandbox.agents.reasoning.questions import question_of
from sandbox.agents.reasoning.synthesis import Grounded, Refusal, synthesise
from sandbox.errors import BoundaryError, ModelUnavailableError
from sandbox.memory.store import Layer
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.scripted import Script, ScriptedModel
from sandbox.story.chance import Chance
from sandbox.story.ids import FactId
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from tests.property.house import chinese, fact, house, person
from tests.property.scenes import Told, says

LIMITS = Limits(max_tokens=300, prompt_tokens=2000, temperature=0.8, percepts=8)
WHY = "Why was the cup in the hall?"


class Outside:
    """A scripted model, and searches whose answers are given."""

    def __init__(self, *replies: Script, finds: Sequence[str] = ()) -> None:
        self.model = ScriptedModel(list(replies))
        self.steps: list[tuple[str, int]] = []
        self.searched: list[tuple[Layer, str]] = []
        self._finds = tuple(finds)

    async def recall(
        self, layer: Layer, query: str, limit: int, *, supporting: bool = False
    ) -> tuple[str, ...]:
        self.searched.append((layer, query))
        return self._finds[:limit]

    async def reply(
        self, step: str, attempt: int, request: Request
    ) -> AsyncGenerator[Chunk | Usage, None]:
        self.steps.append((step, attempt))
        async with aclosing(self.model.stream(request)) as pieces:
            async for piece in pieces:
                yield piece


def situation_of(view: CharacterView, outside: Outside) -> Situation:
    return Situation(view, Chance(1, 1, "s1", view.me), outside)


def asks(*questions: str, enough: bool = False) -> str:
    return json.dumps({"enough": enough, "ask": list(questions)}, ensure_ascii=False)


def plain(id_: str, subject: str, object_: str, statement: str) -> dict[str, Any]:
    return fact(id_, subject, "was_at", object_, statement, observed=["ann"])


def lonely() -> list[dict[str, Any]]:
    others = ("ben", "cy", "dee", "eve")
    return [person("ann"), *(person(who, home="far") for who in others)]


FAR = [
    plain("cup", "cup", "yard", "The cup was in the yard."),
    plain("dee", "dee", "ring", "Dee was with the ring."),
    plain("eve", "eve", "coin", "Eve was with the coin."),
]


def gathered(told: Told, words: str = "Where was the cup?") -> tuple[CharacterView, FactPool]:
    view = told.view("ann")
    return view, probe_fast(view, question_of(words, view))


def story(**over: Any) -> Told:
    return Told(canon=house(facts=FAR, characters=lonely(), **over))


async def test_its_own_questions_widen_the_pool_until_it_has_enough() -> None:
    view, pool = gathered(story())
    assert [f.handle for f in pool] == ["cup"]
    outside = Outside(asks("What do I know about Dee?"), asks(enough=True))
    situation = situation_of(view, outside)
    rounds = await probe_deep(situation, question_of(WHY, view), (), pool, LIMITS)
    assert [f.handle for f in pool] == ["cup", "dee"]
    assert [r.enough for r in rounds] == [False, True]
    assert outside.steps == [("probe:1", 0), ("probe:2", 0)]
    assert outside.searched == [(Layer.SEMANTIC, "What do I know about Dee?")]
    assert situation.cost.calls == 2
    assert situation.cost.prompt_tokens > 0
    assert len(situation.trace.requests) == 2
    assert pool.growth[-1].probe.way is Way.SUB_QUESTION


async def test_it_asks_twice_at_most() -> None:
    view, pool = gathered(story())
    outside = Outside(asks("What of Dee?"), asks("What of Eve?"), asks("What of the cup?"))
    await probe_deep(situation_of(view, outside), None, (), pool, LIMITS)
    assert len(outside.steps) == 2
    assert {f.handle for f in pool} == {"cup", "dee", "eve"}


async def test_a_round_that_adds_nothing_is_the_last() -> None:
    view, pool = gathered(story())
    outside = Outside(asks("Where was the cup?"), asks("What of Dee?"))
    await probe_deep(situation_of(view, outside), None, (), pool, LIMITS)
    assert outside.steps == [("probe:1", 0)]


async def test_who_has_enough_asks_no_more_whatever_else_it_says() -> None:
    view, pool = gathered(story())
    outside = Outside(asks("What of Dee?", enough=True))
    await probe_deep(situation_of(view, outside), None, (), pool, LIMITS)
    assert [f.handle for f in pool] == ["cup"]
    assert outside.searched == []


MALFORMED = [
    "",
    "   ",
    "I should ask about Dee.",
    "{",
    '{"enough": ',
    "[]",
    "null",
    '"What of Dee?"',
    '{"thought": "hm"}',
    '{"ask": 7}',
    '{"ask": {"a": "What of Dee?"}}',
    '{"ask": [1, null, [], {}]}',
    '{"enough": false}',
    "<think>{",
    "}" * 1000,
    "[" * 100_000,
    '{"ask": ["' + "x" * 1_000_000,
]


@pytest.mark.parametrize("reply", MALFORMED)
def test_what_cannot_be_read_asks_nothing(reply: str) -> None:
    assert read_probes(reply) == Probes(enough=False, ask=())


@pytest.mark.parametrize(
    ("reply", "ask"),
    [
        (asks("a?", "b?", "c?", "d?"), ("a?", "b?", "c?")),
        (asks("a?", "a?", " ", "b?"), ("a?", "b?")),
        ('{"ask": "a?"}', ("a?",)),
        ("```json\n" + asks("a?") + "\n```", ("a?",)),
        ("<think>What of Dee?</think>" + asks("谁？"), ("谁？",)),
        ("Here: " + asks("a\x1b[31m\n?"), ("a[31m ?",)),
    ],
)
def test_questions_are_read_out_of_what_stands_around_them(
    reply: str, ask: tuple[str, ...]
) -> None:
    assert read_probes(reply).ask == ask


def test_a_question_is_bounded() -> None:
    (ask,) = read_probes(asks("x" * 5000)).ask
    assert len(ask) == 200


async def test_a_model_that_fails_ends_the_probing_and_not_the_move() -> None:
    view, pool = gathered(story())
    failures: list[Script] = [
        [ModelUnavailableError("down", transient=True)],
        [Chunk("{"), ModelUnavailableError("cut", transient=False)],
        [],
    ]
    for failing in failures:
        outside = Outside(failing)
        situation = situation_of(view, outside)
        assert await probe_deep(situation, None, (), pool, LIMITS) == ()
        assert outside.steps == [("probe:1", 0)]
        assert situation.cost.calls == 1


async def test_it_is_still_refused_what_it_does_not_know() -> None:
    """Ben may ask himself whatever he likes about the theft."""
    told = Told(canon=house())
    view = told.view("ben")
    words = "Who took the cup?"
    asked = question_of(words, view)
    pool = probe_fast(view, asked)
    outside = Outside(asks(words, "Did Ann take the cup?", "What of Ann and the cup?"))
    await probe_deep(situation_of(view, outside), asked, (), pool, LIMITS)
    assert isinstance(synthesise(view, asked, pool), Refusal)
    assert all(f.handle in view.known for f in pool)


async def test_a_search_that_brings_what_is_not_its_own_is_an_error_of_the_program() -> None:
    view = Told(canon=house()).view("ben")
    outside = Outside(asks("What of Ann?"), finds=["theft"])
    with pytest.raises(BoundaryError):
        await probe_deep(situation_of(view, outside), None, (), FactPool(view.known), LIMITS)


async def test_a_why_that_it_comes_upon_late_is_followed_too() -> None:
    facts = [
        fact(
            "hall", "cup", "was_at", "hall", "The cup was in the hall.", common=True, cause="rain"
        ),
        fact("rain", "yard", "said_about", "rain", "It rained.", common=True),
    ]
    view = Told(canon=house(facts=facts, characters=lonely())).view("ann")
    asked = question_of(WHY, view)
    pool = FactPool(view.known)
    outside = Outside(asks("Where was the cup?"), asks(enough=True))
    await probe_deep(situation_of(view, outside), asked, (), pool, LIMITS)
    answer = synthesise(view, asked, pool)
    assert isinstance(answer, Grounded)
    assert [f.handle for f in answer.support] == ["hall", "rain"]


# ── the request ───────────────────────────────────────────────────────────────────────────────


def texts(request: Request) -> tuple[str, str]:
    system, user = request.messages
    return system.content, user.content


def test_the_persona_stands_first_word_for_word_as_before_a_move() -> None:
    view, pool = gathered(story())
    request = deep_request(view, question_of(WHY, view), (), pool, LIMITS)
    assert request.messages[0] == fused(view, Material(), LIMITS).request.messages[0]
    assert request.schema == PROBE_SCHEMA
    assert view.name in texts(request)[0]


def test_the_request_shows_what_is_asked_and_the_facts_with_numbers_of_their_own() -> None:
    view, pool = gathered(story())
    _, user = texts(deep_request(view, question_of(WHY, view), (), pool, LIMITS))
    assert WHY in user
    assert "f1: The cup was in the yard." in user
    assert "${" not in user
    assert "perceived" not in user
    assert "Scenes of yours" not in user  # none came to mind


def test_with_nothing_asked_it_shows_the_moment() -> None:
    told = Told(says("ben", "It is late.", "ann"), canon=house())
    view = told.view("ann")
    _, user = texts(deep_request(view, None, (), FactPool(view.known), LIMITS))
    assert 'Ben said to me: "It is late."' in user
    assert "You are asked" not in user


def test_it_is_in_the_language_of_the_world() -> None:
    view = Told(canon=chinese()).view("ann")
    asked = question_of("杯子是谁拿的？", view)
    _, user = texts(deep_request(view, asked, (), probe_fast(view, asked), LIMITS))
    assert "有人问你：杯子是谁拿的？" in user
    assert "f1" in user
    assert not any(word in user for word in ("You", "memory", "What"))


def test_a_request_keeps_its_budget_however_much_is_known() -> None:
    statement = (
        "The cup was seen on a shelf, and on another shelf, and nobody knows why, number {}."
    )
    facts = [
        fact(f"f{n}", "cup", "was_at", f"shelf {n}", statement.format(n), common=True)
        for n in range(400)
    ]
    view = Told(canon=house(facts=facts)).view("ann")
    asked = question_of("Where was the cup? " * 60, view)
    pool = probe_fast(view, asked)
    for tokens in (600, 1000, 4000):
        limits = Limits(200, tokens, 0.8, 8)
        request = deep_request(view, asked, (), pool, limits)
        assert sum(estimated_tokens(text) for text in texts(request)) <= tokens


def test_what_its_last_question_brought_is_shown_first() -> None:
    view, pool = gathered(story())
    assert widen(view, "What of Dee?", [], pool) == 1
    assert [f.handle for f in pool.newest_first] == ["dee", "cup"]


def test_in_its_own_question_i_and_you_are_the_one_who_asks_itself() -> None:
    facts = [plain("me", "ann", "attic", "Ann was upstairs.")]
    view = Told(canon=house(facts=facts, characters=lonely())).view("ann")
    for words in ("Where was I?", "Where were you?"):
        pool = FactPool(view.known)
        assert widen(view, words, [], pool) == 1


def test_what_asks_nothing_brings_what_was_searched() -> None:
    view = story().view("ann")
    pool = FactPool(view.known)
    assert widen(view, "???", [FactId("dee")], pool) == 1
    assert widen(view, "谁？", [], pool) == 0
