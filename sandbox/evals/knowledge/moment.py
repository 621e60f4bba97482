"""What a listed event is translated against: its names, its place, and the stage as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import Names
from sandbox.evals.knowledge.items import ListedEvent
from sandbox.story import events
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.stage import NOWHERE, Stage
from sandbox.story.world import World


@dataclass(frozen=True)
class Switches:
    """Rules in which the public suites differ."""

    on_entering: str = "nothing"
    """What all there see, with one another, when somebody enters: `all` objects and labels, those in
    the `open`, `nothing`."""
    claims: str = "place"
    """Who hears a `say`: those in the `place`, or all `everywhere`."""
    trust: str = "all"
    """Whose claims are believed: `none`, `all`, of `later-leavers` only."""


class Step(NamedTuple):
    """One of the engine's events for a listed one."""

    event: Event
    is_main: bool = False
    """Whether its witnesses are those of the listed event."""


Steps = Iterator[Step]


class Moment(NamedTuple):
    """One listed event at the moment it happens. The stage moves on as its steps happen."""

    event: ListedEvent
    names: Names
    switches: Switches
    is_staged: bool
    world: World
    """As it was before the event."""
    stage: Stage
    known_places: set[CharacterId]
    """Whom the list has placed before."""
    place_name: str
    place: PlaceId
    doers: tuple[CharacterId, ...]

    @property
    def words(self) -> str:
        return self.event.text or "…"

    @property
    def spies(self) -> list[CharacterId]:
        """Secret witnesses who are alive and do not do it themselves."""
        own = {*self.doers, *self.stage.dead}
        return [w for w in self.names.everybody(self.event.secret_witnesses) if w not in own]

    def is_here(self, who: CharacterId) -> bool:
        return self.stage.place_of[who] == self.place

    def is_elsewhere(self, who: CharacterId) -> bool:
        return self.stage.place_of[who] not in (self.place, NOWHERE)

    def somewhere(self, who: CharacterId) -> str:
        """Where somebody is, in words."""
        here = self.stage.place_of[who]
        return "nowhere on the stage" if here == NOWHERE else f"in `{self.names.name(here)}`"

    def check_here(self, people: Iterable[CharacterId]) -> None:
        """Refuse what people do in a place where they are not.

        Raises:
            StageError: one of them is elsewhere, or nowhere.
        """
        for who in people:
            if not self.is_here(who):
                raise StageError(
                    f"`{self.names.name(who)}` is {self.somewhere(who)}, not in `{self.place_name}`;"
                    " it has to enter first."
                )

    def check_alive(self, people: Iterable[CharacterId]) -> None:
        """Refuse what the dead do.

        Raises:
            StageError: one of them is dead.
        """
        for who in people:
            if who in self.stage.dead:
                raise StageError(
                    f"`{self.names.name(who)}` is dead and does nothing more; it may enter again,"
                    " as a ghost."
                )

    def business(self) -> Event:
        """Something goes on in the place: the doing of those who can, else of nobody."""
        able = [w for w in self.doers if self.is_here(w) and w not in self.stage.dead]
        if not able:
            return events.Narrated(text=self.words, place=self.place)
        return events.Acted(actor=able[0], text=self.words, alongside=tuple(able[1:]))


def set_apart(people: Iterable[CharacterId], place: PlaceId | None) -> Step:
    """A step that puts people somewhere (None: off the stage) unperceived."""
    return Step(events.StageSet(places=dict.fromkeys(people, place)))


def overheard(m: Moment, spies: Sequence[CharacterId], on: PlaceId, steps: Steps) -> Steps:
    """`steps`, which `spies` take in from elsewhere, each for itself: nobody notices them, no other spy either."""
    stage = m.stage
    home = {who: stage.place_of[who] for who in spies if stage.place_of[who] != NOWHERE}
    if home:
        yield set_apart(home, None)
    for who in dict.fromkeys(spies):
        yield Step(events.Spied(actor=who, on=on))
    yield from steps
    for who in dict.fromkeys(spies):
        if who in stage.spying and who not in stage.dead:
            yield Step(events.Spied(actor=who, on=None))
    if home:
        yield Step(events.StageSet(places=home))
