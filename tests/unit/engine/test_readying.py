"""What a model's lines are read by is made beside the story, before the first move, and changes nothing of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sandbox.agents.readying import readied
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.readying import Readying
from sandbox.engine.roles import Models
from sandbox.evals.conversing import Conversing
from sandbox.evals.timing import timed_moves
from sandbox.models.retrying import Retrying
from sandbox.models.scripted import ScriptedModel
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.places import worlds_folder
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.fold import fold
from sandbox.story.ids import SceneId
from sandbox.story.telling import reading, told
from sandbox.story.view import CharacterView
from tests.playing import no_wait

WORLD = worlds_folder() / "lantern_inn"


def _canon(title: str) -> Canon:
    """One that nothing has been read of yet."""
    return read_world(WORLD).model_copy(update={"title": title})


def _views(canon: Canon) -> list[CharacterView]:
    world = fold(canon, canon.default_start, ()).world
    return [CharacterView(world, who) for who in world.grants]


def _misses() -> tuple[int, int]:
    return told._telling.cache_info().misses, reading._bare.cache_info().misses


def test_a_first_line_finds_everything_made() -> None:
    canon = _canon("A title of its own")
    before = _misses()
    readied(_views(canon), lambda: True)
    made = _misses()
    assert made != before
    view = _views(canon)[0]
    view.told_in("I had the letter.", ())
    view.reading(())
    assert _misses() == made


def test_who_closes_a_story_does_not_wait_for_what_is_not_wanted_any_more() -> None:
    canon, asked = _canon("Another title"), list[bool]()

    def is_wanted(most: int) -> bool:
        asked.append(len(asked) < most)
        return asked[-1]

    readied(_views(canon), lambda: is_wanted(1_000_000))
    assert len(asked) > 5 * len(canon.cast)  # before each sentence, not only for each character
    asked.clear()
    readied(_views(canon), lambda: is_wanted(2))
    assert asked == [True, True, False]


async def test_nothing_is_due_where_no_model_plays() -> None:
    canon = _canon("A third title")
    before = _misses()
    none = Readying(canon, canon.default_start, None)
    none.begin()
    await none.done()
    await none.stop()
    assert _misses() == before


async def test_who_comes_into_the_story_later_is_passed_over() -> None:
    whole = read_world(WORLD).model_dump(by_alias=True)
    first, last = whole["scenes"][0]["id"], whole["scenes"][-1]["id"]
    whole["characters"][-1]["from"] = last
    canon, early, late = Canon.model_validate(whole), SceneId(first), whole["characters"][-1]["id"]
    assert late not in fold(canon, early, ()).world.grants
    models = Models(Retrying(ScriptedModel([]), 0, no_wait))
    one = Readying(canon, early, models)
    one.begin()
    await one.done()


async def _journal(folder: Path, *, ready: bool) -> bytes:
    async with Conversing("en") as endpoint:
        settings = Settings(model=ModelSettings(name="told", base_url=endpoint.base_url))
        save = begin(folder, Beginning(WORLD), settings)
        session = open_session(save, settings, "in_process")
        if not ready:
            session.readying = Readying(session.canon, save.manifest.start, None)
        session.start()
        try:
            await timed_moves(session, endpoint, 6)
        finally:
            await session.close()
        return save.journal_path.read_bytes()


async def test_a_story_is_the_same_with_it_and_without(tmp_path: Path) -> None:
    with_it = await _journal(tmp_path / "a", ready=True)
    assert with_it == await _journal(tmp_path / "b", ready=False)


async def test_the_first_round_waits_for_it_and_the_loop_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held = asyncio.Event(), asyncio.Event()

    async def slowly(self: Readying) -> None:
        asked.set()
        await held.wait()

    monkeypatch.setattr(Readying, "done", slowly)
    async with Conversing("en") as endpoint:
        settings = Settings(model=ModelSettings(name="told", base_url=endpoint.base_url))
        session = open_session(
            begin(tmp_path / "s", Beginning(WORLD), settings), settings, "in_process"
        )
        session.start()
        try:
            move = asyncio.create_task(timed_moves(session, endpoint, 1))
            async with asyncio.timeout(30):
                await asked.wait()
            assert endpoint.requests == 0
            held.set()
            assert len(await move) == 1
        finally:
            held.set()
            await session.close()
