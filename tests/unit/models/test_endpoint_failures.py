"""Every way in which an endpoint fails, and what the person at the keyboard is told."""

import asyncio
import socket
import traceback
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import SecretStr

from sandbox.errors import ModelError, ModelUnavailableError, SettingsError
from sandbox.models.endpoint import EndpointModel
from sandbox.models.port import Chunk, Usage
from sandbox.settings import ModelSettings
from tests.clients import KEY, PLAIN, at, event, heard
from tests.endpoint import CutStream, Empty, Hang, Html, Huge, NoDone, Raw, Reply, Status, Text

pytestmark = pytest.mark.endpoint


async def failure_of(model: EndpointModel, place: str) -> tuple[ModelError, str]:
    """The error, and its text without the place; the key stands nowhere in what is printed."""
    with pytest.raises(ModelError) as caught:
        await heard(model)
    error, text = caught.value, str(caught.value)
    assert text.startswith(f"{place}: ")
    assert "\n" not in text
    assert KEY not in "".join(traceback.format_exception(error)) + repr(error)
    return error, text.removeprefix(f"{place}: ")


def echo(code: int, **headers: str) -> Reply:
    return Status(code, {"error": {"message": f"Busy.\nYour key is {KEY}."}}, headers)


AGAIN = "The same request may succeed a moment later."
V1 = "`SANDBOX_MODEL_BASE_URL` usually ends in `/v1`."
OTHER = "`SANDBOX_MODEL_NAME` names another"
STATUSES = [
    (echo(401), False, "refused the key (401). `SANDBOX_MODEL_API_KEY` must hold one that is valid there."),
    (echo(403), False, "refused the key (403). `SANDBOX_MODEL_API_KEY` must hold one that is valid there."),
    (Status(404, {"error": "model 'mara-7b' not found"}), False, f"knows no model `mara-7b` (404). {OTHER}."),
    (Status(404, "404 page not found"), False, f"has no chat completions (404). {V1}"),
    (echo(400), False, 'refused the request (400): "Busy. Your key is …". `SANDBOX_MODEL_*` set what is sent.'),
    (echo(429), True, 'too many requests (429): "Busy. Your key is …". Wait, or play with fewer characters.'),
    (echo(500), True, f'failed (500): "Busy. Your key is …". {AGAIN}'),
    (Status(502, "<html>Bad gateway</html>"), True, f"failed (502). {AGAIN}"),
    (Status(503, [{"error": {"message": "x" * 900}}]), True, f'failed (503): "{"x" * 199}…". {AGAIN}'),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "transient", "text"), STATUSES)
async def test_a_status_says_what_is_wrong_and_what_would_be_right(
    reply: Reply, transient: bool, text: str
) -> None:
    async with at(reply) as (endpoint, model):
        error, said = await failure_of(model, endpoint.base_url)
    assert said == text
    assert isinstance(error, ModelUnavailableError)
    assert (error.transient, error.retry_after_s) == (transient, None)


async def test_an_endpoint_that_wants_a_key_says_where_to_put_it() -> None:
    async with at(Status(401), api_key=None) as (endpoint, model):
        _, said = await failure_of(model, endpoint.base_url)
    assert said == "wants a key (401). Put one in `SANDBOX_MODEL_API_KEY`."


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        ("7", 7, 7),
        ("0.5", 0.5, 0.5),
        ("-3", 0, 0),
        ("in an hour", 3000, 3600),
    ],
)
async def test_the_wait_an_endpoint_asks_for_is_read(value: str, low: float, high: float) -> None:
    if value == "in an hour":
        value = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    async with at(echo(429, **{"retry-after": value})) as (endpoint, model):
        error, _ = await failure_of(model, endpoint.base_url)
    assert isinstance(error, ModelUnavailableError)
    assert error.retry_after_s is not None
    assert low <= error.retry_after_s <= high


@pytest.mark.parametrize("value", ["soon", "inf", "nan", ""])
async def test_a_wait_that_is_no_number_is_none(value: str) -> None:
    async with at(echo(503, **{"retry-after": value})) as (endpoint, model):
        error, _ = await failure_of(model, endpoint.base_url)
    assert isinstance(error, ModelUnavailableError)
    assert error.retry_after_s is None


CUT = "the reply broke off in the middle. It may come whole if repeated."
ENDPOINT = "`SANDBOX_MODEL_BASE_URL` must name an OpenAI-compatible endpoint."
HALF = event('{"choices":[{"delta":{"content":"Go"}}]}')
UNUSABLE = [
    (Html(), f"answered with a web page, not a reply. {V1}"),
    (Empty(), f"answered 200 with nothing in it. {ENDPOINT}"),
    (Raw(b""), f"answered 200 with nothing in it. {ENDPOINT}"),
    (Raw(event("[DONE]")), f"the reply has no content. {OTHER} model."),
    (Text(""), f"the reply has no content (it ended with `stop`). {OTHER} model."),
    (Text("", reasoning="Hm."), f"the reply has no content (it ended with `stop`). {OTHER} model."),
    (Text("", reasoning="Hm.", finish_reason="length"),
     "the model spent every token on thinking. Raise `SANDBOX_MODEL_MAX_TOKENS`."),
    (Raw(b'{"version": "1"}', "application/json"),
     f'sent what is no chat completion: `{{"version": "1"}}`. {ENDPOINT}'),
    (Raw(event("[1, 2]")), f"sent what is no chat completion: `[1, 2]`. {ENDPOINT}"),
    (Raw(b"Hello\nthere"), f"sent what is no chat completion: `Hellothere`. {ENDPOINT}"),
    (Raw(HALF + event("{half")), f"sent what is no chat completion: `{{half`. {ENDPOINT}"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "text"), UNUSABLE)
async def test_an_answer_that_is_no_reply_is_not_worth_a_repeat(reply: Reply, text: str) -> None:
    async with at(reply) as (endpoint, model):
        error, said = await failure_of(model, endpoint.base_url)
    assert said == text
    assert not isinstance(error, ModelUnavailableError)


BROKEN = [
    (CutStream("The key hung here.", 12), True, CUT),
    (CutStream("", 0), True, CUT),
    (NoDone("The key hung here."), True, CUT),
    (Raw(HALF + event('{"error":{"message":"overloaded","code":503}}')), True,
     'gave up during the reply: "overloaded".'),
    (Raw(event('{"error":{"message":"bad prompt","code":400}}')), False,
     'gave up during the reply: "bad prompt".'),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "transient", "text"), BROKEN)
async def test_half_a_reply_is_never_taken_for_a_reply(
    reply: Reply, transient: bool, text: str
) -> None:
    async with at(reply) as (endpoint, model):
        error, said = await failure_of(model, endpoint.base_url)
    assert said == text
    assert isinstance(error, ModelUnavailableError)
    assert error.transient == transient


@pytest.mark.parametrize("one_line", [False, True])
async def test_a_reply_without_end_is_stopped(one_line: bool) -> None:
    """By the tokens that were asked for; a line that never ends by a fixed size."""
    async with at(Huge(one_line)) as (endpoint, model):
        _, said = await failure_of(model, endpoint.base_url)
        await endpoint.disconnected.wait()
    limit = 1024 * 1024 if one_line else PLAIN.max_tokens * 32
    assert said == (
        f"the reply is larger than {limit} bytes and was stopped. "
        f"It does not heed `SANDBOX_MODEL_MAX_TOKENS`; {OTHER} model."
    )


async def test_thinking_without_end_is_stopped() -> None:
    thinking = event('{"choices":[{"delta":{"reasoning":"' + "Hm. " * 10_000 + '"}}]}')
    async with at(Raw(thinking * 30, hold=True)) as (endpoint, model):
        _, said = await failure_of(model, endpoint.base_url)
    assert said.startswith("the reply is larger than 1048576 bytes")


async def test_a_reply_that_drips_for_ever_is_stopped_in_time() -> None:
    """Each piece comes within the gap that is allowed; all of them together take too long."""
    reply = Text("never " * 9_999, delay_s=0.01)
    async with at(reply, reply_timeout_s=0.3, gap_timeout_s=5.0) as (endpoint, model):
        error, said = await failure_of(model, endpoint.base_url)
        await endpoint.disconnected.wait()
    assert said == (
        "the reply had not ended after 0.3 s and was stopped. "
        "`SANDBOX_MODEL_REPLY_TIMEOUT_S` sets how long one may take."
    )
    assert not isinstance(error, ModelUnavailableError)


FIRST = "nothing came for 0.2 s. `SANDBOX_MODEL_FIRST_TOKEN_TIMEOUT_S` sets how long to wait."
GAP = "nothing more came for 0.2 s. `SANDBOX_MODEL_GAP_TIMEOUT_S` sets how long to wait."
ROLE = event('{"choices":[{"delta":{"role":"assistant"}}]}')


@pytest.mark.parametrize(
    ("reply", "slow", "text"),
    [
        (Hang(), "first_token_timeout_s", FIRST),
        (Raw(b": keep-alive\n\n" + ROLE, hold=True), "first_token_timeout_s", FIRST),
        (Hang("The key"), "gap_timeout_s", GAP),
    ],
)
async def test_silence_ends_the_request(reply: Reply, slow: str, text: str) -> None:
    async with at(reply, **{slow: 0.2}) as (endpoint, model):
        error, said = await failure_of(model, endpoint.base_url)
        await endpoint.disconnected.wait()
    assert said == text
    assert isinstance(error, ModelUnavailableError)
    assert error.transient


async def test_time_that_the_reader_takes_is_not_held_against_the_endpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, loop = asyncio.Event(), asyncio.get_running_loop()
    async with (
        at(Text("The key hung here.", gate=gate), gap_timeout_s=4) as (_, model),
        aclosing(model.stream(PLAIN)) as pieces,
    ):
        await anext(pieces)
        before = loop.time
        monkeypatch.setattr(loop, "time", lambda: before() + 5)
        gate.set()
        assert [p async for p in pieces] == [Chunk("hung her"), Chunk("e."), Usage(7, 3)]


async def test_closing_before_the_first_token_ends_the_request() -> None:
    async with at(Hang()) as (endpoint, model):
        reader = asyncio.create_task(heard(model))
        await endpoint.arrived.wait()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        await endpoint.disconnected.wait()
    assert endpoint.disconnects == 1


async def test_a_server_that_is_not_there_is_said_to_be_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"http://user:{KEY}@127.0.0.1:{port}/v1/?token={KEY}"
    model = EndpointModel(ModelSettings(name="x", base_url=url, api_key=SecretStr(KEY)))
    error, said = await failure_of(model, f"http://127.0.0.1:{port}/v1")
    await model.aclose()
    assert said == (
        "cannot be reached (connection refused). Is the server running? "
        "`SANDBOX_MODEL_BASE_URL` names another."
    )
    assert isinstance(error, ModelUnavailableError)
    assert error.transient


@pytest.mark.parametrize(
    "url", ["", "localhost:11434/v1", "ftp://x/v1", "http://:1/", "http://x:y/"]
)
def test_an_address_that_is_none_is_a_wrong_setting(url: str) -> None:
    with pytest.raises(SettingsError, match="is no http address"):
        EndpointModel(ModelSettings(name="x", base_url=url))


def test_a_key_that_no_header_can_carry_is_a_wrong_setting_and_is_not_printed() -> None:
    with pytest.raises(SettingsError) as caught:
        EndpointModel(ModelSettings(name="x", api_key=SecretStr(f"{KEY}\n“")))
    assert str(caught.value) == (
        "`SANDBOX_MODEL_API_KEY` holds characters that no key has. Copy it once more."
    )
