"""Keys go to the endpoint, and nowhere else: not into saves, cassettes, traces, logs or what is shown."""

import asyncio
import json
import logging
import traceback
from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import SecretStr

from sandbox.cli.main import main
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.updates import BeatCommitted, BeatFailed, Update
from sandbox.settings import ModelSettings, Settings, SummarySettings
from tests.endpoint import CutStream, FakeEndpoint, Raw, Reply, Status, Text
from tests.playing import TINY
from tests.wire import Body

pytestmark = pytest.mark.endpoint

KEY = "sk-0123456789-very-secret"
SUMMARY_KEY = "sk-9876543210-of-summaries"
KEYS = (KEY, SUMMARY_KEY)


def _kept(folder: Path) -> list[tuple[Path, bytes]]:
    return [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]


def _holding_a_key(folder: Path) -> list[str]:
    return [path.name for path, data in _kept(folder) if any(key.encode() in data for key in KEYS)]


def leaking(key: str) -> list[Reply]:
    """Failures of every kind, all of which quote the key that came with the request."""
    headers = {"authorization": f"Bearer {key}"}
    echo = {"error": {"message": f"Bad key {key}", "headers": headers}}
    return [
        Status(400, echo, headers),
        Raw(f'data: {{"error": {{"message": "key {key} expired"}}}}\n\n'.encode()),
        Raw(f"<html>{key}</html>".encode()),
        Raw(f"Authorization: {key}".encode()),
        CutStream(f'{{"words": "{key} {key}', 40),
        Text(json.dumps({"words": f"My key is {key}, is it not?", "thought": key})),
        Text(json.dumps({"summary": f"My key is {key}, is it not?"})),
        Text(f"I may not say {key}."),
        Status(401, echo, headers),
        Status(403, echo, headers),
        Status(500, f"Traceback: headers={{'Authorization': 'Bearer {key}'}}", headers),
        Status(429, {"error": {"message": f"Org of {key}: try again in 0s"}}),
    ]


class Leaking:
    """A good reply between every two that leak."""

    def __init__(self) -> None:
        self._sent = 0

    def __call__(self, body: Body) -> Reply:
        self._sent += 1
        if self._sent % 2:
            told = f"This is my line number {self._sent}, and it is new."
            return Text(json.dumps({"words": told, "summary": told}))
        replies = leaking(KEY if body["model"] == "m" else SUMMARY_KEY)
        return replies[self._sent // 2 % len(replies)]


def settings_of(url: str) -> Settings:
    return Settings(
        model=ModelSettings(name="m", base_url=url, api_key=SecretStr(KEY), repeats=0),
        summaries=SummarySettings(name="w", base_url=url, api_key=SecretStr(SUMMARY_KEY)),
    )


async def test_a_key_reaches_the_endpoint_and_nothing_that_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[Update] = []
    async with FakeEndpoint(Leaking()) as endpoint:
        settings = settings_of(endpoint.base_url)
        session = open_session(begin(tmp_path / "s", Beginning(TINY), settings), settings)
        session.start()
        for _ in range(26):
            async with aclosing(session.advance(1)) as updates:
                told += [update async for update in updates]
        await session.close()
        sent = {request.headers["authorization"] for request in endpoint.requests}
    assert f"Bearer {KEY}" in sent
    assert sent <= {f"Bearer {key}" for key in KEYS}
    failures = [update.error for update in told if isinstance(update, BeatFailed)]
    assert len(failures) >= 5
    assert [u for u in told if isinstance(u, BeatCommitted) and u.cost is not None]
    shown = capsys.readouterr()
    everything = [caplog.text, shown.out, shown.err, repr(settings), repr(told), str(settings)]
    everything += ["".join(traceback.format_exception(error)) for error in failures]
    assert not [text for text in everything if any(key in text for key in KEYS)]
    assert not _holding_a_key(tmp_path)


async def test_no_command_prints_or_keeps_a_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeEndpoint(Leaking()) as endpoint:
        monkeypatch.setenv("SANDBOX_MODEL_NAME", "m")
        monkeypatch.setenv("SANDBOX_MODEL_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("SANDBOX_MODEL_API_KEY", KEY)
        monkeypatch.setenv("SANDBOX_SUMMARIES_NAME", "w")
        monkeypatch.setenv("SANDBOX_SUMMARIES_API_KEY", SUMMARY_KEY)
        monkeypatch.setenv("SANDBOX_SAVES", str(tmp_path / "saves"))
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        story = ["run", str(TINY), "--save", "s", "--beats", "3"]
        for arguments in (["where"], ["check"], story, ["run", "s", "--beats", "3"], ["saves"]):
            await asyncio.to_thread(main, arguments)
    shown = capsys.readouterr()
    assert "(set)" in shown.out
    assert not [key for key in KEYS if key in shown.out + shown.err]
    assert not _holding_a_key(tmp_path)


def test_the_settings_tell_a_key_to_nobody_who_prints_them() -> None:
    settings = settings_of("http://127.0.0.1:9/v1")
    printed = [repr(settings), str(settings.model), settings.model_dump_json(), f"{settings!s}"]
    assert not [text for text in printed if any(key in text for key in KEYS)]
    assert settings.summaries.beside(settings.model).api_key == SecretStr(SUMMARY_KEY)
