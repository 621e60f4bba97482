"""Where each event of a list happens, where the list itself leaves that open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox.evals.knowledge.items import COMING, LEAVING, ListedEvent, ListedItem

NO_PLACE = "—"
"""Name of the place where people and things are that no list has placed yet."""


@dataclass
class _Walk:
    """Where the list last left everybody, by its own words."""

    scene: str = NO_PLACE
    at: dict[str, str] = field(default_factory=dict)

    def place_of(self, event: ListedEvent) -> str:
        """Its own place; else its actor's; else the last one named."""
        if event.place:
            return event.place
        doers = event.doers
        own = self.at.get(doers[0]) if doers and event.type not in COMING else None
        return own or self.scene

    def follow(self, event: ListedEvent, place: str) -> None:
        if event.place:
            self.scene = event.place
        if event.type in COMING:
            self.at |= dict.fromkeys(event.doers, place)
        elif event.type == "carry_object" and event.to_place:
            self.at |= dict.fromkeys(event.doers, event.to_place)
        elif event.type == "scene_start":
            self.at.clear()
        elif event.type in LEAVING:
            for who in event.doers if event.removed is None else event.removed:
                self.at.pop(who, None)


def with_places(item: ListedItem) -> Iterator[tuple[ListedEvent, str]]:
    """Each event with the name of the place it happens in."""
    walk = _Walk()
    for event in item.events:
        place = walk.place_of(event)
        walk.follow(event, place)
        yield event, place
