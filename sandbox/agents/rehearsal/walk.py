"""Looking at things, searching places and going elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import LOOK, SEARCH
from sandbox.agents.rehearsal.talk import Talk
from sandbox.story.chance import Chance
from sandbox.story.graphs import first_step
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.known import KnownFact
from sandbox.story.surroundings import ThingSeen
from sandbox.story.view import CharacterView

_MISSES = 12
"""Turns without somebody, after which a character looks for company that means something to it."""
_JUST_LEFT = 8
"""Turns in which one does not go back to somebody for something one could have said."""
_GIVES_UP = 2
"""Places in which somebody was looked for in vain, after which one no longer looks."""


class Walk:
    """The options of one decision that use hands and feet."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance, talk: Talk) -> None:
        self._view = view
        self._notebook = notebook
        self._chance = chance
        self._talk = talk

    # ── hands ─────────────────────────────────────────────────────────────────────────────────

    def do(self) -> Iterator[Move]:
        """Examine a thing in reach that was not examined in my sight, and hides nothing of mine."""
        view = self._view
        kept = self._kept()
        new = [t for t in view.things if t.id not in self._notebook.examined and t.id not in kept]
        if new:
            suspected = [t for t in new if t.id in self._suspected()]
            yield _examination(view, self._chance.pick("thing", suspected or new))

    def search(self) -> Iterator[Move]:
        """Search the place, where nobody here can tell me what I want to know.

        Once, until something changes there, and not where I hide something myself.
        """
        if self.may_search and (not self._asks_left() or self._view.place in self._suspected()):
            yield self._search()

    def suspect(self) -> Iterator[Move]:
        """Look where something I care for is said to be."""
        view = self._view
        suspected = self._suspected()
        things = [t for t in view.things if t.id in suspected]
        new = [t for t in things if t.id not in self._notebook.examined | self._kept()]
        if new:
            yield _examination(view, self._chance.pick("thing", new))
        if view.place in suspected and self.may_search:
            yield self._search()

    @property
    def may_search(self) -> bool:
        place = self._view.place
        if place in self._notebook.searched or place in self._kept():
            return False
        return bool(self._talk.open_wants or self._suspected())

    def _search(self) -> Move:
        forms = SEARCH[self._view.language]
        third, first = self._chance.pick("search", forms)
        called = self._view.names(self._view.place)
        return Move(
            action=third.format(x=called), action_first=first.format(x=called), searches=True
        )

    def _asks_left(self) -> bool:
        """Whether somebody here could still be asked something I want to know."""
        return any(
            (person.id, (want.subject, want.predicate)) not in self._notebook.asked
            for want in self._talk.open_wants
            for person in self._talk.listeners
            if self._talk.may_ask(person.id, want.subject, want.predicate)
        )

    def _kept(self) -> set[str]:
        """What the facts I keep are about."""
        facts = [f for k in self._view.keeps if (f := self._view.held(k.fact))]
        return {name for fact in facts for name in (fact.subject, fact.object)}

    def _suspected(self) -> set[str]:
        """Places and things where, as I believe by what I learned in play, something else is."""
        return {fact.object for fact in self._leads()}

    def _leads(self) -> Iterator[KnownFact]:
        view = self._view
        for fact in view.known:
            if fact.learned_turn == 0 or fact.source is None or view.me == fact.source:
                continue
            if view.kind_of(fact.object) not in ("place", "thing"):
                continue
            if view.kind_of(fact.subject) not in ("thing", "entity"):
                continue
            if view.asked_after(fact.predicate) != "place":
                continue
            if fact.object in view.believes(fact.subject, fact.predicate):
                yield fact

    # ── feet ──────────────────────────────────────────────────────────────────────────────────

    def go(self) -> Iterator[Move]:
        """Walk: after a lead, to somebody I want to tell or ask, else where I was not for longest."""
        open_ways = [exit_.place for exit_ in self._view.exits if not exit_.is_locked]
        if not open_ways:
            return
        for step in (self._after_a_lead(), self._towards_somebody()):
            if step in open_ways:
                yield Move(go=step)
        order = self._chance.shuffled("way", open_ways)
        yield Move(go=min(order, key=lambda place: self._notebook.visited.get(place, -1)))

    def _after_a_lead(self) -> PlaceId | None:
        """The next step to a place that I have a reason to look through."""
        view = self._view
        for fact in self._leads():
            if view.is_place(fact.object):
                place: str | None = fact.object
            else:
                place = (
                    None if fact.object in self._notebook.examined else view.place_of(fact.object)
                )
            if place is None or place == view.place or place in self._notebook.searched:
                continue
            if step := first_step(view.known_ways, view.place, PlaceId(place)):
                return step
        return None

    def _towards_somebody(self) -> PlaceId | None:
        """The next step towards the first of those whom I seek and may still find."""
        view, notebook = self._view, self._notebook
        here = {person.id for person in view.people}
        for who in self._sought():
            if who in here or notebook.missed.get(who, 0) >= _GIVES_UP:
                continue
            seen = notebook.seen_at.get(who)
            if seen is None or seen == view.place or self._turns_since_seen(who) < _JUST_LEFT:
                continue
            if step := first_step(view.known_ways, view.place, seen):
                return step
        return None

    def _sought(self) -> Iterator[CharacterId]:
        """Whom I want to tell, then whom I may ask, then those who are something to me."""
        view, talk = self._view, self._talk
        for wish in view.wishes:
            if fact := view.held(wish.fact):
                yield from (who for who in wish.to if not talk.has(who, fact))
        yield from self._may_know()
        missed = [w for w in view.ties if self._turns_since_seen(w) >= _MISSES]
        yield from self._chance.shuffled("whom", missed)

    def _turns_since_seen(self, who: CharacterId) -> int:
        seen = self._notebook.seen_turn.get(who)
        return 0 if seen is None else self._notebook.turn - seen

    def _may_know(self) -> Iterator[CharacterId]:
        """Those who may know what I want to know: those mixed up in it."""
        asked = self._notebook.asked
        others = list(self._notebook.seen_at)
        for want in self._talk.open_wants:
            key = (want.subject, want.predicate)
            for who in self._chance.shuffled("who may know", others):
                knows = who != want.subject and self._talk.knowers.could_know(who, want.subject)
                if knows and (who, key) not in asked:
                    yield who


def _examination(view: CharacterView, thing: ThingSeen) -> Move:
    third, first = view.examining(thing.id)
    if third is None:
        third, first = (phrase.format(x=thing.called) for phrase in LOOK[view.language])
    return Move(action=third, action_first=first or "", examines=thing.id)
