"""The one gate: everything a mind may be shown of the world, through one character's eyes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sandbox.errors import BoundaryError
from sandbox.story.beats import Happened
from sandbox.story.believing import Believing
from sandbox.story.claims import Claim, Question
from sandbox.story.events import LineSpoken, Whispered
from sandbox.story.hearing import Hearer, as_heard, asked_as_heard
from sandbox.story.ids import CharacterId, FactId, PatternId
from sandbox.story.known import KnownFact
from sandbox.story.lexicon import Lexicon, lexicon_of
from sandbox.story.people import Character, Keep, Pattern, Want, Wish
from sandbox.story.percepts import Episode, Percept, taken_by
from sandbox.story.phrases import kind_in_words, reported, sourced
from sandbox.story.predicates import SAID_ABOUT
from sandbox.story.telling.held import as_held
from sandbox.story.telling.reading import Reading
from sandbox.story.telling.told import told_by
from sandbox.story.withdrawing import index_of
from sandbox.story.wording import remembered
from sandbox.story.world import MoodTurn


class CharacterView(Believing):
    """What one character has of the world: itself, its percepts, facts, episodes, patterns.

    Made from a world and a character. Minds are given this and nothing else, so what a character
    did not learn is not there to be filtered.
    """

    # ── itself ────────────────────────────────────────────────────────────────────────────────

    @property
    def _self(self) -> Character:
        return self._world.canon.cast[self.me]

    @property
    def name(self) -> str:
        return self._self.name

    @property
    def looks(self) -> tuple[str, ...]:
        return self._now(self._self.public)

    @property
    def secrets_of_self(self) -> tuple[str, ...]:
        return self._now(self._self.private)

    @property
    def conduct(self) -> tuple[str, ...]:
        return self._now(self._self.conduct)

    @property
    def goals(self) -> tuple[str, ...]:
        return self._now(self._self.goals)

    @property
    def gestures(self) -> tuple[str, ...]:
        return self._now(self._self.gestures)

    @property
    def mood(self) -> str:
        return self._world.moods[self.me]

    @property
    def wants(self) -> list[Want]:
        return [want for want in self._self.wants if self._holds(want)]

    @property
    def wishes(self) -> list[Wish]:
        """Wishes about facts the character knows; one about another fact has nothing to tell."""
        return [w for w in self._self.wishes if self._holds(w) and self.held(w.fact)]

    @property
    def keeps(self) -> list[Keep]:
        """Motives to hide facts the character knows."""
        return [k for k in self._self.keeps if self._holds(k) and self.held(k.fact)]

    def held(self, fact: FactId) -> KnownFact | None:
        """A fact as the character holds it, be it that it was told the same; None: it does not."""
        if fact not in self.known:
            if fact not in self._world.facts:
                return None
            said = self._world.propositions[self.me].get(self._world.facts[fact].proposition)
            if not said:
                return None
            fact = said[0]
        return self.known.pick([fact])[0]

    @cached_property
    def relations(self) -> list[tuple[CharacterId, str]]:
        """What the character is to others, in its own words: (other, text)."""
        return [
            (r.to, r.text or kind_in_words(self.language, r.kind))
            for r in self._self.relations
            if self._holds(r)
        ]

    @cached_property
    def patterns(self) -> dict[PatternId, Pattern]:
        """Its patterns that hold at the start point, then those it took on in play."""
        own = self._world.canon.patterns_by_id.items()
        held = {id_: p for id_, p in own if p.owner == self.me and self._holds(p)}
        return held | {PatternId(p.id): p for p in self._world.grown[self.me]}

    @property
    def last_pattern(self) -> PatternId | None:
        """The pattern it acted by last. None: none so far."""
        return self._world.last_pattern.get(self.me)

    @property
    def mood_turns(self) -> Sequence[MoodTurn]:
        """How its mood turned in play, in order."""
        return self._world.mood_turns[self.me]

    def samples(self, pattern: Pattern) -> tuple[str, ...]:
        return self._now(pattern.samples)

    def lead_ins(self, pattern: Pattern) -> tuple[str, ...]:
        return self._now(pattern.lead_ins)

    # ── what it lived through ─────────────────────────────────────────────────────────────────

    @property
    def episodes(self) -> Sequence[Episode]:
        return self._world.episodes[self.me]

    def memory(self, id_: str) -> str:
        """The text of one of the character's own percepts or episodes.

        Raises:
            BoundaryError: it has none of that id; its collection holds something that is not its own.
        """
        if (found := self._percept(id_)) is not None:
            return self.worded(found)
        for episode in reversed(self.episodes):
            if episode.id == id_:
                return episode.text
        raise BoundaryError(
            f"memory of `{self.me}`: holds something it never lived through. "
            "Delete the save's `memory` folder; it comes back from the journal."
        )

    def lived(self, id_: str) -> Percept | Episode | None:
        """One of the character's own percepts or episodes; None: it has none of that id."""
        if (found := self._percept(id_)) is not None:
            return found
        return next((e for e in reversed(self.episodes) if e.id == id_), None)

    def _percept(self, id_: str) -> Percept | None:
        prefix, _, rest = id_.partition(":")
        seq, _, index = rest.partition(".")
        if prefix != "percept" or not (seq.isdecimal() and index.isdecimal()):
            return None
        at = index_of(self.percepts, (int(seq), int(index)), _position)
        return None if at is None else self.percepts[at]

    def worded(self, percept: Percept) -> str:
        """A percept in the character's first person; empty where it has no words."""
        return remembered(percept, self._world.names(self.me))

    def hearer(self, percept: Percept) -> Hearer:
        """Whom the character could not place, then."""
        return Hearer(percept.strangers, taken_by(percept.happened, self.me))

    def told_by(self, percept: Percept) -> tuple[Claim, ...]:
        """What a line told, as the character heard it; its own lines as it meant them."""
        line, hearer = percept.event, self.hearer(percept)
        if not isinstance(line, LineSpoken | Whispered):
            return ()
        if line.actor == self.me:
            return line.tells
        return tuple(as_heard(c, line.words, self._world.canon, hearer) for c in line.tells)

    def asked_by(self, percept: Percept) -> Question | None:
        """What a line asked for, as the character heard it."""
        line = percept.event
        if not isinstance(line, LineSpoken | Whispered) or line.asks is None:
            return None
        if line.actor == self.me:
            return line.asks
        return asked_as_heard(line.asks, line.words, self._world.canon, self.hearer(percept))

    def took_in(self, who: CharacterId, percept: Percept) -> bool:
        """Whether, by what the character perceived, `who` took the event in as fully as itself."""
        happened: Happened = percept.happened
        if who not in percept.noticed:
            return False
        if isinstance(happened.event, Whispered):
            return who == happened.event.actor or who in happened.event.targets
        return True

    # ── whom and what words name ──────────────────────────────────────────────────────────────

    @cached_property
    def lexicon(self) -> Lexicon:
        """The names it knows, of people, things, places and whatever else."""
        here = [*(p.id for p in self.people), *(t.id for t in self.things)]
        wanted = (want.subject for want in self.wants if self._is_named_in(want))
        return lexicon_of(self._world, self.known, [*here, *wanted])

    def _is_named_in(self, want: Want) -> bool:
        """Whether its question says the name: one may wonder about what one has no name for."""
        names, said = self._world.canon.names.get(want.subject, ()), want.question.casefold()
        return any(name.casefold().removeprefix("the ") in said for name in names)

    def named_in(self, text: str) -> tuple[str, ...]:
        """Whom and what a text names that the character knows by that name, in order, each once."""
        return tuple(dict.fromkeys(naming.entity for naming in self.lexicon.find(text)))

    # ── in its own words ──────────────────────────────────────────────────────────────────────

    def told_in(self, words: str, to: Sequence[CharacterId]) -> tuple[Claim, ...]:
        """What words of the character's own tell, as far as it holds anything of what they tell.

        For minds with a model: people and scripts may tell whatever they like.
        """
        return tuple(as_held(told_by(words, self.me, to, self._world), self.is_held))

    def reading(self, to: Sequence[CharacterId]) -> Reading:
        """What the character says to others, read with no regard to what is true."""
        return Reading(self._world, self.me, to)

    def voiced(self, fact: FactId, listener: CharacterId | None = None, turn: int = 0) -> str:
        """How the character says a fact it knows, to `listener`; `turn` picks among wordings.

        Raises:
            BoundaryError: it does not know it.
        """
        (known,) = self.known.pick([fact])
        canon = self._world.facts[fact].canon
        if canon is None:
            return self._passed_on(known, listener, turn)
        if listener == canon.subject and canon.to_subject:
            return canon.to_subject
        return canon.voiced.get(self.me, known.statement)

    def hearsay(self, fact: FactId, listener: CharacterId, turn: int = 0) -> str:
        """How the character passes on a fact with who told it; what nobody told, as it says it itself.

        Raises:
            BoundaryError: it does not know it.
        """
        (known,) = self.known.pick([fact])
        if known.source is None or self._world.facts[fact].canon is not None:
            return self.voiced(fact, listener, turn)
        who = self.called(known.source, listener)
        plain = self._in_own_words(known, listener, turn)
        if plain is None or known.source in (known.subject, known.object):
            return reported(self.language, who, known.statement, turn)
        return sourced(self.language, who, plain, turn)

    def _passed_on(self, known: KnownFact, listener: CharacterId | None, turn: int) -> str:
        """Hearsay: in words of one's own where all they name was said, else as reported speech.

        The teller's own sentence would be wrong in another mouth: its "I" is somebody else.
        """
        if known.source is None:
            return known.statement
        if (plain := self._in_own_words(known, listener, turn)) is None:
            who = self.called(known.source, listener)
            return reported(self.language, who, known.statement, turn)
        return plain[:1].upper() + plain[1:]

    def _in_own_words(
        self, known: KnownFact, listener: CharacterId | None, turn: int
    ) -> str | None:
        """By a wording of its predicate. None: it names what was not named, or needs another person."""
        named = (known.subject, known.object)
        if known.predicate == SAID_ABOUT or not all(self._was_named(n, known) for n in named):
            return None
        return self.asserted(known.subject, known.predicate, known.object, listener, turn)

    def _was_named(self, entity: str, known: KnownFact) -> bool:
        """Whether a sentence heard names somebody or something, or its teller spoke of itself."""
        if entity in (known.source, self.me):
            return True
        names = self._world.canon.names.get(entity, (entity,))
        return any(name.casefold() in known.statement.casefold() for name in names)


def _position(percept: Percept) -> tuple[int, int]:
    return percept.beat.seq, percept.index
