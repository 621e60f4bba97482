"""One event list played through the engine: stage, perception, grants and beliefs are those of stories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import START, UNPLACED, Names
from sandbox.evals.knowledge.items import KNOWN_TYPES, ListedEvent, ListedItem
from sandbox.evals.knowledge.moment import Switches
from sandbox.evals.knowledge.placing import with_places
from sandbox.evals.knowledge.translating import Translator
from sandbox.evals.knowledge.trusting import LaterLeavers
from sandbox.evals.made_up import beat_of
from sandbox.story import events
from sandbox.story.beats import Detail, Happened
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId


@dataclass
class Replay:
    """A list as played."""

    names: Names
    fold: Fold
    departures: LaterLeavers
    witnesses: list[frozenset[str] | None] = field(default_factory=list)
    """For each event in the order of the list: who perceived it in full. None: it was not played, or
    nobody can."""
    heard: dict[int, frozenset[str]] = field(default_factory=dict)
    """The same by the event's `i`, by which questions name it; the first where several bear it."""
    unknown: int = 0
    """Events of a type the form does not have; skipped."""
    refused: dict[int, str] = field(default_factory=dict)
    """By their place in the list, events the stage does not allow, with what would be right.
    Nothing of them is applied."""


class _Player:
    """Plays the events of one list, each as one beat, whole or not at all."""

    def __init__(self, played: Replay, translator: Translator) -> None:
        self._played = played
        self._translator = translator
        self._staging = Staging(played.fold.world.stage)
        self._placed: set[CharacterId] = set()

    def play(self, event: ListedEvent, place: str) -> Happened | None:
        """Play one listed event.

        Raises:
            StageError: the stage does not allow it. Nothing of it is applied.
        """
        world, staging = self._played.fold.world, self._staging
        main: Happened | None = None
        steps = self._translator.steps(event, place, world, staging.stage, self._placed)
        try:
            for step in steps:
                staging.add(step.event)
                main = staging.happened[-1] if step.is_main else main
        except StageError:
            self._staging = Staging(world.stage)
            raise
        self.commit()
        return main

    def commit(self, *happening: events.Event) -> None:
        """What was staged happens, with `happening` after it."""
        staging, fold = self._staging, self._played.fold
        staging.add(*happening)
        happened, staging.happened = staging.happened, []
        if not happened:
            return
        fold.apply(beat_of(fold.world.counts.seq + 1, happened))
        self._played.departures.follow(fold.world, happened)
        self._note_placed(happened)

    def _note_placed(self, happened: Sequence[Happened]) -> None:
        for one in happened:
            match one.event:
                case events.Entered() as event:
                    self._placed.update((event.actor, *event.alongside))
                case events.StageSet() as event:
                    there = (
                        w for w, place in event.places.items() if place not in (None, UNPLACED)
                    )
                    self._placed.update(there)
                case _:
                    pass


def replay(item: ListedItem, switches: Switches) -> Replay:
    """Play all events of `item`."""
    listed = list(with_places(item))
    names = Names(item, listed)
    played = Replay(names, Fold(names.canon(), START), LaterLeavers())
    translator = Translator(names, switches, is_staged=item.is_staged)
    player = _Player(played, translator)
    everybody = dict.fromkeys(map(CharacterId, names.people.values()), None)
    player.commit(events.StageSet(places=everybody))
    for number, (event, place) in enumerate(listed):
        main = None
        if event.type not in KNOWN_TYPES:
            played.unknown += 1
        else:
            try:
                main = player.play(event, place)
            except StageError as error:
                played.refused[number] = names.in_words(str(error))
        _note_heard(played, event, main)
    return played


def _note_heard(played: Replay, event: ListedEvent, main: Happened | None) -> None:
    heard = None
    if main is not None:
        name = played.names.name
        heard = frozenset([name(w) for w, how in main.witnesses.items() if how is Detail.FULL])
        played.heard.setdefault(event.i, heard)
    played.witnesses.append(heard)
