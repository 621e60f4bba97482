"""Names: what a typed name means, what is near it, and ids in error texts put as names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TypeVar

from sandbox.tui import words
from sandbox.tui.state import StoryState

Id = TypeVar("Id", bound=str)
Named = Sequence[tuple[Id, tuple[str, ...]]]

_NEAR, _NEAR_SHORT, _SHORT = 0.75, 0.6, 3
"""How like a name has to be to be suggested; one letter of three may be wrong, and no more."""
_QUOTED = re.compile(r"`([a-z][a-z0-9_]*)`")


def folded(name: str) -> str:
    """A name as it is compared: without case, article and outer punctuation."""
    return name.strip(" .,:;\"'“”。，：；「」").casefold().removeprefix("the ")


def found(name: str, named: Named[Id]) -> Id | None:
    """Whom or what a name means: the whole name or, where only one has it, a word of it."""
    wanted = folded(name)
    for id_, names in named:
        if wanted and wanted in map(folded, names):
            return id_
    first = {id_ for id_, names in named for n in names if wanted in folded(n).split()}
    return first.pop() if len(first) == 1 else None


def near_or_all(name: str, named: Named[Id]) -> str:
    """What to say after a wrong name: the name that is really near, else all that can be used."""
    if near := nearest_name(name, named):
        return words.DID_YOU_MEAN.format(name=near)
    return words.THERE_ARE.format(names=listed(named)) if named else ""


def nearest_name(name: str, named: Named[Id]) -> str:
    """The name nearest to a wrong one, as the world writes it; empty where none is really near."""
    known: dict[str, str] = {}
    for _, names in named:
        for one in names:
            for part in (folded(one), *folded(one).split()):
                known.setdefault(part, names[0])
    wanted = folded(name)
    cutoff = _NEAR if len(wanted) > _SHORT else _NEAR_SHORT
    match = get_close_matches(wanted, list(known), n=1, cutoff=cutoff)
    return known[match[0]] if match else ""


def listed(named: Named[Id]) -> str:
    return words.JOIN.join(names[0] for _, names in named)


def splits(text: str) -> Iterator[tuple[str, str]]:
    """A text cut in two at each space, the longest head first."""
    pieces = text.split()
    for at in range(len(pieces) - 1, 0, -1):
        yield " ".join(pieces[:at]), " ".join(pieces[at:])


def without_to(text: str) -> str:
    head, _, tail = text.partition(" ")
    return tail if head.casefold() == "to" and tail else text


def in_names(text: str, state: StoryState) -> str:
    """An error's text with names, as the viewpoint knows them, for the ids in it."""
    known = state.world.canon.names

    def name(match: re.Match[str]) -> str:
        id_ = match[1]
        return state.name(id_) if id_ in known else match[0]

    shown = _QUOTED.sub(name, text)
    return shown[:1].upper() + shown[1:] if _QUOTED.match(text) else shown
