"""What playing and watching have in common: the prompt, choosing, inspecting, changing the viewpoint."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from textual import on
from textual.app import SystemCommand
from textual.screen import Screen

from sandbox.story.ids import CharacterId
from sandbox.story.viewpoint import Viewpoint
from sandbox.tui import words
from sandbox.tui.actions import ACTIONS, BY_METHOD
from sandbox.tui.bar import Bar
from sandbox.tui.completing import completions
from sandbox.tui.frame import NARROW, FrameApp
from sandbox.tui.highlighting import HighlightsScreen
from sandbox.tui.matrix import next_asked
from sandbox.tui.page import cut
from sandbox.tui.prompt import Prompt
from sandbox.tui.prompting import Plain, PromptError, Reader, Request, SeeAs, SpeakAs, ToTurn
from sandbox.tui.screens import HelpScreen
from sandbox.tui.sheet import Sheet


class StoryApp(FrameApp):
    """The screen with its keys. Whether the story is played or watched is filled in."""

    def carry_out(self, request: Request, text: str) -> None:
        """Do what was typed, as far as it is not about the screen."""
        raise NotImplementedError

    def go_to_turn(self, turn: int) -> None:
        """Bring a turn into sight."""
        raise NotImplementedError

    # ── prompt ────────────────────────────────────────────────────────────────────────────────

    @on(Prompt.Changed)
    def _typing(self) -> None:
        """Whoever writes where something happens may rely on the place that the prompt names."""
        self.story.fix_place(bool(self.prompt.value))
        self._label_prompt()
        if self.prompt.value not in ("", self._refused):
            # They lie over the prompt where the screen is small.
            self.clear_notifications()
        self._show_completions()

    def _show_completions(self) -> None:
        if self.prompt.value == self._refused:
            return
        found = completions(self.prompt.value, self.story, self.is_replay)
        ways = [line for line in found if line != self.prompt.value]
        begun = self.prompt.value.rpartition(" ")[0]
        ends = [line.removeprefix(begun).strip() for line in ways]
        shown = words.TAB_COMPLETES + "  ".join(ends) if ends else ""
        self.hint(cut(shown, self.size.width - 2))

    @on(Prompt.Submitted)
    def _submitted(self) -> None:
        text = self.prompt.value
        if not text.strip():
            self.call_later(self.run_action, "next_beat")
            return
        try:
            request = Reader(self.story, self.is_replay).read(text)
        except PromptError as error:
            self.refuse(text, error)
            return
        self.prompt.take()
        if not isinstance(request, ToTurn):
            self.follow_end()
        self._requested(request, text)

    def _requested(self, request: Request, text: str) -> None:
        match request:
            case SeeAs():
                self.see_as(request.viewpoint)
            case SpeakAs():
                self.story.speak_as(request.character)
                self.redraw_sides()
            case ToTurn():
                self.go_to_turn(request.turn)
            case Plain(name="help"):
                self.action_help()
            case Plain():
                self.exit(0)
            case _:
                self.carry_out(request, text)

    # ── choosing ──────────────────────────────────────────────────────────────────────────────

    @on(Sheet.Picked, "#transcript")
    def _line_picked(self, event: Sheet.Picked) -> None:
        self.story.chosen = event.key  # type: ignore[assignment]
        self._chosen()

    @on(Sheet.Picked, "#cast")
    def _person_picked(self, event: Sheet.Picked) -> None:
        self.select(CharacterId(str(event.key)))

    @on(Bar.Picked, "#cast-line")
    def _name_picked(self, event: Bar.Picked) -> None:
        self.select(CharacterId(event.key))

    @on(Sheet.Behind)
    def _counted_newer(self) -> None:
        self.newer.set_class(self.transcript.unseen > 0, "-behind")
        self.newer.refresh()

    @on(Bar.Picked, "#newer")
    def _newer_picked(self) -> None:
        self.action_follow()

    @on(Bar.Picked, "#keys")
    async def _key_picked(self, event: Bar.Picked) -> None:
        await self.run_action(event.key)

    @on(Bar.Picked, "#tabs")
    def _tab_picked(self, event: Bar.Picked) -> None:
        self.action_tab(event.key)

    @on(Sheet.Picked, "#inspector")
    def _fact_picked(self, event: Sheet.Picked) -> None:
        self.story.asked = event.key  # type: ignore[assignment]
        self._redraw_inspector()
        self.inspector.scroll_home(animate=False)

    def select(self, who: CharacterId) -> None:
        """Choose a character of the cast."""
        self.story.selected = who
        self.redraw_sides()

    def _chosen(self) -> None:
        self.transcript.choose(self.story.chosen)
        self._redraw_inspector()
        self.keys_bar.refresh()

    def see_as(self, viewpoint: Viewpoint) -> None:
        """Change the viewpoint; everything on screen follows, what was announced goes."""
        self.clear_notifications()
        self.hint("")
        spoke_as = self.story.speaking_as
        self.story.see_as(viewpoint)
        self.story.fix_place(bool(self.prompt.value))
        self.redraw()
        name = self.story.name(viewpoint) if viewpoint else ""
        hint = words.NOW_AS.format(name=name) if viewpoint else words.NOW_DIRECTOR
        if (speaks := self.story.speaking_as) and speaks != spoke_as:
            hint += words.NOW_SPEAKS_AS.format(name=self.story.name(speaks))
        self.hint(hint)

    # ── actions ───────────────────────────────────────────────────────────────────────────────

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what is not possible now."""
        if action == "prompt" and (len(self.screen_stack) > 1 or self.focused is self.prompt):
            return False
        if action == "highlights" and self.story.viewpoint is not None:
            return None  # they compare minds, which no character can
        known = BY_METHOD.get(action)
        if known is None or not self.is_running:
            return True
        return True if known.only_in in ("", self.mode) and self.can(action) else None

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every action of the table that is possible now."""
        for action in ACTIONS:
            method = action.method.partition("(")[0]
            if method != "command_palette" and self.check_action(method, ()):
                title = f"{action.noun}: {action.title}"
                yield SystemCommand(title, action.help, partial(self.run_action, action.method))
        yield SystemCommand("theme: choose", "Other colours.", self.action_change_theme)
        yield SystemCommand("screen: picture", "Save an SVG.", self.deliver_screenshot)

    def action_line_up(self) -> None:
        self.story.choose(-1)
        self._chosen()

    def action_line_down(self) -> None:
        self.story.choose(1)
        self._chosen()

    def step_back(self) -> None:
        """Leave the prompt, then the inspector where it covers the story, then the chosen line."""
        if self.focused is self.prompt:
            self.set_focus(self.transcript)
        elif self.is_inspecting and self.size.width < NARROW:
            self.action_inspector()
        else:
            self.action_follow()

    def action_follow(self) -> None:
        self.follow_end()

    def follow_end(self) -> None:
        """Leave the chosen line and go to the end, where new lines come."""
        self.story.chosen = None
        self._chosen()

    def action_next_character(self) -> None:
        self.story.select_next()
        self.redraw_sides()

    def action_inspector(self) -> None:
        self.screen_stack[0].toggle_class("-inspecting")
        if self.focused not in (self.transcript, self.prompt):
            self.transcript.focus()
        self.call_after_refresh(self.redraw_sides)

    def action_tab(self, tab: str) -> None:
        self._tab = tab
        if not self.is_inspecting:
            self.action_inspector()
        self._redraw_inspector()
        self.inspector.scroll_home(animate=False)

    def action_who_knows(self) -> None:
        """Open the matrix; where it is open, ask about the next fact."""
        is_open = self.is_inspecting and self._tab == "matrix"
        self.story.asked = next_asked(self.story) if is_open else None
        self.action_tab("matrix")

    def action_viewpoint(self) -> None:
        self.see_as(self.story.next_viewpoint())

    def action_prompt(self, text: str) -> None:
        # Not `focus()`: that comes after the next key of whoever types fast.
        self.set_focus(self.prompt)
        if text:
            self.prompt.set_text(text)

    def action_jump(self) -> None:
        self.action_prompt("/turn ")

    def action_help(self) -> None:
        self.push_screen(HelpScreen(self.settings.keys, self._connect_hint))

    def action_highlights(self) -> None:
        if self.story.viewpoint is None:
            self.push_screen(HighlightsScreen(self.story))

    def action_earlier(self) -> None:
        """Nothing, where there is no other turn to go to."""

    def action_later(self) -> None:
        """Nothing, where there is no other turn to go to."""

    def action_retake(self) -> None:
        """Nothing, where the story is read-only."""
