"""Names that cannot be told from the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sandbox.storage.findings import Finding
from sandbox.story.canon import Canon
from sandbox.story.telling import chinese, english

_HAN: Final = re.compile(rf"[{chinese.HAN}]+")
_PRONOUNS: Final = english.words_of("i me my mine you your he him his she her it we us they them")
_PRONOUNS_ZH: Final = frozenset("我你您他她它咱俺")


def words_for_names(canon: Canon) -> Iterator[Finding]:
    """Names and aliases that stand in every other sentence: whoever said one would be named all the time."""
    for section in ("characters", "places", "things", "entities", "organisations"):
        for item in getattr(canon, section):
            for name in (item.name, *getattr(item, "aliases", ())):
                if _is_everyday(name):
                    problem = f"`{name}` is a word of everyday. Give a name that means nobody else."
                    yield (
                        section,
                        f"{item.id}.{'name' if name == item.name else 'aliases'}",
                        problem,
                    )


def _is_everyday(name: str) -> bool:
    """Whether a name is one word that says nothing: a capital makes a name of it, but not of a pronoun."""
    if _HAN.fullmatch(name):
        return name in _PRONOUNS_ZH or (len(name) == 1 and not chinese.is_content(name))
    if not re.fullmatch(r"[^\W_]+", name):
        return re.search(r"[^\W_]", name) is None
    is_plain = name == name.lower() and not english.is_content(english.stem(name))
    return is_plain or name.casefold() in _PRONOUNS
