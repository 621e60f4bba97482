"""Three scenes at once over real HTTP: one and the same story, whatever order the replies come in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from sandbox.engine.home import InProcessHome
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted, BeatFailed, DraftArrived
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import MemoryStore
from sandbox.models.retrying import Retrying
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.storage.cassette import Replied, read_cassette
from sandbox.storage.saves import Save
from sandbox.story.chance import Chance
from sandbox.story.commands import Inject
from sandbox.story.ids import digest
from tests.endpoint import CutStream, FakeEndpoint, Reply, Status, Text
from tests.playing import PATIENCE_S, Letters, assert_verifies, committed, no_wait, one_round, reply
from tests.wire import Body

PAIRS = {"hall": ("ann", "ben"), "yard": ("cy", "dora"), "loft": ("eve", "finn")}
ORDERS = 20
ROUNDS = 6
STOPPED = 5
"""The round that a person stops, when the first sentence of its first scene is there."""

pytestmark = pytest.mark.endpoint


def six_people(folder: Path) -> Path:
    """A world of three pairs in three places, each within a step and earshot of the others."""
    (folder / "scenes").mkdir(parents=True)
    cast = [
        f'[{who}]\nname = "{who.title()}"\nhome = "{place}"\npublic = "Somebody like {who}."\n'
        for place, pair in PAIRS.items()
        for who in pair
    ]
    places = [f'[places.{place}]\nname = "the {place}"\n' for place in PAIRS]
    ways = (("hall", "yard"), ("hall", "loft"), ("yard", "loft"))
    links = [f'[[links]]\nbetween = ["{a}", "{b}"]\n' for a, b in ways]
    everybody = ", ".join(f'"{who}"' for pair in PAIRS.values() for who in pair)
    where = "".join(f'{w} = "{place}"\n' for place, pair in PAIRS.items() for w in pair)
    scene = f'+++\ntitle = "Morning"\nplace = "hall"\nclock = "08:00"\n[roster]\nactive = [{everybody}]\n'
    files = {
        "world.toml": 'title = "Six"\nlanguage = "en"\nblurb = "Six people."\n',
        "cast.toml": "".join(cast),
        "places.toml": "".join(places + links),
        "facts.toml": '[dew]\nsubject = "yard"\npredicate = "said_about"\nobject = "dew"\n'
        'statement = "There is dew in the yard."\ncommon = true\n',
        "predicates.toml": "",
        "patterns.toml": "",
        "scenes/01_morning.md": f"{scene}[positions]\n{where}+++\nThey rose.\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def said(body: Body) -> str:
    """What the model answers: the same for the same request. Some walk to where others are."""
    prompt = "".join(message["content"] for message in body["messages"])
    mark = digest(f"dawn {prompt}")
    if int(mark, 16) % 3 == 0:
        where = ("the hall", "the yard", "the loft")[int(mark, 16) // 3 % 3]
        return reply(go=where, thought=f"I am off, {mark}.")
    everybody = [who.title() for pair in PAIRS.values() for who in pair]
    words = f"This is {mark}. Whoever heard of it?"
    return reply(words, thought=f"Only {mark}.", to=everybody)  # those who are there will hear it


@dataclass
class Waiting:
    """A reply that is begun, and goes on when it is let."""

    text: Text
    gate: asyncio.Event


class Endpoint:
    """Lets the replies of a round go on in an order of its own; some requests fail first."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.waiting: asyncio.Queue[Waiting] = asyncio.Queue()
        self.asked = 0
        self.failed = 0

    def __call__(self, body: Body) -> Reply:
        self.asked += 1
        chance = Chance(self.order, self.asked, "", "").share("fault")
        if chance < 0.1:
            self.failed += 1
            return Status(429, {"error": {"message": "slow down"}}, {"retry-after": "20"})
        if chance < 0.2:
            self.failed += 1
            return CutStream(said(body), after_chars=25)
        if "`pattern`" in body["messages"][-1]["content"]:
            # Of a closing scene: all are asked at once, and their order is the endpoint's own.
            return Text(json.dumps({"summary": f"I kept {digest(str(body['messages']))}."}))
        gate = asyncio.Event()
        text = Text(said(body), gate=gate)
        self.waiting.put_nowait(Waiting(text, gate))
        return text

    async def let_go(self, scenes: int, round_: int) -> None:
        """Once all scenes have their reply begun, let them go on, in this order's order."""
        begun = [await self.waiting.get() for _ in range(scenes)]
        begun.sort(key=lambda one: one.text.text)
        for one in Chance(self.order, round_, "", "").shuffled("order", begun):
            one.gate.set()
            await self._gone(one)

    async def _gone(self, one: Waiting) -> None:
        for _ in range(200):  # turns of the loop, in which that reply arrives
            await asyncio.sleep(0)


class LettersInProcess(InProcessHome):
    def open(self) -> MemoryStore:
        return InProcessStore(Letters())


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.engine.roles.Retrying", partial(Retrying, sleep=no_wait))
    monkeypatch.setattr("sandbox.engine.opening.InProcessHome", LettersInProcess)


async def scenes_due(session: Session) -> int:
    from sandbox.engine.scheduler import due_scenes

    return len(due_scenes(session.world))


async def told(world: Path, folder: Path, order: int) -> tuple[Save, Endpoint]:
    endpoint = Endpoint(order)
    async with asyncio.timeout(PATIENCE_S), FakeEndpoint(endpoint) as server:
        settings = Settings(
            model=ModelSettings(name="six", base_url=server.base_url, repeats=10),
            story=StorySettings(scene_beats=3),
        )
        save = begin(folder, Beginning(world, seed=7), settings)
        session = open_session(save, settings, memory="in_process")
        session.start()
        try:
            for round_ in range(1, ROUNDS + 1):
                scenes = await scenes_due(session)
                going = asyncio.create_task(endpoint.let_go(scenes, round_))
                if round_ == STOPPED:
                    await stopped(session)
                    going.cancel()
                    while not endpoint.waiting.empty():
                        endpoint.waiting.get_nowait()
                else:
                    updates = await one_round(session)
                    assert len(committed(updates)) >= scenes
                    assert not [u for u in updates if isinstance(u, BeatFailed)]
                await asyncio.wait([going])
                if round_ == 2:
                    session.command(Inject(text="The bell of the village rings."))
        finally:
            await session.close()
    return save, endpoint


async def stopped(session: Session) -> None:
    """Stop a round in the middle of its stream."""
    updates = session.advance()
    async with aclosing(updates):
        while not isinstance(update := await anext(updates), DraftArrived):
            assert not isinstance(update, BeatCommitted)


async def journals(world: Path, folder: Path) -> AsyncIterator[tuple[Save, Endpoint]]:
    for order in range(ORDERS):
        yield await told(world, folder / f"order-{order}", order)


async def test_twenty_orders_of_arrival_make_one_story(tmp_path: Path) -> None:
    texts: set[bytes] = set()
    cassettes: set[bytes] = set()
    failed = asked = 0
    async for save, endpoint in journals(six_people(tmp_path / "six"), tmp_path):
        texts.add(save.journal_path.read_bytes())
        cassettes.add(save.cassette_path.read_bytes())
        failed, asked = failed + endpoint.failed, asked + endpoint.asked
        for entry in read_cassette(save.cassette_path):
            assert not isinstance(entry, Replied) or json.loads(entry.text), "half a reply"
        await assert_verifies(save)
    assert failed > asked / 10, "the endpoint was too kind for a test"
    assert len(cassettes) > ORDERS / 2, "the replies came in much the same order"
    assert len(texts) == 1
    beats = save.read().beats
    assert {beat.round for beat in beats} == set(range(1, ROUNDS + 1)) - {STOPPED}
    assert {beat.mind for beat in beats} >= {who for pair in PAIRS.values() for who in pair}
    assert b"I kept " in min(texts), "no summary was a model's"
    assert b'"kind":"entered"' in texts.pop(), "nobody went where another scene was"
