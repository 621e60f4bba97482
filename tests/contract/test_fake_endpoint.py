"""The endpoint of the tests itself."""

import asyncio
from urllib.parse import urlsplit

import pytest

from tests.endpoint import FakeEndpoint, Text

pytestmark = pytest.mark.endpoint


async def test_an_endpoint_that_ends_with_a_connection_open_logs_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with FakeEndpoint(Text("Good evening.")) as endpoint:
        port = urlsplit(endpoint.base_url).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 404")
    await asyncio.sleep(0)  # what asyncio has to say of the connection's end it says now
    writer.close()
    assert caplog.records == []
