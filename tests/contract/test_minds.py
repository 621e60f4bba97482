"""What every mind keeps to: drafts, then one move; from a view alone; the same for the same view."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from sandbox.agents.fusing import Limits
from sandbox.agents.language import LanguageMind
from sandbox.agents.minds import DraftDropped, Drafted, Mind, Move, Situation
from sandbox.agents.rehearsal import Rehearsal
from sandbox.agents.thinking import Reach
from sandbox.errors import ModelError
from sandbox.memory.store import Layer
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.retrying import Restarted
from sandbox.models.scripted import ScriptedModel
from sandbox.story.chance import Chance
from sandbox.story.text import sentences
from tests.property.invariants import summary
from tests.property.scenes import Told, says

LIMITS = Limits(max_tokens=600, prompt_tokens=2000, temperature=0.8, percepts=24)
MINDS: dict[str, Callable[[], Mind]] = {
    "rehearsal": Rehearsal,
    "language": lambda: LanguageMind("scripted", LIMITS, Reach(percepts=24, recalled=4)),
}
REPLY = json.dumps({"thought": "Hm.", "words": "Good evening. Who is there?", "to": ["Ben"]})


@dataclass
class Outside:
    """A model that was told what to say, and a memory in which nothing is found."""

    replies: list[str] = field(default_factory=lambda: [REPLY])
    requests: list[Request] = field(default_factory=list)
    searched: list[Layer] = field(default_factory=list)

    async def recall(
        self, layer: Layer, query: str, limit: int, *, supporting: bool = False
    ) -> tuple[str, ...]:
        self.searched.append(layer)
        return ()

    async def reply(
        self, step: str, attempt: int, request: Request
    ) -> AsyncGenerator[Chunk | Restarted | Usage, None]:
        self.requests.append(request)
        model = ScriptedModel([self.replies[min(attempt, len(self.replies) - 1)]])
        async with aclosing(model.stream(request)) as pieces:
            async for piece in pieces:
                yield piece


def story() -> Told:
    return Told(says("ben", "Ann, what do you say to that?", "ann"))


async def decided(mind: Mind, told: Told, outside: Outside) -> list[Drafted | DraftDropped | Move]:
    chance = Chance(seed=1, round=1, scene="s1", character="ann")
    situation = Situation(view=told.view("ann"), chance=chance, outside=outside)
    async with aclosing(mind.decide(situation)) as pieces:
        return [piece async for piece in pieces]


@pytest.fixture(params=sorted(MINDS))
def mind(request: pytest.FixtureRequest) -> Mind:
    return MINDS[request.param]()


async def test_the_move_comes_last_and_once(mind: Mind) -> None:
    pieces = await decided(mind, story(), Outside())
    assert isinstance(pieces[-1], Move)
    assert sum(isinstance(piece, Move) for piece in pieces) == 1


async def test_what_is_drafted_is_what_is_said(mind: Mind) -> None:
    *drafts, move = await decided(mind, story(), Outside())
    assert isinstance(move, Move)
    assert [d.text for d in drafts if isinstance(d, Drafted)] == list(sentences(move.words))


async def test_deciding_changes_nothing(mind: Mind) -> None:
    told = story()
    before = summary(told.world)
    await decided(mind, told, Outside())
    assert summary(told.world) == before


async def test_the_same_view_gives_the_same_move_and_the_same_requests(mind: Mind) -> None:
    told, first, second = story(), Outside(), Outside()
    one = await decided(mind, told, first)
    other = await decided(mind, told, second)
    assert one == other
    assert first.requests == second.requests


async def test_a_mind_that_is_closed_half_way_leaves_nothing_behind(mind: Mind) -> None:
    chance = Chance(seed=1, round=1, scene="s1", character="ann")
    situation = Situation(view=story().view("ann"), chance=chance, outside=Outside())
    deciding = mind.decide(situation)
    await anext(deciding)
    await deciding.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(deciding)


async def test_rehearsal_asks_nothing_of_the_outside() -> None:
    outside = Outside()
    await decided(MINDS["rehearsal"](), story(), outside)
    assert (outside.requests, outside.searched) == ([], [])


async def test_a_language_mind_asks_once_and_after_an_unusable_reply_once_more() -> None:
    outside = Outside(["No JSON here.", REPLY])
    pieces = await decided(MINDS["language"](), story(), outside)
    assert isinstance(pieces[-1], Move)
    assert [len(request.messages) for request in outside.requests] == [2, 3]
    assert any(isinstance(piece, DraftDropped) for piece in pieces)


async def test_the_second_request_quotes_nothing_that_was_not_in_the_first() -> None:
    outside = Outside(["The vault holds the crown.", REPLY])
    await decided(MINDS["language"](), story(), outside)
    first, second = outside.requests
    assert second.messages[:2] == first.messages
    assert "vault" not in second.messages[2].content


async def test_two_unusable_replies_are_a_model_error() -> None:
    outside = Outside(["No.", "No."])
    with pytest.raises(ModelError, match="no usable reply twice"):
        await decided(MINDS["language"](), story(), outside)
    assert len(outside.requests) == 2
