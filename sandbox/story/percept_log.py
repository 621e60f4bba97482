"""The log of who took in what. A percept is made when somebody asks for it: most never are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from sandbox.story.beats import Beat, Happened
from sandbox.story.events import actor_of
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.percepts import Percept


@dataclass(slots=True)
class Taken:
    """One event with what stood when it was perceived; all its witnesses share it."""

    beat: Beat
    index: int
    happened: Happened
    places: Mapping[CharacterId, PlaceId]
    strangers: Mapping[CharacterId, frozenset[CharacterId]]

    def by(self, who: CharacterId) -> Percept:
        """The event as `who`, one of its witnesses, took it in."""
        happened = self.happened
        actor = actor_of(happened.event)
        return Percept(
            who,
            happened.witnesses[who],
            self.beat,
            self.index,
            happened,
            self.places[who],
            self.strangers[who],
            None if actor is None else self.places.get(actor),
        )

    def by_all(self) -> Iterator[Percept]:
        return (self.by(who) for who in self.happened.witnesses)


class Percepts(Sequence[Percept]):
    """One witness's percepts, in order."""

    def __init__(self, who: CharacterId) -> None:
        self._who = who
        self._taken: list[Taken] = []
        self.append = self._taken.append

    def __len__(self) -> int:
        return len(self._taken)

    @overload
    def __getitem__(self, at: int) -> Percept: ...
    @overload
    def __getitem__(self, at: slice) -> list[Percept]: ...
    def __getitem__(self, at: int | slice) -> Percept | list[Percept]:
        if isinstance(at, slice):
            return [taken.by(self._who) for taken in self._taken[at]]
        return self._taken[at].by(self._who)

    def __iter__(self) -> Iterator[Percept]:
        return (taken.by(self._who) for taken in self._taken)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it grows


class PerceptLog:
    """Everybody's percepts, as beats add to them."""

    def __init__(self, everybody: Sequence[CharacterId]) -> None:
        self.of = {who: Percepts(who) for who in everybody}
        self._places: dict[CharacterId, PlaceId] = {}
        self._strangers: dict[CharacterId, frozenset[CharacterId]] = {}

    def take(
        self,
        beat: Beat,
        index: int,
        places: Mapping[CharacterId, PlaceId],
        strangers: Mapping[CharacterId, frozenset[CharacterId]],
    ) -> Taken:
        """Keep one event for each of its witnesses; what stood then is copied only where it changed."""
        if self._places != places:
            self._places = dict(places)
        if self._strangers != strangers:
            self._strangers = dict(strangers)
        happened = beat.events[index]
        taken = Taken(beat, index, happened, self._places, self._strangers)
        for who in happened.witnesses:
            self.of[who].append(taken)
        return taken
