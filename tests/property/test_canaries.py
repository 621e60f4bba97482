"""Invariant 3: whatever a model repeats, no request holds a token its character may not hold."""

from pathlib import Path

import pytest

from tests.property.canary_hands import a_person_plays, what_was_heard_is_taken_out
from tests.property.canary_mint import tokens
from tests.property.canary_plan import SCENES
from tests.property.canary_stories import (
    a_branch_and_a_resumed_save,
    a_person_meddles,
    all_that_happens,
    minds_alone,
    rounds_with_slow_recall,
    the_story_is_rewound,
)
from tests.property.canary_watch import Watch, watching

pytestmark = pytest.mark.endpoint


@pytest.mark.parametrize(
    ("start", "seed", "language"), [(SCENES[0], 1, "en"), (SCENES[2], 2, "zh")]
)
async def test_no_request_holds_what_its_character_may_not_hold(
    tmp_path: Path, start: str, seed: int, language: str
) -> None:
    async with watching(tmp_path, start, seed, language=language) as watch:
        await minds_alone(watch, 45)
        assert watch.requests >= 45
        assert "probe" not in watch.kinds
        everything_was_asked(watch, "move", "unread", "guarded", "episode")
        the_director_has_no_words(watch)


@pytest.mark.parametrize(
    ("start", "seed", "language"), [(SCENES[3], 3, "en"), (SCENES[0], 4, "zh")]
)
async def test_no_request_of_a_character_that_questions_itself_holds_what_it_may_not(
    tmp_path: Path, start: str, seed: int, language: str
) -> None:
    async with watching(tmp_path, start, seed, language=language, deep=True) as watch:
        await minds_alone(watch, 40)
        everything_was_asked(watch, "move", "probe", "unread", "guarded", "episode")


def everything_was_asked(watch: Watch, *kinds: str) -> None:
    """Else the run would say nothing of a kind of request, or of what a model left in memories."""
    assert all(watch.kinds[kind] for kind in kinds), watch.kinds
    assert any(tokens(event["text"]) for event in watch.events("episode_written"))
    assert any(tokens(event["situation"]) for event in watch.events("pattern_grown"))
    assert {event["outcome"] for event in watch.events("guard_found")} == {"retried", "cut"}
    assert watch.traces.seen
    assert watch.traces.printed_own


def the_director_has_no_words(watch: Watch) -> None:
    """What it brought about is movement, and what the world's author wrote."""
    written = {p["text"] for p in watch.world.files["plot.toml"]["prepared"].values()}
    lines = [line for line in watch.journal() if line["mind"] == "director"]
    events = [h["event"] for line in lines for h in line["events"]]
    told = [e for e in events if e["kind"] == "narrated"]
    assert told
    assert {e["text"] for e in told} <= written
    given = [e for e in events if e["kind"] not in ("episode_written", "pattern_grown", "narrated")]
    states = {f for f, at in watch.world.fields.items() if at.kind == "state"}
    assert tokens(str(given)) <= states


async def test_what_a_person_does_to_the_story_reaches_its_witnesses_only(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 5) as watch:
        await a_person_meddles(watch)


@pytest.mark.parametrize(("deep", "language"), [(True, "en"), (False, "zh")])
async def test_who_is_played_by_a_person_and_who_is_pushed_hold_what_they_perceive(
    tmp_path: Path, deep: bool, language: str
) -> None:
    async with watching(
        tmp_path, SCENES[2], 7, language=language, deep=deep, minds={"ann": "person"}
    ) as watch:
        await a_person_plays(watch)
        assert any(e["owner"] == "ann" for e in watch.events("episode_written"))


@pytest.mark.parametrize("deep", [False, True])
async def test_what_was_rewound_comes_back_to_nobody(tmp_path: Path, deep: bool) -> None:
    async with watching(tmp_path, SCENES[1], 4, deep=deep) as watch:
        await the_story_is_rewound(watch)
        assert bool(watch.kinds["probe"]) is deep


async def test_what_was_heard_and_taken_out_of_the_story_is_shown_to_nobody(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 9, deep=True) as watch:
        await what_was_heard_is_taken_out(watch)


@pytest.mark.parametrize("deep", [False, True])
async def test_a_branch_and_a_resumed_save_hold_what_their_journals_hold(
    tmp_path: Path, deep: bool
) -> None:
    async with watching(tmp_path, SCENES[2], 6, deep=deep) as watch:
        await a_branch_and_a_resumed_save(watch)


@pytest.mark.parametrize(
    ("start", "seed", "language", "deep"),
    [(SCENES[2], 2, "en", True), (SCENES[3], 3, "zh", False)],
)
async def test_whatever_happens_reaches_those_alone_who_take_it_in(
    tmp_path: Path, start: str, seed: int, language: str, deep: bool
) -> None:
    async with watching(tmp_path, start, seed, language=language, deep=deep) as watch:
        await all_that_happens(watch)


@pytest.mark.chroma
async def test_what_stands_in_chroma_is_its_owners(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[1], 8, deep=True, memory="chroma") as watch:
        await minds_alone(watch, 16)
        await watch.check_shelves()


@pytest.mark.parametrize(("start", "seed"), [(SCENES[1], 1), (SCENES[3], 2)])
async def test_rehearsal_speaks_only_of_what_its_speaker_holds(
    tmp_path: Path, start: str, seed: int
) -> None:
    async with watching(tmp_path, start, seed, parrot=False) as watch:
        await minds_alone(watch, 60)
        grown = watch.events("pattern_grown")  # by rule
        assert any(tokens(str(event["samples"])) for event in grown)


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
        async with watching(folder, SCENES[0], 1, deep=True) as watch:
            if is_late:  # the first of each round to answer is now the last
                await rounds_with_slow_recall(watch, monkeypatch)
            else:
                for _ in range(12):
                    await watch.play(1)
            journals.append(watch.save.journal_path.read_bytes())
    assert journals[0] == journals[1]
