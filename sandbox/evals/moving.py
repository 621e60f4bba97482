"""What moves with a model cost, fast and deep, in each language: calls, tokens and our own time.

The endpoint answers at once, and with nothing to object to: what is measured is the product. Where it does
ask again, `asked_again_share` says so.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sandbox.agents.minds import Cost
from sandbox.engine.opening import Beginning, MemoryKind, begin, open_session
from sandbox.evals.conversing import Conversing
from sandbox.evals.timing import Timed, timed_moves
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.storage.worlds import read_world

_LAST_MOVES = 100
"""Moves at the end of a story over which our own time in a move is taken."""


def move_figures(
    worlds: Iterable[Path], folder: Path, beats: int, memory: MemoryKind = "chroma"
) -> dict[str, Any]:
    """Figures of two stories of each world, fast and deep.

    Args:
        worlds: one of each language.
        folder: an empty one, to play in.
        beats: moves of each story.
        memory: which store.
    """
    figures: dict[str, Any] = {}
    for world in worlds:
        for name, deep in (("fast", False), ("deep", True)):
            story = f"{read_world(world).language}_{name}"
            settings = Settings(story=StorySettings(deep=deep))
            moves, closings = asyncio.run(played(world, folder / story, beats, settings, memory))
            found = figures_of(moves, closings)
            figures |= {f"{story}_{what}": figure for what, figure in found.items()}
    return figures


async def played(
    world: Path, folder: Path, beats: int, settings: Settings, memory: MemoryKind
) -> tuple[list[Timed], Cost]:
    """The moves of a story told by `Conversing`, and what its scenes' closings cost."""
    async with Conversing(read_world(world).language) as endpoint:
        model = ModelSettings(name="conversing", base_url=endpoint.base_url)
        settings = settings.model_copy(update={"model": model})
        session = open_session(begin(folder, Beginning(world), settings), settings, memory)
        session.start()
        try:
            return await timed_moves(session, endpoint, beats), session.totals.consolidations
        finally:
            await session.close()


def figures_of(moves: Sequence[Timed], closings: Cost) -> dict[str, float]:
    """Figures of a story's moves, in the order in which they were made, and of its scenes' closings."""
    prompts = [move.cost.prompt_tokens for move in moves]
    quarter, last = max(1, len(moves) // 4), moves[-_LAST_MOVES:]
    return {
        "calls_per_move": round(statistics.mean(move.cost.calls for move in moves), 2),
        "asked_again_share": round(sum(bool(m.trace.findings) for m in moves) / len(moves), 3),
        "prompt_tokens_per_move": round(statistics.mean(prompts)),
        "prompt_tokens_second_quarter": _median_tokens(prompts[quarter : 2 * quarter] or prompts),
        "prompt_tokens_last_quarter": _median_tokens(prompts[-quarter:]),
        "output_tokens_per_move": round(statistics.mean(m.cost.output_tokens for m in moves)),
        "own_ms_median": round(statistics.median(move.own_ms for move in last), 1),
        "own_cpu_ms_median": round(statistics.median(move.cpu_ms for move in last), 1),
        "own_cpu_ms_mean": round(statistics.mean(move.cpu_ms for move in last), 1),
        "scene_close_calls": closings.calls,
        "scene_close_prompt_tokens_per_call": round(closings.prompt_tokens / max(1, closings.calls)),
    }  # fmt: skip


def _median_tokens(prompts: Sequence[int]) -> int:
    return round(statistics.median(prompts))
