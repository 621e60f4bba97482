"""The page of highlights: what was worth telling, for the director."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from sandbox.story.fold import Fold
from sandbox.story.highlight_words import highlight_in_words
from sandbox.story.highlights import HighlightFinder
from sandbox.tui import words
from sandbox.tui.page import Block, Span, block, para
from sandbox.tui.sheet import Sheet
from sandbox.tui.state import StoryState


class HighlightsScreen(ModalScreen[None]):
    """The highlights of the story so far, in order."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,h,q,enter,space", "dismiss", words.HIGHLIGHTS_CLOSE, show=False)
    ]

    def __init__(self, story: StoryState) -> None:
        super().__init__()
        self._story = story

    def compose(self) -> ComposeResult:
        yield Sheet("highlights")

    def on_mount(self) -> None:
        sheet = self.query_one(Sheet)
        sheet.border_title = words.HIGHLIGHTS
        sheet.border_subtitle = words.HIGHLIGHTS_CLOSE
        sheet.show(highlight_blocks(self._story))
        sheet.focus()


def highlight_blocks(story: StoryState) -> Iterator[Block]:
    """One block for each highlight; from a character's view none, as they compare minds."""
    if story.viewpoint is not None:
        yield block(para(Span(words.ONLY_DIRECTOR, "dim"), hang=0))
        return
    world, is_empty = story.world, True
    finder = HighlightFinder(Fold(world.canon, world.start))
    for beat in world.beats:
        for highlight in finder.take(beat):
            turn = words.EPISODE_TURN.format(turn=highlight.turn)
            said = highlight_in_words(highlight, world)
            yield block(para(Span(f"{turn}  ", "dim"), said, hang=6))
            is_empty = False
    if is_empty:
        yield block(para(Span(words.NO_HIGHLIGHTS, "dim"), hang=0))
