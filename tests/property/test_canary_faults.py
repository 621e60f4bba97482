"""Faults planted in the sandbox: the canaries see each of them."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.thinking import query_of
from sandbox.engine.deciding import Deciding
from sandbox.errors import BoundaryError
from sandbox.memory.store import Layer, Record, Shelf
from sandbox.story import known, reach
from sandbox.story.beats import Detail
from sandbox.story.claims import Claim
from sandbox.story.commands import (
    Say,
)
from sandbox.story.facts import Fact, Grant
from sandbox.story.ids import (
    CharacterId,
    PlaceId,
)
from sandbox.story.percepts import Names
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property.canary_plan import CAST, ID_OF, SCENES
from tests.property.canary_stage import Leak
from tests.property.canary_stories import rounds_with_slow_recall
from tests.property.canary_watch import (
    CONCERNS,
    pair,
    person,
    watching,
)

pytestmark = pytest.mark.endpoint


async def caught(folder: Path, start: str = SCENES[2], beats: int = 40, seed: int = 1) -> str:
    """The leak that a run shows."""
    async with watching(folder, start, seed) as watch:
        try:
            await watch.play(beats)
            watch.check_everything_kept()
        except Leak as leak:
            return str(leak)
    pytest.fail("no leak was seen")


async def test_a_beat_committed_while_others_still_decide_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(others: object) -> None:
        pass

    monkeypatch.setattr(Deciding, "all_whole", staticmethod(at_once))
    async with watching(tmp_path, SCENES[0], 1) as watch:
        with pytest.raises(Leak):
            await rounds_with_slow_recall(watch, monkeypatch)


async def test_a_description_of_another_room_in_a_prompt_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def everywhere(view: CharacterView) -> tuple[str, ...]:
        canon = view._world.canon
        return tuple(t for p in canon.places for t in canon.at(p.description, view._world.start))

    monkeypatch.setattr(CharacterView, "place_description", property(everywhere))
    assert "place.description" in await caught(tmp_path)


async def test_whispers_that_all_hear_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_in = reach.Reach.all_in

    def loud(gathering: Any, place: PlaceId, sense: Any, detail: Detail = Detail.FULL) -> None:
        all_in(gathering, place, sense, Detail.FULL)

    monkeypatch.setattr(reach.Reach, "all_in", loud)
    assert "whispered" in await caught(tmp_path)


async def test_a_line_overheard_through_walls_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def carried(link: Any, door: object, volume: object) -> Any:
        return link.carries

    monkeypatch.setattr(reach, "carried", carried)
    assert "line_spoken" in await caught(tmp_path)


async def test_the_statement_of_a_fact_in_place_of_the_claim_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_got = known.statement_of

    def true_statement(world: World, fact: Fact, grant: Grant) -> str:
        true = (f for f in world.facts.values() if f.proposition == fact.proposition)
        return next((f.statement for f in true if f.canon and f.statement), None) or as_got(
            world, fact, grant
        )

    monkeypatch.setattr(known, "statement_of", true_statement)
    async with watching(tmp_path, SCENES[0], 1) as watch:
        a, b = pair(watch)
        object_ = watch.world.one("fact.object", "debt")
        claim = Claim(
            subject=ID_OF["ben"],
            predicate=CONCERNS,
            object=f"about {object_} so",
            said="Ben is in trouble.",
        )
        watch.order(Say(character=b, words="Ben is in trouble.", to=(a,), tells=(claim,)))
        with pytest.raises(Leak, match="fact of `debt`"):
            await watch.play(20)
        watch.arrived.clear()


async def test_the_name_of_a_stranger_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_name(names: Names, id_: str) -> str:
        return names.canon.names.get(id_, (id_,))[0]

    monkeypatch.setattr(Names, "__call__", by_name)
    assert "character.name" in await caught(tmp_path)


async def test_the_mood_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def next_mood(view: CharacterView) -> str:
        others = sorted(set(view._world.moods) - {view.me})
        return view._world.moods[others[0]]

    monkeypatch.setattr(CharacterView, "mood", property(next_mood))
    assert "own of" in await caught(tmp_path, beats=3)


async def test_the_narrative_of_a_scene_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(view: CharacterView) -> tuple[str, ...]:
        return (view._world.canon.scenes[0].narrative,)

    monkeypatch.setattr(CharacterView, "secrets_of_self", property(told))
    assert "narrative" in await caught(tmp_path, beats=3)


async def test_a_thought_that_everybody_here_perceives_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doers = reach.Reach.doers

    def telepathy(gathering: Any, *people: CharacterId) -> None:
        here = [gathering.stage.attending(gathering.stage.place_of[who]) for who in people]
        doers(gathering, *people, *(other for there in here for other in there))

    monkeypatch.setattr(reach.Reach, "doers", telepathy)
    assert "witnessed" in await caught(tmp_path)


async def test_a_memory_of_somebody_else_that_recall_brings_is_refused(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 1) as watch:
        assert watch.session is not None
        await watch.play(4)
        for who in sorted(CAST):
            # Worded so that it is the nearest to what each has in mind next.
            text = query_of(CharacterView(watch.story, person(who)))
            strange = Record("percept:9999.0", text, "percept", 9999, 0, "arrival", 1.0)
            shelf = Shelf(person(who), Layer.EPISODIC)
            watch.session.keeper._pending.setdefault(shelf, []).append(strange)
        with pytest.raises(BoundaryError, match="never lived through"):
            await watch.play(6)


async def test_a_memory_of_somebody_else_let_through_the_gate_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anybodys(view: CharacterView, id_: str) -> str:
        others = sorted(set(view._world.percepts) - {view.me})
        return view._world.episodes[others[0]][0].text

    monkeypatch.setattr(CharacterView, "memory", anybodys)
    assert "own of" in await caught(tmp_path)


async def test_a_later_scene_that_is_loaded_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def always(canon: object, item: object, at: object) -> bool:
        return True

    monkeypatch.setattr("sandbox.story.canon.Canon.holds", always)
    assert "reached" in await caught(tmp_path, start=SCENES[0], beats=3)
