"""Our own milliseconds in a move of one of twenty characters who all remember much.

Everybody is in one hall and hears everything, so that each line is a memory of all twenty.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox.engine.opening import Beginning, MemoryKind, begin, open_session
from sandbox.engine.session import Session
from sandbox.engine.staging import Staging
from sandbox.evals.conversing import Conversing
from sandbox.evals.timing import Timed, timed_moves
from sandbox.memory.store import Layer, Shelf
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.copying import copy_prefix
from sandbox.storage.saves import Save
from sandbox.story.beats import Beat
from sandbox.story.chance import Chance
from sandbox.story.events import Event, LineSpoken, SceneClosed, SceneOpened
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PlaceId, SceneId

SIZES: Final = (100,)
"""Memories of each character."""
LARGE_SIZES: Final = (*SIZES, 1_000, 5_000)
"""With those that take longer than all other measures together: twenty long lives are lived and filed."""
_CAST, _HALL, _SCENE_BEATS = 20, PlaceId("hall"), 40
_WARM, _MEASURED = 20, 30
"""Moves before the measure, one for each character, and of it."""
_WHAT: Final = (
    "the cellar key",
    "a silver ring",
    "the torn letter",
    "her lantern",
    "a loaf of bread",
    "the grey horse",
    "a bag of nails",
    "the old bridge",
    "a jar of honey",
    "the north gate",
)
_DONE: Final = ("hid", "found", "broke", "sold", "asked about", "gave away", "mended", "stole")
_WHEN: Final = ("at supper", "by the well", "in the rain", "before dawn", "on market day")


def crowd_figures(
    folder: Path,
    sizes: Sequence[int] = SIZES,
    kinds: Sequence[MemoryKind] = ("in_process", "chroma"),
) -> dict[str, float]:
    """Median milliseconds and bytes on disk, by name.

    Args:
        folder: an empty one, to play in.
        sizes: memories of each of the twenty.
        kinds: which stores.
    """
    figures: dict[str, float] = {}
    for size in sizes:
        for memory in kinds:
            save = _lived(folder / f"{memory}-{size}", size)
            taken = asyncio.run(_moves(save, memory))
            name = f"crowd_{size}_memories_{memory}"
            figures[f"{name}_own_ms_median"] = _median(move.own_ms for move in taken.moves)
            figures[f"{name}_own_cpu_ms_median"] = _median(move.cpu_ms for move in taken.moves)
            figures[f"{name}_recall_ms_median"] = _median(taken.recall_ms)
            if memory == "chroma":
                figures[f"crowd_{size}_memories_bytes_on_disk"] = _bytes_of(save.memory_path)
    return figures


def _median(figures: Iterable[float]) -> float:
    return round(statistics.median(figures), 1)


def _lived(folder: Path, memories: int) -> Save:
    """A save in which everybody has that many memories."""
    world = folder.with_name(f"{folder.name}-world")
    _write_world(world)
    model = ModelSettings(name="instant", base_url="http://127.0.0.1:1/v1")
    begun = begin(folder.with_name(f"{folder.name}-begun"), Beginning(world), Settings(model=model))
    return copy_prefix(begun, folder, tuple(_beats(begun, memories)), "made up for a measure")


def _write_world(folder: Path) -> None:
    cast = "".join(
        f'[c{n}]\nname = "Name{n}"\nhome = "{_HALL}"\npublic = "Somebody in coat {n}."\n'
        for n in range(_CAST)
    )
    active = ", ".join(f'"c{n}"' for n in range(_CAST))
    texts = {
        "facts.toml": "",
        "patterns.toml": "",
        "predicates.toml": "",
        "world.toml": 'title = "Crowd"\nlanguage = "en"\nblurb = "Twenty people in one hall."\n',
        "cast.toml": cast,
        "places.toml": f'[places.{_HALL}]\nname = "the hall"\n',
        "scenes/01_before.md": '+++\ntitle = "Before"\nplace = "hall"\nclock = "08:00"\n'
        f"[roster]\nactive = [{active}]\n+++\nThey came in.\n",
    }
    (folder / "scenes").mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _beats(save: Save, count: int) -> Iterator[Beat]:
    """Lines that everybody hears, scene after scene."""
    canon = save.canon()
    folding = Fold(canon, save.manifest.start)
    for seq in range(1, count + 1):
        number, place_in_scene = (seq - 1) // _SCENE_BEATS + 1, (seq - 1) % _SCENE_BEATS
        scene = SceneId(f"s{number}")
        staging = Staging(folding.world.stage)
        if place_in_scene == 0:
            staging.add(SceneOpened(scene=scene, place=_HALL, number=number))
        staging.add(_line(seq))
        if place_in_scene == _SCENE_BEATS - 1:
            staging.add(SceneClosed(scene=scene, place=_HALL))
        beat = Beat(
            seq=seq,
            turn=seq,
            round=seq,
            scene=scene,
            mind="person",
            clock=folding.world.clock + 1,
            events=tuple(staging.happened),
        )
        folding.apply(beat)
        yield beat


def _line(seq: int) -> Event:
    chance = Chance(seed=1, round=seq, scene="crowd", character="")
    who, to, about = (chance.pick(name, range(_CAST)) for name in ("who", "to", "about"))
    what, done = chance.pick("what", _WHAT), chance.pick("done", _DONE)
    words = f"Name{about} {done} {what} {chance.pick('when', _WHEN)}, that makes {seq}."
    return LineSpoken(
        actor=CharacterId(f"c{who}"),
        words=words,
        targets=(CharacterId(f"c{(to if to != who else to + 1) % _CAST}"),),
    )


@dataclass(frozen=True)
class _Taken:
    moves: Sequence[Timed]
    recall_ms: Sequence[float]
    """What a mind waits for its memories and facts, when nothing else goes on."""


async def _moves(save: Save, memory: MemoryKind) -> _Taken:
    async with Conversing("en") as endpoint:
        settings = Settings(model=ModelSettings(name="instant", base_url=endpoint.base_url))
        if memory == "chroma":
            # Filled and written first: a long life was not lived in one sitting.
            filling = open_session(save, settings, memory)
            filling.start()
            await filling.close()
        session = open_session(save, settings, memory)
        session.start()
        try:
            await _filled(session)
            await timed_moves(session, endpoint, _WARM)
            moves = await timed_moves(session, endpoint, _MEASURED)
            return _Taken(moves, [await _recall_ms(session, n) for n in range(_MEASURED)])
        finally:
            await session.close()


async def _filled(session: Session) -> None:
    """Until everything is put; and every shelf's words are indexed, as after its first search."""
    for who in session.canon.cast:
        for layer in (Layer.EPISODIC, Layer.SEMANTIC):
            await session.keeper.recall(Shelf(who, layer), "the cellar key", 1, {})


async def _recall_ms(session: Session, number: int) -> float:
    who, about = CharacterId(f"c{number % _CAST}"), f"Who {_DONE[number % len(_DONE)]}"
    query = f"{about} {_WHAT[number % len(_WHAT)]}, was it Name{(number + 7) % _CAST}?"
    began = time.perf_counter()
    await asyncio.gather(
        *(
            session.keeper.recall(Shelf(who, layer), query, 6, {})
            for layer in (Layer.EPISODIC, Layer.SEMANTIC)
        )
    )
    return (time.perf_counter() - began) * 1000


def _bytes_of(folder: Path) -> int:
    return sum(os.path.getsize(path) for path in folder.rglob("*") if path.is_file())
