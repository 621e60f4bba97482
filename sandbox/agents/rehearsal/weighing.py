"""What a rehearsing character makes of what it was told: it takes it in, doubts it, asks somebody else."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.lying import CLOSE
from sandbox.agents.rehearsal.notebook import Notebook, Topic
from sandbox.agents.rehearsal.phrases import CONFIRM, DOUBT, RECONCILE
from sandbox.agents.rehearsal.talk import Talk
from sandbox.story import predicates
from sandbox.story.beliefs import Standing
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim, Question
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact
from sandbox.story.people import Occasion
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_REACTS = 0.6
"""Share of news that somebody remarks on, if it believes it."""
_ASKS = 2
"""People asked about one doubtful thing, after which one lives with the doubt."""
_TRIVIA = frozenset({*predicates.built_in("en")})


class Weighing:
    """The options of one decision that judge what others said."""

    def __init__(self, view: CharacterView, notebook: Notebook, chance: Chance, talk: Talk) -> None:
        self._view = view
        self._notebook = notebook
        self._chance = chance
        self._talk = talk

    def react(self) -> Iterator[Move]:
        """Say in my manner what I make of what I was just told."""
        if (teller := self._teller()) is None:
            return
        if self.is_doubtful:
            otherwise = DOUBT[self._view.language]
            yield from self._talk.manner.whole(Occasion.DOUBTING, teller, otherwise=otherwise)
        elif self._chance.share("react") < _REACTS:
            yield from self._talk.manner.whole(Occasion.LEARNING, teller, alone=True)

    def take_in(self) -> Iterator[Move]:
        """Remark on what befell this place, was found before me, or was said of me, and on nothing else."""
        struck, here = self._notebook.struck, self._talk.listeners
        if struck is None or not here:
            return
        by = self._talk.person(getattr(struck.event, "actor", None) or CharacterId(""))
        yield from self._talk.manner.whole(Occasion.LEARNING, by or here[0], alone=True)

    @property
    def is_doubtful(self) -> bool:
        """Whether I was just told something that I do not believe."""
        told = self._notebook.just_told
        claims: tuple[Claim, ...] = getattr(told.event, "tells", ()) if told else ()
        view = self._view
        return any(
            c.mode == "claimed" and c.object not in view.believes(c.subject, c.predicate)
            for c in claims
        )

    def _teller(self) -> PersonSeen | None:
        told = self._notebook.just_told
        return self._talk.person(getattr(told.event, "actor", CharacterId(""))) if told else None

    def ask_another(self) -> Iterator[Move]:
        """Ask somebody else about a doubtful answer, or about two that do not agree."""
        for topic, tellers in self._unsettled():
            for person in self._chance.shuffled("whom to ask", self._talk.listeners):
                if person.id not in tellers and self._talk.may_ask(person.id, *topic):
                    yield from self._asked(topic, tellers, person)

    def _asked(self, topic: Topic, tellers: list[CharacterId], to: PersonSeen) -> Iterator[Move]:
        if (asked := self._view.question(*topic, to.id)) is None:
            return
        language, names = self._view.language, [self._view.called(t, to.id) for t in tellers]
        if len(tellers) > 1:
            forms = [f.format(a=names[0], b=names[1], q=asked) for f in RECONCILE[language]]
        else:
            forms = [f.format(who=names[0], q=asked) for f in CONFIRM[language]]
        question = Question(subject=topic[0], predicate=topic[1])
        if any(self._talk.person(teller) for teller in tellers):
            forms = [asked]  # not before those whose word I doubt
        for words in self._chance.shuffled(f"form {topic}", forms):
            words = words[:1].upper() + words[1:]
            yield from self._talk.question(words, question, to)

    def _matters(self, fact: KnownFact) -> bool:
        """Whether it is what I wanted to know, or of somebody close to me."""
        ties = self._view.ties
        wanted = {(want.subject, want.predicate) for want in self._view.wants}
        close = (ties.get(CharacterId(id_)) in CLOSE for id_ in (fact.subject, fact.object))
        return (fact.subject, fact.predicate) in wanted or any(close)

    def _unsettled(self) -> Iterator[tuple[Topic, list[CharacterId]]]:
        """What I was told in play and cannot settle, the latest first, with who told it."""
        view, seen = self._view, set[Topic]()
        for fact in reversed(list(view.known)):
            topic = (fact.subject, fact.predicate)
            if fact.source is None or topic in seen or fact.predicate in _TRIVIA:
                continue
            seen.add(topic)
            if view.me in (fact.subject, fact.object):
                continue
            held = view.holds(*topic)
            tellers = list(dict.fromkeys(h.source for h in held if h.source))
            if any(h.source is None for h in held) or not tellers or not self._matters(fact):
                continue
            if sum((who, topic) in self._notebook.asked for who in self._notebook.seen_at) >= _ASKS:
                continue
            told = {h.object for h in held if h.standing is not Standing.DOUBTED}
            disagree = view.is_functional(fact.predicate) and len(told) > 1
            if disagree and len(tellers) > 1:
                yield topic, tellers[-2:]
            elif not view.believes(*topic):
                yield topic, tellers[-1:]
