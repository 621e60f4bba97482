"""The fold: canon and beats make the world."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from sandbox.story import events
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon, CanonScene
from sandbox.story.canon_grants import grant_canon
from sandbox.story.events import actor_of
from sandbox.story.facts import Source, fact_of_canon
from sandbox.story.first_stage import stage_at
from sandbox.story.granting import Granting
from sandbox.story.ids import CharacterId, FactId, PatternId, PlaceId, SceneId
from sandbox.story.patterns import GrownPattern
from sandbox.story.percept_log import PerceptLog, Taken
from sandbox.story.percepts import Episode
from sandbox.story.withdrawing import surviving as surviving
from sandbox.story.world import Counts, Gained, MoodTurn, Scene, World


class Fold:
    """Owns one mutable state, to which beats are applied; `world` shows it read-only."""

    def __init__(self, canon: Canon, start: SceneId) -> None:
        self._stage = stage_at(canon, start)
        everybody = sorted(self._stage.place_of)
        self._granting = Granting(canon, self._stage)
        self._granting.grants |= {c: {} for c in everybody}
        self._granting.propositions |= {c: {} for c in everybody}
        self._scenes: dict[SceneId, Scene] = {}
        self._log = PerceptLog(everybody)
        self._episodes: dict[CharacterId, list[Episode]] = {c: [] for c in everybody}
        self._grown: dict[CharacterId, list[GrownPattern]] = {c: [] for c in everybody}
        self._last_pattern: dict[CharacterId, PatternId] = {}
        self._moods: dict[CharacterId, str] = {}
        self._mood_turns: dict[CharacterId, list[MoodTurn]] = {c: [] for c in everybody}
        self._been: dict[CharacterId, set[PlaceId]] = {
            c: {place, canon.cast[c].home} for c, place in self._stage.place_of.items()
        }
        self._last_acted: dict[CharacterId, int] = dict.fromkeys(everybody, 0)
        self._fired: set[str] = set()
        self._beats: list[Beat] = []
        self._counts = Counts()
        self.world = World(
            canon,
            start,
            self._stage,
            MappingProxyType(self._scenes),
            MappingProxyType(self._granting.facts),
            MappingProxyType(self._granting.grants),
            MappingProxyType(self._granting.propositions),
            MappingProxyType(self._granting.evidence),
            MappingProxyType(self._granting.about),
            MappingProxyType(self._log.of),
            MappingProxyType(self._episodes),
            MappingProxyType(self._grown),
            MappingProxyType(self._last_pattern),
            MappingProxyType(self._moods),
            MappingProxyType(self._mood_turns),
            MappingProxyType(self._granting.strangers),
            MappingProxyType(self._been),
            MappingProxyType(self._last_acted),
            self._fired,
            self._beats,
            self._counts,
        )
        self._begin(canon, start)

    def _begin(self, canon: Canon, start: SceneId) -> None:
        """State at the start point: the canon folded up to it; nothing later is loaded."""
        for who in self._stage.place_of:
            person = canon.cast[who]
            moods = canon.at(person.mood, start)
            self._moods[who] = moods[-1] if moods else ""
            hidden = (c for c in canon.cast if c != who and not _named(canon, c, who))
            self._granting.strangers[who] = frozenset(hidden)
        self._counts.clock = canon.opening_clock(start)
        order = canon.scene_order
        for item in canon.facts:
            begins = item.scene or item.from_
            if (begins is None or order[begins] <= order[start]) and canon.holds(item, start):
                fact = fact_of_canon(item, canon)
                self._granting.facts[FactId(item.id)] = fact
        grant_canon(self._granting, start)
        self._granting.new = []
        for scene in canon.scenes_until(start):
            self._remember(scene)

    def _remember(self, scene: CanonScene) -> None:
        for who, text in sorted(scene.episodes.items()):
            if who in self._episodes:
                self._been[who].add(scene.place)
                id_ = f"canon:{scene.id}:{who}"
                self._episodes[who].append(Episode(who, id_, scene.id, text, turn=0, seq=0))

    def apply(self, beat: Beat) -> Gained:
        """Take one beat into the world.

        Reads the witnesses written into it and never recomputes them.
        """
        self._granting.new = []
        taken: list[Taken] = []
        episodes, patterns = list[Episode](), list[GrownPattern]()
        self._counts.seq = max(self._counts.seq, beat.seq)
        self._counts.round = max(self._counts.round, beat.round)
        if beat.is_story:
            # A line that takes back stands at the end, wherever in the story that was.
            self._counts.turn, self._counts.clock = beat.turn, beat.clock
            self._beats.append(beat)
        for index, happened in enumerate(beat.events):
            event = happened.event
            if isinstance(event, events.EpisodeWritten):
                episodes.append(self._written(beat, index, event))
            elif isinstance(event, events.PatternGrown):
                patterns.append(self._took_on(beat, index, event))
            elif happened.witnesses:
                places, strangers = self._stage.place_of, self._granting.strangers
                taken.append(self._log.take(beat, index, places, strangers))
            self._granting.take(happened, Source(beat.scene, beat, index))
            self._follow(beat, index, event)
            self._stage.apply(event)
        if beat.scene in self._scenes:
            self._scenes[beat.scene].beats.append(beat)
        if beat.pattern is not None:
            self._last_pattern[CharacterId(beat.mind)] = beat.pattern
        return Gained(taken, self._granting.new, episodes, patterns)

    def _written(self, beat: Beat, index: int, event: events.EpisodeWritten) -> Episode:
        id_ = beat.event_id(index)
        episode = Episode(event.owner, id_, event.scene, event.text, beat.turn, beat.seq)
        self._episodes[event.owner].append(episode)
        return episode

    def _took_on(self, beat: Beat, index: int, event: events.PatternGrown) -> GrownPattern:
        pattern = GrownPattern.of(beat, index, event)
        self._grown[event.owner].append(pattern)
        return pattern

    def _follow(self, beat: Beat, index: int, event: events.Event) -> None:
        """What an event changes beside stage and grants."""
        match event:
            case events.SceneOpened():
                scene = Scene(event.scene, event.place, event.number, beat.turn)
                self._scenes[event.scene] = scene
                self._counts.scenes = max(self._counts.scenes, event.number)
            case events.SceneClosed():
                self._scenes.pop(event.scene, None)
            case events.MoodTurned():
                before = self._moods[event.actor]
                turn = MoodTurn(before, event.mood, beat.turn, beat.seq, index)
                self._mood_turns[event.actor].append(turn)
                self._moods[event.actor] = event.mood
            case events.Entered():
                for who in (event.actor, *event.alongside):
                    self._been[who].add(event.place)
            case events.Narrated() if event.prepared is not None:
                self._fired.add(event.prepared)
            case events.GuardFound() if event.outcome == "cut":
                # It had its turn, though perhaps nothing is left of what it said.
                self._last_acted[event.owner] = beat.turn
            case _:
                pass
        actor = actor_of(event)
        if actor is not None:
            self._last_acted[actor] = beat.turn


def _named(canon: Canon, person: CharacterId, by: CharacterId) -> bool:
    known_to = canon.cast[person].name_known_to
    return known_to is None or by in known_to


def fold(canon: Canon, start: SceneId, beats: Iterable[Beat]) -> Fold:
    """The fold of `beats`, withdrawn ones left out."""
    folding = Fold(canon, start)
    for beat in surviving(beats):
        folding.apply(beat)
    return folding
