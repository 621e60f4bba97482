"""What moves cost, measured: the endpoint gives no cause to ask again, and a repeating one would show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.minds import Cost
from sandbox.agents.trace import Found, Trace
from sandbox.cli import main
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.evals.bench import measure
from sandbox.evals.conversing import Conversing
from sandbox.evals.crowded import LARGE_SIZES, SIZES, crowd_figures
from sandbox.evals.first_move import LoopWatch
from sandbox.evals.moving import figures_of, move_figures
from sandbox.evals.timing import Timed, timed_moves
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.places import worlds_folder
from sandbox.storage.worlds import read_world

WORLDS = ("lantern_inn", "jiangcun_duchuan")


def timed(number: int, *, calls: int = 1, objected: bool = False) -> Timed:
    trace = Trace(findings=[Found("repeated", "Again.", "retried")] if objected else [])
    cost = Cost(calls=calls, prompt_tokens=1000 + number, output_tokens=70)
    return Timed(own_ms=20.0 + number, cpu_ms=10.0 + number, cost=cost, trace=trace)


def test_every_figure_of_moves_is_taken_from_the_moves() -> None:
    moves = [timed(0), timed(1, calls=2, objected=True), timed(2), timed(3, calls=3)]
    figures = figures_of(moves, Cost(calls=4, prompt_tokens=2000))
    assert figures == {
        "calls_per_move": 1.75,
        "asked_again_share": 0.25,
        "prompt_tokens_per_move": 1002,
        "prompt_tokens_second_quarter": 1001,
        "prompt_tokens_last_quarter": 1003,
        "output_tokens_per_move": 70,
        "own_ms_median": 21.5,
        "own_cpu_ms_median": 11.5,
        "own_cpu_ms_mean": 11.5,
        "scene_close_calls": 4,
        "scene_close_prompt_tokens_per_call": 500,
    }


@pytest.mark.parametrize("world", WORLDS)
def test_a_fast_move_takes_one_request_and_a_deep_one_at_most_four(
    world: str, tmp_path: Path
) -> None:
    figures = move_figures([worlds_folder() / world], tmp_path, beats=24, memory="in_process")
    named = {name.split("_", 1)[1]: figure for name, figure in figures.items()}
    assert named["fast_asked_again_share"] <= 0.05
    assert 1.0 <= named["fast_calls_per_move"] <= 1.05
    assert 1.5 <= named["deep_calls_per_move"] <= 4.0
    assert 1000 < named["fast_prompt_tokens_per_move"] <= ModelSettings().prompt_tokens
    assert named["deep_prompt_tokens_per_move"] > 1.5 * named["fast_prompt_tokens_per_move"]


class Parrot(Conversing):
    """Says one thing only."""

    def move(self, messages: Sequence[str]) -> dict[str, Any]:
        words = "Have you seen my old grey umbrella anywhere about the yard?"
        return super().move(messages) | {"words": words, "go": ""}


async def _played(endpoint: Conversing, folder: Path) -> tuple[list[Timed], bytes]:
    async with endpoint:
        settings = Settings(model=ModelSettings(name="told", base_url=endpoint.base_url))
        save = begin(folder, Beginning(worlds_folder() / "lantern_inn"), settings)
        session = open_session(save, settings, "in_process")
        session.start()
        try:
            moves = await timed_moves(session, endpoint, 12)
        finally:
            await session.close()
        return moves, save.journal_path.read_bytes()


async def test_an_endpoint_that_repeats_itself_is_seen_in_the_figures(tmp_path: Path) -> None:
    moves, _ = await _played(Parrot("en"), tmp_path / "s")
    figures = figures_of(moves, Cost())
    assert figures["asked_again_share"] > 0.2
    assert figures["calls_per_move"] > 1.2


async def test_the_same_seed_tells_the_same_story_and_another_seed_another(tmp_path: Path) -> None:
    first, again, other = [
        (await _played(Conversing("en", seed), tmp_path / name))[1]
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    ]
    assert first == again
    assert first != other


@pytest.mark.parametrize("world", WORLDS)
def test_the_endpoint_answers_in_the_language_of_the_world(world: str) -> None:
    language = read_world(worlds_folder() / world).language
    move = Conversing(language).move(["You are somebody.", "What do you do now?"])
    assert any("\u4e00" <= c <= "\u9fff" for c in move["words"]) == (language == "zh")


async def test_what_keeps_the_event_loop_is_seen() -> None:
    watch = LoopWatch()
    async with watch:
        await asyncio.sleep(0.02)
        time.sleep(0.12)  # noqa: ASYNC251 (the fault that is to be seen)
    assert watch.longest_ms >= 100
    assert watch.whole_ms >= 130


def test_a_crowd_is_bounded_unless_the_large_one_is_asked_for() -> None:
    assert max(SIZES) <= 100 < max(LARGE_SIZES)


def test_a_crowd_of_any_size_is_measured(tmp_path: Path) -> None:
    figures = crowd_figures(tmp_path, sizes=(12,), kinds=("in_process",))
    assert set(figures) == {
        f"crowd_12_memories_in_process_{name}"
        for name in ("own_ms_median", "own_cpu_ms_median", "recall_ms_median")
    }
    assert all(figure > 0 for figure in figures.values())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--beats", "0"], "--beats 0: has to be at least 1."),
        (["--only", "mooves"], "--only mooves: there is no such part. Did you mean moves?"),
    ],
)
def test_what_cannot_be_measured_is_told_in_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *arguments]) == 2
    assert told in capsys.readouterr().err.replace("`", "")


def test_parts_come_one_by_one_each_with_the_seconds_it_took(tmp_path: Path) -> None:
    world = worlds_folder() / "lantern_inn"
    head, fold = measure(world, 3, tmp_path, parts=["fold"])
    assert head == {"beats": 3}
    assert fold["fold_events_per_s"] > 0
    assert fold["fold_took_s"] > 0
