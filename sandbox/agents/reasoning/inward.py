"""What goes on in somebody's mind: whether words ask for it, and whether they tell of it."""

from __future__ import annotations

import re
from typing import Final

from sandbox.agents.reasoning.cues import any_of
from sandbox.story.items import Language

_INWARD: Final[dict[Language, re.Pattern[str]]] = {
    "en": any_of(
        r"\bwhat\b.*\b(?:think|thinks|thinking|thought|feel|feels|feeling|felt|want|wants|wanting|wish|wishes|hope|"
        r"hopes|hoping|dream|dreams|dreaming|dreamed|dreamt|believe|believes|intend|intends|imagine|imagines)"
        r"(?: (?:of|about|for|to do|now|today|tonight|just now|at night|at the moment|secretly|in secret|really|most|"
        r"right now|\|))*\W*$",
        r"\bhow (?:does|do|did|is|are|was|must) .*\bfeel(?:ing|s)?\b",
        r"\b(?:on|in) (?:\|(?:['’]s)?|his|her|their|your|the) (?:mind|heart|head|soul|thoughts)\b",
        r"\b(?:thoughts|feelings|dreams|wishes|hopes|longings|worries|mood)\b",
        r"\bwhat (?:goes|is going|went|passes|is passing) (?:on )?(?:in|through) ",
    ),
    "zh": any_of("想(?:些|着|的)?(?:是)?(?:什么|啥)", "(?:心里|心中|心头|脑子里)", "怎么(?:想|看)(?!到)",
               "(?:有|是)?什么(?:心事|心思|感觉|感受|念头|打算|心情)", "想(?:要|干|做)(?:什么|啥)", "打(?:的)?什么主意",
               "(?:做|梦)(?:了|见|到)?(?:些)?什么梦?[?？。]*$", "觉得(?:怎么样|如何|怎样)"),
}  # fmt: skip
_OF_MIND: Final[dict[Language, re.Pattern[str]]] = {
    "en": any_of(
        r"\b(?:think|thinks|thinking|thought|feel|feels|feeling|felt|want|wants|wanted|wish|wishes|wished|hope|hopes|"
        r"hoped|dream|dreams|dreamt|dreamed|believe|believes|believed|fear|fears|feared|afraid|dread|dreads|love|"
        r"loves|loved|hate|hates|hated|regret|regrets|grieve|grieves|longs? (?:for|to)|(?<!never )mind|heart|"
        r"plans?|planning|means? to|intends?|mistrusts?|suspects?|suspected|sorry|ashamed|angry|lonely|misses)\b"
    ),
    "zh": any_of("想", "觉得", "(?<![小中当点])心", "怕", "恨", "爱", "盼", "(?<!还)愿", "后悔", "梦", "惦", "挂念",
               "打算", "愁", "怨", "疑", "信不过", "舍不得", "难过", "高兴", "生气"),
}  # fmt: skip


def asks_inward(words: str, language: Language) -> bool:
    """Whether a question is about what somebody thinks, feels, wants or dreams."""
    return _INWARD[language].search(words) is not None


def is_of_mind(words: str, language: Language) -> bool:
    """Whether words say of somebody what it thinks, feels, wants or dreams."""
    return _OF_MIND[language].search(words) is not None
