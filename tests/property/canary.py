"""A world with a token in every text, and a tracker that knows from the journal who may hold which.

Nothing here is taken from `sandbox`: the rules are those of docs/world-format.md, told again.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

TOKEN = re.compile(r"zq\d{4}x")
SCENES = ("arrival", "quarrel", "night", "morning")
LATE = 2
"""Index of the canon scene from which several things hold."""

Json = dict[str, Any]


def tokens(text: str) -> set[str]:
    return set(TOKEN.findall(text.lower()))


@dataclass(frozen=True)
class Field:
    """Where a token stands in the world."""

    kind: str
    of: str
    """Whose: id of the character, place, thing, fact …"""
    first: int = 0
    """Index of the first canon scene in which the text holds."""
    end: int = 99
    """Index of the first canon scene in which it no longer does."""

    def holds(self, start: int) -> bool:
        return self.first <= start < self.end


@dataclass
class Mint:
    fields: dict[str, Field] = field(default_factory=dict)

    def token(self, kind: str, of: str, first: int = 0, end: int = 99) -> str:
        token = f"zq{len(self.fields) + 1:04}x"
        self.fields[token] = Field(kind, of, first, end)
        return token

    def text(self, kind: str, of: str, first: int = 0, end: int = 99) -> str:
        return f"about {self.token(kind, of, first, end)} so"

    def timed(self, kind: str, of: str) -> list[Json]:
        """A text before the late scene and another from it on."""
        return [
            {"text": self.text(kind, of, end=LATE), "until": SCENES[LATE]},
            {"text": self.text(kind, of, first=LATE), "from": SCENES[LATE]},
        ]


CAST = {
    # id: (home, who knows its name; None: everybody)
    "ann": ("hall", None),
    "ben": ("hall", None),
    "cy": ("yard", ["ann"]),
    "dee": ("attic", []),
    "eve": ("hall", None),
    "fay": ("yard", ["cy"]),
}
LINKS: tuple[Json, ...] = (
    {"between": ["hall", "yard"], "door": "open", "carries": "words"},
    {"between": ["hall", "attic"], "door": "shut", "carries": "words"},
    {"between": ["yard", "shed"], "door": "none", "carries": "sound"},
    {"between": ["attic", "crypt"], "door": "locked", "carries": "nothing"},
    {"between": ["yard", "garden"], "from": SCENES[LATE]},
)
THINGS: dict[str, Json] = {
    "ledger": {"place": "hall", "reveals": ["debt"], "shows": "reader"},
    "portrait": {"place": "yard", "reveals": ["heir"], "shows": "all"},
    "lamp": {"place": "attic"},
    "letter": {"holder": "cy", "reveals": ["treason"], "shows": "reader"},
    "statue": {"place": "garden", "from": SCENES[LATE]},
}
FACTS: dict[str, Json] = {
    "debt": {"subject": "ben", "scene": "arrival", "experienced": ["ben"], "secret": True},
    "heir": {"subject": "eve", "cause": "debt", "scene": "arrival", "observed": ["ann"]},
    "treason": {"subject": "miller", "secret": True},
    "theft": {
        "subject": "cy",
        "scene": "quarrel",
        "experienced": ["cy"],
        "told": [{"to": "ann", "by": "cy", "scene": "night"}],
    },
    "storm": {"subject": "yard", "common": True},
    "flood": {"subject": "garden", "common": True, "scene": "night"},
    "peace": {"subject": "hall", "common": True, "until": SCENES[LATE]},
    "vow": {"subject": "dee", "scene": "night", "experienced": ["dee"], "observed": ["cy"]},
}
ROSTERS: dict[str, Json] = {
    "arrival": {"place": "hall", "active": ["ann", "ben", "eve"], "mentioned": ["dee"]},
    "quarrel": {"place": "yard", "active": ["cy", "fay"], "silent": ["ben"]},
    "night": {"place": "hall", "active": ["ann", "cy"], "silent": ["dee"]},
    "morning": {"place": "garden", "active": ["fay", "eve"], "mentioned": ["ann"]},
}


@dataclass
class CanaryWorld:
    """The world as data, with the field of each token."""

    files: dict[str, Json]
    narratives: dict[str, str]
    fields: dict[str, Field]
    names: dict[str, set[str]]
    """Name and alias tokens by id."""
    free: dict[str, set[str]]
    """Tokens in the free-text object of each fact."""
    _found: dict[tuple[str, str, int], set[str]] = field(default_factory=dict)

    def of(self, kind: str, id_: str, start: int) -> set[str]:
        """The tokens of a kind of field that hold at a start point."""
        key = (kind, id_, start)
        if key not in self._found:
            self._found[key] = {
                token
                for token, at in self.fields.items()
                if (at.kind, at.of) == (kind, id_) and at.holds(start)
            }
        return self._found[key]

    def one(self, kind: str, id_: str) -> str:
        return next(t for t, at in self.fields.items() if (at.kind, at.of) == (kind, id_))

    def write(self, folder: Path) -> Path:
        (folder / "scenes").mkdir(parents=True)
        for name, content in self.files.items():
            if name.startswith("scenes/"):
                body = self.narratives[name]
                text = f"+++\n{tomli_w.dumps(content)}+++\n{body}\n"
                (folder / name).write_text(text, encoding="utf-8")
            else:
                (folder / name).write_text(tomli_w.dumps(content), encoding="utf-8")
        return folder


def canary_world() -> CanaryWorld:
    mint = Mint()
    names: dict[str, set[str]] = {}

    def name(kind: str, id_: str, aliases: bool = True) -> Json:
        made = {"name": mint.token(f"{kind}.name", id_)}
        found: Json = made | ({"aliases": [mint.token(f"{kind}.name", id_)]} if aliases else {})
        names[id_] = {found["name"], *found.get("aliases", [])}
        return found

    cast = {who: name("character", who) | _character(mint, who) for who in CAST}
    places = {
        place: name("place", place, aliases=False)
        | {"description": mint.timed("place.description", place)}
        for place in ("hall", "yard", "attic", "shed", "crypt", "garden")
    }
    places["garden"]["from"] = SCENES[LATE]
    things = {thing: name("thing", thing) | _thing(mint, thing) for thing in THINGS}
    entities = {"miller": name("entity", "miller")}
    facts = {fact: _fact(mint, fact) for fact in FACTS}
    files: dict[str, Json] = {
        "world.toml": {
            "title": mint.token("world", "title"),
            "language": "en",
            "blurb": mint.text("world", "blurb"),
        },
        "cast.toml": cast,
        "places.toml": {"places": places, "links": list(LINKS), "things": things},
        "facts.toml": {**facts, "entities": entities},
        "predicates.toml": {
            "concerns": {
                "wordings": [f"{{s}} {mint.token('wording', 'concerns')} {{o}}."],
                "question": f"What of {{s}}, {mint.token('question', 'concerns')}?",
            }
        },
        "patterns.toml": {f"{who}_way": _pattern(mint, who) for who in CAST},
    }
    narratives = {}
    for number, (scene, roster) in enumerate(ROSTERS.items()):
        file = f"scenes/{number + 1:02}_{scene}.md"
        files[file] = _scene(mint, number, scene, roster)
        narratives[file] = mint.text("narrative", scene, first=99)
    free = {id_: tokens(fact["object"]) for id_, fact in facts.items()}
    return CanaryWorld(files, narratives, mint.fields, names, free)


def _character(mint: Mint, who: str) -> Json:
    home, known_to = CAST[who]
    other = {"ann": "dee", "ben": "cy", "cy": "ann", "dee": "ben", "eve": "fay", "fay": "eve"}[who]
    made: Json = {
        "home": home,
        "known_as": mint.timed("known_as", who),
        "public": mint.timed("public", who),
        "private": mint.timed("own", who),
        "conduct": [mint.text("own", who), mint.text("own", who)],
        "goals": mint.timed("own", who),
        "mood": [
            {"text": mint.token("own", who, end=LATE), "until": SCENES[LATE]},
            {"text": mint.token("own", who, first=LATE), "from": SCENES[LATE]},
        ],
        "gestures": [mint.text("own", who), mint.text("own", who)],
        "relations": [{"to": other, "kind": "rival", "text": mint.text("own", who)}],
        "wants": [
            {"question": mint.text("own", who), "subject": "miller", "predicate": "concerns"}
        ],
    }
    if known_to is not None:
        made["name_known_to"] = known_to
    if who == "cy":
        made["keeps"] = [{"fact": "theft", "because": mint.text("own", who)}]
    if who == "ben":
        made["wishes"] = [{"fact": "debt", "to": ["ann"], "because": mint.text("own", who)}]
    return made


def _thing(mint: Mint, thing: str) -> Json:
    made = dict(THINGS[thing])
    if thing != "lamp":
        made["examined"] = f"turns over {mint.token('examined', thing)}"
        made["examined_first"] = f"turn over {mint.token('examined_first', thing)}"
    return made


def _fact(mint: Mint, fact: str) -> Json:
    written = FACTS[fact]
    start = SCENES.index(written.get("scene", SCENES[0]))
    end = SCENES.index(written["until"]) if "until" in written else 99
    knower = next(iter(written.get("experienced", ())), "ann")
    return written | {
        "predicate": "concerns",
        "object": mint.text("fact.object", fact, start, end),
        "statement": mint.text("fact", fact, start, end),
        "voiced": {knower: mint.text("voiced", f"{fact}:{knower}", start, end)},
        "to_subject": mint.text("to_subject", fact, start, end),
    }


def _pattern(mint: Mint, who: str) -> Json:
    return {
        "owner": who,
        "situation": mint.text("own", who),
        "occasions": ["asking", "telling", "keeping", "not_knowing", "answering"],
        "mood_before": mint.token("own", who),
        "mood_after": mint.token("own", who),
        "manner": mint.text("own", who),
        "samples": mint.timed("own", who),
        "lead_ins": mint.timed("own", who),
    }


def _scene(mint: Mint, number: int, scene: str, roster: Json) -> Json:
    present = [*roster["active"], *roster.get("silent", [])]
    return {
        "title": mint.token("title", scene, first=99),
        "place": roster["place"],
        "clock": f"{20 + number}:00",
        "roster": {part: roster.get(part, []) for part in ("active", "silent", "mentioned")},
        "episodes": {who: mint.text("own", who, first=number) for who in present},
    }


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

    # ── what a line of the journal does ───────────────────────────────────────────────────────

    def follow(self, lines: Sequence[Json]) -> None:
        """Work out from the whole journal who may hold which token now."""
        if self._state is None or _withdrawn(lines[self._read :]):
            self.held = {who: set() for who in CAST}
            self._read = 0
            self._state = self._begin()
        state, gone = self._state, _withdrawn(lines)
        new, self._read = lines[self._read :], len(lines)
        for line in new:
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
            id_: str(thing.get("place") or thing.get("holder"))
            for id_, thing in THINGS.items()
            if "from" not in thing or self._start >= LATE
        }
        doors = {frozenset(link["between"]): link.get("door", "none") for link in self._links()}
        state = _State(place, things, doors)
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
        self._settle(state)
        return state

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
            self._give(who, world.names[here] | world.of("place.description", here, start))
            for way in state.doors:
                if here in way:
                    for other in way:
                        self._give(who, world.names[other])
            for other, there in state.place.items():
                if there == here and other not in state.hidden:
                    self._give(who, world.of("public", other, start))
            for thing, there in state.thing_at.items():
                if there in (here, who):
                    self._give(who, world.names[thing])

    # ── events ────────────────────────────────────────────────────────────────────────────────

    def _happen(self, state: _State, event: Json, witnesses: Mapping[str, str]) -> None:
        kind = event["kind"]
        actor = event.get("actor")
        may_full, may_that = self._may_witness(state, event)
        for who, detail in witnesses.items():
            if who not in (may_full if detail == "full" else may_full | may_that):
                raise Leak(f"`{who}` witnessed in detail `{detail}` what it could not: {event}")
        full = {who for who, detail in witnesses.items() if detail == "full"}
        if actor is not None and actor not in full:
            raise Leak(f"`{actor}` did not witness its own act: {event}")
        match kind:
            case "line_spoken" | "whispered":
                self._all(full, event["words"])
                for claim in event.get("tells", ()):
                    self._told(state, full - {actor}, claim)
            case "thought" | "mood_turned" | "narrated":
                self._all(full, event.get("text", "") + event.get("mood", ""))
            case "acted":
                self._all(full, event["text"])
                self._all({actor}, event.get("first", ""))
                self._examined(event, full)
            case "episode_written":
                self.check(event["owner"], event["text"], "in an episode")
            case "fact_granted":
                for who in event["to"]:
                    self._learns(who, event["fact"])
            case _:
                self._all(full, event.get("state", "") if kind == "thing_changed" else "")
                self._named_in(event, full)
        self._move(state, event)

    def _all(self, whom: Iterable[Any], text: str) -> None:
        for who in whom:
            self._give(str(who), tokens(text))

    def _named_in(self, event: Json, full: set[str]) -> None:
        """Places and things that a movement names."""
        ids = [event.get(key) for key in ("place", "from_place", "to_place", "thing")]
        for id_ in [*ids, *event.get("between", ())]:
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
        for fact in thing.get("reveals", ()):
            readers = full if thing.get("shows", "all") == "all" else {event["actor"]}
            for who in readers:
                self._learns(who, fact)

    def _may_witness(self, state: _State, event: Json) -> tuple[set[str], set[str]]:
        """Who may take an event in fully, and who may know that it happened."""
        kind, actor = event["kind"], event.get("actor")
        own = {str(actor)} if actor else set[str]()
        place = event.get("place") if kind != "thing_changed" else None
        if kind in ("thought", "mood_turned", "travelled"):
            return own, set()
        if kind in ("commanded", "withdrawn"):
            return set(), set()
        if kind == "episode_written":
            return {event["owner"]}, set()
        if kind == "fact_granted":
            return set(event["to"]), set()
        if kind == "narrated" and place is None:
            return self._awake(state, set(state.place.values())), set()
        if kind == "door_changed":
            return own | self._awake(state, set(event["between"])), set()
        if kind == "thing_changed":
            there = state.thing_at[event["thing"]]
            return own | self._awake(state, {state.place.get(there, there)}), set()
        here = self._awake(state, {place or state.place[event["actor"]]})
        if kind == "whispered":
            return own | (here & set(event["targets"])), here
        if kind == "line_spoken":
            targets = set(event.get("targets", ()))
            if event.get("aside"):
                return own | (here & targets), set()
            words, sound = self._overhear(state, state.place[event["actor"]])
            return own | here | words, sound
        return own | here, set()

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
            case "left":
                state.place[actor] = ""
            case "door_changed":
                state.doors[frozenset(event["between"])] = event["door"]
            case "thing_changed":
                there = event.get("holder") or event.get("place")
                if there:
                    state.thing_at[event["thing"]] = there
            case "state_turned" if event["state"] in ("died", "fell_asleep"):
                state.away.add(actor)
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
    """Repeats in every field of its replies the tokens it was shown, in ever new order."""

    seed: int = 1
    calls: int = 0
    garbage_every: int = 11
    """Each so many replies are no JSON at all, so that the retry is seen too."""

    def reply(self, body: Json) -> Json | str:
        """What it answers to a request."""
        self.calls += 1
        shown = "\n".join(message["content"] for message in body["messages"])
        if self.calls % self.garbage_every == 0 and len(body["messages"]) == 2:
            return "no JSON " + " ".join(sorted(tokens(shown)))
        seen = sorted(tokens(shown))
        turn = self.calls + self.seed

        def some(number: int, step: int) -> str:
            return " ".join(seen[(turn * step + n * 7) % len(seen)] for n in range(number))

        people, things, ways = (self._row(shown, row) for row in ("Who is", "Things", "Ways out"))
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
        }

    def _row(self, shown: str, row: str) -> list[str]:
        """The first token of each item in a line of the prompt: what its things are called."""
        found = re.search(rf"^{row}[^:]*: (.*)$", shown, re.MULTILINE)
        items = found[1].split("; ") if found else []
        return [t[0] for item in items if (t := TOKEN.search(item))]
