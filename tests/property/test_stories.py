"""What rehearsed stories are like, over seeds 1 to 20 in both bundled worlds."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.updates import BeatCommitted
from sandbox.evals.stories import StoryMeasures, measure_story
from sandbox.settings import Settings
from sandbox.storage.places import worlds_folder
from sandbox.story.beats import Beat
from sandbox.story.events import LineSpoken
from sandbox.story.fold import Fold

SEEDS = range(1, 21)
BEATS = 50


async def rehearsed(folder: Path, world: str, seed: int) -> tuple[Fold, list[Beat]]:
    """A rehearsed story of 50 beats: the fold before it, and its journal."""
    save = begin(folder, Beginning(worlds_folder() / world, seed=seed), Settings())
    session = open_session(save, Settings(), "in_process")
    session.start()
    done = 0
    try:
        while done < BEATS:
            before = done
            async with aclosing(session.advance(BEATS - done)) as updates:
                async for update in updates:
                    done += isinstance(update, BeatCommitted) and update.cost is not None
            assert done > before, "nobody had anything to do"
        return Fold(session.canon, session.world.start), list(session.beats)
    finally:
        await session.close()


@pytest.fixture(scope="module", params=["lantern_inn", "jiangcun_duchuan"])
def measured(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[StoryMeasures]:
    found = []
    for seed in SEEDS:
        folder = tmp_path_factory.mktemp("story") / str(seed)
        fold, beats = asyncio.run(rehearsed(folder, request.param, seed))
        found.append(measure_story(fold.world.canon, fold.world.start, beats))
    return found


def _each(measured: list[StoryMeasures]) -> Iterator[tuple[int, StoryMeasures]]:
    return zip(SEEDS, measured, strict=True)


def test_nobody_says_nearly_the_same_twice(measured: list[StoryMeasures]) -> None:
    alike = {seed: m.most_alike for seed, m in _each(measured) if m.most_alike[0] > 0.6}
    assert alike == {}


def test_everything_told_was_in_its_tellers_view(measured: list[StoryMeasures]) -> None:
    assert {seed: m.told_unknown for seed, m in _each(measured) if m.told_unknown} == {}
    assert all(m.lines > 0 for m in measured)


def test_secrets_come_out(measured: list[StoryMeasures]) -> None:
    assert sum(len(m.secrets_out) >= 2 for m in measured) >= 15


def test_nobody_asks_again_what_was_answered(measured: list[StoryMeasures]) -> None:
    assert {seed: m.asked_again for seed, m in _each(measured) if m.asked_again} == {}


def test_somebody_learns_something_at_least_every_tenth_beat(
    measured: list[StoryMeasures],
) -> None:
    assert {seed: m.longest_still for seed, m in _each(measured) if m.longest_still >= 10} == {}


async def test_the_measures_see_what_they_are_for(tmp_path: Path) -> None:
    fold, beats = await rehearsed(tmp_path / "x", "lantern_inn", 1)
    canon, start = fold.world.canon, fold.world.start
    told = next(
        b for b in beats for h in b.events if isinstance(h.event, LineSpoken) and h.event.tells
    )
    twice = [told, told.model_copy(update={"seq": told.seq + 1, "turn": told.turn + 1})]
    assert measure_story(canon, start, twice).most_alike[0] == 1.0
    events = [h for h in told.events if isinstance(h.event, LineSpoken)]
    (claim,) = [c for h in events for c in getattr(h.event, "tells", ())]
    said = (claim.subject, claim.predicate, claim.object)
    stranger = next(w for w in canon.cast if said not in fold.world.propositions[w])
    swapped = [
        h.model_copy(update={"event": h.event.model_copy(update={"actor": stranger})})
        for h in events
    ]
    wrong = told.model_copy(update={"events": tuple(swapped)})
    assert measure_story(canon, start, [wrong]).told_unknown
