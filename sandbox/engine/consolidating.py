"""Scene close: what everybody who was there keeps of it, an episode and perhaps a pattern.

Without a model both are made by rule, at once. With one, each participant has a request of its own,
all of a scene at the same time; whose request fails keeps what is made by rule.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sandbox.agents.guarding import passed
from sandbox.agents.minds import Cost
from sandbox.agents.summarising import Checker, Kept, Room, summarised
from sandbox.engine.outside import OutsideOf
from sandbox.engine.scheduler import ended_scenes
from sandbox.engine.staging import Staging
from sandbox.engine.withdrawals import Order
from sandbox.storage.cassette import Key
from sandbox.storage.saves import Manifest
from sandbox.story.episodes import ScenePart, composed, parts_of
from sandbox.story.events import Event, SceneClosed
from sandbox.story.growing import grown_of
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.world import Scene, World

LAYERS_VERSION = 2
"""Version of what a scene leaves in memories. 1: episodes, composed. 2: by a model where one plays, and
patterns that grow. What is made by rule is not on the cassette: a save goes on as it was begun."""
_MODEL = "model"
_Given = Mapping[tuple[CharacterId, int], Kept | None]
"""What the model gave, by owner and part."""


@dataclass(frozen=True)
class Consolidating:
    """Makes the events of a closing scene."""

    manifest: Manifest
    outside: OutsideOf
    cost: Cost
    """Where requests are counted, apart from moves."""
    check: Checker = passed
    """What every text of a model passes before it becomes a memory."""

    @property
    def asks_a_model(self) -> bool:
        """Whether scenes close with requests, which take their time."""
        kinds = {self.manifest.mind, *self.manifest.minds.values()}
        return self.manifest.layers >= LAYERS_VERSION and _MODEL in kinds

    def asked(self, parts: Sequence[ScenePart]) -> list[ScenePart]:
        """The parts that a model summarises: not those of who rehearses."""
        kinds, usual = self.manifest.minds, self.manifest.mind
        if not self.asks_a_model:
            return []
        return [part for part in parts if kinds.get(part.owner, usual) != "rehearsal"]

    def owners_asked(self, world: World, scene: Scene) -> tuple[CharacterId, ...]:
        """For whom a model is asked when the scene closes, in order of id."""
        if not self.asks_a_model:
            return ()
        return tuple(dict.fromkeys(part.owner for part in self.asked(list(parts_of(world, scene)))))

    def over(self, world: World, *, at_once: bool = False) -> list[Scene]:
        """The scenes that have to close; `at_once`: those that can without a request."""
        if at_once and self.asks_a_model:
            return []
        return ended_scenes(world, self.manifest.story.scene_beats)

    def by_rule(self, world: World, scene: Scene) -> Order:
        """The close of a scene, made at once and without a model."""
        return self._closed(world, scene, list(parts_of(world, scene)), {})

    async def by_model(self, world: World, scene: Scene, round_: int) -> Order:
        """The same, with the requests of all participants at once. The world must not change meanwhile.

        Raises:
            SaveError: an answer could not be recorded.
        """
        parts = list(parts_of(world, scene))
        asked = self.asked(parts)
        tasks = [asyncio.create_task(self._summarised(world, part, round_)) for part in asked]
        try:
            kept = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        given = {(part.owner, part.part): one for part, one in zip(asked, kept, strict=True)}
        return self._closed(world, scene, parts, given)

    async def _summarised(self, world: World, part: ScenePart, round_: int) -> Kept | None:
        key = Key(round_, part.scene, part.owner, f"episode:{part.part}")
        room = Room(self.manifest.prompt_tokens, self.manifest.max_tokens)
        view = CharacterView(world, part.owner)
        return await summarised(view, part, self.outside(key), self.check, room, self.cost)

    def _closed(
        self, world: World, scene: Scene, parts: Sequence[ScenePart], given: _Given
    ) -> Order:
        staging = Staging(world.stage)
        staging.add(SceneClosed(scene=scene.id, place=scene.place))
        for owner, own in groupby(parts, key=lambda part: part.owner):
            staging.add(*self._kept(CharacterView(world, owner), list(own), given))
        return Order(staging.happened, scene.id, world.clock)

    def _kept(
        self, view: CharacterView, parts: Sequence[ScenePart], given: _Given
    ) -> Iterator[Event]:
        """An episode for each part of one owner's, and at most one pattern for the scene."""
        kept = [given.get((part.owner, part.part)) for part in parts]
        for part, one in zip(parts, kept, strict=True):
            text = composed(view, part.percepts) if one is None else one.text
            if text:
                yield part.written(text)
        grown = next((one.pattern for one in kept if one and one.pattern), None)
        if not any(kept) and self.manifest.layers >= LAYERS_VERSION:
            grown = grown_of(view, [percept for part in parts for percept in part.percepts])
        if grown is not None:
            yield grown
