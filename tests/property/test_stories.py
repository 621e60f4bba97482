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
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PredicateId
from tests.property.house import QUESTION, fact, house
from tests.property.scenes import Told, acts, claim, says

SEEDS = range(1, 21)
BEATS = 100


async def rehearsed(folder: Path, world: str, seed: int) -> tuple[Fold, list[Beat]]:
    """A rehearsed story: the fold before it, and its journal."""
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


def test_everything_told_was_in_its_tellers_view_or_a_lie_that_keeps_a_secret(
    measured: list[StoryMeasures],
) -> None:
    assert {seed: m.told_unknown for seed, m in _each(measured) if m.told_unknown} == {}
    assert all(m.lines > 0 for m in measured)


def test_nobody_tells_as_so_what_it_does_not_believe_but_to_lie(
    measured: list[StoryMeasures],
) -> None:
    assert {seed: m.overstated for seed, m in _each(measured) if m.overstated} == {}


def test_nobody_asks_again_what_somebody_it_trusts_has_answered(
    measured: list[StoryMeasures],
) -> None:
    assert {seed: m.asked_again for seed, m in _each(measured) if m.asked_again} == {}


def test_somebody_learns_something_at_least_every_twelfth_beat(
    measured: list[StoryMeasures],
) -> None:
    assert {seed: m.longest_still for seed, m in _each(measured) if m.longest_still >= 12} == {}


def test_secrets_come_out_lies_are_believed_and_threads_move(
    measured: list[StoryMeasures],
) -> None:
    eventful = [
        len(m.secrets_out) >= 3 and bool(m.lies_believed) and bool(m.threads_moved)
        for m in measured
    ]
    assert sum(eventful) >= 15


# ── the measures ──────────────────────────────────────────────────────────────────────────────


def measured_of(told: Told) -> StoryMeasures:
    return measure_story(told.world.canon, told.world.start, told.beats)


def test_a_told_fact_that_its_teller_does_not_hold_is_found_out() -> None:
    said = "It was Dee who took the cup."
    unknown = says("cy", said, "ben", tells=[claim("cup", "taken_by", "dee", said)])
    found = measured_of(Told(unknown, canon=house()))
    assert len(found.told_unknown) == 1
    assert found.lies == []


def test_a_lie_is_a_lie_where_it_keeps_a_secret_and_believed_where_it_is() -> None:
    said = "It was Dee who took the cup."
    lie = [claim("cup", "taken_by", "dee", said)]
    believed = measured_of(Told(says("ann", said, "ben", tells=lie), canon=house()))
    assert [(one.teller, one.believed_by) for one in believed.lies] == [("ann", ("ben", "cy"))]
    assert believed.told_unknown == []
    # Nobody but Ben's friend tells it: Ben does not believe Cy, who believes it himself.
    doubted = measured_of(Told(says("ann", said, "ben", tells=lie), canon=doubting()))
    assert doubted.lies_believed == []


def test_a_guess_or_a_word_to_one_who_may_know_is_no_lie() -> None:
    said = "It was Dee who took the cup."
    tells = [claim("cup", "taken_by", "dee", said)]
    guess = [{**tells[0], "mode": "supposed"}]
    guessed = measured_of(Told(says("ann", said, "ben", tells=guess), canon=house()))
    assert (len(guessed.lies), len(guessed.told_unknown)) == (0, 1)
    ann = house().characters[0].model_dump()
    ann["keeps"][0]["unless"] = ["ben"]
    open_to_ben = house(characters=[ann, *(c.model_dump() for c in house().characters[1:])])
    to_ben = measured_of(Told(says("ann", said, "ben", tells=tells), canon=open_to_ben))
    assert (len(to_ben.lies), len(to_ben.told_unknown)) == (0, 1)
    to_cy = measured_of(Told(says("ann", said, "cy", tells=tells), canon=open_to_ben))
    assert (len(to_cy.lies), len(to_cy.told_unknown)) == (1, 0)


def test_what_its_teller_believes_itself_deceives_nobody() -> None:
    said = "Dee took the cup."
    heard = [{"to": "ann", "by": "eve", "scene": "supper"}]
    secret = fact("theft", "cup", "taken_by", "ann", "Ann took it in her sleep.", told=heard)
    better = says("cy", said, "ann", tells=[claim("dee", "took", "cup", said)])
    told = Told(better, canon=house(facts=[secret]))
    lie = [claim("cup", "taken_by", "dee", said)]
    told.happen(says("ann", said, "ben", tells=lie))
    assert told.view("ann").believes("cup", PredicateId("taken_by")) == ("dee",)
    assert measured_of(told).lies_believed == []


def doubting() -> Canon:
    trusting = house()
    people = [
        c.model_copy(update={"trust": {CharacterId("ann"): 0.1}}) for c in trusting.characters
    ]
    return trusting.model_copy(update={"characters": tuple(people)})


def test_what_is_passed_on_as_so_by_who_doubts_it_is_overstated() -> None:
    said = "It was Dee who took the cup."
    tells = [claim("cup", "taken_by", "dee", said)]
    told = Told(says("cy", said, "ben", tells=tells), canon=house())
    told.happen(says("ben", said, "ann", tells=tells))
    found = measured_of(told)
    assert [line.split(":")[1].strip() for line in found.overstated] == ["ben"]
    guess = [{**tells[0], "mode": "supposed"}]
    told = Told(says("cy", said, "ben", tells=tells), canon=house())
    told.happen(says("ben", said, "ann", tells=guess))
    assert measured_of(told).overstated == []


def test_a_question_is_asked_again_where_a_trusted_answer_came_and_not_where_it_is_doubted() -> (
    None
):
    asked = says("ben", "Who took the cup?", "cy", asks=QUESTION)
    said = "It was Dee who took the cup."
    tells = [claim("cup", "taken_by", "dee", said)]
    again = says("ben", "Who took the cup?", "ann", asks=QUESTION)
    doubted = Told(asked, says("cy", said, "ben", tells=tells), again, canon=house())
    assert measured_of(doubted).asked_again == []
    trusted = Told(asked, says("ann", said, "ben", tells=tells), again, canon=house())
    assert len(measured_of(trusted).asked_again) == 1
    other = "It was Eve who took the cup."
    eve = says("dee", other, "ben", tells=[claim("cup", "taken_by", "eve", other)])
    two = Told(asked, says("ann", said, "ben", tells=tells), canon=house())
    two.walk("dee", "hall")
    two.happen(eve)
    two.happen(again)
    assert measured_of(two).asked_again == []


def test_a_secret_is_out_when_it_is_known_and_not_when_it_is_guessed_at() -> None:
    secret = fact(
        "theft", "cup", "taken_by", "ann", "Ann took it.", experienced=["ann"], secret=True
    )
    canon = house(facts=[secret])
    said = "I took the cup."
    tells = [claim("cup", "taken_by", "ann", said)]
    assert measured_of(Told(says("ann", said, "cy", tells=tells), canon=canon)).secrets_out
    guess = [{**tells[0], "mode": "supposed"}]
    assert not measured_of(Told(says("ann", said, "cy", tells=guess), canon=canon)).secrets_out


def test_a_thread_that_moves_is_counted_each_time() -> None:
    state = {"id": "out", "when": [{"who": "cy", "knows": "theft"}]}
    threads = [{"id": "cup_thread", "question": "Is it found out?", "states": [state]}]
    said = "I took the cup."
    tells = [claim("cup", "taken_by", "ann", said)]
    told = Told(acts("ann"), says("ann", said, "cy", tells=tells), canon=house(threads=threads))
    assert measured_of(told).threads_moved == [("cup_thread", "out")]


def test_lines_that_are_alike_are_found_out() -> None:
    words = "I never saw the cup after supper was over."
    told = Told(says("ann", words), says("ann", f"Well. {words}"), canon=house())
    assert measured_of(told).most_alike[0] > 0.6
    assert (
        measured_of(Told(says("ann", words), says("ben", words), canon=house())).most_alike[0] == 0
    )
