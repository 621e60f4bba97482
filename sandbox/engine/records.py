"""What each shelf of memory has to hold: a pure function of the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sandbox.memory.store import Layer, Record, Shelf
from sandbox.story.episodes import salience
from sandbox.story.facts import Fact, Grant
from sandbox.story.ids import CharacterId
from sandbox.story.known import statement_of
from sandbox.story.patterns import GrownPattern
from sandbox.story.people import Pattern
from sandbox.story.percepts import Episode, Percept, percept_id
from sandbox.story.view import CharacterView
from sandbox.story.wording import remembered
from sandbox.story.world import Gained, World

_EPISODE_SALIENCE = 0.75
_FACT_SALIENCE = 0.6


def percept_record(world: World, percept: Percept) -> Record | None:
    """A percept as its witness remembers it; None where it has no words."""
    text = remembered(percept, world.names(None))
    if not text:
        return None
    beat = percept.beat
    id_ = percept_id(percept)
    weight = salience(percept)
    return Record(id_, text, "percept", beat.seq, beat.turn, beat.scene or "", weight)


def episode_record(episode: Episode) -> Record:
    """A closed scene as its owner keeps it."""
    seq, turn = episode.seq, episode.turn
    return Record(episode.id, episode.text, "episode", seq, turn, episode.scene, _EPISODE_SALIENCE)


def fact_record(world: World, fact: Fact, grant: Grant) -> Record:
    """A fact of F_c as a searchable statement."""
    source = grant.because
    text = statement_of(world, fact, grant)
    scene = source.scene or ""
    return Record(fact.id, text, "fact", source.seq, source.turn, scene, _FACT_SALIENCE)


def pattern_record(view: CharacterView, pattern: Pattern) -> Record:
    """A pattern by the situation it answers to."""
    text = "\n".join([pattern.situation, pattern.manner, *view.samples(pattern)])
    seq, turn, scene = 0, 0, pattern.from_ or ""
    if isinstance(pattern, GrownPattern):
        seq, turn, scene = pattern.seq, pattern.turn, pattern.scene
    return Record(f"pattern:{pattern.id}", text, "pattern", seq, turn, scene)


def expected(world: World, shelf: Shelf) -> Iterator[Record]:
    """Everything a shelf has to hold at this turn, and nothing else."""
    who = shelf.owner
    match shelf.layer:
        case Layer.EPISODIC:
            yield from (episode_record(episode) for episode in world.episodes[who])
            found = (percept_record(world, percept) for percept in world.percepts[who])
            yield from (record for record in found if record is not None)
        case Layer.SEMANTIC:
            for fact, grants in world.grants[who].items():
                yield fact_record(world, world.facts[fact], grants[0])
        case Layer.PERSONALITY:
            view = CharacterView(world, who)
            yield from (pattern_record(view, p) for p in view.patterns.values())


def shelves(world: World) -> list[Shelf]:
    """Every shelf of a world: three for each character."""
    return [Shelf(who, layer) for who in sorted(world.grants) for layer in Layer]


def gained_records(world: World, gained: Gained) -> Mapping[Shelf, list[Record]]:
    """What one beat adds, by shelf."""
    added: dict[Shelf, list[Record]] = {}

    def add(who: CharacterId, layer: Layer, record: Record | None) -> None:
        if record is not None:
            added.setdefault(Shelf(who, layer), []).append(record)

    for percept in gained.percepts:
        add(percept.witness, Layer.EPISODIC, percept_record(world, percept))
    for episode in gained.episodes:
        add(episode.owner, Layer.EPISODIC, episode_record(episode))
    for pattern in gained.patterns:
        view = CharacterView(world, pattern.owner)
        add(pattern.owner, Layer.PERSONALITY, pattern_record(view, pattern))
    for who, fact, grant in gained.grants:
        add(who, Layer.SEMANTIC, fact_record(world, fact, grant))
    return added
