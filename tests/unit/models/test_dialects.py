"""What an endpoint can do is found out once and remembered, and found out anew when it changes."""

from contextlib import aclosing

import pytest

from sandbox.errors import ModelError, ModelUnavailableError
from sandbox.models.dialects import Dialects
from sandbox.models.endpoint import EndpointModel
from sandbox.models.port import Chunk, Request
from tests.clients import PLAIN, at, event, heard, model_of
from tests.endpoint import FakeEndpoint, Raw, Reply, Status, Text
from tests.wire import Body

pytestmark = pytest.mark.endpoint

SCHEMA = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
SHAPED = Request(PLAIN.messages, schema=SCHEMA)
GOOD = '{"words": "Good evening."}'


def format_of(body: Body) -> str:
    return str(body.get("response_format", {}).get("type", "plain"))


def formats(endpoint: FakeEndpoint) -> list[str]:
    return [format_of(request.body) for request in endpoint.requests]


async def said(model: EndpointModel, request: Request = SHAPED) -> str:
    pieces = await heard(model, request)
    return "".join(p.text for p in pieces if isinstance(p, Chunk) and p.kind == "reply")


def taking(*taken: str, otherwise: Reply) -> "Taking":
    return Taking(set(taken), otherwise)


class Taking:
    """An endpoint that takes some formats, and answers the others in its own way."""

    def __init__(self, taken: set[str], otherwise: Reply) -> None:
        self.taken = taken
        self._otherwise = otherwise

    def __call__(self, body: Body) -> Reply:
        return Text(GOOD) if format_of(body) in self.taken else self._otherwise


async def test_another_session_begins_with_what_was_found_out() -> None:
    known = Dialects()
    async with FakeEndpoint(taking("plain", otherwise=Status(400, "no"))) as endpoint:
        for _ in range(2):
            where = {"name": "m", "base_url": endpoint.base_url}
            async with aclosing(model_of(known, **where)) as model:
                assert await said(model) == GOOD
        assert formats(endpoint) == ["json_schema", "json_object", "plain", "plain"]
        async with aclosing(model_of(known, **(where | {"name": "other"}))) as other:
            await said(other)
    assert formats(endpoint)[4:] == ["json_schema", "json_object", "plain"]


async def test_what_stops_working_is_found_out_anew() -> None:
    server = taking("plain", otherwise=Status(400, "bad response_format"))
    async with at(server) as (endpoint, model):
        await said(model)
        server.taken = {"json_schema"}
        assert await said(model) == GOOD
        assert await said(model) == GOOD
    assert formats(endpoint)[3:] == ["plain", "json_schema", "json_schema"]


async def test_no_form_is_tried_twice_for_one_request() -> None:
    replies: list[Reply] = [Status(400, "no"), Status(400, "no"), Text(GOOD)]
    async with at(lambda _: replies.pop(0) if replies else Status(400, "no")) as (endpoint, model):
        await said(model)
        with pytest.raises(ModelUnavailableError):
            await said(model)
    bodies = [str(request.body) for request in endpoint.requests[3:]]
    assert len(bodies) == len(set(bodies)) <= 6


DECLINED = '{"error": {"message": "response_format json_schema is not supported"}}'
AS_ERROR: list[Reply] = [
    Raw(DECLINED.encode(), "application/json"),
    Raw(event(DECLINED)),
    Text("Error: this model has no support for response_format of that type."),
    Text('Sorry, {"error": "json_schema mode is unavailable"}'),
    Status(500, {"error": "failed to parse grammar"}),
]


@pytest.mark.parametrize("otherwise", AS_ERROR)
async def test_an_error_text_about_the_format_is_no_reply(otherwise: Reply) -> None:
    server = taking("plain", otherwise=otherwise)
    async with at(server) as (endpoint, model):
        assert await said(model) == GOOD
        assert await said(model) == GOOD
    assert formats(endpoint) == ["json_schema", "json_object", "plain", "plain"]


async def test_a_format_that_is_taken_and_ignored_works() -> None:
    async with at(Text(f"Here you are: {GOOD}")) as (endpoint, model):
        assert await said(model) == f"Here you are: {GOOD}"
    assert formats(endpoint) == ["json_schema"]


async def test_a_reply_about_formats_counts_once_the_format_is_proven() -> None:
    replies: list[Reply] = [Text(GOOD), Text('{"words": "I read json_schema aloud."}')]
    async with at(lambda _: replies.pop(0)) as (endpoint, model):
        await said(model)
        assert "json_schema" in await said(model)
    assert len(endpoint.requests) == 2


async def test_an_error_about_something_else_is_told_and_nothing_is_simplified() -> None:
    async with at(Raw(event('{"error": {"message": "overloaded"}}'))) as (endpoint, model):
        with pytest.raises(ModelUnavailableError, match="overloaded"):
            await said(model)
    assert len(endpoint.requests) == 1


async def test_a_long_first_reply_is_shown_while_it_arrives() -> None:
    reply = Text('{"words": "' + "So. " * 400 + '"}')
    async with at(reply) as (_, model), aclosing(model.stream(SHAPED)) as pieces:
        first = await anext(pieces)
        assert isinstance(first, Chunk)
        assert first.text == reply.text[:8]


async def test_words_of_a_model_that_declines_are_its_reply() -> None:
    delta = '{"refusal": "I cannot help with that.", "content": null}'
    body = event(f'{{"choices":[{{"delta":{delta},"finish_reason":"stop"}}]}}')
    async with at(Raw(body)) as (_, model):
        assert await said(model) == "I cannot help with that."


async def test_a_refusal_in_every_form_is_told_as_the_endpoint_told_it() -> None:
    async with at(Status(400, {"error": {"message": "unknown field `model`"}})) as (_, model):
        with pytest.raises(ModelError, match="unknown field `model`"):
            await said(model)
