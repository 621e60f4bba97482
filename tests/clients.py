"""The endpoint client and the fake endpoint, put together."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

from pydantic import SecretStr

from sandbox.models.dialects import Dialects
from sandbox.models.endpoint import EndpointModel
from sandbox.models.port import Chunk, Message, Request, Usage
from sandbox.settings import ModelSettings
from tests.endpoint import FakeEndpoint, Reply
from tests.wire import Body

PATIENCE_S = 10
"""A test that waits longer hangs. In the test's own task: a fixture runs in another."""
KEY = "sk-lantern-4711"
PLAIN = Request((Message("system", "You are Mara."), Message("user", "Who took the key?")))


@asynccontextmanager
async def at(
    reply: Reply | Callable[[Body], Reply], **settings: Any
) -> AsyncIterator[tuple[FakeEndpoint, EndpointModel]]:
    async with asyncio.timeout(PATIENCE_S), FakeEndpoint(reply) as endpoint:
        values = {"name": "mara-7b", "base_url": endpoint.base_url, "api_key": SecretStr(KEY)}
        async with aclosing(model_of(dialects=Dialects(), **(values | settings))) as model:
            yield endpoint, model


def model_of(dialects: Dialects, **settings: Any) -> EndpointModel:
    """A client that shares what `dialects` remembers, and nothing else."""
    return EndpointModel(ModelSettings.model_validate(settings), dialects=dialects)


async def heard(model: EndpointModel, request: Request = PLAIN) -> list[Chunk | Usage]:
    async with aclosing(model.stream(request)) as pieces:
        return [piece async for piece in pieces]


def event(data: str) -> bytes:
    return f"data: {data}\n\n".encode()
