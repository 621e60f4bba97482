"""What a question, an order, a wish or a guess takes for granted: its reasons, its times, what it says is known.

"Tell me, since he took the money, what shall we do?" asks one thing and asserts another. A question as a whole, or
with a tag, stays a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sandbox.story.items import Language
from sandbox.story.telling.english import IRREGULAR
from sandbox.story.telling.english_cues import VERBS

_KNOWN_EN: Final = (
    r"(?:know|knew|known|knows|realis\w+|realiz\w+|remember\w*|recall\w*|forget\w*|forgot|forgotten|aware|heard|hear"
    r"|notic\w+|learn\w*|discover\w*|found out|find out|understand|sorry|glad|ashamed|shame|pity|fact|admit\w*"
    r"|confess\w*|remind\w* \S+|warn\w* \S+)"
)
_OPEN_EN: Final = r"(?!(?:who|whom|whose|what|where|which|when|whether|if|how|why|of|about)\b)"
_TAKEN_EN: Final = re.compile(
    r"\b(?:since|because|now that|seeing (?:that|as|how)|given that|considering(?: that)?|knowing(?: that)?"
    r"|(?:as|what) you (?:\w+ )?know(?: is)?(?: that)?,?"
    rf"|{_KNOWN_EN} (?:how|that)"
    r"|(?:do|does|did|don't|doesn't|didn't|not|you|nobody|everybody|everyone) (?:\w+ )?know"
    r"|(?:wonder|know|say|see|understand|explain|(?:ask|tell|asked|told)(?: \S+){0,2}) why|how come"
    r"|(?:nobody|no one|none|who) (?:\w+ )?(?:doubts?|deny|denies) that|who(?: else)? but"
    rf") {_OPEN_EN}(?P<said>.+)",
    re.IGNORECASE,
)
_TOLD_EN: Final = re.compile(
    r"\b(?:tell|let) \S+(?: \S+)?(?: know)? that (?P<said>.+)", re.IGNORECASE
)
"""In an order: what somebody is to be told is said, too."""
_BUT_FOR_EN: Final = re.compile(r"\bif (?P<who>.+?) had(?: not|n't) (?P<said>.+)", re.IGNORECASE)
"""What would be otherwise if something were not so: then it is so."""
_WHEN_EN: Final = re.compile(
    r"\b(?:when|after|before|while|once|the (?:night|day|morning|evening|moment|time)(?: that)?) (?P<said>.+)",
    re.IGNORECASE,
)
"""Says when, of what is over: in the past."""
_PAST: Final = frozenset(IRREGULAR) - {"am", "are", "is", "him", "his", "her", "has", "lies"}
_MAIN_EN: Final = re.compile(
    r"[,;:—] ?(?:then |so )?(?=(?:what|who|whom|whose|where|why|how|i|we|you|please|don't"
    rf"|{'|'.join(sorted(VERBS))})\b|(?:shall|will|would|should|could|can|must|do|does|did|won't) "
    r"(?:i|we|you|he|she|it|they|the|my|your|\w+body|(?-i:[A-Z])\w*)\b)",
    re.IGNORECASE,
)
"""Where what is asked or wanted begins, behind what is taken for granted."""
_CONSEQUENCE_EN: Final = re.compile(r", (?=.*\b(?:would|should|could|might|'d)\b)", re.IGNORECASE)
_KNOWN_ZH: Final = r"(?:知道|晓得|明白|记得|忘了|忘记|听说|看见|发现)"
_TAKEN_ZH: Final = re.compile(
    r"(?:既然|因为|由于|自从|自打|打从|趁着?|眼看着?|明知道?|明明|须知|要知道"
    rf"|(?:你们?|您|谁|他们?|她|人人|大家|难道)[^，。？]{{0,4}}?{_KNOWN_ZH}|可(?:知道?|晓得|记得)|(?:别|不要|莫)(?:忘了?|让[^，。？]{{1,6}}?知道)"
    r"|难道(?:不是|没有|没)"
    r"|(?:告诉|提醒)(?!我)[^，。？]{1,6}?[，,：:说]"
    r"|(?:问|说说|纳闷|不明白|不懂|奇怪|告诉我|想知道|晓得)[^。？]{0,4}?(?:为什么|为何|为啥|怎么会))"
    r"[，,：:]?(?P<said>.+)"
)
_MAIN_ZH: Final = re.compile(
    r"(?:以后|之后|以来|过后|那[天夜晚]起)?[，,；](?=你们?|您|我们|咱|怎么|为什么|为何|谁|哪|那|快|赶紧|别|莫|请|不如|何不|难道|该)"
)
_END: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"[\s?？!.]*$"),
    "zh": re.compile(r"(?:以后|之后|以来|的时候)?[吗么呢吧呀啊]?[？?！!。.]*$"),
}


def presumed(sentence: str, language: Language, *, is_asked: bool) -> Iterator[str]:
    """The clauses that a sentence takes for granted, each as a sentence of its own.

    Args:
        sentence: one that, as a whole or in part, asserts nothing.
        language: its language.
        is_asked: whether it is a question.
    """
    if language == "zh":
        found = list(_TAKEN_ZH.finditer(sentence))
        yield from (_whole(match["said"], _MAIN_ZH, language) for match in found)
        return
    sentence = sentence.replace("’", "'")
    if (match := _BUT_FOR_EN.search(sentence)) is not None:
        yield _whole(f"{match['who']} had {match['said']}", _CONSEQUENCE_EN, language)
    ways = (_TAKEN_EN, _WHEN_EN) if is_asked else (_TAKEN_EN, _TOLD_EN, _WHEN_EN)
    for way in ways:
        if (match := way.search(sentence)) is not None:
            said = _whole(match["said"], _MAIN_EN, language)
            if way is not _WHEN_EN or _is_past(said):
                yield said


def _whole(said: str, main: re.Pattern[str], language: Language) -> str:
    """A clause up to what is asked or wanted, with a full stop."""
    said = main.split(said, maxsplit=1)[0]
    return _END[language].sub("", said) + ("。" if language == "zh" else ".")


def _is_past(said: str) -> bool:
    words = re.findall(r"[a-z']+", said.casefold())
    return any(word in _PAST or (word.endswith("ed") and len(word) > 4) for word in words)
