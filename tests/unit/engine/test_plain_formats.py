"""Endpoints without structured output play all the same: the prompt itself asks for JSON."""

from collections import Counter
from contextlib import aclosing
from pathlib import Path

import pytest

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.updates import BeatCommitted
from sandbox.settings import ModelSettings, Settings
from tests.endpoint import FakeEndpoint, Reply, Status, Text
from tests.playing import TINY
from tests.wire import Body

pytestmark = pytest.mark.endpoint

FERRY = Path(__file__).parents[3] / "worlds" / "jiangcun_duchuan"
SAID = {
    "en": "Sure! ```json\n{'thought': 'Hm.', 'words': 'Number %d, so to say.', 'whisper': False}\n```",
    "zh": "好的：｛“thought”：“嗯。”，“words”：“这是第%d句。”，“whisper”：false｝",
}


class Plain:
    """Refuses every format, or takes it and heeds it not, and replies as small models do."""

    def __init__(self, language: str, *, refuses: bool) -> None:
        self._language, self._refuses = language, refuses
        self.formats: Counter[str] = Counter()

    def __call__(self, body: Body) -> Reply:
        format_ = body.get("response_format", {}).get("type", "plain")
        self.formats[format_] += 1
        if self._refuses and format_ != "plain":
            return Status(400, {"error": {"message": "no such field"}})
        return Text(SAID[self._language] % self.formats.total())


@pytest.mark.parametrize("refuses", [True, False])
@pytest.mark.parametrize(("world", "language"), [(TINY, "en"), (FERRY, "zh")])
async def test_a_story_plays_without_structured_output(
    tmp_path: Path, world: Path, language: str, refuses: bool
) -> None:
    plain, moves = Plain(language, refuses=refuses), 0
    async with FakeEndpoint(plain) as endpoint:
        settings = Settings(model=ModelSettings(name="m", base_url=endpoint.base_url))
        session = open_session(
            begin(tmp_path / "s", Beginning(world), settings), settings, "in_process"
        )
        session.start()
        for _ in range(3):
            async with aclosing(session.advance(1)) as updates:
                async for update in updates:
                    moves += isinstance(update, BeatCommitted) and update.cost is not None
        await session.close()
    assert moves == 3
    assert all("JSON" in request.body["messages"][0]["content"] for request in endpoint.requests)
    refused = {"json_schema": 1, "json_object": 1} if refuses else {}
    wanted = "plain" if refuses else "json_schema"
    assert plain.formats == refused | {wanted: 3}
