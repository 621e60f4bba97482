"""Watching: a save turn by turn, read-only. A character's viewpoint goes from percept to percept."""

from __future__ import annotations

from textual.timer import Timer

from sandbox.engine.playback import Playback
from sandbox.errors import SandboxError
from sandbox.settings import Settings
from sandbox.tui import words
from sandbox.tui.actions import BY_METHOD, key_shown
from sandbox.tui.app import StoryApp
from sandbox.tui.prompting import Request
from sandbox.tui.state import StoryState
from sandbox.tui.status import Status, turn_text


class WatchApp(StoryApp):
    """A playback on screen."""

    mode = "replay"

    def __init__(self, playback: Playback, settings: Settings) -> None:
        super().__init__(StoryState(playback.world), settings)
        self.playback = playback
        self._timer: Timer | None = None

    def begin(self) -> None:
        self.hint(self._with_keys(words.REPLAY_OPENED))

    def _with_keys(self, text: str) -> str:
        earlier, jump = (
            key_shown(BY_METHOD[method], self.settings.keys).partition(",")[0]
            for method in ("earlier", "jump")
        )
        turn = turn_text(self.story, self.status())
        return text.format(turn=turn, earlier=earlier, jump=jump)

    @property
    def is_playing(self) -> bool:
        return self._timer is not None

    def status(self) -> Status:
        activity = words.PLAYING if self.is_playing else ""
        return Status(activity=activity, last_turn=self.playback.last_turn)

    def can(self, method: str) -> bool:
        if method == "earlier":
            return self.playback.turn > 0
        return True

    # ── turns ─────────────────────────────────────────────────────────────────────────────────

    def go_to_turn(self, turn: int) -> None:
        self.follow_end()
        self.hint("")
        was = self.playback.turn
        try:
            world = self.playback.jump(turn)
        except SandboxError as error:
            self.hint(str(error), is_wrong=True)
            return
        if turn < was:
            self.story.show(world)
            self.redraw()
        else:
            self._shown_up_to(was)

    def _shown_up_to(self, was: int) -> None:
        beats = [beat for beat in self.story.world.beats if beat.turn > was]
        added = [line for beat in beats for line in self.story.add(beat)]
        if added:
            self.redraw_added(added)
        else:
            self.redraw_sides()

    def _later(self) -> bool:
        """The next turn of which the viewpoint has anything. False: there is none."""
        was, lines = self.playback.turn, len(self.story.lines)
        while self.playback.turn < self.playback.last_turn:
            before = self.playback.turn
            self.playback.jump(before + 1)
            for beat in self.story.world.beats:
                if beat.turn > before:
                    self.story.add(beat)
            if len(self.story.lines) > lines:
                break
        if added := self.story.lines[lines:]:
            self.redraw_added(added)
        else:
            self.redraw_sides()
        return self.playback.turn > was and len(self.story.lines) > lines

    def _earlier_turn(self) -> int:
        """The turn before this one, as the viewpoint counts them."""
        if self.story.viewpoint is None:
            return self.playback.turn - 1
        earlier = [line.turn for line in self.story.lines if line.turn < self.story.turn]
        return earlier[-1] if earlier else 0

    # ── actions ───────────────────────────────────────────────────────────────────────────────

    def action_later(self) -> None:
        self.follow_end()
        self.hint("")
        if not self._later():
            self.hint(self._with_keys(words.END_OF_REPLAY))

    def action_next_beat(self) -> None:
        self.action_later()

    def action_earlier(self) -> None:
        if self.playback.turn <= 0:
            self.hint(words.START_OF_REPLAY)
            return
        self.go_to_turn(self._earlier_turn())

    def action_play(self) -> None:
        if self._timer is not None:
            self._pause()
        else:
            pace = 60 / self.settings.screen.beats_per_minute
            self._timer = self.set_interval(pace, self._tick)
        self.redraw_title()

    def _tick(self) -> None:
        if not self._later():
            self._pause()
            self.hint(self._with_keys(words.END_OF_REPLAY))

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.redraw_sides()

    def action_stop(self) -> None:
        if self.is_playing:
            self._pause()
        else:
            self.step_back()

    def action_rewind(self) -> None:
        """Nothing: a replay is read-only."""

    def action_edit(self) -> None:
        """Nothing: a replay is read-only."""

    def action_retract(self) -> None:
        """Nothing: a replay is read-only."""

    def carry_out(self, request: Request, text: str) -> None:
        """Refuse: the prompt has said so already."""
        self.hint(words.READ_ONLY, is_wrong=True)
