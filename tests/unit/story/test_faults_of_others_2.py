"""What other systems were caught at (DESIGN section 10, marked [2]): each fault a test."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.fusing import Limits, Material, fused
from sandbox.engine.branching import branch, take_back
from sandbox.engine.records import expected, shelves
from sandbox.storage.lint_hidden import hidden
from sandbox.story.canon import Canon
from sandbox.story.commands import Edit, Go, Retract, Say
from sandbox.story.ids import CharacterId, PlaceId, PredicateId
from sandbox.story.known import KnownFacts
from sandbox.story.view import CharacterView
from tests.playing import LettersHome, act, begun, playing, world_of
from tests.property.scenes import THAT, Told, acts, claim, says, turns, whispers
from tests.property.strategies import small_canon

ANN, BEN, CY, DEE = (CharacterId(who) for who in ("ann", "ben", "cy", "dee"))
SECRET = "Ben took the cup."
LIMITS = Limits(max_tokens=200, prompt_tokens=4000, temperature=0.0, percepts=50)


def tells(actor: str, *to: str, said: str = SECRET) -> dict[str, Any]:
    return says(actor, said, *to, tells=[claim("cup", "took", "ben", said)])


def prompt(view: CharacterView) -> str:
    """All that a model would be shown for a character."""
    everything = Material(found=tuple(fact.handle for fact in view.known))
    return "\n".join(m.content for m in fused(view, everything, LIMITS).request.messages)


# ── bystanders behind a closed door recorded as participants ──────────────────────────────────


def test_who_stands_behind_a_closed_door_takes_no_part_in_what_is_said() -> None:
    told = Told(tells("ann", "ben"))
    heard = told.beats[0].events[0].witnesses
    assert heard == {"ann": "full", "ben": "full", "cy": "full", "dee": THAT}
    assert told.knows("dee") == []
    assert SECRET not in "\n".join(told.remembers("dee"))
    (percept,) = told.view("dee").percepts
    assert percept.noticed == ["ann"]
    for who in ("ann", "ben"):
        assert "dee" not in told.view(who).percepts[-1].noticed


def test_who_stands_behind_a_wall_is_no_witness_at_all() -> None:
    shut = small_canon([{"between": ["hall", "attic"], "door": "locked", "carries": "sound"}])
    told = Told(tells("ann", "ben"), canon=shut)
    assert set(told.beats[0].events[0].witnesses) == {"ann", "ben"}


# ── joining late and remembering everything ───────────────────────────────────────────────────


def test_who_comes_in_late_remembers_nothing_of_what_was_said_before() -> None:
    told = Told(whispers("ann", SECRET, "ben", tells=[claim("cup", "took", "ben", SECRET)]))
    told.happen(says("ann", "Hush, somebody comes.", "ben"))
    told.walk("dee", "hall")
    told.happen(says("ann", "Good evening."))
    assert told.knows("dee") == ["Dee is in the hall."]
    remembered = "\n".join(told.remembers("dee"))
    assert "Good evening." in remembered
    for words in (SECRET, "Hush"):
        assert words not in remembered
        assert words not in prompt(told.view("dee"))
        assert words in prompt(told.view("ben"))


# ── facts told by one attributed to another ───────────────────────────────────────────────────


def test_who_told_what_is_who_said_it_and_nobody_who_stood_by() -> None:
    told = Told(tells("ann", "ben"))
    told.walk("dee", "hall")
    told.happen(tells("ben", "dee", said="It was me, Ben took the cup."))
    told.happen(tells("ann", "dee"))
    (fact,) = (f for f in KnownFacts(told.world, DEE) if f.predicate == "took")
    assert (fact.source, fact.statement) == (BEN, "It was me, Ben took the cup.")
    grants = KnownFacts(told.world, DEE).grants_of(fact.handle)
    assert [(g.teller, g.said) for g in grants] == [
        (BEN, "It was me, Ben took the cup."),
        (ANN, SECRET),
    ]
    learned_by_ben = KnownFacts(told.world, BEN).saying("cup", PredicateId("took"))
    assert [f.source for f in learned_by_ben if f.learned_turn] == [ANN]


def test_a_line_said_together_is_told_by_nobody_else_than_its_speaker() -> None:
    line = tells("ann") | {"chorus": ["ben"]}
    told = Told(line)
    (fact,) = (f for f in KnownFacts(told.world, CY) if f.learned_turn)
    assert fact.source == ANN


# ── a hidden bottle named in a public description ─────────────────────────────────────────────


def cellar(description: str, name: str = "the green bottle", **more: Any) -> Canon:
    places = [
        {"id": "hall", "name": "the hall", "description": description},
        *({"id": p, "name": f"the {p}"} for p in ("yard", "attic", "far")),
    ]
    bottle = {"id": "bottle", "name": name, "place": "hall", "concealed": True, **more}
    cup = {"id": "cup", "name": "the cup", "place": "hall"}
    book = {"id": "book", "name": "the book", "holder": "cy"}
    return small_canon(places=places, things=[bottle, cup, book])


@pytest.mark.parametrize(
    ("canon", "found"),
    [
        (cellar("A green bottle stands behind the stove."), ["hall.description"]),
        (cellar("Behind the stove glints a FLASK.", aliases=["flask"]), ["hall.description"]),
        (cellar("灶后藏着绿瓶子。", name="绿瓶子"), ["hall.description"]),
        (cellar("A greenbottle buzzes at the window."), []),
        (cellar("A stove, cold."), []),
    ],
)
def test_a_public_description_that_names_what_is_hidden_is_refused(
    canon: Canon, found: list[str]
) -> None:
    assert [key for _, key, _ in hidden(canon)] == found


@pytest.mark.parametrize("name", ["the green bottle", "绿瓶子"])
def test_what_is_hidden_is_in_nobodys_view_before_it_is_found(name: str) -> None:
    told = Told(acts("ann", "looks round", searches=True), canon=cellar("A stove.", name=name))
    for who in ("ann", "ben", "cy"):
        view = told.view(who)
        assert name not in prompt(view)
        assert name not in [thing.called for thing in view.things]
        assert name not in "\n".join(told.remembers(who))
    told.happen({"kind": "thing_found", "actor": "ann", "thing": "bottle"})
    for who in ("ann", "ben"):
        assert name in [thing.called for thing in told.view(who).things]
        assert name in prompt(told.view(who))
    assert name not in prompt(told.view("dee"))


# ── a participant who never learns the result of its own act ──────────────────────────────────


@pytest.mark.parametrize("state", ["hid", "blinded", "deafened", "distracted"])
def test_whoever_acts_learns_what_comes_of_it(state: str) -> None:
    told = Told(turns("ann", state), acts("ann", "looks into the cup", examines="cup"))
    assert told.knows("ann")[-1] == SECRET
    assert "looks into the cup" in "\n".join(told.remembers("ann"))


@pytest.mark.parametrize(
    "event",
    [
        says("ann", "Good evening."),
        acts("ann"),
        {"kind": "left", "actor": "ann", "place": "hall", "to_place": "yard"},
        {"kind": "thing_changed", "actor": "ann", "thing": "cup", "holder": "ann"},
        {"kind": "door_changed", "actor": "ann", "between": ["hall", "yard"], "door": "shut"},
        acts("ann", "tries to go", failed=True),
    ],
)
def test_whoever_acts_perceives_its_own_act_in_full(event: dict[str, Any]) -> None:
    told = Told(turns("ann", "distracted"), event)
    assert told.beats[-1].events[0].witnesses[ANN] == "full"


# ── presence reset by an edit ─────────────────────────────────────────────────────────────────


async def test_an_edit_leaves_everybody_where_they_are(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        said = Say(character=ANN, words="Good evening.", to=(BEN,))
        await act(session, said, Go(character=BEN, place=PlaceId("yard")), 4)
        where, doors = dict(session.world.stage.place_of), dict(session.world.stage.doors)
        open_scenes = list(session.world.scenes)
        await act(session, Edit(turn=1, words="Good night."))
        assert session.world.stage.place_of == where
        assert session.world.stage.doors == doors
        assert list(session.world.scenes) == open_scenes
    assert world_of(save).stage.place_of == where


# ── a branch that copies the text but not the memories ────────────────────────────────────────


async def test_a_branch_remembers_what_its_source_remembered_at_that_turn(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save) as session:
        said = Say(character=ANN, words="Good evening.", to=(BEN,))
        await act(session, said, Say(character=BEN, words="Is it?", to=(ANN,)), 12)
    take_back(save, Edit(turn=2, words="It is."))
    take_back(save, Retract(turn=1))
    turn = 8
    then = world_of(save, [b for b in world_of(save).beats if b.turn <= turn])
    own = branch(save, turn, tmp_path / "own")
    async with playing(own, home=LettersHome()) as session:
        held = {shelf: dict(await session.keeper.records(shelf)) for shelf in shelves(then)}
    for shelf, records in held.items():
        wanted = {record.id: record for record in expected(then, shelf)}
        assert records == wanted
    texts = [record.text for records in held.values() for record in records.values()]
    assert any("It is." in text for text in texts)
    assert not any("Is it?" in text or "Good evening." in text for text in texts)
