"""Invariant 3: whatever a model repeats, no request holds a token its character may not hold."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from sandbox.agents.language import _query
from sandbox.engine.deciding import Deciding
from sandbox.engine.keeper import Keeper
from sandbox.engine.opening import Beginning, begin, branch, open_session
from sandbox.engine.records import expected, shelves
from sandbox.engine.scheduler import due_scenes
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatBegan, BeatCommitted, DraftArrived
from sandbox.errors import BoundaryError
from sandbox.memory.store import Layer, Record, Shelf
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.storage.saves import Save
from sandbox.story import known, predicates, reach
from sandbox.story.beats import Detail
from sandbox.story.claims import Claim, Sighting
from sandbox.story.commands import (
    Command,
    Do,
    Edit,
    Fire,
    Inject,
    Retake,
    Retract,
    Rewind,
    Say,
    Stage,
)
from sandbox.story.events import (
    Acted,
    Announced,
    Disguised,
    DoorChanged,
    Event,
    FactGranted,
    LineSpoken,
    MembershipChanged,
    MessageRead,
    MessageSent,
    Spied,
    StageSet,
    StateTurned,
    ThingsSeen,
    Whispered,
)
from sandbox.story.facts import Fact, Grant
from sandbox.story.ids import (
    CharacterId,
    FactId,
    OrganisationId,
    PlaceId,
    PredicateId,
    ThingId,
)
from sandbox.story.percepts import Names
from sandbox.story.routes import Route
from sandbox.story.threads import obstacle
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import cast_seen, transcript
from sandbox.story.world import World
from tests.endpoint import FakeEndpoint, Reply, Text
from tests.property.canary import Leak, Parrot, Tracker, asking
from tests.property.canary_pages import pages_of
from tests.property.canary_world import (
    CAST,
    ID_OF,
    SCENES,
    CanaryWorld,
    canary_world,
    out_of_ids,
)

PATIENCE_S = 240
HALL, YARD, ATTIC = (PlaceId(ID_OF[place]) for place in ("hall", "yard", "attic"))
RING = OrganisationId(ID_OF["ring"])
CONCERNS = PredicateId(ID_OF["concerns"])
UNSAID = {"zq9401x", "zq9402x", "zq9403x"}
"""In a line, in a line that was taken out, and in the other words of the first."""
SPOKEN = "zq9001x"
"""Tokens from 9001 on are said in play by a person."""

pytestmark = pytest.mark.endpoint


@dataclass
class Watch:
    """Plays a save and checks every request against who may hold what."""

    world: CanaryWorld
    save: Save
    settings: Settings
    structured: bool = False
    requests: int = 0
    arrived: list[dict[str, Any]] = field(default_factory=list)
    session: Session | None = None
    tracker: Tracker = field(init=False)
    sides: Tracker = field(init=False)
    """For the screen, which shows what a fact is about beside its sentence."""

    def __post_init__(self) -> None:
        start = out_of_ids(self.save.manifest.start)
        self.tracker = Tracker(self.world, start, structured=self.structured)
        self.sides = Tracker(self.world, start, structured=True)

    @property
    def story(self) -> World:
        assert self.session is not None
        return self.session.world

    def follow(self) -> None:
        """Read the journal as it is on disk."""
        lines = self.save.journal_path.read_text(encoding="utf-8").splitlines()
        found = [json.loads(out_of_ids(line)) for line in lines]
        self.tracker.follow(found)
        self.sides.follow(found)

    async def play(self, beats: int) -> None:
        """Play until so many more beats of minds are committed."""
        assert self.session is not None
        played = 0
        while played < beats:
            drafts: dict[CharacterId, str] = {}
            is_decided = False
            async with aclosing(self.session.advance()) as updates:
                async for update in updates:
                    match update:
                        case DraftArrived(character=who, text=text):
                            drafts[who] = drafts.get(who, "") + text
                        case BeatCommitted(beat=beat):
                            if (mind := out_of_ids(beat.mind)) in CAST:
                                played += 1
                                self._check_own(mind, beat.as_json())
                        case BeatBegan() if not is_decided:
                            # What came between the rounds is known to those who decide in this one.
                            is_decided = True
                            self.follow()
                        case _:
                            pass
            for who, text in drafts.items():
                self.tracker.check(out_of_ids(who), text, "in a draft")
            self.check_requests()

    def _check_own(self, who: str, beat: dict[str, Any]) -> None:
        """What a mind says and does rests on what it held before."""
        for happened in json.loads(out_of_ids(json.dumps(beat)))["events"]:
            event = happened["event"]
            if event.get("actor") == who:
                examined = event.get("examines")
                said = " ".join(str(event.get(key, "")) for key in ("words", "mood", "text"))
                if examined is None:
                    self.tracker.check(who, said, f"in {event['kind']}")

    def check_requests(self) -> None:
        """Every request that came since the last look, against the state before its round."""
        for body in self.arrived:
            who = asking(self.world, body)
            text = json.dumps(body, ensure_ascii=False)
            self.tracker.check(who, text, f"in a request (turn {self.story.turn})")
        self.requests += len(self.arrived)
        self.arrived.clear()

    def order(self, command: Command) -> None:
        assert self.session is not None
        self.session.command(command)

    async def check_shelves(self) -> None:
        """What stands in the store itself, not only what ought to."""
        assert self.session is not None
        self.follow()
        for shelf in shelves(self.story):
            for record in (await self.session.keeper.records(shelf)).values():
                owner = out_of_ids(shelf.owner)
                self.tracker.check(owner, record.text, f"on the shelf `{shelf.layer}`")

    def check_everything_kept(self) -> None:
        """Memories, viewpoints and every page of the screen, for everybody as they are now."""
        self.follow()
        for shelf in shelves(self.story):
            owner = out_of_ids(shelf.owner)
            for record in expected(self.story, shelf):
                self.tracker.check(owner, record.text, f"in memory `{shelf.layer}`")
        for id_ in self.story.percepts:
            who = out_of_ids(id_)
            for line in transcript(self.story, id_):
                names = [line.speaker, *line.targets, *(heard.name for heard in line.heard)]
                self.tracker.check(who, " ".join([line.text, *names]), "in its viewpoint")
            for _, name, _ in cast_seen(self.story, id_):
                self.tracker.check(who, name, "in its cast list")
            for name, text in pages_of(self.story, id_):
                self.sides.check(who, text, f"on the page {name}")


def settings_for(endpoint: FakeEndpoint | None) -> Settings:
    model = ModelSettings()
    if endpoint is not None:
        model = ModelSettings(
            name="parrot", base_url=endpoint.base_url, api_key=SecretStr("sk-x"), prompt_tokens=6000
        )
    return Settings(model=model, story=StorySettings(scene_beats=7))


@asynccontextmanager
async def watching(
    folder: Path, start: str, seed: int, *, parrot: bool = True, language: str = "en"
) -> AsyncIterator[Watch]:
    """A new save in the canary world, played by the parrot or in rehearsal."""
    world = canary_world(language)
    mimic = Parrot(seed)
    watch: list[Watch] = []

    def answer(body: dict[str, Any]) -> Reply:
        watch[0].arrived.append(body)
        reply = mimic.reply(body)
        return Text(reply if isinstance(reply, str) else json.dumps(reply), chunk_size=4000)

    async with asyncio.timeout(PATIENCE_S), FakeEndpoint(answer) as endpoint:
        settings = settings_for(endpoint if parrot else None)
        written = world.write(folder / "canaries")
        save = begin(folder / "save", Beginning(written, seed=seed, start=ID_OF[start]), settings)
        watch.append(Watch(world, save, settings, structured=not parrot))
        async with opened(watch[0]):
            yield watch[0]


@asynccontextmanager
async def opened(watch: Watch) -> AsyncIterator[None]:
    begin_again(watch)
    try:
        yield
    finally:
        assert watch.session is not None
        await watch.session.close()


def begin_again(watch: Watch) -> None:
    watch.session = open_session(watch.save, watch.settings, memory="in_process")
    watch.session.start()


def person(who: str) -> CharacterId:
    return CharacterId(ID_OF[who])


def pair(watch: Watch) -> tuple[CharacterId, CharacterId]:
    """Two who are in one place and awake."""
    stage = watch.story.stage
    for place in sorted(set(stage.place_of.values())):
        here = stage.attending(place)
        if len(here) > 1:
            return here[0], here[1]
    pytest.skip("nobody is with anybody")


# ── whole runs ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("start", "seed"), [(SCENES[0], 1), (SCENES[2], 2), (SCENES[3], 3)])
async def test_no_request_holds_what_its_character_may_not_hold(
    tmp_path: Path, start: str, seed: int, language: str
) -> None:
    async with watching(tmp_path, start, seed, language=language) as watch:
        await watch.play(60)
        watch.check_everything_kept()
        assert watch.requests >= 60


async def test_what_a_person_does_to_the_story_reaches_its_witnesses_only(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 5) as watch:
        names = watch.world.names
        await watch.play(6)
        stranger = sorted(names["dee"])[0]
        watch.order(Inject(text=f"Smoke over {stranger}: zq9001x.", place=HALL))
        watch.order(Inject(text="A bell everywhere: zq9002x."))
        await watch.play(6)
        a, b = pair(watch)
        watch.order(Say(character=a, words="For you alone: zq9003x.", to=(b,), whisper=True))
        theft = watch.world.one("fact.object", "theft")
        said = "So I say: zq9004x."
        claim = Claim(
            subject=ID_OF["cy"], predicate=CONCERNS, object=f"about {theft} so", said=said
        )
        watch.order(Say(character=a, words=said, to=(b,), tells=(claim,)))
        await watch.play(6)
        a, b = pair(watch)
        watch.order(Do(character=a, text=f"points at {stranger} and zq9005x"))
        name = watch.world.files["cast.toml"]["cy"]["name"]
        said = f"That one is {name}."
        claim = Claim(subject=ID_OF["cy"], predicate=predicates.IS_NAMED, object=name, said=said)
        watch.order(Say(character=a, words=said, tells=(claim,)))
        granted = FactGranted(
            fact=FactId(ID_OF["debt"]), to=frozenset([person("eve")]), route=Route.OBSERVED
        )
        watch.order(Stage(events=(granted,)))
        asleep = StateTurned(actor=b, state="fell_asleep")
        shut = DoorChanged(actor=None, between=(HALL, YARD), door="shut")
        watch.order(Stage(events=(asleep, shut)))
        await watch.play(12)
        watch.order(Stage(events=(StateTurned(actor=b, state="woke"),)))
        await watch.play(6)
        watch.check_everything_kept()


async def test_what_was_rewound_comes_back_to_nobody(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[1], 4) as watch:
        await watch.play(10)
        turn = watch.story.turn
        a, b = pair(watch)
        watch.order(Say(character=a, words=f"Soon unsaid: {SPOKEN}.", to=(b,)))
        await watch.play(8)
        watch.order(Rewind(turn=turn))
        watch.follow()
        assert all(SPOKEN not in held for held in watch.tracker.held.values())
        await watch.play(8)
        watch.order(Retake())
        await watch.play(8)
        watch.check_everything_kept()


async def test_a_branch_and_a_resumed_save_hold_what_their_journals_hold(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 6) as watch:
        await watch.play(14)
        a, b = pair(watch)
        watch.order(Say(character=a, words=f"Not in the branch: {SPOKEN}.", to=(b,)))
        await watch.play(6)
        assert watch.session is not None
        await watch.session.close()
        begin_again(watch)
        await watch.play(8)
        watch.check_everything_kept()
        other = Watch(watch.world, branch(watch.save, 10, tmp_path / "other"), watch.settings)
        other.arrived = watch.arrived
        async with opened(other):
            await other.play(10)
            other.check_everything_kept()
            assert all(SPOKEN not in held for held in other.tracker.held.values())


def said_of(watch: Watch, subject: str, fact: str, said: str) -> Claim:
    """A claim of what a fact of the canon says."""
    object_ = watch.world.files["facts.toml"][fact]["object"]
    return Claim(subject=ID_OF[subject], predicate=CONCERNS, object=object_, said=said)


def stage(watch: Watch, *events: Event) -> None:
    watch.order(Stage(events=events))


async def words_from_afar(watch: Watch) -> None:
    """Announcements, a member who is briefed, a letter that arrives and one that is intercepted."""
    said = "So I hear: zq9101x."
    tells = (said_of(watch, "cy", "theft", said),)
    stage(watch, Announced(actor=person("ann"), to=RING, words=said, tells=tells))
    stage(watch, Announced(actor=None, words="To all: zq9102x.", facts=(FactId(ID_OF["omen"]),)))
    joined = MembershipChanged(actor=person("ben"), organisation=RING, joined=True)
    stage(watch, joined)
    await watch.play(4)
    for message, who in (("m1", "dee"), ("m2", "fay"), ("m3", "cy")):
        words = f"Burn this: zq910{message[1:]}x."
        sent = MessageSent(actor=person("eve"), message=message, to=person(who), words=words)
        stage(watch, sent.model_copy(update={"minutes": 3}))
    held = MessageRead(
        actor=person("ben"), message="m3", sender=person("eve"), words="Burn this: zq9103x."
    )
    stage(watch, held.model_copy(update={"withheld": True}))
    wire = Whispered(actor=person("ann"), words="By wire: zq9104x.", targets=(person("dee"),))
    stage(watch, wire.model_copy(update={"by_wire": True}))
    await watch.play(6)


async def who_misses_it(watch: Watch) -> None:
    """A spy, a disguise, another tongue, the deaf, the blind, the distracted, the hidden."""
    a, b = pair(watch)
    here = watch.story.stage.place_of[a]
    stage(watch, StateTurned(actor=b, state="distracted"))
    come_unseen(watch, b)
    watch.order(Say(character=a, words="Missed by one: zq9201x.", to=()))
    watch.check_everything_kept()
    await watch.play(3)
    stage(watch, StateTurned(actor=b, state="attentive"), StateTurned(actor=b, state="blinded"))
    come_unseen(watch, b)
    watch.order(Do(character=a, text="holds up zq9202x"))
    watch.check_everything_kept()
    await watch.play(3)
    place_of = watch.story.stage.place_of
    spy = next((who for who, place in sorted(place_of.items()) if place not in ("", here)), None)
    if spy is not None:
        stage(watch, Spied(actor=spy, on=here))
    stage(watch, StateTurned(actor=b, state="seeing"), StateTurned(actor=b, state="deafened"))
    tongue = watch.world.files["cast.toml"]["cy"]["languages"][0]
    spoken = LineSpoken(actor=person("cy"), words="In my tongue: zq9203x.", language=tongue)
    stage(watch, spoken, StateTurned(actor=a, state="hid"))
    stage(watch, Disguised(actor=a, seen_as=ID_OF["miller"]))
    await watch.play(3)
    stage(watch, StateTurned(actor=a, state="found"), StateTurned(actor=b, state="hearing"))
    owed = "I owe it: zq9204x."
    tells = (said_of(watch, out_of_ids(a), "debt", owed),)
    watch.order(Say(character=a, words=owed, to=(), tells=tells))
    await watch.play(4)


def come_unseen(watch: Watch, blind: CharacterId) -> None:
    """Whoever `blind` has never seen is there of a sudden."""
    watch.follow()
    start = SCENES.index(out_of_ids(watch.save.manifest.start))
    held = watch.sides.held[out_of_ids(blind)]
    for who in sorted(CAST):
        if watch.world.of("public", who, start) - held:
            here = watch.story.stage.place_of[blind]
            stage(watch, StageSet(places={person(who): here}))
            return


async def what_is_found(watch: Watch) -> None:
    """Searches that find something and nothing, a look into a chest, a prepared event."""
    searcher = person("ben")
    stage(watch, StageSet(places={searcher: YARD}))
    for _ in range(3):
        watch.order(Do(character=searcher, text="searches all over", searches=True))
    await watch.play(2)
    stage(watch, StageSet(places={searcher: HALL}))
    watch.order(Do(character=searcher, text="searches once more", searches=True))
    box = ThingId(ID_OF["chest"])
    stage(watch, Acted(actor=searcher, text="opens it: zq9301x", examines=box))
    seen = Sighting(thing=ThingId(ID_OF["coin"]), where=box)
    stage(watch, ThingsSeen(place=HALL, seen=(seen,)))
    await watch.play(3)
    for prepared in watch.story.canon.prepared_by_id:
        if prepared not in watch.story.fired and not obstacle(watch.story, prepared):
            watch.order(Fire(prepared=prepared))
    await watch.play(4)


async def what_is_taken_back(watch: Watch) -> None:
    """A line that gets other words, one that is taken out of the story, and a branch from there."""
    a, b = pair(watch)
    watch.order(Say(character=a, words="At first: zq9401x.", to=(b,)))
    edited = watch.story.turn
    watch.order(Say(character=a, words="Then: zq9402x.", to=(b,)))
    retracted = watch.story.turn
    watch.order(Edit(turn=edited, words="Instead: zq9403x."))
    watch.order(Retract(turn=retracted))
    watch.follow()
    held = set[str]().union(*watch.tracker.held.values())
    assert UNSAID & held == {"zq9403x"}
    await watch.check_shelves()
    await watch.play(8)
    await watch.check_shelves()
    folder = watch.save.folder.with_name("edited")
    other = Watch(watch.world, branch(watch.save, edited, folder), watch.settings)
    other.arrived = watch.arrived
    async with opened(other):
        await other.play(4)
        other.check_everything_kept()
        assert UNSAID & set[str]().union(*other.tracker.held.values()) == {"zq9403x"}


@pytest.mark.parametrize(
    ("start", "seed", "language"),
    [(SCENES[2], 2, "en"), (SCENES[0], 1, "zh"), (SCENES[3], 3, "zh")],
)
async def test_whatever_happens_reaches_those_alone_who_take_it_in(
    tmp_path: Path, start: str, seed: int, language: str
) -> None:
    async with watching(tmp_path, start, seed, language=language) as watch:
        await watch.play(4)
        for part in (words_from_afar, who_misses_it, what_is_found, what_is_taken_back):
            await part(watch)
            watch.check_everything_kept()
        middle = watch.story.turn // 2
        assert watch.session is not None
        await watch.session.close()
        begin_again(watch)
        await watch.play(4)
        watch.check_everything_kept()
        other = Watch(watch.world, branch(watch.save, middle, tmp_path / "other"), watch.settings)
        other.arrived = watch.arrived
        async with opened(other):
            await other.play(6)
            other.check_everything_kept()


@pytest.mark.parametrize(("start", "seed"), [(SCENES[1], 1), (SCENES[3], 2)])
async def test_rehearsal_speaks_only_of_what_its_speaker_holds(
    tmp_path: Path, start: str, seed: int
) -> None:
    async with watching(tmp_path, start, seed, parrot=False) as watch:
        await watch.play(60)
        watch.check_everything_kept()


async def rounds_with_slow_recall(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play rounds in which all but the first scene's mind recall late."""
    session, recall = watch.session, Keeper.recall
    assert session is not None
    before, first = session.seq, ""

    async def slow(keeper: Keeper, shelf: Shelf, *rest: Any) -> tuple[str, ...]:
        for _ in range(20 if shelf.owner != first else 0):
            if session.seq > before:
                break
            await asyncio.sleep(0.002)
        return await recall(keeper, shelf, *rest)

    monkeypatch.setattr(Keeper, "recall", slow)
    for _ in range(12):
        before, first = session.seq, due_scenes(session.world)[0].actor
        await watch.play(1)


async def test_all_beats_of_a_round_are_decided_against_one_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watching(tmp_path, SCENES[0], 1) as watch:
        await rounds_with_slow_recall(watch, monkeypatch)


# ── planted faults: each is seen ──────────────────────────────────────────────────────────────


async def caught(folder: Path, start: str = SCENES[2], beats: int = 40, seed: int = 1) -> str:
    """The leak that a run shows."""
    async with watching(folder, start, seed) as watch:
        try:
            await watch.play(beats)
            watch.check_everything_kept()
        except Leak as leak:
            return str(leak)
    pytest.fail("no leak was seen")


async def test_a_beat_committed_while_others_still_decide_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(others: object) -> None:
        pass

    monkeypatch.setattr(Deciding, "all_whole", staticmethod(at_once))
    async with watching(tmp_path, SCENES[0], 1) as watch:
        with pytest.raises(Leak):
            await rounds_with_slow_recall(watch, monkeypatch)


async def test_a_description_of_another_room_in_a_prompt_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def everywhere(view: CharacterView) -> tuple[str, ...]:
        canon = view._world.canon
        return tuple(t for p in canon.places for t in canon.at(p.description, view._world.start))

    monkeypatch.setattr(CharacterView, "place_description", property(everywhere))
    assert "place.description" in await caught(tmp_path)


async def test_whispers_that_all_hear_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_in = reach.Reach.all_in

    def loud(gathering: Any, place: PlaceId, sense: Any, detail: Detail = Detail.FULL) -> None:
        all_in(gathering, place, sense, Detail.FULL)

    monkeypatch.setattr(reach.Reach, "all_in", loud)
    assert "whispered" in await caught(tmp_path)


async def test_a_line_overheard_through_walls_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def carried(link: Any, door: object, volume: object) -> Any:
        return link.carries

    monkeypatch.setattr(reach, "carried", carried)
    assert "line_spoken" in await caught(tmp_path)


async def test_the_statement_of_a_fact_in_place_of_the_claim_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_got = known.statement_of

    def true_statement(world: World, fact: Fact, grant: Grant) -> str:
        true = (f for f in world.facts.values() if f.proposition == fact.proposition)
        return next((f.statement for f in true if f.canon and f.statement), None) or as_got(
            world, fact, grant
        )

    monkeypatch.setattr(known, "statement_of", true_statement)
    async with watching(tmp_path, SCENES[0], 1) as watch:
        a, b = pair(watch)
        object_ = watch.world.one("fact.object", "debt")
        claim = Claim(
            subject=ID_OF["ben"],
            predicate=CONCERNS,
            object=f"about {object_} so",
            said="Ben is in trouble.",
        )
        watch.order(Say(character=b, words="Ben is in trouble.", to=(a,), tells=(claim,)))
        with pytest.raises(Leak, match="fact of `debt`"):
            await watch.play(20)
        watch.arrived.clear()


async def test_the_name_of_a_stranger_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_name(names: Names, id_: str) -> str:
        return names.canon.names.get(id_, (id_,))[0]

    monkeypatch.setattr(Names, "__call__", by_name)
    assert "character.name" in await caught(tmp_path)


async def test_the_mood_of_somebody_else_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def next_mood(view: CharacterView) -> str:
        others = sorted(set(view._world.moods) - {view.me})
        return view._world.moods[others[0]]

    monkeypatch.setattr(CharacterView, "mood", property(next_mood))
    assert "own of" in await caught(tmp_path, beats=3)


async def test_the_narrative_of_a_scene_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(view: CharacterView) -> tuple[str, ...]:
        return (view._world.canon.scenes[0].narrative,)

    monkeypatch.setattr(CharacterView, "secrets_of_self", property(told))
    assert "narrative" in await caught(tmp_path, beats=3)


async def test_a_thought_that_everybody_here_perceives_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doers = reach.Reach.doers

    def telepathy(gathering: Any, *people: CharacterId) -> None:
        here = [gathering.stage.attending(gathering.stage.place_of[who]) for who in people]
        doers(gathering, *people, *(other for there in here for other in there))

    monkeypatch.setattr(reach.Reach, "doers", telepathy)
    assert "witnessed" in await caught(tmp_path)


async def test_a_memory_of_somebody_else_that_recall_brings_is_refused(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[2], 1) as watch:
        assert watch.session is not None
        await watch.play(4)
        for who in sorted(CAST):
            # Worded so that it is the nearest to what each has in mind next.
            text = _query(CharacterView(watch.story, person(who)))
            strange = Record("percept:9999.0", text, "percept", 9999, 0, "arrival", 1.0)
            shelf = Shelf(person(who), Layer.EPISODIC)
            watch.session.keeper._pending.setdefault(shelf, []).append(strange)
        with pytest.raises(BoundaryError, match="never lived through"):
            await watch.play(6)


async def test_a_memory_of_somebody_else_let_through_the_gate_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anybodys(view: CharacterView, id_: str) -> str:
        others = sorted(set(view._world.percepts) - {view.me})
        return view._world.episodes[others[0]][0].text

    monkeypatch.setattr(CharacterView, "memory", anybodys)
    assert "own of" in await caught(tmp_path)


async def test_a_later_scene_that_is_loaded_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def always(canon: object, item: object, at: object) -> bool:
        return True

    monkeypatch.setattr("sandbox.story.canon.Canon.holds", always)
    assert "reached" in await caught(tmp_path, start=SCENES[0], beats=3)
