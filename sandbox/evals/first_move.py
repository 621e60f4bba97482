"""How long a session's opening and its first move keep the event loop, and so the screen, from all else.

Measured in a process of its own: what is loaded once, and what a world needs once, is made anew there.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.session import Session
from sandbox.evals.conversing import Conversing
from sandbox.evals.timing import timed_moves
from sandbox.memory.store import Layer, Shelf
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.worlds import read_world

_TICK_S: Final = 0.005
"""Between two looks at the clock: a fourteenth of a frame that nobody misses."""


def first_move_figures(worlds: Iterable[Path], folder: Path) -> dict[str, float]:
    """Milliseconds of the opening and of the first move of each world, and their longest stay in the loop."""
    figures: dict[str, float] = {}
    for world in worlds:
        command = [sys.executable, "-m", __name__, str(world), str(folder / world.name)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        figures |= json.loads(printed)
    return figures


def _printed(world: Path, folder: Path) -> None:
    language = read_world(world).language
    found = asyncio.run(_first(world, folder))
    print(json.dumps({f"{language}_{name}": figure for name, figure in found.items()}))  # noqa: T201


async def _first(world: Path, folder: Path) -> dict[str, float]:
    async with Conversing(read_world(world).language) as endpoint:
        settings = Settings(model=ModelSettings(name="conversing", base_url=endpoint.base_url))
        session = open_session(begin(folder, Beginning(world), settings), settings)
        opening, moving = LoopWatch(), LoopWatch()
        session.start()
        try:
            async with opening:
                await _opened(session)
            async with moving:
                (move,) = await timed_moves(session, endpoint, 1)
        finally:
            await session.close()
        return {
            "opening_ms": opening.whole_ms,
            "opening_loop_lag_ms": opening.longest_ms,
            "first_move_own_ms": round(move.own_ms, 1),
            "first_move_loop_lag_ms": moving.longest_ms,
        }


async def _opened(session: Session) -> None:
    """Until a mind would wait for nothing more."""
    await session.readying.done()
    shelf = Shelf(min(session.canon.cast), Layer.EPISODIC)
    await session.keeper.recall(shelf, session.canon.title, 1, {})


class LoopWatch:
    """Notes the longest time for which the event loop came to nothing else, and the whole time."""

    def __init__(self) -> None:
        self._longest_s = 0.0
        self._began = self._ended = time.perf_counter()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> LoopWatch:
        """Begin to watch."""
        self._began = time.perf_counter()
        self._task = asyncio.create_task(self._watch())
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ended = time.perf_counter()
        # Once more round, so that what kept the loop to the very end is seen.
        await asyncio.sleep(2 * _TICK_S)
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def longest_ms(self) -> float:
        return round(self._longest_s * 1000, 1)

    @property
    def whole_ms(self) -> float:
        return round((self._ended - self._began) * 1000, 1)

    async def _watch(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_TICK_S)
            self._longest_s = max(self._longest_s, time.perf_counter() - began - _TICK_S)


if __name__ == "__main__":
    _printed(Path(sys.argv[1]), Path(sys.argv[2]))
