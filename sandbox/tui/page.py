"""Text for the screen without a screen: paragraphs of styled pieces, folded to a width in cells."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from rich.cells import cell_len, chop_cells

from sandbox.story.viewpoint import clock_text
from sandbox.tui import words

_OPENING = "“‘（《「『〈【"
_CLOSING = "，。！？；：、”’）》」』〉】…—,.!?;:"
_WIDE = (
    r"\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
)
_TOKEN = re.compile(
    rf"\s+|[{_OPENING}]*(?:[{_WIDE}]|[^\s{_WIDE}{_OPENING}]+)[{_CLOSING}]*|[{_OPENING}]+"
)
"""What may not be broken: a word, or one Chinese character with the marks that cling to it."""
_NARROWEST = 4


Style = Literal[
    "",
    "deed",
    "dim",
    "draft",
    "eyes",
    "good",
    "head",
    "heard",
    "minds",
    "miss",
    "name",
    "narration",
    "place",
    "scene",
    "speaker",
    "thought",
    "title",
]
"""The looks a piece of text may have; empty: plain."""
LOOKS = tuple(look for look in get_args(Style) if look)
"""Each is a component class `sheet--…` of the widgets that draw text."""


@dataclass(frozen=True)
class Span:
    """A piece of text in one look. The text is never read as markup."""

    text: str
    look: Style = ""


Row = tuple[Span, ...]


@dataclass(frozen=True)
class Paragraph:
    spans: Row
    indent: int = 0
    """Cells before the first row."""
    hang: int = 0
    """Cells before the rows that follow."""
    fill: str = ""
    """Character that fills the rest of the last row."""
    tail: Span | None = None
    """Goes behind the last row where there is room, else under it."""


@dataclass(frozen=True)
class Block:
    """What belongs together on screen; with a key it can be chosen."""

    paragraphs: tuple[Paragraph, ...]
    key: Hashable = None


def para(
    *spans: Span | str,
    indent: int = 0,
    hang: int | None = None,
    fill: str = "",
    tail: Span | None = None,
) -> Paragraph:
    """A paragraph of pieces; strings are plain. Later rows hang two cells deeper than the first."""
    row = tuple(Span(s) if isinstance(s, str) else s for s in spans)
    return Paragraph(row, indent, indent + 2 if hang is None else hang, fill, tail)


def block(*paragraphs: Paragraph, key: Hashable = None) -> Block:
    return Block(paragraphs, key)


def width_of(row: Sequence[Span]) -> int:
    """Cells a row takes; a Chinese character takes two."""
    return sum(cell_len(span.text) for span in row)


def fold(paragraph: Paragraph, width: int) -> Iterator[Row]:
    """The rows of a paragraph, none wider than `width` cells."""
    if (tail := paragraph.tail) is None:
        yield from _rows(paragraph, width)
        return
    *rows, last = _rows(paragraph, width)
    yield from rows
    behind = (*last, Span("  "), tail)
    if width_of(behind) <= width:
        yield behind
    else:
        yield last
        yield from _rows(para(tail, indent=paragraph.hang, hang=paragraph.hang), width)


def _rows(paragraph: Paragraph, width: int) -> Iterator[Row]:
    width = max(width, _NARROWEST)
    indent, hang = (min(cells, width // 3) for cells in (paragraph.indent, paragraph.hang))
    whole = width_of(paragraph.spans)
    rows: list[Row]
    if whole + indent <= width:
        rows = [paragraph.spans]
    else:
        rows = list(_broken(paragraph.spans, width - indent, width - hang))
    for number, row in enumerate(rows):
        before = hang if number else indent
        shown = (Span(" " * before), *row) if before else row
        if paragraph.fill and number == len(rows) - 1:
            rest = width - width_of(shown)
            shown = (*shown, Span(paragraph.fill * rest, row[-1].look if row else ""))
        yield shown


def _broken(spans: Row, first: int, later: int) -> Iterator[Row]:
    """Rows filled greedily; a word longer than a row is cut."""
    row: list[Span] = []
    used, room = 0, first
    for span in spans:
        begin = 0
        for start, end, cells in _pieces(span.text, later):
            if used + cells > room:
                if start > begin:
                    row.append(Span(span.text[begin:start], span.look))
                yield tuple(row)
                row, used, room = [], 0, later
                # A space at which a row is broken is in neither.
                begin = end if span.text[start].isspace() else start
                if begin == end:
                    continue
            used += cells
        if begin < len(span.text):
            row.append(Span(span.text[begin:], span.look))
    if row:
        yield tuple(row)


def _pieces(text: str, longest: int) -> Iterator[tuple[int, int, int]]:
    """What may not be broken, as (start, end, cells); what is too long for a row comes in parts."""
    is_plain = text.isascii()
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        cells = end - start if is_plain else cell_len(match[0])
        if cells <= longest:
            yield start, end, cells
            continue
        for part in chop_cells(match[0], longest):
            yield start, start + len(part), cell_len(part)
            start += len(part)


def shown_clock(minutes: int) -> str:
    """Story minutes as people write them: `21:40`, from the second day on `day 2 · 06:40`."""
    day, rest = divmod(minutes, 24 * 60)
    clock = clock_text(rest)
    return words.DAY_CLOCK.format(day=day + 1, clock=clock) if day else clock


@lru_cache(maxsize=512)
def cut(text: str, cells: int) -> str:
    """`text` in at most `cells` cells, with `…` where something is missing."""
    if cell_len(text) <= cells:
        return text
    if cells <= 0:
        return ""
    kept = ""
    for char in text:
        if cell_len(kept + char) > cells - 1:
            break
        kept += char
    return kept.rstrip() + "…"


def padded(text: str, cells: int) -> str:
    """`text` cut or filled to exactly `cells` cells."""
    shown = cut(text, cells)
    return shown + " " * (cells - cell_len(shown))
