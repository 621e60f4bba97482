"""Whether words or a deed speak, think or act for somebody else.

That somebody did something is told by those who saw it; what is objected to is the stage direction, the turn of a
script, the deed with a subject of its own.
"""

from __future__ import annotations

import re
from typing import Final

from sandbox.agents.guarding import gestures
from sandbox.agents.guarding.roles import PEOPLE_ZH
from sandbox.story.telling.reading import Reading
from sandbox.story.view import CharacterView

_M: Final = "\ue000"
"""Stands for the name of another person."""
_QUOTE: Final = r"[\"“«‘「『]"
_SCRIPT: Final = re.compile(
    rf"(?:^|[.!?…。！？\"”」]\s*)[\W_]*(?:{_M}|(?i:user|human|player|narrator|assistant|gm)|旁白|用户|玩家)"
    r"\s*(?:[\[（(][^)\]）]{0,40}[\])）]\s*)?[*_]*[:：]"
)
_STAGE: Final = "|".join(sorted(gestures.STAGE))
_STRONG: Final = "|".join(sorted(gestures.STRONG))
_ADVERBS: Final = r"(?:(?:\w+ly|then|just|only|now|suddenly|at once) )*"
_ALONE: Final = re.compile(rf"^\W*{_M} {_ADVERBS}(?:{_STRONG})(?: \w+ly| once| twice)?\W*$")
_DIRECTED: Final = re.compile(rf"(?:{_M}|(?:^|[.,;] )(?:[Hh]e|[Ss]he)),? {_ADVERBS}(?:{_STAGE})\b")
_VERB: Final = re.compile(rf"\b(?:{_STAGE})\b")
_SAYS: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(gestures.SAYING))})\b[^\"“.]{{0,30}}[:,]?\s*{_QUOTE}"
)
_PAST: Final = re.compile(rf"{_M} {_ADVERBS}(?:{'|'.join(sorted(gestures.PAST))})\b.*?(?={_QUOTE})")
_YOU: Final = re.compile(
    r"^\W*[Yy]ou (?:\w+ly )?(?:nod|shrug|sigh|smile|grin|laugh|blush|hesitate|gasp|whisper|mutter)\b(?! (?:too|so)\b)"
)
_HABITUAL: Final = re.compile(gestures.HABITUAL, re.IGNORECASE)
_DEED: Final = re.compile(
    rf"(?:^|[,;.] (?:and |then |while )?|\band |\bwhile |\bthen ){_M},? (?:who )?{_ADVERBS}(?:{_STAGE})\b"
    rf"|{_M},? who {_ADVERBS}(?:{_STAGE})\b|^{_M} {_ADVERBS}\w+s\b(?! (?:of|and)\b)"
)
_GESTURES_ZH: Final = re.compile(gestures.GESTURES_ZH)
_SAYS_ZH: Final = re.compile(gestures.SAYS_ZH)
_PAST_ZH: Final = re.compile(gestures.PAST_ZH)
_SUBJECT_ZH: Final = re.compile(rf"(?:^|[，,。；！：])[\W_]*(?:{_M}|{PEOPLE_ZH}|他|她)(?!们)")
_DEED_ZH: Final = re.compile(
    rf"(?:^|[，,。；])[然后接着便就又]*{_M}(?![的身面旁后手那这跟前边家])[^，,。；]{{0,4}}(?:{gestures.STAGE_ZH})"
)
_RULE: Final = re.compile(r"\b(?:until|till|before|if|whether|lest)\b")
_WITH_ARTICLE: Final = re.compile(rf"(?i:\bthe ){_M}")
_TWO: Final = 2


class Acting:
    """One speaker's words and deeds."""

    def __init__(self, view: CharacterView, reading: Reading) -> None:
        self._me = view.me
        self._is_chinese = view.language == "zh"
        self._named = reading.named

    def is_for_others(self, sentence: str) -> bool:
        """Whether a spoken sentence is a turn of a script or a stage direction for somebody else."""
        marked = self._marked(sentence)
        if _SCRIPT.search(marked):
            return True
        return self._directs_zh(marked) if self._is_chinese else _directs(marked)

    def has_others_act(self, action: str) -> bool:
        """Whether a deed, told without its subject, has somebody else act."""
        marked = self._marked(action)
        if self._is_chinese:
            return _SCRIPT.search(marked) is not None or _DEED_ZH.search(marked) is not None
        is_rule = _RULE.search(marked) is not None
        return _SCRIPT.search(marked) is not None or (
            _DEED.search(marked) is not None and not is_rule
        )

    def _marked(self, text: str) -> str:
        """`text` with one character for every name of another person."""

        def mark(match: re.Match[str]) -> str:
            id_ = self._named.id_called(match[0])
            is_other = self._named.kinds.get(id_) == "character" and id_ != self._me
            return _M if is_other else match[0]

        return _WITH_ARTICLE.sub(_M, self._named.pattern.sub(mark, text))

    def _directs_zh(self, marked: str) -> bool:
        if not _SUBJECT_ZH.search(marked) or _PAST_ZH.search(marked):
            return False
        gestured = len(_GESTURES_ZH.findall(marked))
        return gestured >= _TWO or (gestured > 0 and _SAYS_ZH.search(marked) is not None)


def _directs(marked: str) -> bool:
    if _ALONE.search(marked) or (_PAST.search(marked) and _SAYS.search(marked)):
        return True
    if _YOU.search(marked):
        return _SAYS.search(marked) is not None or " and " in marked
    start = _DIRECTED.search(marked)
    if start is None or _HABITUAL.search(marked):
        return False
    told = marked[start.start() :]
    return len(_VERB.findall(told)) >= _TWO or _SAYS.search(told) is not None
