"""Plays a save of the canary world and checks all that anybody is given."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.records import expected, shelves
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatBegan, BeatCommitted, DraftArrived, SceneConsolidating
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.storage.saves import Save
from sandbox.story.commands import (
    Command,
)
from sandbox.story.ids import (
    CharacterId,
    OrganisationId,
    PlaceId,
    PredicateId,
)
from sandbox.story.viewpoint import cast_seen, transcript
from sandbox.story.world import World
from tests.endpoint import FakeEndpoint, Reply, Text
from tests.property.canary import Parrot, Tracker, asking
from tests.property.canary_pages import pages_of
from tests.property.canary_world import (
    CAST,
    ID_OF,
    CanaryWorld,
    canary_world,
    out_of_ids,
)

PATIENCE_S = 240
HALL, YARD = (PlaceId(ID_OF[place]) for place in ("hall", "yard"))
RING = OrganisationId(ID_OF["ring"])
CONCERNS = PredicateId(ID_OF["concerns"])


@dataclass
class Watch:
    """Plays a save and checks every request against who may hold what."""

    world: CanaryWorld
    save: Save
    settings: Settings
    structured: bool = False
    requests: int = 0
    arrived: list[dict[str, Any]] = field(default_factory=list)
    session: Session | None = None
    tracker: Tracker = field(init=False)
    sides: Tracker = field(init=False)
    """For the screen, which shows what a fact is about beside its sentence."""

    def __post_init__(self) -> None:
        start = out_of_ids(self.save.manifest.start)
        self.tracker = Tracker(self.world, start, structured=self.structured)
        self.sides = Tracker(self.world, start, structured=True)

    @property
    def story(self) -> World:
        assert self.session is not None
        return self.session.world

    def follow(self) -> None:
        """Read the journal as it is on disk."""
        lines = self.save.journal_path.read_text(encoding="utf-8").splitlines()
        found = [json.loads(out_of_ids(line)) for line in lines]
        self.tracker.follow(found)
        self.sides.follow(found)

    async def play(self, beats: int) -> None:
        """Play until so many more beats of minds are committed."""
        assert self.session is not None
        played = 0
        while played < beats:
            drafts: dict[CharacterId, str] = {}
            is_decided = False
            async with aclosing(self.session.advance()) as updates:
                async for update in updates:
                    match update:
                        case DraftArrived(character=who, text=text):
                            drafts[who] = drafts.get(who, "") + text
                        case BeatCommitted(beat=beat):
                            if (mind := out_of_ids(beat.mind)) in CAST:
                                played += 1
                                self._check_own(mind, beat.as_json())
                        case SceneConsolidating():
                            # What is asked from here on rests on this round's beats as well.
                            self._check_sent(drafts)
                            drafts = {}
                            self.follow()
                        case BeatBegan() if not is_decided:
                            # What came between the rounds is known to those who decide in this one.
                            is_decided = True
                            self.follow()
                        case _:
                            pass
            self._check_sent(drafts)

    def _check_sent(self, drafts: Mapping[CharacterId, str]) -> None:
        for who, text in drafts.items():
            self.tracker.check(out_of_ids(who), text, "in a draft")
        self.check_requests()

    def _check_own(self, who: str, beat: dict[str, Any]) -> None:
        """What a mind says and does rests on what it held before."""
        for happened in json.loads(out_of_ids(json.dumps(beat)))["events"]:
            event = happened["event"]
            if event.get("actor") == who:
                examined = event.get("examines")
                said = " ".join(str(event.get(key, "")) for key in ("words", "mood", "text"))
                if examined is None:
                    self.tracker.check(who, said, f"in {event['kind']}")

    def check_requests(self) -> None:
        """Every request that came since the last look, against the state before its round."""
        for body in self.arrived:
            who = asking(self.world, body)
            text = json.dumps(body, ensure_ascii=False)
            self.tracker.check(who, text, f"in a request (turn {self.story.turn})")
        self.requests += len(self.arrived)
        self.arrived.clear()

    def order(self, command: Command) -> None:
        assert self.session is not None
        self.session.command(command)

    async def check_shelves(self) -> None:
        """What stands in the store itself, not only what ought to."""
        assert self.session is not None
        self.follow()
        for shelf in shelves(self.story):
            for record in (await self.session.keeper.records(shelf)).values():
                owner = out_of_ids(shelf.owner)
                self.tracker.check(owner, record.text, f"on the shelf `{shelf.layer}`")

    def check_everything_kept(self) -> None:
        """Memories, viewpoints and every page of the screen, for everybody as they are now."""
        self.follow()
        for shelf in shelves(self.story):
            owner = out_of_ids(shelf.owner)
            for record in expected(self.story, shelf):
                self.tracker.check(owner, record.text, f"in memory `{shelf.layer}`")
        for id_ in self.story.percepts:
            who = out_of_ids(id_)
            for line in transcript(self.story, id_):
                names = [line.speaker, *line.targets, *(heard.name for heard in line.heard)]
                self.tracker.check(who, " ".join([line.text, *names]), "in its viewpoint")
            for _, name, _ in cast_seen(self.story, id_):
                self.tracker.check(who, name, "in its cast list")
            for name, text in pages_of(self.story, id_):
                self.sides.check(who, text, f"on the page {name}")


def settings_for(endpoint: FakeEndpoint | None) -> Settings:
    model = ModelSettings()
    if endpoint is not None:
        model = ModelSettings(
            name="parrot", base_url=endpoint.base_url, api_key=SecretStr("sk-x"), prompt_tokens=6000
        )
    return Settings(model=model, story=StorySettings(scene_beats=7))


@asynccontextmanager
async def watching(
    folder: Path, start: str, seed: int, *, parrot: bool = True, language: str = "en"
) -> AsyncIterator[Watch]:
    """A new save in the canary world, played by the parrot or in rehearsal."""
    world = canary_world(language)
    mimic = Parrot(world, seed)
    watch: list[Watch] = []

    def answer(body: dict[str, Any]) -> Reply:
        watch[0].arrived.append(body)
        reply = mimic.reply(body)
        return Text(reply if isinstance(reply, str) else json.dumps(reply), chunk_size=4000)

    async with asyncio.timeout(PATIENCE_S), FakeEndpoint(answer) as endpoint:
        settings = settings_for(endpoint if parrot else None)
        written = world.write(folder / "canaries")
        save = begin(folder / "save", Beginning(written, seed=seed, start=ID_OF[start]), settings)
        watch.append(Watch(world, save, settings, structured=not parrot))
        async with opened(watch[0]):
            yield watch[0]


@asynccontextmanager
async def opened(watch: Watch) -> AsyncIterator[None]:
    begin_again(watch)
    try:
        yield
    finally:
        assert watch.session is not None
        await watch.session.close()


def begin_again(watch: Watch) -> None:
    watch.session = open_session(watch.save, watch.settings, memory="in_process")
    watch.session.start()


def person(who: str) -> CharacterId:
    return CharacterId(ID_OF[who])


def pair(watch: Watch) -> tuple[CharacterId, CharacterId]:
    """Two who are in one place and awake."""
    stage = watch.story.stage
    for place in sorted(set(stage.place_of.values())):
        here = stage.attending(place)
        if len(here) > 1:
            return here[0], here[1]
    pytest.skip("nobody is with anybody")
