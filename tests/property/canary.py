"""A tracker that knows from the journal who may hold which token of a canary world, and a parrot.

Nothing here is taken from `sandbox`: the rules are those of docs/perception.md, told again.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.property.canary_world import (
    CAST,
    DISGUISES,
    FACTS,
    GROUPS,
    LATE,
    LINKS,
    PREPARED,
    ROSTERS,
    SCENES,
    THINGS,
    TOKEN,
    TONGUES,
    CanaryWorld,
    Field,
    Json,
    tokens,
)


class Leak(AssertionError):
    """Somebody was given what it may not hold."""


@dataclass
class _State:
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


_SENSES = {
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
_INWARD = ("episode_written", "pattern_grown", "belief_inferred")
"""What is its owner's alone, and rests on what that one held."""


class Tracker:
    """Follows each token from the world's files through the witnesses of committed events."""

    def __init__(self, world: CanaryWorld, start: str, *, structured: bool = False) -> None:
        """`structured`: holding a fact, one may name its subject and object (rehearsal does)."""
        self._world = world
        self._start = SCENES.index(start)
        self._structured = structured
        self.held: dict[str, set[str]] = {}
        self._state: _State | None = None
        self._read = 0
        self._trusts_episodes = True

    # ── what a line of the journal does ───────────────────────────────────────────────────────

    def follow(self, lines: Sequence[Json]) -> None:
        """Work out from the whole journal who may hold which token now."""
        takes_back = _withdrawn(lines[self._read :])
        if self._state is None or takes_back:
            self.held = {who: set() for who in CAST}
            self._read = 0
            self._state = self._begin()
        state, gone = self._state, _withdrawn(lines)
        new, self._read = lines[self._read :], len(lines)
        # An episode may rest on what is gone: then nobody may hold it, and others are checked.
        self._trusts_episodes = not takes_back
        for line in sorted(new, key=lambda line: (line["turn"], line["seq"])):
            if line["seq"] not in gone:
                for happened in line["events"]:
                    self._happen(state, happened["event"], happened.get("witnesses", {}))
                    self._settle(state)

    def check(self, who: str, text: str, where: str) -> None:
        """Fail over any token in `text` that `who` may not hold."""
        for token in sorted(tokens(text) - self.held[who]):
            at = text.lower().index(token)
            field_ = self._world.fields.get(token, Field("said in play", "somebody"))
            context = text[max(0, at - 60) : at + 30]
            raise Leak(
                f"{token} ({field_.kind} of `{field_.of}`) reached `{who}` {where}: …{context}…"
            )

    # ── the start ─────────────────────────────────────────────────────────────────────────────

    def _begin(self) -> _State:
        place = {who: home for who, (home, _) in CAST.items()}
        for scene in SCENES[: self._start + 1]:
            roster = ROSTERS[scene]
            for who in (*roster["active"], *roster.get("silent", [])):
                place[who] = roster["place"]
        things = {
            id_: str(thing.get("place") or thing.get("holder") or thing.get("inside"))
            for id_, thing in THINGS.items()
            if "from" not in thing or self._start >= LATE
        }
        doors = {frozenset(link["between"]): link.get("door", "none") for link in self._links()}
        state = _State(place, things, doors)
        state.concealed = {id_ for id_, thing in THINGS.items() if thing.get("concealed")}
        state.masks = {who: (mask, frozenset(by)) for who, (mask, by) in DISGUISES.items()}
        for id_, group in GROUPS.items():
            if self._begun(group):
                state.members[id_] = self._members(group, self._start)
        for who, (_, known_to) in CAST.items():
            for other in CAST if known_to is None else [*known_to, who]:
                state.names_known[other].add(who)
        for who in CAST:
            self._give(who, self._world.of("own", who, self._start))
            self._give(who, self._world.of("public", who, self._start))
            for other in CAST:
                self._give(who, self._world.of("known_as", other, self._start))
        for id_, fact in FACTS.items():
            self._canon_fact(id_, fact)
            self._shared(state, id_, fact)
        self._settle(state)
        return state

    def _begun(self, item: Json, at: int | None = None) -> bool:
        return SCENES.index(item.get("from", SCENES[0])) <= (self._start if at is None else at)

    def _members(self, group: Json, at: int) -> set[str]:
        listed = [m if isinstance(m, dict) else {"who": m} for m in group["members"]]
        return {member["who"] for member in listed if self._begun(member, at)}

    def _shared(self, state: _State, id_: str, fact: Json) -> None:
        """Those who belonged to it when it was shared; newcomers where it briefs them."""
        for sharing in fact.get("shared", ()):
            group = GROUPS[sharing["organisation"]]
            first = SCENES.index(group.get("from", SCENES[0]))
            when = SCENES.index(sharing["scene"]) if "scene" in sharing else first
            if when <= self._start and self._world.of("fact", id_, self._start):
                told = self._members(group, when)
                told |= (
                    self._members(group, self._start) if group.get("briefs_newcomers") else set()
                )
                for who in told:
                    self._learns(who, id_)
                state.shared[sharing["organisation"]].append({"fact": id_})

    def _links(self) -> Iterator[Json]:
        return (link for link in LINKS if "from" not in link or self._start >= LATE)

    def _canon_fact(self, id_: str, fact: Json) -> None:
        knowers = set(CAST) if fact.get("common") else set()
        knowers |= {*fact.get("experienced", ()), *fact.get("observed", ())}
        for told in fact.get("told", ()):
            if SCENES.index(told["scene"]) <= self._start:
                knowers.add(told["to"])
        for who in knowers:
            self._learns(who, id_)

    def _learns(self, who: str, fact: str) -> None:
        """A fact of the canon, whole; one that does not hold at the start gives nothing."""
        world, start = self._world, self._start
        self._give(who, world.of("fact", fact, start))
        self._give(who, world.of("voiced", f"{fact}:{who}", start))
        self._give(who, world.of("to_subject", fact, start))
        if world.of("fact", fact, start):
            self._structure(who, FACTS[fact]["subject"], world.free[fact])

    def _structure(self, who: str, subject: str, free: set[str], object_: str = "") -> None:
        if not self._structured:
            return
        self._give(who, free | self._world.of("wording", "concerns", self._start))
        for id_ in (subject, object_):
            if id_ in self._world.names and id_ not in CAST:
                self._give(who, self._world.names[id_])

    def _give(self, who: str, given: Iterable[str]) -> None:
        self.held[who].update(given)

    # ── presence ──────────────────────────────────────────────────────────────────────────────

    def _settle(self, state: _State) -> None:
        """What everybody has by being where it is, and by knowing whom it knows."""
        world, start = self._world, self._start
        for who in CAST:
            for known in state.names_known[who]:
                self._give(who, world.names[known])
            here = state.place[who]
            if who in state.away or not here:
                continue
            self._give(who, world.names[here])
            if who not in state.blind:
                self._give(who, world.of("place.description", here, start))
            for way in state.doors:
                if here in way:
                    for other in way:
                        self._give(who, world.names[other])
            if who in state.blind | state.distracted:
                continue
            for other, there in state.place.items():
                if there == here and other not in state.hidden:
                    seen = state.seen_as(other, who)
                    self._give(who, world.of("public", seen, start))
                    self._give(who, world.names[seen] if seen != other else ())
            for thing, there in state.thing_at.items():
                if there in (here, who) and thing not in state.concealed:
                    self._give(who, world.names[thing])

    # ── events ────────────────────────────────────────────────────────────────────────────────

    def _happen(self, state: _State, event: Json, witnesses: Mapping[str, str]) -> None:
        kind = event["kind"]
        self._where = dict(state.thing_at)
        actor = event.get("actor")
        may_full, may_that = self._may_witness(state, event)
        for who, detail in witnesses.items():
            if who not in (may_full if detail == "full" else may_full | may_that):
                raise Leak(f"`{who}` witnessed in detail `{detail}` what it could not: {event}")
        full = {who for who, detail in witnesses.items() if detail == "full"}
        # A percept says whose act it is, a voice also whom it is for.
        for who, detail in witnesses.items() if state.masks else ():
            hears_for = detail == "full" or (kind == "whispered" and not event.get("by_wire"))
            told = [actor, *event.get("targets", ())] if hears_for else [actor]
            for other in state.masks.keys() & set(told):
                self._give(who, self._world.names[state.seen_as(other, who)])
        is_noticed = event.get("state") not in ("distracted", "attentive")
        if actor is not None and actor not in full and is_noticed:
            raise Leak(f"`{actor}` did not witness its own act: {event}")
        match kind:
            case "line_spoken" | "whispered":
                if kind == "line_spoken":
                    state.hidden.discard(str(actor))
                self._all(full, event["words"])
                for claim in event.get("tells", ()):
                    self._told(state, full - {actor}, claim)
            case "thought" | "mood_turned" | "narrated":
                self._all(full, event.get("text", "") + event.get("mood", ""))
                for fact in PREPARED.get(event.get("prepared", ""), {}).get("reveals", ()):
                    for who in full:
                        self._learns(who, fact)
            case "announced" | "message_sent" | "message_read":
                self._made_known(state, event, full)
            case "membership_changed":
                self._all(full, " ".join(self._world.names[event["organisation"]]))
                self._brief(state, event)
            case "acted":
                self._all(full, event["text"])
                self._all({actor}, event.get("first", ""))
                self._examined(event, full)
            case _ if kind in _INWARD:
                if self._trusts_episodes:
                    self.check(event["owner"], str(event), f"in {kind}")
            case "fact_granted":
                for who in event["to"]:
                    self._learns(who, event["fact"])
            case _:
                self._all(full, event.get("state", "") if kind == "thing_changed" else "")
                self._named_in(event, full)
        self._move(state, event)

    def _made_known(self, state: _State, event: Json, full: set[str]) -> None:
        self._all(full, event["words"])
        if event["kind"] == "message_sent":
            return
        teller = event.get("sender", event.get("actor"))
        group = event.get("to") if event["kind"] == "announced" else None
        for claim in event.get("tells", ()):
            self._told(state, full - {teller}, claim)
            state.shared[group or ""].append(claim)
        for fact in event.get("facts", ()):
            state.shared[group or ""].append({"fact": fact})
            for who in full:
                self._learns(who, fact)

    def _brief(self, state: _State, event: Json) -> None:
        group, who = event["organisation"], event["actor"]
        if event["joined"] and GROUPS[group].get("briefs_newcomers"):
            for shared in state.shared[group]:
                if "fact" in shared:
                    self._learns(who, shared["fact"])
                else:
                    self._told(state, {who}, shared)

    def _all(self, whom: Iterable[Any], text: str) -> None:
        for who in whom:
            self._give(str(who), tokens(text))

    def _named_in(self, event: Json, full: set[str]) -> None:
        """Places and things that a movement names."""
        keys = ("place", "from_place", "to_place", "thing", "holder", "inside", "on", "seen_as")
        ids = [event.get(key) for key in keys]
        seen = [id_ for sight in event.get("seen", ()) for id_ in (sight["thing"], sight["where"])]
        ids += [self._where.get(str(id_)) for id_ in (event.get("thing"), event.get("inside"))]
        ids = [id_ for id_ in ids if id_ not in CAST]
        for id_ in [*ids, *seen, *event.get("between", ())]:
            for who in full if id_ in self._world.names else ():
                self._give(who, self._world.names[str(id_)])

    def _told(self, state: _State, listeners: set[str], claim: Json) -> None:
        for who in listeners:
            self._give(who, tokens(claim["said"]))
            if claim["predicate"] == "is_named":
                if claim["object"] in self._world.names[claim["subject"]]:
                    state.names_known[who].add(claim["subject"])
                continue
            free = tokens(claim["object"])
            self._structure(who, claim["subject"], free, claim["object"])

    def _examined(self, event: Json, full: set[str]) -> None:
        examined = event.get("examines", "")
        thing = THINGS.get(examined, {})
        for who in full if thing else ():
            self._give(who, self._world.names[examined])
            self._give(who, self._world.names.get(self._where[examined], set()))
        for fact in thing.get("reveals", ()):
            readers = full if thing.get("shows", "all") == "all" else {event["actor"]}
            for who in readers:
                self._learns(who, fact)

    def _may_witness(self, state: _State, event: Json) -> tuple[set[str], set[str]]:
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
            dull |= {who for who in CAST if who not in TONGUES}
        lost = (full & dull) - own
        return full - lost, (that | lost) - (state.distracted - own)

    def _spies(self, state: _State, event: Json) -> set[str]:
        places = {event.get("place"), state.place.get(str(event.get("actor")))}
        places |= {*event.get("between", ())}
        spies = {who for who, on in state.spying.items() if on in places}
        return {who for who in spies if who not in state.away}

    def _reached(self, state: _State, event: Json) -> tuple[set[str], set[str]]:
        kind, actor = event["kind"], event.get("actor")
        own = {str(actor)} if actor else set[str]()
        place = event.get("place") if kind != "thing_changed" else None
        place = PREPARED.get(event.get("prepared", ""), {}).get("place", place)
        if kind in ("thought", "mood_turned", "travelled", "spied"):
            return own, set()
        if kind == "announced":
            group = event.get("to")
            told = set(CAST) if group is None else state.members.get(group, set())
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
        if kind in _INWARD:
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
            places = {state.place.get(there, there), state.place.get(goal, goal)} - {""}
            return own | self._awake(state, places), set()
        here = self._awake(state, {place or state.place[event["actor"]]})
        if kind == "whispered":
            near = set(CAST) - state.away if event.get("by_wire") else here
            return own | (near & set(event["targets"])), set() if is_hidden else here
        if kind == "line_spoken":
            targets = set(event.get("targets", ()))
            if event.get("aside"):
                return own | (here & targets), set()
            words, sound = self._overhear(state, state.place[event["actor"]])
            return own | here | words, sound
        return own | here, set()

    def _put_together(self, state: _State, places: Mapping[str, str]) -> None:
        """Those whom a new scene sets in one place come together: the blind know of it too."""
        for who in state.blind & places.keys():
            for other in places if state.masks else ():
                if places[other] == places[who] != "":
                    self._give(who, self._world.names[state.seen_as(other, who)])

    def _awake(self, state: _State, places: set[str]) -> set[str]:
        return {w for w, p in state.place.items() if p in places and w not in state.away}

    def _overhear(self, state: _State, place: str) -> tuple[set[str], set[str]]:
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

    def _move(self, state: _State, event: Json) -> None:
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
            case "state_turned" if event["state"] in _SENSES:
                name, is_lost = _SENSES[event["state"]]
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


def _withdrawn(lines: Sequence[Json]) -> set[int]:
    """Numbers of the lines that one of `lines` takes out of the story."""
    events = [h["event"] for line in lines for h in line["events"]]
    return {seq for event in events if event["kind"] == "withdrawn" for seq in event["seqs"]}


def asking(world: CanaryWorld, body: Json) -> str:
    """Whose request it is: the first line names the character."""
    first = TOKEN.search(body["messages"][0]["content"])
    assert first is not None
    return next(who for who in CAST if first[0] in world.names[who])


@dataclass
class Parrot:
    """Repeats in every field of its replies the tokens it was shown, in ever new order.

    What it answers hangs on the seed, on whose request it is, on how many that one sent before and
    on what stands in it: never on the order in which the requests of one round happen to arrive.
    """

    world: CanaryWorld
    seed: int = 1
    sent: Counter[str] = field(default_factory=Counter[str])
    """Requests so far by whose they were."""
    garbage_every: int = 11
    """Each so many replies are no JSON at all, so that the retry is seen too."""

    def reply(self, body: Json) -> Json | str:
        """What it answers to a request."""
        who = asking(self.world, body)
        self.sent[who] += 1
        # Seven is prime to all steps: no two characters go through their tokens alike.
        turn = self.seed + self.sent[who] + 7 * list(CAST).index(who)
        shown = "\n".join(message["content"] for message in body["messages"])
        seen = sorted(tokens(shown))
        if turn % self.garbage_every == 0 and len(body["messages"]) == 2:
            return "no JSON " + " ".join(seen)

        def some(number: int, step: int) -> str:
            return " ".join(seen[(turn * step + n * 7) % len(seen)] for n in range(number))

        rows = ("Who is|在场的人", "Things|手边", "Ways out|出路")
        people, things, ways = (self._row(shown, row) for row in rows)
        return {
            "thought": f"I mean {some(6, 5)}",
            "action": "" if turn % 4 == 0 else f"shows {some(3, 3)}",
            "words": f"Take {some(4, 11)}. And {some(4, 13)}!",
            "to": people[turn % len(people) :][:1] if people else [],
            "whisper": turn % 3 == 0 and bool(people),
            "examine": things[turn % len(things)] if things and turn % 4 == 0 else "",
            "go": ways[turn % len(ways)] if ways and turn % 5 == 0 else "",
            "mood": some(2, 17),
            "relied_on": ["f1", "f2"],
            "summary": f"I keep {some(5, 19)}.",
            "feelings": f"I feel {some(2, 23)}.",
            "pattern": {
                "situation": f"When {some(3, 29)} comes up.",
                "manner": f"I say {some(3, 31)}.",
                "mood_before": some(1, 37),
                "mood_after": some(1, 41),
                "sample": some(2, 43),
            },
        }

    def _row(self, shown: str, row: str) -> list[str]:
        """The first token of each item in a line of the prompt: what its things are called."""
        found = re.search(rf"^(?:{row})[^:：]*[:：] ?(.*)$", shown, re.MULTILINE)
        items = re.split("; |；", found[1]) if found else []
        return [t[0] for item in items if (t := TOKEN.search(item))]
