"""One whole request in each language, byte for byte: what a model is sent today.

After a change that is meant: `python -m tests.golden.test_golden_prompts` writes the files anew; read the
difference.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.agents.fusing import Limits, Material, Prompt, again, fused
from sandbox.storage.worlds import read_world
from sandbox.story.ids import CharacterId, FactId, PatternId
from sandbox.story.items import Language
from sandbox.story.view import CharacterView
from tests.property.scenes import Told, acts, claim, says, whispers

HERE = Path(__file__).parent
WORLDS = HERE.parent / "marked" / "worlds"
LIMITS = Limits(max_tokens=600, prompt_tokens=2000, temperature=0.8, percepts=24)


def at_the_inn() -> tuple[CharacterView, Material]:
    """Mara is asked what she hides."""
    told = Told(canon=read_world(WORLDS / "lantern_inn"), start="watch")
    told.happen({"kind": "scene_opened", "scene": "s1", "place": "taproom", "number": 1})
    told.happen(
        {"kind": "thought", "actor": "mara", "text": "They will ask about the cellar next."}
    )
    told.happen(acts("osric", "turns a page of his ledger"))
    told.happen(says("mara", "Nobody is handled under this roof.", "osric"))
    told.happen(
        whispers(
            "ines",
            "The bag hung open when the light came back.",
            "mara",
            tells=[
                claim(
                    "packet", "said_about", "the bag", "The bag hung open when the light came back."
                )
            ],
        )
    )
    told.happen(says("ines", "Who has the packet now?", "mara"))
    material = Material(
        asked="Who has the packet now?",
        anchors=("canon:search:mara",),
        found=(FactId("tobin_took"),) if FactId("tobin_took") in told.view("mara").known else (),
        conclusion=(FactId("mara_hid"),),
        pattern=PatternId("mara_shuts"),
    )
    return told.view("mara"), material


def at_the_ferry() -> tuple[CharacterView, Material]:
    """The ferryman is asked what he cannot know."""
    told = Told(canon=read_world(WORLDS / "jiangcun_duchuan"), start="kongzhuang")
    told.happen({"kind": "scene_opened", "scene": "s1", "place": "dukou", "number": 1})
    told.happen({"kind": "thought", "actor": "du_shuisheng", "text": "这后生问得太细。"})
    told.happen(acts("fang_xu", "蹲下去看缆绳上的结"))
    told.happen(says("du_shuisheng", "绳是好绳，船是自己没的。", "fang_xu"))
    told.happen(says("fang_xu", "那封公函，是谁拆开的？", "du_shuisheng"))
    material = Material(
        asked="那封公函，是谁拆开的？", refused=True, anchors=("canon:kongzhuang:du_shuisheng",)
    )
    return told.view("du_shuisheng"), material


STORIES: dict[Language, Callable[[], tuple[CharacterView, Material]]] = {
    "en": at_the_inn,
    "zh": at_the_ferry,
}


def prompt_of(language: Language) -> Prompt:
    view, material = STORIES[language]()
    return fused(view, material, LIMITS)


def as_sent(language: Language) -> str:
    """Every message of the request and of its retry, with its role."""
    problem = {"en": "it was no JSON object", "zh": "不是 JSON 对象"}[language]
    request = again(prompt_of(language), language, problem)
    return "\n\n".join(f"── {m.role} ──\n{m.content}" for m in request.messages) + "\n"


@pytest.mark.parametrize("language", STORIES)
def test_the_golden_prompt_comes_out_the_same(language: Language) -> None:
    assert as_sent(language) == (HERE / "prompts" / f"{language}.txt").read_text("utf-8")


def test_the_golden_prompts_show_what_they_are_there_to_show() -> None:
    english, chinese = as_sent("en"), as_sent("zh")
    assert "I keep it from everybody: If they open that paper" in english
    assert "What you know that answers it: f" in english
    assert "They will ask about the cellar next." in english
    assert "有人问你，而你知道的都回答不了：那封公函" in chinese
    assert CharacterId("mara") not in english.replace("Mara", "")


if __name__ == "__main__":
    for each in STORIES:
        (HERE / "prompts" / f"{each}.txt").write_text(as_sent(each), "utf-8")
