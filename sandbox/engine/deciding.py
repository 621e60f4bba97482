"""One character's decision while it runs beside those of other scenes, and what decisions have cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from sandbox.agents.minds import Cost, DraftDropped, Drafted, Mind, Move, Situation
from sandbox.engine.scheduler import Due
from sandbox.engine.staging import Staging
from sandbox.engine.updates import DraftArrived, DraftWithdrawn
from sandbox.engine.withdrawals import Order
from sandbox.story.events import SceneOpened
from sandbox.story.stage import Stage


@dataclass
class Totals:
    """What a session has cost so far."""

    moves: int = 0
    cost: Cost = field(default_factory=Cost)
    consolidations: Cost = field(default_factory=Cost)
    """Of scenes that closed, apart from moves."""

    @property
    def together(self) -> Cost:
        """Moves and closings."""
        return self.cost + self.consolidations

    def add(self, cost: Cost) -> None:
        """Add one move."""
        self.moves += 1
        self.cost += cost


class Deciding:
    """A mind at work: its drafts as they come, its move when it is whole."""

    def __init__(self, due: Due, mind: Mind, situation: Situation) -> None:
        self.due = due
        self.cost = situation.cost
        self.trace = situation.trace
        self.move = Move()
        self._updates: asyncio.Queue[DraftArrived | DraftWithdrawn | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(mind, situation))

    async def drafts(self) -> AsyncGenerator[DraftArrived | DraftWithdrawn, None]:
        """What arrives, until the move is whole.

        Raises:
            ModelError: no move could be had. Anything else that comes out is a bug in the mind.
        """
        while (update := await self._updates.get()) is not None:
            yield update
        await self._task

    async def _run(self, mind: Mind, situation: Situation) -> None:
        actor = self.due.actor
        try:
            async with aclosing(mind.decide(situation)) as pieces:
                async for piece in pieces:
                    match piece:
                        case Move():
                            self.move = piece
                        case Drafted():
                            self._updates.put_nowait(DraftArrived(actor, piece.text))
                        case DraftDropped():
                            self._updates.put_nowait(DraftWithdrawn(actor, piece.reason))
        finally:
            self._updates.put_nowait(None)

    def order(self, stage: Stage, clock: int) -> Order:
        """What the move comes to on `stage`; a new scene opens with it.

        Args:
            stage: as it stands now, which may be another than it was decided on.
            clock: story minute at which the round began.
        """
        due, staging = self.due, Staging(stage)
        if due.opens:
            staging.add(SceneOpened(scene=due.scene, place=due.place, number=due.number))
        staging.move(due.actor, self.move)
        return Order(staging.happened, due.scene, clock + staging.minutes)

    @staticmethod
    async def all_whole(decisions: Sequence[Deciding]) -> None:
        """Wait for every decision of a round, however it ends."""
        await asyncio.wait([one._task for one in decisions])

    @staticmethod
    async def stop(decisions: Sequence[Deciding]) -> None:
        """Cancel those that still run. What went wrong in one that had no turn is nothing."""
        tasks = [one._task for one in decisions]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
