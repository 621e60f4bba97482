"""Single events on the small stage, for tests of one rule at a time."""

from collections.abc import Sequence
from typing import Any

from sandbox.engine.staging import Staging
from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property.strategies import START, Stageable, small_canon

FULL, THAT = Detail.FULL, Detail.THAT
Plain = dict[str, Any]


class Told:
    """A story of a few events, given as plain data; the fold of it so far."""

    def __init__(self, *events: Plain, canon: Canon | None = None, start: str = START) -> None:
        self._folding = Fold(canon or small_canon(), SceneId(start))
        self.beats: list[Beat] = []
        for event in events:
            self.happen(event)

    @property
    def world(self) -> World:
        return self._folding.world

    def happen(self, *events: Plain) -> Happened:
        """Let events happen in one beat; the last of them with its witnesses."""
        staging = Staging(self.world.stage)
        staging.add(*(Stageable.validate(event) for event in events))
        return self.take(staging.happened)

    def walk(self, who: str, to: str) -> Happened:
        staging = Staging(self.world.stage)
        staging.walk(CharacterId(who), to)  # type: ignore[arg-type]
        return self.take(staging.happened)

    def take(self, happened: Sequence[Happened]) -> Happened:
        seq = len(self.beats) + 1
        beat = Beat(
            seq=seq,
            turn=seq,
            round=seq,
            scene=None,
            mind="person",
            clock=1200 + seq,
            events=tuple(happened),
        )
        self.beats.append(beat)
        self._folding.apply(beat)
        return happened[-1]

    def view(self, who: str) -> CharacterView:
        return CharacterView(self.world, CharacterId(who))

    def remembers(self, who: str) -> list[str]:
        """The percepts of somebody in words."""
        view = self.view(who)
        return [text for percept in view.percepts if (text := view.worded(percept))]

    def knows(self, who: str) -> list[str]:
        """What somebody learned in play."""
        return [f.statement for f in self.view(who).known if f.learned_turn]


def says(actor: str, words: str = "Good evening.", *to: str, **more: Any) -> Plain:
    return {"kind": "line_spoken", "actor": actor, "words": words, "targets": list(to), **more}


def whispers(actor: str, words: str, *to: str, **more: Any) -> Plain:
    return {"kind": "whispered", "actor": actor, "words": words, "targets": list(to), **more}


def acts(actor: str, text: str = "waits", **more: Any) -> Plain:
    return {"kind": "acted", "actor": actor, "text": text, **more}


def turns(actor: str, state: str) -> Plain:
    return {"kind": "state_turned", "actor": actor, "state": state}


def claim(subject: str, predicate: str, object_: str, said: str) -> Plain:
    return {"subject": subject, "predicate": predicate, "object": object_, "said": said}
