"""Who may take an event in, by where everybody is and what stands between them.

Nothing here is taken from `sandbox`: the rules are those of docs/perception.md, told again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.property.canary_plan import Json
from tests.property.canary_world import CanaryWorld


class Leak(AssertionError):
    """Somebody was given what it may not hold."""


@dataclass
class State:
    """Where everybody and everything is, by the journal."""

    place: dict[str, str]
    thing_at: dict[str, str]
    doors: dict[frozenset[str], str]
    away: set[str] = field(default_factory=set)
    """Asleep or dead."""
    hidden: set[str] = field(default_factory=set)
    names_known: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    masks: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    members: dict[str, set[str]] = field(default_factory=dict)
    shared: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    """What each organisation was told: claims, and facts as `{"fact": id}`."""
    letters: dict[str, Json] = field(default_factory=dict)
    spying: dict[str, str] = field(default_factory=dict)
    concealed: set[str] = field(default_factory=set)
    deaf: set[str] = field(default_factory=set)
    blind: set[str] = field(default_factory=set)
    distracted: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)

    def seen_as(self, who: str, by: str) -> str:
        mask, through = self.masks.get(who, (who, frozenset[str]()))
        return who if by == who or by in through else mask


SENSES = {
    "distracted": ("distracted", True),
    "attentive": ("distracted", False),
    "deafened": ("deaf", True),
    "hearing": ("deaf", False),
    "blinded": ("blind", True),
    "seeing": ("blind", False),
}
_SILENT = (
    "acted", "left", "thing_changed", "thing_found", "message_sent", "message_read", "disguised",
    "state_turned",
)  # fmt: skip
_BY_SIGHT = (
    "acted", "entered", "left", "thing_changed", "thing_found", "things_seen", "disguised",
    "message_sent", "message_read", "state_turned",
)  # fmt: skip
_PRIVATE = (
    "thought", "mood_turned", "travelled", "spied", "announced", "fact_granted", "episode_written",
    "pattern_grown", "belief_inferred", "guard_found", "commanded", "withdrawn", "stage_set",
    "message_sent", "message_read", "membership_changed",
)  # fmt: skip
"""What no spy on a place sees happen there in full."""
INWARD = ("episode_written", "pattern_grown", "belief_inferred")
"""What is its owner's alone, and rests on what that one held."""


class Perceiving:
    """Follows where everybody is, and says who may witness what."""

    def __init__(self, world: CanaryWorld, start: str) -> None:
        self._world = world
        self._plan = world.plan
        self._start = self._plan.scenes.index(start)
        self.held: dict[str, set[str]] = {}

    def _begun(self, item: Json, at: int | None = None) -> bool:
        """Whether an item holds at a canon scene: by default at the start point."""
        now, scenes = self._start if at is None else at, self._plan.scenes
        begun = "from" not in item or scenes.index(item["from"]) <= now
        return begun and ("until" not in item or now < scenes.index(item["until"]))

    def _links(self) -> Iterator[Json]:
        """The ways that are there: they and both their places hold."""
        places = self._plan.places
        for link in self._plan.links:
            if all(self._begun(item) for item in (link, *(places[p] for p in link["between"]))):
                yield link

    def _give(self, who: str, given: Iterable[str]) -> None:
        self.held[who].update(given)

    def _may_witness(self, state: State, event: Json) -> tuple[set[str], set[str]]:
        """Who may take an event in fully, and who may know that it happened."""
        full, that = self._reached(state, event)
        kind, actor = event["kind"], str(event.get("actor"))
        is_unseen = kind in _SILENT and actor in state.hidden and event.get("state") != "found"
        full |= set() if kind in _PRIVATE or is_unseen else self._spies(state, event)
        own = {actor, str(event.get("owner")), *(event["to"] if kind == "fact_granted" else ())}
        dull = set(state.distracted)
        dull |= state.deaf if kind in ("line_spoken", "whispered") else set()
        dull |= state.blind if kind in _BY_SIGHT else set()
        if event.get("language"):
            dull |= {who for who in self._plan.cast if who not in self._plan.tongues}
        lost = (full & dull) - own
        return full - lost, (that | lost) - (state.distracted - own)

    def _spies(self, state: State, event: Json) -> set[str]:
        places = {event.get("place"), state.place.get(str(event.get("actor")))}
        places |= {*event.get("between", ())}
        spies = {who for who, on in state.spying.items() if on in places}
        return {who for who in spies if who not in state.away}

    def _reached(self, state: State, event: Json) -> tuple[set[str], set[str]]:
        kind, actor = event["kind"], event.get("actor")
        own = {str(actor)} if actor else set[str]()
        place = event.get("place") if kind != "thing_changed" else None
        place = self._plan.prepared.get(event.get("prepared", ""), {}).get("place", place)
        if kind in ("thought", "mood_turned", "travelled", "spied"):
            return own, set()
        if kind == "announced":
            group = event.get("to")
            told = set(self._plan.cast) if group is None else state.members.get(group, set())
            return own | (told - state.dead), set()
        if kind == "state_turned" and event["state"] in ("distracted", "attentive"):
            return set(), set()
        is_hidden = actor in state.hidden and event.get("state") != "found"
        if is_hidden and kind in _SILENT:
            return own, set()
        if kind in ("message_sent", "message_read"):
            return own, self._awake(state, {state.place[str(actor)]})
        if kind == "membership_changed":
            members = state.members.get(event["organisation"], set())
            here = self._awake(state, {state.place[str(actor)]})
            return own | here | (members - state.dead), set()
        if kind in ("commanded", "withdrawn", "stage_set", "guard_found"):
            return set(), set()
        if kind in INWARD:
            return {event["owner"]}, set()
        if kind == "fact_granted":
            return set(event["to"]), set()
        if kind == "narrated" and place is None:
            return self._awake(state, set(state.place.values())), set()
        if kind == "door_changed":
            return own | self._awake(state, set(event["between"])), set()
        if kind == "thing_changed":
            there = state.thing_at[event["thing"]]
            while there in state.thing_at:
                there = state.thing_at[there]
            goal = event.get("holder") or event.get("place") or ""
            there, goal = state.place.get(there, there), state.place.get(goal, goal)
            near = self._in_sight(state, there) if there else set[str]()
            return own | self._awake(state, {there, goal} - {""}), near
        here = self._awake(state, {place or state.place[event["actor"]]})
        if kind in ("acted", "entered", "left"):
            near = self._in_sight(state, place or state.place[event["actor"]])
            return own | here | (near if kind != "acted" else set()), near
        if kind == "whispered":
            near = set(self._plan.cast) - state.away if event.get("by_wire") else here
            return own | (near & set(event["targets"])), set() if is_hidden else here
        if kind == "line_spoken":
            targets = set(event.get("targets", ()))
            if event.get("aside"):
                return own | (here & targets), set()
            words, sound = self._overhear(state, state.place[event["actor"]])
            return own | here | words, sound
        return own | here, set()

    def _put_together(self, state: State, places: Mapping[str, str]) -> None:
        """Those whom a new scene sets in one place come together: the blind know of it too."""
        for who in state.blind & places.keys():
            for other in places if state.masks else ():
                if places[other] == places[who] != "":
                    self._give(who, self._world.names[state.seen_as(other, who)])

    def _awake(self, state: State, places: set[str]) -> set[str]:
        return {w for w, p in state.place.items() if p in places and w not in state.away}

    def _in_sight(self, state: State, place: str) -> set[str]:
        """Those next door who see what goes on there: no door is shut, or both places are outdoors."""
        near, places = set[str](), self._plan.places
        for link in self._links():
            if place in link["between"]:
                (other,) = set(link["between"]) - {place}
                door = state.doors[frozenset(link["between"])]
                outdoors = all(places[one].get("outdoors") for one in link["between"])
                if (link.get("sight") and door in ("none", "open")) or (
                    outdoors and door == "none"
                ):
                    near |= self._awake(state, {other})
        return near

    def _overhear(self, state: State, place: str) -> tuple[set[str], set[str]]:
        words, sound = set[str](), set[str]()
        for link in self._links():
            if place not in link["between"]:
                continue
            (other,) = set(link["between"]) - {place}
            steps = ["nothing", "sound", "words"]
            level = steps.index(link.get("carries", "nothing"))
            if state.doors[frozenset(link["between"])] in ("shut", "locked"):
                level = max(0, level - 1)
            near = self._awake(state, {other})
            words |= near if level == 2 else set()
            sound |= near if level == 1 else set()
        return words, sound

    def _move(self, state: State, event: Json) -> None:
        actor = event.get("actor") or ""
        match event["kind"]:
            case "entered":
                state.place[actor] = event["place"]
                state.hidden.discard(actor)
                state.spying.pop(actor, None)
            case "stage_set":
                self._put_together(state, event["places"])
                for who, there in event["places"].items():
                    state.place[who] = there or ""
                    state.hidden.discard(who)
                    state.spying.pop(who, None)
            case "left":
                state.place[actor] = ""
                state.spying.pop(actor, None)
            case "door_changed":
                state.doors[frozenset(event["between"])] = event["door"]
            case "thing_changed":
                there = event.get("inside") or event.get("holder") or event.get("place")
                if there:
                    state.thing_at[event["thing"]] = there
            case "state_turned" if event["state"] in ("died", "fell_asleep"):
                state.away.add(actor)
                state.dead |= {actor} if event["state"] == "died" else set()
            case "state_turned" if event["state"] in SENSES:
                name, is_lost = SENSES[event["state"]]
                lost: set[str] = getattr(state, name)
                (lost.add if is_lost else lost.discard)(actor)
            case "thing_found":
                state.concealed.discard(event["thing"])
            case "spied":
                state.spying.pop(actor, None)
                if event.get("on"):
                    state.spying[actor] = event["on"]
            case "disguised":
                state.masks.pop(actor, None)
                if event.get("seen_as"):
                    here = self._awake(state, {state.place[actor]}) - state.blind - state.distracted
                    here = {actor} if actor in state.hidden else here
                    through = frozenset(here | {*event.get("seen_through_by", ())})
                    state.masks[actor] = (event["seen_as"], through)
            case "membership_changed":
                belong = state.members.setdefault(event["organisation"], set())
                (belong.add if event["joined"] else belong.discard)(actor)
            case "state_turned" if event["state"] == "woke":
                state.away.discard(actor)
            case "state_turned" if event["state"] == "hid":
                state.hidden.add(actor)
            case "state_turned":
                state.hidden.discard(actor)
            case _:
                pass
