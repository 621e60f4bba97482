"""Patterns grown in play, beside those a world writes (personality memory; ReverieMem, section 3.3)."""

from __future__ import annotations

from sandbox.story.beats import Beat
from sandbox.story.ids import PatternId
from sandbox.story.inward import PatternGrown
from sandbox.story.items import Timed
from sandbox.story.people import Occasion, Pattern


class GrownPattern(Pattern):
    """A pattern whose owner took it on in the story."""

    occasions: tuple[Occasion, ...] = ()
    """Empty: only the words of its situation tell when it applies."""
    scene: str
    """Scene at whose close it grew."""
    turn: int
    seq: int

    @classmethod
    def of(cls, beat: Beat, index: int, event: PatternGrown) -> GrownPattern:
        """The pattern that the event at `index` of `beat` makes."""
        return cls(
            id=grown_id(beat, index),
            owner=event.owner,
            situation=event.situation,
            occasions=event.occasions,
            mood_before=event.mood_before,
            mood_after=event.mood_after,
            manner=event.manner,
            samples=tuple(Timed(text=text) for text in event.samples),
            scene=beat.scene or "",
            turn=beat.turn,
            seq=beat.seq,
        )


def grown_id(beat: Beat, index: int) -> PatternId:
    """Id of the pattern that the event at `index` makes: from that event's own, with marks a slug allows."""
    return PatternId(beat.event_id(index).replace("event:", "grown_"))
