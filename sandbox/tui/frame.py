"""The frame: transcript in the centre, cast, inspector and prompt around it; all through one viewpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Label, Static

from sandbox.settings import Settings
from sandbox.story.viewpoint import Shown, Viewpoint
from sandbox.tui import words
from sandbox.tui.actions import ACTIONS, BY_METHOD, key_problems, key_shown
from sandbox.tui.bar import Bar
from sandbox.tui.completing import completions
from sandbox.tui.inspecting import TABS, page
from sandbox.tui.looking import Piece, cast_blocks, cast_line, cast_rows
from sandbox.tui.page import Span, Style, cut
from sandbox.tui.prompt import Prompt
from sandbox.tui.sheet import Sheet
from sandbox.tui.state import StoryState
from sandbox.tui.status import Status, title_row
from sandbox.tui.telling import draft_blocks, empty_blocks, line_blocks

NARROW = 100
"""Columns under which the side panels give way."""
LEAST_WIDTH, LEAST_HEIGHT = 60, 16
_HINT_ROWS, _HINT_MARGIN = 3, 12
"""Rows of the hint, as in `screen.tcss`; cells a row may lose where words are folded."""
_NOTICE_S = 15.0
"""Seconds a notice stays: time to read three sentences, looking up from elsewhere."""
_TAB_CELLS = (8, 4, 3)
"""Of a closed tab's name at most; the first that lets all of them fit counts."""
_TAB_NAMES = dict(
    zip(
        TABS,
        (
            words.TAB_LINE,
            words.TAB_MIND,
            words.TAB_FACTS,
            words.TAB_MATRIX,
            words.TAB_PATTERNS,
            words.TAB_TRACE,
        ),
        strict=True,
    )
)


class FrameApp(App[int], inherit_bindings=False):
    """Draws a story state. What keys and the prompt do comes on top."""

    CSS_PATH = "screen.tcss"
    AUTO_FOCUS = "#transcript"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-tiny"),
        (LEAST_WIDTH, "-narrow"),
        (NARROW, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-low"),
        (LEAST_HEIGHT, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *(action.binding() for action in ACTIONS),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]
    mode: ClassVar[Literal["play", "replay"]] = "play"

    def __init__(self, story: StoryState, settings: Settings, connect_hint: str = "") -> None:
        super().__init__()
        self.story = story
        self.settings = settings
        self._connect_hint = connect_hint
        self._tab = TABS[0]
        self._refused = ""
        """What was typed last and could not be done; its hint stays until it is changed."""
        self.title = story.world.canon.title
        self._make_widgets()

    def _make_widgets(self) -> None:
        """Kept by name: a query would look on whatever screen is on top, a help page say."""
        self.title_bar = Bar(lambda w: title_row(self.story, self.status(), w), id="title")
        self.cast_bar = Bar(self._cast_line, id="cast-line")
        self.cast = Sheet("cast", picks=True)
        self.transcript = Sheet("transcript", follows=True)
        self.newer = Bar(self._newer, id="newer")
        self.tabs = Bar(self._tabs, id="tabs")
        self.inspector = Sheet("inspector")
        self.hint_row = Label("", id="hint", markup=False)
        self.prompt_label = Label("", id="prompt-label", markup=False)
        self.prompt = Prompt(lambda text: completions(text, self.story, self.is_replay))
        self.keys_bar = Bar(self._keys, id="keys")
        self.too_small = Static(id="too-small", markup=False)

    @property
    def is_replay(self) -> bool:
        return self.mode == "replay"

    def begin_as(self, viewpoint: Viewpoint) -> None:
        """Set the first viewpoint."""
        self.story.see_as(viewpoint)

    # ── to be filled in ───────────────────────────────────────────────────────────────────────

    def status(self) -> Status:
        """What the title says besides the story."""
        raise NotImplementedError

    def can(self, method: str) -> bool:
        """Whether an action is possible now."""
        return True

    # ── screen ────────────────────────────────────────────────────────────────────────────────

    def compose(self) -> ComposeResult:
        yield self.title_bar
        yield self.cast_bar
        with Horizontal(id="middle"):
            yield self.cast
            with Vertical(id="telling"):
                yield self.transcript
                yield self.newer
            with Vertical(id="inspecting"):
                yield self.tabs
                yield self.inspector
        yield self.hint_row
        with Horizontal(id="prompt-row"):
            yield self.prompt_label
            yield self.prompt
        yield self.keys_bar
        yield self.too_small

    def on_mount(self) -> None:
        self._apply_settings()
        self.redraw()
        self.begin()

    def begin(self) -> None:
        """Called once the screen is there."""

    def _apply_settings(self) -> None:
        if (theme := self.settings.screen.theme) in self.available_themes:
            self.theme = theme
        problems = key_problems(self.settings.keys)
        if problems:
            self.notice("\n".join(problems), words.SETTINGS, severity="error")
        known = {action.id for action in ACTIONS}
        self.set_keymap({id_: key for id_, key in self.settings.keys.items() if id_ in known})

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        text = words.TOO_SMALL.format(width=LEAST_WIDTH, height=LEAST_HEIGHT, w=width, h=height)
        self.too_small.update(text)
        self.call_after_refresh(self.redraw_sides)

    # ── drawing ───────────────────────────────────────────────────────────────────────────────

    def redraw(self) -> None:
        """Draw everything anew: another viewpoint, another turn, a rewind."""
        if not self.is_running:
            return
        blocks = list(line_blocks(self.story, self.story.lines)) or empty_blocks(self.story)
        self.transcript.show(blocks, draft_blocks(self.story))
        self.transcript.choose(self.story.chosen)
        self.redraw_sides()

    def redraw_added(self, added: Sequence[Shown]) -> None:
        """Draw the lines a beat added, and what changed around them."""
        if len(added) == len(self.story.lines):
            self.redraw()
            return
        before = self.story.lines[-len(added) - 1]
        self.transcript.append(line_blocks(self.story, added, before))
        self.transcript.show_tail(draft_blocks(self.story))
        self.redraw_sides()

    def redraw_drafts(self) -> None:
        if self.is_running:
            self.transcript.show_tail(draft_blocks(self.story))
            self.redraw_title()

    def redraw_sides(self) -> None:
        if not self.is_running:
            return
        self.cast.show(cast_blocks(self.story, cast_rows(self.story)))
        self.cast.choose(self.story.selected)
        self.cast_bar.refresh()
        self._redraw_inspector()
        self._label_prompt()
        self.redraw_title()

    def redraw_title(self) -> None:
        if self.is_running:
            self.title_bar.refresh()
            self.keys_bar.refresh()

    def _redraw_inspector(self) -> None:
        if self.is_inspecting:
            self.inspector.show(page(self.story, self._tab))
            self.tabs.refresh()

    def _tabs(self, width: int) -> list[Piece]:
        pieces, cells = [], self._tab_cells(width)
        for number, tab in enumerate(TABS, start=1):
            is_open = tab == self._tab
            name = f"{number} {_TAB_NAMES[tab][: None if is_open else cells]}"
            # No more than a cell between two.
            span = Span(f"[{name}]" if is_open else f" {name}", "name" if is_open else "dim")
            pieces.append(Piece(span, tab))
        return pieces

    def _tab_cells(self, width: int) -> int:
        """Cells of a closed tab's name, so that all tabs fit into `width`."""
        closed = [len(_TAB_NAMES[tab]) for tab in TABS if tab != self._tab]
        taken = len(TABS) * len("[1 ]") + len(_TAB_NAMES[self._tab])
        fits = (c for c in _TAB_CELLS if taken + sum(min(c, n) for n in closed) <= width)
        return next(fits, _TAB_CELLS[-1])

    def _newer(self, width: int) -> list[Piece]:
        """Says that the story went on out of sight; a click goes there."""
        key = key_shown(BY_METHOD["follow"], self.settings.keys).partition(",")[0]
        text = words.NEW_LINE if self.transcript.unseen == 1 else words.NEW_LINES
        shown = text.format(count=self.transcript.unseen, key=key)
        return [Piece(Span(f"  {cut(shown, width - 2)}", "name"), "follow")]

    def _cast_line(self, width: int) -> list[Piece]:
        return cast_line(self.story, cast_rows(self.story), width)

    def _keys(self, width: int) -> list[Piece]:
        """The keys of the footer; what is not possible now is greyed out and cannot be clicked."""
        pieces = []
        gap = "  " if width >= NARROW else " "
        for action in ACTIONS:
            if action.show and action.only_in in ("", self.mode):
                can = self.check_action(action.method, ()) is True
                key = key_shown(action, self.settings.keys).partition(",")[0]
                look: Style = "name" if can else "dim"
                pieces.append(Piece(Span(f"{gap}{key}", look), action.method if can else None))
                text = Span(f" {action.short or action.title}", "" if can else "dim")
                pieces.append(Piece(text, action.method if can else None))
        return pieces

    def _label_prompt(self) -> None:
        story = self.story
        here = story.name(story.here) if story.here else ""
        who = story.name(story.speaking_as) if story.speaking_as else words.PROMPT_DIRECTOR
        label = who if story.speaking_as else words.PROMPT_NARRATES.format(who=who, place=here)
        label = words.PROMPT_REPLAY if self.is_replay else label
        self.prompt_label.update(f"{cut(label, 30)} │")
        self.prompt.placeholder = self._placeholder(who)

    def _placeholder(self, who: str) -> str:
        if self.is_replay:
            return words.PLACEHOLDER_REPLAY
        if self.story.speaking_as:
            return words.PLACEHOLDER_SAY.format(name=who)
        return words.PLACEHOLDER_EVENT

    @property
    def is_inspecting(self) -> bool:
        return self.screen_stack[0].has_class("-inspecting")

    # ── telling the person ────────────────────────────────────────────────────────────────────

    def hint(self, text: str, *, is_wrong: bool = False) -> None:
        """What stands above the prompt, in up to three rows; what is longer is a notice."""
        if not self.is_running:
            return
        shown = f"✗ {text}" if is_wrong else text
        if is_long := cell_len(shown) > _HINT_ROWS * (self.size.width - _HINT_MARGIN):
            self.notice(text, "", severity="error" if is_wrong else "information")
        self.hint_row.update("" if is_long else shown)
        self.hint_row.set_class(is_wrong, "-wrong")

    def refuse(self, text: str, error: Exception) -> None:
        """Say what is wrong with what was typed; it stays in the prompt, or goes back there."""
        self._refused = text
        if not self.prompt.value:
            self.prompt.set_text(text)
        self.hint(str(error), is_wrong=True)

    def notice(self, text: str, title: str, *, severity: str = "information") -> None:
        """A notice that goes by itself. Its text is never read as markup."""
        level = "error" if severity == "error" else "information"
        self.notify(text, title=title, severity=level, timeout=_NOTICE_S, markup=False)  # type: ignore[arg-type]
