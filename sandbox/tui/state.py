"""What the screen shows, as a function of a world and a viewpoint. Knows no widget."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from sandbox.agents.trace import Trace
from sandbox.story.beats import Beat, Happened
from sandbox.story.events import Narrated
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, PlaceId, SceneId
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import Look, Shown, Viewpoint, lines_of, transcript
from sandbox.story.withdrawing import index_of
from sandbox.story.world import World
from sandbox.tui.last_seen import LastSeen

_TRACES = 200
"""Moves whose traces are kept: each holds a whole request, some 8 KB."""

LineKey = tuple[int, int]
"""Journal line and number of the event in it: names a line for good."""


def key_of(line: Shown) -> LineKey:
    return (line.seq, line.index)


@dataclass
class StoryState:
    """What is shown and chosen. Everything comes through the viewpoint."""

    world: World
    viewpoint: Viewpoint = None
    speaking_as: CharacterId | None = None
    """Whom the prompt speaks for. None: it narrates."""
    asked_to_speak_as: CharacterId | None = None
    """Whom the person chose to speak for; through other eyes it speaks for those."""
    fixed_place: PlaceId | None = None
    """Where a narration that is being typed will happen. None: nothing is being typed."""
    selected: CharacterId | None = None
    """The character chosen in the cast."""
    asked: Proposition | None = None
    """The fact that is asked about. None: what the inspected line taught, else what was learned last."""
    chosen: LineKey | None = None
    """The line under the block cursor. None: the screen follows the story."""
    lines: list[Shown] = field(default_factory=list)
    drafts: dict[CharacterId, str] = field(default_factory=dict)
    """What is about to be said; the director's alone."""
    scenes: dict[SceneId, tuple[str, int]] = field(default_factory=dict)
    """Place and number of the scenes the director saw open."""
    traces: dict[int, tuple[CharacterId, Trace]] = field(default_factory=dict)
    """How the latest moves came about, by journal line; of this sitting only."""
    last_seen: LastSeen = field(init=False)
    """Everybody the viewpoint noticed in play, with where it saw or heard them last."""

    def __post_init__(self) -> None:
        self.show(self.world)

    # ── the story ─────────────────────────────────────────────────────────────────────────────

    def show(self, world: World) -> None:
        """Show another world, or the same one anew, as after a rewind."""
        self.world = world
        self.scenes.clear()
        self.drafts.clear()
        self.last_seen = LastSeen(world, self.viewpoint)
        self.lines = list(transcript(world, self.viewpoint))
        self._note_scenes(self.lines)
        if self.chosen_index is None:
            self.chosen = None

    def take_back(self, world: World, withdrawn: Collection[int]) -> None:
        """Show a world without some journal lines.

        How later moves came about goes with them: the requests of those may hold what was taken back.
        """
        first = min(withdrawn)
        self.traces = {seq: made for seq, made in self.traces.items() if seq < first}
        self.show(world)

    def add(self, beat: Beat) -> list[Shown]:
        """The lines that a beat adds; none where the viewpoint perceived nothing of it."""
        added = list(lines_of(self.world, beat, self.viewpoint))
        self.lines += added
        self._note_scenes(added)
        return added

    def keep_trace(self, beat: Beat, trace: Trace) -> None:
        """Keep how a move came about; the oldest is let go."""
        self.traces[beat.seq] = (CharacterId(beat.mind), trace)
        if len(self.traces) > _TRACES:
            del self.traces[next(iter(self.traces))]

    @property
    def inspected_trace(self) -> Trace | None:
        """Of the inspected line's move; through a character's eyes only its own."""
        line = self.inspected_line
        mind, trace = self.traces.get(line.seq, (None, None)) if line else (None, None)
        return trace if self.viewpoint in (None, mind) else None

    def draft(self, who: CharacterId, text: str) -> None:
        """A sentence more of what is about to be said."""
        between = " " if self.world.canon.language == "en" else ""
        begun = self.drafts.get(who)
        self.drafts[who] = f"{begun}{between}{text}" if begun else text

    def _note_scenes(self, lines: Sequence[Shown]) -> None:
        if self.viewpoint is not None:
            return
        for line in lines:
            if line.look is Look.SCENE and line.scene is not None:
                event = self.happened(key_of(line)).event
                self.scenes[line.scene] = (line.text, getattr(event, "number", 0))

    def happened(self, key: LineKey) -> Happened:
        """The event of a line, with its witnesses. For the director alone."""
        assert self.viewpoint is None, "a character's view has no witnesses but those it noticed"
        seq, index = key
        at = index_of(self.world.beats, seq, lambda beat: beat.seq)
        assert at is not None, "a line that is shown is in the story"
        return self.world.beats[at].events[index]

    @property
    def turn(self) -> int:
        """The turn it is, as far as the viewpoint can tell."""
        if self.viewpoint is None:
            return self.world.turn
        return self.lines[-1].turn if self.lines else 0

    # ── viewpoint and selection ───────────────────────────────────────────────────────────────

    def see_as(self, viewpoint: Viewpoint) -> None:
        """Change the viewpoint; from a character's, only that one can be spoken for."""
        if self.viewpoint is None:
            self.asked_to_speak_as = self.speaking_as
        self.viewpoint = viewpoint
        self.fixed_place = None
        if viewpoint is not None:
            self.selected = viewpoint
        if self.asked_to_speak_as is not None:
            self.speaking_as = viewpoint or self.asked_to_speak_as
        self.show(self.world)

    def speak_as(self, who: CharacterId | None) -> None:
        """Let the prompt speak for somebody; None: narrate."""
        self.speaking_as = self.asked_to_speak_as = who
        self.fixed_place = None

    @property
    def own(self) -> CharacterId | None:
        """Who acts where a command names nobody: whose eyes are used, or who is spoken for."""
        return self.viewpoint or self.speaking_as

    def viewpoints(self) -> list[Viewpoint]:
        """The director and, after it, the cast."""
        return [None, *sorted(self.world.stage.place_of)]

    def next_viewpoint(self) -> Viewpoint:
        order = self.viewpoints()
        return order[(order.index(self.viewpoint) + 1) % len(order)]

    @property
    def view(self) -> CharacterView | None:
        """The view of the character whose eyes are used."""
        return CharacterView(self.world, self.viewpoint) if self.viewpoint else None

    def name(self, id_: str) -> str:
        """What the viewpoint calls somebody or something."""
        return self.world.names(self.viewpoint)(id_)

    @property
    def chosen_index(self) -> int | None:
        if self.chosen is None:
            return None
        return index_of(self.lines, self.chosen, key_of)

    @property
    def chosen_line(self) -> Shown | None:
        at = self.chosen_index
        return None if at is None else self.lines[at]

    @property
    def inspected_line(self) -> Shown | None:
        """The chosen line, else the newest."""
        return self.chosen_line or (self.lines[-1] if self.lines else None)

    @property
    def inspected(self) -> CharacterId | None:
        """Whose eyes are used, who is chosen in the cast, else who acts in the inspected line."""
        if who := self.viewpoint or self.selected:
            return who
        at = self.chosen_index
        before = self.lines if at is None else self.lines[: at + 1]
        return next((line.speaker_id for line in reversed(before) if line.speaker_id), None)

    def choose(self, step: int) -> None:
        """Move the block cursor; it enters at the last line."""
        if not self.lines:
            return
        at = self.chosen_index
        wanted = len(self.lines) - 1 if at is None else at + step
        self.chosen = key_of(self.lines[max(0, min(wanted, len(self.lines) - 1))])

    def choose_turn(self, turn: int) -> bool:
        """Choose the first line of a turn, or of the next one that is shown."""
        for line in self.lines:
            if line.turn >= turn:
                self.chosen = key_of(line)
                return True
        return False

    def select_next(self) -> None:
        """Choose the next character among those the viewpoint sees."""
        order = [who for who, _ in self.people()]
        if not order:
            return
        at = order.index(self.selected) + 1 if self.selected in order else 0
        self.selected = order[at % len(order)]

    # ── whom and what the viewpoint can name ──────────────────────────────────────────────────

    def people(self) -> list[tuple[CharacterId, tuple[str, ...]]]:
        """Those the viewpoint can speak of now, with their names: (id, names)."""
        canon, view = self.world.canon, self.view
        if view is None:
            everybody = sorted(self.world.stage.place_of)
            return [(who, (*canon.names[who], who)) for who in everybody]
        own = (view.me, (*canon.names[view.me], view.me))
        strangers = view.names.strangers
        return [own, *((p.id, self._called(p.id, p.called, strangers)) for p in view.people)]

    def _called(
        self, who: CharacterId, called: str, strangers: frozenset[CharacterId]
    ) -> tuple[str, ...]:
        return (called,) if who in strangers else self.world.canon.names[who]

    def places(self) -> list[tuple[PlaceId, tuple[str, ...]]]:
        """The places the viewpoint can name: all, or where it is and the ways out of there."""
        canon, view = self.world.canon, self.view
        if view is None:
            return [(place, (*canon.names[place], place)) for place in canon.places_by_id]
        here = (view.place, (view.names(view.place),))
        return [here, *((e.place, (e.called,)) for e in view.exits)]

    def ways_of(self, who: CharacterId) -> list[tuple[PlaceId, tuple[str, ...]]]:
        """The neighbours of the place where somebody is whom the viewpoint sees."""
        stage = self.world.stage
        near = [place for place, _, _ in stage.exits(stage.place_of[who])]
        return [(place, (self.name(place),)) for place in near]

    @property
    def here(self) -> PlaceId | None:
        """Where a person's narration happens: where the viewpoint is, or where it played last.

        It stays what it was when the person began to type.
        """
        return self.fixed_place or self._here_now()

    def _here_now(self) -> PlaceId | None:
        stage = self.world.stage
        if self.viewpoint is not None:
            return stage.place_of[self.viewpoint] or None
        if self.speaking_as is not None:
            return stage.place_of[self.speaking_as] or None
        played = (place for beat in reversed(self.world.beats) for place in self._places_of(beat))
        return next(played, None) or self._fullest()

    def fix_place(self, is_typing: bool) -> None:
        """Keep the place of the narration while it is being typed."""
        self.fixed_place = self.here if is_typing else None

    def _places_of(self, beat: Beat) -> Iterator[PlaceId]:
        for happened in reversed(beat.events):
            event = happened.event
            if isinstance(event, Narrated) and event.place:
                yield event.place
            elif place := self.world.stage.place_of.get(getattr(event, "actor", CharacterId(""))):
                yield place

    def _fullest(self) -> PlaceId | None:
        """Before the first beat: where most people are."""
        where = [place for place in self.world.stage.place_of.values() if place]
        return max(sorted(set(where)), key=where.count, default=None)
