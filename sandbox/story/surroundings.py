"""What one character sees around it: its place, who and what is there, the ways it knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from sandbox.story.events import Entered, Left
from sandbox.story.first_stage import stage_at
from sandbox.story.ids import CharacterId, FactId, PlaceId, ThingId
from sandbox.story.items import Language, Spanned, Timed
from sandbox.story.known import KnownFacts
from sandbox.story.percepts import Names, Percept
from sandbox.story.phrases import state_in_words
from sandbox.story.predicates import LOCATED_IN
from sandbox.story.routes import Route
from sandbox.story.world import World

Id = TypeVar("Id", bound=str)
_BY_SIGHT = (Route.EXPERIENCED, Route.OBSERVED)


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


class Surroundings:
    """The part of a character's view that lies outside itself; `CharacterView` is the whole."""

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

    def _now(self, texts: tuple[Timed, ...]) -> tuple[str, ...]:
        return self._world.canon.at(texts, self._world.start)

    def _holds(self, item: Spanned) -> bool:
        return self._world.canon.holds(item, self._world.start)

    @property
    def percepts(self) -> Sequence[Percept]:
        return self._world.percepts[self.me]

    @property
    def place(self) -> PlaceId:
        return self._world.stage.place_of[self.me]

    @property
    def _can_see(self) -> bool:
        stage = self._world.stage
        return self.me not in stage.blind and stage.is_attending(self.me)

    @property
    def place_description(self) -> tuple[str, ...]:
        """What the place looks like; nothing for who cannot see."""
        if not self._can_see:
            return ()
        return self._now(self._world.canon.places_by_id[self.place].description)

    @cached_property
    def people(self) -> list[PersonSeen]:
        """Who else is here and not hidden, in order of whom it takes them for.

        Who cannot see, or does not attend, is aware of those alone whom it perceived here.
        """
        stage = self._world.stage
        here = [w for w in stage.present(self.place) if w != self.me and w not in stage.hidden]
        seen = [(who, CharacterId(stage.seen_as(who, self.me))) for who in here]
        if not self._can_see or self.me in stage.distracted:
            seen = [(who, s) for who, s in seen if self._is_aware_of(who, s)]
        seen.sort(key=lambda pair: pair[1])
        return [PersonSeen(s, self.names(s), self._looks_of(who, s)) for who, s in seen]

    def _is_aware_of(self, who: CharacterId, seen: CharacterId) -> bool:
        """Whether it perceived somebody here, or was here with them when the story began."""
        if (last := self.last_seen(seen)) is not None:
            return last == self.place
        first = stage_at(self._world.canon, self._world.start)
        were = first.place_of.get(who), first.place_of.get(self.me)
        return were == (self.place, self.place) and first.seen_as(who, self.me) == seen

    def _looks_of(self, who: CharacterId, seen: CharacterId) -> str:
        """What somebody looks like: as whom it is dressed up, where it is."""
        stage, cast = self._world.stage, self._world.canon.cast
        if not self._can_see or self.me in stage.distracted:
            return ""  # nor how anybody is by now
        looks = " ".join(self._now(cast[seen].public)) if seen in cast else ""
        if stage.is_attending(who):
            return looks
        return f"{looks} ({state_in_words(self.language, dead=who in stage.dead)})"

    def is_attending(self, who: CharacterId) -> bool:
        """Whether somebody here looks awake and alive, whoever it is in truth."""
        stage = self._world.stage
        return stage.is_attending(stage.behind(who, self.me))

    @cached_property
    def exits(self) -> list[Exit]:
        return [
            Exit(place, self.names(place), door == "locked")
            for place, _, door in self._world.stage.exits(self.place)
        ]

    @cached_property
    def things(self) -> list[ThingSeen]:
        """Things here, those the character carries, and what it has seen lie in one of these."""
        stage = self._world.stage
        around = stage.things_in(self.place)
        if not self._can_see:
            around = [thing for thing in around if self._saw_in(thing, self.place)]
        here = [*around, *stage.things_in(PlaceId(self.me))]
        for container in here:  # what lies in them joins the list, and may hold things itself
            here += [t for t in stage.things_in(container) if self._saw_in(t, container)]
        return [ThingSeen(thing, self.names(thing)) for thing in here]

    @cached_property
    def in_sight(self) -> frozenset[str]:
        """Ids of the people and things it is aware of here."""
        return frozenset([*(p.id for p in self.people), *(t.id for t in self.things)])

    def _saw_in(self, thing: ThingId, container: ThingId | PlaceId) -> bool:
        """By its own eyes: what somebody was told may be so or not, and looking tells it which."""
        held = self._world.grants[self.me]
        told = self._world.propositions[self.me].get((thing, LOCATED_IN, container), ())
        return any(grant.route in _BY_SIGHT for id_ in told for grant in held[id_])

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

    def was_there(self, who: CharacterId, fact: FactId) -> bool:
        """Whether somebody was in the canon scene of a fact: known to who was there itself."""
        held = self._world.facts[fact].canon if fact in self._world.grants[self.me] else None
        scene = next((s for s in self._world.canon.scenes if held and s.id == held.scene), None)
        return scene is not None and {who, self.me} <= set(scene.roster.present)

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
            if percept.is_from_afar or percept.is_of_somebody:
                continue
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
        ids = self.in_sight | {self.me}
        for fact in self.known:
            ids |= {fact.subject, fact.object}
        canon, strangers = self._world.canon, self.names.strangers
        known = sorted(id_ for id_ in ids if id_ in canon.names)
        return [
            (id_, (self.names(id_),) if id_ in strangers else canon.names[id_]) for id_ in known
        ]

    def _aliases(self, who: CharacterId) -> tuple[str, ...]:
        known = who not in self.names.strangers
        return self._world.canon.names[who][1:] if known else ()

    def _called(self, text: str, named: Iterable[tuple[Id, tuple[str, ...]]]) -> Id | None:
        wanted = _folded(text)
        for id_, names in named:
            if wanted in [_folded(name) for name in names]:
                return id_
        return None


def _folded(text: str) -> str:
    """A name as it is compared: without case, article and outer punctuation."""
    return text.strip(" .,:;\"'“”。，：；「」").casefold().removeprefix("the ")
