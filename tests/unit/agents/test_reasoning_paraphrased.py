"""Questions in words that no wording has: who holds the fact finds it, who does not refuses. Floors as measured.

Of a why-question that it is so and not why counts as found. Rather refused than answered from the nearest fact.
"""

import pytest

from sandbox.agents.reasoning.cues import Kind
from sandbox.agents.reasoning.probes import probe_fast
from sandbox.agents.reasoning.questions import question_of
from sandbox.agents.reasoning.synthesis import Grounded, Reason, Refusal, synthesise
from sandbox.evals.guarding import Worlds
from sandbox.storage.places import worlds_folder
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.view import CharacterView

WORLDS = Worlds(worlds_folder())
ASKED: dict[str, tuple[tuple[str, str], ...]] = {
    "lantern_inn": (
        ("Who stole the packet?", "tobin_took"),
        ("Who made off with the packet while it was dark?", "tobin_took"),
        ("Who snuffed out the lamp at supper?", "lamp_pinched"),
        ("What arrangement do Osric and Tobin have?", "osric_bargain"),
        ("How much money does Tobin owe Osric?", "tobin_debt"),
        ("In which place did Mara put the packet?", "mara_hid"),
        ("What is Mara afraid of?", "mara_dread"),
        ("Who pulled Jory out of the river?", "hobb_found"),
        ("Is old Hobb really deaf?", "hobb_hears"),
        ("Whose coat did Osric go through on the bank?", "osric_searched"),
        ("Where is Wren hiding?", "wren_in_loft"),
        ("Why did Wren leave the bank house?", "wren_left"),
        ("Who posted the packet?", "piers_sent"),
        ("Who lost his place at the bank?", "piers_dismissed"),
        ("What does the estate plan for next year?", "estate_bridge"),
        ("How much did Osric offer for the lease?", "lease_offer"),
        ("Who keeps letters in the flour crock?", "letters_unopened"),
        ("Where did Tobin run when the house was dark?", "tobin_yard"),
        ("Who cut the string of the post bag?", "string_cut"),
        ("Who put the sign lantern out?", "lantern_dark"),
        ("When will the river fall?", "river_turns"),
        ("What did Jory shout from the ford?", "last_words"),
    ),
    "jiangcun_duchuan": (
        ("是谁把铜铃摘走的？", "ling_zhaixia"),
        ("渡船是怎么撞的？", "chuan_zhuang"),
        ("谁半夜划船过江？", "liao_duhe"),
        ("孟樵给姐姐留了多少钱？", "qiao_yinyuan"),
        ("缆绳打的是什么结？", "jie_yang"),
        ("谁偷看了公函？", "fang_chaixin"),
        ("货船里装了什么？", "sha_dai"),
        ("谁做了孟家的假账？", "zhang_jia"),
        ("收茶客的真名叫什么？", "shen_mingzi"),
        ("茶棚抵押给谁了？", "peng_diya"),
        ("谁悬赏捉拿孟樵？", "zhu_xuanshang"),
        ("谁把公函压着不送？", "zhu_yahan"),
        ("老何为什么丢了差事？", "laohe_ci"),
        ("庙里的墙是谁出钱刷的？", "fen_qiang"),
        ("杜水生的眼睛怎么了？", "du_yeyan"),
    ),
}


def found_and_refused(name: str) -> tuple[int, int, int, int]:
    """Found, of how many who hold the fact; refused, of how many who do not."""
    world, found, holders, refused, others = WORLDS[name], 0, 0, 0, 0
    for question, fact in ASKED[name]:
        for who in world.grants:
            view = CharacterView(world, CharacterId(who))
            asked = question_of(question, view)
            answer = synthesise(view, asked, probe_fast(view, asked))
            if FactId(fact) not in view.known:
                others += 1
                refused += isinstance(answer, Refusal)
                continue
            holders += 1
            match answer:
                case Grounded(support=support):
                    found += any(held.handle == fact for held in support)
                case Refusal(reason=reason):
                    found += asked.kind is Kind.WHY and reason is Reason.CAUSE_UNKNOWN
    return found, holders, refused, others


@pytest.mark.parametrize(
    ("name", "least"), [("lantern_inn", (40, 50, 133, 148)), ("jiangcun_duchuan", (16, 21, 52, 54))]
)
def test_no_figure_falls(name: str, least: tuple[int, int, int, int]) -> None:
    found, holders, refused, others = found_and_refused(name)
    assert (holders, others) == (least[1], least[3])
    assert found >= least[0]
    assert refused >= least[2]
