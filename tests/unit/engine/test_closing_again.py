"""Scenes that close with a model, stopped, killed, played again, taken back."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from sandbox.engine.auditing import memory_problems
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted, SceneConsolidating
from sandbox.errors import SaveError
from sandbox.memory.in_process import InProcessStore
from sandbox.models.port import Request
from sandbox.models.scripted import Script, ScriptedModel
from sandbox.storage.cassette import Answering, Cassette, Replied, Steering, read_cassette
from sandbox.storage.saves import Save, load_save
from sandbox.story.commands import Command, Edit, Inject, Retract, Rewind, Stage
from sandbox.story.events import SceneClosed, StateTurned
from sandbox.story.ids import SceneId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.closing import (
    ANN,
    BEN,
    PATTERN,
    KeptHome,
    Model,
    begun_with_model,
    events_of,
    owner_of,
    summary,
    until_closed,
)
from tests.playing import (
    Letters,
    act,
    assert_verifies,
    one_round,
    playing,
    reply,
    world_of,
)

SLEEPERS = tuple(StateTurned(actor=who, state="fell_asleep") for who in (ANN, BEN))
EVERYBODY_SLEEPS = Stage(events=SLEEPERS)


# ── replay, stops and kills ───────────────────────────────────────────────────────────────────


async def test_a_scene_that_a_command_ended_closes_when_the_next_round_begins(
    tmp_path: Path,
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model()
    async with playing(save, model) as session:
        await one_round(session)
        updates = session.command(EVERYBODY_SLEEPS)
        assert len(updates) == 1
        assert not model.asked
        assert not any(isinstance(h.event, SceneClosed) for b in session.beats for h in b.events)
        updates = await one_round(session)
        first = next(u for u in updates if isinstance(u, BeatCommitted))
        assert isinstance(first.beat.events[0].event, SceneClosed)
        assert {"Ann", "Ben"} <= set(model.owners)
    await assert_verifies(save)


async def test_a_scene_still_open_when_the_save_is_closed_closes_after_the_next_opening(
    tmp_path: Path,
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model()
    async with playing(save, model) as session:
        await one_round(session)
        session.command(EVERYBODY_SLEEPS)
    assert not model.asked
    await assert_verifies(save)
    async with playing(save, model) as session:
        await one_round(session)
    assert model.asked
    assert events_of(save, SceneClosed)
    await assert_verifies(save)


async def test_a_stop_in_the_midst_of_closing_leaves_nothing_of_it_and_it_is_made_up_for(
    tmp_path: Path,
) -> None:
    save, gate = begun_with_model(tmp_path / "story"), asyncio.Event()
    model = Model(lambda _: [gate, summary()])
    async with playing(save, model) as session:
        await _stopped_while_closing(session)
        beats = len(session.beats)
        assert not events_of(save, SceneClosed)
        assert model.abandoned == len(model.asked) > 1, "requests are cancelled with their round"
        gate.set()
        await one_round(session)
        assert isinstance(session.beats[beats].events[0].event, SceneClosed)
    await assert_verifies(save)


async def _stopped_while_closing(
    session: Session, then: Callable[[], object] = lambda: None
) -> None:
    """Play until the summaries of a scene are being written; `then`, and cancel that round."""
    began = asyncio.Event()

    async def play() -> None:
        for _ in range(12):
            async with aclosing(session.advance()) as updates:
                async for update in updates:
                    if isinstance(update, SceneConsolidating):
                        began.set()

    task = asyncio.create_task(play())
    await asyncio.wait_for(began.wait(), 10)
    for _ in range(50):
        await asyncio.sleep(0)
    then()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_kill_in_the_midst_of_closing_loses_the_closing_alone(tmp_path: Path) -> None:
    """One summary has arrived, another has not, when the process is gone."""
    save, gate = begun_with_model(tmp_path / "story"), asyncio.Event()
    model = Model(lambda r: summary() if owner_of(r) == "Ann" else [gate, summary()])
    async with playing(save, model) as session:
        killed = tmp_path / "killed"
        await _stopped_while_closing(session, lambda: shutil.copytree(save.folder, killed))
    left = load_save(killed)
    before = left.read().beats
    arrived = [e.key for e in read_cassette(left.cassette_path) if isinstance(e, Replied)]
    assert [key for key in arrived if "episode:" in key and "/ann/" in key]
    assert not [key for key in arrived if "episode:" in key and "/ben/" in key]
    assert not events_of(left, SceneClosed)
    await assert_verifies(left)
    async with playing(left, Model()) as session:
        await one_round(session)
    after = left.read().beats
    assert after[: len(before)] == before
    assert isinstance(after[len(before)].events[0].event, SceneClosed)
    await assert_verifies(left)


async def test_summaries_of_one_scene_are_written_at_once_and_in_any_order_make_one_journal(
    tmp_path: Path,
) -> None:
    texts = set[bytes]()
    for order in (("Ann", "Ben"), ("Ben", "Ann")):
        save = begun_with_model(tmp_path / "-".join(order))
        await _summarised_in(save, order)
        texts.add(save.journal_path.read_bytes())
        await assert_verifies(save)
    assert len(texts) == 1


async def _summarised_in(save: Save, order: tuple[str, ...]) -> None:
    """A scene closes; both requests are made before the first is answered, in this order."""
    gates, both = {who: asyncio.Event() for who in order}, asyncio.Event()

    def kept(request: Request) -> Script:
        if set(order) <= set(model.owners):
            both.set()
        return [gates[owner_of(request)], summary(f"I am {owner_of(request)}.")]

    model = Model(kept)
    async with asyncio.timeout(10), playing(save, model) as session:
        task = asyncio.create_task(until_closed(session))
        await both.wait()
        for who in order:
            gates[who].set()
            for _ in range(50):
                await asyncio.sleep(0)
        await task


async def test_where_one_answer_cannot_be_recorded_no_request_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, gate = Cassette.write, asyncio.Event()

    def full(cassette: Cassette, *entries: Steering | Answering) -> None:
        if any(isinstance(e, Replied) and "/ann/episode:" in e.key for e in entries):
            raise SaveError("the disk is full.")
        write(cassette, *entries)

    save = begun_with_model(tmp_path / "story")
    model = Model(lambda r: summary() if owner_of(r) == "Ann" else [gate, summary()])
    monkeypatch.setattr(Cassette, "write", full)
    async with playing(save, model) as session:
        async with asyncio.timeout(10):
            with pytest.raises(SaveError, match="the disk is full"):
                await until_closed(session)
        assert model.abandoned == len(model.asked) - 1 > 0
        assert not events_of(save, SceneClosed)
        monkeypatch.undo()
        gate.set()
        await one_round(session)
    assert events_of(save, SceneClosed)
    await assert_verifies(save)


# ── what is taken back ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["rewind", "retract", "edit"])
async def test_discarded_text_living_on_in_summaries(tmp_path: Path, how: str) -> None:
    """Episodes and patterns that rest on a withdrawn line go with it: from the view and the shelves."""
    word = "quicksilver"
    save, store = begun_with_model(tmp_path / "story"), InProcessStore(Letters())
    model = Model(
        lambda r: summary(f"I heard of {word}.", **PATTERN | {"manner": f"I say {word}."})
    )
    async with playing(save, model, KeptHome(store)) as session:
        await one_round(session)
        session.command(Inject(text=f"Somebody cries {word}."))
        turn = session.world.turn
        await until_closed(session)
        assert word in _held(session.world)
        assert any(session.world.grown.values())
        commands: dict[str, Command] = {
            "rewind": Rewind(turn=turn - 1),
            "retract": Retract(turn=turn),
            "edit": Edit(turn=turn, words="Somebody cries wolf."),
        }
        session.command(commands[how])
        assert word not in _held(session.world)
        assert not any(session.world.grown.values())
        world = session.world
    assert list(memory_problems(store, world)) == []
    assert not any(word in r.text for s in store.shelves() for r in store.records(s).values())
    assert word not in _held(world_of(save))
    await assert_verifies(save)


def _held(world: World) -> str:
    """All that minds could be shown of what was summarised."""
    found: list[str] = []
    for who in sorted(world.grants):
        view = CharacterView(world, who)
        found += [episode.text for episode in view.episodes]
        found += [f"{p.situation} {p.manner}" for p in view.patterns.values()]
        found += [view.worded(percept) for percept in view.percepts]
    return "\n".join(found)


async def test_a_scene_whose_summary_was_withdrawn_keeps_the_percepts_that_stand(
    tmp_path: Path,
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model()
    async with playing(save, model) as session:
        await one_round(session)
        session.command(Inject(text="A bell rings."))
        turn = session.world.turn
        await until_closed(session)
        session.command(Retract(turn=turn))
        world = session.world
    assert not [e for e in world.episodes[ANN] if e.turn]
    assert any("Line 1" in CharacterView(world, ANN).worded(p) for p in world.percepts[ANN])
    assert SceneId("s1") not in world.scenes


# ── a kill, not yet opened again ──────────────────────────────────────────────────────────────


async def test_a_save_killed_in_the_midst_of_a_move_plays_again_before_it_is_opened(
    tmp_path: Path,
) -> None:
    save, gate, began = begun_with_model(tmp_path / "story"), asyncio.Event(), asyncio.Event()

    def answer(request: Request) -> Script:
        if len(model.requests) < 4:
            return reply("A word.")
        began.set()
        return [gate, reply("Another.")]

    model = ScriptedModel(answer)
    async with playing(save, model) as session:
        task = asyncio.create_task(act(session, 12))
        await asyncio.wait_for(began.wait(), 10)
        shutil.copytree(save.folder, tmp_path / "killed")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await assert_verifies(load_save(tmp_path / "killed"))
