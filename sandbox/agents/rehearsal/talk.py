"""What a rehearsing character says: answers, lies, evasions, wishes, news, rumours, questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.lying import CLOSE, knows_already, lie
from sandbox.agents.rehearsal.manner import Manner
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import ASK_ABOUT, SILENCE
from sandbox.story import predicates
from sandbox.story.beliefs import Standing
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim, Question
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.known import KnownFact
from sandbox.story.people import Keep, Occasion, Want
from sandbox.story.routes import Route
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_TRIVIA = frozenset({predicates.LOCATED_IN, predicates.HELD_BY, predicates.STATE})
"""What everybody sees for themselves: told when asked, never volunteered."""
_VOLUNTEERS = 0.6
"""Share of decisions in which somebody with a secret comes in when the talk gets near it."""
_WORDINGS = 3
"""Wordings tried for what was heard from others; worlds give two or three for a predicate."""


class Talk:
    """The speaking options of one decision. Each yields moves, best first, or nothing."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance) -> None:
        self._view = view
        self._notebook = notebook
        self._chance = chance
        self.manner = Manner(view, notebook, chance)
        self.listeners = [p for p in view.people if view.is_attending(p.id)]

    @property
    def has_company(self) -> bool:
        return bool(self.listeners)

    def stock(self, most: int) -> int:
        """How many pieces of news I have for those here, counted up to `most`."""
        count = 0
        for fact in self._news:
            count += sum(self._may_tell(fact, person) for person in self.listeners)
            if count >= most:
                break
        return count

    # ── options ───────────────────────────────────────────────────────────────────────────────

    def answer(self) -> Iterator[Move]:
        """React to the question that was put to me: tell, lie, evade, or say that I do not know."""
        pending = self._notebook.pending
        asker = self.person(pending.asker) if pending else None
        if pending is None or asker is None:
            return
        matching = self._matching(pending.question, asker)
        for fact in matching:
            if self.keep_from(fact, asker.id) is None and not self._lied_to(fact, asker):
                yield from self.tell(fact, asker, Occasion.ANSWERING)
        kept = [(f, k) for f in matching if (k := self.keep_from(f, asker.id)) is not None]
        if kept:
            fact, keep = kept[0]
            yield from self._lie(fact, keep, asker)
            yield from self.manner.whole(Occasion.KEEPING, asker, thought=keep.because)
        elif not matching:
            yield from self.manner.whole(Occasion.NOT_KNOWING, asker)
        third, first = SILENCE[self._view.language]
        yield Move(action=third, action_first=first)

    def mislead(self) -> Iterator[Move]:
        """Come in with a lie where others ask for what I keep, or talk of what it is about.

        Not where it is about myself: who breaks in to speak of itself gives itself away.
        """
        for asker_id, question in self._notebook.overheard():
            asker = self.person(asker_id)
            if asker and question.subject != self._view.me:
                for fact in self._matching(question, asker):
                    if keep := self.keep_from(fact, asker_id):
                        yield from self._lie(fact, keep, asker)
        if self._chance.share("volunteer") < _VOLUNTEERS:
            for speaker_id, subject in self._notebook.talked_of:
                if speaker := self.person(speaker_id):
                    yield from self._divert(subject, speaker)

    def _divert(self, subject: str, speaker: PersonSeen) -> Iterator[Move]:
        """Lay a false trail, once, when somebody speaks of a thing of which I keep who or where."""
        view = self._view
        for _, fact in self._kept:
            topic = (fact.subject, fact.predicate)
            if fact.subject != subject or topic in self._notebook.claimed:
                continue
            is_thing = view.kind_of(subject) in ("thing", "entity")
            keep = self.keep_from(fact, speaker.id)
            if keep and is_thing and view.asked_after(fact.predicate) != "other":
                yield from self._lie(fact, keep, speaker)

    def wish(self) -> Iterator[Move]:
        """Tell what I want somebody here to know."""
        for wish in self._view.wishes:
            fact = self._view.held(wish.fact)
            for person in self.listeners if fact else ():
                wanted = not wish.to or person.id in wish.to
                if fact and wanted and not self.has(person.id, fact):
                    yield from self.tell(fact, person, Occasion.TELLING)

    def ask(self) -> Iterator[Move]:
        """Ask what I want to know and do not, of somebody whom I have not asked it."""
        for want in self._chance.shuffled("want", self.open_wants):
            question = Question(subject=want.subject, predicate=want.predicate)
            tellers = {h.source for h in self._view.holds(want.subject, want.predicate)}
            for person in self._chance.shuffled("whom to ask", self.listeners):
                is_fit = person.id != want.subject or len(self.listeners) == 1
                if is_fit and person.id not in tellers:
                    yield from self.question(want.question, question, person)

    def pass_on(self) -> Iterator[Move]:
        """Tell somebody here what, as far as I perceived, is news to them."""
        for person in self._chance.shuffled("whom to tell", self.listeners):
            for fact in self._fresh_first:
                if self._may_tell(fact, person):
                    yield from self.tell(fact, person, Occasion.TELLING)

    def rumour(self) -> Iterator[Move]:
        """Pass on to somebody close to me, with its source, what I was told of somebody not here."""
        for person in self._chance.shuffled("whom to tell", self.listeners):
            if self._view.ties.get(person.id) not in CLOSE:
                continue
            for fact in self._fresh_first:
                if self._is_striking(fact) and self._may_tell(fact, person):
                    yield from self.tell(fact, person, Occasion.TELLING, with_source=True)

    def follow_up(self) -> Iterator[Move]:
        """Ask about something that a fact of mine mentions and that I know little of."""
        people = {person.id for person in self.listeners}
        for fact in reversed(list(self._view.known)):
            for entity in (fact.object, fact.subject):
                if entity in people or not self._is_worth_asking(entity):
                    continue
                if (entity, None) in self._notebook.answered:
                    continue
                for person in self.listeners:
                    yield from self._question_about(entity, person)

    def idle(self) -> Iterator[Move]:
        """A small thing I do, another one than lately."""
        gestures = self._view.gestures
        if gestures:
            recent = self._notebook.gestures[-(len(gestures) - 1) :] if len(gestures) > 1 else []
            fresh = [g for g in gestures if g not in recent] or list(gestures)
            yield Move(action=self._chance.pick("gesture", fresh))

    # ── what may be said to whom ──────────────────────────────────────────────────────────────

    @cached_property
    def open_wants(self) -> list[Want]:
        """What I want to know and believe nothing of."""
        answered, view = self._notebook.answered, self._view
        return [
            want
            for want in view.wants
            if (want.subject, want.predicate) not in answered
            and not view.believes(want.subject, want.predicate)
        ]

    def _may_tell(self, fact: KnownFact, person: PersonSeen) -> bool:
        """Whether it is news to somebody, not their own affair, and nothing I keep from them."""
        if person.id in (fact.subject, fact.object) or self.keep_from(fact, person.id) is not None:
            return False
        if self._is_confided(fact) or self._would_betray(fact, person):
            return False
        return not self.has(person.id, fact) and not self._lied_to(fact, person)

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

    def _lied_to(self, fact: KnownFact, person: PersonSeen) -> bool:
        """Whether I told somebody otherwise: then I stay with it."""
        said = self._notebook.claimed.get((fact.subject, fact.predicate))
        if said is None or not self._view.is_functional(fact.predicate):
            return False
        return any(person.id in heard for o, heard in said.items() if o != fact.object)

    def person(self, id_: CharacterId) -> PersonSeen | None:
        return next((p for p in self.listeners if p.id == id_), None)

    def _is_worth_asking(self, entity: str) -> bool:
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
    def _fresh_first(self) -> list[KnownFact]:
        """What I learned in play before what I always knew."""
        return sorted(self._news, key=lambda fact: -fact.learned_turn)

    def _is_striking(self, fact: KnownFact) -> bool:
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

    def _matching(self, question: Question, asker: PersonSeen) -> list[KnownFact]:
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
        return firm or [f for f, standing in stands if standing is not None]

    def keep_from(self, fact: KnownFact, who: CharacterId) -> Keep | None:
        """My motive to keep a fact from somebody."""
        for keep in self._keeps.get(_key(fact), ()):
            if who not in keep.unless:
                return keep
        return None

    @cached_property
    def _keeps(self) -> dict[Proposition, list[Keep]]:
        found: dict[Proposition, list[Keep]] = {}
        for keep, kept in self._kept:
            found.setdefault(_key(kept), []).append(keep)
        return found

    @cached_property
    def _kept(self) -> list[tuple[Keep, KnownFact]]:
        return [(k, fact) for k in self._view.keeps if (fact := self._view.held(k.fact))]

    def _must_whisper(self, fact: KnownFact, to: PersonSeen) -> bool:
        others = [p for p in self.listeners if p.id != to.id]
        if fact.is_confided and others:
            return True
        return any(self.keep_from(fact, other.id) is not None for other in others)

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def tell(
        self, fact: KnownFact, to: PersonSeen, occasion: Occasion, *, with_source: bool = False
    ) -> Iterator[Move]:
        """Tell what I hold: as it is where I believe it, else as what somebody says."""
        is_firm = self._view.standing(fact.handle) is Standing.BELIEVED
        for said in self._ways_to_say(fact, to, with_source=with_source or not is_firm):
            claim = Claim(
                subject=fact.subject,
                predicate=fact.predicate,
                object=fact.object,
                said=said,
                mode="claimed" if is_firm else "supposed",
            )
            for words, mood in self.manner.phrased(said, occasion):
                yield Move(
                    words=words,
                    to=(to.id,),
                    whisper=self._must_whisper(fact, to),
                    tells=(claim,),
                    mood=mood,
                    relied_on=(fact.handle,),
                )

    def _ways_to_say(self, fact: KnownFact, to: PersonSeen, *, with_source: bool) -> list[str]:
        first = int(self._chance.share("wording") * _WORDINGS)
        say: Callable[..., str] = self._view.hearsay if with_source else self._view.voiced
        return list(dict.fromkeys(say(fact.handle, to.id, first + n) for n in range(_WORDINGS)))

    def _lie(self, fact: KnownFact, keep: Keep, to: PersonSeen) -> Iterator[Move]:
        """Name another object than the one I keep; the reason stays a thought.

        Aloud where nobody here knows better or is accused by it, else into the ear of who asks.
        """
        view, here = self._view, [p.id for p in self.listeners]
        on = (view, self._notebook, self._chance, fact, to.id)
        other = lie(*on, hearers=here)
        whisper = other is None and len(here) > 1
        other = other or lie(*on, hearers=[to.id])
        if other is None:
            return
        first = int(self._chance.share("wording") * _WORDINGS)
        for turn in range(first, first + _WORDINGS):
            said = view.asserted(fact.subject, fact.predicate, other, to.id, turn)
            if said is None:
                return
            said = said[:1].upper() + said[1:]
            claim = Claim(subject=fact.subject, predicate=fact.predicate, object=other, said=said)
            for words, mood in self.manner.phrased(said, Occasion.ANSWERING):
                yield Move(
                    words=words,
                    to=(to.id,),
                    whisper=whisper,
                    tells=(claim,),
                    mood=mood,
                    thought=keep.because,
                )

    def question(self, words: str, question: Question, to: PersonSeen) -> Iterator[Move]:
        """Put a question that I have not put to this person."""
        key = (question.subject, question.predicate)
        if (to.id, key) in self._notebook.asked:
            return
        reacting = self._notebook.just_told is not None
        occasion = Occasion.LEARNING if reacting else Occasion.ASKING
        for phrased, mood in self.manner.phrased(words, occasion):
            yield Move(words=phrased, to=(to.id,), asks=question, mood=mood)

    def _question_about(self, entity: str, to: PersonSeen) -> Iterator[Move]:
        question = Question(subject=entity)
        templates = self._chance.shuffled(f"about {entity}", ASK_ABOUT[self._view.language])
        for template in templates:
            words = template.format(x=self._view.names(entity))
            yield from self.question(words[:1].upper() + words[1:], question, to)


def _key(fact: KnownFact) -> Proposition:
    return (fact.subject, PredicateId(fact.predicate), fact.object)
