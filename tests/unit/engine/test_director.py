"""The director: it fires, sends and delivers, has no words of its own, and nobody hears more than it perceives."""

import shutil
import tomllib
import types
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import fields
from pathlib import Path
from typing import NewType, Union, get_args, get_origin, get_type_hints

import pytest

from sandbox.engine.casting import casting_of
from sandbox.engine.directing import Directing, arrived
from sandbox.engine.director import Direction, Director, RehearsalDirector, last_news
from sandbox.engine.keeper import Keeper
from sandbox.engine.outside import LiveOutside
from sandbox.engine.script_run import command_of
from sandbox.engine.scripts import Script, Step, check_names
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted, DirectionRefused
from sandbox.errors import ScriptError, StageError
from sandbox.models.scripted import ScriptedModel
from sandbox.settings import Settings, StorySettings
from sandbox.storage.cassette import Key
from sandbox.storage.saves import OpenSave, Save
from sandbox.story import ids
from sandbox.story.beats import Beat, Detail
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.commands import Do, Fire, Go, Rewind, Stage
from sandbox.story.events import (
    DoorChanged,
    Entered,
    Event,
    Left,
    MessageRead,
    MessageSent,
    Narrated,
    SceneOpened,
    StateTurned,
    ThingChanged,
)
from sandbox.story.ids import CharacterId, PlaceId, PreparedId, SceneId
from sandbox.story.known import KnownFacts
from sandbox.story.plot import Condition, ThreadState
from sandbox.story.routes import Route
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.playing import (
    LettersHome,
    act,
    assert_verifies,
    begun,
    committed,
    one_round,
    play,
    playing,
    reply,
    state,
    world_of,
)
from tests.plotting import (
    ANN,
    BEN,
    CY,
    KITCHEN,
    LOFT,
    PLOT,
    PLOT_ZH,
    TO_KITCHEN,
    YARD,
    goes,
    mill,
    tells,
    told,
    waits,
)

ALONE = Settings(story=StorySettings(director=False))
"""Nothing is fired by itself."""
DIRECTED = Settings(story=StorySettings(scene_beats=6))
CHANCE = Chance(1, 20, "", "director")
SEEDS = (1, 2, 3)


def fired_in(beats: Sequence[Beat]) -> list[tuple[Beat, str]]:
    events = [(beat, h.event) for beat in beats for h in beat.events]
    return [(b, e.prepared) for b, e in events if isinstance(e, Narrated) and e.prepared]


def sent_in(beats: Sequence[Beat]) -> list[Left]:
    directed = [beat for beat in beats if beat.mind == "director"]
    return [h.event for beat in directed for h in beat.events if isinstance(h.event, Left)]


# ── it has no words ───────────────────────────────────────────────────────────────────────────


def test_a_direction_has_no_text_field() -> None:
    hints = get_type_hints(Direction)
    assert hints
    assert set(hints) == {field.name for field in fields(Direction)}
    kinds = {value for value in vars(ids).values() if isinstance(value, NewType)}
    for name, hint in hints.items():
        assert get_origin(hint) in (Union, types.UnionType), name
        (kind,) = set(get_args(hint)) - {type(None)}
        assert kind in kinds, f"`{name}` could hold a text"


class Whisperer:
    """A director that tries to say something where an id belongs."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction

    def decide(self, world: World, chance: Chance) -> Direction:
        return self.direction


@asynccontextmanager
async def directed_by(director: Director, save: Save) -> AsyncIterator[Session]:
    """A session with another director than the save's own."""
    opened, keeper = OpenSave(save), Keeper(LettersHome())

    def outside(key: Key) -> LiveOutside:
        return LiveOutside(session.world, keeper, opened.cassette, None, key)

    casting = casting_of(save.manifest)
    session = Session(opened, save.canon(), casting, keeper, outside, director=director)
    session.start()
    try:
        yield session
    finally:
        await session.close()


SECRET = "Ann hid the key in the chest"


@pytest.mark.parametrize(
    "direction",
    [
        Direction(fires=PreparedId(SECRET)),
        Direction(sends=CharacterId(SECRET), to=YARD),
        Direction(sends=BEN, to=PlaceId(SECRET)),
    ],
)
async def test_a_text_in_the_place_of_an_id_reaches_nobody(
    tmp_path: Path, direction: Direction
) -> None:
    save = begun(tmp_path / "s", PLOT, settings=ALONE)
    async with directed_by(Whisperer(direction), save) as session:
        updates = [update for _ in range(4) for update in await one_round(session)]
        refused = [u for u in updates if isinstance(u, DirectionRefused)]
        assert len(refused) == 1  # said once, though it was wanted in every round
        assert SECRET in str(refused[0].error)
        assert committed(updates)
    assert SECRET not in save.journal_path.read_text("utf-8")


# ── prepared events ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_prepared_event_happens_once_in_its_time_and_one_that_may_not_never(
    tmp_path: Path, seed: int
) -> None:
    save = await play(tmp_path / "s", 70, world=PLOT, seed=seed, settings=DIRECTED)
    beats = save.read().beats
    happened = [prepared for _, prepared in fired_in(beats)]
    assert {"bell_cracks", "owl"} <= set(happened)
    assert len(set(happened)) == len(happened)
    assert "never" not in happened
    for beat, prepared in fired_in(beats):
        assert beat.mind == "director"
        assert beat.turn >= save.canon().prepared_by_id[PreparedId(prepared)].not_before
        assert any(h.witnesses for h in beat.events)


@pytest.mark.parametrize("world", [PLOT, PLOT_ZH])
async def test_a_directed_story_plays_again_byte_for_byte(tmp_path: Path, world: Path) -> None:
    save = await play(tmp_path / "s", 60, world=world, settings=DIRECTED)
    assert fired_in(save.read().beats)
    await assert_verifies(save)


async def test_a_directed_story_plays_again_in_single_steps_and_after_a_rewind(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "s", PLOT, settings=DIRECTED)
    async with playing(save) as session:
        await act(session, *[1] * 40)
        first = [prepared for _, prepared in fired_in(session.beats)]
        assert first
        await act(session, Rewind(turn=8), 30)
        assert session.world.fired == {prepared for _, prepared in fired_in(session.world.beats)}
    await assert_verifies(save)


async def test_a_round_stopped_right_after_a_direction_plays_again_too(tmp_path: Path) -> None:
    save, stops = begun(tmp_path / "s", PLOT, settings=DIRECTED), 0
    for _ in range(40):
        async with playing(save) as session, aclosing(session.advance()) as updates:
            async for update in updates:
                if isinstance(update, BeatCommitted) and fired_in([update.beat]):
                    stops += 1
                    break
        if stops == 2:
            break
    assert stops == 2
    async with playing(save) as session:
        await act(session, 6)
    await assert_verifies(save)


async def test_a_round_has_one_direction_at_most(tmp_path: Path) -> None:
    save = await play(tmp_path / "s", 80, world=PLOT, settings=DIRECTED)
    beats = save.read().beats
    rounds = [b.round for b, _ in fired_in(beats)]
    rounds += sorted({b.round for b in beats if sent_in([b])})
    assert rounds
    assert len(set(rounds)) == len(rounds)


class Eager:
    """A director that would send somebody to and fro without end."""

    def decide(self, world: World, chance: Chance) -> Direction:
        return Direction(sends=CY, to=KITCHEN if world.stage.place_of[CY] == YARD else YARD)


async def test_however_eager_a_director_is_a_round_has_one_direction(tmp_path: Path) -> None:
    save = begun(tmp_path / "s", PLOT, settings=ALONE)
    async with directed_by(Eager(), save) as session:
        await act(session, 12)
        rounds = [beat.round for beat in session.beats if sent_in([beat])]
    assert len(rounds) >= 4
    assert len(set(rounds)) == len(rounds)


def test_the_first_turns_and_those_after_a_direction_are_the_characters_own() -> None:
    def decided(*events: Event | tuple[Event, ...]) -> Direction:
        return RehearsalDirector().decide(told(mill(), *events), CHANCE)

    owl = Narrated(text="A white owl crosses the yard.", place=YARD, prepared=PreparedId("owl"))
    assert decided(*waits(ANN, 7)) == Direction()
    assert decided(*waits(ANN, 8)).fires is not None
    assert decided(*waits(ANN, 8), owl, *waits(ANN, 7)) == Direction()
    assert decided(*waits(ANN, 8), owl, *waits(ANN, 8)) != Direction()


async def test_without_a_director_nothing_is_fired_and_nobody_sent(tmp_path: Path) -> None:
    save = await play(tmp_path / "s", 70, world=PLOT, settings=ALONE)
    manifest = tomllib.loads((save.folder / "save.toml").read_text("utf-8"))
    assert manifest["story"]["director"] is False
    assert fired_in(save.read().beats) == []
    assert sent_in(save.read().beats) == []
    await assert_verifies(save)


async def test_no_character_gains_a_word_of_an_event_it_did_not_perceive(tmp_path: Path) -> None:
    save = await play(tmp_path / "s", 90, world=PLOT, settings=DIRECTED)
    beats = save.read().beats
    world, checked = world_of(save), 0
    for beat, prepared in fired_in(beats):
        event = world.canon.prepared_by_id[PreparedId(prepared)]
        told_of = next(h for h in beat.events if isinstance(h.event, Narrated))
        for who in sorted(set(world.stage.place_of) - set(told_of.witnesses)):
            view = CharacterView(world, who)
            lived = [view.worded(p) for p in view.percepts] + [e.text for e in view.episodes]
            known = [fact.statement for fact in view.known]
            assert not any(event.text in text for text in lived + known)
            before = world_of(save, [b for b in beats if b.seq < beat.seq])
            after = world_of(save, [b for b in beats if b.seq <= beat.seq])
            if not any(who in happened.witnesses for happened in beat.events):
                assert after.percepts[who] == before.percepts[who]
                assert dict(after.grants[who]) == dict(before.grants[who])
                checked += 1
    assert checked


@pytest.mark.parametrize("sees_it", [True, False])
async def test_a_model_is_shown_a_prepared_event_it_perceived_and_nothing_else_of_the_plot(
    tmp_path: Path, sees_it: bool
) -> None:
    """Cy alone is played by the model; the event happens in the yard, where he is or is not."""
    model = ScriptedModel(lambda request: reply("So it goes."), name="scripted")
    people = {"ann": "person", "ben": "person"}
    save = begun(tmp_path / "s", PLOT, settings=ALONE, model=model.name, minds=people)
    async with playing(save, model) as session:
        swap = [] if sees_it else [Go(character=CY, place=KITCHEN), Go(character=BEN, place=YARD)]
        await act(session, *swap, Fire(prepared=PreparedId("owl")), 6)
    shown = "\n".join(m.content for request in model.requests for m in request.messages)
    canon = save.canon()
    assert model.requests
    assert (canon.prepared_by_id[PreparedId("owl")].text in shown) is sees_it
    unseen = [t.question for t in canon.threads]
    unseen += [event.text for event in canon.prepared if event.id != "owl"]
    unseen += ["bell_cracks", "misled", "Forty sacks"]
    assert not [text for text in unseen if text in shown]


async def test_firing_by_command_shows_changes_and_teaches_those_who_are_there(
    tmp_path: Path,
) -> None:
    save = begun(tmp_path / "s", PLOT, settings=ALONE)
    async with playing(save) as session:
        await act(session, *[Do(character=ANN, text="waits")] * 2)
        there = session.world.stage.attending(KITCHEN)
        elsewhere = sorted(set(session.world.stage.place_of) - set(there))
        (beat,) = await act(session, Fire(prepared=PreparedId("bell_cracks")))
        kinds = [type(h.event) for h in beat.events[1:]]
        assert kinds == [Narrated, ThingChanged, ThingChanged, DoorChanged]
        assert beat.mind == "person"
        world = session.world
        assert world.stage.doors[frozenset((KITCHEN, YARD))] == "open"
        assert world.stage.place_of_thing(ids.ThingId("key")) == KITCHEN
        fact = ids.FactId("bell_cracked")
        assert there
        assert elsewhere
        for who in there:
            assert KnownFacts(world, who).pick([fact])[0].route is Route.OBSERVED
        assert not any(world.knows(who, fact) for who in elsewhere)
    await assert_verifies(save)


@pytest.mark.parametrize(
    ("prepared", "problem"),
    [
        ("bell_cracks", "may happen from turn 3 on"),
        ("never", "may happen while `ben` does not know `cup_broken`"),
        ("bel_cracks", "Did you mean `bell_cracks`?"),
    ],
)
async def test_what_may_not_happen_yet_is_refused_and_nothing_changes(
    tmp_path: Path, prepared: str, problem: str
) -> None:
    async with playing(begun(tmp_path / "s", PLOT, settings=ALONE)) as session:
        before = state(session.world)
        with pytest.raises(StageError, match=r"may|prepared") as caught:
            session.command(Fire(prepared=PreparedId(prepared)))
        assert problem in str(caught.value)
        assert state(session.world) == before
        assert session.seq == 0


async def test_a_person_fires_it_once_and_the_director_not_again(tmp_path: Path) -> None:
    save = begun(tmp_path / "s", PLOT, settings=DIRECTED)
    async with playing(save) as session:
        await act(session, Fire(prepared=PreparedId("owl")))
        with pytest.raises(StageError, match="Each prepared event happens once"):
            session.command(Fire(prepared=PreparedId("owl")))
        await act(session, 60)
        assert [prepared for _, prepared in fired_in(session.beats)].count("owl") == 1
        # What was taken back has not happened, and may.
        await act(session, Rewind(turn=0), Fire(prepared=PreparedId("owl")))
    await assert_verifies(save)


async def test_what_the_stage_refuses_does_not_happen_at_all_and_is_reported(
    tmp_path: Path,
) -> None:
    folder = Path(shutil.copytree(PLOT, tmp_path / "mill"))
    places = folder / "places.toml"
    lamp = '[things.lamp]\nname = "the lamp"\n'
    places.write_text(places.read_text("utf-8").replace(lamp, lamp + 'until = "supper"\n'), "utf-8")
    save = begun(tmp_path / "s", folder, settings=ALONE)
    wants = Whisperer(Direction(fires=PreparedId("bell_cracks")))
    async with directed_by(wants, save) as session:
        await act(session, *[Do(character=ANN, text="waits")] * 2)
        updates = [update for _ in range(4) for update in await one_round(session)]
        (refused,) = (u for u in updates if isinstance(u, DirectionRefused))
        assert "prepared event `bell_cracks` did not happen: no thing `lamp`" in str(refused.error)
        assert fired_in(session.beats) == []
        assert not session.world.fired
        assert not any(session.world.knows(w, ids.FactId("bell_cracked")) for w in (ANN, BEN, CY))


async def test_a_script_fires_a_prepared_event(tmp_path: Path) -> None:
    step = Step.model_validate({"fire": "owl"})
    async with playing(begun(tmp_path / "s", PLOT, settings=ALONE)) as session:
        await act(session, command_of(step, session.world))
        assert session.world.fired == {"owl"}
    wrong = Script.model_validate({"world": "mill", "steps": [{"fire": "oul"}]})
    with pytest.raises(
        ScriptError, match=r"no prepared event `oul` in `plot`\. Did you mean `owl`"
    ):
        check_names(wrong, mill(), Path("x.yaml"))


# ── bringing people together ──────────────────────────────────────────────────────────────────


def meeting(world: World, held: Sequence[CharacterId] = ()) -> Direction:
    """What the director decides, prepared events left out."""
    decided = RehearsalDirector(held).decide(world, CHANCE)
    assert decided.fires is None
    return decided


def without_events(canon: Canon) -> Canon:
    return canon.model_copy(update={"prepared": ()})


def quiet(*before: Event | tuple[Event, ...], canon: Canon | None = None) -> World:
    """A story in which nothing has been directed for long."""
    return told(canon or without_events(mill()), *before, *waits(ANN, 12))


def test_who_knows_what_a_thread_waits_for_is_brought_to_whom_it_waits_for() -> None:
    for seed in range(8):
        decided = RehearsalDirector().decide(quiet(), Chance(seed, 20, "", "director"))
        assert decided.sends in (ANN, BEN, CY)
        assert (decided.sends, decided.to) in {(BEN, YARD), (ANN, YARD), (CY, KITCHEN)}


def test_it_walks_as_anybody_walks_and_is_seen_to(tmp_path: Path) -> None:
    world = quiet()
    order = Directing(RehearsalDirector(), seed=1).directed(world, 20)
    assert order is not None
    left, entered = (h for h in order.happened if isinstance(h.event, Left | Entered))
    assert isinstance(left.event, Left)
    assert left.event.to_place == getattr(entered.event, "place", None)
    stayed = set(world.stage.attending(left.event.place)) - {left.event.actor}
    assert all(left.witnesses[who] is Detail.FULL for who in stayed)
    assert set(order.happened[-1].witnesses) >= {left.event.actor}


def test_nobody_is_brought_where_a_locked_door_stands_between() -> None:
    cy_in_the_loft = StateTurned(actor=CY, state="fell_asleep")
    locked = [
        DoorChanged.model_validate(
            {"actor": None, "between": ["kitchen", "yard"], "door": "locked"}
        )
    ]
    assert meeting(quiet(*locked)) == Direction()
    assert meeting(quiet(cy_in_the_loft)) == Direction()
    assert LOFT in mill().places_by_id


def test_who_is_together_already_is_not_brought_together() -> None:
    assert meeting(quiet(TO_KITCHEN)) == Direction()


def test_who_keeps_it_from_somebody_is_not_brought_to_them() -> None:
    canon = without_events(mill())
    only_key = tuple(t for t in canon.threads if t.id == "key")
    keeping = canon.model_copy(update={"threads": only_key})
    decided = meeting(quiet(canon=keeping))
    assert (decided.sends, decided.to) in {(ANN, YARD), (CY, KITCHEN)}
    apart = quiet(goes(BEN, "kitchen", "yard"), TO_KITCHEN, canon=keeping)
    assert meeting(apart) == Direction()  # Cy is with Ann, and from Ben she keeps it


def test_a_thread_that_is_closed_brings_nobody_together() -> None:
    known = tells(BEN, CY, "cup", "broken_by", "ben")
    out = tells(ANN, CY, "key", "hidden_in", "chest")
    back = goes(CY, "kitchen", "yard")
    assert meeting(quiet(TO_KITCHEN, known, out, back)) == Direction()


def test_a_question_that_is_settled_is_left_alone_though_it_could_go_further() -> None:
    canon = without_events(mill())
    cup = canon.threads[0]
    further = ThreadState(id="further", when=(Condition(who=CY, knows=ids.FactId("key_hidden")),))
    settled = cup.model_copy(update={"states": (cup.states[-1], further)})
    going_on = canon.model_copy(update={"threads": (settled,)})
    known, back = tells(BEN, CY, "cup", "broken_by", "ben"), goes(CY, "kitchen", "yard")
    assert meeting(quiet(TO_KITCHEN, known, back, canon=going_on)) == Direction()
    assert meeting(quiet(canon=going_on)) != Direction()


def test_a_thread_that_moved_lately_is_left_alone() -> None:
    lie, back = tells(BEN, CY, "cup", "broken_by", "ann"), goes(CY, "kitchen", "yard")
    canon = without_events(mill())
    only_cup = canon.model_copy(update={"threads": canon.threads[:1]})
    told_lately = told(only_cup, *waits(ANN, 8), TO_KITCHEN, lie, back, *waits(ANN, 8))
    assert meeting(told_lately) == Direction()
    assert meeting(quiet(TO_KITCHEN, lie, back, canon=only_cup)).to in (KITCHEN, YARD)


def test_nobody_is_called_out_of_a_scene_and_whom_a_person_plays_is_never_sent() -> None:
    opened = SceneOpened(scene=SceneId("s1"), place=KITCHEN, number=1)
    for _ in range(3):
        decided = meeting(quiet(opened))
        assert (decided.sends, decided.to) == (CY, KITCHEN)
    assert meeting(quiet(opened), held=[CY]) == Direction()
    assert meeting(quiet(), held=[ANN, BEN, CY]) == Direction()
    sends = Directing(Whisperer(Direction(sends=CY, to=KITCHEN)), 1, frozenset({CY}))
    with pytest.raises(StageError, match="played by a person"):
        sends.directed(quiet(), 20)


def test_news_is_what_somebody_learned_beyond_who_and_what_is_where() -> None:
    canon = mill()
    assert last_news(told(canon, TO_KITCHEN, *waits(ANN, 3))) == 0
    news = tells(BEN, CY, "cup", "broken_by", "ben")
    assert last_news(told(canon, TO_KITCHEN, *waits(ANN, 3), news, *waits(ANN, 2))) == 5


# ── messages ──────────────────────────────────────────────────────────────────────────────────

LETTER = MessageSent(actor=ANN, message="m1", to=CY, words="Come when the lamp is out.", minutes=3)


def readings(beats: Sequence[Beat]) -> list[tuple[Beat, MessageRead]]:
    events = [(beat, h.event) for beat in beats for h in beat.events]
    return [(beat, event) for beat, event in events if isinstance(event, MessageRead)]


@pytest.mark.parametrize("settings", [ALONE, DIRECTED])
async def test_a_message_arrives_when_its_minutes_have_passed(
    tmp_path: Path, settings: Settings
) -> None:
    save = begun(tmp_path / "s", PLOT, settings=settings)
    async with playing(save) as session:
        (sent,) = await act(session, Stage(events=(LETTER,)))
        while not readings(session.beats):
            assert session.world.clock < sent.clock + 10
            await act(session, 1)
        ((beat, read),) = readings(session.beats)
        assert beat.mind == "director"
        assert beat.clock > sent.clock + LETTER.minutes
        assert (read.actor, read.words) == (CY, LETTER.words)
        (happened,) = beat.events
        assert [w for w, d in happened.witnesses.items() if d is Detail.FULL] == [CY]
        await act(session, 4)
        assert len(readings(session.beats)) == 1
    await assert_verifies(save)


async def test_a_message_waits_for_who_is_asleep_and_never_reaches_the_dead(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", PLOT, settings=ALONE)) as session:
        sleeps = StateTurned(actor=CY, state="fell_asleep")
        await act(session, Stage(events=(LETTER, sleeps)), 8)
        assert readings(session.beats) == []
        assert session.world.stage.letters
        await act(session, Stage(events=(StateTurned(actor=CY, state="woke"),)), 1)
        assert len(readings(session.beats)) == 1
    async with playing(begun(tmp_path / "t", PLOT, settings=ALONE)) as session:
        dies = StateTurned(actor=CY, state="died")
        await act(session, Stage(events=(LETTER, dies)), 8)
        assert readings(session.beats) == []


def test_messages_arrive_in_the_order_in_which_they_are_due() -> None:
    late = LETTER.model_copy(update={"message": "m0", "minutes": 9})
    soon = LETTER.model_copy(update={"message": "m2", "minutes": 2})
    world = told(mill(), late, soon, *waits(ANN, 12))
    assert [message.message for message in arrived(world)] == ["m2", "m0"]
    assert arrived(told(mill(), late, soon)) == []


async def test_a_message_is_read_though_its_reader_went_elsewhere(tmp_path: Path) -> None:
    save = begun(tmp_path / "s", PLOT, settings=ALONE, minds={"cy": "person"})
    async with playing(save) as session:
        await act(session, Stage(events=(LETTER,)), Go(character=CY, place=KITCHEN), 6)
        ((beat, read),) = readings(session.beats)
        assert read.actor == CY
        assert ANN in beat.events[0].witnesses or session.world.stage.place_of[ANN] != KITCHEN
