"""How fast a made-up story of twenty characters is perceived and folded, and how its memory grows."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator, Sequence

from sandbox.evals.made_up import BEFORE, beat_of, scene_before
from sandbox.story import events
from sandbox.story.allowed import check
from sandbox.story.beats import Beat, Happened
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim
from sandbox.story.first_stage import stage_at
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId
from sandbox.story.perception import perceive
from sandbox.story.predicates import STATE, built_in
from sandbox.story.stage import Stage

_CAST, _PLACES, _VALUES = 20, 6, 2_000


def fold_figures(count: int = 10_000) -> dict[str, float]:
    """Events a second and bytes an event, each the best of three.

    Args:
        count: events of the story: lines, a third of which tell something, deeds, walks, thoughts.
    """
    perceiving, beats = min((_perceived(count) for _ in range(3)), key=lambda found: found[0])
    folding = min(_folded(beats) for _ in range(3))
    half, whole = _bytes_of(beats[: len(beats) // 2]), _bytes_of(beats)
    happened = [h for beat in beats for h in beat.events]
    return {
        "fold_witnesses_per_event": round(sum(len(h.witnesses) for h in happened) / len(happened), 1),
        "fold_events_per_s": round(len(happened) / folding),
        "perceive_and_fold_events_per_s": round(len(happened) / (folding + perceiving)),
        "fold_bytes_per_event": round(whole / len(happened)),
        "fold_bytes_second_half_to_first": round((whole - half) / half, 2),
    }  # fmt: skip


def _folded(beats: Sequence[Beat]) -> float:
    """Seconds to fold all beats."""
    folding = Fold(_canon(), BEFORE)
    began = time.perf_counter()
    for beat in beats:
        folding.apply(beat)
    return time.perf_counter() - began


def _bytes_of(beats: Sequence[Beat]) -> int:
    """What a fold of `beats` takes, the beats themselves not counted."""
    tracemalloc.start()
    folding = Fold(_canon(), BEFORE)
    before = tracemalloc.get_traced_memory()[0]
    for beat in beats:
        folding.apply(beat)
    spent = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return spent


def _perceived(count: int) -> tuple[float, list[Beat]]:
    """Seconds spent on checking, perceiving and staging, and the story."""
    stage, beats, spent, done = stage_at(_canon(), BEFORE), list[Beat](), 0.0, 0
    while done < count:
        number, happened = len(beats) + 1, list[Happened]()
        for event in _happening(number, stage):
            began = time.perf_counter()
            check(event, stage)
            happened.append(perceive(event, stage))
            stage.apply(event)
            spent += time.perf_counter() - began
        done += len(happened)
        beats.append(beat_of(number, happened))
    return spent, beats


def _happening(number: int, stage: Stage) -> Iterator[events.Event]:
    chance = Chance(seed=1, round=number, scene="crowd", character="")
    who = CharacterId(f"c{chance.pick('who', range(_CAST))}")
    here, kind = stage.place_of[who], chance.share("kind")
    if kind < 0.6:
        yield _line(number, who, chance, [w for w in stage.present(here) if w != who])
    elif kind < 0.8:
        yield events.Acted(actor=who, text="waits")
    elif kind < 0.9:
        to, _, _ = chance.pick("to", stage.exits(here))
        yield events.Left(actor=who, place=here, to_place=to)
        yield events.Entered(actor=who, place=to, from_place=here)
    else:
        yield events.Thought(actor=who, text="Hm.")


def _line(
    number: int, who: CharacterId, chance: Chance, others: Sequence[CharacterId]
) -> events.LineSpoken:
    words = f"Line {number}."
    subject, value = chance.pick("subject", range(_CAST)), chance.pick("value", range(_VALUES))
    claim = Claim(subject=f"c{subject}", predicate=STATE, object=f"v{value}", said=words)
    tells = (claim,) if chance.share("tells") < 1 / 3 else ()
    return events.LineSpoken(actor=who, words=words, targets=tuple(others[:1]), tells=tells)


def _canon() -> Canon:
    links = [
        {
            "between": [f"p{n}", f"p{(n + 1) % _PLACES}"],
            "door": "open",
            "carries": "words" if n % 2 else "sound",
        }
        for n in range(_PLACES)
    ]
    return Canon.model_validate(
        {
            "id": "crowd",
            "title": "Crowd",
            "language": "en",
            "blurb": "Twenty people in six rooms.",
            "characters": [
                {"id": f"c{n}", "name": f"C{n}", "home": f"p{n % _PLACES}"} for n in range(_CAST)
            ],
            "places": [{"id": f"p{n}", "name": f"P{n}"} for n in range(_PLACES)],
            "links": links,
            "predicates": dict(built_in("en")),
            "scenes": [scene_before("p0", "c0")],
        }
    )
