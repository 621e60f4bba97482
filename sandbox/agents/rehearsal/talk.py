"""What a rehearsing character says: answers, lies, evasions, wishes, news, rumours, questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.company import Company
from sandbox.agents.rehearsal.lying import CLOSE, lie
from sandbox.agents.rehearsal.manner import Manner
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import ASK_ABOUT, ASK_ELSEWHERE, IGNORANCE, QUOTES, SILENCE
from sandbox.story.beliefs import Standing
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim, Question
from sandbox.story.known import KnownFact
from sandbox.story.people import Keep, Occasion
from sandbox.story.predicates import IS_NAMED
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_SENDS_ON = 0.45
"""Share in which who does not know sends the asker to somebody who could."""
_TO_THE_FACE = 0.5
"""Share of what concerns a bystander that is said to that one's face, where words allow it."""
_ALONE_ENOUGH = 3
"""Listeners up to which one can speak into the ear of one of them about another."""
_WORDINGS = 3
"""Wordings tried for what was heard from others; worlds give two or three for a predicate."""


class Talk(Company):
    """The speaking options of one decision. Each yields moves, best first, or nothing."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance) -> None:
        super().__init__(view, notebook, chance)
        self.manner = Manner(view, notebook, chance)

    # ── options ───────────────────────────────────────────────────────────────────────────────

    def answer(self) -> Iterator[Move]:
        """React to the question that was put to me: tell, lie, evade, or say that I do not know."""
        pending = self._notebook.pending
        asker = self.person(pending.asker) if pending else None
        if pending is None or asker is None:
            return
        matching = self.matching(pending.question, asker)
        for fact in matching:
            if self.keep_from(fact, asker.id) is None and not self.lied_to(fact, asker):
                yield from self.tell(fact, asker, Occasion.ANSWERING)
        kept = [(f, k) for f in matching if (k := self.keep_from(f, asker.id)) is not None]
        if kept:
            fact, keep = kept[0]
            yield from self._lie(fact, keep, asker)
            yield from self.manner.whole(Occasion.KEEPING, asker, thought=keep.because)
        elif not matching:
            yield from self._not_knowing(pending.question, asker)
        else:  # there are no words for it that fit the two of us
            yield from self.manner.whole(Occasion.KEEPING, asker)
        third, first = SILENCE[self._view.language]
        yield Move(action=third, action_first=first)

    def _not_knowing(self, question: Question, asker: PersonSeen) -> Iterator[Move]:
        """Send the asker on to who could know, or say plainly that I do not."""
        language, view = self._view.language, self._view
        others = [who for who in self._notebook.seen_at if who not in (asker.id, question.subject)]
        hidden = [
            who for _, fact in self.kept for who in others if self.knowers.concerns(fact, who)
        ]
        better = [
            who
            for who in others
            if self.knowers.could_know(who, question.subject) and who not in hidden
        ]
        otherwise = list(self._chance.shuffled("ignorance", IGNORANCE[language]))
        if better and self._chance.share("send on") < _SENDS_ON:
            who = view.called(self._chance.pick("who could know", better), asker.id)
            forms = [form.format(who=who) for form in ASK_ELSEWHERE[language]]
            otherwise = [*self._chance.shuffled("elsewhere", forms), *otherwise]
        for words in otherwise:
            words = words[:1].upper() + words[1:]
            if self._notebook.is_fresh(words):
                yield Move(words=words, to=(asker.id,))
        yield from self.manner.whole(Occasion.NOT_KNOWING, asker)

    def mislead(self) -> Iterator[Move]:
        """Come in with a lie where others ask for what I keep.

        Not where it is about myself: who breaks in to speak of itself gives itself away.
        """
        for asker_id, question in self._notebook.overheard():
            asker = self.person(asker_id)
            if asker and question.subject != self._view.me:
                for fact in self.matching(question, asker):
                    if keep := self.keep_from(fact, asker_id):
                        yield from self._lie(fact, keep, asker)

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
        for want in self.open_wants:
            question = Question(subject=want.subject, predicate=want.predicate)
            for person in self._chance.shuffled("whom to ask", self.listeners):
                if self.may_ask(person.id, want.subject, want.predicate):
                    yield from self.question(want.question, question, person)

    def pass_on(self) -> Iterator[Move]:
        """Tell somebody here what, as far as I perceived, is news to them."""
        for person in self._chance.shuffled("whom to tell", self.listeners):
            for fact in self.fresh_first:
                if self.may_tell(fact, person):
                    yield from self.tell(fact, person, Occasion.TELLING)

    def rumour(self) -> Iterator[Move]:
        """Pass on to somebody close to me, with its source, what I was told of somebody not here."""
        for person in self._chance.shuffled("whom to tell", self.listeners):
            if self._view.ties.get(person.id) not in CLOSE:
                continue
            for fact in self.fresh_first:
                if self.is_striking(fact) and self.may_tell(fact, person):
                    yield from self.tell(fact, person, Occasion.TELLING, with_source=True)

    def follow_up(self) -> Iterator[Move]:
        """Ask about something that a fact of mine mentions and that I know little of."""
        people = {person.id for person in self.listeners}
        for fact in reversed(list(self._view.known)):
            for entity in (fact.object, fact.subject):
                if entity in people or not self.is_worth_asking(entity):
                    continue
                if (entity, None) in self._notebook.answered:
                    continue
                for person in self.listeners:
                    if self.knowers.could_know(person.id, entity):
                        yield from self._question_about(entity, person)

    def idle(self) -> Iterator[Move]:
        """A small thing I do, another one than lately."""
        gestures = self._view.gestures
        if gestures:
            recent = self._notebook.gestures[-(len(gestures) - 1) :] if len(gestures) > 1 else []
            fresh = [g for g in gestures if g not in recent] or list(gestures)
            yield Move(action=self._chance.pick("gesture", fresh))

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def tell(
        self, fact: KnownFact, to: PersonSeen, occasion: Occasion, *, with_source: bool = False
    ) -> Iterator[Move]:
        """Tell what I hold: as it is where I believe it, else as what somebody says.

        What concerns somebody who stands by is said to their face, or whispered, or it waits.
        """
        aside = self.must_whisper(fact, to)
        spoken_of = self.about_bystanders(fact, to)
        if spoken_of and not aside and occasion is Occasion.TELLING:
            if self._chance.share(f"to the face {fact.handle}") < _TO_THE_FACE:
                yield from self._to_the_face(fact, spoken_of)
            if len(self.listeners) > _ALONE_ENOUGH:
                return
        aside = aside or bool(spoken_of)
        is_firm = self._view.standing(fact.handle) is Standing.BELIEVED
        hedged = with_source or not is_firm
        for said in self._ways_to_say(fact, to, occasion, with_source=hedged):
            yield from self._told(fact, said, to, occasion, whisper=aside)

    def _to_the_face(self, fact: KnownFact, spoken_of: list[PersonSeen]) -> Iterator[Move]:
        """Say what a bystander did to that one, before all, where it can be put so."""
        for person in spoken_of:
            is_kept = self.keep_from(fact, person.id) or self._view.standing(fact.handle) is None
            if person.id == fact.subject and not is_kept:
                for said in self._ways_to_say(fact, person, Occasion.TELLING, with_source=False):
                    yield from self._told(fact, said, person, Occasion.TELLING, whisper=False)

    def _told(
        self, fact: KnownFact, said: str, to: PersonSeen, occasion: Occasion, *, whisper: bool
    ) -> Iterator[Move]:
        is_firm = self._view.standing(fact.handle) is Standing.BELIEVED
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
                whisper=whisper,
                tells=(claim,),
                mood=mood,
                relied_on=(fact.handle,),
            )

    def _ways_to_say(
        self, fact: KnownFact, to: PersonSeen, occasion: Occasion, *, with_source: bool
    ) -> list[str]:
        """Wordings in which neither I nor who listens is somebody else; others' words unasked only plain."""
        first = int(self._chance.share("wording") * _WORDINGS)
        say: Callable[..., str] = self._view.hearsay if with_source else self._view.voiced
        found = []
        for turn in range(first, first + _WORDINGS):
            said: str | None = say(fact.handle, to.id, turn)
            if said is not None and self._misnames(said, fact, to):
                said = self._in_person(fact, to, turn)
            if said and not (occasion is Occasion.TELLING and any(q in said for q in QUOTES)):
                found.append(said)
        return list(dict.fromkeys(found))

    def _misnames(self, said: str, fact: KnownFact, to: PersonSeen) -> bool:
        """Whether it calls me or who listens by name, where a name is not what is told."""
        if fact.predicate == IS_NAMED:
            return False
        names_me = said == fact.statement and self.knowers.names(said, self._view.me)
        return names_me or self.knowers.names(said, to.id)

    def _in_person(self, fact: KnownFact, to: PersonSeen, turn: int) -> str | None:
        """By its predicate, in the first and second person. None: it is not to be put so."""
        if {fact.subject, fact.object}.isdisjoint((self._view.me, to.id)):
            return None
        view = self._view
        said = view.asserted(fact.subject, fact.predicate, fact.object, to.id, turn)
        return said and said[:1].upper() + said[1:]

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
        told = self._notebook.just_told
        claims = self._view.told_by(told) if told else ()
        reacting = any(question.subject in (claim.subject, claim.object) for claim in claims)
        occasion = Occasion.LEARNING if reacting else Occasion.ASKING
        for phrased, mood in self.manner.phrased(words, occasion):
            yield Move(words=phrased, to=(to.id,), asks=question, mood=mood)

    def _question_about(self, entity: str, to: PersonSeen) -> Iterator[Move]:
        question = Question(subject=entity)
        templates = self._chance.shuffled(f"about {entity}", ASK_ABOUT[self._view.language])
        for template in templates:
            words = template.format(x=self._view.names(entity))
            yield from self.question(words[:1].upper() + words[1:], question, to)
