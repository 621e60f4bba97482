"""What the keeper of memories does first, and what waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sandbox.engine import pacing
from sandbox.engine.keeper import Keeper
from sandbox.engine.session import Session
from sandbox.errors import MemoryStoreError
from sandbox.memory.candidates import Candidates
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import Layer, MemoryStore, Record, Shelf
from sandbox.story.commands import Do, Inject
from sandbox.story.ids import CharacterId
from tests.playing import Letters, LettersHome, begun, playing

ANN, BEN = CharacterId("ann"), CharacterId("ben")
MINE = Shelf(ANN, Layer.EPISODIC)


class Noting(InProcessStore):
    """A store that notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__(Letters())
        self.calls: list[str] = []
        self.fails = False

    def put(self, shelf: Shelf, records: Iterable[Record]) -> None:
        self.calls.append(f"put {shelf}")
        super().put(shelf, records)

    def flush(self, shelf: Shelf | None = None) -> None:
        self.calls.append(f"flush {shelf}")

    def candidates(self, shelf: Shelf, text: str, limit: int) -> Candidates:
        self.calls.append(f"search {shelf}")
        if self.fails:
            raise MemoryStoreError("the disk is full.")
        return super().candidates(shelf, text, limit)


class NotingHome(LettersHome):
    def __init__(self) -> None:
        super().__init__()
        self.store = Noting()

    def open(self) -> MemoryStore:
        return self.store


@asynccontextmanager
async def noted(folder: Path) -> AsyncIterator[tuple[Session, Noting]]:
    """A story whose memory is in step; what the store does from now on is noted."""
    home = NotingHome()
    async with playing(begun(folder / "s"), home=home) as session:
        await session.keeper.records(MINE)
        await _quiet(home.store)
        home.store.calls.clear()
        yield session, home.store


async def _quiet(store: Noting) -> None:
    count = -1
    while count != len(store.calls):
        count = len(store.calls)
        await asyncio.sleep(0.05)


async def test_a_search_puts_what_its_own_shelf_awaits_and_leaves_the_others(
    tmp_path: Path,
) -> None:
    async with noted(tmp_path) as (session, store):
        session.command(Do(character=ANN, text="lifts the lid"))
        found = await session.keeper.recall(MINE, "the lid", 3, {})
        assert any(id_.startswith(f"percept:{session.seq}.") for id_ in found)
        assert store.calls == ["put ann.episodic", "search ann.episodic"]


async def test_searches_asked_together_are_answered_before_anything_is_written(
    tmp_path: Path,
) -> None:
    async with noted(tmp_path) as (session, store):
        session.command(Do(character=ANN, text="lifts the lid"))
        session.keeper.flush()
        shelves = [Shelf(who, layer) for who in (ANN, BEN) for layer in Layer]
        await asyncio.gather(*(session.keeper.recall(s, "the lid", 3, {}) for s in shelves))
        done = [call.split()[0] for call in store.calls if not call.startswith("put")]
        assert done[:6] == ["search"] * 6


async def test_while_somebody_searches_time_and_again_writing_waits_for_its_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "PAUSE_S", 1000.0)
    monkeypatch.setattr(pacing, "FLUSH_S", 0.4)
    async with noted(tmp_path) as (session, store):
        session.command(Inject(text="A bell rings."))
        began = asyncio.get_running_loop().time()
        while not any(call.startswith("flush") for call in store.calls):
            await session.keeper.recall(MINE, "a bell", 3, {})
            await asyncio.sleep(0.01)
        assert asyncio.get_running_loop().time() - began >= 0.3


async def test_only_what_an_answer_could_rest_on_where_that_is_asked_for(tmp_path: Path) -> None:
    async with noted(tmp_path) as (session, _):
        session.command(Inject(text="A silver bell rings in the fog."))
        keeper: Keeper = session.keeper
        (first, *_) = await keeper.recall(MINE, "a silver bell", 3, {}, True)
        assert first.startswith(f"percept:{session.seq}.")
        assert await keeper.recall(MINE, "葡萄牙的首都", 3, {}) != ()
        assert await keeper.recall(MINE, "葡萄牙的首都", 3, {}, True) == ()


async def test_a_search_that_fails_fails_those_that_wait_behind_it(tmp_path: Path) -> None:
    answers: list[object] = []

    async def play() -> None:
        home = NotingHome()
        async with playing(begun(tmp_path / "s"), home=home) as session:
            home.store.fails = True
            asked = [session.keeper.recall(MINE, "the lid", 3, {}) for _ in range(3)]
            async with asyncio.timeout(10):
                answers.extend(await asyncio.gather(*asked, return_exceptions=True))

    # Not a `TimeoutError`: nobody waits for what cannot be done any more.
    with pytest.raises(MemoryStoreError, match="disk is full"):
        await play()
    assert [type(answer) for answer in answers] == [MemoryStoreError] * 3


async def test_how_far_memory_got_is_noted_off_the_event_loop(tmp_path: Path) -> None:
    """It is synced to disk, which takes its time."""
    threads = list[int]()

    class Noted(LettersHome):
        def settle(self, seq: int) -> None:
            threads.append(threading.get_ident())

    async with playing(begun(tmp_path / "s"), home=Noted()) as session:
        session.command(Do(character=ANN, text="waits"))
    assert threads
    assert threading.get_ident() not in threads
