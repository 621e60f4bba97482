"""What the canon leaves behind at a start point: where all are, and who holds which token of it.

Nothing here is taken from `sandbox`: the format is that of docs/world-format.md, told again.
"""

from tests.property.canary_mint import regards_in
from tests.property.canary_plan import PREDICATES, Json
from tests.property.canary_stage import Leak, Perceiving, State
from tests.property.canary_world import CanaryWorld


class Canonical(Perceiving):
    """Gives everybody what the canon gives it."""

    def __init__(self, world: CanaryWorld, start: str, *, structured: bool) -> None:
        super().__init__(world, start)
        self._structured = structured
        self._cast: list[str] = []
        """Who is in the story by the start point."""

    def _places(self) -> dict[str, str]:
        """Where the canon leaves those who are in it by then."""
        plan = self._plan
        self._cast = [who for who in plan.cast if self._begun(plan.spans.get(who, {}))]
        place = {who: plan.cast[who][0] for who in self._cast}
        for scene in plan.scenes[: self._start + 1]:
            roster = plan.rosters[scene]
            for who in (*roster["active"], *roster.get("silent", [])):
                place[who] = roster["place"]
            place |= roster.get("positions", {})
        return place

    def _things(self) -> dict[str, str]:
        return {
            id_: str(thing.get("place") or thing.get("holder") or thing.get("inside"))
            for id_, thing in self._plan.things.items()
            if self._begun(thing)
        }

    def _doors(self) -> dict[frozenset[str], str]:
        return {frozenset(link["between"]): link.get("door", "none") for link in self._links()}

    def _members(self, group: Json, at: int) -> set[str]:
        listed = [m if isinstance(m, dict) else {"who": m} for m in group["members"]]
        return {member["who"] for member in listed if self._begun(member, at)}

    def _shared(self, state: State, id_: str, fact: Json) -> None:
        """Those who belonged to it when it was shared; newcomers where it briefs them."""
        scenes = self._plan.scenes
        for sharing in fact.get("shared", ()):
            group = self._plan.groups[sharing["organisation"]]
            first = scenes.index(group.get("from", scenes[0]))
            when = scenes.index(sharing["scene"]) if "scene" in sharing else first
            if when <= self._start and self._world.of("fact", id_, self._start):
                told = self._members(group, when)
                if group.get("briefs_newcomers"):
                    told |= self._members(group, self._start)
                for who in told:
                    self._learns(who, id_)
                state.shared[sharing["organisation"]].append({"fact": id_})

    def _canon_fact(self, id_: str, fact: Json) -> None:
        knowers = set(self._cast) if fact.get("common") else set()
        knowers |= {*fact.get("experienced", ()), *fact.get("observed", ())}
        for told in fact.get("told", ()):
            if self._plan.scenes.index(told["scene"]) <= self._start:
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
            written = world.files["facts.toml"][fact]
            self._structure(who, written["subject"], world.free[fact], written["object"])

    def _structure(self, who: str, subject: str, free: set[str], object_: str = "") -> None:
        if not self._structured:
            return
        for predicate in PREDICATES:
            self._give(who, free | self._world.of("wording", predicate, self._start))
        for id_ in (subject, object_):
            if id_ in self._world.names and id_ not in self._plan.cast:
                self._give(who, self._world.names[id_])

    def _regards(self, who: str) -> set[tuple[str, str]]:
        """Whom somebody regards as what, where the world has no text for it."""
        relations = self._world.files["cast.toml"][who]["relations"]
        return {(r["to"], r["kind"]) for r in relations if "text" not in r and self._begun(r)}

    def _check_regards(self, who: str, text: str, where: str) -> None:
        """Fail over what somebody is to another, shown to anybody but the one it is that to."""
        for token, kind in regards_in(text):
            other = self._world.fields[token].of
            if (other, kind) not in self._regards(who):
                raise Leak(f"that `{other}` is {kind} to somebody reached `{who}` {where}")
