"""A sheet of blocks that scrolls: only the rows in sight are drawn, so length costs nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sandbox.tui.page import LOOKS, Block, Row, fold

_GUTTER = 2
"""Cells at the left, for the mark of the chosen block."""


class Sheet(ScrollView, can_focus=True):
    """Blocks one under another. It follows its end while it is there; a block with a key can be chosen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"sheet--{look}" for look in (*LOOKS, "chosen")}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", show=False),
        Binding("down", "scroll_down", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
    ]

    class Picked(Message):
        """A block was clicked, or reached with the arrow keys."""

        def __init__(self, sheet: Sheet, key: Hashable) -> None:
            super().__init__()
            self.sheet = sheet
            self.key = key

        @property
        def control(self) -> Sheet:
            return self.sheet

    class Behind(Message):
        """Lines were added out of sight, or are in sight again."""

    def __init__(self, id: str, *, follows: bool = False, picks: bool = False) -> None:
        """`follows`: stays at the end while there. `picks`: arrow keys choose instead of scrolling."""
        super().__init__(id=id)
        self._follows = follows
        self._picks = picks
        self._blocks: list[Block] = []
        self._tail: list[Block] = []
        self._rows: list[tuple[int, Row]] = []
        """Every row, with the number of its block."""
        self._starts: list[int] = []
        """First row of each block."""
        self._width = 0
        self._is_at_end = True
        self.unseen = 0
        """Blocks added out of sight since the end was last in it."""
        self._chosen: Hashable = None
        self._styles: dict[str, Style] = {}

    # ── content ───────────────────────────────────────────────────────────────────────────────

    def show(self, blocks: Iterable[Block], tail: Iterable[Block] = ()) -> None:
        """Show these blocks, and a tail that is replaced more often than they are."""
        self._blocks, self._tail = list(blocks), list(tail)
        self._fold_all()
        self._grown()
        self._count_unseen(0)

    def append(self, blocks: Iterable[Block]) -> None:
        """Add blocks before the tail."""
        tail, self._tail = self._tail, []
        self._drop_rows(len(self._blocks))
        before = len(self._blocks)
        for block in blocks:
            self._blocks.append(block)
            self._fold_block(block)
        self._set_tail(tail)
        self._grown()
        self._count_unseen(0 if self._shows_end else self.unseen + len(self._blocks) - before)

    def show_tail(self, tail: Iterable[Block]) -> None:
        """Replace what stands under the blocks."""
        self._drop_rows(len(self._blocks))
        self._set_tail(list(tail))
        self._grown()

    def _set_tail(self, tail: list[Block]) -> None:
        self._tail = tail
        for block in tail:
            self._fold_block(block)

    def _drop_rows(self, first_block: int) -> None:
        if first_block < len(self._starts):
            del self._rows[self._starts[first_block] :]
            del self._starts[first_block:]

    def _fold_all(self) -> None:
        self._rows.clear()
        self._starts.clear()
        for block in [*self._blocks, *self._tail]:
            self._fold_block(block)

    def _fold_block(self, block: Block) -> None:
        number = len(self._starts)
        self._starts.append(len(self._rows))
        width = self._width - _GUTTER
        for paragraph in block.paragraphs:
            self._rows += [(number, row) for row in fold(paragraph, width)]

    def _grown(self) -> None:
        self.virtual_size = Size(self._width, len(self._rows))
        if self._is_following:
            self._to_end()
        self.refresh()

    @property
    def _is_following(self) -> bool:
        return self._follows and self._is_at_end and self._chosen is None

    @property
    def _shows_end(self) -> bool:
        in_sight = self.scroll_offset.y + self.scrollable_content_region.height
        return self._is_following or in_sight >= len(self._rows)

    def _count_unseen(self, count: int) -> None:
        if self._follows and count != self.unseen:
            self.unseen = count
            self.post_message(self.Behind())

    def _to_end(self) -> None:
        # Forced: the scroll bar, without which nothing scrolls, comes with the next layout.
        self.scroll_end(animate=False, immediate=True, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Growing does not scroll: whoever was at the end stays there."""
        super().watch_scroll_y(old_value, new_value)
        self._is_at_end = new_value >= self.max_scroll_y - 1
        if self._is_at_end:
            self._count_unseen(0)

    @property
    def rows(self) -> list[Row]:
        """Everything that stands on the sheet, folded as it is."""
        return [row for _, row in self._rows]

    # ── choosing ──────────────────────────────────────────────────────────────────────────────

    def choose(self, key: Hashable) -> None:
        """Mark the block of a key and bring it into sight; None marks none."""
        self._chosen = key
        number = self._number_of(key)
        if number is not None:
            start, end = self._span_of(number)
            region = Region(0, start, max(self._width, 1), max(end - start, 1))
            self.scroll_to_region(region, animate=False, force=True, immediate=True)
        elif self._follows and key is None:
            self._is_at_end = True
            self._to_end()
            self._count_unseen(0)
        self.refresh()

    def _number_of(self, key: Hashable) -> int | None:
        if key is None:
            return None
        return next((n for n, block in enumerate(self._blocks) if block.key == key), None)

    def _span_of(self, number: int) -> tuple[int, int]:
        later = self._starts[number + 1 : number + 2]
        return self._starts[number], later[0] if later else len(self._rows)

    def _pick(self, step: int) -> None:
        keys = [block.key for block in self._blocks if block.key is not None]
        if keys:
            at = keys.index(self._chosen) + step if self._chosen in keys else 0
            self.post_message(self.Picked(self, keys[max(0, min(at, len(keys) - 1))]))

    def action_scroll_up(self) -> None:
        if self._picks:
            self._pick(-1)
        else:
            super().action_scroll_up()

    def action_scroll_down(self) -> None:
        if self._picks:
            self._pick(1)
        else:
            super().action_scroll_down()

    def action_page_up(self) -> None:
        self.scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        self.scroll_page_down(animate=False)

    def action_scroll_home(self) -> None:
        self.scroll_home(animate=False)

    def action_scroll_end(self) -> None:
        self.scroll_end(animate=False)

    def on_click(self, event: events.Click) -> None:
        y = event.y + self.scroll_offset.y
        if 0 <= y < len(self._rows):
            number = self._rows[y][0]
            if number < len(self._blocks) and self._blocks[number].key is not None:
                self.post_message(self.Picked(self, self._blocks[number].key))

    # ── drawing ───────────────────────────────────────────────────────────────────────────────

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self._fold_all()
            self._grown()
            if self._chosen is not None:
                self.choose(self._chosen)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()

    def _style(self, look: str) -> Style:
        if look not in self._styles:
            plain = self.rich_style
            own = self.get_component_rich_style(f"sheet--{look}", partial=True) if look else None
            self._styles[look] = plain + own if own else plain
        return self._styles[look]

    def render_line(self, y: int) -> Strip:
        """One row in sight; the chosen block has a bar at its left, not only another colour."""
        width, at = self.size.width, y + self.scroll_offset.y
        if at >= len(self._rows):
            return Strip.blank(width, self._style(""))
        number, row = self._rows[at]
        key = self._blocks[number].key if number < len(self._blocks) else None
        is_chosen = key is not None and key == self._chosen
        under = self._style("chosen") if is_chosen else Style.null()
        bar = Segment("▍ " if is_chosen else "  ", self._style("chosen" if is_chosen else ""))
        segments = [bar, *(Segment(s.text, self._style(s.look) + under) for s in row)]
        return Strip(segments).adjust_cell_length(width, self._style("") + under)
