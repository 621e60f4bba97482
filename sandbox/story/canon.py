"""Canon: what a world holds before the curtain rises, in story order. These records are the world format."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

from pydantic import Field

from sandbox.story.ids import (
    CharacterId,
    FactId,
    OrganisationId,
    PatternId,
    PlaceId,
    PredicateId,
    PreparedId,
    SceneId,
    ThingId,
    ThreadId,
)
from sandbox.story.items import Item, Language, Name, Slug, Spanned, Text, Timed, TimedTexts
from sandbox.story.people import Character, Organisation, Pattern
from sandbox.story.plot import Prepared, Thread
from sandbox.story.ways import Link


class Place(Spanned):
    id: Slug
    name: Name
    description: TimedTexts = ()
    """What anybody sees who is there."""
    outdoors: bool = False


class Thing(Spanned):
    """An object that can be looked at, and perhaps carried."""

    id: Slug
    name: Name
    aliases: tuple[Name, ...] = ()
    place: PlaceId | None = None
    holder: CharacterId | None = None
    inside: ThingId | None = None
    """The container it is in, instead of a place or holder."""
    portable: bool = False
    concealed: bool = False
    """Out of sight until somebody searches the place and finds it."""
    examined: Text | None = None
    """What somebody does who examines it, without the subject: "turns over the ledger's last page"."""
    examined_first: Text | None = None
    """The same in first person: "turn over the ledger's last page"."""
    reveals: tuple[FactId, ...] = ()
    """Facts it shows to who examines it."""
    shows: Literal["all", "reader"] = "all"
    """Whether everybody who watches sees them too, or the reader alone."""


class Entity(Item):
    """Somebody or something that is only spoken of."""

    id: Slug
    name: Name
    aliases: tuple[Name, ...] = ()


class Predicate(Item):
    """One way in which a subject can relate to an object. The world's list of them is closed."""

    id: PredicateId = PredicateId("")
    functional: bool = False
    """Whether a subject has at most one object at a time."""
    changes: bool = False
    """Whether the object changes with time, so that a later word may outdo what somebody saw earlier."""
    inverse: PredicateId | None = None
    subject: str = "any"
    """Kind of subject: character, place, thing, entity, text or any."""
    object: str = "any"
    wordings: tuple[Text, ...] = ()
    """Sentences with `{s}` and `{o}`, in the world's language."""
    question: Text | None = None
    """A question for the object, with `{s}`."""


class Telling(Item):
    """A canon telling: somebody learned a fact from somebody else."""

    to: CharacterId
    by: CharacterId
    scene: SceneId


class Sharing(Item):
    """A fact was shared with an organisation; whoever was a member then knows it."""

    organisation: OrganisationId
    scene: SceneId | None = None
    """Canon scene in which. None: before the first."""


class CanonFact(Spanned):
    """A canon fact (s, p, o, cause, V); V is given by route (ReverieMem, section 3.3)."""

    id: Slug
    subject: Name
    """Id of an entity of the world, or free text."""
    predicate: PredicateId
    object: Name
    statement: Text
    """One sentence, third person."""
    cause: FactId | None = None
    """Another fact, only where the source states it."""
    scene: SceneId | None = None
    """Canon scene that establishes it; None for what held before the first."""
    common: bool = False
    """Common knowledge of the whole cast."""
    experienced: tuple[CharacterId, ...] = ()
    observed: tuple[CharacterId, ...] = ()
    told: tuple[Telling, ...] = ()
    shared: tuple[Sharing, ...] = ()
    secret: bool = False
    voiced: Mapping[CharacterId, Text] = {}
    """How a character says it itself, where the statement would sound wrong: "I owe the miller"."""
    to_subject: Text | None = None
    """How others say it to its subject: "You owe the miller"."""


class Roster(Item):
    """Who is in a scene. Mention is not presence."""

    active: tuple[CharacterId, ...] = ()
    silent: tuple[CharacterId, ...] = ()
    """Present without a part."""
    mentioned: tuple[CharacterId, ...] = ()
    """Absent, spoken of."""

    @property
    def present(self) -> tuple[CharacterId, ...]:
        return self.active + self.silent


class CanonScene(Item):
    """A scene of the canon."""

    id: Slug
    title: Name
    place: PlaceId
    clock: str = Field(pattern=r"^\d{1,3}:\d{2}$")
    """Story time at its end, in hours and minutes since the first midnight: `21:40`, `45:10`."""
    roster: Roster
    episodes: Mapping[CharacterId, Text] = {}
    """What each participant keeps of it, in first person: did, felt, perceived, inferred."""
    positions: Mapping[CharacterId, PlaceId] = {}
    """Where others are when it ends, as far as that is not the scene's place."""
    narrative: str = ""
    """What happened, for readers; in no character's prompt."""


class Canon(Item):
    """A whole world as written."""

    id: Slug
    title: Name
    language: Language
    blurb: Text
    """What the world is about, for the list of worlds."""
    start: SceneId | None = None
    """Canon scene after which a save begins by default. None: the last."""
    characters: tuple[Character, ...] = Field(min_length=1)
    places: tuple[Place, ...] = Field(min_length=1)
    links: tuple[Link, ...] = ()
    things: tuple[Thing, ...] = ()
    organisations: tuple[Organisation, ...] = ()
    entities: tuple[Entity, ...] = ()
    predicates: Mapping[PredicateId, Predicate] = {}
    facts: tuple[CanonFact, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    threads: tuple[Thread, ...] = ()
    prepared: tuple[Prepared, ...] = ()
    scenes: tuple[CanonScene, ...] = Field(min_length=1)

    @cached_property
    def cast(self) -> Mapping[CharacterId, Character]:
        return {CharacterId(item.id): item for item in self.characters}

    @cached_property
    def places_by_id(self) -> Mapping[PlaceId, Place]:
        return {PlaceId(item.id): item for item in self.places}

    @cached_property
    def things_by_id(self) -> Mapping[ThingId, Thing]:
        return {ThingId(item.id): item for item in self.things}

    @cached_property
    def facts_by_id(self) -> Mapping[FactId, CanonFact]:
        return {FactId(item.id): item for item in self.facts}

    @cached_property
    def patterns_by_id(self) -> Mapping[PatternId, Pattern]:
        return {PatternId(item.id): item for item in self.patterns}

    @cached_property
    def organisations_by_id(self) -> Mapping[OrganisationId, Organisation]:
        return {OrganisationId(item.id): item for item in self.organisations}

    @cached_property
    def threads_by_id(self) -> Mapping[ThreadId, Thread]:
        return {ThreadId(item.id): item for item in self.threads}

    @cached_property
    def prepared_by_id(self) -> Mapping[PreparedId, Prepared]:
        return {PreparedId(item.id): item for item in self.prepared}

    @cached_property
    def scene_order(self) -> Mapping[SceneId, int]:
        """Number of each canon scene in story order, from 0."""
        return {SceneId(item.id): number for number, item in enumerate(self.scenes)}

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Name and aliases of every entity, by id."""
        plain = {item.id: (item.name,) for item in self.places}
        named: list[Character | Thing | Entity | Organisation] = [
            *self.characters,
            *self.things,
            *self.entities,
            *self.organisations,
        ]
        return plain | {item.id: (item.name, *item.aliases) for item in named}

    def holds(self, item: Spanned, at: SceneId) -> bool:
        """Whether `item` holds at the end of canon scene `at`."""
        order, now = self.scene_order, self.scene_order[at]
        begun = item.from_ is None or order[item.from_] <= now
        return begun and (item.until is None or now < order[item.until])

    def at(self, texts: tuple[Timed, ...], at: SceneId) -> tuple[str, ...]:
        """The texts among `texts` that hold at canon scene `at`."""
        return tuple(item.text for item in texts if self.holds(item, at))

    def scenes_until(self, at: SceneId) -> Iterator[CanonScene]:
        """The canon scenes up to and with `at`, in story order."""
        return iter(self.scenes[: self.scene_order[at] + 1])

    def opening_clock(self, start: SceneId) -> int:
        """Story minutes since the first midnight when a save that starts after `start` begins."""
        return minutes_of(self.scenes[self.scene_order[start]].clock)

    @property
    def default_start(self) -> SceneId:
        return self.start or SceneId(self.scenes[-1].id)


def minutes_of(clock: str) -> int:
    """Minutes since the first midnight for `21:40`."""
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
