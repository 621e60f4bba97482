"""Anchors: the character's own scenes from which remembering sets out (ReverieMem, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from sandbox.story.percepts import Episode
from sandbox.story.text import clean
from sandbox.story.view import CharacterView

MOST_ANCHORS: Final = 3
_MOST_MEMORIES: Final = 4
"""Memories kept of one scene: what it was about, not all of it."""
_SHOWN_CHARS: Final = 200


@dataclass(frozen=True)
class Anchor:
    """One scene of the character's own, with what came to mind of it."""

    scene: str
    turn: int
    """Turn of the latest of its memories; 0 for canon."""
    memories: tuple[str, ...]
    """Ids of its own percepts and episodes, those that bear most first."""
    entities: tuple[str, ...]
    """Whom and what these name, by the names it knows."""

    def texts(self, view: CharacterView) -> tuple[str, ...]:
        """What came to mind, in its own words."""
        return tuple(view.memory(id_) for id_ in self.memories)

    def plain(self, view: CharacterView) -> dict[str, Any]:
        """For people."""
        texts = [clean(text, _SHOWN_CHARS) for text in self.texts(view)]
        return {"turn": self.turn, "memories": texts}


def anchors_of(
    view: CharacterView, memories: Iterable[str], most: int = MOST_ANCHORS
) -> tuple[Anchor, ...]:
    """The scenes that recalled memories belong to, the one with the best memory first.

    What happened between scenes belongs to none and is passed over.

    Args:
        view: whose memories.
        memories: ids, best first, as recall gives them.
        most: scenes to keep.

    Raises:
        BoundaryError: one of the memories is not its own.
    """
    scenes: dict[str, list[str]] = {}
    turns: dict[str, int] = {}
    for id_ in memories:
        scene, turn = _lived(view, id_)
        if scene:
            scenes.setdefault(scene, []).append(id_)
            turns[scene] = max(turn, turns.get(scene, 0))
    first = list(scenes.items())[:most]
    return tuple(_anchor(view, scene, turns[scene], ids[:_MOST_MEMORIES]) for scene, ids in first)


def _lived(view: CharacterView, id_: str) -> tuple[str, int]:
    """Scene and turn of one memory."""
    found = view.lived(id_)
    if found is None:
        view.memory(id_)  # raises: it is not its own
        return "", 0
    if isinstance(found, Episode):
        return found.scene, found.turn
    return found.beat.scene or "", found.beat.turn


def _anchor(view: CharacterView, scene: str, turn: int, memories: list[str]) -> Anchor:
    named = dict.fromkeys(e for id_ in memories for e in view.named_in(view.memory(id_)))
    named.pop(view.me, None)
    return Anchor(scene, turn, tuple(memories), tuple(named))
