"""Stories told event by event in the worlds that have a plot, without minds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sandbox.engine.staging import Staging
from sandbox.storage.worlds import read_world
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.events import Acted, Entered, Event, Left, LineSpoken, Whispered
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, SceneId
from sandbox.story.world import World

PLOT = Path(__file__).parent / "worlds" / "plot"
PLOT_ZH = Path(__file__).parent / "worlds" / "plot_zh"
ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")
AHE, XIAOMO, LAOQIU = CharacterId("ahe"), CharacterId("xiaomo"), CharacterId("laoqiu")
KITCHEN, YARD, LOFT = PlaceId("kitchen"), PlaceId("yard"), PlaceId("loft")


def mill() -> Canon:
    return read_world(PLOT)


def mill_zh() -> Canon:
    return read_world(PLOT_ZH)


def beats_of(
    canon: Canon, *events: Event | tuple[Event, ...], scene: str | None = None
) -> list[Beat]:
    """Each event a beat, one minute after the other; several in brackets are one beat."""
    folding, beats = Fold(canon, canon.default_start), list[Beat]()
    for number, one in enumerate(events, start=1):
        staging = Staging(folding.world.stage)
        staging.add(*(one if isinstance(one, tuple) else (one,)))
        beat = Beat(
            seq=number,
            turn=number,
            round=number,
            scene=SceneId(scene) if scene else None,
            mind="person",
            clock=folding.world.clock + 1,
            events=tuple(staging.happened),
        )
        folding.apply(beat)
        beats.append(beat)
    return beats


def told(canon: Canon, *events: Event | tuple[Event, ...]) -> World:
    """The world after these events."""
    return folded(canon, beats_of(canon, *events))


def folded(canon: Canon, beats: Iterable[Beat]) -> World:
    folding = Fold(canon, canon.default_start)
    for beat in beats:
        folding.apply(beat)
    return folding.world


def tells(
    who: CharacterId,
    to: CharacterId,
    subject: str,
    predicate: str,
    object_: str,
    *,
    mode: str = "claimed",
) -> Whispered:
    """A whisper that tells one thing."""
    said = f"{subject} {predicate} {object_}."
    claim = Claim.model_validate(
        {"subject": subject, "predicate": predicate, "object": object_, "said": said, "mode": mode}
    )
    return Whispered(actor=who, words=said, targets=(to,), tells=(claim,))


def says(
    who: CharacterId, to: CharacterId, subject: str, predicate: str, object_: str
) -> LineSpoken:
    """The same aloud: whoever is there hears it."""
    said = f"{subject} {predicate} {object_}."
    claim = Claim(subject=subject, predicate=PredicateId(predicate), object=object_, said=said)
    return LineSpoken(actor=who, words=said, targets=(to,), tells=(claim,))


def goes(who: CharacterId, origin: str, goal: str) -> tuple[Event, ...]:
    return (
        Left(actor=who, place=PlaceId(origin), to_place=PlaceId(goal)),
        Entered(actor=who, place=PlaceId(goal), from_place=PlaceId(origin)),
    )


def waits(who: CharacterId, times: int) -> list[Event]:
    """So many turns in which nobody learns anything."""
    return [Acted(actor=who, text="waits") for _ in range(times)]


TO_KITCHEN = goes(CY, "yard", "kitchen")
