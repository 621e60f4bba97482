"""An endpoint whose people give no cause to ask again: they ask, and tell what they themselves do.

What they say is drawn from the seed and the request alone, so that the same story gets the same replies,
in whatever order its requests come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandbox.evals.loopback import InstantEndpoint
from sandbox.evals.requests import Step, facts_in, listed_in, open_ways, step_of
from sandbox.story.chance import Chance
from sandbox.story.items import Language

_WALKS, _ENOUGH, _ACTS = 0.06, 0.25, 0.4
"""Shares of the moves that leave, of the probes that end with what is there, of the moves with a deed."""
_KEPT = 3
"""Percepts that a summary holds."""

_SLOTS: Final[dict[Language, dict[str, tuple[str, ...]]]] = {
    "en": {
        "thing": tuple(
            f"{article} {noun}"
            for article, nouns in {
                "a": "basket spoon sock jug sieve ladle button needle kettle broom pillow comb bucket "
                "loaf cork plate thimble ribbon saucer hammer",
                "an": "apron onion egg inkwell umbrella oilcan",
            }.items()
            for noun in nouns.split()
        ),
        "where": (
            "by the stove",
            "near the trough",
            "under the eaves",
            "behind the woodpile",
            "on the sill",
            "beside the pump",
            "against the fence",
            "between two barrels",
            "under the bench",
            "on the topmost shelf",
            "inside the oven",
            "among the nettles",
        ),
        "when": (
            "before breakfast",
            "since the rain",
            "after the frost",
            "on washing day",
            "at cockcrow",
            "towards evening",
            "between showers",
            "during the storm",
            "last winter",
            "in the thaw",
        ),
        "seen": ("seen", "wanted", "missed", "borrowed", "cleaned", "dropped", "noticed", "needed"),
        "did": ("mended", "scrubbed", "dropped", "carried", "painted", "emptied", "dried", "oiled"),
        "do": ("mend", "scrub", "fetch", "carry", "paint", "empty", "dry", "oil"),
        "does": ("turns over", "sets down", "picks up", "wipes", "pushes aside", "lifts"),
    },
    "zh": {
        "thing": tuple(
            "竹篮 汤匙 布袜 围裙 水罐 筛子 木勺 纽扣 针线 扫帚 "  # noqa: SIM905
            "枕头 梳子 木桶 馒头 瓶塞 盘子 剪刀 斗笠 蒲扇 砂锅".split()
        ),
        "where": tuple(
            "灶台边 井台旁 屋檐下 柴堆后 窗台前 门槛外 水缸旁 院墙根 架子上 米缸里 磨盘底 篱笆外 "  # noqa: SIM905
            "草垛顶 梯子脚 石阶口 床铺头 鸡笼左 染坊右 竹林中 菜畦间".split()
        ),
        "when": tuple(
            "天亮前 下雨时 霜降后 鸡叫那刻 傍晚 雨停了 刮大风 开冻以来 晌午 饭后 立春起 打霜天 半夜里 "  # noqa: SIM905
            "过年头 收麦季 涨水期 起雾早 打雷夜 落雪日 大暑".split()
        ),
        "seen": tuple("见过 借过 洗过 少了 用过 碰过 要过 晒过".split()),  # noqa: SIM905
        "did": tuple("补好了 擦净了 掉落了 搬走了 漆好了 倒空了 晾干了 洗净了".split()),  # noqa: SIM905
        "do": tuple("补 擦 找 搬 漆 晾 洗 换".split()),  # noqa: SIM905
        "does": tuple("翻过 放下 拿起 擦一擦 推开 举起".split()),  # noqa: SIM905
    },
}
_LINES: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "Have you {seen} {thing} {where} {when}?",
        "Would you {do} {thing} {where}, or {do2} {thing2}?",
        "Shall we {do} {thing} {where} {when}?",
        "I {did} {thing} {where} {when}.",
        "I want to {do} {thing} {where}, and to {do2} {thing2}.",
        "I never {did} {thing} {where} {when}.",
    ),
    "zh": (
        "你{when}{where}{seen}{thing}没有？",
        "你肯不肯{when}{where}{do}{thing}？",
        "我们{where}{do}{thing}，再{do2}{thing2}，好不好？",
        "我{when}{where}{did}{thing}。",
        "我想{when}{where}{do}{thing}，再{do2}{thing2}。",
        "我没有{when}{where}{do}{thing}。",
    ),
}
_THOUGHTS: Final[dict[Language, str]] = {
    "en": "I had rather {do} {thing} than {do2} {thing2}.",
    "zh": "我宁可{do}{thing}，也不{do2}{thing2}。",
}
_DEED: Final[dict[Language, str]] = {"en": "{does} {thing}", "zh": "{does}{thing}"}
_PROBE: Final[dict[Language, str]] = {"en": "Why is it so: {fact}", "zh": "为何会这样：{fact}"}
_JOINT: Final[dict[Language, str]] = {"en": " ", "zh": ""}
_MOODS: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("calm", "wary", "tired"),
    "zh": ("平静", "警觉", "疲倦"),
}


class Conversing(InstantEndpoint):
    """Answers moves, probes and summaries with what nobody could object to."""

    def __init__(self, language: Language, seed: int = 1) -> None:
        """A server for a world of `language`; another `seed` gives another story."""
        super().__init__()
        self._language: Language = language
        self._seed = seed

    def move(self, messages: Sequence[str]) -> dict[str, Any]:
        """The reply to a request of any step."""
        # All of a request: who asked the same would be told the same.
        chance = Chance(self._seed, 0, "\n".join(messages), "")
        match step_of(messages):
            case Step.PROBE:
                return self._questions(chance, facts_in(messages))
            case Step.EPISODE:
                return self._summary(chance, listed_in(messages))
            case Step.MOVE:
                return self._move(chance, open_ways(messages))

    def _move(self, chance: Chance, ways: Sequence[str]) -> dict[str, Any]:
        walks = bool(ways) and chance.share("walks") < _WALKS
        acts = chance.share("acts") < _ACTS
        return {
            "thought": self._filled(_THOUGHTS[self._language], chance, "thought"),
            "action": self._filled(_DEED[self._language], chance, "deed") if acts else "",
            "words": "" if walks else self._words(chance),
            "to": [],
            "whisper": False,
            "examine": "",
            "go": chance.pick("way", ways) if walks else "",
            "mood": chance.pick("mood", _MOODS[self._language]),
            "relied_on": [],
        }

    def _words(self, chance: Chance) -> str:
        count = 1 + (chance.share("two") < 1 / 3)
        return _JOINT[self._language].join(self.line(chance, f"line {n}") for n in range(count))

    def _questions(self, chance: Chance, facts: Sequence[str]) -> dict[str, Any]:
        frame = _PROBE[self._language]
        ask = [frame.format(fact=fact) for fact in chance.shuffled("facts", facts)[:2]]
        return {"enough": chance.share("enough") < _ENOUGH, "ask": ask}

    def _summary(self, chance: Chance, percepts: Sequence[str]) -> dict[str, Any]:
        kept = chance.shuffled("kept", percepts)[:_KEPT]
        pattern = dict.fromkeys(("situation", "manner", "mood_before", "mood_after", "sample"), "")
        feelings = self.line(chance, "feelings")
        summary = _JOINT[self._language].join(kept)
        return {"summary": summary, "feelings": feelings, "pattern": pattern}

    def line(self, chance: Chance, purpose: str) -> str:
        """A sentence that asserts nothing but what its speaker itself did or wants."""
        frame = chance.pick(purpose, _LINES[self._language])
        return self._filled(frame, chance, purpose)

    def _filled(self, frame: str, chance: Chance, purpose: str) -> str:
        slots = _SLOTS[self._language]
        drawn = {
            name + also: chance.pick(f"{purpose} {name}{also}", texts)
            for name, texts in slots.items()
            for also in ("", "2")
        }
        return frame.format(**drawn)
