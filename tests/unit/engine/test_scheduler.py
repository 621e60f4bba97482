"""Who plays when: scenes by place, the addressed first, nobody for ever, and nobody who cannot."""

from pathlib import Path

import pytest

from sandbox.engine.scheduler import LONE_REST, due_scenes, ended_scenes, next_actor
from sandbox.engine.updates import BeatCommitted
from sandbox.settings import Settings
from sandbox.story.commands import Do, Go, Say, Stage
from sandbox.story.events import LineSpoken, SceneClosed, SceneOpened, StateTurned
from sandbox.story.ids import CharacterId, PlaceId
from tests.closing import events_of
from tests.mills import AN_HOUR, MILL, Player
from tests.playing import act, begun, playing, reply

ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")
HALL, YARD = PlaceId("hall"), PlaceId("yard")


async def test_the_addressed_acts_next(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        if session.world.stage.place_of[CY] != HALL:
            await act(session, Go(character=CY, place=HALL))
        for who, to in ((ANN, CY), (ANN, BEN), (CY, ANN), (BEN, CY)):
            await act(session, Say(character=who, words="You there.", to=(to,)))
            hall = next(due for due in due_scenes(session.world) if due.place == HALL)
            assert hall.actor == to


async def test_a_line_to_nobody_passes_the_turn_to_who_waited_longest(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        await act(session, 1, Go(character=CY, place=HALL))
        for who in (BEN, ANN, CY):
            await act(session, Do(character=who, text="coughs"))
        order = []
        for _ in range(3):
            (scene,) = [s for s in session.world.scenes.values() if s.place == HALL]
            who = next_actor(session.world, scene, [ANN, BEN, CY])
            order.append(who)
            await act(session, Do(character=who, text="nods"))
        assert order == [BEN, ANN, CY]


async def test_after_a_person_spoke_the_turn_goes_on(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        await act(session, 4, Say(character=ANN, words="Well, Ben?", to=(BEN,)))
        actors = []
        for _ in range(6):
            before = session.seq
            await act(session, 1)
            played = session.beats[before:]
            actors += [beat.mind for beat in played if beat.mind in session.canon.cast]
        assert actors[0] == BEN
        assert {ANN, BEN} <= set(actors)


async def test_who_answered_with_a_line_that_was_cut_whole_has_had_its_turn(tmp_path: Path) -> None:
    """Else a model that offends again and again would hold the scene for ever."""
    model = Player(MILL, always=reply("I tell you, the key lies in the chest."))
    save = begun(tmp_path / "s", MILL.world, settings=AN_HOUR, model=model.name)
    async with playing(save, model) as session:
        await act(session, MILL.called(), 8)
        kitchen = session.world.stage.place_of[MILL.other]
        scene = session.world.scene_at(kitchen)
        assert scene is not None
        minds = [beat.mind for beat in scene.beats if beat.mind in MILL.names]
    assert minds[:4] == [MILL.other, MILL.hider] * 2
    assert not [e for e in events_of(save, LineSpoken) if e.actor == MILL.other]


@pytest.mark.parametrize("state", ["fell_asleep", "died"])
async def test_who_sleeps_or_is_dead_is_never_asked(tmp_path: Path, state: str) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        turned = StateTurned.model_validate({"actor": "ben", "state": state})
        await act(session, Say(character=ANN, words="Ben?", to=(BEN,)), Stage(events=(turned,)))
        for _ in range(4):
            assert BEN not in [due.actor for due in due_scenes(session.world)]
            await act(session, 1)


async def test_a_character_that_a_person_holds_is_never_picked(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", minds={"ben": "person"})) as session:
        await act(session, 12)
        assert BEN not in [beat.mind for beat in session.beats]


async def test_several_scenes_play_in_one_round_against_one_state(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        updates = [update async for update in session.advance()]
        beats = [u.beat for u in updates if isinstance(u, BeatCommitted)]
        assert {beat.round for beat in beats} == {1}
        opened = [h.event for b in beats for h in b.events if isinstance(h.event, SceneOpened)]
        assert {event.place for event in opened} == {HALL, YARD}


async def test_who_is_alone_rests_while_others_are_together(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", minds={"cy": "person"})) as session:
        await act(session, 2)
    async with playing(begun(tmp_path / "t")) as session:
        cy_alone = Stage(events=(LineSpoken(actor=CY, words="Nobody here."),))
        await act(session, cy_alone)
        turn = session.world.turn
        assert CY not in [due.actor for due in due_scenes(session.world)]
        while session.world.turn < turn + LONE_REST:
            await act(session, Do(character=ANN, text="waits"))
        assert CY in [due.actor for due in due_scenes(session.world)]


async def test_a_scene_ends_after_its_beats_and_everybody_keeps_an_episode(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        limit = session.save.manifest.story.scene_beats
        while not any(isinstance(h.event, SceneClosed) for b in session.beats for h in b.events):
            await act(session, 1)
            assert len(session.beats) < 20
        closed = next(
            b for b in session.beats for h in b.events if isinstance(h.event, SceneClosed)
        )
        kinds = [h.event.kind for h in closed.events]
        assert kinds.count("episode_written") >= 1
        scene_beats = [b for b in session.beats if b.scene == closed.scene and b.mind != "director"]
        assert len(scene_beats) <= limit


async def test_a_scene_that_everybody_left_is_over(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        await act(session, 2)
        if session.world.stage.place_of[CY] == YARD:
            assert session.world.scene_at(YARD)
            await act(session, Go(character=CY, place=HALL))
        assert not ended_scenes(session.world, 100)
        assert session.world.scene_at(YARD) is None


async def test_a_round_never_plays_more_than_its_limit(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        for limit in (1, 2, 1):
            updates = [update async for update in session.advance(limit)]
            moves = [u for u in updates if isinstance(u, BeatCommitted) and u.cost is not None]
            assert len(moves) <= limit
