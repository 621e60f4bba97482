"""Who knows and believes what, worked out slowly from the documents.

Nothing of `granting`, `evidence` or `beliefs` is used: what an event teaches is read from
docs/perception.md, who thinks that whom took it in from DESIGN section 5. Whom an event reaches is
asked of `perceive`, on the stage as somebody sees it: without what nobody can see of others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sandbox.story import events
from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.claims import Claim
from sandbox.story.events import Event
from sandbox.story.first_stage import stage_at
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.perception import perceive
from sandbox.story.stage import Stage
from tests.property.strategies import START, History

Said = tuple[str, str, str]
"""(subject, predicate, object)."""
KNOWN = ("narrated", "claimed")


@dataclass(frozen=True)
class Taught:
    """One thing that an event, or a canon scene, teaches."""

    what: Said
    mode: str = "narrated"
    teller: str | None = None
    kind: str = "seen"
    """seen, told or inferred."""
    only: frozenset[str] | None = None
    """Who alone learns it. None: whoever takes the event in."""


@dataclass
class Moment:
    """One event with the stage it happened on."""

    happened: Happened
    stage: Stage
    taught: tuple[Taught, ...]
    _seen: dict[str, Happened] = field(default_factory=dict)

    @property
    def event(self) -> Event:
        return self.happened.event

    @property
    def full(self) -> set[str]:
        return {w for w, detail in self.happened.witnesses.items() if detail is Detail.FULL}

    def in_eyes_of(self, who: str) -> Happened:
        """The event as it would have been, were things as `who` can see them."""
        if who not in self._seen:
            stage = self.stage.copy()
            stage.distracted = set()
            for lack in (stage.deaf, stage.blind):
                for other in set(lack) - {who}:
                    known = stage.known_by[other]
                    if known is not None and who not in known:
                        lack.discard(other)
            self._seen[who] = perceive(self.event, stage)
        return self._seen[who]

    def takes(self, who: str, other: str) -> str:
        """Whom `who` takes `other` for."""
        taken = {b: c for a, b, c in self.happened.taken if a == who}
        return taken.get(CharacterId(other), other)

    def noticed(self, a: str, b: str) -> bool:
        """Whether, as anybody can see who sees both, `a` noticed `b`."""
        event, stage = self.event, self.stage
        actor = getattr(event, "actor", None)
        if self._in_touch(a) and self._in_touch(b):
            return True
        if b == actor and isinstance(event, events.LineSpoken | events.Whispered):
            return True
        if b in stage.hidden or not (self._shows_itself(b) or self._knows_of(a, b)):
            return False
        if self._where(a) == self._where(b):
            return True
        if self._spies(b):
            return False
        if b == actor:
            return True
        return self._spies(a) and self._where(b) == self.stage.spying[CharacterId(a)]

    def _shows_itself(self, who: str) -> bool:
        """Who acts, or is spoken to, is there for the blind too."""
        fields = self.event.__dict__
        several = ("alongside", "chorus", "targets")
        return who in {fields.get("actor"), *(w for name in several for w in fields.get(name, ()))}

    def _knows_of(self, a: str, b: str) -> bool:
        """Whether `a` sees, or has seen or heard before, that `b` is there."""
        return a not in self.stage.blind or b in self.stage.felt[CharacterId(a)]

    def _where(self, who: str) -> PlaceId:
        event, who_ = self.event, CharacterId(who)
        if isinstance(event, events.Entered) and who_ in (event.actor, *event.alongside):
            return event.place
        return self.stage.place_of[who_] or PlaceId(f"nowhere, {who}")

    def _places(self) -> set[PlaceId]:
        """Where it happens."""
        event, stage = self.event, self.stage
        match event:
            case events.Entered() | events.Left() | events.ThingsSeen() | events.FactSeen():
                return {event.place}
            case events.LineSpoken():
                return {event.into or stage.place_of[event.actor]}
            case events.DoorChanged():
                return set(event.between)
            case events.Narrated():
                return {event.place} if event.place else set(stage.place_of.values())
            case events.ThingChanged():
                goal = stage.goal_of(event)
                places = {stage.place_of_thing(event.thing)} | ({goal} if goal else set())
                return places | ({stage.place_of[event.actor]} if event.actor else set())
            case _:
                actor = getattr(event, "actor", None)
                return {stage.place_of[actor]} if actor else set()

    def _spies(self, who: str) -> bool:
        """Whether `who` takes it in as a spy, and not by doing it."""
        doers = {getattr(self.event, "actor", None), *getattr(self.event, "alongside", ())}
        doers |= set(getattr(self.event, "chorus", ()))
        return self.stage.spying.get(CharacterId(who)) in self._places() and who not in doers

    def _in_touch(self, who: str) -> bool:
        """The ends of a wire, and those who get an announcement, notice one another."""
        event, who_ = self.event, CharacterId(who)
        match event:
            case events.Whispered():
                return who_ in (event.actor, *event.targets)
            case events.Announced():
                members = self.stage.members.get(event.to, set()) if event.to else {who_}
                return who_ == event.actor or (who_ in members and who_ not in self.stage.dead)
            case events.MembershipChanged():
                members = self.stage.members.get(event.organisation, set())
                return who_ in members and who_ not in self.stage.dead
            case _:
                return False


class Reference:
    """All of a history, one moment after another."""

    def __init__(self, history: History) -> None:
        self.canon = history.canon
        self.people = [str(person.id) for person in history.canon.characters]
        self.shared: dict[str, list[Taught]] = {}
        self.begun = [(taught, group) for taught, group in self._canon()]
        self.moments = list(self._moments(history.beats))

    # ── what teaches what ─────────────────────────────────────────────────────────────────────

    def _canon(self) -> Iterator[tuple[Taught, frozenset[str]]]:
        """What the canon teaches, with those who learn it together."""
        for item in self.canon.facts:
            what = (item.subject, str(item.predicate), item.object)
            seen = Taught(what)
            if item.common:
                yield seen, frozenset(self.people)
            together = frozenset(map(str, (*item.experienced, *item.observed)))
            if together:
                yield from (
                    [(seen, together)]
                    if item.scene
                    else [(seen, frozenset({who})) for who in sorted(together)]
                )
            for sharing in item.shared:
                group = self.canon.organisations_by_id[sharing.organisation]
                yield seen, frozenset(str(m.who) for m in group.members)
                self.shared.setdefault(str(sharing.organisation), []).append(seen)
            for telling in item.told:
                told = Taught(what, teller=str(telling.by), kind="told")
                yield told, frozenset({str(telling.to)})

    def _moments(self, beats: Sequence[Beat]) -> Iterator[Moment]:
        stage = stage_at(self.canon, START)
        for beat in beats:
            for happened in beat.events:
                taught = tuple(self._taught(happened.event, stage))
                yield Moment(happened, stage.copy(), taught)
                stage.apply(happened.event)

    def _taught(self, event: Event, stage: Stage) -> Iterator[Taught]:
        match event:
            case events.LineSpoken() | events.Whispered():
                yield from _told(event.tells, event.actor)
            case events.MessageRead():
                yield from _told(event.tells, event.sender)
            case events.Announced():
                found = [*_told(event.tells, event.actor), *map(self._fact, event.facts)]
                yield from found
                if event.to:
                    self.shared.setdefault(event.to, []).extend(found)
            case events.MembershipChanged(joined=True):
                group = self.canon.organisations_by_id[event.organisation]
                if group.briefs_newcomers:
                    for one in self.shared.get(event.organisation, []):
                        alone = frozenset({str(event.actor)})
                        yield Taught(one.what, one.mode, one.teller, one.kind, alone)
            case _:
                yield from self._shown(event, stage)

    def _shown(self, event: Event, stage: Stage) -> Iterator[Taught]:
        """What is taught by deeds, things and states."""
        match event:
            case events.Acted(examines=str() as thing):
                yield self._there(thing, stage.thing_at[thing], stage)
                item = self.canon.things_by_id[thing]
                only = None if item.shows == "all" else frozenset({str(event.actor)})
                for fact in item.reveals:
                    yield Taught(self._fact(fact).what, only=only)
            case events.Entered():
                for who in (event.actor, *event.alongside):
                    yield Taught((who, "located_in", event.place))
            case events.ThingChanged():
                if event.inside:
                    yield self._there(event.inside, stage.thing_at[event.inside], stage)
                if there := event.inside or event.holder or event.place:
                    yield self._there(event.thing, there, stage)
                if event.state:
                    yield Taught((event.thing, "state", event.state))
            case events.ThingFound():
                yield self._there(event.thing, stage.thing_at[event.thing], stage)
            case events.ThingsSeen():
                for seen in event.seen:
                    yield self._there(seen.thing, seen.where, stage)
            case events.FactSeen():
                yield Taught(_said(event.fact))
            case events.StateTurned(state="died" | "rose"):
                alive = "dead" if event.state == "died" else "alive"
                yield Taught((event.actor, "alive", alive))
            case events.Narrated(prepared=str() as prepared):
                yield from map(self._fact, self.canon.prepared_by_id[prepared].reveals)
            case events.FactGranted():
                yield Taught(self._fact(event.fact).what, only=frozenset(map(str, event.to)))
            case events.BeliefInferred():
                mode, owner = event.belief.mode, frozenset({str(event.owner)})
                yield Taught(_said(event.belief), mode, None, "inferred", owner)
            case _:
                return

    def _fact(self, id_: str) -> Taught:
        item = next(fact for fact in self.canon.facts if fact.id == id_)
        return Taught((item.subject, str(item.predicate), item.object))

    def _there(self, thing: str, there: str, stage: Stage) -> Taught:
        return Taught((thing, "held_by" if there in stage.place_of else "located_in", there))

    # ── who took it in ────────────────────────────────────────────────────────────────────────

    def learned(self, who: str) -> set[tuple[Said, str]]:
        """All that somebody learned: what, and in what mode."""
        found = {(taught.what, taught.mode) for taught, group in self.begun if who in group}
        for moment in self.moments:
            for taught in moment.taught:
                if who in (moment.full if taught.only is None else taught.only):
                    as_seen = _as_taken(moment, taught, who)
                    if taught.kind != "told" or who != taught.teller:
                        found.add((as_seen.what, as_seen.mode))
        return found

    def bearing(self, chain: Sequence[str]) -> Iterator[Taught]:
        """What the last of `chain` took in or told, as those before it perceived it, in order."""
        for taught, group in self.begun:
            if all(who in group or who == taught.teller for who in chain):
                yield taught
        for moment in self.moments:
            for taught in moment.taught:
                if _took_in(moment, taught, chain):
                    yield _as_taken(moment, taught, chain[0])

    def thinks_knows(self, chain: Sequence[str], what: Said) -> bool:
        wanted = self._ways(what)
        return any(t.what in wanted and t.mode in KNOWN for t in self.bearing(chain))

    def _ways(self, what: Said) -> set[Said]:
        """A proposition, and the same by the inverse of its predicate."""
        subject, predicate, object_ = what
        inverse = self.canon.predicates[predicate].inverse  # type: ignore[index]
        return {what} | ({(object_, str(inverse), subject)} if inverse else set())

    # ── belief ────────────────────────────────────────────────────────────────────────────────

    def believed(self, chain: Sequence[str], subject: str, predicate: str) -> str | None:
        """The object of best standing (DESIGN section 5), for a functional predicate."""
        item = self.canon.predicates[predicate]  # type: ignore[index]
        best: tuple[str, str] | None = None
        for taught in self.bearing(chain):
            object_ = self._object_of(taught, subject, predicate)
            if object_ is None or not self._counts(taught, chain):
                continue
            told = taught.kind == "told"
            holds_own = best is not None and best[1] != "told"
            # Against what it saw itself a word counts only where it speaks of later.
            if told and holds_own and not item.changes:
                continue
            if taught.mode != "denied":
                best = (object_, taught.kind)
            elif best is not None and best[0] == object_:
                best = None
        return best[0] if best else None

    def _object_of(self, taught: Taught, subject: str, predicate: str) -> str | None:
        s, p, o = taught.what
        if (s, p) == (subject, predicate):
            return o
        inverse = self.canon.predicates[predicate].inverse  # type: ignore[index]
        return s if inverse and (o, p) == (subject, inverse) else None

    def _counts(self, taught: Taught, chain: Sequence[str]) -> bool:
        """A guess does not count, nor one's own telling, nor a teller who is not trusted."""
        if taught.mode == "supposed":
            return False
        if taught.kind != "told" or taught.teller is None:
            return True
        if len(chain) == 1 and taught.teller == chain[0]:
            return False
        return self._trusts(chain, taught.teller)

    def _trusts(self, chain: Sequence[str], teller: str) -> bool:
        if len(chain) == 1:
            trust = self.canon.cast[CharacterId(chain[0])].trust
            return trust.get(CharacterId(teller), 1.0) >= 0.5
        return chain[-1] != teller or self._trusts(chain[:-1], teller)


def _said(claim: Claim) -> Said:
    return (claim.subject, str(claim.predicate), claim.object)


def _told(tells: Sequence[Claim], teller: str | None) -> list[Taught]:
    return [Taught(_said(claim), claim.mode, teller, "told") for claim in tells]


def _as_taken(moment: Moment, taught: Taught, who: str) -> Taught:
    """What is taught as `who` takes those who are dressed up; no line of a history names anybody."""
    if taught.only is not None:
        return taught
    if taught.kind == "told":
        teller = moment.takes(who, taught.teller) if taught.teller else None
        subject, predicate, object_ = taught.what
        about = object_ if predicate == "is_named" else moment.takes(who, object_)
        what = (moment.takes(who, subject), predicate, about)
        return Taught(what, taught.mode, teller, taught.kind)
    if isinstance(moment.event, events.FactSeen | events.Narrated | events.Announced):
        return taught
    if isinstance(moment.event, events.Acted) and taught.what[1] not in ("held_by", "located_in"):
        return taught
    subject, predicate, object_ = taught.what
    return Taught((moment.takes(who, subject), predicate, moment.takes(who, object_)), taught.mode)


def _took_in(moment: Moment, taught: Taught, chain: Sequence[str]) -> bool:
    """Whether, as the first perceived it, each took it in and noticed those after it."""
    first, others = chain[0], chain[1:]
    if taught.only is not None:
        own = taught.only | ({taught.teller} if taught.teller else set())
        if first not in taught.only or any(who not in own for who in others):
            return False
        among = [(a, b) for n, a in enumerate(chain) for b in chain[n + 1 :] if a != b]
        return all(moment.noticed(a, b) for a, b in among if {a, b} <= moment.full)
    if not others:
        return first in moment.full or first == taught.teller
    if first not in moment.full:
        return False
    seen = moment.in_eyes_of(first)
    full = {w for w, detail in seen.witnesses.items() if detail is Detail.FULL}
    masked_first = sorted(full, key=lambda who: moment.takes(first, who) == who)
    unmasked = {moment.takes(first, who): who for who in masked_first}
    teller = moment.takes(first, taught.teller) if taught.teller else None
    real = [first]
    for who in others:
        if who not in unmasked and who != teller:
            return False
        real.append(unmasked.get(who, who))
    pairs = [(a, b) for n, a in enumerate(real) for b in real[n + 1 :] if a != b]
    there = set(full)
    return all(moment.noticed(a, b) for a, b in pairs if {a, b} <= there)
