"""Keys go to the endpoint, and nowhere else."""

import json
import logging
from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import SecretStr

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.updates import BeatCommitted
from sandbox.settings import ModelSettings, Settings
from tests.endpoint import FakeEndpoint, Text
from tests.playing import TINY


def _kept(folder: Path) -> list[tuple[Path, bytes]]:
    return [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]


KEY = "sk-0123456789-very-secret"


@pytest.mark.endpoint
async def test_a_key_reaches_the_endpoint_and_nothing_that_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    words = iter(f"This is my line number {n}, and it is new." for n in range(99))
    async with FakeEndpoint(lambda body: Text(json.dumps({"words": next(words)}))) as endpoint:
        model = ModelSettings(name="m", base_url=endpoint.base_url, api_key=SecretStr(KEY))
        settings = Settings(model=model)
        save = begin(tmp_path / "s", Beginning(TINY), settings)
        session = open_session(save, settings, "in_process")
        session.start()
        moves = 0
        while moves < 4:
            async with aclosing(session.advance(4 - moves)) as updates:
                async for update in updates:
                    moves += isinstance(update, BeatCommitted) and update.cost is not None
        await session.close()
        sent = [request.headers.get("authorization") for request in endpoint.requests]
    assert sent == [f"Bearer {KEY}"] * len(sent)
    assert not [path for path, data in _kept(tmp_path) if KEY.encode() in data]
    shown = capsys.readouterr()
    assert KEY not in caplog.text + shown.out + shown.err
    assert KEY not in repr(settings)
