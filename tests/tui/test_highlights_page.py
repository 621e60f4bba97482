"""The plot on screen: the director fires and reads highlights; through a character's eyes there is no plot."""

from pathlib import Path

import pytest

from sandbox.settings import Settings, StorySettings
from sandbox.story.commands import Fire, Say
from sandbox.story.ids import CharacterId, PreparedId
from sandbox.tui.completing import completions
from sandbox.tui.highlighting import highlight_blocks
from sandbox.tui.playing import PlayApp
from sandbox.tui.prompting import PromptError, Reader
from sandbox.tui.sheet import Sheet
from sandbox.tui.state import StoryState
from tests.playing import begun, opened
from tests.plotting import ANN, BEN, CY, PLOT, TO_KITCHEN, mill, tells, told

ALONE = Settings(story=StorySettings(director=False))
SECRET = tells(ANN, CY, "key", "hidden_in", "chest")


def shown(state: StoryState) -> str:
    return "\n".join(str(block) for block in highlight_blocks(state))


def test_the_director_completes_and_fires_what_has_not_happened_yet() -> None:
    state = StoryState(told(mill(), TO_KITCHEN))
    found = completions("/fire ", state)
    assert found == ["/fire bell_cracks", "/fire owl", "/fire never", "/fire gone"]
    assert completions("/fire o", state) == ["/fire owl"]
    assert Reader(state).read("/fire owl") == Fire(prepared=PreparedId("owl"))
    with pytest.raises(PromptError, match="fire ID"):
        Reader(state).read("/fire")


def test_through_a_characters_eyes_nothing_of_the_plot_can_be_named() -> None:
    state = StoryState(told(mill(), TO_KITCHEN, SECRET), viewpoint=BEN)
    assert completions("/fire ", state) == []
    with pytest.raises(PromptError, match="for the director") as caught:
        Reader(state).read("/fire owl")
    assert "bell" not in str(caught.value)
    assert "secret" not in shown(state)
    assert "for the director" in shown(state)


def test_the_page_lists_what_was_worth_telling() -> None:
    assert "Nothing yet" in shown(StoryState(told(mill(), TO_KITCHEN)))
    page = shown(StoryState(told(mill(), TO_KITCHEN, SECRET)))
    assert "Ann let Cy into a secret: The key of the mill lies in the chest." in page
    assert "Does the place of the key come out?" in page


async def test_h_opens_the_page_for_the_director_alone(tmp_path: Path) -> None:
    app = PlayApp(opened(begun(tmp_path / "s", PLOT, settings=ALONE)), Settings())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        app.order(Say(character=ANN, words="Good evening."))
        await pilot.press("h")
        assert len(app.screen_stack) == 2
        assert app.screen.query_one("#highlights", Sheet).is_attached
        await pilot.press("h")
        assert len(app.screen_stack) == 1
        app.see_as(CharacterId("cy"))
        await pilot.press("h")
        assert len(app.screen_stack) == 1


async def test_firing_in_the_prompt_shows_it_and_a_second_time_says_why_not(tmp_path: Path) -> None:
    app = PlayApp(opened(begun(tmp_path / "s", PLOT, settings=ALONE)), Settings())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        for _ in range(2):
            app.prompt.set_text("/fire owl")
            app.set_focus(app.prompt)
            await pilot.press("enter")
            await pilot.pause()
        assert [line.text for line in app.story.lines] == ["A white owl crosses the yard."]
        assert app.prompt.value == "/fire owl"
        assert app.session.world.fired == {"owl"}
