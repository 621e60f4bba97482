"""Ten of ten runs of twelve rounds come to their end with one reply in a hundred malformed."""

import json
from collections import Counter
from contextlib import aclosing
from pathlib import Path

import pytest

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.replay import verify
from sandbox.engine.updates import BeatCommitted, BeatFailed, Update
from sandbox.settings import ModelSettings, Settings
from sandbox.story.chance import Chance
from sandbox.story.ids import CharacterId, SceneId
from tests.endpoint import FakeEndpoint, Reply, Status, Text
from tests.playing import TINY
from tests.wire import Body

pytestmark = pytest.mark.endpoint

MARKED = Path(__file__).parents[2] / "marked" / "malformed.jsonl"
TABLE = [json.loads(line) for line in MARKED.read_text(encoding="utf-8").splitlines()]
MALFORMED = [
    row["reply"]
    for row in TABLE
    if row["language"] == "en" and isinstance(row["reply"], str) and "problem" in row
]
"""Those of the table that are no move at all: what is mended costs nothing."""
RUNS, ROUNDS = 10, 12


class Flawed:
    """Answers in good form, but malformed or with a 429 in given shares of all requests."""

    def __init__(self, seed: int, malformed: float = 0.01, busy: float = 0.02) -> None:
        self.seed = seed
        self._malformed, self._busy = malformed, busy
        self.sent: Counter[str] = Counter()

    def __call__(self, body: Body) -> Reply:
        number = self.sent.total()
        who = SceneId("any"), CharacterId("endpoint")
        lot = Chance(self.seed, number, *who).share("fate")
        if lot < self._busy:
            self.sent["busy"] += 1
            return Status(429, {"error": {"message": "Busy. Try again in 0.01s."}})
        if lot < self._busy + self._malformed:
            self.sent["malformed"] += 1
            return Text(MALFORMED[(self.seed + number) % len(MALFORMED)])
        self.sent["good"] += 1
        return Text(json.dumps({"words": f"Thing {number} of run {self.seed}, so to say."}))


async def run(folder: Path, flawed: Flawed) -> list[Update]:
    """Twelve rounds, or fewer where a beat fails."""
    told: list[Update] = []
    async with FakeEndpoint(flawed) as endpoint:
        settings = Settings(model=ModelSettings(name="m", base_url=endpoint.base_url))
        save = begin(folder, Beginning(TINY, seed=flawed.seed), settings)
        session = open_session(save, settings, "in_process")
        session.start()
        for _ in range(ROUNDS):
            async with aclosing(session.advance()) as updates:
                told += [update async for update in updates]
        await session.close()
    assert (await verify(save)).is_same
    return told


async def test_ten_of_ten_runs_finish_though_replies_are_malformed(tmp_path: Path) -> None:
    sent: Counter[str] = Counter()
    for seed in range(1, RUNS + 1):
        flawed = Flawed(seed)
        told = await run(tmp_path / str(seed), flawed)
        assert not [update.error for update in told if isinstance(update, BeatFailed)]
        moves = [u for u in told if isinstance(u, BeatCommitted) and u.cost is not None]
        assert len(moves) >= ROUNDS
        sent += flawed.sent
    assert sent["malformed"] >= 1
    assert sent["busy"] >= 1
