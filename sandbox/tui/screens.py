"""The help page and the question before something is withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static

from sandbox.tui import words
from sandbox.tui.actions import ACTIONS, key_shown
from sandbox.tui.page import Block, Span, block, padded, para
from sandbox.tui.prompting import HELPS, USAGES
from sandbox.tui.sheet import Sheet

_KEY_CELLS = 14
_USAGE_CELLS = 29


class HelpScreen(ModalScreen[None]):
    """How to play, the keys and commands that there are, how to connect a model."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q,enter,space", "dismiss", words.HELP_CLOSE, show=False)
    ]

    def __init__(self, keys: Mapping[str, str], connect_hint: str = "") -> None:
        super().__init__()
        self._keys = keys
        self._connect_hint = connect_hint

    def compose(self) -> ComposeResult:
        yield Sheet("help")

    def on_mount(self) -> None:
        sheet = self.query_one(Sheet)
        sheet.border_title = words.HELP_TITLE
        sheet.border_subtitle = words.HELP_CLOSE
        sheet.show(help_blocks(self._keys, self._connect_hint))
        sheet.focus()


class ConfirmScreen(ModalScreen[bool]):
    """Asks before something is withdrawn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", show=False),
        Binding("n,escape,q", "answer(False)", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        yield Static(f"{self._question}\n\n{words.YES_NO}", id="confirm", markup=False)

    def action_answer(self, is_yes: bool) -> None:
        self.dismiss(is_yes)


class ChoiceScreen(ModalScreen[str]):
    """Asks what is to become of what followed a line that is changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "answer('keep')", show=False),
        Binding("b", "answer('branch')", show=False),
        Binding("c,escape,q", "answer('')", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        yield Static(f"{self._question}\n\n{words.KEEP_BRANCH_CANCEL}", id="confirm", markup=False)

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer)


def help_blocks(keys: Mapping[str, str], connect_hint: str = "") -> Iterator[Block]:
    """The help page, made from the table of actions and the list of commands."""
    yield _head(words.HELP_PLAY)
    yield from (block(para("· ", text)) for text in words.HELP_PLAY_TEXT)
    yield from _connecting(connect_hint)
    yield _head(words.HELP_KEYS)
    for action in ACTIONS:
        shown = padded(key_shown(action, keys), _KEY_CELLS)
        yield _entry(shown, f"{action.title}. {action.help}", _KEY_CELLS)
    yield _head(words.HELP_COMMANDS)
    for name, usage in USAGES.items():
        yield _entry(padded(usage, _USAGE_CELLS), HELPS[name], _USAGE_CELLS)


def _connecting(connect_hint: str) -> Iterator[Block]:
    yield _head(words.HELP_MODEL)
    if connect_hint:
        yield from (block(para(line, hang=0)) for line in connect_hint.splitlines())
        return
    yield block(para(words.HELP_MODEL_TEXT, hang=0))
    yield from (block(para(Span(line, "name"), indent=2)) for line in words.HELP_MODEL_LINES)
    yield block(para(words.HELP_MODEL_END, hang=0))


def _head(text: str) -> Block:
    return block(para(""), para(Span(text, "head"), hang=0))


def _entry(left: str, right: str, cells: int) -> Block:
    return block(para(Span(left, "name"), Span(" "), right, hang=cells + 1))
