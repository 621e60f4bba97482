"""For every history: nothing is cut, numbers are never reused, and it plays again byte for byte."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sandbox.engine.opening import branch
from sandbox.engine.scheduler import due_scenes
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatBegan, DraftArrived
from sandbox.errors import ModelUnavailableError, SaveError, StageError
from sandbox.models.port import ChatModel, Request
from sandbox.models.scripted import Script, ScriptedModel
from sandbox.storage.cassette import (
    Advanced,
    Answering,
    Cassette,
    Replied,
    Steering,
    read_cassette,
)
from sandbox.storage.saves import Save
from sandbox.story.beats import Beat
from sandbox.story.commands import Command, Do, Go, Inject, Retake, Rewind, Say
from sandbox.story.fold import surviving
from sandbox.story.ids import CharacterId, PlaceId, digest
from tests.closing import PATTERN, is_summary, summary
from tests.playing import (
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

PEOPLE = [CharacterId(who) for who in ("ann", "ben", "cy")]
PLACES = [PlaceId(place) for place in ("hall", "yard")]


@dataclass(frozen=True)
class Play:
    limit: int | None


@dataclass(frozen=True)
class StopAt:
    """Stops a round when so many of its updates have come."""

    updates: int


@dataclass(frozen=True)
class Reopen:
    """Closes the save, and opens it again."""


@dataclass(frozen=True)
class Back:
    """Rewinds by so many turns, where there are as many."""

    turns: int


Deed = Play | StopAt | Reopen | Back | Command

people = st.sampled_from(PEOPLE)
deeds: st.SearchStrategy[Deed] = st.one_of(
    st.builds(Play, st.sampled_from([None, None, None, 1])),
    st.builds(Play, st.none()),
    st.builds(StopAt, st.integers(1, 6)),
    st.builds(Reopen),
    st.builds(Back, st.integers(1, 7)),
    st.builds(Retake),
    st.builds(Inject, text=st.just("A bell."), place=st.sampled_from([None, *PLACES])),
    st.builds(Say, character=people, words=st.just("Hush."), to=st.tuples(people)),
    st.builds(Do, character=people, text=st.just("coughs")),
    st.builds(Go, character=people, place=st.sampled_from(PLACES)),
)


class Teller:
    """Plays one history and watches the save while it does."""

    def __init__(self, save: Save, model: ChatModel | None) -> None:
        self.save = save
        self.model = model
        self.text = b""
        """The journal as it was last seen."""

    async def tell(self, history: list[Deed]) -> None:
        rest = list(history)
        while True:
            async with playing(self.save, self.model) as session:
                await self._session(session, rest)
            if not rest:
                return

    async def _session(self, session: Session, rest: list[Deed]) -> None:
        while rest and not isinstance(deed := rest.pop(0), Reopen):
            await self._take(session, deed)
            self._check(session)

    async def _take(self, session: Session, deed: Deed) -> None:
        match deed:
            case Play():
                await one_round(session, deed.limit)
            case StopAt():
                await _stopped(session, deed.updates)
            case Back():
                if session.world.turn >= deed.turns:
                    self._rewound(session, session.world.turn - deed.turns)
            case Reopen():
                pass
            case _:
                with suppress(StageError):
                    session.command(deed)

    def _rewound(self, session: Session, turn: int) -> None:
        prefix = [b for b in surviving(session.beats) if b.is_story and b.turn <= turn]
        before = state(world_of(self.save, prefix))
        (line,) = committed(session.command(Rewind(turn=turn)))
        assert line.turn == session.world.turn == turn
        assert state(session.world) == before

    def _check(self, session: Session) -> None:
        text = self.save.journal_path.read_bytes()
        assert text.startswith(self.text), "something was cut from the journal, or changed"
        self.text = text
        beats = self.save.read().beats
        assert list(session.beats) == list(beats)
        assert [beat.seq for beat in beats] == list(range(1, len(beats) + 1))
        story = [beat.turn for beat in surviving(beats) if beat.is_story]
        assert story == list(range(1, len(story) + 1))
        assert session.world.turn == len(story)
        assert state(session.world) == state(world_of(self.save))


async def _stopped(session: Session, updates: int) -> None:
    async with aclosing(session.advance()) as coming:
        async for _ in coming:
            updates -= 1
            if updates == 0:
                return


def check_rounds(save: Save) -> None:
    rounds = [e.round for e in read_cassette(save.cassette_path) if isinstance(e, Advanced)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert [b.round for b in save.read().beats] == sorted(b.round for b in save.read().beats)


def tell(history: list[Deed], seed: int, model: ChatModel | None, at: float) -> None:
    async def told(folder: Path) -> None:
        save = begun(folder / "story", seed=seed, model=model.name if model else "")
        await Teller(save, model).tell(history)
        check_rounds(save)
        await assert_verifies(save)
        await _branched(save, at, folder / "branch", model)

    with TemporaryDirectory() as folder:
        asyncio.run(told(Path(folder)))


async def _branched(save: Save, at: float, folder: Path, model: ChatModel | None) -> None:
    """A branch is its source up to the turn, and then its own."""
    source = save.read().beats
    story = [beat for beat in surviving(source) if beat.is_story]
    turn = int(at * (len(story) + 1))
    own = branch(save, turn, folder)
    await assert_verifies(own)
    assert state(world_of(own)) == state(world_of(save, story[:turn]))
    begun_with = own.read().beats
    assert begun_with == source[: len(begun_with)]
    text = save.journal_path.read_bytes(), save.cassette_path.read_bytes()
    async with playing(own, model) as session:
        await one_round(session)
        session.command(Inject(text="Something else."))
        await one_round(session)
    await assert_verifies(own)
    assert own.read().beats[: len(begun_with)] == begun_with
    assert (save.journal_path.read_bytes(), save.cassette_path.read_bytes()) == text


QUICK = settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],  # a story is short enough to be read as it failed
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@QUICK
@given(st.lists(deeds, min_size=4, max_size=16), st.integers(1, 3), st.floats(0, 0.999))
def test_whatever_is_played_and_ordered_plays_again_byte_for_byte(
    history: list[Deed], seed: int, at: float
) -> None:
    tell(history, seed, None, at)


def _answer(request: Request) -> Script:
    """The same for the same request: a line, a walk, a memory, a broken reply, or a failure for good."""
    choice = int(digest(request.messages[-1].content), 16) % 10
    match choice:
        case _ if is_summary(request) and choice > 2:
            return summary(f"I kept {choice} things.", **PATTERN | {"situation": f"At {choice}."})
        case 0:
            return [ModelUnavailableError("the model is gone.", transient=False)]
        case 1:
            return "no move at all"
        case 2:
            return reply(go="the yard" if choice % 2 else "the hall", thought="Away.")
        case _:
            return reply(f"One thing is certain, and it is {choice}. Believe me.", to=["Ben"])


@QUICK
@given(st.lists(deeds, min_size=4, max_size=14), st.integers(1, 3), st.floats(0, 0.999))
def test_whatever_a_model_answers_plays_again_byte_for_byte(
    history: list[Deed], seed: int, at: float
) -> None:
    tell(history, seed, ScriptedModel(_answer), at)


# ── what once went wrong ──────────────────────────────────────────────────────────────────────


async def test_a_second_rewind_to_an_earlier_turn_is_at_that_turn(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    history: list[Deed] = [Play(None)] * 8
    await Teller(save, None).tell([*history, Back(2), Play(None), Back(5), Play(None)])
    await assert_verifies(save)


async def test_a_retake_is_played_by_the_same_character_after_the_save_was_closed(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await one_round(session)
        assert [beat.mind for beat in session.beats][:2] == ["ann", "cy"]
        session.command(Retake())
        assert len(due_scenes(session.world)) == 2
    async with playing(save) as session:
        updates = await one_round(session)
    assert [update.character for update in updates if isinstance(update, BeatBegan)] == ["cy"]
    await assert_verifies(save)


async def test_a_round_that_came_to_nothing_is_counted_after_an_opening(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    await Teller(save, None).tell([Play(None), StopAt(1), Reopen(), Play(None)])
    check_rounds(save)
    assert save.read().beats[-1].round == 3
    await assert_verifies(save)


async def test_a_story_stopped_while_another_scene_still_waits_for_its_reply_plays_again(
    tmp_path: Path,
) -> None:
    gate = asyncio.Event()

    def answer(request: Request) -> Script:
        in_the_hall = "Cy Dorn" not in request.messages[0].content
        return [reply("A word. And another.")] if in_the_hall else [gate]

    model = ScriptedModel(answer)
    save = begun(tmp_path / "story", model="scripted")
    async with asyncio.timeout(10), playing(save, model) as session:
        updates = session.advance()
        async with aclosing(updates):
            while not isinstance(await anext(updates), DraftArrived):
                pass
        assert not session.beats
        gate.set()
        await one_round(session)
    await assert_verifies(save)


async def test_a_story_plays_again_though_one_reply_of_a_round_could_not_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Cassette.write

    def full(cassette: Cassette, *entries: Steering | Answering) -> None:
        if any(isinstance(entry, Replied) and "/cy/" in entry.key for entry in entries):
            raise SaveError("the disk is full.")
        write(cassette, *entries)

    save = begun(tmp_path / "story", model="scripted")
    async with playing(save, ScriptedModel(lambda _: reply("A word."))) as session:
        with monkeypatch.context() as patch:
            patch.setattr(Cassette, "write", full)
            with pytest.raises(SaveError, match="the disk is full"):
                await one_round(session)
        assert [beat.mind for beat in session.beats] == ["ann"]
        await one_round(session)
    await assert_verifies(save)


async def test_a_branch_between_a_command_and_the_closing_it_led_to_plays_again(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "story")
    cy = CharacterId("cy")
    async with playing(save) as session:
        session.command(Say(character=cy, words="Hm."))
        here = session.world.stage.where(cy)
        # Nobody is left where it was: the command leads to a closing.
        session.command(Go(character=cy, place=next(p for p in PLACES if p != here)))
        assert session.beats[-1].mind == "director"
    closing = world_of(save).turn
    for turn in range(closing + 1):
        own = branch(save, turn, tmp_path / f"own-{turn}")
        await assert_verifies(own)
        async with playing(own) as session:
            await one_round(session)
        await assert_verifies(own)


@pytest.mark.parametrize("turn", [0, 1, 4, 9])
async def test_a_branch_deep_in_a_history_of_rewinds_is_its_source_up_to_the_turn(
    tmp_path: Path, turn: int
) -> None:
    save = begun(tmp_path / "story")
    history: list[Deed] = [Play(None)] * 6
    history += [Back(3), Play(None), Play(None), Back(5), Play(None), Inject(text="A bell.")]
    history += [Play(None)] * 4 + [Back(1), Retake(), Play(None), Play(None)]
    await Teller(save, None).tell(history)
    await _branched(save, (turn + 0.5) / (world_of(save).turn + 1), tmp_path / "own", None)


def beats_of(session: Session) -> list[Beat]:
    return list(session.beats)


async def test_a_session_that_was_opened_in_vain_leaves_the_story_as_it_was(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await one_round(session)
        before = beats_of(session)
    for _ in range(3):
        opened(save).abandon()
    async with playing(save) as session:
        assert beats_of(session) == before
    await assert_verifies(save)
