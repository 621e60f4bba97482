"""Other words for a line: what it tells is what still stands in them."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.story.canon import Canon
from sandbox.story.events import (
    Acted,
    Announced,
    Event,
    LineSpoken,
    MessageSent,
    Narrated,
    Thought,
    Whispered,
)
from sandbox.story.naming import masked

_Worded = LineSpoken | Whispered | Announced | MessageSent


def reworded(events: Sequence[Event], words: str, canon: Canon) -> list[Event] | None:
    """The events of a line with other words; None where it has none to change.

    Of a line with several texts it is what is spoken that is changed, else what is narrated, done or
    thought. A claim stays only where its sentence stands in the new words.
    """
    for kinds in (_Worded, Narrated, Acted, Thought):
        for index, event in enumerate(events):
            if isinstance(event, kinds) and not getattr(event, "prepared", None):
                changed = _with_words(event, words, canon)
                return [*events[:index], changed, *events[index + 1 :]]
    return None


def _with_words(event: _Worded | Narrated | Acted | Thought, words: str, canon: Canon) -> Event:
    match event:
        case LineSpoken() | Whispered():
            kept = tuple(claim for claim in event.tells if claim.said in words)
            # What it asked for was read from the old words.
            asks = event.asks if words == event.words else None
            return event.model_copy(update={"words": words, "tells": kept, "asks": asks})
        case Announced() | MessageSent():
            kept = tuple(claim for claim in event.tells if claim.said in words)
            return event.model_copy(update={"words": words, "tells": kept})
        case Acted():
            return event.model_copy(update={"text": masked(words, canon), "first": None})
        case Narrated():
            return event.model_copy(update={"text": masked(words, canon)})
        case Thought():
            return event.model_copy(update={"text": words})
