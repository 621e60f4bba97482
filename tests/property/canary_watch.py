"""Plays a save of a canary world and checks all that anybody is given."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from sandbox.engine.opening import Beginning, MemoryKind, begin, open_session
from sandbox.engine.records import expected, shelves
from sandbox.engine.session import Session
from sandbox.engine.updates import (
    BeatBegan,
    BeatCommitted,
    DraftArrived,
    SceneConsolidating,
)
from sandbox.memory import embedding
from sandbox.memory.embedding import WordLlama
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.storage.saves import Save
from sandbox.story.commands import Command
from sandbox.story.ids import CharacterId, OrganisationId, PlaceId, PredicateId
from sandbox.story.viewpoint import cast_seen, transcript
from sandbox.story.world import World
from tests.endpoint import FakeEndpoint, Reply, Text
from tests.property.canary import Tracker
from tests.property.canary_mint import out_of_ids, tokens
from tests.property.canary_pages import pages_of
from tests.property.canary_parrot import Asking, Parrot
from tests.property.canary_plan import ID_OF, STORIES, Plan
from tests.property.canary_stage import Leak
from tests.property.canary_traces import Traces
from tests.property.canary_world import CanaryWorld, canary_world

PATIENCE_S = 240
HALL, YARD = (PlaceId(ID_OF[place]) for place in ("hall", "yard"))
RING = OrganisationId(ID_OF["ring"])
CONCERNS = PredicateId(ID_OF["concerns"])
_embedder = cache(WordLlama)


@dataclass
class Watch:
    """Plays a save and checks every request against who may hold what."""

    world: CanaryWorld
    save: Save
    settings: Settings
    parrot: Parrot
    structured: bool = False
    memory: MemoryKind = "in_process"
    requests: int = 0
    arrived: list[Asking] = field(default_factory=list)
    session: Session | None = None
    tracker: Tracker = field(init=False)
    sides: Tracker = field(init=False)
    """For the screen, which shows what a fact is about beside its sentence."""
    traces: Traces = field(init=False)

    def __post_init__(self) -> None:
        self.tracker = Tracker(self.world, self.start, structured=self.structured)
        self.sides = Tracker(self.world, self.start, structured=True)
        self.traces = Traces(self.tracker, self.sides)

    @property
    def start(self) -> str:
        return out_of_ids(self.save.manifest.start)

    @property
    def story(self) -> World:
        assert self.session is not None
        return self.session.world

    @property
    def kinds(self) -> Mapping[str, int]:
        """How many requests of each kind came in."""
        return self.parrot.kinds

    def journal(self) -> list[Any]:
        """Its lines, with ids one can read."""
        lines = self.save.journal_path.read_text(encoding="utf-8").splitlines()
        return [json.loads(out_of_ids(line)) for line in lines]

    def events(self, *kinds: str) -> list[Any]:
        """Every event of some kinds in the journal."""
        events = (happened["event"] for line in self.journal() for happened in line["events"])
        return [event for event in events if event["kind"] in kinds]

    def follow(self) -> None:
        """Read the journal as it is on disk."""
        found = self.journal()
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
                        case BeatCommitted():
                            played += self._committed(update)
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
            self.follow()
            self.traces.check_printed()

    def _committed(self, update: BeatCommitted) -> bool:
        """Whether it is the beat of a mind."""
        mind = out_of_ids(update.beat.mind)
        self.traces.took(self.story, update)
        if mind not in self.world.plan.cast:
            return False
        self._check_own(mind, update.beat.as_json())
        return True

    def _check_sent(self, drafts: Mapping[CharacterId, str]) -> None:
        for who, text in drafts.items():
            self.tracker.check(out_of_ids(who), text, "in a draft")
        self.check_requests()
        self.traces.check_made()

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
        for asked in self.arrived:
            where = f"in a request (`{asked.kind}`, turn {self.story.turn})"
            self.tracker.check(asked.who, asked.text, where)
            if new := tokens(asked.told) - asked.own:
                raise Leak(f"{sorted(new)} told to `{asked.who}`, who had not said it, {where}")
        self.requests += len(self.arrived)
        self.arrived.clear()

    def order(self, command: Command) -> None:
        """Carry out a person's command; what is printed of it is checked."""
        assert self.session is not None
        for update in self.session.command(command):
            if isinstance(update, BeatCommitted):
                self.traces.took(self.story, update)
        self.follow()
        self.traces.check_printed()

    async def check_shelves(self) -> None:
        """What stands in the store itself, not only what ought to."""
        assert self.session is not None
        self.follow()
        for shelf in shelves(self.story):
            for record in (await self.session.keeper.records(shelf)).values():
                owner = out_of_ids(shelf.owner)
                self.tracker.check(owner, record.text, f"on the shelf `{shelf.layer}`")

    def check_everything_kept(self, *, pages: bool = True) -> None:
        """Memories, viewpoints and every page of the screen, for everybody as they are now."""
        self.follow()
        for shelf in shelves(self.story):
            owner = out_of_ids(shelf.owner)
            for record in expected(self.story, shelf):
                self.tracker.check(owner, record.text, f"in memory `{shelf.layer}`")
        for id_ in self.story.percepts:
            self.check_seen(id_, pages=pages)

    def check_seen(self, id_: CharacterId, *, pages: bool = True) -> None:
        """All that one character's eyes see."""
        who = out_of_ids(id_)
        for line in transcript(self.story, id_):
            names = [line.speaker, *line.targets, *(heard.name for heard in line.heard)]
            self.tracker.check(who, " ".join([line.text, *names]), "in its viewpoint")
        for _, name, _ in cast_seen(self.story, id_):
            self.tracker.check(who, name, "in its cast list")
        for name, text in pages_of(self.story, id_) if pages else ():
            self.sides.check(who, text, f"on the page {name}")
        self.traces.check_page(self.story, id_)


def settings_for(endpoint: FakeEndpoint | None, *, deep: bool = False) -> Settings:
    """As the tests play: short scenes, prompts with room for all there is."""
    model = ModelSettings()
    if endpoint is not None:
        model = ModelSettings(
            name="parrot", base_url=endpoint.base_url, api_key=SecretStr("sk-x"), prompt_tokens=6000
        )
    return Settings(model=model, story=StorySettings(scene_beats=7, deep=deep))


@asynccontextmanager
async def watching(
    folder: Path,
    start: str,
    seed: int,
    *,
    parrot: bool = True,
    language: str = "en",
    deep: bool = False,
    minds: Mapping[str, str] | None = None,
    memory: MemoryKind = "in_process",
    plan: Plan = STORIES,
) -> AsyncIterator[Watch]:
    """A new save in a canary world, played by the parrot or in rehearsal."""
    world = canary_world(language, plan)
    mimic = Parrot(world, seed)
    watch: list[Watch] = []

    def answer(body: dict[str, Any]) -> Reply:
        asked = mimic.asked(body)
        watch[0].arrived.append(asked)
        reply = mimic.reply(asked)
        return Text(reply if isinstance(reply, str) else json.dumps(reply), chunk_size=4000)

    async with asyncio.timeout(PATIENCE_S), FakeEndpoint(answer) as endpoint, one_embedder():
        settings = settings_for(endpoint if parrot else None, deep=deep)
        written = world.write(folder / "canaries")
        played = {ID_OF[who]: kind for who, kind in (minds or {}).items()}
        beginning = Beginning(written, seed=seed, start=ID_OF[start], minds=played)
        save = begin(folder / "save", beginning, settings)
        watch.append(Watch(world, save, settings, mimic, structured=not parrot, memory=memory))
        async with opened(watch[0]):
            yield watch[0]


@asynccontextmanager
async def one_embedder() -> AsyncIterator[None]:
    """The same vectors for all: they take a quarter of a second to load, and never change."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(embedding, "WordLlama", _embedder)
        yield


@asynccontextmanager
async def opened(watch: Watch) -> AsyncIterator[None]:
    begin_again(watch)
    try:
        yield
    finally:
        assert watch.session is not None
        await watch.session.close()


def begin_again(watch: Watch) -> None:
    watch.session = open_session(watch.save, watch.settings, memory=watch.memory)
    watch.session.start()


def branch_of(watch: Watch, save: Save) -> Watch:
    """The same watch over a branch; the requests go to the same end."""
    settings, parrot = watch.settings, watch.parrot
    other = Watch(watch.world, save, settings, parrot, watch.structured, watch.memory)
    other.arrived = watch.arrived
    return other


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
