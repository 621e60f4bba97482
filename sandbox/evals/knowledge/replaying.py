"""One event list played through the engine: stage, perception, grants and beliefs are those of stories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import START, Names, places_as_they_go
from sandbox.evals.knowledge.items import KNOWN_TYPES, ListedEvent, ListedItem
from sandbox.evals.knowledge.translating import Switches, Translator
from sandbox.evals.knowledge.trusting import LaterLeavers
from sandbox.story import events
from sandbox.story.beats import Beat, Happened
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId


@dataclass
class Replay:
    """A list as played."""

    names: Names
    fold: Fold
    departures: LaterLeavers
    heard: dict[int, frozenset[str]] = field(default_factory=dict)
    """For each event played, by its `i`: who perceived it in full."""
    unknown: int = 0
    """Events of a type the form does not have; skipped."""
    refused: list[tuple[int, str]] = field(default_factory=list)
    """Events the stage does not allow, with what would be right; nothing of them is applied."""


def replay(item: ListedItem, switches: Switches) -> Replay:
    """Play all events of `item`, each as one beat."""
    names = Names(item)
    played = Replay(names, Fold(names.canon(), START), LaterLeavers())
    translator = Translator(names, switches, is_staged=item.is_staged)
    everybody = dict.fromkeys(map(CharacterId, names.people.values()), None)
    _commit(played, [events.StageSet(places=everybody)])
    for event, place in places_as_they_go(item):
        if event.type not in KNOWN_TYPES:
            played.unknown += 1
            continue
        try:
            _play(played, translator, event, place)
        except StageError as error:
            played.refused.append((event.i, str(error)))
    return played


def _play(played: Replay, translator: Translator, event: ListedEvent, place: str) -> None:
    """Play one listed event, whole or not at all."""
    world, staging = played.fold.world, Staging(played.fold.world.stage)
    main: Happened | None = None
    for step in translator.steps(event, place, staging.stage):
        staging.add(step.event)
        main = staging.happened[-1] if step.is_main else main
    _append(played, staging.happened)
    if main is not None:
        played.heard[event.i] = frozenset(map(played.names.name, main.heard_in_full()))
    played.departures.follow(world, staging.happened)


def _commit(played: Replay, happening: Sequence[events.Event]) -> None:
    staging = Staging(played.fold.world.stage)
    staging.add(*happening)
    _append(played, staging.happened)


def _append(played: Replay, happened: Sequence[Happened]) -> None:
    number = played.fold.world.counts.seq + 1
    beat = Beat(
        seq=number,
        turn=number,
        round=number,
        scene=None,
        mind="person",
        clock=number,
        events=tuple(happened),
    )
    played.fold.apply(beat)
