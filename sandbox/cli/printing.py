"""The transcript on stdout: committed beats only."""

from __future__ import annotations

import json
import sys

from sandbox.agents.trace import Trace
from sandbox.engine.updates import BeatCommitted
from sandbox.story.beats import Beat, Detail
from sandbox.story.events import GuardFound
from sandbox.story.ids import SceneId
from sandbox.story.viewpoint import Look, Shown, Viewpoint, clock_text, lines_of
from sandbox.story.world import World


class Printer:
    """Prints beats as text, or as JSON lines, from one viewpoint."""

    def __init__(self, viewpoint: Viewpoint, *, as_json: bool, traces: bool = False) -> None:
        """`traces`: also how each move came about, as far as the viewpoint may see it."""
        self.viewpoint = viewpoint
        self._as_json = as_json
        self._traces = traces
        self._scene: SceneId | None = None
        self._places: dict[SceneId, str] = {}
        """Where the scenes play whose opening was printed: a closed one has left the world."""

    def beat(self, world: World, update: BeatCommitted) -> None:
        """Print one beat, as far as the viewpoint took it in."""
        if self._as_json:
            self._json(world, update)
            return
        for line in lines_of(world, update.beat, self.viewpoint):
            self._text(world, line)
        if self.viewpoint is None:
            _tell_findings(update.beat)
        if trace := self._trace_of(update):
            print("\n".join(f"    | {line}" for line in trace.lines()))
        sys.stdout.flush()

    def _trace_of(self, update: BeatCommitted) -> Trace | None:
        return update.trace if self._traces and self.viewpoint in (None, update.beat.mind) else None

    def _json(self, world: World, update: BeatCommitted) -> None:
        if self.viewpoint is None:
            shown = update.beat.as_json()
        else:
            lines = list(lines_of(world, update.beat, self.viewpoint))
            if not lines:
                return
            shown = {"turn": update.beat.turn, "lines": [_plain(line) for line in lines]}
        if trace := self._trace_of(update):
            shown["trace"] = trace.as_json()
        print(json.dumps(shown, ensure_ascii=False), flush=True)

    def _text(self, world: World, line: Shown) -> None:
        if line.look is Look.SCENE:
            print(f"\n── {line.text} · {clock_text(line.clock)} ──")
            self._scene = line.scene
            if line.scene is not None:
                self._places[line.scene] = line.text
            return
        if self.viewpoint is None and line.scene != self._scene:
            # Several scenes play at once; a full header for each change would drown the lines.
            if line.scene is not None:
                print(f"[{self._places.get(line.scene) or _place_of(world, line)}]")
            self._scene = line.scene
        print(told(line))
        if self.viewpoint is None and (heard := heard_line(line)):
            print(f"    {heard}")


def _tell_findings(beat: Beat) -> None:
    """What the guard says of lines that were written for somebody; they stand all the same."""
    for happened in beat.events:
        found = happened.event
        if isinstance(found, GuardFound) and found.outcome == "shown":
            what = (
                f"turn {beat.turn}: the guard finds `{found.offence}` in a line of `{found.owner}`"
            )
            print(f"{what}: {found.sentence}", file=sys.stderr)


def _place_of(world: World, line: Shown) -> str:
    scene = world.scenes.get(line.scene) if line.scene else None
    return world.names(None)(scene.place) if scene else "…"


def told(line: Shown) -> str:
    """One line of a transcript."""
    if line.look is not Look.SPEECH:
        return f"({line.text})" if line.look is Look.THOUGHT else line.text
    to = f" → {', '.join(line.targets)}" if line.targets else ""
    how = " (whispers)" if line.whispered else ""
    return f"{line.speaker}{to}{how}: {line.text}"


def heard_line(line: Shown) -> str:
    """Who else took a speech in: heard, overheard next door, or only that it happened."""
    if line.look is not Look.SPEECH or not line.heard:
        return ""
    heard = [h.name for h in line.heard if h.detail is Detail.FULL and not h.from_next_door]
    over = [h.name for h in line.heard if h.detail is Detail.FULL and h.from_next_door]
    # A voice through a shut door, without its words, says little on every line.
    only = [h.name for h in line.heard if h.detail is Detail.THAT and not h.from_next_door]
    parts = [("heard", heard), ("overheard", over), ("without the words", only)]
    return " · ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)


def _plain(line: Shown) -> dict[str, object]:
    return {
        "kind": line.look.value,
        "speaker": line.speaker,
        "to": list(line.targets),
        "whispered": line.whispered,
        "text": line.text,
        "clock": clock_text(line.clock),
    }
