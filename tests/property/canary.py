"""A tracker that knows from the journal who may hold which token of a canary world.

Nothing here is taken from `sandbox`: the rules are those of docs/perception.md, told again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.property.canary_canon import Canonical
from tests.property.canary_mint import Field, tokens
from tests.property.canary_plan import Json
from tests.property.canary_stage import INWARD, Leak, State
from tests.property.canary_world import CanaryWorld


class Tracker(Canonical):
    """Follows each token from the world's files through the witnesses of committed events."""

    def __init__(self, world: CanaryWorld, start: str, *, structured: bool = False) -> None:
        """`structured`: holding a fact, one may name its subject and object (rehearsal does)."""
        super().__init__(world, start, structured=structured)
        self._state: State | None = None
        self._read = 0
        self._trusts_episodes = True

    # ── what a line of the journal does ───────────────────────────────────────────────────────

    def follow(self, lines: Sequence[Json]) -> None:
        """Work out from the whole journal who may hold which token now."""
        takes_back = _withdrawn(lines[self._read :])
        if self._state is None or takes_back:
            self.held = {who: set() for who in self._plan.cast}
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
        self._check_regards(who, text, where)

    # ── the start ─────────────────────────────────────────────────────────────────────────────

    def _begin(self) -> State:
        state = State(self._places(), self._things(), self._doors())
        plan, world, start = self._plan, self._world, self._start
        state.deaf, state.blind = (
            {who for who, dull in plan.senses.items() if dull.get(sense) and who in state.place}
            for sense in ("deaf", "blind")
        )
        state.concealed = {id_ for id_, thing in plan.things.items() if thing.get("concealed")}
        state.masks = {
            who: (worn["seen_as"], frozenset(worn.get("seen_through_by", ())))
            for who, worn in plan.disguises.items()
            if self._begun(worn)
        }
        for id_, group in plan.groups.items():
            if self._begun(group):
                state.members[id_] = self._members(group, start)
        for who in self._cast:
            for other in self._cast if (known := plan.cast[who][1]) is None else [*known, who]:
                state.names_known[other].add(who)
        for who in self._cast:
            self._give(who, world.of("own", who, start) | world.of("public", who, start))
            for other in self._cast:
                self._give(who, world.of("known_as", other, start))
        for id_, fact in plan.facts.items():
            self._canon_fact(id_, fact)
            self._shared(state, id_, fact)
        self._put_together(state, state.place)
        self._settle(state)
        return state

    # ── presence ──────────────────────────────────────────────────────────────────────────────

    def _settle(self, state: State) -> None:
        """What everybody has by being where it is, and by knowing whom it knows."""
        world, start = self._world, self._start
        for who in self._cast:
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
            for thing, there in state.thing_at.items():
                if there == who and thing not in state.concealed:
                    self._give(who, world.names[thing])
            if who in state.blind | state.distracted:
                continue
            for other, there in state.place.items():
                if there == here and other not in state.hidden:
                    seen = state.seen_as(other, who)
                    self._give(who, world.of("public", seen, start))
                    self._give(who, world.names[seen] if seen != other else ())
            for thing, there in state.thing_at.items():
                if there == here and thing not in state.concealed:
                    self._give(who, world.names[thing])

    # ── events ────────────────────────────────────────────────────────────────────────────────

    def _happen(self, state: State, event: Json, witnesses: Mapping[str, str]) -> None:
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
                for fact in self._plan.prepared.get(event.get("prepared", ""), {}).get(
                    "reveals", ()
                ):
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
            case _ if kind in INWARD:
                if self._trusts_episodes:
                    self.check(event["owner"], str(event), f"in {kind}")
            case "fact_granted":
                for who in event["to"]:
                    self._learns(who, event["fact"])
            case _:
                self._all(full, event.get("state", "") if kind == "thing_changed" else "")
                self._named_in(event, full)
        self._move(state, event)

    def _made_known(self, state: State, event: Json, full: set[str]) -> None:
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

    def _brief(self, state: State, event: Json) -> None:
        group, who = event["organisation"], event["actor"]
        if event["joined"] and self._plan.groups[group].get("briefs_newcomers"):
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
        ids = [id_ for id_ in ids if id_ not in self._plan.cast]
        for id_ in [*ids, *seen, *event.get("between", ())]:
            for who in full if id_ in self._world.names else ():
                self._give(who, self._world.names[str(id_)])

    def _told(self, state: State, listeners: set[str], claim: Json) -> None:
        for who in listeners:
            self._give(who, tokens(claim["said"]))
            if claim["predicate"] == "is_named":
                if claim["object"] in self._world.names[claim["subject"]]:
                    state.names_known[who].add(claim["subject"])
                continue
            free = tokens(f"{claim['subject']} {claim['object']}")
            self._structure(who, claim["subject"], free, claim["object"])

    def _examined(self, event: Json, full: set[str]) -> None:
        examined = event.get("examines", "")
        thing = self._plan.things.get(examined, {})
        for who in full if thing else ():
            self._give(who, self._world.names[examined])
            self._give(who, self._world.names.get(self._where[examined], set()))
        for fact in thing.get("reveals", ()):
            readers = full if thing.get("shows", "all") == "all" else {event["actor"]}
            for who in readers:
                self._learns(who, fact)


def _withdrawn(lines: Sequence[Json]) -> set[int]:
    """Numbers of the lines that one of `lines` takes out of the story."""
    events = [h["event"] for line in lines for h in line["events"]]
    return {seq for event in events if event["kind"] == "withdrawn" for seq in event["seqs"]}


def surviving_until(lines: Sequence[Json], turn: int) -> list[Json]:
    """The lines that are in the story up to and with a turn."""
    gone = _withdrawn(lines)
    return [line for line in lines if line["seq"] not in gone and line["turn"] <= turn]
