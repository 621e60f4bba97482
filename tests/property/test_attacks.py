"""Attacks on the knowledge boundary: what somebody was shown, told or asked with that it could not know."""

import json
from collections.abc import AsyncGenerator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.cli.printing import Printer
from sandbox.cli.running import advance_by
from sandbox.engine.ordering import carry_out
from sandbox.engine.staging import Staging
from sandbox.engine.updates import DirectionRefused, Update
from sandbox.errors import StageError
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.commands import Say
from sandbox.story.events import Acted
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, ThingId
from sandbox.story.items import Language
from sandbox.story.telling.told import told_by
from sandbox.story.viewpoint import cast_seen, transcript
from sandbox.story.world import World
from tests.property.scenes import Plain, Told, acts, claim, says, turns, whispers
from tests.property.strategies import small_canon

ANN, BEN, CY, DEE, EVE = (CharacterId(who) for who in ("ann", "ben", "cy", "dee", "eve"))
BOX = [
    {"id": "box", "name": "the box", "place": "hall"},
    {"id": "coin", "name": "the coin", "inside": "box"},
]
RING: Plain = {"id": "ring", "name": "the ring", "members": ["ann"], "briefs_newcomers": True}


def disguised(canon: Any = None) -> Told:
    """Cy, dressed up where nobody watched as Dee, who is upstairs, comes into the hall."""
    told = Told({"kind": "disguised", "actor": "cy", "seen_as": "dee"}, canon=canon)
    told.walk("cy", "hall")
    return told


def hidden() -> Told:
    """Cy hides in the hall."""
    told = Told(canon=small_canon(things=BOX))
    told.walk("cy", "hall")
    told.happen(turns("cy", "hid"))
    return told


def learned(told: Told, who: str) -> list[tuple[str, str]]:
    """What somebody was told in play: (subject, predicate)."""
    known = told.view(who).known
    return [(f.subject, f.predicate) for f in known if f.route == "told" and f.learned_turn]


def lines(told: Told, who: CharacterId) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(line.speaker, line.text, line.targets) for line in transcript(told.world, who)]


def notes(told: Told, who: CharacterId) -> Notebook:
    notebook = Notebook(who)
    notebook.update(told.view(who))
    return notebook


# ── disguises ─────────────────────────────────────────────────────────────────────────────────


def test_who_is_taken_for_a_sleeper_does_not_lie_still() -> None:
    told = disguised()
    told.happen(turns("dee", "fell_asleep"))
    view = told.view("ann")
    assert [(p.id, p.looks) for p in view.people] == [("ben", "inky"), ("dee", "")]
    assert view.is_attending(DEE)
    told.happen(turns("cy", "died"))
    assert not told.view("ann").is_attending(DEE)


def test_where_somebody_stands_in_a_list_tells_nothing_of_who_it_is() -> None:
    pedlar = [{"id": "apple", "name": "Apple"}]
    told = Told(
        {"kind": "disguised", "actor": "cy", "seen_as": "apple"},
        canon=small_canon(entities=pedlar),
    )
    told.walk("cy", "hall")
    assert [p.id for p in told.view("ann").people] == ["apple", "ben"]
    assert [who for who, _, _ in cast_seen(told.world, ANN)] == ["ann", "apple", "ben"]


def test_what_somebody_disguised_says_of_itself_is_held_of_whom_it_seems_to_be() -> None:
    told = disguised()
    owed = "I took a loan."
    told.happen(says("cy", owed, tells=[claim("cy", "took", "a loan", owed)]))
    assert learned(told, "ann") == [("dee", "took")]
    assert learned(told, "ben") == [("dee", "took")]


def test_what_is_said_to_somebody_disguised_is_held_of_whom_it_seems_to_be() -> None:
    told = disguised()
    words = "You took a loan."
    told.happen(says("ben", words, "cy", tells=[claim("cy", "took", "a loan", words)]))
    assert learned(told, "ann") == [("dee", "took")]


def test_what_is_said_by_name_of_somebody_who_stands_there_disguised_is_of_that_one() -> None:
    told = disguised()
    words = "Cy Dorn took a loan."
    told.happen(says("ben", words, tells=[claim("cy", "took", "a loan", words)]))
    assert learned(told, "ann") == [("cy", "took")]


def test_an_attempt_that_failed_names_whom_one_thought_to_speak_to() -> None:
    told = disguised()
    staging = Staging(told.world.stage)
    staging.move(ANN, Move(words="Good evening.", to=(DEE, EVE)))
    told.take(staging.happened)
    assert told.remembers("ann")[-1] == "I tried to speak to Dee, in vain."


def test_a_person_can_speak_to_whom_its_character_sees() -> None:
    """It was refused: that told the person that Dee was not Dee."""
    told = disguised()
    order = carry_out(Say(character=ANN, words="Good evening.", to=(DEE,)), told.world, told.beats)
    told.take(order.happened)
    assert told.remembers("ann")[-1] == 'I said to Dee: "Good evening."'


def test_who_dresses_up_in_a_hiding_place_is_watched_by_nobody() -> None:
    told = hidden()
    told.happen({"kind": "disguised", "actor": "cy", "seen_as": "dee"})
    told.happen(turns("cy", "found"))
    assert [p.id for p in told.view("ben").people] == ["ann", "dee"]


def test_a_spy_takes_whom_it_looks_in_on_for_whom_it_is_dressed_up_as() -> None:
    told = Told({"kind": "disguised", "actor": "cy", "seen_as": "dee"})
    told.happen({"kind": "spied", "actor": "ben", "on": "yard"})
    told.happen({"kind": "narrated", "text": "The wind rises.", "place": "yard"})
    assert told.view("ben").percepts[-1].noticed == ["dee"]
    assert "visitor" not in str(list(transcript(told.world, BEN)))


# ── hidden ────────────────────────────────────────────────────────────────────────────────────

SILENT: list[Plain] = [
    {"kind": "message_sent", "actor": "cy", "message": "m", "to": "eve", "words": "Come."},
    {"kind": "disguised", "actor": "cy", "seen_as": "dee"},
    {"kind": "door_changed", "actor": "cy", "between": ["hall", "yard"], "door": "shut"},
    turns("cy", "fell_asleep"),
    turns("cy", "deafened"),
    turns("cy", "died"),
]


@pytest.mark.parametrize("deed", SILENT, ids=lambda deed: deed.get("state", deed["kind"]))
def test_what_somebody_hidden_does_without_a_sound_is_nobodys_to_see(deed: Plain) -> None:
    told = hidden()
    before, turn = len(lines(told, BEN)), notes(told, BEN).seen_turn[CY]
    told.happen(deed)
    for speaker, text, _ in lines(told, BEN)[before:]:
        assert (speaker, "visitor" in text) == ("", False)
    assert notes(told, BEN).seen_turn[CY] == turn


def test_what_somebody_hidden_sees_in_a_box_nobody_else_sees() -> None:
    told = hidden()
    staging = Staging(told.world.stage)
    staging.act(Acted(actor=CY, text="looks into the box", examines=ThingId("box")))
    told.take(staging.happened)
    assert "The coin is in the box." in told.knows("cy")
    assert "The coin is in the box." not in told.knows("ben")
    assert [t.id for t in told.view("ben").things] == ["box"]


# ── from afar ─────────────────────────────────────────────────────────────────────────────────


def test_nobody_sees_to_whom_somebody_speaks_by_wire() -> None:
    told = Told(whispers("ann", "Come at once.", "eve", by_wire=True))
    assert lines(told, BEN) == [("Ann", "Ann murmured something.", ())]
    assert told.remembers("ben") == ["Ann murmured something."]
    assert told.remembers("eve") == ['Ann whispered to me: "Come at once."']


def test_a_spy_does_not_read_what_others_write_and_read() -> None:
    sent: Plain = {"kind": "message_sent", "actor": "ann", "message": "m", "to": "ben"}
    sent |= {"words": "Burn this.", "tells": [claim("ben", "took", "a loan", "Burn this.")]}
    read = {key: sent[key] for key in ("message", "words", "tells")}
    told = Told({"kind": "spied", "actor": "cy", "on": "hall"}, sent)
    told.happen(read | {"kind": "message_read", "actor": "ben", "sender": "ann"})
    seen = ["Ann sent a message.", "Ben read a message."]
    assert told.remembers("cy")[-2:] == seen
    assert learned(told, "cy") == []


@pytest.mark.parametrize(
    "heard",
    [
        {"kind": "announced", "actor": "eve", "words": "All is well."},
        whispers("eve", "All is well.", "ann", by_wire=True),
    ],
)
def test_words_from_afar_tell_nobody_where_their_speaker_is(heard: Plain) -> None:
    told = Told(heard)
    assert told.view("ann").last_seen(EVE) is None
    assert notes(told, ANN).seen_at == {}


def test_what_is_examined_in_sight_of_the_next_place_is_not_told_apart_there() -> None:
    in_sight = [{"between": ["hall", "yard"], "door": "open", "sight": True}]
    cup = [{"id": "cup", "name": "the cup", "place": "yard", "reveals": ["theft"]}]
    told = Told(
        acts("cy", "turns the cup over", examines="cup"), canon=small_canon(in_sight, things=cup)
    )
    assert told.remembers("ben")[-1].endswith("it was not to be seen with what.")
    assert notes(told, BEN).examined == set()


# ── who cannot see, or does not attend ────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", ["blinded", "fell_asleep", "distracted", "died"])
def test_who_missed_somebody_come_in_is_not_shown_it_there(state: str) -> None:
    told = Told(turns("ann", state))
    told.walk("cy", "hall")
    assert [p.id for p in told.view("ann").people] == ["ben"]
    assert [who for who, _, _ in cast_seen(told.world, ANN)] == ["ann", "ben"]
    assert "Cy" not in str(lines(told, ANN))
    assert "cy" not in notes(told, ANN).seen_at


def test_the_blind_know_of_whom_they_heard() -> None:
    told = Told(turns("ann", "blinded"))
    told.walk("cy", "hall")
    told.happen(says("cy", "It is I."))
    assert [(p.id, p.looks) for p in told.view("ann").people] == [("ben", ""), ("cy", "")]


def test_the_blind_see_no_things_they_did_not_see_before() -> None:
    told = Told(turns("ann", "blinded"))
    assert told.view("ann").things == []
    seen = {"kind": "things_seen", "place": "hall", "seen": [{"thing": "cup", "where": "hall"}]}
    told = Told(seen, turns("ann", "blinded"))
    assert [t.id for t in told.view("ann").things] == ["cup"]


# ── names ─────────────────────────────────────────────────────────────────────────────────────


def test_a_question_about_a_name_is_not_one_about_the_face_that_bears_it() -> None:
    told = Told()
    told.walk("cy", "hall")
    asks = {"subject": "cy", "predicate": "took"}
    told.happen(says("ann", "What did Dorn take?", "ben", asks=asks))
    pending = notes(told, BEN).pending
    assert pending is not None
    assert pending.question.subject == "Dorn"


@pytest.mark.parametrize("words", ["DORN TOOK THE CUP.", "dorn took the cup."])
def test_a_name_in_other_letters_is_still_a_mere_name(words: str) -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(says("ann", words, tells=[claim("cy", "took", "cup", words)]))
    assert learned(told, "ben") == [("Dorn", "took")]


def test_a_newcomer_is_briefed_of_a_mere_name_where_it_knows_no_more() -> None:
    told = Told(canon=small_canon(organisations=[RING]))
    words = "Dorn took the cup."
    news = {"kind": "announced", "actor": "ann", "to": "ring", "words": words}
    told.happen(news | {"tells": [claim("cy", "took", "cup", words)]})
    told.happen(
        {
            "kind": "membership_changed",
            "actor": "ben",
            "organisation": "ring",
            "joined": True,
        }
    )
    held = [f for f in told.view("ben").known if f.route == "organisation"]
    assert [(f.subject, f.statement) for f in held] == [("Dorn", words)]


def test_the_state_of_a_thing_is_kept_in_the_names_one_knows() -> None:
    broken = {"kind": "thing_changed", "actor": None, "thing": "cup", "state": "broken by Dorn"}
    told = Told(broken)
    assert told.knows("ben") == ["The cup is broken by the visitor."]
    assert told.knows("ann") == ["The cup is broken by Cy Dorn."]


# ── what a line tells ─────────────────────────────────────────────────────────────────────────

MARKED = Path(__file__).parents[1] / "marked"
SWAPPED: dict[Language, str] = {
    "en": "Nothing of the kind was so.",
    "zh": "那里从来没有过这样的事。",
}


@lru_cache
def marked_world(name: str) -> World:
    canon = read_world(MARKED / "worlds" / name)
    return fold(canon, canon.default_start, []).world


@lru_cache(maxsize=64)
def otherwise(name: str, speaker: CharacterId) -> World:
    """The same world for a speaker, in which all is otherwise that it does not know."""
    world = marked_world(name)
    written = world.canon.model_dump(by_alias=True, exclude_unset=True)
    for fact in written["facts"]:
        if fact["id"] not in world.grants[speaker]:
            fact.update(statement=SWAPPED[world.canon.language], voiced={}, to_subject=None)
            others = sorted({*world.canon.cast} - {fact["object"], speaker})
            fact["object"] = others[0] if fact["object"] in world.canon.cast else fact["object"]
    canon = Canon.model_validate(written)
    return fold(canon, canon.default_start, []).world


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_line_tells_the_same_whatever_is_true_that_its_speaker_does_not_know(
    language: Language,
) -> None:
    marked = [json.loads(line) for line in (MARKED / "told_lines.jsonl").read_text().splitlines()]
    of_language = [m for m in marked if marked_world(m["world"]).canon.language == language]
    assert len(of_language) == 100
    for line in of_language:
        asked = (line["words"], line["speaker"], line["to"])
        found = told_by(*asked, otherwise(line["world"], line["speaker"]))
        assert found == told_by(*asked, marked_world(line["world"])), line["id"]


# ── things ────────────────────────────────────────────────────────────────────────────────────


def test_who_was_told_what_a_box_holds_does_not_see_it_there() -> None:
    """Or the list of what is at hand would say whether it is true."""
    words = "The coin is in the box."
    told = Told(canon=small_canon(things=BOX))
    told.happen(says("ben", words, tells=[claim("coin", "located_in", "box", words)]))
    assert [t.id for t in told.view("ann").things] == ["box"]


@pytest.mark.parametrize(
    ("thing", "change"),
    [
        ({"place": "hall", "concealed": True}, {"state": "glowing"}),
        ({"place": "hall", "concealed": True}, {"place": "yard"}),
        ({"inside": "box"}, {"state": "glowing"}),
    ],
)
def test_what_becomes_of_a_thing_out_of_sight_nobody_sees(thing: Plain, change: Plain) -> None:
    coin = {"id": "coin", "name": "the coin", **thing}
    told = Told(canon=small_canon(things=[BOX[0], coin]))
    told.happen({"kind": "thing_changed", "actor": None, "thing": "coin", **change})
    for who in (ANN, BEN, CY):
        assert told.remembers(who) == []
        assert told.knows(who) == []


# ── before its time ───────────────────────────────────────────────────────────────────────────


def test_nothing_was_shared_with_an_organisation_that_is_not_there_yet() -> None:
    first = small_canon().scenes[0].model_dump()
    night = first | {"id": "night", "clock": "23:00", "episodes": {}}
    gold = {
        "id": "gold",
        "subject": "ben",
        "predicate": "took",
        "object": "gold",
        "statement": "Ben took gold.",
        "shared": [{"organisation": "ring"}],
    }
    canon = small_canon(
        scenes=[first, night], organisations=[RING | {"from": "night"}], facts=[gold]
    )
    assert [f.statement for f in Told(canon=canon).view("ann").known] == []
    later = Told(canon=canon, start="night").view("ann").known
    assert [f.statement for f in later] == ["Ben took gold."]


# ── a person who plays through one character's eyes ───────────────────────────────────────────


class Refusing:
    """A session whose director wants what cannot be."""

    world = None

    async def advance(self, limit: int) -> AsyncGenerator[Update, None]:
        yield DirectionRefused(StageError("prepared event `zq_fire` did not happen."))


@pytest.mark.parametrize(("viewpoint", "is_told"), [(None, True), (ANN, False)])
async def test_what_a_director_could_not_do_is_told_to_the_director_alone(
    capsys: pytest.CaptureFixture[str], viewpoint: CharacterId | None, is_told: bool
) -> None:
    printer = Printer(viewpoint, as_json=False)
    await advance_by(Refusing(), printer, 1)  # type: ignore[arg-type]
    assert ("zq_fire" in capsys.readouterr().err) is is_told
