"""How a question is put, in English and Chinese: its kind, its frame, whom it speaks of by a pronoun."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from sandbox.story.ids import PredicateId
from sandbox.story.items import Language
from sandbox.story.predicates import ALIVE, HELD_BY, IS_NAMED, LOCATED_IN, STATE
from sandbox.story.telling import chinese, english
from sandbox.story.telling.english import words_of
from sandbox.story.text import CJK


class Kind(StrEnum):
    """What a question asks for."""

    WHY = "why"
    WHO = "who"
    WHERE = "where"
    WHEN = "when"
    WHAT = "what"
    HOW = "how"
    WHETHER = "whether"
    STATEMENT = "statement"
    """It is no question by its form."""


def any_of(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_KINDS: Final[dict[Language, dict[Kind, re.Pattern[str]]]] = {
    "en": {
        Kind.WHY: any_of(
            r"\bwhy\b", r"\bwhat(?:ever)? (?:for\b|made\b|makes\b|reason\b)", r"\bfor what reason\b",
            r"\bhow come\b", r"\bwhat (?:was|is) the (?:reason|cause)\b", r"\bwhat (?:led|drove|caused)\b",
        ),
        Kind.WHO: any_of(r"\bwho(?:m|se|ever)?\b", r"\bwhich (?:one )?of (?:you|them|us)\b",
                       r"\b(?:what|which) (?:man|woman|person|people)\b"),
        Kind.WHERE: any_of(r"\bwhere\b", r"\b(?:what|which) (?:place|room)\b", r"\bwhereabouts\b"),
        Kind.WHEN: any_of(r"\bwhen\b", r"\b(?:what|which) (?:time|hour|day|night|year)\b",
                        r"\bhow (?:long|soon|late)\b"),
        Kind.WHAT: any_of(r"\bwhat(?:ever)?\b", r"\bwhich\b"),
        Kind.HOW: any_of(r"\bhow\b"),
        Kind.WHETHER: any_of(
            r"^\W*(?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|should|shall|may|"
            r"might|must|am|isn't|aren't|wasn't|weren't|didn't|don't|doesn't|hasn't|haven't|hadn't|"
            r"can't|couldn't|won't|wouldn't)\b",
            r"[?？]", r"\bwhether\b",
        ),
    },
    "zh": {
        Kind.WHY: any_of("为什么", "为何", "为啥", "为的什么", "为了什么", "怎么会", "何以", "何故", "干嘛", "干吗",
                       "凭什么", "什么缘故", "什么原因", "什么道理", "图什么", "图个啥", "因为什么", "怎么就",
                       "做什么要"),
        Kind.WHO: any_of("谁", "哪位", "哪一位", "哪个人", "什么人", "何人", "哪家"),
        Kind.WHERE: any_of("哪里", "哪儿", "何处", "什么地方", "啥地方", "哪个地方", "在哪", "去哪", "到哪", "往哪",
                         "从哪", "打哪", "哪边", "哪头"),
        Kind.WHEN: any_of("什么时候", "啥时候", "几时", "何时", "多久", "多会儿", "哪天", "哪一天", "几点", "什么时辰",
                        "哪年", "多少天"),
        Kind.HOW: any_of("怎么(?!样|了)", "怎样", "如何", "咋"),
        Kind.WHAT: any_of("什么", "啥", "哪", "多少", "几", "怎么(?:样|了)", "何事"),
        Kind.WHETHER: any_of("[吗么][。！…”?？]*$", "是不是", "有没有", "是否", "可曾", "可有", "难道", "莫非",
                           r"(?P<v>[^\W\d_])[没不](?P=v)", "没有[?？]", "[?？]"),
    },
}  # fmt: skip
_PRIORITY_ZH: Final = (Kind.WHY, Kind.WHEN, Kind.WHERE, Kind.WHO, Kind.WHAT, Kind.HOW, Kind.WHETHER)
_AT_FIRST: Final = (Kind.WHY, Kind.WHEN, Kind.WHO, Kind.WHERE, Kind.WHAT, Kind.HOW)


def kind_of(words: str, language: Language) -> Kind:
    """What a question asks for: by its first question word, in Chinese by the strongest."""
    cues = _KINDS[language]
    if language == "zh":
        return next((k for k in _PRIORITY_ZH if cues[k].search(words)), Kind.STATEMENT)
    found = [(m.start(), n, k) for n, k in enumerate(_AT_FIRST) if (m := cues[k].search(words))]
    if found and not cues[Kind.WHETHER].match(words):
        return min(found)[2]
    return Kind.WHETHER if cues[Kind.WHETHER].search(words) else Kind.STATEMENT


_WH: Final = "who|whom|whose|what|where|when|why|how|which"
_ASKS: Final[dict[Language, re.Pattern[str]]] = {
    "en": any_of(
        r"[?？]",
        rf"\b(?:tell|show) (?:me|us) (?:\w+ ){{0,3}}(?:{_WH}|about|all|everything)\b",
        r"\bi (?:should like|would like|want|wish|need|'d like) to (?:know|hear|understand)\b",
        r"\bi (?:ask|wonder|was wondering)\b", r"\bspeak to me of\b", r"\bexplain\b",
        rf"^\W*(?:{_WH})\b(?!.*\ba (?:night|day|pity)\b)",
    ),
    "zh": any_of("[?？]", "[吗呢][。！…”]*$", "谁", "什么", "哪(?!怕)", "为何", "为啥", "怎么(?!都)", "怎样",
               "几时", "何时", "何处", "多少", "是不是", "有没有", "是否", "可曾", "告诉我",
               "跟我(?:说说|讲讲)", "说说看", "说给我听", "我想(?:知道|问)"),
}  # fmt: skip


def asks(words: str, language: Language) -> bool:
    """Whether free words ask for something."""
    return _ASKS[language].search(words) is not None


_FRAMES: Final[dict[Language, re.Pattern[str]]] = {
    "en": any_of(
        r"^(?:\W*(?:"
        r"please|pray|now|so|and|but|well|then|listen|look|friend|sir|madam|good|"
        r"(?:(?:can|could|would|will|won't) you )?(?:please )?(?:tell|show) (?:me|us)"
        r"(?: (?:all|everything|whatever) (?:that )?you (?:know|can))?|"
        r"i (?:should like|would like|want|wish|need|'d like) to (?:know|hear|ask|understand)|"
        r"i (?:ask you|ask|wonder|was wondering)|"
        r"(?:do|did|does|don't|can|could|would|will) you (?:happen to |really |even )?"
        r"(?:know|think|believe|suppose|remember|recall|say|tell|guess|imagine)(?: anything)?"
        rf"(?= (?:{_WH}|if|whether|that|of|about|anything|the|a)\b)|"
        r"do you know|have you (?:ever )?(?:heard|any idea|seen)(?: anything)?|any idea|"
        r"what (?:do|did|can|could) you (?:know|tell me|say|remember|recall|hear|think)(?= (?:of|about)\b)|"
        r"what have you (?:heard|seen)(?= (?:of|about)\b)|"
        r"(?:of|about)(?= )"
        r")\b)+"
    ),
    "zh": any_of(
        "^(?:请问|敢问|请教|那么|喂|哎|[，,。、 ]|"
        "[你您]?(?:可|倒|还|也)?(?:知不知道|知道|晓不晓得|晓得|清楚|记得|听说过?|听过|说说看?|讲讲|告诉我|给我讲讲|说给我听|猜|看)|"
        "(?:告诉|跟|对|同|给)我(?:说说|讲讲|说|讲)?|我想(?:知道|问问?|请教)|我(?:倒)?要问[你您]?|问[你您]|"
        "关于|对于|有关|说到|提起|提到)+"
    ),
}  # fmt: skip


def unframed(words: str, language: Language) -> str:
    """A question without what only asks for an answer: "do you know", "tell me", "你可知道"."""
    bare = _FRAMES[language].sub("", words.strip(), count=1)
    return bare if bare.strip(" ?？。.!！") else words


_ADDRESS: Final = re.compile(r"^\W*?(\|)\s*[,，:：、!！—]|[,，]\s*(\|)\W*$")


def unaddressed(blanked: str) -> tuple[str, int | None]:
    """A question without the name it begins or ends with, set apart by a comma, and which name that is.

    Args:
        blanked: the question, each name in it a `|`.

    Returns:
        The rest, and the number of the name among all; None where nobody is called by name.
    """
    match = _ADDRESS.search(blanked)
    if match is None:
        return blanked, None
    at = match.start(1) if match[1] else match.start(2)
    return blanked[: match.start()] + blanked[match.end() :], blanked.count("|", 0, at)


_SECOND: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE),
    "zh": re.compile(r"[你您](?!们)"),
}
_FIRST: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b"),
    "zh": re.compile(r"[我俺](?!们)"),
}


_PERSON: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"\b(?:he|him|she|her|they|them)\b", re.IGNORECASE),
    "zh": re.compile("[他她]"),
}
_THING: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"\bit\b", re.IGNORECASE),
    "zh": re.compile("它"),
}


def refers_back(words: str, language: Language) -> tuple[bool, bool]:
    """Whether words speak by a pronoun of somebody, and of something, that was named before."""
    person, thing = _PERSON[language].search(words), _THING[language].search(words)
    return person is not None, thing is not None


def speaks_of_asked(words: str, language: Language) -> bool:
    return _SECOND[language].search(words) is not None


def speaks_of_asker(words: str, language: Language) -> bool:
    return _FIRST[language].search(words) is not None


_BUILT_IN: Final[dict[Language, tuple[tuple[PredicateId, re.Pattern[str]], ...]]] = {
    "en": (
        (ALIVE, any_of(r"\b(?:alive|dead|died|dies|dying|killed|living)\b")),
        (IS_NAMED, any_of(r"\bname(?:d|s)?\b", r"\bcalled\b")),
        (HELD_BY, any_of(r"\b(?:has|have|had|hold|holds|held|carry|carries|carried|carrying|keep|keeps|"
                       r"got|possess\w*)\b")),
        (LOCATED_IN, any_of(r"\bwhere\b(?: (?:is|are|was|were)\b|'s)")),
        (STATE, any_of(r"\b(?:state|condition)\b")),
    ),
    "zh": (
        (ALIVE, any_of("活着|还在世|死|过世|去世|没了命")),
        (IS_NAMED, any_of("名字|叫什么|名叫|姓什么|姓名|怎么称呼")),
        (HELD_BY, any_of("手里|手上|拿着|带着|归谁|在谁|身上")),
        (LOCATED_IN, any_of("在哪|在何处|在什么地方|在不在")),
        (STATE, any_of("什么样|状况|样子")),
    ),
}  # fmt: skip


def built_in_meant(words: str, language: Language) -> tuple[PredicateId, ...]:
    """Which of the predicates that every world has a question is about; these have no rich wordings."""
    return tuple(id_ for id_, cue in _BUILT_IN[language] if cue.search(words))


_DOER: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\bwho\b(?! (?:did|do|does|will|would|can|could|has|had|was|is) \|)(?!.*\bwho[ms])",
        re.IGNORECASE,
    ),
    "zh": re.compile("(?<![给向替跟对为找和与像])(?<![给向替跟对为找和与像][了过着])谁(?!的)"),
}


def asks_for_doer(blanked: str, language: Language) -> bool:
    """Whether a question asks who did something, and not whom or whose: a name in it is a `|`."""
    return _DOER[language].search(blanked) is not None


_LETTER: Final = re.compile(r"[^\W\d_]")
_HAN: Final = re.compile(rf"[{chinese.HAN}]")
_ASIAN: Final = re.compile(rf"[{CJK}]")
_KANA: Final = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_ENGLISH: Final = words_of(
    "the of to and in is are was were do does did have has had who whom whose what where when why "
    "how which you your it he she they his her their that this there about with from for tell not "
    "know can could will would any some anybody anyone i my we us be been at by "
    "ago year years day days night morning evening here please again then old up something"
)
_SHORT_WORD: Final = 3
"""Letters up to which a word may be one in several languages."""
_LEAST_WORDS: Final = 3
"""Fewer words may be names alone, and names have no language."""


def is_empty(words: str) -> bool:
    """Whether there is no letter in it."""
    return _LETTER.search(words) is None


def is_foreign(words: str, language: Language) -> bool:
    """Whether a question is in another language than the world's. Names alone are in any."""
    letters = _LETTER.findall(words)
    if language == "zh":
        return _HAN.search(words) is None or _KANA.search(words) is not None
    latin = sum(1 for letter in letters if _LATIN.match(letter))
    if latin * 2 < len(letters):
        return True
    said = words.casefold().replace("’", "'").replace("'", " ").split()
    plain = [word for raw in said if (word := raw.strip('.,;:!?"“”()|'))]
    return len(plain) >= _LEAST_WORDS and not any(_is_english(word) for word in plain)


def _is_english(word: str) -> bool:
    if word in _ENGLISH:
        return True
    known = word in english.IRREGULAR or english.stem(word) in english.KIN
    return len(word) > _SHORT_WORD and (known or word.endswith(("ing", "ed")))


_PROPER: Final = re.compile(r"(?<![.?!]\s)(?<!^)(?<![\w'’])[A-Z][\w’'-]*[a-z][\w’'-]*")
_NO_NAME: Final = words_of(
    "sunday monday tuesday wednesday thursday friday saturday january february march april june july "
    "august september october november december christmas easter mr mrs miss master mistress lady lord "
    "sir madam god heaven english chinese"
)
_ABOUT_ZH: Final = re.compile(
    rf"^的?([{chinese.HAN}·]{{2,6}}?)(?:是(?:谁|什么人|哪个)|在(?:哪|何处|什么地方)|去(?:了)?哪|的事|这个人|怎么了|呢)"
)
_NO_NAME_ZH: Final = re.compile(r"[你您我俺他她它谁这那哪什怎昨今明的里]|事情|东西|人")


def unknown_names(words: str, language: Language) -> tuple[str, ...]:
    """What looks like a name in words from which all known names were taken out."""
    if language == "zh":
        found = [m[1] for m in _ABOUT_ZH.finditer(words.strip()) if not _NO_NAME_ZH.search(m[1])]
        return tuple(found)
    names = [match[0].split("'")[0].split("’")[0] for match in _PROPER.finditer(words)]
    return tuple(name for name in names if _may_be_name(name.casefold()))


def _may_be_name(word: str) -> bool:
    return word not in _NO_NAME and english.is_content(english.stem(word))
