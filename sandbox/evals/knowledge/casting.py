"""A world made from an event list: a character for each name, and places and things as they come."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from sandbox.evals.knowledge.items import ListedEvent, ListedItem
from sandbox.story.canon import Canon, CanonScene, Place, Predicate, Roster, Thing
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, SceneId, ThingId
from sandbox.story.people import Character
from sandbox.story.predicates import built_in

T = TypeVar("T", bound=Hashable)

START = SceneId("start")
LABELLED = PredicateId("labelled")
CONTAINS = PredicateId("contains")
_LONGEST_NAME = 80
NO_PLACE = "—"
"""Name of the place where things are that no list has placed yet."""


class Names:
    """Ids for the names of one list; the engine works on ids, whatever the names are."""

    def __init__(self, item: ListedItem) -> None:
        self.people = _numbered("c", _people(item))
        self.places = _numbered("p", [NO_PLACE, *_places(item)])
        self.things = _numbered("t", _things(item))
        self.containers = _numbered("b", _containers(item))
        self._back = {id_: name for name, id_ in [*self.people.items(), *self.places.items()]}
        self._back |= {id_: name for name, id_ in self.things.items()}
        self._back |= {id_: name for (name, _), id_ in self.containers.items()}

    def who(self, name: str) -> CharacterId:
        return CharacterId(self.people[name])

    def everybody(self, names: Iterable[str]) -> tuple[CharacterId, ...]:
        return tuple(self.who(name) for name in names)

    def place(self, name: str) -> PlaceId:
        return PlaceId(self.places[name])

    def thing(self, name: str) -> ThingId:
        return ThingId(self.things[name])

    def container(self, name: str, place: str) -> ThingId:
        """A container is where it was put to use: the drawer of one room is not that of the next."""
        return ThingId(self.containers[name, place])

    def name(self, id_: str) -> str:
        """The name an id stands for; free text stands as it is."""
        return self._back.get(id_, id_)

    def canon(self) -> Canon:
        """The world: all off the stage, nothing anywhere, nobody knowing anything."""
        nowhere = PlaceId("p0")
        return Canon(
            id="list",
            title="list",
            language="en",
            blurb="an event list",
            characters=tuple(
                Character(id=id_, name=name[:_LONGEST_NAME] or id_, home=nowhere)
                for name, id_ in self.people.items()
            ),
            places=tuple(
                Place(id=id_, name=name[:_LONGEST_NAME] or id_) for name, id_ in self.places.items()
            ),
            things=tuple(
                Thing(id=id_, name=self.name(id_)[:_LONGEST_NAME] or id_, place=nowhere)
                for id_ in [*self.things.values(), *self.containers.values()]
            ),
            predicates={
                **built_in("en"),
                LABELLED: Predicate(id=LABELLED, functional=True, changes=True),
                CONTAINS: Predicate(id=CONTAINS, functional=True, changes=True),
            },
            scenes=(
                CanonScene(id=START, title="start", place=nowhere, clock="0:00", roster=Roster()),
            ),
        )


def _numbered(prefix: str, names: Iterable[T]) -> dict[T, str]:
    return {name: f"{prefix}{number}" for number, name in enumerate(dict.fromkeys(names))}


def _people(item: ListedItem) -> Iterator[str]:
    yield from item.cast
    for event in item.events:
        yield from event.doers
        for names in (event.targets, event.secret_witnesses, event.distracted, event.dead):
            yield from names
        for listed in (event.removed, event.carried_over, event.heard_by):
            yield from listed or ()
        if event.type == "scene_start":
            yield from event.present or ()


def _places(item: ListedItem) -> Iterator[str]:
    for event in item.events:
        yield from (p for p in (event.place, event.from_place, event.to_place) if p)


def _things(item: ListedItem) -> Iterator[str]:
    for event in item.events:
        yield from (event.object,) if event.object else ()
    for question in item.questions:
        yield from (question.ask.object,) if question.ask.object else ()


def places_as_they_go(item: ListedItem) -> Iterator[tuple[ListedEvent, str]]:
    """Each event with the name of the place it happens in: its own, else the last one named."""
    scene = NO_PLACE
    for event in item.events:
        scene = event.place or scene
        yield event, event.place or scene


def _containers(item: ListedItem) -> Iterator[tuple[str, str]]:
    for event, place in places_as_they_go(item):
        if event.container:
            yield event.container, place
