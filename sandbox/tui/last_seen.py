"""Where a viewpoint saw or heard everybody last, by what it perceived in play."""

from __future__ import annotations

from sandbox.story.events import Left
from sandbox.story.ids import CharacterId
from sandbox.story.percepts import Percept
from sandbox.story.viewpoint import Viewpoint
from sandbox.story.wording import is_next_door
from sandbox.story.world import World
from sandbox.tui import words


class LastSeen:
    """Everybody that one viewpoint noticed. It grows with what is perceived."""

    def __init__(self, world: World, viewpoint: Viewpoint) -> None:
        self._world, self._viewpoint = world, viewpoint
        self._noted: dict[CharacterId, str] = {}
        self._read = 0
        """Percepts that `_noted` is from."""

    def __call__(self) -> dict[CharacterId, str]:
        """Those noticed by now, each with where that was."""
        percepts = self._world.percepts[self._viewpoint] if self._viewpoint else ()
        for percept in percepts[self._read :]:
            self._note(percept)
        self._read = len(percepts)
        return self._noted

    def _note(self, percept: Percept) -> None:
        if percept.is_from_afar or percept.is_of_somebody:
            return  # it tells nobody where those are whom it is about
        self._noted |= dict.fromkeys(percept.noticed, self._where(percept))
        if isinstance(event := percept.event, Left) and event.actor in self._noted:
            goal = event.to_place
            self._noted[event.actor] = self._last(goal) if goal else words.LAST_SEEN_NOWHERE

    def _where(self, percept: Percept) -> str:
        return words.LAST_HEARD if is_next_door(percept) else self._last(percept.scene_place)

    def _last(self, place: str) -> str:
        return words.LAST_SEEN.format(place=self._world.names(self._viewpoint)(place))
