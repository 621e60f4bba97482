"""How much of honest answers stays, and how much of what a character cannot know: over both worlds."""

import json
from collections.abc import Iterator

import pytest

from sandbox.agents.fusing import Limits
from sandbox.agents.reasoning.synthesis import Grounded
from sandbox.engine.off_record import OffRecord, Voice, answered
from sandbox.engine.roles import Models
from sandbox.memory.in_process import InProcessStore
from sandbox.models.retrying import Retrying
from sandbox.models.scripted import ScriptedModel
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.view import CharacterView
from tests.playing import Letters, no_wait
from tests.unit.agents.test_reasoning_paraphrased import ASKED, WORLDS

LIMITS = Limits(max_tokens=300, prompt_tokens=2000, temperature=0.8, percepts=8)


async def answer(name: str, who: str, question: str, reply: str | None = None) -> OffRecord:
    models = None
    if reply is not None:
        model = ScriptedModel([json.dumps({"words": reply, "relied_on": ["f1"]})])
        models = Models(Retrying(model, 0, no_wait))
    voice, store = Voice(LIMITS, 0, models), InProcessStore(Letters())
    return await answered(WORLDS[name], CharacterId(who), question, voice, store)


@pytest.mark.parametrize("name", list(ASKED))
async def test_what_is_composed_from_its_own_memory_stays_whole_in_a_models_mouth(
    name: str,
) -> None:
    grounded = 0
    for question, _ in ASKED[name]:
        for who in WORLDS[name].grants:
            composed = await answer(name, who, question)
            spoken = await answer(name, who, question, composed.said.words)
            assert (spoken.said.words, spoken.by) == (composed.said.words, "scripted")
            grounded += isinstance(composed.answer, Grounded)
    assert grounded >= 15


def strangers_to(name: str, who: str) -> Iterator[str]:
    """The sentences of facts that somebody does not know."""
    view = CharacterView(WORLDS[name], CharacterId(who))
    facts = WORLDS[name].canon.facts
    yield from (fact.statement for fact in facts if FactId(fact.id) not in view.known)


@pytest.mark.parametrize(
    ("name", "who", "question", "most"),
    [
        ("lantern_inn", "tobin", "Who stole the packet?", 0.05),
        ("lantern_inn", "hobb", "Who pulled Jory out of the river?", 0.05),
        ("jiangcun_duchuan", "meng_liao", "茶棚抵押给谁了？", 0.1),
    ],
)
async def test_next_to_an_answer_little_of_what_it_does_not_know_gets_through(
    name: str, who: str, question: str, most: float
) -> None:
    """A model that has read the book gives another fact for the one that is asked after."""
    said = list(strangers_to(name, who))
    found = [await answer(name, who, question, statement) for statement in said]
    assert all(isinstance(one.answer, Grounded) for one in found)
    through = [one.said.words for one in found if one.by == "scripted"]
    assert len(through) <= most * len(said), through
    assert len(said) > 15
