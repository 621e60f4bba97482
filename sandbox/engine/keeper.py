"""Keeps a store in step with the story: puts as beats come, flushes in the background, catches up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from sandbox.engine.records import expected, gained_records, shelves
from sandbox.errors import SandboxError
from sandbox.memory.keeping import sync
from sandbox.memory.recall import recall
from sandbox.memory.store import MemoryStore, Record, Shelf
from sandbox.story.events import Beat
from sandbox.story.world import Gained, World

FLUSH_BEATS = 25
"""Beats after which pending memories are written at the latest."""
FLUSH_S = 2.0
"""Seconds after which they are, however few there are."""

T = TypeVar("T")
Pending = dict[Shelf, list[Record]]


class Home(Protocol):
    """Where a save's memory lives, and how far it got."""

    def open(self) -> MemoryStore:
        """The store, opened; called once, off the event loop."""
        ...

    @property
    def is_new(self) -> bool:
        """Whether there is no memory yet that could be continued."""
        ...

    @property
    def applied(self) -> int:
        """Last journal line that is on disk in it."""
        ...

    def settle(self, seq: int) -> None:
        """Note that everything up to line `seq` is on disk."""
        ...


@dataclass
class _Job:
    work: Callable[[MemoryStore], Any]
    done: asyncio.Future[Any]


@dataclass
class Keeper:
    """One worker makes all calls to the store, one at a time, off the event loop."""

    home: Home
    _pending: Pending = field(default_factory=dict)
    _seq: int = 0
    _beats: int = 0
    _jobs: asyncio.Queue[_Job | None] = field(default_factory=asyncio.Queue)
    _worker: asyncio.Task[None] | None = None
    _timer: asyncio.TimerHandle | None = None
    _failure: SandboxError | None = None

    def start(self, world: World, beats: Iterable[Beat], seq: int) -> None:
        """Open the store in the background and bring it up to journal line `seq`."""
        applied, is_new = self.home.applied, self.home.is_new
        later = [beat for beat in beats if beat.seq > applied]
        self._seq = seq
        if is_new or any(beat.withdrawn_seqs for beat in later):
            self.refresh(world, seq)
        elif later:
            wanted = _all_expected(world)
            new = {s: [r for r in records if r.seq > applied] for s, records in wanted.items()}
            self._do(lambda store: _put(store, new))
            self.flush()
        self._worker = asyncio.create_task(self._work(), name="memory")

    def take(self, world: World, beat: Beat, gained: Gained, *, ends_scene: bool) -> None:
        """Keep what a beat put into memories."""
        self._seq = beat.seq
        self._beats += 1
        for shelf, records in gained_records(world, gained).items():
            self._pending.setdefault(shelf, []).extend(records)
        if ends_scene or self._beats >= FLUSH_BEATS:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_S, self.flush)

    def flush(self) -> None:
        """Write what is pending, in the background."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._beats = 0
        seq, pending = self._seq, self._taken()

        def write(store: MemoryStore) -> None:
            _put(store, pending)
            store.flush()
            self.home.settle(seq)

        self._do(write)

    def refresh(self, world: World, seq: int) -> None:
        """Make every shelf hold what the world says, in the background; after a withdrawal."""
        self._seq = seq
        self._taken()
        wanted = _all_expected(world)

        def renew(store: MemoryStore) -> None:
            for shelf in store.shelves():
                sync(store, shelf, wanted.get(shelf, ()))
            for shelf, records in wanted.items():
                sync(store, shelf, records)
            store.flush()
            self.home.settle(seq)

        self._do(renew)

    async def recall(
        self, shelf: Shelf, query: str, limit: int, ages: Mapping[str, int]
    ) -> tuple[str, ...]:
        """Ids of the memories that bear most on `query`, pending ones included.

        Raises:
            MemoryStoreError: the store failed.
        """
        pending = self._taken()

        def search(store: MemoryStore) -> tuple[str, ...]:
            _put(store, pending)
            found = recall(store, shelf, query, limit=limit, ages=ages)
            return tuple(item.record.id for item in found)

        return await self._asked(search)

    async def records(self, shelf: Shelf) -> Mapping[str, Record]:
        """Everything on a shelf, pending ones included."""
        pending = self._taken()

        def read(store: MemoryStore) -> Mapping[str, Record]:
            _put(store, pending)
            return dict(store.records(shelf))

        return await self._asked(read)

    def check(self) -> None:
        """Raise what went wrong in the background, if anything did."""
        if self._failure is not None:
            raise self._failure

    async def close(self) -> None:
        """Write everything and let go of the store.

        Raises:
            MemoryStoreError: something could not be written; the journal has it all.
        """
        if self._worker is None:
            return
        self.flush()
        self._jobs.put_nowait(None)
        await self._worker
        self._worker = None
        self.check()

    def _taken(self) -> Pending:
        pending, self._pending = self._pending, {}
        return pending

    def _do(self, work: Callable[[MemoryStore], T]) -> asyncio.Future[T]:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # Nobody may be waiting: what goes wrong is kept in `_failure`.
        done.add_done_callback(lambda future: future.cancelled() or future.exception())
        self._jobs.put_nowait(_Job(work, done))
        return done

    async def _asked(self, work: Callable[[MemoryStore], T]) -> T:
        self.check()
        return await self._do(work)

    async def _work(self) -> None:
        store: MemoryStore | None = None
        while (job := await self._jobs.get()) is not None:
            try:
                if store is None:
                    store = await asyncio.to_thread(self.home.open)
                answer = await asyncio.to_thread(job.work, store)
            except SandboxError as error:
                self._failure = error
                if not job.done.cancelled():
                    job.done.set_exception(error)
            else:
                if not job.done.cancelled():
                    job.done.set_result(answer)
        if store is not None:
            await asyncio.to_thread(store.close)


def _put(store: MemoryStore, pending: Pending) -> None:
    for shelf, records in pending.items():
        store.put(shelf, records)


def _all_expected(world: World) -> Pending:
    return {shelf: list(expected(world, shelf)) for shelf in shelves(world)}
