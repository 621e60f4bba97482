"""Invariant 3: whatever a model repeats, no request holds a token its character may not hold."""

from pathlib import Path

import pytest

from tests.property.canary_stories import (
    a_branch_and_a_resumed_save,
    a_person_meddles,
    all_that_happens,
    rounds_with_slow_recall,
    sixty_beats,
    the_story_is_rewound,
)
from tests.property.canary_watch import (
    watching,
)
from tests.property.canary_world import (
    SCENES,
)

pytestmark = pytest.mark.endpoint


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("start", "seed"), [(SCENES[0], 1), (SCENES[2], 2), (SCENES[3], 3)])
async def test_no_request_holds_what_its_character_may_not_hold(
    tmp_path: Path, start: str, seed: int, language: str
) -> None:
    async with watching(tmp_path, start, seed, language=language) as watch:
        await sixty_beats(watch)
        assert watch.requests >= 60


async def test_what_a_person_does_to_the_story_reaches_its_witnesses_only(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 5) as watch:
        await a_person_meddles(watch)


async def test_what_was_rewound_comes_back_to_nobody(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[1], 4) as watch:
        await the_story_is_rewound(watch)


async def test_a_branch_and_a_resumed_save_hold_what_their_journals_hold(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 6) as watch:
        await a_branch_and_a_resumed_save(watch)


@pytest.mark.parametrize(
    ("start", "seed", "language"),
    [(SCENES[2], 2, "en"), (SCENES[0], 1, "zh"), (SCENES[3], 3, "zh")],
)
async def test_whatever_happens_reaches_those_alone_who_take_it_in(
    tmp_path: Path, start: str, seed: int, language: str
) -> None:
    async with watching(tmp_path, start, seed, language=language) as watch:
        await all_that_happens(watch)


@pytest.mark.parametrize(("start", "seed"), [(SCENES[1], 1), (SCENES[3], 2)])
async def test_rehearsal_speaks_only_of_what_its_speaker_holds(
    tmp_path: Path, start: str, seed: int
) -> None:
    async with watching(tmp_path, start, seed, parrot=False) as watch:
        await sixty_beats(watch)


async def test_all_beats_of_a_round_are_decided_against_one_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watching(tmp_path, SCENES[0], 1) as watch:
        await rounds_with_slow_recall(watch, monkeypatch)


async def test_two_runs_of_one_seed_are_one_story_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals = []
    for folder, is_late in ((tmp_path / "one", False), (tmp_path / "other", True)):
        async with watching(folder, SCENES[0], 1) as watch:
            if is_late:  # the first of each round to answer is now the last
                await rounds_with_slow_recall(watch, monkeypatch)
            else:
                for _ in range(12):
                    await watch.play(1)
            journals.append(watch.save.journal_path.read_bytes())
    assert journals[0] == journals[1]
