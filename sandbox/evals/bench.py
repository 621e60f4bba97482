"""The benchmark: whole stories, timed from outside; compare ratios within one run, machines are noisy."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

from sandbox.engine.opening import Beginning, MemoryKind, begin, open_session
from sandbox.engine.updates import BeatCommitted
from sandbox.evals.crowded import SIZES, crowd_figures
from sandbox.evals.first_move import first_move_figures
from sandbox.evals.folding import fold_figures
from sandbox.evals.knowing import who_knows_ms
from sandbox.evals.moving import move_figures
from sandbox.evals.prompts import prompt_figures
from sandbox.evals.recalling import recall_figures
from sandbox.settings import Settings
from sandbox.storage.places import bundled_worlds
from sandbox.storage.saves import Save

PARTS: Final = (
    "start",
    "headless",
    "first_move",
    "moves",
    "prompts",
    "recall",
    "crowd",
    "fold",
    "knowing",
)
"""What is measured, in this order."""


def measure(
    world: Path,
    beats: int,
    marked: Path,
    parts: Collection[str] = PARTS,
    crowds: Sequence[int] = SIZES,
) -> Iterator[dict[str, Any]]:
    """Figures by name, part by part, with the seconds that each part took.

    Args:
        world: the world that is played without a model; with one, all bundled worlds are.
        beats: length of each story.
        marked: folder of the questions marked by hand; without any, recall is not measured.
        parts: which of `PARTS`.
        crowds: memories of each of the twenty, in `crowd`.
    """
    yield {"beats": beats}
    with tempfile.TemporaryDirectory() as scratch:
        for part in (one for one in PARTS if one in parts):
            began, folder = time.perf_counter(), Path(scratch) / part
            figures = _measured(part, world, beats, marked, folder, crowds)
            yield figures | {f"{part}_took_s": round(time.perf_counter() - began, 1)}


def _measured(
    part: str, world: Path, beats: int, marked: Path, folder: Path, crowds: Sequence[int]
) -> dict[str, Any]:
    match part:
        case "start":
            return {"first_line_s": _first_line(world, folder)}
        case "headless":
            return _headless(world, folder, "in_process", beats) | _headless(
                world, folder, "chroma", beats
            )
        case "first_move":
            return first_move_figures(bundled_worlds(), folder)
        case "moves":
            return move_figures(bundled_worlds(), folder, beats)
        case "prompts":
            worlds = [prompt_figures(each, folder / each.name, beats) for each in bundled_worlds()]
            return {name: figure for figures in worlds for name, figure in figures.items()}
        case "recall":
            return recall_figures(marked)
        case "crowd":
            return crowd_figures(folder, crowds)
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
