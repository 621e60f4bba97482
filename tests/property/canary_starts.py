"""What everybody is given at a start point, before the first beat, with and without a mind."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.engine.records import expected, shelves
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import cast_seen, transcript
from sandbox.story.world import World
from tests.property.canary import Tracker
from tests.property.canary_aside import Aside
from tests.property.canary_mint import out_of_ids, tokens
from tests.property.canary_pages import everything_in, pages_of
from tests.property.canary_parrot import Parrot
from tests.property.canary_plan import ID_OF
from tests.property.canary_stage import Leak
from tests.property.canary_world import CanaryWorld

_QUESTIONS = {"en": "Who is {}, and why?", "zh": "{}是谁？为什么？"}


@dataclass
class Start:
    """A story that is about to begin after a canon scene."""

    written: CanaryWorld
    canon: Canon
    scene: str

    def __post_init__(self) -> None:
        self.world: World = Fold(self.canon, SceneId(ID_OF[self.scene])).world
        self.tracker, self.sides = (
            Tracker(self.written, self.scene, structured=both) for both in (False, True)
        )
        self.tracker.follow([])
        self.sides.follow([])
        self.aside = Aside(Parrot(self.written))

    def check_seen(self) -> None:
        """Views, memories, viewpoints, pages."""
        for id_ in self.world.percepts:
            for where, text in self.seen_by(id_):
                self._check(self.sides, out_of_ids(id_), text, where)

    async def check_requests(self) -> None:
        """A move, one of a character that questions itself, and an answer of each."""
        for id_ in self.world.percepts:
            before = len(self.aside.asked)
            await self.aside.move(self.world, id_, deep=False)
            await self.aside.move(self.world, id_, deep=True)
            question = self._question_to(id_)
            await self.aside.answer(self.world, id_, question, model=True, deep=True)
            for asked in self.aside.asked[before:]:
                self._check(self.tracker, asked.who, asked.text, f"in a request (`{asked.kind}`)")

    async def check_composed(self) -> int:
        """Answers without a model; returns how many say anything of the world."""
        said = 0
        for id_ in self.world.percepts:
            found = await self.aside.answer(self.world, id_, self._question_to(id_), model=False)
            plain = found.plain(CharacterView(self.world, id_))
            text = json.dumps(plain, ensure_ascii=False)
            self._check(self.sides, out_of_ids(id_), text, "in its answer")
            said += bool(tokens(found.said.words))
        return said

    def seen_by(self, id_: CharacterId) -> Iterator[tuple[str, str]]:
        """Where and what: all that a character is given without a mind."""
        world = self.world
        for shelf in shelves(world):
            for record in expected(world, shelf) if shelf.owner == id_ else ():
                yield f"in memory `{shelf.layer}`", record.text
        for text in everything_in(CharacterView(world, id_)):
            yield "in its view", text
        yield from (("in its viewpoint", line.text) for line in transcript(world, id_))
        yield from (("in its cast list", name) for _, name, _ in cast_seen(world, id_))
        yield from ((f"on the page {name}", text) for name, text in pages_of(world, id_))

    def _check(self, tracker: Tracker, who: str, text: str, where: str) -> None:
        """By who may hold what, and once more by the span of each item alone."""
        where = f"{where} after `{self.scene}`"
        tracker.check(who, text, where)
        at = self.written.plan.scenes.index(self.scene)
        for token in tokens(text):
            if not self.written.fields[token].holds(at):
                raise Leak(f"{token} ({self.written.fields[token]}) reached `{who}` {where}")

    def _question_to(self, id_: CharacterId) -> str:
        """A question about all that a character has names for."""
        names = set[str]().union(*self.written.names.values())
        held = sorted(self.tracker.held[out_of_ids(id_)] & names)
        return _QUESTIONS[self.written.language].format(" ".join(held))
