"""People and scripts search places and look into things: what comes to light, and what stays hidden."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from sandbox.engine.script_run import play_script
from sandbox.engine.scripts import read_script
from sandbox.engine.session import Session
from sandbox.story.commands import Do
from sandbox.story.events import Acted, ThingFound, ThingsSeen
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.tui.completing import completions
from sandbox.tui.prompting import PromptError, Reader
from sandbox.tui.state import StoryState
from tests.playing import TINY, act, assert_verifies, begun, playing

ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")
HIDDEN = """
[things.ring]
name = "the ring"
place = "yard"
concealed = true

[things.purse]
name = "the purse"
holder = "ben"
concealed = true

[things.spring]
name = "the spare spring"
inside = "clock"
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The tiny world with a ring hidden in the yard, and a spring in the clock."""
    folder = tmp_path / "world"
    shutil.copytree(TINY, folder)
    places = folder / "places.toml"
    places.write_text(places.read_text(encoding="utf-8") + HIDDEN, encoding="utf-8")
    return folder


async def scripted(session: Session, folder: Path, steps: Sequence[object]) -> None:
    script = folder / "script.yaml"
    script.write_text(yaml.safe_dump({"world": "tiny", "steps": list(steps)}), encoding="utf-8")
    async for _ in play_script(session, read_script(script)):
        pass


def events(session: Session, kind: type) -> list[object]:
    return [h.event for b in session.beats for h in b.events if isinstance(h.event, kind)]


def things(session: Session, who: CharacterId) -> set[str]:
    return {thing.id for thing in CharacterView(session.world, who).things}


async def test_a_person_who_searches_finds_what_is_hidden_there(
    world: Path, tmp_path: Path
) -> None:
    save = begun(tmp_path / "s", world)
    async with playing(save) as session:
        assert "ring" not in things(session, CY)
        await act(session, Do(character=CY, text="searches the yard", searches=True))
        assert "ring" in things(session, CY)
        assert [e.thing for e in events(session, ThingFound)] == ["ring"]  # type: ignore[attr-defined]
    await assert_verifies(save)


async def test_a_deed_that_is_no_search_finds_nothing(world: Path, tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", world)) as session:
        await act(session, Do(character=CY, text="searches the yard"))
        assert events(session, ThingFound) == []


async def test_a_search_does_not_go_through_peoples_pockets(world: Path, tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", world)) as session:
        await act(session, Do(character=ANN, text="searches the hall", searches=True))
        assert events(session, ThingFound) == []
        remembered = [
            CharacterView(session.world, ANN).worded(p) for p in session.world.percepts[ANN]
        ]
        assert not any("purse" in text for text in remembered)


async def test_a_script_searches_and_looks_into_things(world: Path, tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", world)) as session:
        assert "spring" not in things(session, BEN)
        steps = [
            {"do": {"who": "cy", "searches": True}},
            {"do": {"who": "ben", "examines": "clock"}},
        ]
        await scripted(session, tmp_path, steps)
        assert "ring" in things(session, CY)
        assert "spring" in things(session, BEN)
        assert len(events(session, ThingsSeen)) == 1
        searched = [e for e in events(session, Acted) if e.searches]  # type: ignore[attr-defined]
        assert [e.text for e in searched] == ["searches the yard"]  # type: ignore[attr-defined]


async def test_search_is_typed_with_a_name_or_without_ones_own(world: Path, tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", world)) as session:
        state = StoryState(session.world)
        command = Do(character=CY, text="searches the yard", searches=True)
        assert Reader(state).read("/search Cy Dorn") == command
        with pytest.raises(PromptError, match="/search NAME"):
            Reader(state).read("/search")
        assert "/search ann" in completions("/search a", state)
        state.see_as(CY)
        assert Reader(state).read("/search") == command
        with pytest.raises(PromptError):
            Reader(state).read("/search Ann")
