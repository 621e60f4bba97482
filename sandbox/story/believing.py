"""What a character believes, how far it trusts, and what it thinks others know: read off its own evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from sandbox.errors import BoundaryError
from sandbox.story import beliefs
from sandbox.story.beliefs import BELIEVES_FROM, Standing, entries
from sandbox.story.facts import Fact, Mode
from sandbox.story.ids import CharacterId, FactId, PredicateId
from sandbox.story.known import KnownFact
from sandbox.story.persons import in_person
from sandbox.story.phrases import asked_after
from sandbox.story.predicates import IS_NAMED, OF_SIGHT
from sandbox.story.surroundings import Surroundings

Kind = Literal["character", "place", "thing", "entity", "text"]


@dataclass(frozen=True)
class Held:
    """One thing a character holds of a subject and predicate, without what it rests on."""

    object: str
    source: CharacterId | None
    """Who told it. None: seen, or known before."""
    standing: Standing


class Believing(Surroundings):
    """The part of a character's view that judges what it learned.

    Every chain of beliefs asked here begins with the character itself: what another thinks can be
    asked as it sees it, and never from that other's side (DESIGN section 5).
    """

    def holds(self, subject: str, predicate: PredicateId) -> tuple[Held, ...]:
        """What the character learned of a subject and predicate, in order. Denials are no answers."""
        key = ("holds", self.me, subject, predicate)
        version = self._version(subject, predicate)
        kept = self._world.memo.get(key)
        if kept is None or kept[0] != version:
            kept = self._world.memo[key] = (version, self._held(subject, predicate))
        found: tuple[Held, ...] = kept[1]
        return found

    def _version(self, subject: str, predicate: PredicateId) -> tuple[int, int]:
        """How much evidence there is: what is held changes with it and with nothing else."""
        world = self._world
        turned = world.canon.predicates[predicate].inverse
        inverse = len(world.evidence_about(subject)) if turned else 0
        return len(world.evidence.get((subject, predicate), ())), inverse

    def _held(self, subject: str, predicate: PredicateId) -> tuple[Held, ...]:
        learned = entries(self._world, (self.me,), subject, predicate)
        return tuple(
            Held(e.object, e.evidence.teller, e.standing)
            for e in learned
            if e.evidence.fact.mode is not Mode.DENIED
        )

    def is_held(self, subject: str, predicate: PredicateId) -> bool:
        """Whether it holds any value there: told, denied or guessed ones, too, or before its eyes."""
        graph, turned = self.known.graph, self._world.canon.predicates[predicate].inverse
        own = graph.saying(subject, predicate, len(graph))
        inverse = graph.saying(subject, turned, len(graph)) if turned else []
        return (
            any(edge.subject == subject for edge in own)
            or any(edge.object == subject for edge in inverse)
            or (predicate == IS_NAMED and self._is_known_by_name(subject))
            or (predicate in OF_SIGHT and self._is_in_sight(subject))
        )

    def _is_known_by_name(self, id_: str) -> bool:
        return id_ in self._world.canon.cast and id_ not in self.names.strangers

    def _is_in_sight(self, id_: str) -> bool:
        return id_ == self.me or id_ in self.in_sight

    def believes(self, subject: str, predicate: PredicateId) -> tuple[str, ...]:
        """The objects it believes, in order of learning; at most one for a functional predicate."""
        held = self.holds(subject, predicate)
        good = (h.object for h in held if h.standing is Standing.BELIEVED)
        return tuple(dict.fromkeys(good))

    def standing(self, fact: FactId) -> Standing | None:
        """How a fact it holds stands with it. None: it was told that it is not so.

        Raises:
            BoundaryError: it does not hold it.
        """
        held = self._own(fact)
        if held.mode is Mode.DENIED:
            return None
        found = [h for h in self.holds(held.subject, held.predicate) if h.object == held.object]
        if any(h.standing is Standing.BELIEVED for h in found):
            return Standing.BELIEVED
        return found[-1].standing if found else Standing.NOTED

    def thinks_knows(self, other: CharacterId, fact: FactId) -> bool:
        """Whether, as the character perceived the other, that one learned (or tells) a fact it holds.

        Raises:
            BoundaryError: the character does not hold it.
        """
        held = self._own(fact)
        topic = (held.subject, held.predicate)
        key, version = ("thinks", self.me, other, held.proposition), self._version(*topic)
        kept = self._world.memo.get(key)
        if kept is None or kept[0] != version:
            known = beliefs.thinks_knows(self._world, (self.me, other), *topic, held.object)
            kept = self._world.memo[key] = (version, known)
        return bool(kept[1])

    def place_of(self, thing: str) -> str | None:
        """The place it believes a thing to be in, however deep in containers. None: no idea."""
        return beliefs.place_believed(self._world, (self.me,), thing)

    def _own(self, fact: FactId) -> Fact:
        if fact not in self.known:
            raise BoundaryError(f"`{self.me}` does not know a fact that was asked for.")
        return self._world.facts[fact]

    # ── others, as it takes them ──────────────────────────────────────────────────────────────

    def trust_in(self, other: CharacterId) -> float:
        """How far it believes another, as a share in [0, 1]."""
        return self._world.canon.cast[self.me].trust.get(other, 1.0)

    def trusts(self, other: CharacterId) -> bool:
        """Whether it believes what another says."""
        return self.trust_in(other) >= BELIEVES_FROM

    @cached_property
    def ties(self) -> Mapping[CharacterId, str]:
        """What others are to it: `friend`, `rival` and so on."""
        relations = self._world.canon.cast[self.me].relations
        return {r.to: r.kind for r in relations if self._holds(r)}

    # ── the language it shares with all ───────────────────────────────────────────────────────

    def kind_of(self, id_: str) -> Kind:
        """What an id it has heard of stands for; `text`: it is no id."""
        canon = self._world.canon
        if id_ in canon.cast:
            return "character"
        if id_ in canon.places_by_id:
            return "place"
        if id_ in canon.things_by_id:
            return "thing"
        return "entity" if id_ in canon.names else "text"

    @property
    def wordings(self) -> Mapping[PredicateId, tuple[str, ...]]:
        """How each predicate of the language is said: its question, if it has one, comes last."""
        key = "wordings"
        if (kept := self._world.memo.get(key)) is None:
            kept = self._world.memo[key] = {
                id_: (*p.wordings, p.question) if p.question else p.wordings
                for id_, p in self._world.canon.predicates.items()
            }
        found: Mapping[PredicateId, tuple[str, ...]] = kept
        return found

    def asks_by(self, predicate: PredicateId) -> str:
        """The question of a predicate, with `{s}`; empty where it has none."""
        return self._world.canon.predicates[predicate].question or ""

    def inverse_of(self, predicate: PredicateId) -> PredicateId | None:
        return self._world.canon.predicates[predicate].inverse

    def is_functional(self, predicate: PredicateId) -> bool:
        """Whether a subject has at most one object at a time."""
        return self._world.canon.predicates[predicate].functional

    def subject_kind(self, predicate: PredicateId) -> str:
        """Kind of subject a predicate takes: a kind, or `any`."""
        return self._world.canon.predicates[predicate].subject

    def object_kind(self, predicate: PredicateId) -> str:
        """Kind of object a predicate takes: a kind, or `any`."""
        return self._world.canon.predicates[predicate].object

    def asked_after(self, predicate: PredicateId) -> Literal["person", "place", "other"]:
        """What a question by a predicate asks for, by its question word."""
        question = self._world.canon.predicates[predicate].question
        return asked_after(self.language, question or "")

    def question(self, subject: str, predicate: PredicateId, to: CharacterId) -> str | None:
        """The predicate's own question, as the character puts it to another. None: it has none."""
        question = self._world.canon.predicates[predicate].question
        if question is None:
            return None
        said = question.format(s=self.called(subject, to))
        return said[:1].upper() + said[1:]

    def asserted(
        self,
        subject: str,
        predicate: PredicateId,
        object_: str,
        to: CharacterId | None,
        turn: int = 0,
    ) -> str | None:
        """A sentence for what the character says to be so; `turn` picks among wordings.

        It begins with a capital only where it begins with a name. None: it is about speaker or
        listener, and no wording can be put in their person.
        """
        wordings: Sequence[str] = self._world.canon.predicates[predicate].wordings
        persons = {
            slot: p
            for slot, id_ in (("s", subject), ("o", object_))
            if (p := self._person(id_, to))
        }
        if persons:
            wordings = list(in_person(self.language, wordings, persons))
        if not wordings:
            return None
        wording = wordings[turn % len(wordings)]
        # Who is told a name is told whose it is by what it sees of them.
        is_name = predicate == IS_NAMED and subject in self._world.canon.cast
        shown = self.names.by_looks(CharacterId(subject)) if is_name else self.called(subject, to)
        start = wording[:1] if wording.startswith("I ") else wording[:1].lower()
        return (start + wording[1:]).format(s=shown, o=self.called(object_, to))

    def called(self, id_: str, to: CharacterId | None) -> str:
        """What the character calls somebody or something before another.

        A name that is not everybody's, and that it does not think the other knows, stays unsaid.
        """
        if (
            to is None
            or id_ == to
            or self.kind_of(id_) != "character"
            or id_ in self.names.strangers
        ):
            return self.names(id_)
        names = [f for f in self._names_learned if f.subject == id_]
        if not names or any(self.thinks_knows(to, f.handle) for f in names):
            return self.names(id_)
        return self.names.by_looks(CharacterId(id_))

    @cached_property
    def _names_learned(self) -> list[KnownFact]:
        return [f for f in self.known if f.predicate == IS_NAMED]

    def _person(self, id_: str, to: CharacterId | None) -> int:
        """1: the speaker; 2: the listener; 0: somebody or something else."""
        return 1 if id_ == self.me else 2 * (to is not None and id_ == to)
