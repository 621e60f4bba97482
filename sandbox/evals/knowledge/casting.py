"""A world made from an event list: a character for each name, and places and things as they come."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from sandbox.evals.knowledge.items import ListedEvent, ListedItem
from sandbox.evals.knowledge.placing import NO_PLACE
from sandbox.story.canon import Canon, CanonScene, Place, Predicate, Roster, Thing
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, SceneId, ThingId
from sandbox.story.people import Character
from sandbox.story.predicates import built_in
from sandbox.story.stage import Stage

T = TypeVar("T", bound=Hashable)

START = SceneId("start")
LABELLED = PredicateId("labelled")
CONTAINS = PredicateId("contains")
UNPLACED = PlaceId("p0")
"""The place that stands for none."""
_LONGEST_NAME = 80
_PREDICATES = {
    **built_in("en"),
    LABELLED: Predicate(id=LABELLED, functional=True, changes=True),
    CONTAINS: Predicate(id=CONTAINS, functional=True, changes=True),
}
_SCENES = (CanonScene(id=START, title="start", place=UNPLACED, clock="0:00", roster=Roster()),)
_MARKED_ID = re.compile(r"`([cptb]\d+)`")


class Names:
    """Ids for the names of one list; the engine works on ids, whatever the names are."""

    def __init__(self, item: ListedItem, placed: Sequence[tuple[ListedEvent, str]]) -> None:
        self.people = _numbered("c", _people(item))
        self.places = _numbered("p", [NO_PLACE, *_places(item)])
        self.things = _numbered("t", _things(item))
        self.containers = _numbered("b", self._containers(placed))
        self._back = {id_: name for name, id_ in [*self.people.items(), *self.places.items()]}
        self._back |= {id_: name for name, id_ in self.things.items()}
        self._back |= {id_: name for (name, _), id_ in self.containers.items()}
        self.container_ids = frozenset(self.containers.values())

    def _containers(self, placed: Iterable[tuple[ListedEvent, str]]) -> Iterator[tuple[str, str]]:
        for event, place in placed:
            if event.container and event.container not in self.things:
                yield event.container, place

    def who(self, name: str) -> CharacterId:
        return CharacterId(self.people[name])

    def everybody(self, names: Iterable[str]) -> tuple[CharacterId, ...]:
        people = self.people
        return tuple([CharacterId(people[name]) for name in names])

    def place(self, name: str) -> PlaceId:
        return PlaceId(self.places[name])

    def thing(self, name: str) -> ThingId:
        return ThingId(self.things[name])

    def container(self, name: str, place: str) -> ThingId:
        """A container is where it was put to use: the drawer of one room is not that of the next.

        What the list handles or asks for as an object too is that one thing, wherever it is.
        """
        return ThingId(self.things.get(name) or self.containers[name, place])

    def container_spoken_of(self, name: str, place: str, stage: Stage) -> ThingId:
        """The container that words mean: the one here, else the only kind of it that stands anywhere."""
        here = self.container(name, place)
        if stage.thing_at[here] != UNPLACED:
            return here
        others = (ThingId(id_) for (other, _), id_ in self.containers.items() if other == name)
        standing = [id_ for id_ in others if stage.thing_at[id_] != UNPLACED]
        return standing[-1] if standing else here

    def name(self, id_: str) -> str:
        """The name an id stands for; free text stands as it is."""
        return self._back.get(id_, id_)

    def in_words(self, problem: str) -> str:
        """What the engine says of ids, said of the names they stand for."""
        return _MARKED_ID.sub(lambda match: f"`{self.name(match[1])}`", problem)

    def canon(self) -> Canon:
        """The world: all off the stage, nothing anywhere, nobody knowing anything."""
        things = [*self.things.values(), *self.containers.values()]
        return Canon(
            id="list",
            title="list",
            language="en",
            blurb="an event list",
            characters=tuple(
                Character(id=id_, name=_short(name, id_), home=UNPLACED)
                for name, id_ in self.people.items()
            )
            or (Character(id="c0", name="nobody", home=UNPLACED),),
            places=tuple(
                Place(id=id_, name=_short(name, id_)) for name, id_ in self.places.items()
            ),
            things=tuple(
                Thing(id=id_, name=_short(self.name(id_), id_), place=UNPLACED) for id_ in things
            ),
            predicates=_PREDICATES,
            scenes=_SCENES,
        )


def _short(name: str, id_: str) -> str:
    return name[:_LONGEST_NAME].strip() or id_


def _numbered(prefix: str, names: Iterable[T]) -> dict[T, str]:
    return {name: f"{prefix}{number}" for number, name in enumerate(dict.fromkeys(names))}


def _people(item: ListedItem) -> Iterator[str]:
    yield from item.cast
    for event in item.events:
        yield from event.doers
        for names in (event.targets, event.secret_witnesses, event.distracted, event.dead):
            yield from names
        for listed in (event.removed, event.carried_over, event.heard_by, event.present):
            yield from listed or ()
    for question in item.questions:
        yield from question.ask.chain


def _places(item: ListedItem) -> Iterator[str]:
    for event in item.events:
        yield from (p for p in (event.place, event.from_place, event.to_place) if p)


def _things(item: ListedItem) -> Iterator[str]:
    for event in item.events:
        yield from (event.object,) if event.object else ()
    for question in item.questions:
        yield from (question.ask.object,) if question.ask.object else ()
