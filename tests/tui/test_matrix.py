"""The matrix and the reasons in the inspector: who knows what, and through whose eyes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from rich.cells import cell_len

from sandbox.engine.session import Session
from sandbox.story.asking.knowing import thinks
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.known import KnownFacts
from sandbox.tui.inspecting import TABS, page
from sandbox.tui.matrix import askable, next_asked, people_shown
from sandbox.tui.page import fold
from sandbox.tui.playing import PlayApp
from sandbox.tui.state import StoryState
from tests.tui.stages import (
    ANN,
    BEN,
    CUP_BROKEN,
    CY,
    FERRY,
    FERRY_STORY,
    HALL,
    RUMOUR,
    SETTINGS,
    session_at,
    sheet_text,
    tell,
    text_of,
    told_world,
    until,
)

SIZE = (160, 45)
INSPECTOR_CELLS = 40
"""What the inspector has for text at 160 columns."""
KEY_HIDDEN = ("key", PredicateId("hidden_in"), "clock")


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    told = await told_world(tmp_path / "save", RUMOUR)
    yield told
    await told.close()


def _matrix(state: StoryState) -> str:
    return text_of(page(state, "matrix"))


def test_the_director_sees_who_knows_and_who_thinks_who_does(session: Session) -> None:
    shown = _matrix(StoryState(session.world))
    assert "Ben broke the blue cup while he was running indoors." in shown
    assert "✓ 1 Ann        knows: told by Ben · t4" in shown
    assert "✓ 3 Cy Dorn    knows: told by Ann" in shown
    rows = [line for line in shown.splitlines() if line[:2] in ("1 ", "2 ", "3 ")]
    assert rows == ["1 Ann         ✓  ✓  ✓", "2 Ben         ✓  ✓  ✗", "3 Cy Dorn     ✓  ✗  ✓"]


def test_the_reason_is_followed_back_to_who_lived_through_it(session: Session) -> None:
    state = StoryState(session.world, selected=CY)
    reasons = _matrix(state).partition("Why Cy Dorn knows it")[2]
    assert "told by Ann" in reasons
    assert "└ Ann: told by Ben" in reasons
    assert "└ Ben: experienced" in reasons
    line = text_of(page(StoryState(session.world), "line"))
    assert "└ Ben: experienced" in line


@pytest.mark.parametrize("who", [ANN, BEN, CY])
def test_through_a_characters_eyes_no_fact_of_another_mind_shows(
    session: Session, who: CharacterId
) -> None:
    world, state = session.world, StoryState(session.world)
    state.see_as(who)
    own = {fact.statement for fact in KnownFacts(world, who)} | {line.text for line in state.lines}
    sayings = askable(state)
    assert set(sayings) == {(f.subject, f.predicate, f.object) for f in KnownFacts(world, who)}
    others = {f.statement for other in world.grants for f in KnownFacts(world, other)} - own
    assert others, "there is something to hide"
    for saying in [None, *sayings, KEY_HIDDEN, CUP_BROKEN]:
        state.asked = saying
        for shown in (_matrix(state), text_of(page(state, "line"))):
            assert not [text for text in others if text in shown]


def test_through_a_characters_eyes_others_know_what_it_thinks_they_know(session: Session) -> None:
    state = StoryState(session.world)
    state.see_as(CY)
    shown = _matrix(state)
    mine, _, others = shown.partition("Who else knows, as Cy Dorn thinks")
    assert "✓ 3 Cy Dorn    knows" in mine
    assert "✓ 1 Ann        knows, it thinks" in others
    assert "✗ 2 Ben        does not know, it thinks" in others
    assert thinks(session.world, CY, BEN, CUP_BROKEN) is False
    assert "told by Ben" not in shown, "how its teller knew is in another mind"
    assert "SECRETWORDS" not in shown
    state.asked = askable(state)[-1]
    listed = _matrix(state).partition("· Ben broke it.\n")[2].splitlines()[0]
    assert listed.split() == ["✓", "✗", "✓"], "Ben knows it; that is nothing Cy could tell"


def test_a_stranger_never_met_has_no_column(session: Session) -> None:
    state = StoryState(session.world)
    state.see_as(BEN)
    assert CY not in people_shown(state)
    assert "visitor" not in _matrix(state)
    assert people_shown(StoryState(session.world)) == [ANN, BEN, CY]


def test_what_is_asked_stays_askable_when_the_eyes_change(session: Session) -> None:
    state = StoryState(session.world, asked=KEY_HIDDEN)
    assert "The key of the house lies hidden in the clock." in _matrix(state)
    state.see_as(CY)
    assert "clock" not in _matrix(state)


def test_asking_on_goes_round_the_facts(session: Session) -> None:
    state = StoryState(session.world)
    seen = []
    for _ in range(len(askable(state))):
        state.asked = next_asked(state)
        seen.append(state.asked)
    assert sorted(map(str, seen)) == sorted(map(str, askable(state)))


async def test_chinese_names_stand_in_columns_of_cells(tmp_path: Path) -> None:
    told = await told_world(tmp_path / "save", FERRY_STORY, FERRY)
    try:
        blocks = page(StoryState(told.world), "matrix")
        rows = [text_of([block]) for block in blocks]
        people = [row for row in rows if row[:2] in ("1 ", "2 ", "3 ")]
        assert [row.split()[1] for row in people] == ["杜水生", "方序", "孟蓼"]
        assert {cell_len(row) for row in people} == {12 + 3 * 3}
        numbers = next(row for row in rows if row.split() == ["1", "2", "3"])
        assert cell_len(numbers) == 12 + 3 * 3
        for block in blocks:
            for paragraph in block.paragraphs:
                for row in fold(paragraph, INSPECTOR_CELLS):
                    assert sum(cell_len(span.text) for span in row) <= INSPECTOR_CELLS
    finally:
        await told.close()


async def test_w_opens_the_matrix_and_asks_about_the_next_fact(tmp_path: Path) -> None:
    app = PlayApp(session_at(tmp_path / "save"), SETTINGS)
    async with app.run_test(size=SIZE) as pilot:
        tell(app, RUMOUR)
        await pilot.press("w")
        await until(pilot, lambda: "Who thinks who knows" in sheet_text(app, "inspector"))
        first = sheet_text(app, "inspector").splitlines()[0]
        assert first.startswith("Ben broke the blue cup")
        await pilot.press("w")
        await until(pilot, lambda: sheet_text(app, "inspector").splitlines()[0] != first)
        assert app.story.asked == askable(app.story)[1]
        await pilot.press("5")
        await until(pilot, lambda: "speaks and acts" in sheet_text(app, "inspector"))


async def test_a_click_on_a_listed_fact_asks_about_it(tmp_path: Path) -> None:
    app = PlayApp(session_at(tmp_path / "save"), SETTINGS)
    async with app.run_test(size=SIZE) as pilot:
        tell(app, RUMOUR)
        await pilot.press("w")
        await until(pilot, lambda: "Other facts" in sheet_text(app, "inspector"))
        rows = sheet_text(app, "inspector").splitlines()
        at = next(n for n, row in enumerate(rows) if "The key of the house" in row)
        await pilot.click("#inspector", offset=(6, at))
        await until(pilot, lambda: app.story.asked == KEY_HIDDEN)
        assert "The key of the house" in sheet_text(app, "inspector").splitlines()[0]


async def test_the_tabs_fit_into_the_bar(tmp_path: Path) -> None:
    app = PlayApp(session_at(tmp_path / "save"), SETTINGS)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        await until(pilot, lambda: app.is_inspecting)
        for key, tab in enumerate(TABS, start=1):
            await pilot.press(str(key))
            pieces = app._tabs(app.tabs.size.width)
            assert sum(cell_len(piece.span.text) for piece in pieces) <= app.tabs.size.width
            assert [piece.span.text.strip("[] ")[0] for piece in pieces] == [*"123456"]
            assert pieces[key - 1].span.text.casefold() in (f"[{key} {tab}]", "[1 why]")


def test_before_the_first_beat_the_canon_can_be_asked_about(tmp_path: Path) -> None:
    session = session_at(tmp_path / "save")
    state = StoryState(session.world)
    assert KEY_HIDDEN in askable(state)
    assert "Who thinks who knows" in _matrix(state)
    assert session.world.stage.where(BEN) == HALL
    session.abandon()
