"""Granting: which event teaches whom which fact. The only place where grants are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sandbox.story import events, predicates
from sandbox.story.beats import Detail, Happened
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.evidence import Evidence, Kind, Topic
from sandbox.story.facts import (
    Fact,
    Grant,
    Mode,
    Proposition,
    Source,
    claim_of,
    fact_by_rule,
    fact_of_claim,
    fact_seen,
)
from sandbox.story.hearing import Hearer, as_heard, once_named
from sandbox.story.ids import CharacterId, FactId, OrganisationId, PredicateId, ThingId
from sandbox.story.percepts import taken_by
from sandbox.story.routes import Route
from sandbox.story.stage import Stage

Shared = tuple[Fact, CharacterId | None, str | None]
"""What an organisation was told; for a claim also who said it, if anybody did, and in what words."""


@dataclass
class Granting:
    """Facts, grants and evidence, as beats add to them."""

    canon: Canon
    stage: Stage
    facts: dict[FactId, Fact] = field(default_factory=dict)
    grants: dict[CharacterId, dict[FactId, list[Grant]]] = field(default_factory=dict)
    propositions: dict[CharacterId, dict[Proposition, list[FactId]]] = field(default_factory=dict)
    evidence: dict[Topic, list[Evidence]] = field(default_factory=dict)
    strangers: dict[CharacterId, frozenset[CharacterId]] = field(default_factory=dict)
    shared: dict[OrganisationId, list[Shared]] = field(default_factory=dict)
    """What each organisation was told so far, for newcomers."""
    about: dict[str, list[Evidence]] = field(default_factory=dict)
    """Evidence by the object of its fact."""
    _count: int = 0
    _named: list[tuple[CharacterId, CharacterId]] = field(default_factory=list)
    """Pairs (a, b): a has just learned b's name."""
    new: list[tuple[CharacterId, Fact, Grant]] = field(default_factory=list)
    """What the present beat taught that was new to its learner."""

    def take(self, happened: Happened, source: Source) -> None:
        """Grant what one event teaches; the stage stands as it was just before."""
        match happened.event:
            case events.LineSpoken() | events.Whispered() as event:
                self._spoken(event, happened, source)
            case events.MessageRead() as event:
                for claim in event.tells:
                    self._tell(claim, event.words, Route.TOLD, event.sender, happened, source)
            case events.Announced() as event:
                self._announced(event, happened, source)
            case events.Acted() as event if event.examines is not None:
                self._examined(event.actor, event.examines, happened, source)
            case events.Entered() as event:
                for who in (event.actor, *event.alongside):
                    self._rule(who, predicates.LOCATED_IN, event.place, happened, source)
            case events.ThingChanged() | events.ThingFound() | events.ThingsSeen() as event:
                self._of_things(event, happened, source)
            case events.FactSeen() as event:
                self._open(fact_seen(event.fact), happened, source)
            case events.StateTurned() as event if event.state in ("died", "rose"):
                alive = "dead" if event.state == "died" else "alive"
                self._rule(event.actor, predicates.ALIVE, alive, happened, source)
            case events.Narrated() as event if event.prepared is not None:
                for fact in self._known(self.canon.prepared_by_id[event.prepared].reveals):
                    self._open(fact, happened, source)
            case events.MembershipChanged() as event if event.joined:
                self._brief(event, source)
            case events.FactGranted() as event:
                to = {who: event.route for who in sorted(event.to)}
                self.give(self.facts[event.fact], to, source, Kind.SEEN)
            case events.BeliefInferred() as event:
                fact = fact_of_claim(event.belief)
                self.give(fact, {event.owner: Route.EXPERIENCED}, source, Kind.INFERRED)
            case _:
                pass
        while self._named:
            self._put_names_to(*self._named.pop(), source)

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def _spoken(self, event: events.Spoken, happened: Happened, source: Source) -> None:
        for claim in event.tells:
            self._tell(claim, event.words, Route.TOLD, event.actor, happened, source)

    def _tell(
        self,
        claim: Claim,
        words: str,
        route: Route,
        teller: CharacterId | None,
        happened: Happened,
        source: Source,
    ) -> None:
        """Listeners in full detail get the claim as said, not the fact, its cause or its mode."""
        for seen_teller, group in _by_teller(happened, teller).items():
            heard: dict[FactId, tuple[Fact, dict[CharacterId, Route]]] = {}
            fact = fact_of_claim(claim)
            heard[fact.id] = (fact, {})  # kept even where nobody hears it: the teller told it
            for who in group:
                if who != teller:
                    hearer = Hearer(self.strangers[who], taken_by(happened, who))
                    own = fact_of_claim(as_heard(claim, words, self.canon, hearer))
                    heard.setdefault(own.id, (own, {}))[1][who] = route
            for own, to in heard.values():
                self.give(own, to, source, Kind.TOLD, seen_teller, claim.said, is_open=True)

    def _announced(self, event: events.Announced, happened: Happened, source: Source) -> None:
        route = Route.ORGANISATION if event.to else Route.COMMON
        for claim in event.tells:
            self._tell(claim, event.words, route, event.actor, happened, source)
            if event.to:
                said = (fact_of_claim(claim), event.actor, claim.said)
                self.shared.setdefault(event.to, []).append(said)
        for fact in self._known(event.facts):
            self.give(fact, dict.fromkeys(_full(happened), route), source, Kind.SEEN, is_open=True)
            if event.to:
                self.shared.setdefault(event.to, []).append((fact, None, None))

    def _brief(self, event: events.MembershipChanged, source: Source) -> None:
        """A newcomer learns what was shared before, where the organisation briefs newcomers."""
        if not self.canon.organisations_by_id[event.organisation].briefs_newcomers:
            return
        for fact, teller, said in self.shared.get(event.organisation, []):
            if teller == event.actor:
                continue  # nobody learns what it said itself
            kind = Kind.SEEN if said is None else Kind.TOLD
            to = {event.actor: Route.ORGANISATION}
            if said is not None:
                fact = self._as_passed_on(fact, said, event.actor)
            self.give(fact, to, source, kind, teller, said)

    def _as_passed_on(self, fact: Fact, said: str, to: CharacterId) -> Fact:
        """What was once claimed, as somebody gets it who was not there."""
        claim = claim_of(fact, said)
        hearer = Hearer(self.strangers[to], {})
        return fact_of_claim(as_heard(claim, said, self.canon, hearer))

    # ── deeds and things ──────────────────────────────────────────────────────────────────────

    def _examined(
        self, actor: CharacterId, id_: ThingId, happened: Happened, source: Source
    ) -> None:
        thing, there = self.canon.things_by_id[id_], self.stage.thing_at[id_]
        self._rule(id_, self._whereabouts(there), there, happened, source)
        # What belongs to a later canon scene is not there to be found.
        for fact in self._known(thing.reveals):
            if thing.shows == "all":
                self._open(fact, happened, source)
            else:
                self.give(fact, {actor: Route.EXPERIENCED}, source, Kind.SEEN)

    def _of_things(
        self,
        event: events.ThingChanged | events.ThingFound | events.ThingsSeen,
        happened: Happened,
        source: Source,
    ) -> None:
        match event:
            case events.ThingChanged():
                if event.inside:  # who sees it put into a box sees where the box is
                    box = self.stage.thing_at[event.inside]
                    self._rule(event.inside, self._whereabouts(box), box, happened, source)
                if there := event.inside or event.holder or event.place:
                    where = self._whereabouts(there)
                    self._rule(event.thing, where, there, happened, source)
                if event.state:
                    self._rule(event.thing, predicates.STATE, event.state, happened, source)
            case events.ThingFound():
                there = self.stage.thing_at[event.thing]
                self._rule(event.thing, self._whereabouts(there), there, happened, source)
            case events.ThingsSeen():
                for seen in event.seen:
                    where = self._whereabouts(seen.where)
                    self._rule(seen.thing, where, seen.where, happened, source)

    def _whereabouts(self, there: str) -> PredicateId:
        return predicates.HELD_BY if there in self.stage.place_of else predicates.LOCATED_IN

    def _known(self, ids: Iterable[FactId]) -> list[Fact]:
        return [self.facts[id_] for id_ in ids if id_ in self.facts]

    def _rule(
        self, subject: str, predicate: PredicateId, object_: str, happened: Happened, source: Source
    ) -> None:
        """A fact by rule is first known to those who perceived its event in full, as each took it."""
        if not happened.taken:
            self._open(fact_by_rule(subject, predicate, object_), happened, source)
            return
        for who in _full(happened):
            seen = taken_by(happened, who)
            fact = fact_by_rule(seen.get(subject, subject), predicate, seen.get(object_, object_))
            self.give(fact, {who: _route(who, happened)}, source, Kind.SEEN, is_open=True)

    def _open(self, fact: Fact, happened: Happened, source: Source) -> None:
        """Everybody who perceived the event in full learns the fact."""
        to = {who: _route(who, happened) for who in _full(happened)}
        self.give(fact, to, source, Kind.SEEN, is_open=True)

    # ── one fact to several people ────────────────────────────────────────────────────────────

    def give(
        self,
        fact: Fact,
        to: dict[CharacterId, Route],
        source: Source,
        kind: Kind,
        teller: CharacterId | None = None,
        said: str | None = None,
        *,
        is_open: bool = False,
    ) -> None:
        """Grant `fact` and keep the evidence; a knower's further grants confirm the first."""
        fact = self.facts.setdefault(fact.id, fact)
        for who, route in to.items():
            self._grant(who, fact, Grant(route, source, teller, said, self.strangers[who]))
        self._count += 1
        found = Evidence(self._count, fact, source, kind, frozenset(to), teller, is_open)
        self.evidence.setdefault((fact.subject, fact.predicate), []).append(found)
        self.about.setdefault(fact.object, []).append(found)

    def _grant(self, who: CharacterId, fact: Fact, grant: Grant) -> None:
        held = self.grants[who].setdefault(fact.id, [])
        if not held:
            self.new.append((who, fact, grant))
            self.propositions[who].setdefault(fact.proposition, []).append(fact.id)
            if self._is_true_name(fact):
                self.strangers[who] -= {CharacterId(fact.subject)}
                self._named.append((who, CharacterId(fact.subject)))
        held.append(grant)

    def _put_names_to(self, who: CharacterId, named: CharacterId, source: Source) -> None:
        """What one had heard of a mere name is now of the person who bears it."""
        for id_, grants in list(self.grants[who].items()):
            fact, grant = self.facts[id_], grants[0]
            if (sides := once_named(fact, named, self.canon)) and grant.said is not None:
                put = dict(zip(("subject", "object"), sides, strict=True))
                claim = claim_of(fact, grant.said).model_copy(update=put)
                to = {who: grant.route}
                self.give(fact_of_claim(claim), to, source, Kind.TOLD, grant.teller, grant.said)

    def _is_true_name(self, fact: Fact) -> bool:
        """Whether a fact tells somebody's name: a false name does not give away the true one."""
        if fact.predicate != predicates.IS_NAMED or fact.mode in (Mode.SUPPOSED, Mode.DENIED):
            return False
        return fact.object in self.canon.names.get(fact.subject, ())


def _full(happened: Happened) -> list[CharacterId]:
    return [who for who, detail in happened.witnesses.items() if detail is Detail.FULL]


def _route(who: CharacterId, happened: Happened) -> Route:
    fields = happened.event.__dict__
    doers = (fields.get("actor"), *fields.get("alongside", ()))
    return Route.EXPERIENCED if who in doers else Route.OBSERVED


def _by_teller(
    happened: Happened, teller: CharacterId | None
) -> dict[CharacterId | None, list[CharacterId]]:
    """Those who take a line in, by whom they take its speaker for."""
    if not happened.taken:
        return {teller: _full(happened)}
    groups: dict[CharacterId | None, list[CharacterId]] = {teller: []}
    for who in _full(happened):
        seen = taken_by(happened, who).get(teller or "", teller)
        groups.setdefault(CharacterId(seen) if seen else None, []).append(who)
    return groups
