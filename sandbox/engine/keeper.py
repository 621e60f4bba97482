"""Keeps a store in step with the story: puts as beats come, flushes in the background, catches up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any, Protocol, TypeVar

from sandbox.engine.pacing import Pace
from sandbox.engine.records import expected, gained_records, shelves
from sandbox.errors import SandboxError
from sandbox.memory.keeping import sync
from sandbox.memory.recall import recall, supported
from sandbox.memory.store import MemoryStore, Record, Shelf
from sandbox.story.beats import Beat
from sandbox.story.world import Gained, World

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
    """One worker makes all calls to the store, one at a time, off the event loop.

    Searches and renewals wait for each other only; writing what is pending goes on behind them,
    shelf by shelf and in pauses, so that a mind never waits for a whole flush.
    """

    home: Home
    _pending: Pending = field(default_factory=dict)
    _dirty: set[Shelf] = field(default_factory=set)
    """Shelves with records that are put and not yet flushed."""
    _writing: list[Shelf] = field(default_factory=list)
    """Shelves of the flush under way that are still to be written."""
    _writing_seq: int = 0
    _seq: int = 0
    _pace: Pace = field(default_factory=Pace)
    _jobs: deque[_Job] = field(default_factory=deque)
    _is_closing: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _worker: asyncio.Task[None] | None = None
    _failure: SandboxError | None = None

    def start(self, world: World, beats: Iterable[Beat], seq: int) -> None:
        """Open the store in the background and bring it up to journal line `seq`."""
        applied = self.home.applied
        later = [beat for beat in beats if beat.seq > applied]
        self._seq = seq
        # Memory ahead of the journal remembers what never happened.
        is_other = applied > seq or any(beat.withdrawn_seqs for beat in later)
        if self.home.is_new or is_other:
            self.refresh(world, seq)
        elif later:
            wanted = _all_expected(world)
            self._pending = {s: [r for r in rs if r.seq > applied] for s, rs in wanted.items()}
            self.flush()
        self._worker = asyncio.create_task(self._work(), name="memory")

    def take(self, world: World, beat: Beat, gained: Gained, *, ends_scene: bool) -> None:
        """Keep what a beat put into memories."""
        self._seq = beat.seq
        for shelf, records in gained_records(world, gained).items():
            self._pending.setdefault(shelf, []).extend(records)
        self._pace.beat(_now(), ends_scene=ends_scene)
        self._wake.set()

    def flush(self) -> None:
        """Write what is pending, in the background."""
        self._pace.press(_now())
        self._wake.set()

    def refresh(self, world: World, seq: int) -> None:
        """Make every shelf hold what the world says, in the background; after a withdrawal."""
        self._seq = seq
        self._pending = {}
        wanted = _all_expected(world)

        def renew(store: MemoryStore) -> None:
            for shelf in store.shelves():
                sync(store, shelf, wanted.get(shelf, ()))
            for shelf, records in wanted.items():
                sync(store, shelf, records)

        self._dirty |= wanted.keys()
        self._do(renew)
        self.flush()

    async def recall(
        self,
        shelf: Shelf,
        query: str,
        limit: int,
        ages: Mapping[str, int],
        supporting: bool = False,
    ) -> tuple[str, ...]:
        """Ids of the memories that bear most on `query`, pending ones included.

        Args:
            shelf: whose memories, and of which layer.
            query: a sentence, a question or a few names.
            limit: the most to return.
            ages: see `recall`.
            supporting: only those that an answer could rest on.

        Raises:
            MemoryStoreError: the store failed.
        """

        def search(store: MemoryStore) -> tuple[str, ...]:
            found = recall(store, shelf, query, limit=limit, ages=ages)
            chosen = supported(found) if supporting else found
            return tuple(item.record.id for item in chosen)

        return await self._asked(search, [shelf])

    async def records(self, shelf: Shelf) -> Mapping[str, Record]:
        """Everything on a shelf, pending ones included."""
        return await self._asked(lambda store: dict(store.records(shelf)), [shelf])

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
        self._is_closing = True
        self.flush()
        await self._worker
        self._worker = None
        self.check()

    def _taken(self, shelves: Iterable[Shelf] | None = None) -> Pending:
        """What is pending, on some shelves or on all, handed over to be put."""
        chosen = list(self._pending) if shelves is None else shelves
        taken = {shelf: self._pending.pop(shelf) for shelf in chosen if shelf in self._pending}
        self._dirty |= taken.keys()
        return taken

    def _do(self, work: Callable[[MemoryStore], T]) -> asyncio.Future[T]:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # Nobody may be waiting: what goes wrong is kept in `_failure`.
        done.add_done_callback(lambda future: future.cancelled() or future.exception())
        self._jobs.append(_Job(work, done))
        self._wake.set()
        return done

    async def _asked(
        self, work: Callable[[MemoryStore], T], shelves: Iterable[Shelf] | None = None
    ) -> T:
        """What `work` finds; what is pending on those shelves is put first, so that it is found too."""
        self.check()
        self._pace.search(_now())
        pending = self._taken(shelves)

        def put_and_work(store: MemoryStore) -> T:
            _put(store, pending)
            return work(store)

        return await self._do(put_and_work)

    async def _work(self) -> None:
        store: MemoryStore | None = None
        while not self._is_finished:
            if not self._jobs and self._pace.start > _now():
                await self._pause()
                continue
            try:
                if store is None:
                    store = await asyncio.to_thread(self.home.open)
                await self._step(store)
            except SandboxError as error:
                self._fail(error)
            except BaseException as bug:
                # Nobody may wait for a worker that is gone.
                self._fail(bug)
                raise
        if store is not None:
            await asyncio.to_thread(store.close)

    @property
    def _is_finished(self) -> bool:
        return self._is_closing and not self._jobs and self._pace.start == inf

    async def _pause(self) -> None:
        """Until there is something to do: a job, or what is pending may be written."""
        self._wake.clear()
        start = self._pace.start
        with suppress(TimeoutError):
            async with asyncio.timeout_at(None if start == inf else start):
                await self._wake.wait()

    async def _step(self, store: MemoryStore) -> None:
        """Do the most pressing piece of work: the jobs, a shelf of a flush, the begin of a flush."""
        if self._jobs:
            # All in one go: to change threads costs as much as a small search.
            await asyncio.to_thread(_carry_out, self._jobs, store, asyncio.get_running_loop())
        elif self._writing:
            await asyncio.to_thread(store.flush, self._writing[0])
            del self._writing[0]
            await self._settle()
        else:
            self._pace.begin()
            self._writing_seq, pending = self._seq, self._taken()
            await asyncio.to_thread(_put, store, pending)
            self._writing, self._dirty = sorted(self._dirty, key=str), set()
            await self._settle()

    async def _settle(self) -> None:
        if not self._writing:
            self._pace.end()
            await asyncio.to_thread(self.home.settle, self._writing_seq)

    def _fail(self, error: BaseException) -> None:
        """Keep what went wrong, and let nobody wait for what cannot be done any more."""
        if isinstance(error, SandboxError):
            self._failure = self._failure or error
        self._writing, self._pace = [], Pace()
        while self._jobs:
            _set(self._jobs.popleft().done, error=error)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _carry_out(jobs: deque[_Job], store: MemoryStore, loop: asyncio.AbstractEventLoop) -> None:
    """Do all jobs, those too that come meanwhile. After an error the rest is left."""
    while jobs:
        job = jobs.popleft()
        try:
            answer = job.work(store)
        except BaseException as error:
            loop.call_soon_threadsafe(_set, job.done, None, error)
            raise
        loop.call_soon_threadsafe(_set, job.done, answer)


def _set(done: asyncio.Future[Any], answer: Any = None, error: BaseException | None = None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(answer)


def _put(store: MemoryStore, pending: Pending) -> None:
    for shelf, records in pending.items():
        store.put(shelf, records)


def _all_expected(world: World) -> Pending:
    return {shelf: list(expected(world, shelf)) for shelf in shelves(world)}
