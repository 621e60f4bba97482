"""A person states what a line tells: `… =words of a fact`."""

from pathlib import Path

import pytest

from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFacts
from sandbox.tui.prompting import PromptError, Reader
from sandbox.tui.state import StoryState
from tests.tui.stages import ANN, BEN, CUP_STORY, told_world


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
