"""From reply to move: what offends is asked for once more, then cut, and always noted."""

import json
from contextlib import aclosing

import pytest

from sandbox.agents.fusing import Limits, Material, fused, once_more
from sandbox.agents.guarding import Finding, retry_text
from sandbox.agents.language import LanguageMind
from sandbox.agents.minds import DraftDropped, Drafted, Move, Situation
from sandbox.agents.thinking import Reach
from sandbox.errors import ModelError
from sandbox.story.chance import Chance
from sandbox.story.events import Offence
from tests.contract.test_minds import LIMITS, Outside
from tests.halls import chinese_hall, english_hall
from tests.property.scenes import Told, says

ASKED = says("ben", "Ann, what do you say to that?", "ann")
LEAK = "Dee took the cup."
FINE = "I have nothing to say to that."


def reply(words: str, **rest: object) -> str:
    return json.dumps({"words": words, "to": ["Ben"]} | rest)


async def moved(
    *replies: str, told: Told | None = None, limits: Limits = LIMITS
) -> tuple[Move, list[str], Outside, Situation]:
    """The move, the sentences drafted, what was asked, and what was noted of it."""
    outside = Outside(list(replies))
    view = (told or Told(ASKED)).view("ann")
    situation = Situation(view, Chance(seed=1, round=1, scene="s1", character="ann"), outside)
    drafted, move = list[str](), Move()
    async with aclosing(LanguageMind("m", limits, Reach(24, 4)).decide(situation)) as pieces:
        async for piece in pieces:
            match piece:
                case Drafted():
                    drafted.append(piece.text)
                case DraftDropped():
                    drafted.append("(dropped)")
                case Move():
                    move = piece
    return move, drafted, outside, situation


def outcomes(move: Move) -> list[tuple[Offence, str]]:
    return [(found.offence, found.outcome) for found in move.findings]


async def test_what_its_speaker_does_not_hold_is_asked_for_once_more() -> None:
    move, drafted, outside, _ = await moved(reply(LEAK), reply(FINE))
    assert (move.words, len(outside.requests)) == (FINE, 2)
    assert outcomes(move) == [(Offence.ASSERTED, "retried")]
    assert drafted == ["(dropped)", FINE]


async def test_the_retry_quotes_the_characters_own_sentence_and_nothing_of_what_is_true() -> None:
    _, _, outside, _ = await moved(reply(f"{FINE} {LEAK}"), reply(FINE))
    told = outside.requests[1].messages[-1].content
    assert LEAK in told
    assert FINE not in told
    assert "Ben took the cup" not in told
    assert outside.requests[1].messages[:-1] == outside.requests[0].messages


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_retry_is_whole_however_short_the_request_is(language: str) -> None:
    """Every prompt keeps the same room for it: what offends, and what to do instead."""
    told = english_hall() if language == "en" else chinese_hall()
    leak = {
        "en": "I tell you that I live in the yard.",
        "zh": "那位客人就住在院子里，住了好些年了。",
    }
    view, found = told.view("ben"), [Finding(Offence.ASSERTED, leak[language])]
    prompt = fused(view, Material(), LIMITS)
    asked = once_more(prompt, retry_text(view, found)).messages[-1].content
    assert asked == retry_text(view, found)
    assert leak[language] in asked


async def test_what_offends_twice_is_cut_and_the_rest_is_said() -> None:
    move, _, outside, situation = await moved(reply(LEAK), reply(f"{FINE} {LEAK}"))
    assert (move.words, len(outside.requests)) == (FINE, 2)
    assert outcomes(move) == [(Offence.ASSERTED, "retried"), (Offence.ASSERTED, "cut")]
    assert [found.outcome for found in situation.trace.findings] == ["retried", "cut"]


async def test_a_line_of_which_nothing_is_left_is_noted_all_the_same() -> None:
    move, _, _, _ = await moved(reply(LEAK))
    assert move.words == ""
    assert not move.is_empty
    assert len(move.findings) == 2


async def test_garbage_after_a_leak_leaves_what_could_be_said_of_the_first() -> None:
    move, _, outside, _ = await moved(reply(f"{FINE} {LEAK}"), "{")
    assert (move.words, len(outside.requests)) == (FINE, 2)
    assert outcomes(move) == [(Offence.ASSERTED, "retried"), (Offence.ASSERTED, "cut")]


async def test_a_leak_after_garbage_is_cut() -> None:
    move, _, outside, _ = await moved("{", reply(f"{FINE} {LEAK}"))
    assert (move.words, len(outside.requests)) == (FINE, 2)
    assert outcomes(move) == [(Offence.ASSERTED, "cut")]


async def test_garbage_twice_is_no_move_and_says_why() -> None:
    with pytest.raises(ModelError, match="no usable reply twice"):
        await moved("{", "{")


async def test_a_sentence_that_offends_is_never_drafted_nor_what_comes_after_it() -> None:
    _, drafted, _, _ = await moved(reply(f"{FINE} {LEAK} So there you are."), reply("Well."))
    assert drafted[:2] == [FINE, "(dropped)"]


async def test_what_was_said_before_is_asked_for_once_more() -> None:
    line = "The rain has been coming down on the yard all night long."
    told = Told(says("ann", line, "ben"), ASKED)
    move, _, _, _ = await moved(reply(line), reply(FINE), told=told)
    assert (move.words, outcomes(move)) == (FINE, [(Offence.REPEATED, "retried")])


async def test_a_mood_that_is_more_than_a_feeling_leaves_the_mood_as_it_was() -> None:
    for mood, kept in [("uneasy", "uneasy"), ("sure Dee took it", ""), ("Dee", "")]:
        move, _, _, _ = await moved(reply(FINE, mood=mood))
        assert (move.mood, move.words) == (kept, FINE)


async def test_a_deed_that_tells_is_asked_for_once_more_and_then_cut() -> None:
    deed = "writes on the wall that Dee took the cup"
    move, _, outside, _ = await moved(reply(FINE, action=deed), reply(FINE, action=deed))
    assert (move.action, move.words, len(outside.requests)) == ("", FINE, 2)
    assert outcomes(move) == [(Offence.ASSERTED, "retried"), (Offence.ASSERTED, "cut")]


async def test_a_thought_that_is_dropped_may_not_be_said_either() -> None:
    asked = "Did Dee take the cup when all of us slept?"
    thought = "Did Dee take the cup when all of us slept, or was it somebody else?"
    move, _, _, _ = await moved(*2 * [reply(f"{FINE} {asked}", thought=thought)])
    assert (move.words, move.thought) == (FINE, "")
    assert outcomes(move)[0] == (Offence.THOUGHT_SPOKEN, "retried")


async def test_a_thought_that_may_not_be_remembered_is_dropped() -> None:
    move, _, _, _ = await moved(reply(FINE, thought=f"I am tired. {LEAK}"))
    assert (move.thought, move.words) == ("I am tired.", FINE)


async def test_the_trace_holds_every_request_as_it_was_sent() -> None:
    _, _, outside, situation = await moved(reply(LEAK), reply(FINE))
    assert situation.trace.requests == outside.requests
    assert situation.trace.asked
