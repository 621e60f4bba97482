"""Parts of made-up stories: the beat that holds given events, and the scene before the first."""

from collections.abc import Sequence
from typing import Any

from sandbox.story.beats import Beat, Happened
from sandbox.story.ids import SceneId

BEFORE = SceneId("before")
"""The only canon scene of a made-up world."""


def beat_of(number: int, happened: Sequence[Happened]) -> Beat:
    """The `number`th beat of a story, outside any scene."""
    return Beat(
        seq=number,
        turn=number,
        round=number,
        scene=None,
        mind="person",
        clock=number,
        events=tuple(happened),
    )


def scene_before(place: str, who: str) -> dict[str, Any]:
    """The canon scene of a made-up world, as a world file has it."""
    roster = {"active": [who]}
    return {"id": BEFORE, "title": "Before", "place": place, "clock": "08:00", "roster": roster}
