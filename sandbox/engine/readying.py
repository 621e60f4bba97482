"""Makes ready what a model's lines are read by, in a thread of its own, while a session opens."""

from __future__ import annotations

import asyncio

from sandbox.agents.readying import readied
from sandbox.engine.roles import Models
from sandbox.story.canon import Canon
from sandbox.story.fold import fold
from sandbox.story.ids import SceneId
from sandbox.story.view import CharacterView


class Readying:
    """One thread for one session, where a model plays: no move then stops the event loop for it."""

    def __init__(self, canon: Canon, start: SceneId, models: Models | None) -> None:
        """`models`: None where none plays, or none is asked; then nothing is due."""
        self._canon = canon
        self._start = start
        self._is_due = models is not None
        self._is_wanted = True
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin in the background."""
        if self._is_due:
            self._task = asyncio.create_task(asyncio.to_thread(self._work), name="readying")

    def _work(self) -> None:
        from sandbox.models.endpoint import load

        world = fold(self._canon, self._start, ()).world
        # Not those who come into the story later: they have no view yet.
        views = (CharacterView(world, who) for who in world.grants)
        readied(views, lambda: self._is_wanted)
        if self._is_wanted:
            load()

    async def done(self) -> None:
        """Wait until it is done; at once where it is, or is not due."""
        if self._task is not None:
            # A round that is cut off does not cut this off.
            await asyncio.shield(self._task)

    async def stop(self) -> None:
        """Leave it, and wait for its thread."""
        self._is_wanted = False
        await self.done()
