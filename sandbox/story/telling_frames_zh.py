"""Chinese wordings as patterns: order, passive markers, fillers and gaps loosened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sandbox.story import telling_chinese as chinese
from sandbox.story.telling_names import CODE, OBJECT, SUBJECT, stranger_of
from sandbox.story.telling_way import Way

_HAN: Final = f"[{chinese.HAN}]"
_NEAR = r"[^\s|\ue000-\uf7ff]"
_FAR = r"[^\ue000-\uf7ff]"
"""Also across a comma."""
_TO_THE_VERB = r"(?:(?![谁人说讲问听])[^\s|\ue000-\uf7ff])"
"""Between who does it and what is done nobody else may stand."""
_KIN = "(?!(?:弟|哥|兄|姐|妹|爹|娘|爸|妈|儿子|女儿|媳|丈夫|妻|爷|奶))"
"""Somebody of whom only the kin is named does nothing."""
_S, _O = f"(?P<s>{CODE}){_KIN}", f"(?P<o>{CODE}){_KIN}"
_NOT_FOR = "(?<![给对跟向替为把被])"
"""For or to whom something is done, is not who does it."""
_AGENTIVE = re.compile(rf"{SUBJECT}是{OBJECT}({_HAN}{{1,2}})")
_ITS_OTHER_FORM = re.compile(rf"{_HAN}{{1,2}}{SUBJECT}人?是{OBJECT}")
_PASSIVE = re.compile(rf"(?<={SUBJECT})[被给叫让由](?={_HAN})")
_SHORT = ("在", "是", "叫")
"""Of these only what stands close together counts."""
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
        yield from map(_unconditional, _agentive(agentive[1]) if text is None else ())
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


def _agentive(verb: str) -> Iterator[str]:
    """Somebody had a hand on something, in every order in which that can be said."""
    verbs = re.escape(verb)
    if verb in chinese.AGENT_VERBS:
        verbs = f"(?:{_MOVE}|[{chinese.AGENT_VERBS.replace('动', '')}])"
    yield f"{_O}{_TO_THE_VERB}{{0,6}}{verbs}{_NEAR}{{0,3}}{_S}"
    yield f"{_S}{_FAR}{{0,8}}{_O}{_TO_THE_VERB}{{0,6}}{verbs}"
    yield f"{_O}{_FAR}{{0,8}}[把将给]{_NEAR}{{0,3}}{_S}{_NEAR}{{0,6}}{verbs}"
    yield f"{verbs}{_NEAR}{{0,3}}{_S}人?{_FAR}{{0,6}}是{_O}"


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
    for part in _parts(even):
        if part in (SUBJECT, OBJECT):
            seen += 1
            near = 3 if part == OBJECT or seen > 1 else 8
            role = _named(literal) if part == OBJECT and literal else _S if part == SUBJECT else _O
            built += (f"{_NEAR}{{0,{near}}}" if built else "") + role
        elif part in _SHORT:
            built += f"{_NEAR}{{0,3}}{part}"
        elif part.startswith(_CLOSE):
            built += f"{_NEAR}?{re.escape(part)}"
        else:
            gap = f"(?:[给对跟向替为]{CODE})?{_FAR}{{0,10}}" if seen == 1 else f"{_FAR}{{0,10}}"
            word = (gap if built else "") + re.escape(part)
            # What closes a wording may stay unsaid: 欠着米行（的账）.
            built += f"(?:{word})?" if seen > 1 and len(even) > len(part) + 2 else word
    return _NOT_FOR + built if even.startswith(SUBJECT) else built


def _named(literal: str) -> str:
    """A free text, in which a name counts also where its speaker does not know whose it is."""
    return "".join(
        f"[{c}{stranger_of(c)}]" if re.fullmatch(CODE, c) else re.escape(c) for c in literal
    )
