"""Retracting and editing while a story is played: journal, memory, replay, branch and salvage agree."""

from pathlib import Path

import pytest

from sandbox.engine.auditing import memory_problems
from sandbox.engine.branching import branch, branch_edited, take_back
from sandbox.engine.opening import salvage
from sandbox.engine.playback import Playback
from sandbox.engine.session import Session
from sandbox.errors import SaveError, StageError
from sandbox.storage.saves import Save
from sandbox.story.claims import Claim
from sandbox.story.commands import Command, Edit, Go, Inject, Retake, Retract, Rewind, Say
from sandbox.story.events import LineSpoken
from sandbox.story.ids import CharacterId, FactId, PlaceId, PredicateId
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import transcript
from sandbox.story.withdrawing import surviving
from sandbox.story.world import World
from tests.playing import (
    LettersHome,
    act,
    assert_verifies,
    begun,
    one_round,
    playing,
    state,
    world_of,
)

ANN, BEN, CY = (CharacterId(who) for who in ("ann", "ben", "cy"))
HALL, YARD = PlaceId("hall"), PlaceId("yard")
CUP = FactId("cup_broken")
BROKE = "I broke the cup."
TELLS = Claim(subject="cup", predicate=PredicateId("broken_by"), object="ben", said=BROKE)
CONFESSION = Say(character=BEN, words=f"Forgive me. {BROKE}", to=(ANN,), tells=(TELLS,))
STORY = (
    Say(character=ANN, words="Sit down, Ben.", to=(BEN,)),
    CONFESSION,
    Say(character=ANN, words="So it was you.", to=(BEN,)),
    Inject(text="A bell rings.", place=HALL),
)


def told_lines(world: World) -> list[tuple[int, str]]:
    return [(line.turn, line.text) for line in transcript(world, None) if line.speaker]


async def assert_in_step(session: Session, save: Save, home: LettersHome) -> None:
    """The live world, the folded journal and the shelves of memory say the same."""
    assert state(session.world) == state(world_of(save))
    for who in session.world.grants:
        view = CharacterView(session.world, who)
        for percept in view.percepts:
            id_ = f"percept:{percept.beat.seq}.{percept.index}"
            assert view.memory(id_) == view.worded(percept)
    problems = await session.keeper._asked(lambda s: list(memory_problems(s, session.world)))
    assert problems == []


async def told(tmp_path: Path, *then: Command) -> Save:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await act(session, *STORY, *then)
    return save


# ── what a session does ───────────────────────────────────────────────────────────────────────


async def test_a_retracted_line_leaves_the_world_memory_and_transcript(tmp_path: Path) -> None:
    save, home = begun(tmp_path / "story"), LettersHome()
    async with playing(save, home=home) as session:
        await act(session, *STORY)
        assert session.world.knows(ANN, CUP)
        await act(session, Retract(turn=2))
        assert not session.world.knows(ANN, CUP)
        await assert_in_step(session, save, home)
        assert told_lines(session.world) == [(1, "Sit down, Ben."), (3, "So it was you.")]
        await act(session, 6)
        await assert_in_step(session, save, home)
        assert session.world.turn > 4
    await assert_verifies(save)


async def test_an_edited_line_leaves_nothing_of_the_old_one_anywhere(tmp_path: Path) -> None:
    save, home = begun(tmp_path / "story"), LettersHome()
    async with playing(save, home=home) as session:
        await act(session, *STORY, 8)
        before = session.world.turn
        await act(session, Edit(turn=2, words="It was the wind."))
        assert session.world.turn == before
        assert (2, "It was the wind.") in told_lines(session.world)
        granted = [grant for held in session.world.grants[ANN].values() for grant in held]
        assert all(grant.because.seq != 2 for grant in granted)
        await assert_in_step(session, save, home)
        for who in (ANN, BEN):
            view = CharacterView(session.world, who)
            held = [*map(view.worded, view.percepts), *(e.text for e in view.episodes)]
            assert not [text for text in held if BROKE in text]
        await act(session, 4)
        await assert_in_step(session, save, home)
    await assert_verifies(save)


async def test_the_scene_that_a_retracted_line_opened_stays_open(tmp_path: Path) -> None:
    save, home = begun(tmp_path / "story"), LettersHome()
    async with playing(save, home=home) as session:
        await act(session, *STORY)
        scene = session.beats[0].scene
        await act(session, Retract(turn=1))
        assert list(session.world.scenes) == [scene]
        assert told_lines(session.world)[0][0] == 2
        await assert_in_step(session, save, home)
        await act(session, 8)
        numbers = [
            e.number
            for b in session.world.beats
            for h in b.events
            if (e := h.event).kind == "scene_opened"
        ]
        assert len(numbers) == len(set(numbers))
    await assert_verifies(save)


async def test_the_end_of_a_scene_is_not_retracted(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await act(session, 12)
        closing = next(b for b in session.world.beats if b.mind == "director")
        lines = len(session.beats)
        with pytest.raises(StageError, match="is the end of a scene, which nobody did"):
            session.command(Retract(turn=closing.turn))
        assert len(session.beats) == lines


async def test_what_is_refused_leaves_neither_line_nor_cassette_entry(tmp_path: Path) -> None:
    save = await told(tmp_path, Go(character=BEN, place=YARD), Go(character=BEN, place=HALL))
    journal, cassette = save.journal_path.read_bytes(), save.cassette_path.read_bytes()
    with pytest.raises(StageError, match="cannot be taken out alone"):
        take_back(save, Retract(turn=5))
    assert save.journal_path.read_bytes() == journal
    assert save.cassette_path.read_bytes() == cassette


async def test_a_rewind_and_a_retake_after_an_edit_go_by_the_story(tmp_path: Path) -> None:
    save, home = begun(tmp_path / "story"), LettersHome()
    async with playing(save, home=home) as session:
        await act(session, *STORY)
        await act(session, Edit(turn=4, words="A bell is silent."))
        await act(session, Rewind(turn=3))
        assert session.world.turn == 3
        await act(session, Edit(turn=2, words="Hm."), 1)
        played = session.world.turn
        await act(session, Edit(turn=1, words="Sit."), Retake())
        assert session.world.turn < played
        assert told_lines(session.world)[:2] == [(1, "Sit."), (2, "Hm.")]
        await one_round(session)
        await assert_in_step(session, save, home)
    await assert_verifies(save)


async def test_who_is_presently_where_is_not_reset_by_an_edit(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        await act(session, *STORY, Go(character=BEN, place=YARD))
        await act(session, Edit(turn=1, words="Sit."))
        assert session.world.stage.place_of[BEN] == YARD


async def test_memory_that_was_closed_between_follows_an_edit_from_outside(tmp_path: Path) -> None:
    save = await told(tmp_path)
    take_back(save, Edit(turn=2, words="It was the wind."))
    home = LettersHome()
    async with playing(save, home=home) as session:
        await assert_in_step(session, save, home)
        await act(session, 3)
    await assert_verifies(save)


# ── turns, branches, salvage ──────────────────────────────────────────────────────────────────


async def test_at_a_turn_an_edited_story_is_the_edited_one(tmp_path: Path) -> None:
    save = await told(tmp_path)
    take_back(save, Edit(turn=2, words="Hm."))
    take_back(save, Retract(turn=3))
    playback = Playback(save)
    assert playback.last_turn == 4
    assert told_lines(playback.jump(2)) == [(1, "Sit down, Ben."), (2, "Hm.")]
    assert state(playback.jump(3)) == state(playback.jump(2))
    assert told_lines(playback.jump(1)) == [(1, "Sit down, Ben.")]
    assert told_lines(playback.jump(4)) == [(1, "Sit down, Ben."), (2, "Hm.")]


@pytest.mark.parametrize("turn", range(6))
async def test_a_branch_of_an_edited_story_is_the_story_up_to_the_turn(
    tmp_path: Path, turn: int
) -> None:
    save = await told(tmp_path, Inject(text="Rain.", place=YARD))
    take_back(save, Edit(turn=2, words="Hm."))
    take_back(save, Retract(turn=3))
    whole = [b for b in surviving(save.read().beats) if b.is_story and b.turn <= turn]
    own = branch(save, turn, tmp_path / "own")
    assert state(world_of(own)) == state(world_of(save, whole))
    await assert_verifies(own)
    home = LettersHome()
    async with playing(own, home=home) as session:
        await one_round(session)
        await assert_in_step(session, own, home)
    await assert_verifies(own)


@pytest.mark.parametrize("turn", [1, 2, 4])
async def test_an_edit_in_a_branch_goes_on_from_the_new_line(tmp_path: Path, turn: int) -> None:
    save = await told(tmp_path)
    journal = save.journal_path.read_bytes()
    own = branch_edited(save, turn, "Something else.", tmp_path / "own")
    assert save.journal_path.read_bytes() == journal
    world = world_of(own)
    assert (world.turn, len(world.beats)) == (turn, turn)
    last = world.beats[-1].events[-1].event
    assert getattr(last, "words", getattr(last, "text", "")) == "Something else."
    before = [b for b in world_of(save).beats if b.turn < turn]
    assert list(world.beats[:-1]) == before
    assert not world.knows(ANN, CUP) or turn > 2
    await assert_verifies(own)
    async with playing(own) as session:
        await act(session, 3)
    await assert_verifies(own)
    assert own.manifest.branched_from == f"story at turn {turn}, edited"


async def test_a_branch_edited_without_words_is_refused_and_leaves_no_folder(
    tmp_path: Path,
) -> None:
    save = await told(tmp_path, Go(character=BEN, place=YARD))
    with pytest.raises(StageError, match="has no words"):
        branch_edited(save, 5, "Hm.", tmp_path / "own")
    with pytest.raises(SaveError, match="is at turn 5"):
        branch_edited(save, 9, "Hm.", tmp_path / "own")
    assert not (tmp_path / "own").exists()


async def test_a_damaged_edit_is_salvaged_as_the_story_before_it(tmp_path: Path) -> None:
    save = await told(tmp_path)
    before = state(world_of(save))
    take_back(save, Edit(turn=2, words="Hm."))
    text = save.journal_path.read_bytes()
    save.journal_path.write_bytes(text.replace(b'"words":"Hm."', b'"words":"Ha."'))
    own = salvage(save, tmp_path / "own")
    assert state(world_of(own)) == before
    save.journal_path.write_bytes(text)
    whole = salvage(save, tmp_path / "whole")
    assert told_lines(world_of(whole))[1] == (2, "Hm.")
    await assert_verifies(whole)


async def test_an_edit_killed_before_its_line_was_whole_never_was(tmp_path: Path) -> None:
    save = await told(tmp_path)
    before = state(world_of(save))
    take_back(save, Edit(turn=2, words="Hm."))
    save.journal_path.write_bytes(save.journal_path.read_bytes()[:-20])
    *entries, closed = save.cassette_path.read_bytes().splitlines(keepends=True)
    assert b'"closed"' in closed, "the save is closed once its line is whole"
    save.cassette_path.write_bytes(b"".join(entries))
    assert state(world_of(save)) == before
    async with playing(save) as session:
        await act(session, 2)
    await assert_verifies(save)


async def test_an_open_save_is_edited_by_nobody_else(tmp_path: Path) -> None:
    save = await told(tmp_path)
    async with playing(save):
        with pytest.raises(SaveError, match="is open in another program"):
            take_back(save, Retract(turn=2))


async def test_an_edit_is_told_to_the_listener_of_old(tmp_path: Path) -> None:
    save = await told(tmp_path, Go(character=ANN, place=YARD))
    beat = take_back(save, Edit(turn=2, words="Forgive me."))
    (line,) = (h for h in beat.events if isinstance(h.event, LineSpoken))
    assert ANN in line.heard_in_full()
    assert (beat.turn, beat.mind, beat.clock) == (2, "person", save.read().beats[1].clock)
