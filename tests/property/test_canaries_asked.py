"""`ask SAVE as CHARACTER`: whatever a model repeats, an answer holds what its character may, at its turn."""

from pathlib import Path

import pytest

from tests.property.canary_asks import Asks, connect, disconnect
from tests.property.canary_mint import tokens
from tests.property.canary_plan import SCENES
from tests.property.canary_stories import a_person_meddles, minds_alone
from tests.property.canary_watch import Watch, watching

pytestmark = pytest.mark.endpoint


@pytest.mark.parametrize(
    ("start", "seed", "language"), [(SCENES[2], 1, "en"), (SCENES[1], 3, "zh")]
)
async def test_an_answer_off_the_record_holds_what_its_character_may_hold_at_that_turn(
    tmp_path: Path, start: str, seed: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watching(tmp_path, start, seed, language=language) as watch:
        await minds_alone(watch, 14)
        connect(watch, monkeypatch)
        asks, before = Asks(watch), written(watch)
        await asks.at(watch.story.turn, "--deep", "--trace")
        await asks.in_words(4, "ann", "--deep", "--trace")
        assert watch.kinds["probe"]
        assert watch.kinds["answer"]
        assert any(answer["by"] == "parrot" and tokens(answer["words"]) for answer in asks.answers)
        requests = sum(watch.kinds.values())
        disconnect(monkeypatch)
        await asks.at(5, "--trace")
        assert asks.answers[-1]["by"] == "rehearsal"
        assert sum(watch.kinds.values()) == requests
        assert written(watch) == before
        await watch.play(4)
        watch.check_everything_kept(pages=False)


def written(watch: Watch) -> dict[str, bytes]:
    """What is on disk of a save, but for its memory, which is written when there is time."""
    folder = watch.save.folder
    return {f: (folder / f).read_bytes() for f in ("journal.jsonl", "cassette.jsonl", "save.toml")}


async def test_a_name_in_a_question_brings_nothing_that_its_character_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watching(tmp_path, SCENES[1], 3) as watch:
        await watch.play(6)
        connect(watch, monkeypatch)
        await Asks(watch).about_anybody(watch.story.turn)
        disconnect(monkeypatch)
        await Asks(watch).about_anybody(watch.story.turn, "--trace")


async def test_an_answer_as_of_an_earlier_turn_holds_nothing_that_was_said_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watching(tmp_path, SCENES[2], 5) as watch:
        await a_person_meddles(watch)
        connect(watch, monkeypatch)
        asks = Asks(watch)
        for turn in (0, watch.story.turn // 2):
            await asks.at(turn, "--deep", "--trace")
