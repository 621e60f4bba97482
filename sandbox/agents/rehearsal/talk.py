"""What a rehearsing character says: answers, lies, evasions, wishes, news, rumours, questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.company import Company
from sandbox.agents.rehearsal.lying import CLOSE, lie
from sandbox.agents.rehearsal.manner import Manner
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import ASK_ABOUT, SILENCE
from sandbox.story.beliefs import Standing
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim, Question
from sandbox.story.known import KnownFact
from sandbox.story.people import Keep, Occasion
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_VOLUNTEERS = 0.6
"""Share of decisions in which somebody with a secret comes in when the talk gets near it."""
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
                for fact in self.matching(question, asker):
                    if keep := self.keep_from(fact, asker_id):
                        yield from self._lie(fact, keep, asker)
        if self._chance.share("volunteer") < _VOLUNTEERS:
            for speaker_id, subject in self._notebook.talked_of:
                if speaker := self.person(speaker_id):
                    yield from self._divert(subject, speaker)

    def _divert(self, subject: str, speaker: PersonSeen) -> Iterator[Move]:
        """Lay a false trail, once, when somebody speaks of a thing of which I keep who or where."""
        view = self._view
        for _, fact in self.kept:
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
                    whisper=self.must_whisper(fact, to),
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
