"""How fast it is asked who knows something: over a long made-up story, on the world as a session holds it."""

from __future__ import annotations

import statistics
import time

from sandbox.engine.staging import Staging
from sandbox.evals.made_up import BEFORE, beat_of, scene_before
from sandbox.story.asking.knowing import who_knows
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim
from sandbox.story.events import LineSpoken
from sandbox.story.facts import Proposition
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.world import World

_PLACES = 4
_OBJECTS = 5
"""Values a subject can have of one predicate: some lines contradict others."""


def who_knows_ms(
    events: int = 10_000, facts: int = 2_000, cast: int = 20, asked: int = 400
) -> dict[str, float]:
    """Milliseconds that `who_knows` takes, over facts spread evenly.

    Args:
        events: lines spoken in the story, each of which tells one fact.
        facts: different facts that they tell, at most.
        cast: characters, spread over four places out of earshot of one another.
        asked: facts that are asked about.
    """
    world = gossip(events, facts, cast)
    told = list(dict.fromkeys(fact.proposition for fact in world.facts.values()))
    step = max(1, len(told) // asked)
    # The best of three: what else the machine does is not ours.
    spent = [min(_timed(world, saying) for _ in range(3)) for saying in told[::step]]
    return {
        "who_knows_ms_median": round(statistics.median(spent), 3),
        "who_knows_ms_worst": round(max(spent), 3),
    }


def _timed(world: World, saying: Proposition) -> float:
    began = time.perf_counter()
    who_knows(world, saying)
    return (time.perf_counter() - began) * 1000


def gossip(events: int, facts: int, cast: int) -> World:
    """A world after so many lines, in which people tell one another so many facts. The same each time."""
    subjects = max(1, facts // _OBJECTS)
    canon = _canon(cast, subjects)
    folding = Fold(canon, BEFORE)
    for number in range(1, events + 1):
        staging = Staging(folding.world.stage)
        staging.add(_line(number, cast, subjects))
        folding.apply(beat_of(number, staging.happened))
    return folding.world


def _line(number: int, cast: int, subjects: int) -> LineSpoken:
    chance = Chance(seed=1, round=number, scene="gossip", character="")
    claim = Claim(
        subject=f"s{chance.pick('subject', range(subjects))}",
        predicate=PredicateId("kept_by"),
        object=f"o{chance.pick('object', range(_OBJECTS))}",
        said="Words.",
    )
    actor = CharacterId(f"c{chance.pick('actor', range(cast))}")
    return LineSpoken(actor=actor, words=claim.said, tells=(claim,))


def _canon(cast: int, subjects: int) -> Canon:
    people = [
        {"id": f"c{n}", "name": f"C{n}", "home": f"p{n % _PLACES}", "trust": {f"c{n + 1}": 0.2}}
        for n in range(cast)
    ]
    return Canon.model_validate(
        {
            "id": "gossip",
            "title": "Gossip",
            "language": "en",
            "blurb": "Many people tell one another many things.",
            "characters": people,
            "places": [{"id": f"p{n}", "name": f"P{n}"} for n in range(_PLACES)],
            "entities": [{"id": f"s{n}", "name": f"S{n}"} for n in range(subjects)],
            "predicates": {
                "kept_by": {"id": "kept_by", "functional": True, "inverse": "keeps"},
                "keeps": {"id": "keeps", "inverse": "kept_by"},
            },
            "scenes": [scene_before("p0", "c0")],
        }
    )
