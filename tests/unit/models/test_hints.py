"""How long an endpoint asks to be left alone, in whatever way it says so."""

import math

import pytest

from sandbox.errors import ModelUnavailableError
from sandbox.models.hints import asked_wait_s
from tests.clients import at, event, heard
from tests.endpoint import Raw, Status

BODIES: list[tuple[object, float | None]] = [
    ({"error": {"message": "Rate limit reached. Please try again in 1.5s."}}, 1.5),
    ({"error": {"message": "Please retry after 20 seconds."}}, 20),
    ({"error": {"message": "Please try again in 250ms."}}, 0.25),
    ({"error": {"message": "Retry in about 3 seconds"}}, 3),
    ({"error": {"details": [{"retryDelay": "17s"}]}}, 17),
    ({"retry_after": 4}, 4),
    ({"retry_after_ms": 900}, 0.9),
    ({"error": {"message": "请求过于频繁，请在 20 秒后重试"}}, 20),
    ({"error": {"message": "请500毫秒后再试"}}, 0.5),
    ("Too many requests, try again in 6 s", 6),
    ({"error": {"message": "Too many requests."}}, None),
    ({"error": {"message": "You used 9999 tokens of 8000."}}, None),
    (None, None),
]


@pytest.mark.parametrize(("body", "wait_s"), BODIES)
def test_the_wait_in_a_body_is_read(body: object, wait_s: float | None) -> None:
    assert asked_wait_s({}, body) == wait_s


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "-1"}, 0),
        ({"retry-after": "nan"}, 3),
        ({"retry-after": "soon"}, 3),
    ],
)
def test_a_header_goes_before_the_body(headers: dict[str, str], wait_s: float) -> None:
    waited = asked_wait_s(headers, {"retry_after": 3})
    assert waited == wait_s
    assert math.isfinite(waited)


@pytest.mark.endpoint
async def test_the_wait_is_read_from_a_refusal_and_from_a_stream() -> None:
    body = {"error": {"message": "try again in 2s", "code": 429}}
    stream = event('{"error": {"message": "try again in 2s", "code": 429}}')
    for reply in (Status(429, body), Raw(stream)):
        async with at(reply) as (_, model):
            with pytest.raises(ModelUnavailableError) as caught:
                await heard(model)
        assert (caught.value.transient, caught.value.retry_after_s) == (True, 2)
