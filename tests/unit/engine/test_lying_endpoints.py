"""An endpoint that fails or lies costs a good save nothing: one clear line, and the same journal."""

from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import SecretStr

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.updates import BeatCommitted, BeatFailed
from sandbox.settings import ModelSettings, Settings
from tests.endpoint import CutStream, Empty, FakeEndpoint, Hang, Html, Huge, Reply, Status, Text
from tests.playing import TINY, act

GOOD = '{"words": "It was quiet until the bell rang twice."}'


def _settings(base_url: str) -> Settings:
    return Settings(
        model=ModelSettings(
            name="m",
            base_url=base_url,
            api_key=SecretStr("sk-secret"),
            repeats=0,
            first_token_timeout_s=0.3,
            gap_timeout_s=0.3,
            reply_timeout_s=1.0,
        )
    )


@pytest.mark.endpoint
@pytest.mark.parametrize(
    "reply",
    [
        Empty(),
        Text(""),
        Html(),
        Status(401),
        Status(404),
        Status(429),
        Status(500),
        CutStream(GOOD, 10),
        Hang(),
        Text("I would rather not."),
        Text("I'm sorry, but I can't help with that."),
        Text('{"go": "a place that nobody built"}'),
        Huge(),
        Huge(one_line=True),
        Text('{"words": "and ' + "so on, " * 2000, delay_s=0.02),
    ],
    ids=lambda reply: f"{type(reply).__name__}-{getattr(reply, 'code', '')}",
)
async def test_a_move_that_fails_after_all_leaves_the_story_as_it_was_and_says_why(
    tmp_path: Path, reply: Reply
) -> None:
    answers: list[Reply] = [Text(GOOD)]
    async with FakeEndpoint(lambda body: answers[-1]) as endpoint:
        settings = _settings(endpoint.base_url)
        save = begin(tmp_path / "s", Beginning(TINY), settings)
        session = open_session(save, settings, "in_process")
        session.start()
        await act(session, 1)
        before = save.journal_path.read_bytes()
        turn = session.world.turn
        answers.append(reply)
        async with aclosing(session.advance(1)) as updates:
            told = [update async for update in updates]
        (failed,) = [update for update in told if isinstance(update, BeatFailed)]
        assert not [update for update in told if isinstance(update, BeatCommitted)]
        assert "\n" not in str(failed.error)
        assert len(str(failed.error)) > 30
        assert "sk-secret" not in str(failed.error)
        assert save.journal_path.read_bytes() == before
        assert session.world.turn == turn
        answers.append(Text(GOOD.replace("twice", "again, and then no more")))
        await act(session, 1)
        assert session.world.turn > turn
        await session.close()
