"""Faults planted where a mind thinks, keeps, is asked and is shown: the canaries see each of them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.agents import drafting, summarising
from sandbox.agents.guarding import Finding, retry_text
from sandbox.agents.reasoning import answering, deep, requests
from sandbox.agents.reasoning.anchors import Anchor
from sandbox.agents.reasoning.pool import FactPool, Probe, Way
from sandbox.agents.reasoning.synthesis import synthesise
from sandbox.cli.printing import Printer
from sandbox.engine import firing, off_record, session
from sandbox.engine.playback import Playback
from sandbox.memory.store import Layer, Record, Shelf
from sandbox.story.canon import Canon
from sandbox.story.commands import Rewind, Say
from sandbox.story.episodes import ScenePart
from sandbox.story.events import Narrated, PatternGrown
from sandbox.story.fold import fold
from sandbox.story.ids import PatternId, PreparedId, SceneId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from sandbox.tui.state import StoryState
from tests.property.canary_asks import Asks, connect
from tests.property.canary_plan import SCENES
from tests.property.canary_stage import Leak
from tests.property.canary_watch import Watch, pair, person, watching
from tests.property.test_canaries import the_director_has_no_words

pytestmark = pytest.mark.endpoint


def another(view: CharacterView) -> CharacterView:
    """The view of somebody else."""
    world: World = view._world
    others = sorted(set(world.percepts) - {view.me})
    return CharacterView(world, max(others, key=lambda who: len(world.percepts[who])))


def all_of(view: CharacterView) -> FactPool:
    """Everything that somebody knows."""
    pool = FactPool(view.known)
    pool.add(Probe(Way.FOUND), [fact.handle for fact in view.known])
    return pool


async def leak_of(
    folder: Path, *, beats: int = 30, is_deep: bool = False, memory: Any = "in_process"
) -> str:
    """The leak that a run shows."""
    async with watching(folder, SCENES[2], 1, deep=is_deep, memory=memory) as watch:
        try:
            await watch.play(beats)
            watch.check_everything_kept(pages=False)
        except Leak as leak:
            return str(leak)
    pytest.fail("no leak was seen")


# ── thinking ──────────────────────────────────────────────────────────────────────────────────


async def test_a_probe_over_the_facts_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = deep.deep_request

    def of_another(view: CharacterView, asked: Any, anchors: Any, pool: Any, limits: Any) -> Any:
        return request(view, asked, anchors, all_of(another(view)), limits)

    monkeypatch.setattr(deep, "deep_request", of_another)
    assert "`probe`" in await leak_of(tmp_path, is_deep=True)


async def test_a_probe_that_shows_the_percepts_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    latest = requests._latest
    monkeypatch.setattr(requests, "_latest", lambda view, budget: latest(another(view), budget))
    assert "`probe`" in await leak_of(tmp_path, is_deep=True)


async def test_the_question_of_a_thread_in_a_request_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked_by_the_author(view: CharacterView) -> tuple[str, ...]:
        return tuple(thread.question for thread in view._world.canon.threads)

    monkeypatch.setattr(CharacterView, "goals", property(asked_by_the_author))
    assert "question of a thread" in await leak_of(tmp_path)


async def test_a_retry_that_tells_what_is_so_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = retry_text

    def with_a_hint(view: CharacterView, findings: list[Finding]) -> str:
        """Of what the speaker knows: nothing it did not say itself belongs there all the same."""
        hint = [view.known.pick([f.handle])[0].statement for f in view.known][-1:]
        return told(view, [*findings, *(Finding(findings[0].offence, text) for text in hint)])

    monkeypatch.setattr(drafting, "retry_text", with_a_hint)
    assert "who had not said it" in await leak_of(tmp_path)


async def test_a_retry_that_tells_what_its_speaker_cannot_know_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = retry_text

    def with_the_truth(view: CharacterView, findings: list[Finding]) -> str:
        strange = [f for id_, f in view._world.facts.items() if id_ not in view.known]
        true = next(fact.statement for fact in strange if fact.statement)
        return f"{told(view, findings)}\n{true}"

    monkeypatch.setattr(drafting, "retry_text", with_the_truth)
    assert "`guarded`" in await leak_of(tmp_path)


# ── what a scene leaves ───────────────────────────────────────────────────────────────────────


async def test_a_summary_made_of_the_percepts_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = summarising.lines_within

    def of_another(view: CharacterView, part: ScenePart, budget: int) -> list[str]:
        other = another(view)
        return lines(other, replace(part, percepts=tuple(other.percepts)), budget)

    monkeypatch.setattr(summarising, "lines_within", of_another)
    assert "`episode`" in await leak_of(tmp_path)


async def test_a_pattern_that_somebody_else_takes_on_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = summarising._pattern

    def of_another(value: Any, view: CharacterView, *rest: Any) -> PatternGrown | None:
        found = grown(value, view, *rest)
        return found and found.model_copy(update={"owner": another(view).me})

    monkeypatch.setattr(summarising, "_pattern", of_another)
    assert "pattern_grown" in await leak_of(tmp_path)


async def test_a_pattern_that_somebody_else_acts_by_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_anybody(view: CharacterView) -> dict[PatternId, Any]:
        return {PatternId(p.id): p for grown in view._world.grown.values() for p in grown}

    monkeypatch.setattr(CharacterView, "patterns", property(of_anybody))
    assert "reached" in await leak_of(tmp_path)


async def test_a_line_that_was_taken_back_and_stays_in_the_world_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_it_was = fold

    def with_all(canon: Canon, start: SceneId, beats: Any) -> Any:
        gone = {seq for beat in beats for seq in beat.withdrawn_seqs}
        return as_it_was(canon, start, [b for b in beats if b.seq in gone or b.is_story])

    monkeypatch.setattr(session, "fold", with_all)
    async with watching(tmp_path, SCENES[2], 1, deep=True) as watch:
        await watch.play(3)
        turn, (a, b) = watch.story.turn, pair(watch)
        watch.order(Say(character=a, words="Soon unsaid: zq9001x.", to=(b,)))
        watch.order(Rewind(turn=turn))
        with pytest.raises(Leak, match="zq9001x"):
            await watch.play(6)
        watch.arrived.clear()


async def test_a_record_of_somebody_else_in_chroma_is_seen(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 1, memory="chroma") as watch:
        await watch.play(2)
        assert watch.session is not None
        mine = watch.story.episodes[person("cy")][0].text
        strange = Record("percept:9999.0", mine, "percept", 9999, 0, "arrival", 1.0)
        shelf = Shelf(person("eve"), Layer.EPISODIC)
        watch.session.keeper._pending.setdefault(shelf, []).append(strange)
        with pytest.raises(Leak, match="on the shelf"):
            await watch.check_shelves()


# ── the director ──────────────────────────────────────────────────────────────────────────────


async def test_a_director_that_finds_words_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_its_own_words(world: World, prepared: PreparedId) -> list[Narrated]:
        place = world.canon.prepared_by_id[prepared].place
        text = world.canon.threads[0].question
        return [Narrated(text=text, place=place, prepared=prepared)]

    monkeypatch.setattr(firing, "_events", in_its_own_words)
    async with watching(tmp_path, SCENES[0], 1, parrot=False) as watch:
        await watch.play(60)
        with pytest.raises(AssertionError):
            the_director_has_no_words(watch)


# ── asked off the record ──────────────────────────────────────────────────────────────────────


async def asked(watch: Watch, monkeypatch: pytest.MonkeyPatch, *flags: str, turn: int = 4) -> None:
    connect(watch, monkeypatch)
    with pytest.raises(Leak):
        await Asks(watch).at(turn, *flags)
    watch.arrived.clear()


async def test_an_answer_from_the_end_of_the_story_to_a_question_about_its_middle_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jump = Playback.jump

    def to_the_end(playback: Playback, turn: int) -> World:
        jump(playback, playback.last_turn)
        return playback.world

    async with watching(tmp_path, SCENES[2], 1) as watch:
        await watch.play(8)
        monkeypatch.setattr(Playback, "jump", to_the_end)
        await asked(watch, monkeypatch, turn=1)


async def test_an_answer_from_the_scenes_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_another(anchor: Anchor, view: CharacterView) -> tuple[str, ...]:
        return tuple(episode.text for episode in another(view).episodes)

    async with watching(tmp_path, SCENES[2], 1) as watch:
        await watch.play(8)
        monkeypatch.setattr(Anchor, "texts", of_another)
        await asked(watch, monkeypatch)


async def test_a_composed_answer_from_what_somebody_else_knows_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conclude = synthesise

    def of_another(view: CharacterView, question: Any, pool: FactPool) -> Any:
        return conclude(another(view), question, all_of(another(view)))

    monkeypatch.setattr(off_record, "synthesise", of_another)
    monkeypatch.setattr(off_record, "composed", _told_outright)
    async with watching(tmp_path, SCENES[2], 1, parrot=False) as watch:
        await watch.play(8)
        await asked(watch, monkeypatch)


def _told_outright(view: CharacterView, question: Any, answer: Any, chance: Any) -> Any:
    support = getattr(answer, "support", ())
    return answering.Said(" ".join(fact.statement for fact in support), ())


# ── how a move came about ─────────────────────────────────────────────────────────────────────


async def test_a_trace_that_is_printed_to_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Printer, "_trace_of", lambda printer, update: update.trace)
    assert "in print" in await leak_of(tmp_path, beats=6)


async def test_a_trace_on_the_screen_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anybodys(state: StoryState) -> Any:
        line = state.inspected_line
        return state.traces.get(line.seq, (None, None))[1] if line else None

    monkeypatch.setattr(StoryState, "inspected_trace", property(anybodys))
    assert "on the page of its trace" in await leak_of(tmp_path, beats=6)
