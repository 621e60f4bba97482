"""A row of pieces, some of which can be clicked: the title, the cast in one line, the inspector's tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sandbox.tui.looking import Piece
from sandbox.tui.page import LOOKS

Pieces = Callable[[int], Sequence[Piece]]
"""The pieces of a row, for a width in cells."""


class Bar(Widget):
    """One row, drawn anew from its pieces whenever it is refreshed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"sheet--{look}" for look in LOOKS}
    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"

    class Picked(Message):
        """A piece with a key was clicked."""

        def __init__(self, bar: Bar, key: str) -> None:
            super().__init__()
            self.bar = bar
            self.key = key

        @property
        def control(self) -> Bar:
            return self.bar

    def __init__(self, pieces: Pieces, id: str) -> None:
        super().__init__(id=id)
        self._pieces = pieces

    def render_line(self, y: int) -> Strip:
        width, plain = self.size.width, self.rich_style
        segments = []
        for piece in self._pieces(width) if y == 0 else ():
            look = piece.span.look
            own = self.get_component_rich_style(f"sheet--{look}", partial=True) if look else None
            segments.append(Segment(piece.span.text, plain + own if own else plain))
        return Strip(segments).adjust_cell_length(width, plain)

    def on_click(self, event: events.Click) -> None:
        x = 0
        for piece in self._pieces(self.size.width):
            x += cell_len(piece.span.text)
            if event.x < x:
                if piece.key is not None:
                    self.post_message(self.Picked(self, piece.key))
                return
