"""Which sentences say no more than that their speaker does not know: told by what they are, in two languages."""

from functools import cache

import pytest

from sandbox.agents.reasoning.questions import question_of
from sandbox.agents.reasoning.unknowing import Unknowing
from sandbox.evals.guarding import Worlds
from sandbox.storage.places import worlds_folder
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView

WORLDS = Worlds(worlds_folder())
ASKED = {
    "ines": ("lantern_inn", "Did Osric draw out the bridge money for spoiled barley?"),
    "meng_liao": ("jiangcun_duchuan", "包裹是方序动的吗？"),
}


@cache
def unknowing(who: str) -> Unknowing:
    world, words = ASKED[who]
    view = CharacterView(WORLDS[world], CharacterId(who))
    return Unknowing(view, question_of(words, view))


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("ines", "I do not know."),
        ("ines", "I couldn't tell you."),
        ("ines", "That I cannot say."),
        ("ines", "I never heard that he did."),
        ("ines", "Nobody told me anything of that."),
        ("ines", "I have no idea, sir."),
        ("ines", "Forgive me, I don't know."),
        ("ines", "I am sorry, I cannot tell you whether Osric drew it out."),
        ("ines", "Whether Osric drew it out, I do not know."),
        ("ines", "You must ask somebody else."),
        ("ines", "Why do you ask?"),
        ("ines", "I know nothing about the bridge money."),
        ("ines", "Alas, I was never told."),
        ("ines", "It is beyond me."),
        ("ines", "I wish I knew."),
        ("ines", "Well, I could not say, and I never asked."),
        ("ines", "A rider who talks about her bag soon has no bag."),
        ("meng_liao", "我不知道。"),
        ("meng_liao", "这个我说不上来。"),
        ("meng_liao", "没人跟我说过。"),
        ("meng_liao", "对不起，我不知道。"),
        ("meng_liao", "我不晓得，也不敢说。"),
        ("meng_liao", "是不是方序动的，我不知道。"),
        ("meng_liao", "我哪里知道。"),
        ("meng_liao", "你问别人去吧。"),
        ("meng_liao", "我不清楚包裹的事。"),
    ],
)
def test_who_says_that_it_does_not_know_claims_nothing(who: str, sentence: str) -> None:
    assert unknowing(who).is_all(sentence)


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("ines", "Yes."),
        ("ines", "Yes, sir."),
        ("ines", "No."),
        ("ines", "Aye, he did."),
        ("ines", "Yes I could not say why."),
        ("ines", "I could not say whether Mara drew it out."),
        ("ines", "I do not know why he sank it for the insurance."),
        ("ines", "He did."),
        ("ines", "So he did."),
        ("ines", "That is so."),
        ("ines", "Of course he did."),
        ("ines", "Osric."),
        ("ines", "It was Osric."),
        ("ines", "For the barley."),
        ("ines", "Osric drew out the bridge money."),
        ("ines", "I know that Osric drew out the bridge money."),
        ("ines", "Perhaps for a barge."),
        ("ines", "I don't know, but it was for the barley."),
        ("ines", "I don't know, he did it."),
        ("ines", "Yes, I don't know why."),
        ("ines", "I do not know, but Osric drew out the bridge money."),
        ("ines", "I do not know why, and Osric drew out the bridge money."),
        ("ines", "Ask Osric why he drew it out for the barley."),
        ("ines", "I do not know why he burned the waybill."),
        ("ines", "I don't know, ask Mara about the old lantern."),
        ("ines", "Mara knows."),
        ("ines", "Hobb told me."),
        ("ines", "I saw it."),
        ("ines", "I cannot deny it."),
        ("ines", "Not I, but Mara did."),
        ("ines", "…"),
        ("meng_liao", "是的我不知道。"),
        ("meng_liao", "我不知道他为什么把它烧了。"),
        ("meng_liao", "是的。"),
        ("meng_liao", "没错。"),
        ("meng_liao", "对。"),
        ("meng_liao", "不是。"),
        ("meng_liao", "是他。"),
        ("meng_liao", "方序动的。"),
        ("meng_liao", "包裹里是账本。"),
        ("meng_liao", "我不知道，不过是方序动的。"),
        ("meng_liao", "我不知道，方序什么都动了。"),
        ("meng_liao", "我不知道，是杜水生拿的。"),
        ("meng_liao", "嗯，是的。"),
        ("meng_liao", "当然是他。"),
        ("meng_liao", "也许是沈敬斋。"),
    ],
)
def test_whatever_may_answer_the_question_is_no_not_knowing(who: str, sentence: str) -> None:
    assert not unknowing(who).is_all(sentence)


@pytest.mark.parametrize("who", list(ASKED))
def test_no_statement_of_the_world_is_a_not_knowing_even_after_one(who: str) -> None:
    judge, world = unknowing(who), WORLDS[ASKED[who][0]]
    said = {
        "ines": ("I do not know, but {}", "I do not know, {}", "{}"),
        "meng_liao": ("我不知道，{}", "{}"),
    }
    for fact in world.canon.facts:
        for frame in said[who]:
            assert not judge.is_all(frame.format(fact.statement)), fact.statement
