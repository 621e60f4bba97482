"""A person states what a line tells: `… =words of a fact`."""

import asyncio
from pathlib import Path

import pytest

from sandbox.agents.minds import Move
from sandbox.settings import Settings
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFacts
from sandbox.tui.playing import PlayApp
from sandbox.tui.prompt import Prompt
from sandbox.tui.prompting import PromptError, Reader
from sandbox.tui.state import StoryState
from tests.tui.stages import ANN, BEN, CUP_STORY, Scripted, cast_with, session_at, told_world


async def test_a_line_with_a_stated_fact_teaches_it_to_who_hears_it(tmp_path: Path) -> None:
    session = await told_world(tmp_path / "s", CUP_STORY[:1])
    fact = next(f for f in KnownFacts(session.world, BEN) if f.source is None)
    hint = " ".join(fact.statement.split()[:4])
    command = Reader(StoryState(session.world)).read(f"/say Ben to Ann: So it was. ={hint}")
    assert command is not None
    session.command(command)  # type: ignore[arg-type]
    key = (fact.subject, fact.predicate, fact.object)
    assert key in session.world.propositions[ANN]
    (learned,) = [f for f in KnownFacts(session.world, ANN) if f.source == BEN]
    assert learned.statement == "So it was."
    await session.close()


@pytest.mark.parametrize("text", ["/say Ben: 2 = unknown words", "/say Ben to Ann: Hm. ＝没有"])
async def test_a_fact_the_speaker_does_not_know_is_refused(tmp_path: Path, text: str) -> None:
    session = await told_world(tmp_path / "s", CUP_STORY[:1])
    with pytest.raises(PromptError, match="knows no fact"):
        Reader(StoryState(session.world)).read(text)
    await session.close()


async def test_an_equals_sign_within_a_word_is_only_text(tmp_path: Path) -> None:
    session = await told_world(tmp_path / "s", CUP_STORY[:1])
    command = Reader(StoryState(session.world, speaking_as=CharacterId("ben"))).read("2+2=4, no?")
    assert getattr(command, "words", "") == "2+2=4, no?"
    await session.close()


async def test_space_in_an_empty_prompt_plays_the_next_beat_and_within_text_is_a_space(
    tmp_path: Path,
) -> None:
    app = PlayApp(session_at(tmp_path / "s"), Settings())
    cast_with(app.session, Scripted(Move(action="nods")))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        prompt = app.screen.query_one(Prompt)
        prompt.focus()
        await pilot.press("a", "space", "b")
        assert prompt.value == "a b"
        prompt.set_text("")
        await pilot.press("space")
        async with asyncio.timeout(20):
            while app.session.world.turn < 1:
                await pilot.pause()
        assert prompt.value == ""
