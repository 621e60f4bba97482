"""Why somebody knows something: the chain of its sources, what confirms it, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sandbox.story.asking.knowing import (
    SURE,
    Holding,
    Knower,
    belief,
    first_of,
    knower,
    learnings,
    position,
    sayings,
)
from sandbox.story.beats import Detail
from sandbox.story.events import Announced, Event, LineSpoken, MessageRead, Whispered
from sandbox.story.evidence import Evidence
from sandbox.story.facts import Fact, Grant, Proposition
from sandbox.story.ids import CharacterId, PlaceId, SceneId
from sandbox.story.known import statement_of
from sandbox.story.percepts import Names, Percept
from sandbox.story.routes import Route
from sandbox.story.wording import Telling, is_next_door
from sandbox.story.world import World

_Position = tuple[int, int, int, int]
"""Where a grant stands in the order of the story."""


@dataclass(frozen=True)
class Learning:
    """One occasion on which somebody was given a fact."""

    who: CharacterId
    route: Route
    turn: int
    """0: before the curtain rose."""
    scene: SceneId | None
    """None: outside any scene, or before the first."""
    place: PlaceId | None
    """Where the learner was; None: nothing says."""
    teller: CharacterId | None
    """From whom, as the learner took it."""
    truly: CharacterId | None
    """Who told it in truth, where the learner took it for somebody else. None: the teller."""
    said: str
    """The sentence as the learner got it."""
    event: str
    """What happened, in words; empty: canon, or it has none."""
    is_guess: bool

    @property
    def speaker(self) -> CharacterId | None:
        """Who told it in truth; None: nobody."""
        return self.truly or self.teller


@dataclass(frozen=True)
class Missed:
    """An event that teaches a fact, which somebody did not take in."""

    turn: int
    index: int
    """Event in its beat, from 0."""
    learners: tuple[CharacterId, ...]
    """Who learned it by that event."""
    detail: Detail | None
    """What the one who missed it has of the event: only that it happened, or nothing (None)."""
    event: str


@dataclass(frozen=True)
class Why:
    """How somebody stands to a fact, and by what."""

    saying: Proposition
    knower: Knower
    chain: tuple[Learning, ...]
    """How it learned it, how its teller had, and so on back; empty: it did not learn it."""
    is_groundless: bool
    """Whether the last teller of the chain had learned it from nothing: its own word."""
    confirmed: tuple[Learning, ...]
    """Later occasions, in order."""
    held: tuple[Holding, ...]
    """Everything it learned about the subject and predicate, contradictions side by side."""
    missed: tuple[Missed, ...]
    """Where it did not learn it: events that taught others. For a director alone."""


def why(world: World, who: CharacterId, saying: Proposition) -> Why:
    """Why somebody knows, or does not know, something; for a director, who sees into its tellers too."""
    found = why_own(world, who, saying)
    chain = chain_of(world, who, saying)
    last = chain[-1].speaker if chain else None
    knows = found.knower.knowing.has_learned
    return Why(
        saying=saying,
        knower=found.knower,
        chain=chain,
        is_groundless=last is not None,
        confirmed=found.confirmed,
        held=found.held,
        missed=() if knows else missed(world, who, saying),
    )


def why_own(world: World, who: CharacterId, saying: Proposition) -> Why:
    """What somebody can itself say of why it knows something: nothing from any other mind, nothing it missed."""
    learned = learnings(world, who, saying)
    first = first_of(learned)
    later = [pair for pair in learned if first is not None and pair[1] is not first[1]]
    return Why(
        saying=saying,
        knower=knower(world, who, saying),
        chain=() if first is None else (_learning(world, who, *first, is_own=True),),
        is_groundless=False,
        confirmed=tuple(
            _learning(world, who, *pair, is_own=True) for pair in later if pair[0].mode in SURE
        ),
        held=belief(world, [who], *saying[:2]).held,
        missed=(),
    )


def chain_of(world: World, who: CharacterId, saying: Proposition) -> tuple[Learning, ...]:
    """How somebody learned it, how its teller had before, and so on, until nobody told it."""
    links: list[Learning] = []
    asked: CharacterId | None = who
    before: _Position | None = None
    while asked is not None and asked in world.grants and asked not in {link.who for link in links}:
        learned = learnings(world, asked, saying)
        earlier = [pair for pair in learned if before is None or _precedes(world, pair, before)]
        if (first := first_of(earlier)) is None:
            break
        links.append(_learning(world, asked, *first))
        before = position(world.canon, first[1])
        asked = links[-1].speaker
    return tuple(links)


def _precedes(world: World, pair: tuple[Fact, Grant], before: _Position) -> bool:
    """Within one scene of the canon nothing says what came first."""
    at = position(world.canon, pair[1])
    return at < before or (at == before and before[0] == 0)


def _learning(
    world: World, who: CharacterId, fact: Fact, grant: Grant, *, is_own: bool = False
) -> Learning:
    """`is_own`: as the learner itself could tell it, with the names it knows."""
    percept = _percept(world, who, grant)
    truly = None if is_own else _truly(grant)
    return Learning(
        who=who,
        route=grant.route,
        turn=grant.because.turn,
        scene=grant.because.scene,
        place=_place(world, who, grant, percept),
        teller=grant.teller,
        truly=truly if truly != grant.teller else None,
        said=statement_of(world, fact, grant if is_own else replace(grant, strangers=_NOBODY)),
        event=_own_event(world, percept) if is_own else _event(world, grant.because.event),
        is_guess=fact.mode not in SURE,
    )


_NOBODY = frozenset[CharacterId]()


def _truly(grant: Grant) -> CharacterId | None:
    """Who spoke, which the learner may have mistaken."""
    match grant.because.event:
        case LineSpoken() | Whispered() | Announced() as line:
            return line.actor
        case MessageRead() as message:
            return message.sender
        case _:
            return grant.teller


def _event(world: World, event: Event | None) -> str:
    return Telling(world.names(None)).event(event, Detail.FULL) if event is not None else ""


def _own_event(world: World, percept: Percept | None) -> str:
    if percept is None:
        return ""
    names = Names(world.canon, world.start, percept.strangers)
    return Telling(names).event(percept.event, percept.detail, is_next_door(percept))


def _percept(world: World, who: CharacterId, grant: Grant) -> Percept | None:
    source = grant.because
    if source.beat is None:
        return None
    key = (source.seq, source.index)
    percepts = reversed(world.percepts[who])
    return next((p for p in percepts if (p.beat.seq, p.index) == key), None)


def _place(world: World, who: CharacterId, grant: Grant, percept: Percept | None) -> PlaceId | None:
    if percept is not None:
        # Who comes in is nowhere until it has.
        there = percept.scene_place or getattr(percept.event, "place", None)
        return PlaceId(there) if there else None
    scene = grant.because.scene
    # What all know, or an organisation shares, is of a scene that not all of them were in.
    scenes = (item for item in world.canon.scenes if item.id == scene)
    return next((item.place for item in scenes if who in item.roster.present), None)


def missed(world: World, who: CharacterId, saying: Proposition) -> tuple[Missed, ...]:
    """Events of the play that taught others what `who` does not know; for a director alone."""
    taught = [
        evidence
        for subject, predicate, object_ in sayings(world.canon, saying)
        for evidence in world.evidence.get((subject, predicate), ())
        if evidence.fact.object == object_ and evidence.fact.mode in SURE
    ]
    found = (_missed(world, who, e) for e in sorted(taught, key=lambda e: e.number))
    return tuple(one for one in found if one is not None)


def _missed(world: World, who: CharacterId, evidence: Evidence) -> Missed | None:
    """None: it took the event in, or nobody learned anything by it."""
    happened, source = evidence.happened, evidence.source
    if happened is None or not evidence.learners or who in evidence.learners:
        return None
    return Missed(
        turn=source.turn,
        index=source.index,
        learners=tuple(sorted(evidence.learners)),
        detail=happened.witnesses.get(who),
        event=_event(world, happened.event),
    )
