"""Scene close with a model: who is asked what, and what becomes of the answers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.engine.auditing import memory_problems
from sandbox.engine.consolidating import LAYERS_VERSION
from sandbox.engine.records import expected
from sandbox.engine.updates import SceneConsolidating
from sandbox.errors import ModelUnavailableError
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.store import Layer, Shelf
from sandbox.models.scripted import Script
from sandbox.storage.saves import load_save, write_manifest
from sandbox.story.commands import Go, Say
from sandbox.story.episodes import composed, parts_of
from sandbox.story.events import EpisodeWritten, PatternGrown
from sandbox.story.ids import PlaceId
from sandbox.story.view import CharacterView
from tests.closing import (
    ANN,
    BEN,
    CY,
    KEPT,
    PATTERN,
    KeptHome,
    Model,
    before_close,
    begun_with_model,
    events_of,
    owner_of,
    summary,
    until_closed,
)
from tests.playing import (
    Letters,
    act,
    assert_verifies,
    begun,
    one_round,
    opened,
    play_on,
    playing,
    reply,
    world_of,
)

HALL = PlaceId("hall")


# ── who is asked what ─────────────────────────────────────────────────────────────────────────


async def test_each_participant_is_asked_once_and_what_it_answers_is_an_event(
    tmp_path: Path,
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model()
    async with playing(save, model) as session:
        updates = await until_closed(session)
        assert session.totals.consolidations.calls == len(model.asked)
        assert session.totals.cost.calls == model.moves, "counted apart from moves"
    world = before_close(save)
    (scene,) = (s for s in world.scenes.values() if len(s.beats) >= 4)
    owners = [part.owner for part in parts_of(world, scene)]
    assert len(owners) > 1
    assert sorted(model.owners) == sorted(world.names(None)(who) for who in owners)
    (announced,) = (u for u in updates if isinstance(u, SceneConsolidating))
    assert announced == SceneConsolidating(scene.id, tuple(owners))
    assert updates.index(announced) < len(updates) - 1
    written = events_of(save, EpisodeWritten)
    assert [e.owner for e in written] == owners
    assert {e.text for e in written} == {KEPT}


async def test_a_request_holds_the_own_percepts_of_that_scene_and_nothing_else(
    tmp_path: Path,
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model()
    secret = "The ladle is under the third stair."
    async with playing(save, model) as session:
        session.command(Go(character=CY, place=HALL))  # where it sees that they whisper, not what
        await one_round(session)
        session.command(Say(character=ANN, words=secret, to=(BEN,), whisper=True))
        await until_closed(session)
        first = list(model.asked)
        await act(session, 12)
        later = model.asked[len(first) :]
    assert {owner_of(r) for r in first} == {"Ann", "Ben", "Cy Dorn"}
    assert {owner_of(r) for r in first if secret in str(r.messages)} == {"Ann", "Ben"}
    assert later
    assert not any(secret in str(r.messages) for r in later), "of a scene that closed before"


async def test_who_rehearses_and_who_perceived_nothing_is_not_asked(tmp_path: Path) -> None:
    minds = {"ann": "rehearsal"}
    save, model = begun_with_model(tmp_path / "story", minds=minds), Model()
    async with playing(save, model) as session:
        await until_closed(session)
    assert "Ann" not in model.owners
    assert "Ben" in model.owners
    written = {e.owner: e.text for e in events_of(save, EpisodeWritten)}
    assert written[ANN] != KEPT
    assert written[BEN] == KEPT
    await assert_verifies(save)


async def test_whoever_a_person_plays_is_summarised_as_well(tmp_path: Path) -> None:
    save, model = begun_with_model(tmp_path / "story", minds={"ann": "person"}), Model()
    async with playing(save, model) as session:
        session.command(Say(character=ANN, words="Good evening, Ben.", to=(BEN,)))
        await until_closed(session)
    assert "Ann" in model.owners


async def test_a_save_begun_before_models_wrote_summaries_goes_on_composing_them(
    tmp_path: Path,
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model()
    write_manifest(save.folder, save.manifest.model_copy(update={"layers": 1}))
    old = load_save(save.folder)
    await play_on(old, 10, model=model)
    assert model.asked == []
    assert events_of(old, EpisodeWritten)
    await assert_verifies(old)


def test_new_saves_keep_what_a_scene_leaves_today(tmp_path: Path) -> None:
    assert begun(tmp_path / "story").manifest.layers == LAYERS_VERSION


# ── when there is no good answer ──────────────────────────────────────────────────────────────

BAD: dict[str, Script] = {
    "gone": [ModelUnavailableError("the model is gone.", transient=False)],
    "prose": "I sat there and it rained.",
    "a move": reply("I do not summarise."),
    "empty": summary(""),
    "cut off": summary()[:30],
    "another type": json.dumps({"summary": ["I", "sat"], "pattern": 3}),
}


@pytest.mark.parametrize("kind", BAD)
async def test_what_no_model_gives_is_composed_and_asked_for_only_once(
    tmp_path: Path, kind: str
) -> None:
    save, model = begun_with_model(tmp_path / "story"), Model(lambda _: BAD[kind])
    async with playing(save, model) as session:
        await until_closed(session)
    assert len(model.asked) == len(set(model.owners)), "there is no retry"
    world = before_close(save)
    (scene,) = (s for s in world.scenes.values() if len(s.beats) >= 4)
    wanted = {
        p.owner: composed(CharacterView(world, p.owner), p.percepts) for p in parts_of(world, scene)
    }
    assert {e.owner: e.text for e in events_of(save, EpisodeWritten)} == {
        who: text for who, text in wanted.items() if text
    }
    await assert_verifies(save)


# ── the check before a memory ─────────────────────────────────────────────────────────────────

LEAK = "The steward poisoned the well."


def without_leak(view: CharacterView, text: str) -> str:
    return text.replace(LEAK, "")


async def test_vectors_and_summaries_that_bypass_the_filter(tmp_path: Path) -> None:
    """Every text of a model passes the check before it is an event; memory is made of events alone."""
    told = json.dumps(
        {
            "summary": f"{KEPT} {LEAK}",
            "feelings": LEAK,
            "pattern": {
                "situation": f"When it rains. {LEAK}",
                "manner": f"I hum. {LEAK}",
                "mood_before": LEAK[:40],
                "mood_after": "grim",
                "sample": LEAK,
            },
        }
    )
    save, model = begun_with_model(tmp_path / "story"), Model(lambda _: told)
    store = InProcessStore(Letters())
    session = opened(save, model, KeptHome(store))
    session._closing = replace(session._closing, check=without_leak)
    session.start()
    try:
        await until_closed(session)
        world = session.world
    finally:
        await session.close()
    written = [*events_of(save, EpisodeWritten), *events_of(save, PatternGrown)]
    assert len(written) > 2
    assert not any(LEAK in event.model_dump_json() for event in written)
    for shelf in store.shelves():
        assert not any(LEAK in record.text for record in store.records(shelf).values())
    assert list(memory_problems(store, world)) == []


# ── patterns ──────────────────────────────────────────────────────────────────────────────────


async def test_a_grown_pattern_is_an_event_then_a_memory_and_comes_back_equal(
    tmp_path: Path,
) -> None:
    save = begun_with_model(tmp_path / "story")
    model, store = Model(lambda _: summary(**PATTERN)), InProcessStore(Letters())
    async with playing(save, model, KeptHome(store)) as session:
        await until_closed(session)
        live = session.world
    (grown, *_) = [e for e in events_of(save, PatternGrown) if e.owner == ANN]
    assert (grown.situation, grown.samples) == (PATTERN["situation"], ("It is said.",))
    world = world_of(save)
    assert world.grown == live.grown
    pattern = CharacterView(world, ANN).patterns[world.grown[ANN][0].id]  # type: ignore[index]
    assert pattern.manner == "I wait and count."
    shelf = Shelf(ANN, Layer.PERSONALITY)
    assert store.records(shelf) == {record.id: record for record in expected(world, shelf)}
    (record,) = (r for r in store.records(shelf).values() if r.seq)
    assert "I wait and count." in record.text
    assert not any(p.owner == ANN for p in CharacterView(world, BEN).patterns.values())
    await assert_verifies(save)
