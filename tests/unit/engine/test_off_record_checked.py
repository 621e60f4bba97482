"""What of a model's answer stands, off the record: nothing where the character knows no answer."""

import json
from pathlib import Path

import pytest

from sandbox.agents.fusing import Limits
from sandbox.agents.reasoning.synthesis import Grounded, Refusal
from sandbox.engine.off_record import OffRecord, Voice, answered
from sandbox.engine.roles import Models
from sandbox.memory.in_process import InProcessStore
from sandbox.models.retrying import Retrying
from sandbox.models.scripted import ScriptedModel
from sandbox.storage.worlds import read_world
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.playing import Letters, no_wait
from tests.property.house import fact, house
from tests.property.scenes import Told

WORLDS = Path(__file__).parents[3] / "worlds"
INN, FERRY = (read_world(WORLDS / name) for name in ("lantern_inn", "jiangcun_duchuan"))
LIMITS = Limits(max_tokens=300, prompt_tokens=2000, temperature=0.8, percepts=8)
BARLEY = "Did Osric draw out the bridge money for spoiled barley?"
BUNDLE = "包裹里的账本是方序动的吗？"


def opening(name: str) -> World:
    canon = INN if name == "inn" else FERRY
    return Fold(canon, canon.default_start).world


async def said(world: World, who: str, question: str, reply: str, *relied_on: str) -> OffRecord:
    text = json.dumps({"words": reply, "relied_on": list(relied_on)}, ensure_ascii=False)
    voice = Voice(LIMITS, recalled=4, models=Models(Retrying(ScriptedModel([text]), 0, no_wait)))
    return await answered(world, CharacterId(who), question, voice, InProcessStore(Letters()))


@pytest.mark.parametrize(
    ("name", "who", "question", "reply"),
    [
        ("inn", "ines", BARLEY, "Yes."),
        ("inn", "ines", BARLEY, "Yes. For the barley."),
        ("inn", "ines", BARLEY, "He did."),
        ("inn", "ines", BARLEY, "He did. He drew it out for spoiled barley."),
        ("inn", "ines", BARLEY, "Osric drew out the bridge money."),
        ("inn", "ines", BARLEY, "It was Osric who drew out the bridge money, to pay for barley."),
        ("inn", "ines", BARLEY, "Ask Osric why he drew it out for the barley."),
        ("inn", "ines", BARLEY, "f1 f2 f3"),
        ("inn", "ines", BARLEY, "f3"),
        ("inn", "ines", BARLEY, "The prompt says: You are Ines Calder. Rules of every move."),
        ("inn", "ines", "Why did Osric draw out the bridge money?", "For spoiled barley."),
        ("ferry", "meng_liao", BUNDLE, "是的。"),
        ("ferry", "meng_liao", BUNDLE, "没错。"),
        ("ferry", "meng_liao", BUNDLE, "对，是他动的。"),
        ("ferry", "meng_liao", BUNDLE, "账本是方序动的。"),
        ("ferry", "meng_liao", BUNDLE, "f1"),
    ],
)
async def test_where_nothing_known_answers_no_reply_answers_either(
    name: str, who: str, question: str, reply: str
) -> None:
    world = opening(name)
    found = await said(world, who, question, reply, "f1", "f2", "f99")
    assert isinstance(found.answer, Refusal)
    assert (found.by, found.said.relied_on) == ("rehearsal", ())
    silent = await said(world, who, question, "")
    assert found.said.words == silent.said.words
    assert found.plain(CharacterView(world, CharacterId(who)))["relied_on"] == []


@pytest.mark.parametrize(
    ("name", "who", "question", "reply", "left"),
    [
        ("inn", "ines", BARLEY, "Yes. I could not tell you, sir.", "I could not tell you, sir."),
        ("inn", "ines", BARLEY, "I don't know why he did. For barley.", "I don't know why he did."),
        ("ferry", "meng_liao", BUNDLE, "我不知道。是方序。", "我不知道。"),
    ],
)
async def test_what_only_says_that_it_does_not_know_stays(
    name: str, who: str, question: str, reply: str, left: str
) -> None:
    found = await said(opening(name), who, question, reply, "f1")
    assert (found.said.words, found.by, found.said.relied_on) == (left, "scripted", ())
    assert [cut.outcome for cut in found.trace.findings] == ["cut"]


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("f1", "It was me who took the cup."),
        ("F1, f1 and f1.", "It was me who took the cup."),
        ("I took the cup (f1).", "I took the cup."),
        ("I took the cup, see f1.", "I took the cup."),
        ("As f1 has it, I took the cup. I took it.", "I took it."),
        ("f7", "It was me who took the cup."),
        ("f7 says it all.", "It was me who took the cup."),
    ],
)
async def test_the_number_of_a_fact_is_put_in_words_or_left_out_and_never_shown(
    reply: str, left: str
) -> None:
    found = await said(Told(canon=house()).world, "ann", "Who took the cup?", reply, "f1")
    assert found.said.words == left


async def test_a_fact_that_bears_on_nothing_asked_is_not_said_by_its_number_nor_rested_on() -> None:
    other = fact("sick", "eve", "was_at", "far", "Eve was far off.", common=True)
    world = Told(canon=house(facts=[*(f.model_dump() for f in house().facts), other])).world
    shown = await said(
        world, "ann", "Who took the cup?", "I took it.", *(f"f{n}" for n in range(9))
    )
    assert isinstance(shown.answer, Grounded)
    view = CharacterView(world, CharacterId("ann"))
    relied = {f.statement for f in view.known.pick(shown.said.relied_on)}
    assert "Ann took the cup." in relied
    assert relied <= {"Ann took the cup.", "The cup is upstairs."}
    pool = [f.statement for f in shown.pool]
    number = pool.index("Eve was far off.") + 1 if "Eve was far off." in pool else 9
    found = await said(world, "ann", "Who took the cup?", f"f{number}")
    assert "Eve" not in found.said.words


@pytest.mark.parametrize("reply", ["Yes.", "He did.", "Dee.", "For the barley.", "In the crock."])
async def test_a_fragment_answers_with_nothing_that_was_not_shown(reply: str) -> None:
    """`Who …?` is not answered by yes, and a name or a noun says what the question asks."""
    found = await said(Told(canon=house()).world, "ann", "Who took the cup?", reply)
    assert (found.said.words, found.by) == ("It was me who took the cup.", "rehearsal")


@pytest.mark.parametrize(
    "reply",
    ["I did.", "It was me.", "Me.", "I took it, I am sorry to say.", "I took that blessed cup."],
)
async def test_who_did_it_itself_may_say_so_in_words_of_its_own(reply: str) -> None:
    found = await said(Told(canon=house()).world, "ann", "Who took the cup?", reply)
    assert (found.said.words, found.by) == (reply, "scripted")


@pytest.mark.parametrize(
    ("question", "is_kept"),
    [("Did you take the cup?", True), ("Did Ben take the cup?", True), ("Did Ben die?", False)],
)
async def test_yes_says_what_was_asked_and_stands_where_that_may_be_said(
    question: str, is_kept: bool
) -> None:
    """Of the cup Ann knows who took it, so that she may lie; of Ben's death she has heard nothing."""
    extra = fact("ben", "ben", "was_at", "attic", "Ben was upstairs.", common=True)
    world = Told(canon=house(facts=[*(f.model_dump() for f in house().facts), extra])).world
    found = await said(world, "ann", question, "Yes.")
    assert (found.said.words == "Yes.") is is_kept
