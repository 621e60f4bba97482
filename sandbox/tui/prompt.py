"""The prompt: a line of text with completion, what was typed before, and a row for what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input

Completions = Callable[[str], list[str]]


class _Suggester(Suggester):
    """The likeliest way a line goes on. Nothing is cached: the names change with the story."""

    def __init__(self, completions: Completions) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._completions = completions

    async def get_suggestion(self, value: str) -> str | None:
        found = self._completions(value)
        return found[0] if found and found[0] != value else None


class Prompt(Input):
    """Takes a line; tab completes it, escape clears it, up and down bring back earlier ones."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False),
        Binding("escape,ctrl+u", "clear", show=False),
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
    ]

    def __init__(self, completions: Completions) -> None:
        super().__init__(
            id="prompt", compact=True, suggester=_Suggester(completions), select_on_focus=False
        )
        self.completions = completions
        self._typed: list[str] = []
        self._at = 0

    async def _on_key(self, event: events.Key) -> None:
        """A space in an empty prompt is no text: it plays the next beat, as enter there does."""
        if event.key == "space" and not self.value:
            event.stop()
            event.prevent_default()
            self.post_message(self.Submitted(self, ""))
            return
        await super()._on_key(event)

    def action_complete(self) -> None:
        """Complete the line; where nothing is to be completed, tab moves on as everywhere."""
        found = self.completions(self.value)
        if found and found[0] != self.value:
            self.set_text(found[0])
        else:
            self.screen.focus_next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An empty prompt leaves escape to the screen."""
        return bool(self.value) if action == "clear" else super().check_action(action, parameters)

    def action_clear(self) -> None:
        self.set_text("")

    def action_recall(self, step: int) -> None:
        """Bring back an earlier line, or go on to a later one."""
        at = self._at + step
        if 0 <= at < len(self._typed):
            self._at = at
            self.set_text(self._typed[at])
        elif at == len(self._typed):
            self._at = at
            self.set_text("")

    def set_text(self, text: str) -> None:
        self.value = text
        self.cursor_position = len(text)

    def take(self) -> str:
        """What is typed; the prompt is empty afterwards, and remembers it."""
        text = self.value.strip()
        if text and text not in self._typed[-1:]:
            self._typed.append(text)
        self._at = len(self._typed)
        self.value = ""
        return text
