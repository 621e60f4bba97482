"""Episodes composed without a model: a first-person summary of one scene, from its owner's percepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sandbox.story.beats import Detail
from sandbox.story.events import (
    Acted,
    Entered,
    EpisodeWritten,
    LineSpoken,
    MoodTurned,
    Narrated,
    SceneClosed,
    SceneOpened,
    Whispered,
)
from sandbox.story.ids import CharacterId, EventId, SceneId
from sandbox.story.items import Language
from sandbox.story.percepts import Percept
from sandbox.story.view import CharacterView
from sandbox.story.world import Scene, World

PART_BEATS = 40
"""A longer scene is summarised in parts: nobody keeps more of one evening in one piece."""
_MOST_SENTENCES = 7
_JOIN: Final[dict[Language, str]] = {"en": " ", "zh": ""}


@dataclass(frozen=True)
class ScenePart:
    """What one participant perceived of one part of a scene."""

    owner: CharacterId
    scene: SceneId
    part: int
    percepts: tuple[Percept, ...]

    @property
    def ids(self) -> tuple[EventId, ...]:
        """The events it rests on."""
        return tuple(percept.beat.event_id(percept.index) for percept in self.percepts)

    def written(self, text: str) -> EpisodeWritten:
        """The event that makes `text` a memory of its owner."""
        return EpisodeWritten(
            owner=self.owner, scene=self.scene, part=self.part, text=text, rests_on=self.ids
        )


def parts_of(world: World, scene: Scene) -> Iterator[ScenePart]:
    """For everybody who perceived anything where the scene was, what it took in, part by part."""
    for owner in sorted(world.percepts):
        seen = percepts_within(world, owner, scene)
        beats = sorted({percept.beat.seq for percept in seen})
        for start in range(0, len(beats), PART_BEATS):
            within = set(beats[start : start + PART_BEATS])
            chosen = tuple(percept for percept in seen if percept.beat.seq in within)
            yield ScenePart(owner, scene.id, start // PART_BEATS + 1, chosen)


def percepts_within(world: World, owner: CharacterId, scene: Scene) -> list[Percept]:
    """What `owner` perceived in the scene's place since it opened; what came from next door too."""
    found: list[Percept] = []
    for percept in reversed(world.percepts[owner]):
        if percept.beat.turn < scene.opened_turn:
            break
        if _place_of(percept) == scene.place and not isinstance(percept.event, SceneClosed):
            found.append(percept)
    return found[::-1]


def _place_of(percept: Percept) -> str:
    """Where the witness was; who enters is in the new place."""
    if isinstance(percept.event, Entered) and percept.event.actor == percept.witness:
        return percept.event.place
    return percept.scene_place


def composed(view: CharacterView, percepts: Sequence[Percept]) -> str:
    """A summary in first person: where and with whom, what mattered most, in order; may be empty."""
    worded = [(percept, view.worded(percept)) for percept in percepts]
    worded = [(percept, text) for percept, text in worded if text]
    by_weight = sorted(range(len(worded)), key=lambda n: (-salience(worded[n][0]), n))
    kept = sorted(by_weight[:_MOST_SENTENCES])
    sentences = dict.fromkeys(worded[n][1] for n in kept)
    return _JOIN[view.language].join(sentences)


def salience(percept: Percept) -> float:
    """How much a percept matters to its witness, as a share in [0, 1]."""
    mine = getattr(percept.event, "actor", None) == percept.witness
    match percept.event:
        case LineSpoken() | Whispered() as line if percept.detail is Detail.FULL:
            to_me = percept.witness in line.targets
            return 0.5 + 0.25 * bool(line.tells) + 0.15 * (to_me or mine)
        case Acted() as act:
            return 0.7 if act.examines else 0.3
        case Narrated():
            return 0.8
        case SceneOpened():
            return 0.9
        case MoodTurned():
            return 0.4
        case _:
            return 0.35
