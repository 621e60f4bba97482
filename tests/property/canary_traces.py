"""How moves came about, as it is shown: on the screen, in print and as JSON, to whom it may be shown."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field

from sandbox.agents.trace import Trace
from sandbox.cli.printing import Printer
from sandbox.engine.updates import BeatCommitted
from sandbox.story.ids import CharacterId
from sandbox.story.world import World
from sandbox.tui.inspecting import page
from sandbox.tui.state import StoryState, key_of
from tests.property.canary import Tracker
from tests.property.canary_mint import out_of_ids
from tests.property.canary_pages import text_of

_LINES = 6
"""Lines whose traces are looked at on the screen: the last ones."""


@dataclass
class Traces:
    """The traces of one sitting."""

    tracker: Tracker
    """For requests, as they were sent."""
    sides: Tracker
    """For what led there, which names whom and what a fact is about."""
    seen: int = 0
    """Traces that were looked at."""
    printed_own: int = 0
    """Printed to who made the move."""
    _made: list[tuple[str, Trace]] = field(default_factory=list)
    _printed: list[tuple[str, str]] = field(default_factory=list)
    _kept: StoryState | None = None

    def took(self, world: World, update: BeatCommitted) -> None:
        """A beat as it is committed: everybody has it printed, with traces."""
        self._kept = self._kept or StoryState(world)
        if update.beat.withdrawn_seqs:
            self._kept.take_back(world, update.beat.withdrawn_seqs)
        if update.trace is not None:
            self._made.append((out_of_ids(update.beat.mind), update.trace))
            self._kept.keep_trace(update.beat, update.trace)
        for id_ in world.percepts:
            self._print(world, update, id_)

    def _print(self, world: World, update: BeatCommitted, id_: CharacterId) -> None:
        for as_json in (False, True):
            out = io.StringIO()
            with redirect_stdout(out), redirect_stderr(out):
                Printer(id_, as_json=as_json, traces=True).beat(world, update)
            if text := out.getvalue():
                self._printed.append((out_of_ids(id_), text))
                self.printed_own += "request 1" in text or '"requests"' in text

    def check_made(self) -> None:
        """The traces of a round, against the state before it."""
        for who, trace in self._made:
            told = trace.as_json()
            sent = json.dumps(told.pop("requests"), ensure_ascii=False)
            self.tracker.check(who, sent, "in the requests of its trace")
            self.sides.check(who, json.dumps(told, ensure_ascii=False), "in its trace")
            self.seen += 1
        self._made.clear()

    def check_printed(self) -> None:
        """What was printed in a round, against the state after it."""
        for who, text in self._printed:
            self.sides.check(who, text, "in print")
        self._printed.clear()

    def check_page(self, world: World, id_: CharacterId) -> None:
        """The trace of each of the last lines, through one character's eyes."""
        if self._kept is None:
            return
        who = out_of_ids(id_)
        state = StoryState(world, traces=self._kept.traces)
        state.see_as(id_)
        for line in state.lines[-_LINES:]:
            state.chosen = key_of(line)
            self.sides.check(who, text_of(page(state, "trace")), "on the page of its trace")
