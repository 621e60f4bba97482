"""The stage checks each move again at commit: what is no longer possible is an attempt that failed."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from sandbox.agents.minds import Move
from sandbox.engine.casting import Casting
from sandbox.engine.playback import Playback
from sandbox.engine.records import expected
from sandbox.engine.staging import Staging
from sandbox.memory.store import Layer, Shelf
from sandbox.settings import Settings
from sandbox.storage.places import worlds_folder
from sandbox.story.beats import Detail
from sandbox.story.claims import Claim
from sandbox.story.commands import Do, Go, Say
from sandbox.story.events import Acted, Entered, LineSpoken, Whispered
from sandbox.story.ids import CharacterId, PlaceId, PredicateId
from sandbox.story.stage import Stage
from tests.playing import act, assert_verifies, begun, opened, playing
from tests.tui.stages import Scripted

ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")
HALL, YARD = PlaceId("hall"), PlaceId("yard")


def _stage(tmp_path: Path) -> Stage:
    save = begun(tmp_path / "s")
    session = opened(save)
    stage = session.world.stage.copy()
    session.abandon()
    return stage


def test_a_line_to_somebody_who_has_gone_is_an_attempt_that_those_present_see(
    tmp_path: Path,
) -> None:
    staging = Staging(_stage(tmp_path))
    staging.move(ANN, Move(words="Cy, the key!", to=(CY,)))
    (happened,) = staging.happened
    assert isinstance(happened.event, Acted)
    assert happened.event.failed
    # Whoever knows Cy's name reads it there; the others read what they call him.
    assert happened.event.text == "to speak to {@cy}"
    assert happened.witnesses == {ANN: Detail.FULL, BEN: Detail.FULL}
    assert not [h for h in staging.happened if isinstance(h.event, LineSpoken | Whispered)]


def test_a_way_that_is_not_there_is_an_attempt_and_nobody_moves(tmp_path: Path) -> None:
    staging = Staging(_stage(tmp_path))
    staging.move(ANN, Move(words="I am off.", go=PlaceId("hall")))
    kinds = [h.event.kind for h in staging.happened]
    assert kinds == ["line_spoken", "acted"]
    assert isinstance(staging.happened[-1].event, Acted)
    assert staging.happened[-1].event.failed


def test_a_thing_out_of_reach_is_an_attempt_and_shows_nothing(tmp_path: Path) -> None:
    staging = Staging(_stage(tmp_path))
    staging.move(CY, Move(action="opens the clock", examines="clock"))  # type: ignore[arg-type]
    (happened,) = staging.happened
    assert isinstance(happened.event, Acted)
    assert happened.event.failed
    assert happened.event.examines is None


async def test_what_a_mind_decided_and_the_stage_forbids_is_committed_as_an_attempt(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "s", settings=Settings())
    async with playing(save) as session:
        here = Scripted(Move(words="The key is in the clock.", to=(CY,)))
        session.casting = Casting(here, {CY: Scripted(Move(action="yawns"))})
        await act(session, 2)
        assert [beat.round for beat in session.beats] == [1, 1]
        attempts = [
            happened
            for beat in session.beats
            for happened in beat.events
            if isinstance(happened.event, Acted) and happened.event.failed
        ]
        (attempt,) = attempts
        assert attempt.witnesses == {ANN: Detail.FULL, BEN: Detail.FULL}
        heard = [percept.event for percept in session.world.percepts[CY]]
        assert not [event for event in heard if isinstance(event, LineSpoken | Whispered)]
        beats = list(session.beats)
    assert list(save.read().beats) == beats


async def test_memory_as_of_a_turn_holds_nothing_later(tmp_path: Path) -> None:
    save = begun(tmp_path / "s", settings=Settings())
    said = "I broke the cup."
    claim = Claim(subject="cup", predicate=PredicateId("broken_by"), object="ben", said=said)
    async with playing(save) as session:
        await act(session, Do(character=ANN, text="waits"), Do(character=BEN, text="coughs"))
        await act(session, Say(character=BEN, words=said, to=(ANN,), tells=(claim,)))
        await act(session, Go(character=CY, place=HALL))
    playback = Playback(save)
    shelf = Shelf(ANN, Layer.SEMANTIC)
    assert said in [record.text for record in expected(playback.world, shelf)]
    then = playback.jump(2)
    assert said not in [record.text for record in expected(then, shelf)]
    episodes = [record.text for record in expected(then, Shelf(ANN, Layer.EPISODIC))]
    assert any("coughs" in text for text in episodes)
    assert not any(said in text for text in episodes)
    assert said in [record.text for record in expected(playback.jump(3), shelf)]


async def test_a_mind_that_hangs_is_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    class Hanging(Scripted):
        async def decide(self, situation):  # type: ignore[no-untyped-def]
            await asyncio.Event().wait()
            yield self.move

    async with playing(begun(tmp_path / "s")) as session:
        session.casting = Casting(Hanging(Move(words="Never.")))
        async with asyncio.timeout(10), aclosing(session.advance(1)) as updates:
            async for _ in updates:
                break
        assert session.seq == 0


async def test_a_way_of_several_steps_is_seen_where_it_leads_through_and_known_to_the_walker(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "s", worlds_folder() / "lantern_inn", settings=Settings())
    mara, tobin, ines = CharacterId("mara"), CharacterId("tobin"), CharacterId("ines")
    async with playing(save) as session:
        passage, cellar = PlaceId("passage"), PlaceId("cellar")
        await act(session, Go(character=tobin, place=passage), Go(character=mara, place=cellar))
        assert session.world.stage.place_of[mara] == cellar
        happened = (
            session.beats[-2].events
            if session.beats[-1].mind == "director"
            else session.beats[-1].events
        )
        kinds = [h.event.kind for h in happened]
        assert kinds == ["commanded", "left", "entered", "left", "entered", "travelled"]
        assert happened[-1].witnesses == {mara: Detail.FULL}
        assert tobin in happened[2].witnesses
        assert tobin in happened[3].witnesses
        assert ines in happened[1].witnesses
        assert ines not in happened[2].witnesses
    await assert_verifies(save)


async def test_no_way_of_several_steps_leads_through_a_locked_door(tmp_path: Path) -> None:
    save = begun(tmp_path / "s", worlds_folder() / "lantern_inn", settings=Settings())
    async with playing(save) as session:
        # The hatch between kitchen and cellar is locked: from the kitchen one goes through the passage.
        await act(session, Go(character=CharacterId("tobin"), place=PlaceId("cellar")))
        entered = [h.event.place for h in session.beats[0].events if isinstance(h.event, Entered)]
        assert entered == ["passage", "cellar"]
