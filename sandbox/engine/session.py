"""A running story: rounds are decided, committed and remembered; a person's commands take effect between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from sandbox.agents.minds import Cost, DraftDropped, Drafted, Move, Situation
from sandbox.engine.casting import Casting
from sandbox.engine.keeper import Keeper
from sandbox.engine.ordering import Order, carry_out, forced_by
from sandbox.engine.outside import OutsideOf
from sandbox.engine.scheduler import Due, due_scenes, ended_scenes
from sandbox.engine.staging import Staging
from sandbox.engine.updates import (
    BeatBegan,
    BeatCommitted,
    BeatFailed,
    BeatPassed,
    DraftArrived,
    DraftWithdrawn,
    Update,
)
from sandbox.errors import ModelError, SandboxError
from sandbox.storage.cassette import Advanced, Closed, Key, Opened, Ordered, Stopped
from sandbox.storage.saves import OpenSave
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.commands import Command
from sandbox.story.episodes import composed, parts_of
from sandbox.story.events import Beat, Happened, SceneClosed, SceneOpened
from sandbox.story.fold import Fold, fold, surviving
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.view import CharacterView
from sandbox.story.world import World

DIRECTOR = "director"
PERSON = "person"


@dataclass
class _Deciding:
    """One character's decision while it runs."""

    due: Due
    updates: asyncio.Queue[DraftArrived | DraftWithdrawn | None] = field(
        default_factory=asyncio.Queue
    )
    cost: Cost = field(default_factory=Cost)
    move: Move = field(default_factory=Move)


@dataclass
class Totals:
    """What a session has cost so far."""

    moves: int = 0
    cost: Cost = field(default_factory=Cost)

    def add(self, cost: Cost) -> None:
        """Add one move."""
        self.moves += 1
        self.cost.calls += cost.calls
        self.cost.repeats += cost.repeats
        self.cost.prompt_tokens += cost.prompt_tokens
        self.cost.output_tokens += cost.output_tokens
        self.cost.is_estimated |= cost.is_estimated


class Session:
    """One story being played. Owns the save's journal and cassette while it is open."""

    def __init__(
        self,
        opened: OpenSave,
        canon: Canon,
        casting: Casting,
        keeper: Keeper,
        outside: OutsideOf,
    ) -> None:
        self.save = opened.save
        self.canon = canon
        self.casting = casting
        self.keeper = keeper
        self.totals = Totals()
        self._opened = opened
        self._outside = outside
        self._beats = list(opened.read.beats)
        self._fold: Fold = fold(canon, opened.save.manifest.start, self._beats)
        advanced = [e for e in opened.entries if isinstance(e, Advanced)]
        self._round = max([*(b.round for b in self._beats), *(e.round for e in advanced), 0])
        # A retake holds for the round that follows it, even where the save was closed between.
        since = max((e.seq for e in advanced), default=0)
        self._forced = forced_by(self._beats, since, canon.cast)
        self._is_playing = False

    @property
    def world(self) -> World:
        """The live world; it follows the story. After a rewind it is another object."""
        return self._fold.world

    @property
    def seq(self) -> int:
        """Number of the last journal line."""
        return self._beats[-1].seq if self._beats else 0

    @property
    def was_torn(self) -> bool:
        """Whether the journal ended in half a line, which was dropped."""
        return self._opened.read.is_torn

    def start(self) -> None:
        """Begin: note the opening on the cassette, open memory in the background."""
        self._opened.cassette.write(Opened(seq=self.seq))
        self.keeper.start(self.world, self._beats, self.seq)

    def abandon(self) -> None:
        """Let go of a save that was never started."""
        self._opened.close()

    async def close(self) -> None:
        """Write everything and let go of the save."""
        try:
            await self.keeper.close()
        finally:
            try:
                self._opened.cassette.write(Closed(seq=self.seq))
            finally:
                self._opened.close()

    # ── rounds ────────────────────────────────────────────────────────────────────────────────

    async def advance(
        self, limit: int | None = None, until: int | None = None
    ) -> AsyncGenerator[Update, None]:
        """Play one round; every update is yielded when it is true.

        Closing the generator stops the round: what was not committed leaves no trace.

        Args:
            limit: most beats to play. None: one for each scene that is due.
            until: journal line after which to stop, for a replay of a round that was cut off.

        Raises:
            SaveError: the journal cannot be written.
            MemoryStoreError: the store failed.
        """
        if self._is_playing:
            raise SandboxError("a beat is being played. Stop it first.")
        self.keeper.check()
        self._is_playing = True
        try:
            async with aclosing(self._play_round(limit, until)) as updates:
                async for update in updates:
                    yield update
        finally:
            self._is_playing = False

    def skip_round(self) -> None:
        """Count a round in which nothing got to disk, as when it was cut off at once."""
        self._round += 1
        self._forced = None

    async def _play_round(
        self, limit: int | None, until: int | None
    ) -> AsyncGenerator[Update, None]:
        self._opened.cassette.write(Advanced(seq=self.seq, round=self._round + 1, limit=limit))
        self._round += 1
        due = due_scenes(self.world, self.casting.held, self._forced)[:limit]
        self._forced = None
        deciding = [_Deciding(one) for one in due]
        tasks = [asyncio.create_task(self._decide(one)) for one in deciding]
        clock = self.world.clock
        is_whole = False
        try:
            for one, task in zip(deciding, tasks, strict=True):
                async with aclosing(self._follow(one, task, clock)) as updates:
                    async for update in updates:
                        yield update
            is_whole = True
        finally:
            await _cancelled(tasks)
            if not is_whole:
                self._opened.cassette.write(Stopped(seq=self.seq, round=self._round))
        for update in self._end_scenes(until):
            yield update

    async def _decide(self, one: _Deciding) -> None:
        """Let a mind decide; drafts go to the queue, the move stays until its turn."""
        due = one.due
        seed = self.save.manifest.seed
        situation = Situation(
            view=CharacterView(self.world, due.actor),
            chance=Chance(seed, self._round, due.scene, due.actor),
            outside=self._outside(Key(self._round, due.scene, due.actor, "move")),
            cost=one.cost,
        )
        try:
            mind = self.casting.mind_of(due.actor)
            async with aclosing(mind.decide(situation)) as pieces:
                async for piece in pieces:
                    match piece:
                        case Move():
                            one.move = piece
                        case Drafted():
                            one.updates.put_nowait(DraftArrived(due.actor, piece.text))
                        case DraftDropped():
                            one.updates.put_nowait(DraftWithdrawn(due.actor, piece.reason))
        finally:
            one.updates.put_nowait(None)

    async def _follow(
        self, one: _Deciding, task: asyncio.Task[None], clock: int
    ) -> AsyncGenerator[Update, None]:
        """Drafts of one decision as they come, then its commit. A bug in a mind comes out here."""
        due = one.due
        yield BeatBegan(due.actor, due.place, self.casting.mind_of(due.actor).name)
        while (update := await one.updates.get()) is not None:
            yield update
        try:
            await task
        except ModelError as error:
            yield BeatFailed(due.actor, error)
            return
        if one.move.is_empty:
            yield BeatPassed(due.actor)
        else:
            self.totals.add(one.cost)
            yield BeatCommitted(self._commit_move(one, clock), one.cost)

    def _commit_move(self, one: _Deciding, clock: int) -> Beat:
        due, staging = one.due, Staging(self.world.stage)
        if due.opens:
            staging.add(SceneOpened(scene=due.scene, place=due.place, number=due.number))
        staging.move(due.actor, one.move)
        return self._commit(due.actor, due.scene, staging.happened, clock + staging.minutes)

    def _end_scenes(self, until: int | None = None) -> list[Update]:
        """Close what is over, and let everybody who was there keep an episode of it."""
        updates: list[Update] = []
        for scene in ended_scenes(self.world, self.save.manifest.story.scene_beats):
            if self.seq == until:
                break
            staging = Staging(self.world.stage)
            staging.add(SceneClosed(scene=scene.id, place=scene.place))
            for part in parts_of(self.world, scene):
                text = composed(CharacterView(self.world, part.owner), part.percepts)
                if text:
                    staging.add(part.written(text))
            beat = self._commit(DIRECTOR, scene.id, staging.happened, self.world.clock)
            updates.append(BeatCommitted(beat))
        return updates

    # ── commit ────────────────────────────────────────────────────────────────────────────────

    def _commit(
        self, mind: str, scene: SceneId | None, happened: Sequence[Happened], clock: int
    ) -> Beat:
        """Put a beat on disk, then into the world, then into memories."""
        beat = Beat(
            seq=self.seq + 1,
            turn=self.world.turn + 1,
            round=self._round,
            scene=scene,
            mind=mind,
            clock=max(clock, self.world.clock),
            events=tuple(happened),
        )
        self._opened.journal.append(beat)
        self._beats.append(beat)
        gained = self._fold.apply(beat)
        ends = any(isinstance(h.event, SceneClosed) for h in happened)
        self.keeper.take(self.world, beat, gained, ends_scene=ends)
        return beat

    # ── a person's commands ───────────────────────────────────────────────────────────────────

    def command(self, command: Command, until: int | None = None) -> list[Update]:
        """Carry out what a person asks for, between two rounds.

        Args:
            command: what to do.
            until: journal line after which to stop, for a replay.

        Raises:
            SandboxError: it is not possible; nothing has changed.
        """
        if self._is_playing:
            raise SandboxError("a beat is being played. Stop it first.")
        order = carry_out(command, self.world, self._beats)
        self._opened.cassette.write(Ordered(seq=self.seq, command=command))
        if order.withdraws:
            return [BeatCommitted(self._withdraw(order))]
        beat = self._commit(PERSON, order.scene, order.happened, order.clock)
        return [BeatCommitted(beat), *self._end_scenes(until)]

    def _withdraw(self, order: Order) -> Beat:
        left = [b for b in surviving(self._beats) if b.is_story and b.seq not in order.withdraws]
        beat = Beat(
            seq=self.seq + 1,
            turn=left[-1].turn if left else 0,
            round=self._round,
            scene=None,
            mind=PERSON,
            clock=order.clock,
            events=tuple(order.happened),
        )
        self._opened.journal.append(beat)
        self._beats.append(beat)
        self._fold = fold(self.canon, self.save.manifest.start, self._beats)
        self._forced = order.forced
        self.keeper.refresh(self.world, self.seq)
        return beat

    @property
    def beats(self) -> Sequence[Beat]:
        """Every journal line, withdrawn ones too."""
        return self._beats


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel what still runs. What went wrong in a decision that never had its turn is nothing."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
