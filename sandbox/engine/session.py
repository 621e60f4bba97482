"""A running story: rounds are decided, committed and remembered; a person's commands take effect between them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing

from sandbox.agents.minds import Situation
from sandbox.engine.branching import last_round
from sandbox.engine.casting import Casting
from sandbox.engine.consolidating import Consolidating
from sandbox.engine.deciding import Deciding, Totals
from sandbox.engine.directing import Directing
from sandbox.engine.director import DIRECTOR as DIRECTOR
from sandbox.engine.director import Director, RehearsalDirector
from sandbox.engine.keeper import Keeper
from sandbox.engine.ordering import carry_out
from sandbox.engine.outside import OutsideOf
from sandbox.engine.readying import Readying
from sandbox.engine.roles import Models
from sandbox.engine.scheduler import Due, due_scenes
from sandbox.engine.updates import (
    BeatBegan,
    BeatCommitted,
    BeatFailed,
    BeatPassed,
    DirectionRefused,
    SceneConsolidating,
    Update,
)
from sandbox.engine.withdrawals import PERSON as PERSON
from sandbox.engine.withdrawals import Order, forced_by, line_of
from sandbox.errors import ModelError, SandboxError, StageError
from sandbox.storage.cassette import Advanced, Closed, Key, Opened, Ordered, Stopped
from sandbox.storage.saves import OpenSave
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.commands import Command
from sandbox.story.events import SceneClosed
from sandbox.story.fold import Fold, fold
from sandbox.story.ids import PatternId
from sandbox.story.view import CharacterView
from sandbox.story.world import World


class Session:
    """One story being played. Owns the save's journal and cassette while it is open."""

    def __init__(
        self,
        opened: OpenSave,
        canon: Canon,
        casting: Casting,
        keeper: Keeper,
        outside: OutsideOf,
        models: Models | None = None,
        director: Director | None = None,
    ) -> None:
        """`director`: another one than the save's settings give."""
        self.save, self.canon = opened.save, canon
        self.casting, self.keeper = casting, keeper
        self.totals = Totals()
        self._opened = opened
        self._outside = outside
        self._closing = Consolidating(opened.save.manifest, outside, self.totals.consolidations)
        self._models = models
        self.readying = Readying(canon, opened.save.manifest.start, models)
        if director is None and opened.save.manifest.story.director:
            director = RehearsalDirector(casting.held)
        self._directing = Directing(director, opened.save.manifest.seed, casting.held)
        self._beats = list(opened.read.beats)
        self._fold: Fold = fold(canon, opened.save.manifest.start, self._beats)
        self._round = last_round(self._beats, opened.entries)
        # A retake holds for the round that follows it, even where the save was closed between.
        since = max((e.seq for e in opened.entries if isinstance(e, Advanced)), default=0)
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
        self.readying.begin()

    def abandon(self) -> None:
        """Let go of a save that was never started."""
        self._opened.close()

    async def close(self) -> None:
        """Write everything and let go of the save."""
        async with AsyncExitStack() as after:
            if self._models is not None:
                after.push_async_callback(self._models.aclose)
            after.callback(self._opened.close)
            after.callback(self._opened.cassette.write, Closed(seq=self.seq))
            after.push_async_callback(self.keeper.close)
            await self.readying.stop()

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
        deciding, is_whole = list[Deciding](), False
        try:
            async with aclosing(self._between_rounds(until)) as updates:
                async for update in updates:
                    yield update
            await self.readying.done()
            due = due_scenes(self.world, self.casting.held, self._forced)[:limit]
            self._forced = None
            deciding += [self._deciding(one) for one in due]
            clock = self.world.clock
            for one in deciding:
                async with aclosing(self._follow(one, deciding, clock)) as updates:
                    async for update in updates:
                        yield update
            is_whole = True
        finally:
            await Deciding.stop(deciding)
            if not is_whole:
                self._opened.cassette.write(Stopped(seq=self.seq, round=self._round))
        async with aclosing(self._end_scenes(until)) as updates:
            async for update in updates:
                yield update

    async def _between_rounds(self, until: int | None) -> AsyncGenerator[Update, None]:
        """Messages arrive, and one direction at most comes about. A retake is of what went before it."""
        if self._forced is not None:
            return
        if self._closing.asks_a_model:
            # What a person's command ended, or a kill in the midst of closing left open.
            async with aclosing(self._end_scenes(until)) as updates:
                async for update in updates:
                    yield update
        for order in self._directing.delivered(self.world):
            yield self._directed(order)
        try:
            direction = self._directing.directed(self.world, self._round)
        except StageError as error:
            yield DirectionRefused(error)
        else:
            if direction is not None:
                yield self._directed(direction)

    def _directed(self, order: Order) -> BeatCommitted:
        return BeatCommitted(self._commit(DIRECTOR, order))

    def _deciding(self, due: Due) -> Deciding:
        """Begin a decision: of the world, a mind is given its character's view and nothing else."""
        situation = Situation(
            view=CharacterView(self.world, due.actor),
            chance=Chance(self.save.manifest.seed, self._round, due.scene, due.actor),
            outside=self._outside(Key(self._round, due.scene, due.actor, "move")),
        )
        return Deciding(due, self.casting.mind_of(due.actor), situation)

    async def _follow(
        self, one: Deciding, others: Sequence[Deciding], clock: int
    ) -> AsyncGenerator[Update, None]:
        """Drafts of one decision as they come, then its commit."""
        due = one.due
        yield BeatBegan(due.actor, due.place, self.casting.mind_of(due.actor).name)
        try:
            async with aclosing(one.drafts()) as drafts:
                async for draft in drafts:
                    yield draft
            # A view follows the world: nobody may still be deciding when the round's first beat is in it.
            await Deciding.all_whole(others)
        except ModelError as error:
            yield BeatFailed(due.actor, error)
            return
        if one.move.is_empty:
            yield BeatPassed(due.actor)
        else:
            self.totals.add(one.cost)
            beat = self._commit(due.actor, one.order(self.world.stage, clock), one.move.pattern)
            yield BeatCommitted(beat, one.cost, one.trace)

    async def _end_scenes(self, until: int | None) -> AsyncGenerator[Update, None]:
        """Close what is over, with what everybody who was there keeps of it."""
        for scene in self._closing.over(self.world):
            if self.seq == until:
                break
            if owners := self._closing.owners_asked(self.world, scene):
                yield SceneConsolidating(scene.id, owners)
            yield self._directed(await self._closing.by_model(self.world, scene, self._round))

    def _end_scenes_at_once(self, until: int | None) -> Iterator[Update]:
        """The same where no model is asked; where one is, they close when the next round begins."""
        for scene in self._closing.over(self.world, at_once=True):
            if self.seq == until:
                break
            yield self._directed(self._closing.by_rule(self.world, scene))

    # ── commit ────────────────────────────────────────────────────────────────────────────────

    def _commit(self, mind: str, order: Order, pattern: PatternId | None = None) -> Beat:
        """Put a beat on disk, then into the world, then into memories."""
        beat = Beat(
            seq=self.seq + 1,
            turn=self.world.turn + 1,
            round=self._round,
            scene=order.scene,
            mind=mind,
            clock=max(order.clock, self.world.clock),
            events=tuple(order.happened),
            pattern=pattern,
        )
        self._opened.append(beat)
        self._beats.append(beat)
        gained = self._fold.apply(beat)
        ends = any(isinstance(h.event, SceneClosed) for h in beat.events)
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
        guarded = self.save.manifest.language_mind > 0
        order = carry_out(command, self.world, self._beats, guarded=guarded)
        self._opened.cassette.write(Ordered(seq=self.seq, command=command))
        if order.withdraws:
            return [BeatCommitted(self._withdraw(order))]
        beat = self._commit(PERSON, order)
        return [BeatCommitted(beat), *self._end_scenes_at_once(until)]

    def _withdraw(self, order: Order) -> Beat:
        beat = line_of(order, self._beats, self._round)
        self._opened.append(beat)
        self._beats.append(beat)
        self._fold = fold(self.canon, self.save.manifest.start, self._beats)
        self._forced = forced_by(self._beats, 0, self.canon.cast)
        self.keeper.refresh(self.world, self.seq)
        return beat

    @property
    def beats(self) -> Sequence[Beat]:
        """Every journal line, withdrawn ones too."""
        return self._beats
