"""What every model does, whichever is behind the port."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass

import pytest

from sandbox.errors import ModelError, ModelUnavailableError
from sandbox.models.endpoint import EndpointModel
from sandbox.models.port import ChatModel, Chunk, Message, Request, Usage
from sandbox.models.scripted import ScriptedModel, Step
from sandbox.settings import ModelSettings
from tests.clients import PATIENCE_S
from tests.endpoint import FakeEndpoint, Reply, Status, Text
from tests.wire import Body


@dataclass(frozen=True)
class Play:
    """One reply, in words that both a script and a server can play."""

    text: str = ""
    reasoning: str = ""
    gate: asyncio.Event | None = None
    """Waited for after the first piece."""
    usage: tuple[int, int] | None = None
    down: bool = False


Answer = Callable[[str], Play]
"""The reply to the text of a request's last message."""


@dataclass(frozen=True)
class Stage:
    """A model, and a way to see that a request of it has ended."""

    model: ChatModel
    abandoned: Callable[[], AbstractAsyncContextManager[None]]


Set = Callable[[Answer], AbstractAsyncContextManager[Stage]]


@asynccontextmanager
async def scripted(answer: Answer) -> AsyncIterator[Stage]:
    def script(request: Request) -> list[Step]:
        play = answer(request.messages[-1].content)
        if play.down:
            return [ModelUnavailableError("scripted: is down. Start it.")]
        steps: list[Step] = [Chunk(play.reasoning, "reasoning")] if play.reasoning else []
        steps += [play.text[:8], *([play.gate] if play.gate else []), play.text[8:]]
        return [*steps, Usage(*play.usage)] if play.usage else steps

    model = ScriptedModel(script)

    @asynccontextmanager
    async def abandoned() -> AsyncIterator[None]:
        yield
        assert model.abandoned == 1

    async with asyncio.timeout(PATIENCE_S):
        yield Stage(model, abandoned)


@asynccontextmanager
async def endpoint(answer: Answer) -> AsyncIterator[Stage]:
    def reply(body: Body) -> Reply:
        play = answer(body["messages"][-1]["content"])
        if play.down:
            return Status(503)
        return Text(play.text, reasoning=play.reasoning, gate=play.gate, usage=play.usage)

    async with asyncio.timeout(PATIENCE_S), FakeEndpoint(reply) as server:
        model = EndpointModel(ModelSettings(name="any", base_url=server.base_url))

        @asynccontextmanager
        async def abandoned() -> AsyncIterator[None]:
            yield
            await server.disconnected.wait()

        async with aclosing(model):
            yield Stage(model, abandoned)


@pytest.fixture(params=[scripted, pytest.param(endpoint, marks=pytest.mark.endpoint)])
def stage(request: pytest.FixtureRequest) -> Set:
    chosen: Set = request.param
    return chosen


def ask(text: str = "Who took the key?") -> Request:
    return Request((Message("system", "You are Mara."), Message("user", text)))


async def heard(model: ChatModel, request: Request) -> list[Chunk | Usage]:
    async with aclosing(model.stream(request)) as pieces:
        return [piece async for piece in pieces]


def said(pieces: list[Chunk | Usage], kind: str = "reply") -> str:
    return "".join(p.text for p in pieces if isinstance(p, Chunk) and p.kind == kind)


async def test_a_reply_arrives_in_order_and_its_usage_last(stage: Set) -> None:
    text = "The key hung here at supper. Somebody took it since."
    async with stage(lambda _: Play(text, usage=(12, 9))) as set_:
        pieces = await heard(set_.model, ask())
    assert said(pieces) == text
    assert [p for p in pieces if isinstance(p, Usage)] == [pieces[-1]] == [Usage(12, 9)]


async def test_usage_comes_even_where_there_are_no_figures(stage: Set) -> None:
    async with stage(lambda _: Play("I saw light.")) as set_:
        assert (await heard(set_.model, ask()))[-1] == Usage(None, None)


@pytest.mark.parametrize(
    "text", ["钥匙在晚饭时还挂在这里。", "a\u2028b\x85c", "🗝️ «clé»", " \n\n x "]
)
async def test_every_character_arrives_as_it_was_sent(stage: Set, text: str) -> None:
    async with stage(lambda _: Play(text)) as set_:
        assert said(await heard(set_.model, ask())) == text


async def test_reasoning_is_kept_apart_from_the_reply(stage: Set) -> None:
    async with stage(lambda _: Play("No.", reasoning="She must not know.")) as set_:
        pieces = await heard(set_.model, ask())
    assert (said(pieces), said(pieces, "reasoning")) == ("No.", "She must not know.")


async def test_text_is_handed_on_before_the_reply_has_ended(stage: Set) -> None:
    gate = asyncio.Event()
    async with (
        stage(lambda _: Play("The key hung here.", gate=gate)) as set_,
        aclosing(set_.model.stream(ask())) as pieces,
    ):
        assert await anext(pieces) == Chunk("The key ")
        gate.set()
        assert said([p async for p in pieces]) == "hung here."


async def test_closing_the_generator_ends_the_request(stage: Set) -> None:
    never = asyncio.Event()
    async with stage(lambda _: Play("The key hung here.", gate=never)) as set_:
        pieces = set_.model.stream(ask())
        await anext(pieces)
        async with set_.abandoned():
            await pieces.aclose()


async def test_cancelling_the_reader_ends_the_request(stage: Set) -> None:
    never = asyncio.Event()
    first = asyncio.Event()
    async with stage(lambda _: Play("The key hung here.", gate=never)) as set_:

        async def read() -> None:
            async with aclosing(set_.model.stream(ask())) as pieces:
                async for _ in pieces:
                    first.set()

        reader = asyncio.create_task(read())
        await first.wait()
        async with set_.abandoned():
            reader.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reader


async def test_requests_at_the_same_time_do_not_mix(stage: Set) -> None:
    async with stage(lambda text: Play(f"{text}! " * 9)) as set_:
        names = [f"name{n}" for n in range(6)]
        replies = await asyncio.gather(*(heard(set_.model, ask(name)) for name in names))
    assert [said(pieces) for pieces in replies] == [f"{name}! " * 9 for name in names]


async def test_a_model_that_is_down_says_so_and_answers_once_it_is_up(stage: Set) -> None:
    plays = [Play(down=True), Play("Here I am.")]
    async with stage(lambda _: plays.pop(0)) as set_:
        with pytest.raises(ModelUnavailableError):
            await heard(set_.model, ask())
        assert said(await heard(set_.model, ask())) == "Here I am."


@pytest.mark.parametrize("play", [Play(""), Play("", reasoning="Hm.")])
async def test_a_reply_without_content_is_an_error(stage: Set, play: Play) -> None:
    async with stage(lambda _: play) as set_:
        with pytest.raises(ModelError, match="the reply has no content"):
            await heard(set_.model, ask())


async def test_a_model_has_a_name_and_may_be_closed_twice(stage: Set) -> None:
    async with stage(lambda _: Play("Yes.")) as set_:
        assert set_.model.name
        await heard(set_.model, ask())
        await set_.model.aclose()
        await set_.model.aclose()
