"""Playback: a save as it stood at any turn, read-only."""

from __future__ import annotations

from sandbox.errors import SaveError
from sandbox.storage.saves import Save
from sandbox.story.fold import Fold
from sandbox.story.withdrawing import surviving
from sandbox.story.world import World


class Playback:
    """The surviving story of a save, turn by turn. Memory as of a turn is that of its `world`."""

    def __init__(self, save: Save) -> None:
        """Read the save; it may be open elsewhere at the same time.

        Raises:
            JournalError: the journal is damaged.
        """
        self.save = save
        self.canon = save.canon()
        self._beats = [beat for beat in surviving(save.read().beats) if beat.is_story]
        self._fold = Fold(self.canon, save.manifest.start)
        self.turn = 0
        self.jump(self.last_turn)

    @property
    def last_turn(self) -> int:
        return self._beats[-1].turn if self._beats else 0

    @property
    def world(self) -> World:
        """The world at `turn`; another object after a jump back."""
        return self._fold.world

    def jump(self, turn: int) -> World:
        """Go to a turn.

        Raises:
            SaveError: the story has no such turn.
        """
        if not 0 <= turn <= self.last_turn:
            raise SaveError(f"{self.save.folder}: has turns 0 to {self.last_turn}, not {turn}.")
        if turn < self.turn:
            self._fold = Fold(self.canon, self.save.manifest.start)
            self.turn = 0
        for beat in self._beats:
            if self.turn < beat.turn <= turn:
                self._fold.apply(beat)
        self.turn = turn
        return self.world
