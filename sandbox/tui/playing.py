"""Playing: beats come from a session, and what a person orders takes effect between them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass

from textual import work
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from sandbox.engine.branching import branch_edited
from sandbox.engine.session import Session
from sandbox.errors import SandboxError, StageError
from sandbox.settings import Settings
from sandbox.story.commands import Command, Edit, Retake, Retract, Rewind
from sandbox.story.viewpoint import Viewpoint
from sandbox.tui import words
from sandbox.tui.actions import BY_METHOD
from sandbox.tui.called import in_names
from sandbox.tui.prompting import Plain, Request, SeeAs, SpeakAs, ToTurn
from sandbox.tui.receiving import SessionApp
from sandbox.tui.screens import ChoiceScreen, ConfirmScreen
from sandbox.tui.status import REHEARSAL


@dataclass(frozen=True)
class _Order:
    """A command that waits for the beat in progress."""

    command: Command
    text: str
    """As typed; goes back to the prompt where the command fails. Empty: by a key."""


class PlayApp(SessionApp):
    """A session on screen. It starts the session and closes it, however the app ends."""

    def __init__(self, session: Session, settings: Settings, connect_hint: str = "") -> None:
        super().__init__(session, settings, connect_hint)
        self._orders: list[_Order] = []
        self._nudge = asyncio.Event()
        self._running_beats: Worker[None] | None = None
        self._is_open = False
        self.closing_error: SandboxError | None = None
        """What went wrong when the save was closed; the journal has everything."""

    def begin_as(self, viewpoint: Viewpoint) -> None:
        super().begin_as(viewpoint)
        if viewpoint in self.session.casting.held:
            self.story.speaking_as = viewpoint

    def begin(self) -> None:
        self.session.start()
        self._is_open = True
        if self.session.was_torn:
            self.notice(words.TORN, self.title)

    async def on_unmount(self) -> None:
        """Stop the beat in progress, then write everything. What goes wrong is for after the screen."""
        self._orders.clear()
        if self._running_beats is not None:
            self._running_beats.cancel()
            with suppress(WorkerCancelled, WorkerFailed):
                await self._running_beats.wait()
        if self._is_open:
            self._is_open = False
            try:
                await self.session.close()
            except SandboxError as error:
                self.closing_error = error

    def can(self, method: str) -> bool:
        match method:
            case "next_beat" | "retake":
                return not self.is_busy
            case "edit" | "retract":
                return self.story.chosen_line is not None
            case "rewind":
                line = self.story.chosen_line
                return line is not None and line.turn < self.story.turn
            case _:
                return True

    # ── beats ─────────────────────────────────────────────────────────────────────────────────

    def action_next_beat(self) -> None:
        self.clear_notifications()
        self.follow_end()
        if self.is_playing:
            self._nudge.set()
        elif not self.is_busy:
            self._running_beats = self._run_beats()

    def action_play(self) -> None:
        self.follow_end()
        self.is_playing = not self.is_playing
        self._nudge.set()
        if self.is_playing and not self.is_busy:
            self._running_beats = self._run_beats()
        self.redraw_title()

    @work(exclusive=True, group="beats")
    async def _run_beats(self) -> None:
        """One beat and, while the story plays, the next ones at the pace that is set."""
        try:
            while await self._round() and await self._rested():
                self._carry_out_orders()
        finally:
            self._carry_out_orders()
            self.redraw_sides()

    async def _rested(self) -> bool:
        """Wait as long as the pace asks. False where the story does not play on by itself."""
        self._carry_out_orders()
        if self.is_playing:
            self._nudge.clear()
            with suppress(TimeoutError):
                pace = 60 / self.settings.screen.beats_per_minute
                await asyncio.wait_for(self._nudge.wait(), pace)
        return self.is_playing

    async def _round(self) -> bool:
        """One round, shown as it comes. False where nothing more can be played for now."""
        self.is_busy = True
        self._begin_round()
        outcomes = []
        try:
            async with aclosing(self.session.advance(self._limit)) as updates:
                async for update in updates:
                    outcomes.append(self._take(update))
        except SandboxError as error:
            self._failed("next_beat", str(error))
            outcomes.append(False)
        finally:
            self._end_round()
        if not outcomes:
            self._failed("next_beat", words.NOBODY_ACTS)
        return bool(outcomes) and all(outcomes)

    @property
    def _limit(self) -> int | None:
        """A beat at a time; but a story that plays on with a model has whole rounds decide at once."""
        return None if self.is_playing and self.session.casting.default.name != REHEARSAL else 1

    def _end_round(self) -> None:
        self.is_busy = False
        self._deciding = ""
        self.story.drafts.clear()
        self.redraw_drafts()

    # ── orders ────────────────────────────────────────────────────────────────────────────────

    def carry_out(self, request: Request, text: str) -> None:
        assert not isinstance(request, SeeAs | SpeakAs | ToTurn | Plain)
        if isinstance(request, Edit):
            self._edit(request, text)
        else:
            self.order(request, text)

    def order(self, command: Command, text: str = "") -> None:
        """Carry out a command now, or as soon as the beat in progress is over."""
        self._orders.append(_Order(command, text))
        if self.is_busy:
            self.hint(words.AFTER_THIS_BEAT)
        else:
            self._carry_out_orders()

    def _carry_out_orders(self) -> None:
        orders, self._orders = self._orders, []
        for order in orders:
            self._carry_out(order)

    def _carry_out(self, order: _Order) -> None:
        try:
            self._check(order.command)
            updates = self.session.command(order.command)
        except SandboxError as error:
            self._sent_back(order, error)
            return
        for update in updates:
            self._take(update)
        self.redraw_sides()
        if isinstance(order.command, Retake) and not self.is_playing:
            self.call_later(self.action_next_beat)

    def _check(self, command: Command) -> None:
        """Say it in terms of what is shown: the viewpoint's turn, not the story's."""
        now = self.story.turn
        if isinstance(command, Rewind) and command.turn >= now:
            raise SandboxError(words.NOTHING_TO_REWIND.format(now=now, turn=command.turn))

    def _sent_back(self, order: _Order, error: SandboxError) -> None:
        """What was typed goes back into the prompt, unless something else stands there by now."""
        command = order.command
        if isinstance(command, Edit | Retract) and self.story.viewpoint is not None:
            # What rests on it may be what the viewpoint never saw.
            before = command.turn - 1
            error = StageError(words.RESTS_ON_IT.format(turn=command.turn, before=before))
        if order.text:
            self.refuse(order.text, SandboxError(in_names(str(error), self.story)))
        else:
            self._failed(order.command.kind, str(error))

    # ── actions ───────────────────────────────────────────────────────────────────────────────

    def action_stop(self) -> None:
        """Stop the beat in progress; with none, leave the prompt, then the inspector, then the line."""
        if self.is_busy and self._running_beats is not None:
            self.is_playing = False
            self._running_beats.cancel()
            self.hint(words.STOPPED)
        elif self.is_playing:
            self.action_play()
        else:
            self.step_back()

    def action_retake(self) -> None:
        self.order(Retake())

    @work
    async def action_rewind(self) -> None:
        if (line := self.story.chosen_line) is not None:
            question = words.CONFIRM_REWIND.format(turn=line.turn)
            if await self.push_screen_wait(ConfirmScreen(question)):
                self.order(Rewind(turn=line.turn))

    def action_edit(self) -> None:
        """The chosen line goes into the prompt, to be changed there."""
        if (line := self.story.chosen_line) is not None:
            self.action_prompt(f"/edit {line.turn}: {line.text}")

    @work
    async def _edit(self, edit: Edit, text: str) -> None:
        """Ask what is to become of what followed, then change the line here or in a branch."""
        answer = await self.push_screen_wait(ChoiceScreen(words.ASK_EDIT.format(turn=edit.turn)))
        if answer == "keep":
            self.order(edit, text)
        elif answer == "branch":
            self._branch(edit, text)
        else:
            self.prompt.set_text(text)

    def _branch(self, edit: Edit, text: str) -> None:
        save, number = self.session.save, 1
        while (folder := save.folder.with_name(f"{save.name}-t{edit.turn}-{number}")).exists():
            number += 1
        try:
            branch_edited(save, edit.turn, edit.words, folder)
        except SandboxError as error:
            self.refuse(text, SandboxError(in_names(str(error), self.story)))
            return
        self.notice(words.BRANCHED.format(name=folder.name), BY_METHOD["edit"].title)

    @work
    async def action_retract(self) -> None:
        if (line := self.story.chosen_line) is not None:
            question = words.CONFIRM_RETRACT.format(turn=line.turn)
            if await self.push_screen_wait(ConfirmScreen(question)):
                self.order(Retract(turn=line.turn))

    def go_to_turn(self, turn: int) -> None:
        if self.story.choose_turn(turn):
            self._chosen()
        else:
            self.hint(words.NO_TURN.format(text=turn, last=self.story.turn), is_wrong=True)
