"""Whom a rehearsing character has before it, and what it may say to whom."""

from __future__ import annotations

from functools import cached_property

from sandbox.agents.rehearsal.knowers import Knowers
from sandbox.agents.rehearsal.lying import CLOSE, knows_already
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.story import predicates
from sandbox.story.beliefs import Standing
from sandbox.story.chance import Chance
from sandbox.story.claims import Question
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.known import KnownFact
from sandbox.story.people import Keep, Want
from sandbox.story.routes import Route
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_TRIVIA = frozenset({predicates.LOCATED_IN, predicates.HELD_BY, predicates.STATE})
"""What everybody sees for themselves: told when asked, never volunteered."""
_FIRST_THINGS_FIRST = 0.85
"""Share of decisions in which one's wants come in the order in which the world lists them."""


class Company:
    """Those who listen at one decision, as the character sees them, and its tact towards them."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance) -> None:
        self._view = view
        self._notebook = notebook
        self._chance = chance
        self.listeners = [p for p in view.people if view.is_attending(p.id)]

    @property
    def has_company(self) -> bool:
        return bool(self.listeners)

    @cached_property
    def knowers(self) -> Knowers:
        return Knowers(self._view, self.has)

    def may_ask(self, who: CharacterId, subject: str, predicate: PredicateId) -> bool:
        """Whether somebody could know it, did not tell me, and is not talked of behind their back.

        Nobody is asked of somebody else who stands by, nor of itself in the third person.
        """
        if self.person(CharacterId(subject)) is not None:
            return False
        tellers = {held.source for held in self._view.holds(subject, predicate)}
        return who not in tellers and self.knowers.fit_to_ask(who, subject)

    def about_bystanders(self, fact: KnownFact, to: PersonSeen) -> list[PersonSeen]:
        """Those who would hear themselves spoken of in the third person."""
        others = [person for person in self.listeners if person.id != to.id]
        return [person for person in others if self.knowers.concerns(fact, person.id)]

    def stock(self, most: int) -> int:
        """How many pieces of news I have for those here, counted up to `most`."""
        count = 0
        for fact in self._news:
            count += sum(self.may_tell(fact, person) for person in self.listeners)
            if count >= most:
                break
        return count

    @cached_property
    def open_wants(self) -> list[Want]:
        """What I want to know and have heard nothing of, mostly in order of weight."""
        answered, view = self._notebook.answered, self._view
        in_order = self._chance.share("weight") < _FIRST_THINGS_FIRST
        return [
            want
            for want in (view.wants if in_order else self._chance.shuffled("want", view.wants))
            if (want.subject, want.predicate) not in answered
            and not view.holds(want.subject, want.predicate)
        ]

    def may_tell(self, fact: KnownFact, person: PersonSeen) -> bool:
        """Whether it is news to somebody, not their own affair, and nothing I keep from them."""
        if person.id in (fact.subject, fact.object) or self.keep_from(fact, person.id) is not None:
            return False
        if self._is_confided(fact) or self._would_betray(fact, person):
            return False
        return not self.has(person.id, fact) and not self.lied_to(fact, person)

    def _is_confided(self, fact: KnownFact) -> bool:
        """Whether it was whispered to me by a friend or by somebody here, or a friend's own affair."""
        source = fact.source or CharacterId("")
        if self._view.ties.get(source) in CLOSE:
            return fact.is_confided or fact.subject == source
        return fact.is_confided and self.person(source) is not None

    def _would_betray(self, fact: KnownFact, person: PersonSeen) -> bool:
        """Whether it is about a friend, and that friend is here, or the listener not to be trusted."""
        if fact.learned_turn == 0:
            return False
        ids = (CharacterId(fact.subject), CharacterId(fact.object))
        friends = [id_ for id_ in ids if self._view.ties.get(id_) in CLOSE]
        is_here = any(self.person(friend) for friend in friends)
        return is_here or (bool(friends) and not self._view.trusts(person.id))

    def lied_to(self, fact: KnownFact, person: PersonSeen) -> bool:
        """Whether I told somebody otherwise: then I stay with it."""
        said = self._notebook.claimed.get((fact.subject, fact.predicate))
        if said is None or not self._view.is_functional(fact.predicate):
            return False
        return any(person.id in heard for o, heard in said.items() if o != fact.object)

    def person(self, id_: CharacterId) -> PersonSeen | None:
        return next((p for p in self.listeners if p.id == id_), None)

    def is_worth_asking(self, entity: str) -> bool:
        """Whether it is somebody or something else, that has a name."""
        view = self._view
        return entity != view.me and not view.is_place(entity) and view.names(entity) != entity

    @cached_property
    def _news(self) -> list[KnownFact]:
        """What I could pass on, in order of learning; what I learned twice stands once."""
        found: dict[Proposition, KnownFact] = {}
        for fact in self._view.known:
            hearsay_of_me = fact.source is not None and fact.subject == self._view.me
            trivial = fact.route is Route.COMMON or fact.predicate in _TRIVIA
            is_known = trivial or hearsay_of_me or _key(fact) in found
            if not is_known and self._view.standing(fact.handle) is not None:
                found[_key(fact)] = fact
        return list(found.values())

    @cached_property
    def fresh_first(self) -> list[KnownFact]:
        """What I learned in play before what I always knew."""
        return sorted(self._news, key=lambda fact: -fact.learned_turn)

    def is_striking(self, fact: KnownFact) -> bool:
        """Whether I was told it, of somebody else who is not here."""
        view = self._view
        people = [id_ for id_ in (fact.subject, fact.object) if view.kind_of(id_) == "character"]
        if fact.source is None or not people or view.me in people:
            return False
        return not any(self.person(CharacterId(who)) for who in people)

    def has(self, who: CharacterId, fact: KnownFact) -> bool:
        """Whether, as far as I perceived, somebody has this already."""
        if fact.route is Route.COMMON or fact.source == who:
            return True
        return knows_already(self._view, self._notebook, who, fact)

    def matching(self, question: Question, asker: PersonSeen) -> list[KnownFact]:
        """What I hold that answers a question: what I believe, else what I merely heard."""
        view = self._view
        subject, predicate = question.subject, question.predicate
        if predicate is None:
            about = [f for f in view.known.about(subject) if f.predicate not in _TRIVIA]
            found = [f for f in reversed(about) if not self.has(asker.id, f)]
        else:
            inverse = view.inverse_of(predicate)
            found = [
                f
                for f in view.known
                if f.source != asker.id
                and (
                    (f.subject, f.predicate) == (subject, predicate)
                    or (f.object, f.predicate) == (subject, inverse)
                )
            ]
        stands = [(f, view.standing(f.handle)) for f in found]
        firm = [f for f, standing in stands if standing is Standing.BELIEVED]
        return firm or [f for f, standing in stands if standing and self._is_word_to(f, asker)]

    def _is_word_to(self, fact: KnownFact, asker: PersonSeen) -> bool:
        """Whether somebody has not yet heard what I can only give as another's word."""
        heard = self._notebook.hinted.get(_key(fact), ())
        return asker.id not in heard and not self.has(asker.id, fact)

    def keep_from(self, fact: KnownFact, who: CharacterId) -> Keep | None:
        """My motive to keep a fact from somebody."""
        for keep in self._keeps.get(_key(fact), ()):
            if who not in keep.unless:
                return keep
        return None

    @cached_property
    def _keeps(self) -> dict[Proposition, list[Keep]]:
        found: dict[Proposition, list[Keep]] = {}
        for keep, kept in self.kept:
            found.setdefault(_key(kept), []).append(keep)
        return found

    @cached_property
    def kept(self) -> list[tuple[Keep, KnownFact]]:
        return [(k, fact) for k in self._view.keeps if (fact := self._view.held(k.fact))]

    def must_whisper(self, fact: KnownFact, to: PersonSeen) -> bool:
        others = [p for p in self.listeners if p.id != to.id]
        if fact.is_confided and others:
            return True
        return any(self.keep_from(fact, other.id) is not None for other in others)


def _key(fact: KnownFact) -> Proposition:
    return (fact.subject, PredicateId(fact.predicate), fact.object)
