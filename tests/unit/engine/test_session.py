"""A session: stops leave nothing, one thing at a time, and a mind's bug is seen and costs no save."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from sandbox.agents.minds import Drafted, Move, Situation
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatBegan, BeatCommitted, BeatPassed, DraftArrived, Update
from sandbox.errors import SandboxError, StageError
from sandbox.memory.store import Layer, Shelf
from sandbox.models.scripted import ScriptedModel
from sandbox.storage.cassette import Closed, Opened, Stopped, read_cassette
from sandbox.storage.saves import OpenSave, Save
from sandbox.story.commands import Do, Go, Inject, Retake, Rewind, Say, Stage
from sandbox.story.ids import CharacterId, PlaceId
from tests.playing import (
    act,
    assert_verifies,
    begun,
    committed,
    one_round,
    opened,
    playing,
    reply,
    state,
    world_of,
)

ANN = CharacterId("ann")
PATIENCE_S = 10


def gated(gate: asyncio.Event) -> ScriptedModel:
    """Says one sentence, waits at the gate, and says another."""
    text = reply("First. Second.")
    at = text.index("ond.")  # a sentence is whole when the next one begins
    return ScriptedModel(lambda _: [text[:at], gate, text[at:]])


async def memories(session: Session) -> dict[str, list[str]]:
    shelves = [Shelf(who, layer) for who in sorted(session.world.grants) for layer in Layer]
    return {str(s): sorted(await session.keeper.records(s)) for s in shelves}


def model_save(tmp_path: Path) -> Save:
    return begun(tmp_path / "story", model="scripted")


# ── stops ─────────────────────────────────────────────────────────────────────────────────────


async def test_a_stopped_round_leaves_no_event_and_no_memory(tmp_path: Path) -> None:
    save = model_save(tmp_path)
    model = gated(asyncio.Event())
    async with asyncio.timeout(PATIENCE_S), playing(save, model) as session:
        session.command(Inject(text="A bell."))
        before = state(world_of(save)), await memories(session), save.journal_path.read_bytes()
        updates = session.advance()
        async with aclosing(updates):
            while not isinstance(await anext(updates), DraftArrived):
                pass
        # All of it is over when the generator is closed, not some time later.
        assert model.abandoned == len(model.requests) >= 1
        assert isinstance(read_cassette(save.cassette_path)[-1], Stopped)
        after = state(session.world), await memories(session), save.journal_path.read_bytes()
        assert after == before
        session.command(Inject(text="Another bell."))
    await assert_verifies(save)


async def test_a_cancelled_task_stops_its_round(tmp_path: Path) -> None:
    save = model_save(tmp_path)
    gate, began = asyncio.Event(), asyncio.Event()
    async with asyncio.timeout(PATIENCE_S), playing(save, gated(gate)) as session:

        async def watch() -> None:
            async with aclosing(session.advance()) as updates:
                async for update in updates:
                    if isinstance(update, DraftArrived):
                        began.set()

        task = asyncio.create_task(watch())
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not session.beats
        gate.set()
        assert committed(await one_round(session))
    await assert_verifies(save)


async def test_a_second_round_is_refused_while_one_is_played(tmp_path: Path) -> None:
    save = model_save(tmp_path)
    gate = asyncio.Event()
    async with asyncio.timeout(PATIENCE_S), playing(save, gated(gate)) as session:
        updates = session.advance()
        async with aclosing(updates):
            assert isinstance(await anext(updates), BeatBegan)
            for _ in range(2):
                with pytest.raises(SandboxError, match="is being played"):
                    await one_round(session)
                with pytest.raises(SandboxError, match="is being played"):
                    session.command(Inject(text="A bell."))
            gate.set()
            beats = [update async for update in updates if isinstance(update, BeatCommitted)]
        assert len(beats) == 2
        assert committed(await one_round(session))
    await assert_verifies(save)


async def test_a_generator_that_was_never_begun_plays_nothing(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await session.advance().aclose()
        assert committed(await one_round(session))
    await assert_verifies(save)


async def test_everybody_decides_from_the_state_before_the_round(tmp_path: Path) -> None:
    """The second scene's mind is slow: the first scene's beat is not in what it is shown."""
    save = begun(tmp_path / "story")
    gate, seen = asyncio.Event(), list[int]()

    class Slow:
        name = "slow"

        async def decide(self, situation: Situation) -> AsyncGenerator[Drafted | Move, None]:
            if situation.view.me == "cy":
                await gate.wait()
            seen.append(len(situation.view.percepts))
            yield Drafted("Oh.")
            yield Move(words="Oh.")

    async with asyncio.timeout(PATIENCE_S), playing(save) as session:
        session.casting.default = Slow()
        updates = session.advance()
        async with aclosing(updates):
            assert isinstance(await anext(updates), BeatBegan)
            assert isinstance(await anext(updates), DraftArrived)
            coming = asyncio.ensure_future(anext(updates))
            await asyncio.wait([coming], timeout=0)
            for _ in range(5):
                await asyncio.sleep(0)
            assert not coming.done()
            gate.set()
            assert isinstance(await coming, BeatCommitted)
        assert seen == [0, 0]


# ── bugs ──────────────────────────────────────────────────────────────────────────────────────


class Buggy:
    """Has a bug that shows for one character."""

    name = "buggy"

    def __init__(self, who: str) -> None:
        self.who = who

    async def decide(self, situation: Situation) -> AsyncGenerator[Drafted | Move, None]:
        if situation.view.me == self.who:
            raise ZeroDivisionError("a bug")
        yield Move(words="All is well.")


@pytest.mark.parametrize(("who", "left"), [("ann", 0), ("cy", 1)])
async def test_a_bug_in_a_mind_comes_out_and_the_save_is_whole(
    tmp_path: Path, who: str, left: int
) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        kept, session.casting.default = session.casting.default, Buggy(who)
        seen: list[Update] = []

        async def watch() -> None:
            async with aclosing(session.advance()) as updates:
                async for update in updates:
                    seen.append(update)

        with pytest.raises(ZeroDivisionError):
            await watch()
        assert not [update for update in seen if isinstance(update, BeatPassed)]
        assert len(session.beats) == left
        session.casting.default = kept
        await act(session, 3)
        beats = list(session.beats)
    async with playing(save) as session:
        assert list(session.beats) == beats
        assert state(session.world) == state(world_of(save))


async def test_a_bug_in_the_fold_costs_no_beat_that_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = begun(tmp_path / "story")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    session = opened(save)
    session.start()
    await act(session, 3)
    before = len(session.beats)
    monkeypatch.setattr(session._fold, "apply", broken)
    with pytest.raises(ZeroDivisionError):
        await one_round(session)
    await session.close()
    async with playing(save) as session:
        assert len(session.beats) == before + 1
        await act(session, 2)
    await assert_verifies(save)


# ── what a person may ask for ─────────────────────────────────────────────────────────────────

NOBODY = CharacterId("nobody")
IMPOSSIBLE = [
    Rewind(turn=3),
    Rewind(turn=99),
    Say(character=NOBODY, words="Boo."),
    Say(character=ANN, words="Hm.", to=(CharacterId("cy"),)),
    Do(character=NOBODY, text="nods"),
    Go(character=ANN, place=PlaceId("moon")),
    Go(character=NOBODY, place=PlaceId("yard")),
    Inject(text="A bell.", place=PlaceId("moon")),
    Stage(events=()),
    Inject(text=" \u200b\n "),
    Say(character=ANN, words="\x00"),
    Do(character=ANN, text="\u2028"),
]


@pytest.mark.parametrize("command", IMPOSSIBLE, ids=lambda c: c.kind)
async def test_what_is_not_possible_is_refused_and_changes_nothing(
    tmp_path: Path, command: Inject
) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        for _ in range(3):
            session.command(Inject(text="A bell."))
        before = save.journal_path.read_bytes(), save.cassette_path.read_bytes()
        with pytest.raises(StageError):
            session.command(command)
        assert (save.journal_path.read_bytes(), save.cassette_path.read_bytes()) == before
    await assert_verifies(save)


@pytest.mark.parametrize("command", [Retake(), Rewind(turn=0)])
async def test_nothing_is_taken_back_of_a_story_that_has_not_begun(
    tmp_path: Path, command: Retake
) -> None:
    async with playing(begun(tmp_path / "story")) as session:
        with pytest.raises(StageError):
            session.command(command)


async def test_a_retake_takes_back_the_beat_and_what_came_after_it(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await act(session, 3)
        last = session.beats[-1]
        prefix = [beat for beat in session.beats if beat.seq < last.seq]
        before = state(world_of(save, prefix))
        session.command(Inject(text="A bell."))
        session.command(Retake())
        assert state(session.world) == before
        (again,) = committed(await one_round(session))[:1]
        assert (again.mind, again.turn) == (last.mind, last.turn)
        assert again.seq == last.seq + 3
    await assert_verifies(save)


async def test_openings_and_closings_are_on_the_cassette(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    for _ in range(2):
        async with playing(save) as session:
            await act(session, 1)
    kinds = [type(e) for e in read_cassette(save.cassette_path) if isinstance(e, Opened | Closed)]
    assert kinds == [Opened, Closed, Opened, Closed]
    OpenSave(save).close()
