"""When pending memories are written: in a pause, and at the latest after so many beats or seconds."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

FLUSH_BEATS = 100
"""Beats after which pending memories are written at the latest. A write costs Chroma 14 ms of processor
and 30 ms by the clock for each shelf, however little it holds, and the journal has it all anyway."""
FLUSH_S = 2.0
"""Seconds after which they are, however few there are."""
CLOSE_S = 1.0
"""Seconds after a scene closed, where no pause comes before. Several scenes close at about the same time."""
PAUSE_S = 0.1
"""Seconds without a beat or a search that make a pause: somebody thinks, most likely a model."""


@dataclass
class Pace:
    """Tells from when on writing may begin. All times are seconds of one clock, that of the loop."""

    _beats: int = 0
    """How many are pending."""
    _last: float = -inf
    """When the last beat came or the last search was asked for."""
    _worth: float = inf
    """From when on so much is pending that a pause is used: half of what must be written at once."""
    _deadline: float = inf
    """When what is pending has to be written at the latest."""
    _writing: float | None = None
    """The deadline of what is being written. None: nothing is."""

    def beat(self, now: float, *, ends_scene: bool) -> None:
        """A beat put something into memories."""
        self._beats += 1
        self._last = now
        within = 0.0 if self._beats >= FLUSH_BEATS else CLOSE_S if ends_scene else FLUSH_S
        self._deadline = min(self._deadline, now + within)
        half = ends_scene or self._beats >= FLUSH_BEATS // 2
        self._worth = min(self._worth, now if half else now + FLUSH_S / 2)

    def search(self, now: float) -> None:
        """Somebody waits for an answer of the store."""
        self._last = now

    def press(self, now: float) -> None:
        """What is pending is to be written now."""
        self._deadline = min(self._deadline, now)

    def begin(self) -> None:
        """What is pending is being written; what comes from now on is pending anew."""
        self._writing = self._deadline
        self._beats, self._worth, self._deadline = 0, inf, inf

    def end(self) -> None:
        """All of it is on disk."""
        self._writing = None

    @property
    def start(self) -> float:
        """From when on writing may begin, or go on; infinity: there is nothing to write."""
        pause = self._last + PAUSE_S
        if self._writing is not None:
            return min(self._writing, pause)
        return min(self._deadline, max(self._worth, pause))
