"""The benchmark: whole stories, timed from outside; compare ratios within one run, machines are noisy."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

from sandbox.engine.opening import Beginning, MemoryKind, begin, open_session
from sandbox.engine.updates import BeatCommitted
from sandbox.evals.crowded import crowd_figures
from sandbox.evals.folding import fold_figures
from sandbox.evals.knowing import who_knows_ms
from sandbox.evals.loopback import InstantEndpoint
from sandbox.evals.prompts import prompt_figures
from sandbox.evals.recalling import recall_figures
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.places import bundled_worlds
from sandbox.storage.saves import Save

_LAST_MOVES = 100
"""Moves at the end of a story over which our own time in a move is taken."""


PARTS: Final = ("start", "headless", "moves", "prompts", "recall", "crowd", "fold", "knowing")
"""What is measured, in this order. `crowd` takes longest: twenty long lives are lived and filed."""


def measure(
    world: Path, beats: int, marked: Path, parts: Collection[str] = PARTS
) -> dict[str, Any]:
    """All figures, by name.

    Args:
        world: the world that is played.
        beats: length of each story.
        marked: folder of the questions marked by hand; without any, recall is not measured.
        parts: which of `PARTS`.
    """
    figures: dict[str, Any] = {"beats": beats}
    with tempfile.TemporaryDirectory() as scratch:
        for part in PARTS:
            if part in parts:
                figures |= _measured(part, world, beats, marked, Path(scratch) / part)
    return figures


def _measured(part: str, world: Path, beats: int, marked: Path, folder: Path) -> dict[str, Any]:
    match part:
        case "start":
            return {"first_line_s": _first_line(world, folder)}
        case "headless":
            return _headless(world, folder, "in_process", beats) | _headless(
                world, folder, "chroma", beats
            )
        case "moves":
            return asyncio.run(_model_moves(world, folder, beats))
        case "prompts":
            worlds = [prompt_figures(each, folder / each.name, beats) for each in bundled_worlds()]
            return {name: figure for figures in worlds for name, figure in figures.items()}
        case "recall":
            return recall_figures(marked)
        case "crowd":
            return crowd_figures(folder)
        case "fold":
            return fold_figures()
        case _:
            return who_knows_ms()


def _first_line(world: Path, folder: Path) -> float:
    """Seconds from the command to its first line of story, the best of three."""
    best = float("inf")
    for number in range(3):
        command = [sys.executable, "-m", "sandbox", "run", str(world), "--beats", "1"]
        began = time.perf_counter()
        process = subprocess.Popen(
            [*command, "--save", f"first-{number}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"SANDBOX_SAVES": str(folder), "PATH": "", "HOME": str(folder)},
        )
        assert process.stdout is not None
        while not process.stdout.readline().strip():
            pass
        best = min(best, time.perf_counter() - began)
        process.stdout.close()
        process.wait()
    return round(best, 2)


def _headless(world: Path, folder: Path, memory: MemoryKind, beats: int) -> dict[str, Any]:
    """Beats per second in rehearsal, from the first beat to everything written."""
    # A beat before, so that imports are not counted: they are in `first_line_s`.
    warm = begin(folder / f"{memory}-warm", Beginning(world), Settings())
    asyncio.run(_play(warm, memory, 1, Settings()))
    save = begin(folder / f"{memory}-story", Beginning(world), Settings())
    began = time.perf_counter()
    asyncio.run(_play(save, memory, beats, Settings()))
    figures: dict[str, Any] = {
        f"{memory}_beats_per_s": round(beats / (time.perf_counter() - began), 1)
    }
    if memory == "chroma":
        figures |= {f"{name}_bytes_per_1000_beats": size for name, size in _sizes(save, beats)}
    return figures


async def _play(save: Save, memory: MemoryKind, beats: int, settings: Settings) -> list[float]:
    """Play; returns the seconds of each round."""
    session = open_session(save, settings, memory)
    session.start()
    rounds, done = [], 0
    try:
        while done < beats:
            began = time.perf_counter()
            async with aclosing(session.advance(beats - done)) as updates:
                async for update in updates:
                    done += isinstance(update, BeatCommitted) and update.cost is not None
            rounds.append(time.perf_counter() - began)
    finally:
        await session.close()
    return rounds


def _sizes(save: Save, beats: int) -> list[tuple[str, int]]:
    parts = {
        "journal": [save.journal_path],
        "cassette": [save.cassette_path],
        "memory": [path for path in save.memory_path.rglob("*") if path.is_file()],
    }
    return [
        (name, round(sum(path.stat().st_size for path in paths) * 1000 / beats))
        for name, paths in parts.items()
    ]


async def _model_moves(world: Path, folder: Path, beats: int) -> dict[str, Any]:
    """Moves over real HTTP on loopback, with an endpoint that answers at once."""
    async with InstantEndpoint() as endpoint:
        model = ModelSettings(name="instant", base_url=endpoint.base_url)
        settings = Settings(model=model)
        save = begin(folder, Beginning(world), settings)
        session = open_session(save, settings)
        session.start()
        own: list[float] = []
        prompts: list[int] = []
        outputs: list[int] = []
        try:
            while len(own) < beats:
                busy, began = endpoint.busy_s, time.perf_counter()
                async with aclosing(session.advance(1)) as updates:
                    async for update in updates:
                        if isinstance(update, BeatCommitted) and update.cost is not None:
                            spent = time.perf_counter() - began - (endpoint.busy_s - busy)
                            own.append(spent * 1000)
                            prompts.append(update.cost.prompt_tokens)
                            outputs.append(update.cost.output_tokens)
        finally:
            await session.close()
    quarter = max(1, len(prompts) // 4)
    return {
        "model_own_ms_median": round(statistics.median(own[-_LAST_MOVES:]), 1),
        "model_calls_per_move": round(session.totals.cost.calls / len(own), 2),
        "model_calls_at_scene_close": session.totals.consolidations.calls,
        "model_prompt_tokens_median": round(statistics.median(prompts)),
        "model_prompt_tokens_second_quarter": round(
            statistics.median(prompts[quarter : 2 * quarter])
        ),
        "model_prompt_tokens_last_quarter": round(statistics.median(prompts[-quarter:])),
        "model_output_tokens_median": round(statistics.median(outputs)),
    }
