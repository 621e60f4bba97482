"""How things are said beside what mood reads: with emphasis, and of oneself."""

import re
from typing import Final

from sandbox.story.items import Language
from sandbox.story.telling.english import IRREGULAR, words_of
from sandbox.story.telling.english_cues import VERBS
from sandbox.story.telling.names import CODE, SUBJECT

EMPHASIS: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^\W*(?:(?:and|but|so|well|now|oh),? )?(?:let (?:the \w+|it be|me|nobody) (?:show|state"
        r"|record|tell|doubt|known|say)\w*"
        r"|(?:mark|hear|heed) my words?|(?:believe|trust|take it from|hear) me|know(?: this"
        r"| then)?|be sure|depend upon it|rest assured"
        r"|make no mistake|i(?:'ll| will)? (?:tell|swear|assure|promise|warn) (?:to )?(?:you|it"
        r"|god)|you (?:may|can) be sure"
        r"|(?:listen|look|see|hear)(?: here| now)?)(?:(?: you)?,? that\b|[,:;]| ?—| --"
        r"|(?= \w+ (?:is|was|has|took)\b))",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^[^\w]*(?:听(?:好|着|我说)|记住|你们?(?:可)?(?:听好|记住|放心)|实话(?:告诉|跟|对)你(?:说|讲)?|告诉你们?|我(?:跟"
        r"|对)你(?:说|讲)|信我(?:的话|一句)?|千真万确)[，,：:]"
    ),
}
"""What is put before an assertion only to be believed."""
AFFIRMED: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r",? (?:as i (?:live(?: and breathe)?|stand here)|i mean to say|upon my (?:word|life"
        r"|soul|oath)|so help me(?: god)?"
        r"|i(?:'d| would| could) swear (?:to it|it)|i am (?:quite |very )?(?:sure|certain"
        r"|exact)(?: (?:of|about) (?:that|it))?"
        r"|and that(?:'s| is) (?:the (?:end|whole) of it|that|all|the truth)|as god(?:'s"
        r"| is) my witness|mark my words)"
        r"(?=\W*$|,)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[，,](?:我敢(?:拿.{1,6})?(?:赌咒|担保|打赌|起誓)|(?:老汉)?我?一句(?:话)?不瞒[你您]|真的|我晓得的|我知道的|千真万确|错不了|我起誓"
        r"|对天发誓)(?=[。！,，]|$)"
    ),
}
"""What is added to an assertion only to be believed."""
REPORTED: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^\W*(?:(?:and|but|so|well),? )?(?:(?:by|from) what .{1,30}? (?:says?|said|tells?|told)(?: \w+)?,"
        r"|according to .{1,30}?,|.{1,30}? has it that\b"
        r"|(?:the )?(?:\w+ ){1,2}(?:says?|told (?:me|us)|swears?|claims?) that\b)"
        r"|, (?:or )?(?:so|as) .{1,30}? (?:says?|said|tells?|told (?:me|us))(?=\W*$)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^[^\w]*(?:听[^，。]{1,8}[说讲]|[照据依按][^，。]{1,8}的(?:说法|话)|[照据依按][^，。]{1,8}[说讲])[，,]"
        r"|[，,]这话是[^，。]{1,8}[说讲]的(?=[。！]|$)"
    ),
}
"""From whom it is that something is known."""
OWN_DOING: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^[^@I]*(?<!\bto )(?<!\bfrom )(?<!\bwith )(?<!\bof )(?<!\bby )(?<!\bat )(?<!\bon"
        r" )(?<!\btell )(?<!\bgive )"
        r"\bI (?!'s [^|]|(?:[a-z]+ )?(?:know|see|hear|tell|say|swear|find|learn|read|understand"
        r"|discover|remember|recall)\b)"
    ),
    "zh": re.compile(
        r"^[^@]{0,12}?(?<![对给跟向替为把被])(?:I(?!(?:的|家|们|弟|哥|姐|妹|爹|娘|爷|婆|叔|伯|舅)|.{0,4}(?:知道|晓得|看见|瞧见"
        r"|听说|听见|告诉|说))"
        r"|在下(?!的)|鄙人|鄙姓|敝姓|小可|晚生|老头子|老汉|老朽)"
    ),
}
"""Of all people the speaker itself is named first, as a subject, and does not merely know or see.

The speaker stands as `I`, other characters as `@`.
"""
NOBODY: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^\W*(?:& )?(?:but |so |if )?(?:somebody|someon|whoever|nobody|anybody|anyon"
        r"|everybody|everyon|one of (?:you|we|us|they)|no one)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"^\s*(?:[是被叫让]|不管|不论)?(?:有人|谁|哪个|哪位|没人|人人|大家)"),
}
"""A clause whose subject is nobody in particular."""
LOOKS: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        rf"^\W*(?:& )?{SUBJECT} (?:'s |be |look |seem |sit |stand "
        r"|have (?:[a-z-]+ ){1,3}(?:on|in|about|round|over) )"
    ),
    "zh": re.compile(rf"^[^\w]*{SUBJECT}(?:脸|的?脸色|的?手|的?眼|看着|瞧着|这是|这样|身上)"),
}
"""How somebody is, or what somebody has about it, who is before the speaker's eyes: `SUBJECT`."""
OPINION: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\b\w+er than\b|\b(?:better|worse) than\b"
        r"|\b(?:more|less) (?:\w+ than\b|than (?!(?:once|twice|one|half|an?)\b))"
        r"|\bbest\b(?! part| of a)|\bworst\b"
        r"|\btoo (?!late)\w+|\bdoes? (?:one|you|me) good\b"
        r"|\b(?:in your debt|obliged|beholden|thank|sorry|forgive me|beg your pardon)\b"
        r"|\b(?:wonderful|lovely|dreadful|beautiful|pretty|ugly|fine|pleasant)\b|\bold (?:enem|friend)"
        r"|\balways\b|\bused to\b|\b(?:makes?|made|gives?|gave|puts?|reminds?) me\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"真是|真[好香冷热甜苦俊俏美妙难可]|可[^，。]{1,3}[了呢呀啦][，。！]|最[好坏美香]|得很|极了|多谢|谢谢|对不住|辛苦|委屈"
        r"|怪[^，。]{1,3}的|好[香冷热甜苦看听闻]"
        r"|从来|总是|老是|向来|一向|一辈子|[十百]年(?=[。，！])|^[^\w]*(?:去|来|走|快)[，,]|[要得][^，。]{1,8}才|[不别]要|可别|千万"
    ),
}
"""Says how the speaker likes something, how things are as a rule, or what is to be done."""

_TAILS: Final = re.compile(r"(?<=\w),? (?:if|whether|unless|lest|in case|as if|as though)\b.*$")
_UNSURE: Final = re.compile(
    r"\b(?:would|should|could|may|might|will|shall|can|know|wonder|see|doubt|sure|certain|care|matter)\b|'(?:d|ll)\b"
    r"|^\W*(?:ask|tell|say|look|suppose)\b",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(
    r"(?<![,;:—])(?<!\bas) (?=(?:because|since|so that|though|although|and (?:would|could|should|may|might|will))\b)"
)
_PRETEND: Final = re.compile(r"\b([Pp])retend(?=s|ed|ing|\b)")
_LEAST_HEAD: Final = 15
_VERBAL: Final = words_of("must may might can will shall should would ought not") | {
    f"{verb}{ending}" for verb in VERBS for ending in ("s", "es")
}
"""Forms of a verb that stand for what is done, or is to be."""
_DOES: Final = re.compile(rf"{CODE} [a-z]")
"""Whoever is named does something, perhaps."""
_LEAST_PAST: Final = 4
"""Letters: `red`, `need`."""


def is_verbless(sentence: str, coded: str) -> bool:
    """Whether an English sentence only names what it wants, as `another log on that, Tobin`."""
    words = re.findall(r"[a-z']+", sentence.casefold().replace("’", "'"))
    return _DOES.search(coded) is None and not any(map(_may_be_verb, words))


def _may_be_verb(word: str) -> bool:
    is_past = word.endswith("ed") and len(word) > _LEAST_PAST
    return word in _VERBAL or word in IRREGULAR or is_past or "'" in word


def plainly(sentence: str, language: Language) -> str:
    """A sentence without what only lends it weight, and put so that each of its parts is read by itself.

    What is asked, promised or done `if` and `whether` something is so asserts the rest; and a cause that
    could not be does not unsay what it is the cause of.
    """
    for pattern in (EMPHASIS, AFFIRMED, REPORTED):
        sentence = pattern[language].sub("", sentence)
    if language == "zh":
        return sentence
    tail = _TAILS.search(sentence)
    if tail and tail.start() >= _LEAST_HEAD and not _UNSURE.search(sentence[: tail.start()]):
        sentence = sentence[: tail.start()] + ("?" if sentence.rstrip().endswith("?") else ".")
    return _PARTS.sub(", ", _PRETEND.sub("sham", sentence))
