"""Thinking that stands where it is heard: tags of a model's, and a character's own thought."""

import re
from typing import Final

from sandbox.story.text import ngrams, tokens

_TAG: Final = re.compile(
    r"</?\s*(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis"
    r"|inner_?monologue)\s*/?>"
    r"|<\|?\s*(?:channel|start_of_thought|end_of_thought|begin_of_thought)\s*\|?>"
    r"|◁/?think▷|\[/?THINK(?:ING)?\]|```\s*think",
    re.IGNORECASE,
)
"""An opening or a closing one, alone as well."""
_LAST_TAG: Final = re.compile(
    r"</\s*(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis)\s*>|◁/think▷"
    r"|\[/THINK(?:ING)?\]",
    re.IGNORECASE,
)
_ANNOUNCED: Final = re.compile(
    r"^\W*(?:(?:inner|internal|interior) (?:monologue|thoughts?|voice)|(?:my |private "
    r"|silent )?(?:thoughts?|thinking)"
    r"|to (?:my|him|her)self|aside to (?:my|him|her)self|ooc|out of character)\b\s*[:：,—\-(\]]"
    r"|\b(?:i|he|she) (?:thinks?|thought|says?|said|mutters?) (?:silently |privately "
    r"|only )*to (?:my|him|her)self\s*[:,]"
    r"|\b(?:but )?(?:this|that|all this) (?:i|he|she) (?:only )?(?:think|thinks|thought|say"
    r"|says)s? only to (?:my|him|her)self\b"
    r"|^\W*(?:\((?:thinks|thinking|aside|silently)\b|\*(?:thinks|thinking)\b)"
    r"|^\W*(?:内心(?:独白|os|活动|想法)?|心里话|心理活动|心声|心想|暗想|暗道|暗忖|心道|思考(?:过程)?|想法|独白|我的想法)\s*[:：—，,)）】]"
    r"|只在心里(?:想|说|念)|(?:我|他|她)?(?:心里|心中)(?:暗暗|默默|偷偷)?(?:想着?|说道?|盘算|嘀咕|琢磨)[:：，,]|(?:我|他|她)?(?:心想"
    r"|暗想|暗道|暗忖|心道)[:：，,]",
    re.IGNORECASE,
)
"""Said to be a thought, in the words themselves."""
_ASIDE: Final = re.compile(
    r"^\s*(?:\((?=[^)]*\b(?:I|my|me)\b)[^)]{12,}|[(（](?=[^)）]*我)[^)）]{6,})"
)
"""What somebody tells of itself in brackets is not said aloud; how it says something, `(softly)`, may stand there."""
_SAID_FROM: Final = 0.5
"""Share of a thought's word (in Chinese: character) trigrams, or of a sentence's, from which on"
" it is said."""
_SHORT: Final = 5
"""A shorter thought ("Yes.") may well be said, too. Words, in Chinese characters."""
_RUN: Final = 3


def has_tags(sentence: str) -> bool:
    """Whether a tag of thinking, or one half of a pair, stands in it."""
    return _TAG.search(sentence) is not None


def without_tagged(text: str) -> str:
    """`text` from behind its last closing tag on: all before that is thinking."""
    closed = list(_LAST_TAG.finditer(text))
    return text[closed[-1].end() :] if closed else text


def opens(sentence: str) -> bool:
    """Whether it leaves a tag open, so that what follows is thinking as well."""
    last = None
    for match in _TAG.finditer(sentence):
        last = match[0]
    return last is not None and "/" not in last


def is_announced(sentence: str) -> bool:
    """Whether a sentence calls itself a thought."""
    return _ANNOUNCED.search(sentence) is not None


def is_aside(sentence: str) -> bool:
    """Whether a spoken sentence stands in brackets and is about the speaker."""
    return _ASIDE.search(sentence) is not None


def says(sentence: str, thought: str) -> bool:
    """Whether a sentence says the thought, or most of it, again."""
    if len(tokens(thought)) < _SHORT or len(tokens(sentence)) < _SHORT:
        return False
    thinking, said = ngrams(thought, _RUN), ngrams(sentence, _RUN)
    return len(thinking & said) >= _SAID_FROM * min(len(thinking), len(said))
