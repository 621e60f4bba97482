"""The endpoint client against a real server: what is sent, read, and learnt from refusals."""

import subprocess
import sys

import pytest
from pydantic import SecretStr

from sandbox.errors import ModelUnavailableError
from sandbox.models.endpoint import EndpointModel
from sandbox.models.port import Chunk, Request, Usage
from tests.clients import KEY, PLAIN, at, event, heard
from tests.endpoint import Raw, Reply, Status, Text
from tests.wire import Body

pytestmark = pytest.mark.endpoint

SCHEMA = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
SHAPED = Request(PLAIN.messages, schema=SCHEMA)


async def words(model: EndpointModel, request: Request = PLAIN) -> str:
    pieces = await heard(model, request)
    return "".join(p.text for p in pieces if isinstance(p, Chunk) and p.kind == "reply")


# --- what is sent and read


async def test_a_request_holds_what_the_port_says_and_no_more() -> None:
    async with at(Text("I did.")) as (endpoint, model):
        await heard(model, Request(PLAIN.messages, max_tokens=99, temperature=0.25))
    (received,) = endpoint.requests
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.body == {
        "model": "mara-7b",
        "messages": [
            {"role": "system", "content": "You are Mara."},
            {"role": "user", "content": "Who took the key?"},
        ],
        "max_tokens": 99,
        "temperature": 0.25,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_without_a_key_a_dummy_is_sent() -> None:
    async with at(Text("I did."), api_key=None) as (endpoint, model):
        await heard(model)
    assert endpoint.requests[0].headers["authorization"] == "Bearer none"


async def test_a_key_copied_with_its_line_end_works() -> None:
    async with at(Text("Yes."), api_key=SecretStr(f"{KEY}\n")) as (endpoint, model):
        await heard(model)
    assert endpoint.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_schema_is_sent_as_response_format() -> None:
    async with at(Text("{}")) as (endpoint, model):
        await heard(model, SHAPED)
    assert endpoint.requests[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
    }


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_both_names_of_the_thinking_channel_are_read(field: str) -> None:
    reply = Text("No.", reasoning="Hide it.", reasoning_field=field)
    async with at(reply) as (_, model):
        pieces = await heard(model)
    assert pieces == [Chunk("Hide it.", "reasoning"), Chunk("No."), Usage(7, 3)]


async def test_thinking_sent_under_both_names_is_read_once() -> None:
    delta = '{"reasoning":"Hm.","reasoning_content":"Hm.","content":"No."}'
    body = event(f'{{"choices":[{{"delta":{delta},"finish_reason":"stop"}}]}}')
    async with at(Raw(body)) as (_, model):
        assert await heard(model) == [Chunk("Hm.", "reasoning"), Chunk("No."), Usage()]


async def test_characters_and_lines_may_arrive_in_halves() -> None:
    text = "钥匙在晚饭时还挂在这里。\u2028有人拿走了。"
    async with at(Text(text, torn=True)) as (_, model):
        assert await words(model) == text


async def test_a_reply_cut_by_its_token_limit_is_a_reply() -> None:
    async with at(Text("The key hung", finish_reason="length")) as (_, model):
        assert await words(model) == "The key hung"


async def test_one_connection_serves_one_reply_after_another() -> None:
    async with at(Text("Yes.")) as (endpoint, model):
        for _ in range(3):
            assert await words(model) == "Yes."
    assert (endpoint.connections, endpoint.disconnects) == (1, 0)


async def test_an_endpoint_that_ignores_stream_is_understood() -> None:
    body = b'{"choices": [{"message": {"content": "Yes."}}], "usage": {"prompt_tokens": 5}}'
    async with at(Raw(body, "application/json")) as (_, model):
        assert await heard(model) == [Chunk("Yes."), Usage(5, None)]


async def test_comments_other_fields_and_odd_line_ends_are_passed_over() -> None:
    body = (
        b": keep-alive\r\n\r\nevent: message\r\nid: 4\r\n"
        b'data:{"choices":[{"delta":{"role":"assistant","content":null}}]}\r\n\r\n'
        b'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}'
    )
    async with at(Raw(body)) as (_, model):
        assert await heard(model) == [Chunk("Yes."), Usage()]


async def test_what_happens_after_done_does_not_spoil_the_reply() -> None:
    body = event('{"choices":[{"delta":{"content":"Yes."}}]}') + event("[DONE]")
    async with at(Raw(body, hold=True)) as (_, model):
        assert await words(model) == "Yes."


def test_importing_the_module_does_not_load_openai() -> None:
    code = "import sandbox.models.endpoint, sys; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- optional parts that an endpoint refuses


def format_of(body: Body) -> str:
    return str(body.get("response_format", {}).get("type", "plain"))


@pytest.mark.parametrize("taken", ["json_object", "plain"])
@pytest.mark.parametrize(
    ("code", "message"),
    [(400, "no."), (422, "bad field"), (404, "No endpoint supports these parameters.")],
)
async def test_a_refused_format_falls_back_and_what_worked_is_remembered(
    taken: str, code: int, message: str
) -> None:
    def reply(body: Body) -> Reply:
        refused = format_of(body) not in (taken, "plain")
        return Status(code, {"error": {"message": message}}) if refused else Text("{}")

    async with at(reply) as (endpoint, model):
        await heard(model, SHAPED)
        await heard(model, SHAPED)
    tried = ["json_schema", "json_object", "plain"]
    tried = tried[: tried.index(taken) + 1]
    assert [format_of(r.body) for r in endpoint.requests] == [*tried, taken]


@pytest.mark.parametrize("message", ["unknown field stream_options", "bad request"])
@pytest.mark.parametrize("request_", [PLAIN, SHAPED])
async def test_refused_usage_is_dropped_and_the_format_kept(
    message: str, request_: Request
) -> None:
    def reply(body: Body) -> Reply:
        return Status(400, {"error": message}) if "stream_options" in body else Text("{}")

    async with at(reply) as (endpoint, model):
        assert await heard(model, request_) == [Chunk("{}"), Usage()]
        await heard(model, request_)
    first, second = (r.body for r in endpoint.requests[-2:])
    assert first == second
    assert format_of(first) == ("json_schema" if request_.schema else "plain")


async def test_newer_names_and_fixed_temperatures_are_heeded() -> None:
    def reply(body: Body) -> Reply:
        if "max_tokens" in body:
            return Status(400, {"error": {"message": "Use 'max_completion_tokens' instead."}})
        if "temperature" in body:
            return Status(400, {"error": {"message": "'temperature' must be 1."}})
        return Text("Yes.")

    async with at(reply) as (endpoint, model):
        assert await words(model) == await words(model) == "Yes."
    assert len(endpoint.requests) == 4
    assert endpoint.requests[-1].body["max_completion_tokens"] == 600


async def test_a_request_refused_in_every_form_teaches_nothing() -> None:
    replies: list[Reply] = [Status(400, "no")] * 6 + [Text("{}")]
    async with at(lambda _: replies.pop(0)) as (endpoint, model):
        with pytest.raises(ModelUnavailableError):
            await heard(model, SHAPED)
        await heard(model, SHAPED)
    assert format_of(endpoint.requests[-1].body) == "json_schema"


async def test_a_prompt_that_is_too_long_is_not_sent_again() -> None:
    said = {"error": {"message": "This model's maximum context length is 4096 tokens."}}
    async with at(Status(400, said)) as (endpoint, model):
        with pytest.raises(ModelUnavailableError, match="maximum context length"):
            await heard(model, SHAPED)
    assert len(endpoint.requests) == 1
