"""Stories of the canary world, each with all it does looked at by a `Watch`."""

import asyncio
from typing import Any

import pytest

from sandbox.engine.keeper import Keeper
from sandbox.engine.opening import branch
from sandbox.engine.scheduler import due_scenes
from sandbox.memory.store import Shelf
from sandbox.story import predicates
from sandbox.story.claims import Claim, Sighting
from sandbox.story.commands import (
    Do,
    Edit,
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
from sandbox.story.ids import (
    CharacterId,
    FactId,
    ThingId,
)
from sandbox.story.routes import Route
from tests.property.canary_hands import fire_what_may
from tests.property.canary_mint import out_of_ids
from tests.property.canary_plan import CAST, ID_OF, SCENES
from tests.property.canary_watch import (
    CONCERNS,
    HALL,
    RING,
    YARD,
    Watch,
    begin_again,
    branch_of,
    opened,
    pair,
    person,
)

UNSAID = {"zq9401x", "zq9402x", "zq9403x"}
"""In a line, in a line that was taken out, and in the other words of the first."""
SPOKEN = "zq9001x"
"""Tokens from 9001 on are said in play by a person."""


async def minds_alone(watch: Watch, beats: int) -> None:
    """Nothing but minds."""
    await watch.play(beats)
    watch.check_everything_kept()


async def a_person_meddles(watch: Watch) -> None:
    """Narration, lines, claims, a grant, a name, somebody asleep, a shut door."""
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
    claim = Claim(subject=ID_OF["cy"], predicate=CONCERNS, object=f"about {theft} so", said=said)
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


async def the_story_is_rewound(watch: Watch) -> None:
    """A line that never was, and a beat played anew."""
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


async def a_branch_and_a_resumed_save(watch: Watch) -> None:
    """A save closed and opened again, and a branch of it."""
    await watch.play(14)
    a, b = pair(watch)
    watch.order(Say(character=a, words=f"Not in the branch: {SPOKEN}.", to=(b,)))
    await watch.play(6)
    assert watch.session is not None
    await watch.session.close()
    begin_again(watch)
    await watch.play(8)
    watch.check_everything_kept()
    other = branch_of(watch, branch(watch.save, 10, watch.save.folder.with_name("other")))
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
    watch.check_everything_kept(pages=False)
    await watch.play(3)
    stage(watch, StateTurned(actor=b, state="attentive"), StateTurned(actor=b, state="blinded"))
    come_unseen(watch, b)
    watch.order(Do(character=a, text="holds up zq9202x"))
    watch.check_everything_kept(pages=False)
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
    fire_what_may(watch)
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
    other = branch_of(watch, branch(watch.save, edited, folder))
    async with opened(other):
        await other.play(4)
        other.check_everything_kept(pages=False)
        assert UNSAID & set[str]().union(*other.tracker.held.values()) == {"zq9403x"}


async def all_that_happens(watch: Watch) -> None:
    """Every kind of event, then a resumed save and a branch."""
    await watch.play(4)
    for part in (words_from_afar, who_misses_it, what_is_found, what_is_taken_back):
        await part(watch)
        watch.check_everything_kept(pages=part is who_misses_it)
    middle = watch.story.turn // 2
    assert watch.session is not None
    await watch.session.close()
    begin_again(watch)
    await watch.play(4)
    watch.check_everything_kept()
    other = branch_of(watch, branch(watch.save, middle, watch.save.folder.with_name("other")))
    async with opened(other):
        await other.play(6)
        other.check_everything_kept(pages=False)


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
