"""What a rehearsing character says: answers, evasions, news, questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import ASK_ABOUT, JOIN, SILENCE
from sandbox.story import predicates
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim, Question
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.known import KnownFact
from sandbox.story.people import Keep, Occasion, Pattern
from sandbox.story.routes import Route
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_TRIVIA = frozenset({predicates.LOCATED_IN, predicates.HELD_BY, predicates.STATE})
"""What everybody sees for themselves: told when asked, never volunteered."""
_WITH_LEAD_IN = 0.65
"""Share of lines that begin in the character's own manner."""

_LEADING = {Occasion.ASKING, Occasion.TELLING, Occasion.ANSWERING}
_REACTS = 0.6
_WORDINGS = 3
"""Wordings tried for what was heard from others; worlds give two or three for a predicate."""


class Talk:
    """The speaking options of one decision. Each yields moves, best first, or nothing."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance) -> None:
        self._view = view
        self._notebook = notebook
        self._chance = chance
        self._listeners = [p for p in view.people if view.is_attending(p.id)]

    @property
    def has_company(self) -> bool:
        return bool(self._listeners)

    def stock(self) -> int:
        """How many pieces of news I have for those here."""
        news = self._news()
        return sum(self._may_tell(fact, person) for person in self._listeners for fact in news)

    # ── options ───────────────────────────────────────────────────────────────────────────────

    def answer(self) -> Iterator[Move]:
        """React to the question that was put to me: tell, keep, or say that I do not know."""
        pending = self._notebook.pending
        if pending is None:
            return
        asker = self._person(pending.asker)
        if asker is None:
            return
        matching = self._matching(pending.question, asker)
        for fact in matching:
            if self._keep_from(fact, asker.id) is None:
                yield from self._tell(fact, asker, Occasion.ANSWERING)
        kept = [k for f in matching if (k := self._keep_from(f, asker.id)) is not None]
        if kept:
            yield from self._evade(Occasion.KEEPING, asker, thought=kept[0].because)
        elif not matching:
            yield from self._evade(Occasion.NOT_KNOWING, asker)
        third, first = SILENCE[self._view.language]
        yield Move(action=third, action_first=first)

    def wish(self) -> Iterator[Move]:
        """Tell what I want somebody here to know."""
        for wish in self._view.wishes:
            fact = self._view.held(wish.fact)
            for person in self._listeners if fact else ():
                wanted = not wish.to or person.id in wish.to
                if fact and wanted and not self._has(person.id, fact):
                    yield from self._tell(fact, person, Occasion.TELLING)

    def ask(self) -> Iterator[Move]:
        """Ask what I want to know and do not, of somebody whom I have not asked it."""
        for want in self._chance.shuffled("want", self._view.wants):
            key = (want.subject, want.predicate)
            if key in self._notebook.answered or self._view.known.saying(*key):
                continue
            question = Question(subject=want.subject, predicate=want.predicate)
            for person in self._chance.shuffled("whom to ask", self._listeners):
                if person.id != want.subject or len(self._listeners) == 1:
                    yield from self._question(want.question, question, person)

    def pass_on(self) -> Iterator[Move]:
        """Tell somebody here what, as far as I perceived, is news to them."""
        # Freshest first: what I learned in play before what I always knew.
        news = sorted(self._news(), key=lambda fact: -fact.learned_turn)
        for person in self._chance.shuffled("whom to tell", self._listeners):
            for fact in news:
                if self._may_tell(fact, person):
                    yield from self._tell(fact, person, Occasion.TELLING)

    def react(self) -> Iterator[Move]:
        """Say in my manner what I make of what I was just told."""
        told = self._notebook.just_told
        teller = self._person(getattr(told.event, "actor", CharacterId(""))) if told else None
        if teller is not None and self._chance.share("react") < _REACTS:
            yield from self._evade(Occasion.LEARNING, teller, whole=True)

    def follow_up(self) -> Iterator[Move]:
        """Ask about something that a fact of mine mentions and that I know little of."""
        people = {person.id for person in self._listeners}
        for fact in reversed(list(self._view.known)):
            for entity in (fact.object, fact.subject):
                if entity in people or not self._is_worth_asking(entity):
                    continue
                if (entity, None) in self._notebook.answered:
                    continue
                for person in self._listeners:
                    yield from self._question_about(entity, person)

    def idle(self) -> Iterator[Move]:
        """A small thing I do, another one than lately."""
        gestures = self._view.gestures
        if gestures:
            recent = self._notebook.gestures[-(len(gestures) - 1) :] if len(gestures) > 1 else []
            fresh = [g for g in gestures if g not in recent] or list(gestures)
            yield Move(action=self._chance.pick("gesture", fresh))

    # ── what may be said to whom ──────────────────────────────────────────────────────────────

    def _may_tell(self, fact: KnownFact, person: PersonSeen) -> bool:
        """Whether it is news to somebody, not their own affair, and nothing I keep from them."""
        if person.id in (fact.subject, fact.object) or self._has(person.id, fact):
            return False
        if fact.is_confided and self._person(fact.source or CharacterId("")):
            return False  # not under the eyes of who confided it
        return self._keep_from(fact, person.id) is None

    def _person(self, id_: CharacterId) -> PersonSeen | None:
        return next((p for p in self._listeners if p.id == id_), None)

    def _is_worth_asking(self, entity: str) -> bool:
        """Whether it is somebody or something else, that has a name."""
        view = self._view
        return entity != view.me and not view.is_place(entity) and view.names(entity) != entity

    def _news(self) -> list[KnownFact]:
        """What I could pass on, in order of learning; what I learned twice stands once."""
        found: dict[Proposition, KnownFact] = {}
        for fact in self._view.known:
            hearsay_of_me = fact.source is not None and fact.subject == self._view.me
            trivial = fact.route is Route.COMMON or fact.predicate in _TRIVIA
            if not trivial and not hearsay_of_me:
                found.setdefault(_key(fact), fact)
        return list(found.values())

    def _has(self, who: CharacterId, fact: KnownFact) -> bool:
        """Whether, as far as I perceived, somebody has this already."""
        return (
            fact.route is Route.COMMON
            or who in self._notebook.shared[_key(fact)]
            or fact.source == who
        )

    def _matching(self, question: Question, asker: PersonSeen) -> list[KnownFact]:
        known = self._view.known
        if question.predicate is not None:
            found: Iterable[KnownFact] = known.saying(question.subject, question.predicate)
            return [f for f in found if f.source != asker.id]
        about = [f for f in known.about(question.subject) if f.predicate not in _TRIVIA]
        return [f for f in reversed(about) if not self._has(asker.id, f)]

    def _keep_from(self, fact: KnownFact, who: CharacterId) -> Keep | None:
        """My motive to keep a fact from somebody."""
        for keep in self._view.keeps:
            kept = self._view.held(keep.fact)
            if kept and _key(kept) == _key(fact) and who not in keep.unless:
                return keep
        return None

    def _must_whisper(self, fact: KnownFact, to: PersonSeen) -> bool:
        others = [p for p in self._listeners if p.id != to.id]
        if fact.is_confided and others:
            return True
        return any(self._keep_from(fact, other.id) is not None for other in others)

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def _tell(self, fact: KnownFact, to: PersonSeen, occasion: Occasion) -> Iterator[Move]:
        for said in self._ways_to_say(fact, to):
            claim = Claim(
                subject=fact.subject, predicate=fact.predicate, object=fact.object, said=said
            )
            for pattern, words in self._phrased(said, occasion):
                yield Move(
                    words=words,
                    to=(to.id,),
                    whisper=self._must_whisper(fact, to),
                    tells=(claim,),
                    mood=self._mood(pattern),
                    relied_on=(fact.handle,),
                )

    def _ways_to_say(self, fact: KnownFact, to: PersonSeen) -> list[str]:
        first = int(self._chance.share("wording") * _WORDINGS)
        ways = [self._view.voiced(fact.handle, to.id, first + n) for n in range(_WORDINGS)]
        return list(dict.fromkeys(ways))

    def _question(self, words: str, question: Question, to: PersonSeen) -> Iterator[Move]:
        key = (question.subject, question.predicate)
        if (to.id, key) in self._notebook.asked:
            return
        reacting = self._notebook.just_told is not None
        occasion = Occasion.LEARNING if reacting else Occasion.ASKING
        for pattern, phrased in self._phrased(words, occasion):
            yield Move(words=phrased, to=(to.id,), asks=question, mood=self._mood(pattern))

    def _question_about(self, entity: str, to: PersonSeen) -> Iterator[Move]:
        question = Question(subject=entity)
        templates = self._chance.shuffled(f"about {entity}", ASK_ABOUT[self._view.language])
        for template in templates:
            words = template.format(x=self._view.names(entity))
            yield from self._question(words[:1].upper() + words[1:], question, to)

    def _evade(
        self, occasion: Occasion, to: PersonSeen, thought: str = "", *, whole: bool = False
    ) -> Iterator[Move]:
        """Say one of my manner's own sentences and no more.

        `whole`: only from patterns that lead into nothing, as their openings then stand alone.
        """
        for pattern in self._patterns(occasion):
            if whole and _LEADING & set(pattern.occasions):
                continue
            lines = [*self._view.lead_ins(pattern), *self._view.samples(pattern)]
            for words in self._chance.shuffled(f"evade {pattern.id}", lines):
                if self._notebook.is_fresh(words):
                    mood = self._mood(pattern)
                    yield Move(words=words, to=(to.id,), thought=thought, mood=mood)

    def _phrased(self, core: str, occasion: Occasion) -> Iterator[tuple[Pattern | None, str]]:
        """`core` with an opening in the character's manner, then bare, as far as that is fresh."""
        join = JOIN[self._view.language]
        if self._chance.share(f"lead-in {core}") < _WITH_LEAD_IN:
            for pattern in self._patterns(occasion):
                for opening in self._chance.shuffled(core, self._view.lead_ins(pattern)):
                    words = f"{opening}{join}{core}"
                    if opening not in self._lately() and self._notebook.is_fresh(words):
                        yield pattern, words
        if self._notebook.is_fresh(core):
            yield None, core

    def _lately(self) -> str:
        """My last lines: an opening that stands in them is not used again so soon."""
        return "\n".join(self._notebook.my_lines[-4:])

    def _patterns(self, occasion: Occasion) -> list[Pattern]:
        fitting = [p for p in self._view.patterns.values() if occasion in p.occasions]
        return self._chance.shuffled(f"pattern {occasion}", fitting)

    def _mood(self, pattern: Pattern | None) -> str:
        turned = pattern.mood_after if pattern else None
        return turned if turned and turned != self._view.mood else ""


def _key(fact: KnownFact) -> Proposition:
    return (fact.subject, PredicateId(fact.predicate), fact.object)
