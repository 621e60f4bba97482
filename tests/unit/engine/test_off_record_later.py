"""Off the record after rewinds, and when a model thinks it knows: what was taken back is known to nobody."""

import json
from pathlib import Path

import pytest

from sandbox.agents.fusing import Limits
from sandbox.agents.reasoning.synthesis import Grounded, Refusal
from sandbox.engine.off_record import OffRecord, Voice, answered
from sandbox.engine.playback import Playback
from sandbox.engine.roles import Models
from sandbox.errors import SandboxError
from sandbox.memory.in_process import InProcessStore
from sandbox.models.port import Request
from sandbox.models.retrying import Retrying
from sandbox.models.scripted import ScriptedModel
from sandbox.storage.saves import Save
from sandbox.storage.worlds import read_world
from sandbox.story.claims import Claim
from sandbox.story.commands import Rewind, Say
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.world import World
from tests.playing import Letters, no_wait, play
from tests.property.house import house
from tests.property.scenes import Told

WORLDS = Path(__file__).parents[3] / "worlds"
LIMITS = Limits(max_tokens=300, prompt_tokens=2000, temperature=0.8, percepts=8)
CUP = "Who broke the blue cup?"


def saying(who: str, words: str) -> Say:
    claim = Claim(subject="cup", predicate=PredicateId("broken_by"), object="ben", said=words)
    return Say(character=CharacterId(who), words=words, to=(CharacterId("ann"),), tells=(claim,))


async def asked_at(save: Save, turn: int, who: str = "ann", words: str = CUP) -> OffRecord:
    playback = Playback(save)
    playback.jump(turn)
    voice, store = Voice(LIMITS, recalled=4), InProcessStore(Letters())
    return await answered(playback.world, CharacterId(who), words, voice, store)


async def test_what_was_rewound_is_known_at_no_turn_and_what_came_after_at_its_own(
    tmp_path: Path,
) -> None:
    save = await play(
        tmp_path / "s",
        Say(character=CharacterId("ben"), words="Good evening.", to=(CharacterId("ann"),)),
        saying("ben", "I broke it on the stairs."),
        Rewind(turn=1),
        Say(character=CharacterId("ben"), words="It rains.", to=(CharacterId("ann"),)),
        saying("ben", "I broke the blue cup."),
    )
    found = [await asked_at(save, turn) for turn in range(4)]
    outcomes = [isinstance(one.answer, Grounded) for one in found]
    assert outcomes == [False, False, False, True]
    assert "stairs" not in "".join(one.said.words for one in found)
    assert "stairs" not in "".join(f.statement for one in found for f in one.pool)
    with pytest.raises(SandboxError, match="has turns 0 to 3"):
        await asked_at(save, 4)


async def test_a_story_rewound_to_its_beginning_is_as_if_it_had_not_begun(tmp_path: Path) -> None:
    save = await play(tmp_path / "s", saying("ben", "I broke the blue cup."), Rewind(turn=0))
    found = await asked_at(save, 0)
    assert isinstance(found.answer, Refusal)
    assert not any(memory.startswith("percept") for a in found.anchors for memory in a.memories)


# ── questions of its own ──────────────────────────────────────────────────────────────────────


def opening(name: str) -> World:
    canon = read_world(WORLDS / name)
    return Fold(canon, canon.default_start).world


SMUGGLED = {
    "house": (
        "ben", "Who took the cup?",
        ["Ann took the cup, so who else knows?", "theft", "f1: Ann took the cup."], "Ann took the cup",
    ),
    "lantern_inn": (
        "ines", "Why did Osric draw out the bridge money?",
        ["Did Osric draw it for a barge of spoiled barley?", "osric_drew", "f1: spoiled barley"], "barley",
    ),
    "jiangcun_duchuan": (
        "meng_liao", "是谁摘了铜铃？",
        ["杜水生亲手摘下铜铃藏进了鱼篓，还有谁知道？", "ling_zhaixia", "f1：鱼篓"], "鱼篓",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(SMUGGLED))
async def test_what_a_model_puts_into_its_questions_gets_into_no_pool_and_no_request(
    name: str,
) -> None:
    """It has read the book, and asks its character's memory what that cannot hold."""
    who, question, asks, secret = SMUGGLED[name]
    world = Told(canon=house()).world if name == "house" else opening(name)

    def reply(request: Request) -> str:
        if "enough" in (request.schema or {}).get("properties", {}):
            return json.dumps({"enough": False, "ask": asks}, ensure_ascii=False)
        return json.dumps({"words": asks[0], "relied_on": ["f1"]}, ensure_ascii=False)

    model = ScriptedModel(reply)
    voice = Voice(LIMITS, 4, Models(Retrying(model, 0, no_wait)))
    store = InProcessStore(Letters())
    found = await answered(world, CharacterId(who), question, voice, store, deep=True)
    assert isinstance(found.answer, Refusal)
    assert (found.by, found.said.relied_on) == ("rehearsal", ())
    assert secret not in found.said.words
    assert not any(secret in fact.statement for fact in found.pool)
    for request in model.requests:
        assert not any(secret in message.content for message in request.messages)
