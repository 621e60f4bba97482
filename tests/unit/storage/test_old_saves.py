"""Saves of earlier versions, kept as they were written: they open, go on, and say what they were begun under."""

import shutil
from pathlib import Path

from sandbox.agents.rehearsal import REHEARSAL_VERSION
from sandbox.engine.replay import verify
from sandbox.storage.saves import load_save
from sandbox.story.beats import RULES_VERSION
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from tests.playing import play_on

SPINE = Path(__file__).parents[2] / "saves" / "spine"
"""Played under perception rules 1, before there was a director."""


def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SPINE, tmp_path / "spine"))


def test_a_save_of_the_spine_opens_with_everything_its_characters_learned(tmp_path: Path) -> None:
    save = load_save(copied(tmp_path))
    world = fold(save.canon(), save.manifest.start, save.read().beats).world
    assert world.turn >= 30
    assert {h.rules for beat in world.beats for h in beat.events} == {1}
    learned = [g for grants in world.grants.values() for g in grants.values() if g[0].because.turn]
    assert len(learned) > 20
    assert save.manifest.story.director is False
    assert save.manifest.rehearsal == 1


async def test_a_save_of_the_spine_goes_on_under_todays_rules(tmp_path: Path) -> None:
    save = load_save(copied(tmp_path))
    before = save.journal_path.read_bytes()
    await play_on(save, 3)
    assert save.journal_path.read_bytes().startswith(before), "what stood is not rewritten"
    beats = save.read().beats
    assert {h.rules for beat in beats[-3:] for h in beat.events} == {2}
    world = fold(save.canon(), save.manifest.start, beats).world
    assert CharacterId("mara") in world.grants


async def test_a_save_that_cannot_come_out_alike_says_what_it_was_begun_under(
    tmp_path: Path,
) -> None:
    verdict = await verify(load_save(copied(tmp_path)))
    then = f"perception rules 1 (today {RULES_VERSION}) and rehearsal 1 (today {REHEARSAL_VERSION})"
    assert then in verdict.problem
