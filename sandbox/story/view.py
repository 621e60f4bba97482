"""The one gate: everything a mind may be shown of the world, through one character's eyes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from sandbox.errors import BoundaryError
from sandbox.story.canon import Character, Keep, Language, Pattern, Spanned, Timed, Want, Wish
from sandbox.story.events import Detail, Entered, Happened, Left, LineSpoken, SceneOpened, Whispered
from sandbox.story.ids import CharacterId, FactId, PatternId, PlaceId, ThingId
from sandbox.story.known import KnownFact, KnownFacts, worded
from sandbox.story.percepts import Episode, Names, Percept
from sandbox.story.predicates import SAID_ABOUT
from sandbox.story.wording import kind_in_words, remembered, reported, state_in_words
from sandbox.story.world import World

Id = TypeVar("Id", bound=str)


@dataclass(frozen=True)
class PersonSeen:
    """Somebody here, as the viewer sees them."""

    id: CharacterId
    called: str
    looks: str


@dataclass(frozen=True)
class Exit:
    place: PlaceId
    called: str
    is_locked: bool


@dataclass(frozen=True)
class ThingSeen:
    id: ThingId
    called: str


class CharacterView:
    """What one character has of the world: itself, its percepts, facts, episodes, patterns.

    Made from a world and a character. Minds are given this and nothing else, so what a character
    did not learn is not there to be filtered.
    """

    def __init__(self, world: World, me: CharacterId) -> None:
        self._world = world
        self.me = me
        self.known = KnownFacts(world, me)

    @property
    def language(self) -> Language:
        return self._world.canon.language

    @property
    def names(self) -> Names:
        """What the character calls others now."""
        return self._world.names(self.me)

    @property
    def clock(self) -> int:
        return self._world.clock

    # ── itself ────────────────────────────────────────────────────────────────────────────────

    @property
    def _self(self) -> Character:
        return self._world.canon.cast[self.me]

    def _now(self, texts: tuple[Timed, ...]) -> tuple[str, ...]:
        return self._world.canon.at(texts, self._world.start)

    def _holds(self, item: Spanned) -> bool:
        return self._world.canon.holds(item, self._world.start)

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

    def relation_to(self, other: CharacterId) -> str | None:
        """Kind of relation the character has to `other`."""
        found = [r.kind for r in self._self.relations if r.to == other and self._holds(r)]
        return found[-1] if found else None

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
        """Its patterns that hold at the start point."""
        own = self._world.canon.patterns_by_id.items()
        return {id_: p for id_, p in own if p.owner == self.me and self._holds(p)}

    def samples(self, pattern: Pattern) -> tuple[str, ...]:
        return self._now(pattern.samples)

    def lead_ins(self, pattern: Pattern) -> tuple[str, ...]:
        return self._now(pattern.lead_ins)

    # ── the place ─────────────────────────────────────────────────────────────────────────────

    @property
    def place(self) -> PlaceId:
        return self._world.stage.place_of[self.me]

    @property
    def place_description(self) -> tuple[str, ...]:
        return self._now(self._world.canon.places_by_id[self.place].description)

    @cached_property
    def people(self) -> list[PersonSeen]:
        """Who else is here and not hidden."""
        stage = self._world.stage
        here = [w for w in stage.present(self.place) if w != self.me and w not in stage.hidden]
        return [PersonSeen(who, self.names(who), self._looks_of(who)) for who in here]

    def _looks_of(self, who: CharacterId) -> str:
        stage = self._world.stage
        looks = " ".join(self._now(self._world.canon.cast[who].public))
        if stage.is_attending(who):
            return looks
        return f"{looks} ({state_in_words(self.language, dead=who in stage.dead)})"

    def is_attending(self, who: CharacterId) -> bool:
        """Whether somebody here looks awake and alive."""
        return self._world.stage.is_attending(who)

    @cached_property
    def exits(self) -> list[Exit]:
        return [
            Exit(place, self.names(place), door == "locked")
            for place, _, door in self._world.stage.exits(self.place)
        ]

    @cached_property
    def things(self) -> list[ThingSeen]:
        """Things here, and those the character carries."""
        stage = self._world.stage
        here = [*stage.things_in(self.place), *stage.things_in(PlaceId(self.me))]
        return [ThingSeen(thing, self.names(thing)) for thing in here]

    def examining(self, thing: ThingId) -> tuple[str | None, str | None]:
        """How the act of examining a thing here is told: (third person, first person)."""
        item = self._world.canon.things_by_id[thing]
        return item.examined, item.examined_first

    def watched(self, thing: ThingId) -> bool:
        """Whether who watches somebody examine a thing sees what it shows."""
        return self._world.canon.things_by_id[thing].shows == "all"

    def learned_by(self, percept: Percept) -> bool:
        """Whether the character first learned something by this event, beyond who or what is where."""
        return any(
            grants[0].because.beat is percept.beat and self._world.facts[fact].statement
            for fact, grants in self._world.grants[self.me].items()
        )

    def is_place(self, id_: str) -> bool:
        return id_ in self._world.canon.places_by_id

    @cached_property
    def known_ways(self) -> dict[PlaceId, set[PlaceId]]:
        """The neighbours of each place the character has been to, as far as it saw them."""
        stage = self._world.stage
        return {
            p: {other for other, _, _ in stage.exits(p)} for p in sorted(self._world.been[self.me])
        }

    def last_seen(self, who: CharacterId) -> PlaceId | None:
        """Where the character last saw somebody, or saw them go. None: no idea."""
        for percept in reversed(self.percepts):
            match percept.event:
                case Left(actor=actor, to_place=to) if actor == who:
                    return to
                case event if getattr(event, "actor", None) == who and percept.actor_place:
                    return PlaceId(percept.actor_place)
                case Entered(place=place) if who in percept.noticed:
                    return place
                case _ if who in percept.noticed:
                    return PlaceId(percept.scene_place)
                case _:
                    pass
        return None

    # ── what it lived through ─────────────────────────────────────────────────────────────────

    @property
    def percepts(self) -> Sequence[Percept]:
        return self._world.percepts[self.me]

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

    def _percept(self, id_: str) -> Percept | None:
        prefix, _, rest = id_.partition(":")
        seq, _, index = rest.partition(".")
        if prefix != "percept" or not (seq.isdecimal() and index.isdecimal()):
            return None
        at = bisect_left(self.percepts, (int(seq), int(index)), key=_position)
        found = self.percepts[at] if at < len(self.percepts) else None
        return found if found and _position(found) == (int(seq), int(index)) else None

    def since_scene_began(self) -> list[Percept]:
        """Percepts of the scene the character is in, oldest first."""
        found: list[Percept] = []
        for percept in reversed(self.percepts):
            found.append(percept)
            if isinstance(percept.event, SceneOpened) or self._arrives(percept):
                break
        return found[::-1]

    def _arrives(self, percept: Percept) -> bool:
        return isinstance(percept.event, Entered) and percept.event.actor == self.me

    def worded(self, percept: Percept) -> str:
        """A percept in the character's first person; empty where it has no words."""
        return remembered(percept, self._world.names(self.me))

    def spoken_lines(self) -> list[tuple[Percept, LineSpoken | Whispered]]:
        """Everything the character heard said in full, its own lines included, oldest first."""
        return [
            (percept, percept.event)
            for percept in self.percepts
            if isinstance(percept.event, LineSpoken | Whispered) and percept.detail is Detail.FULL
        ]

    def took_in(self, who: CharacterId, percept: Percept) -> bool:
        """Whether, by what the character perceived, `who` took the event in as fully as itself."""
        happened: Happened = percept.happened
        if who not in percept.noticed:
            return False
        if isinstance(happened.event, Whispered):
            return who == happened.event.actor or who in happened.event.targets
        return True

    # ── names back to ids ─────────────────────────────────────────────────────────────────────

    def person_called(self, text: str) -> CharacterId | None:
        """The person here that the character would mean by `text`."""
        return self._called(text, [(p.id, (p.called, *self._aliases(p.id))) for p in self.people])

    def exit_called(self, text: str) -> PlaceId | None:
        """The neighbouring place that the character would mean by `text`."""
        return self._called(text, [(e.place, (e.called,)) for e in self.exits])

    def thing_called(self, text: str) -> ThingId | None:
        """The thing within reach that the character would mean by `text`."""
        canon = self._world.canon
        return self._called(text, [(t.id, canon.names[t.id]) for t in self.things])

    def known_names(self) -> list[tuple[str, tuple[str, ...]]]:
        """Names of what the character has heard or seen of, by id: people, things, places, others."""
        ids: set[str] = {*(p.id for p in self.people), *(t.id for t in self.things), self.me}
        for fact in self.known:
            ids |= {fact.subject, fact.object}
        canon, strangers = self._world.canon, self.names.strangers
        known = sorted(id_ for id_ in ids if id_ in canon.names)
        return [
            (id_, (self.names(id_),) if id_ in strangers else canon.names[id_]) for id_ in known
        ]

    def _aliases(self, who: CharacterId) -> tuple[str, ...]:
        known = who not in self.names.strangers
        return self._world.canon.cast[who].aliases if known else ()

    def _called(self, text: str, named: Iterable[tuple[Id, tuple[str, ...]]]) -> Id | None:
        wanted = _folded(text)
        for id_, names in named:
            if wanted in [_folded(name) for name in names]:
                return id_
        return None

    def voiced(self, fact: FactId, listener: CharacterId | None = None, turn: int = 0) -> str:
        """How the character says a fact it knows, to `listener`; `turn` picks among wordings.

        Raises:
            BoundaryError: it does not know it.
        """
        (known,) = self.known.pick([fact])
        canon = self._world.facts[fact].canon
        if canon is None:
            return self._passed_on(known, turn)
        if listener == canon.subject and canon.to_subject:
            return canon.to_subject
        return canon.voiced.get(self.me, known.statement)

    def _passed_on(self, known: KnownFact, turn: int) -> str:
        """Hearsay: in words of one's own where all they name was said, else as reported speech.

        The teller's own sentence would be wrong in another mouth: its "I" is somebody else.
        """
        if known.source is None:
            return known.statement
        named = (known.subject, known.object)
        if known.predicate != SAID_ABOUT and all(self._was_named(n, known) for n in named):
            return worded(self.names, known.subject, known.predicate, known.object, turn)
        return reported(self.language, self.names(known.source), known.statement, turn)

    def _was_named(self, entity: str, known: KnownFact) -> bool:
        """Whether a sentence heard names somebody or something, or its teller spoke of itself."""
        if entity in (known.source, self.me):
            return True
        names = self._world.canon.names.get(entity, (entity,))
        return any(name.casefold() in known.statement.casefold() for name in names)


def _position(percept: Percept) -> tuple[int, int]:
    return percept.beat.seq, percept.index


def _folded(text: str) -> str:
    """A name as it is compared: without case, article and outer punctuation."""
    return text.strip(" .,:;\"'“”。，：；「」").casefold().removeprefix("the ")
