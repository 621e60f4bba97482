"""Chinese wordings as patterns: order, passive markers, fillers and gaps loosened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sandbox.story.telling import chinese
from sandbox.story.telling.names import CODE, OBJECT, SUBJECT, stranger_of
from sandbox.story.telling.way import Way

_HAN: Final = f"[{chinese.HAN}]"
_NEAR = r"[^\s|\U000f0000-\U0010fffd]"
_FAR = r"[^\U000f0000-\U0010fffd]"
"""Also across a comma."""
_TO_THE_VERB = r"(?:(?![谁说讲问听]|[有没别]人)[^\s|\U000f0000-\U0010fffd])"
"""Between who does it and what is done nobody else may stand."""
_KIN = "(?!(?:弟|哥|兄|姐|妹|爹|娘|爸|妈|儿子|女儿|媳|丈夫|妻|爷|奶))"
"""Somebody of whom only the kin is named does nothing."""
_S, _O = f"(?P<s>{CODE}){_KIN}", f"(?P<o>{CODE}){_KIN}"
_NOT_FOR = "(?<![给对跟向替为把被])"
"""For or to whom something is done, is not who does it."""
_TO_THE_NOUN = f"(?:{CODE}的?)?[那这一二两几个只条封张间座块根艘本份位家些]{{0,3}}"
"""Between a verb and its object."""
_LIGHT = "是在叫到把想从给"
"""Words that by themselves say nothing."""
_ACTIVE = re.compile(rf"({SUBJECT}|{OBJECT})({_HAN}{{1,2}})({SUBJECT}|{OBJECT})")
_AGENTIVE = re.compile(rf"{SUBJECT}是{OBJECT}({_HAN}{{1,2}})")
_ITS_OTHER_FORM = re.compile(rf"{_HAN}{{1,2}}{SUBJECT}人?是{OBJECT}")
_PASSIVE = re.compile(rf"(?<={SUBJECT})[被给叫让由](?={_HAN})")
_SHORT = ("在", "是", "叫")
"""Of these only what stands close together counts."""
_SHORT_WORD = 2
_CLOSE = tuple("手身那")
"""`在他手里`: what comes after `在他` has to follow at once."""
_MOVE = r"(?<![感活运震激])动(?![静身手弹作])"


def even_chinese(coded: str) -> str:
    """Code with one phrase for all of one meaning, and without what may stand anywhere."""
    return chinese.FILLERS.sub("", chinese.phrases_evened(coded.replace(" ", "")))


def chinese_ways(coded: str, text: str | None) -> Iterator[Way]:
    """The ways of one wording in code; `text` stands for the object, unless that is somebody or something."""
    even = _PASSIVE.sub("", even_chinese(coded))
    literal = even_chinese(text) if text else ""
    if (agentive := _AGENTIVE.fullmatch(even)) is not None:
        yield from map(_unconditional, _agentive(agentive[1], _O, _S) if text is None else ())
        return
    active = _ACTIVE.fullmatch(even)
    if active is not None and text is None and active[2] in chinese.AGENT_VERBS:
        roles = (_S, _O) if active[1] == SUBJECT else (_O, _S)
        yield from map(_unconditional, _agentive(active[2], *roles))
        return
    if _ITS_OTHER_FORM.fullmatch(even) or (text is None and OBJECT not in even):
        return
    denials = len(chinese.NEGATORS.findall(even))
    needs = frozenset(re.findall(_HAN, literal + _first_words(even)))
    yield Way(_pattern(even, literal), needs, denials)
    if literal and even.startswith(SUBJECT):
        yield Way(
            f"{_NOT_FOR}{_S}{_NEAR}{{0,8}}{_named(literal)}", frozenset(re.findall(_HAN, literal))
        )


def _unconditional(pattern: str) -> Way:
    return Way(pattern, frozenset())


def _agentive(verb: str, who: str, what: str) -> Iterator[str]:
    """Somebody had a hand on something, in every order in which that can be said."""
    verbs = re.escape(verb)
    if verb in chinese.AGENT_VERBS:
        verbs = f"(?:{_MOVE}|[{chinese.AGENT_VERBS.replace('动', '')}])"
    yield f"{who}{_TO_THE_VERB}{{0,6}}{verbs}{_NEAR}{{0,3}}{what}"
    yield f"{what}{_FAR}{{0,8}}{who}{_TO_THE_VERB}{{0,6}}{verbs}"
    yield f"{who}{_FAR}{{0,8}}[把将给]{_NEAR}{{0,3}}{what}{_NEAR}{{0,6}}{verbs}"
    yield f"{verbs}{_NEAR}{{0,3}}{what}人?{_FAR}{{0,6}}是{who}"


def _parts(even: str) -> list[str]:
    return re.findall(rf"{SUBJECT}|{OBJECT}|[^{SUBJECT}{OBJECT}]+", even)


def _first_words(even: str) -> str:
    """The words that may not be left out: those before the second of subject and object."""
    parts, seen, words = _parts(even), 0, ""
    for part in parts:
        seen += part in (SUBJECT, OBJECT)
        if seen < 2 and part not in (SUBJECT, OBJECT):
            words += part
    return words


def _pattern(even: str, literal: str) -> str:
    built, seen = "", 0
    # What closes a wording may stay unsaid (欠着米行的账), but not all that it says.
    may_end_early = bool(set(_first_words(even)) - set(_LIGHT))
    for part in _parts(even):
        if part in (SUBJECT, OBJECT):
            seen += 1
            role = _named(literal) if part == OBJECT and literal else _S if part == SUBJECT else _O
            built += (_TO_THE_NOUN if built else "") + role
        elif part in _SHORT:
            built += f"{_NEAR}{{0,3}}{part}"
        elif part.startswith(_CLOSE):
            built += f"{_NEAR}?{re.escape(part)}"
        else:
            own = f"(?:[给对跟向替为]{CODE})?{_TO_THE_VERB}{{0,10}}" if seen else ""
            word = own + re.escape(part)
            is_closing = seen > 1 and may_end_early and len(part) <= _SHORT_WORD
            built += f"(?:{word})?" if is_closing else word
    return _NOT_FOR + built if even.startswith(SUBJECT) else built


def _named(literal: str) -> str:
    """A free text, in which a name counts also where its speaker does not know whose it is."""
    return "".join(
        f"[{c}{stranger_of(c)}]" if re.fullmatch(CODE, c) else re.escape(c) for c in literal
    )
