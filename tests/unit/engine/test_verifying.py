"""A story plays again from its cassette alone, and any change that matters is found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.engine import replay
from sandbox.engine.auditing import audit
from sandbox.engine.opening import branch
from sandbox.engine.replay import play_again, verify
from sandbox.engine.updates import BeatBegan, BeatCommitted, DraftArrived, Update
from sandbox.errors import CassetteError, ModelUnavailableError, SaveError
from sandbox.models.port import Request
from sandbox.models.scripted import Script, ScriptedModel
from sandbox.storage.cassette import Ordered, Replied, Steering, entry_line, read_cassette
from sandbox.storage.journal import line_of
from sandbox.storage.saves import Save, load_save, write_manifest
from sandbox.storage.world_copy import folder_digest
from sandbox.story.beats import Happened
from sandbox.story.commands import Command, Do, Go, Inject, Retake, Rewind, Say, Stage
from sandbox.story.events import Acted, Event, StateTurned
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.perception import perceive
from sandbox.story.stage import Stage as WorldStage
from tests.playing import (
    Step,
    act,
    assert_verifies,
    begun,
    one_round,
    play,
    play_on,
    playing,
    reply,
)

ANN, BEN, CY = (CharacterId(who) for who in ("ann", "ben", "cy"))
HALL, YARD = PlaceId("hall"), PlaceId("yard")
BELL = Inject(text="A bell rings twice.")
SAID = Say(character=ANN, words="Did you hear that, Ben?", to=(BEN,))
WHISPERED = Say(character=BEN, words="Hush now.", to=(ANN,), whisper=True)
SLEEPS = Stage(events=(StateTurned(actor=CY, state="fell_asleep"),))


def lines() -> ScriptedModel:
    """Says another line each time, of two sentences."""
    model = ScriptedModel(lambda _: reply(f"Line {len(model.requests)}. It is said.", to=["Ben"]))
    return model


async def told_by_a_model(folder: Path) -> Save:
    return await play(folder, 3, BELL, SAID, 3, model=lines())


# ── it passes ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "steps",
    [
        [4, BELL, 2, SAID, WHISPERED, 3],
        [2, Do(character=BEN, text="coughs"), Go(character=ANN, place=YARD), 4],
        [2, SLEEPS, 3, Stage(events=(Acted(actor=BEN, text="nods"),)), 2],
        [6, Rewind(turn=2), 4, Retake(), 2, Rewind(turn=1), BELL, 5, Rewind(turn=0), 3],
        [3, Retake(), BELL, Retake(), 1, Rewind(turn=0)],
        [14],
        [BELL, BELL],
        [],
    ],
)
async def test_a_story_with_commands_plays_again(tmp_path: Path, steps: list[Step]) -> None:
    save = await play(tmp_path / "story", *steps)
    await assert_verifies(save)
    await play_on(save, Inject(text="Later."), 2)
    await play_on(save)
    await assert_verifies(save)


async def test_rounds_with_a_limit_play_again(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        for limit in (1, None, 1, 1, 2, None, 0, 1):
            await one_round(session, limit)
    await assert_verifies(save)


@pytest.mark.parametrize("kind", [BeatBegan, DraftArrived, BeatCommitted])
async def test_a_round_that_was_stopped_plays_again(tmp_path: Path, kind: type[Update]) -> None:
    save = begun(tmp_path / "story", model="scripted")
    async with playing(save, lines()) as session:
        updates = session.advance()  # of two scenes
        async with aclosing(updates):
            while not isinstance(await anext(updates), kind):
                pass
        assert len(session.beats) == (kind is BeatCommitted)
        await act(session, 4)
    await assert_verifies(save)


async def test_failures_of_a_model_play_again(tmp_path: Path) -> None:
    gone = ModelUnavailableError("the model is gone.", transient=False)
    busy = ModelUnavailableError("busy.", retry_after_s=0.0)

    def answer(_: Request) -> Script:
        match len(model.requests) % 6:
            case 0:
                return [gone]
            case 1 | 2:
                return [reply("Half a li")[:14], busy]
            case 3:
                return "no move"
            case _:
                return reply(f"Line {len(model.requests)}.")

    model = ScriptedModel(answer)
    save = begun(tmp_path / "story", model="scripted")
    async with playing(save, model) as session:
        for _ in range(8):
            await one_round(session)
    kinds = {entry.kind for entry in read_cassette(save.cassette_path)}
    assert {"replied", "failed"} <= kinds
    assert len(save.read().beats) > 3
    await assert_verifies(save)


async def test_a_branch_plays_again_unopened_and_played_on(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")
    for turn in range(len(save.read().beats) + 1):
        own = branch(save, turn, tmp_path / f"own-{turn}")
        await assert_verifies(own)
        await play_on(own, 1, BELL, 1, model=lines())
        await assert_verifies(own)
        further = branch(own, turn, tmp_path / f"further-{turn}")
        await assert_verifies(further)


# ── it plays from the cassette ────────────────────────────────────────────────────────────────


async def test_it_plays_while_the_journal_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = await told_by_a_model(tmp_path / "story")
    away = tmp_path / "away.jsonl"
    save.journal_path.rename(away)
    played, drift = await play_again(save, tmp_path / "again")
    assert played.journal_path.read_bytes() == away.read_bytes()
    assert not drift
    compare = replay._compared

    def compared(save: Save, played: Path) -> replay.Verdict:
        away.rename(save.journal_path)
        return compare(save, played)

    monkeypatch.setattr(replay, "_compared", compared)
    await assert_verifies(save)


async def test_memory_and_lock_of_the_save_are_left_alone(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")
    before = {p: p.read_bytes() for p in save.folder.rglob("*") if p.is_file()}
    await assert_verifies(save)
    assert {p: p.read_bytes() for p in save.folder.rglob("*") if p.is_file()} == before


# ── it finds what was changed ─────────────────────────────────────────────────────────────────


def change_entry(save: Save, kind: type, change: Callable[[Any], Any], which: int = 0) -> None:
    """Change one entry of the cassette; its checksum fits."""
    entries = read_cassette(save.cassette_path)
    at = [number for number, entry in enumerate(entries) if isinstance(entry, kind)][which]
    entries[at] = change(entries[at])
    text = "".join(f"{entry_line(entry)}\n" for entry in entries)
    save.cassette_path.write_text(text, "utf-8")


async def assert_differs(save: Save) -> None:
    verdict = await verify(save)
    assert not verdict.is_same
    assert "came out differently" in verdict.problem


@pytest.mark.parametrize("which", [0, 3, -1])
async def test_one_character_of_a_reply_is_enough(tmp_path: Path, which: int) -> None:
    save = await told_by_a_model(tmp_path / "story")

    def change(entry: Replied) -> Replied:
        return entry.model_copy(update={"text": entry.text.replace("Line", "Lime")})

    change_entry(save, Replied, change, which)
    await assert_differs(save)


async def test_one_character_of_a_command_is_enough(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")

    def change(entry: Ordered) -> Ordered:
        return Ordered(seq=entry.seq, command=Inject(text="A ball rings twice."))

    change_entry(save, Ordered, change)
    await assert_differs(save)


async def test_a_command_that_is_left_out_is_found(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")
    entries = [e for e in read_cassette(save.cassette_path) if not isinstance(e, Ordered)]
    save.cassette_path.write_text("".join(f"{entry_line(e)}\n" for e in entries), "utf-8")
    with pytest.raises(CassetteError, match=r"nothing recorded .* another way"):
        await verify(save)


async def test_a_reply_that_is_left_out_is_found(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")
    entries = list(read_cassette(save.cassette_path))
    entries.remove([e for e in entries if isinstance(e, Replied)][1])
    save.cassette_path.write_text("".join(f"{entry_line(e)}\n" for e in entries), "utf-8")
    with pytest.raises(CassetteError, match=r"nothing recorded .* another way"):
        await verify(save)


async def test_one_rule_of_perception_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = await play(tmp_path / "story", 4, WHISPERED, 2)

    def without_cy(event: Event, stage: WorldStage) -> Happened:
        happened = perceive(event, stage)
        kept = {who: detail for who, detail in happened.witnesses.items() if who != CY}
        return happened.model_copy(update={"witnesses": kept})

    monkeypatch.setattr("sandbox.engine.staging.perceive", without_cy)
    await assert_differs(save)


async def test_a_changed_world_is_found_by_its_digest_and_without_it(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")
    folder = save.folder / "world" / save.manifest.world
    cast = folder / "cast.toml"
    cast.write_text(cast.read_text("utf-8").replace('home = "yard"', 'home = "hall"'), "utf-8")
    scene = next((folder / "scenes").glob("*.md"))
    scene.write_text(scene.read_text("utf-8").replace('cy = "yard"', 'cy = "hall"'), "utf-8")
    verdict = await verify(save)
    assert "is not the world this save was begun with" in verdict.problem
    assert any("changed since the save was begun" in problem for problem in audit(save))
    manifest = save.manifest.model_copy(update={"world_digest": folder_digest(folder)})
    write_manifest(save.folder, manifest)
    try:
        verdict = await verify(load_save(save.folder))
    except (CassetteError, SaveError):
        return
    assert not verdict.is_same


async def test_another_seed_is_another_story(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 8)
    write_manifest(save.folder, save.manifest.model_copy(update={"seed": 99}))
    await assert_differs(load_save(save.folder))


@pytest.mark.parametrize("at", [0, 4, -1])
async def test_a_journal_that_was_rewritten_with_fitting_sums_is_found(
    tmp_path: Path, at: int
) -> None:
    save = await told_by_a_model(tmp_path / "story")
    beats = list(save.read().beats)
    beats[at] = beats[at].model_copy(update={"clock": beats[at].clock + 1})
    text, total = "", ""
    for beat in beats:
        line, total = line_of(beat, total)
        text += f"{line}\n"
    save.journal_path.write_text(text, "utf-8")
    assert list(save.read().beats) == beats
    await assert_differs(save)


async def test_a_journal_that_goes_further_than_the_cassette_is_found(tmp_path: Path) -> None:
    save = await play(tmp_path / "story", 4)
    entries = list(read_cassette(save.cassette_path))
    kept = [e for e in entries if not (isinstance(e, Steering) and e.seq >= 2)]
    save.cassette_path.write_text("".join(f"{entry_line(e)}\n" for e in kept), "utf-8")
    verdict = await verify(save)
    assert "did not come out again" in verdict.problem


async def test_another_request_is_reported_as_drift_and_is_no_difference(tmp_path: Path) -> None:
    save = await told_by_a_model(tmp_path / "story")
    change_entry(save, Replied, lambda e: e.model_copy(update={"request": "0" * 16}), 2)
    verdict = await verify(save)
    assert verdict.is_same
    assert len(verdict.notes) == 1
    assert "was not as recorded" in verdict.notes[0]


async def test_every_kind_of_command_comes_back_from_the_cassette(tmp_path: Path) -> None:
    commands: list[Command] = [
        BELL,
        SAID,
        WHISPERED,
        SLEEPS,
        Go(character=ANN, place=YARD),
        Retake(),
    ]
    commands += [Do(character=BEN, text="coughs"), Rewind(turn=0)]
    for command in commands:
        entry = Ordered(seq=3, command=command)
        path = tmp_path / "cassette.jsonl"
        path.write_text(f"{entry_line(entry)}\n", "utf-8")
        assert read_cassette(path) == [entry]
        assert json.loads(path.read_text("utf-8"))["command"]["kind"] == command.kind


async def test_a_save_is_verified_by_any_path_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = await play(tmp_path / "story", 3)
    monkeypatch.chdir(save.folder)
    await assert_verifies(replace(save, folder=Path()))
    await asyncio.sleep(0)
