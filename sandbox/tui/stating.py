"""What a person says that a line tells, `… =words of a fact` after it; and a search, in words."""

from __future__ import annotations

import re

from sandbox.story.claims import Claim
from sandbox.story.commands import Do
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact
from sandbox.story.phrases import search_in_words
from sandbox.story.text import clean
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from sandbox.tui import words
from sandbox.tui.state import StoryState

_MARK = re.compile(r"\s[=＝]\s*(?=\S)")
_SHOWN = 3


class NotStated(ValueError):
    """No fact of the speaker's, or more than one, has these words; the text says so."""


def stated(world: World, who: CharacterId, text: str) -> tuple[str, tuple[Claim, ...]]:
    """The words of a line, and the fact of its speaker's that it tells.

    Raises:
        NotStated: the speaker knows no such fact, or several.
    """
    said, *hints = _MARK.split(text)
    line = clean(said)
    if not hints or not line:
        return text, ()
    return line, tuple(_claim(world, who, hint, line) for hint in hints)


def searching(state: StoryState, who: CharacterId) -> Do:
    """Somebody searches the place it is in."""
    world = state.world
    here = state.name(world.stage.where(who))
    return Do(character=who, text=search_in_words(world.canon.language, here), searches=True)


def _claim(world: World, who: CharacterId, hint: str, said: str) -> Claim:
    found = _facts(world, who, hint)
    if not found:
        name = world.names(None)(who)
        raise NotStated(words.NO_FACT.format(name=name, hint=hint.strip()))
    if len(found) > 1:
        shown = " · ".join(fact.statement for fact in found[:_SHOWN])
        raise NotStated(words.SEVERAL_FACTS.format(hint=hint.strip(), facts=shown))
    (fact,) = found
    return Claim(subject=fact.subject, predicate=fact.predicate, object=fact.object, said=said)


def _facts(world: World, who: CharacterId, hint: str) -> list[KnownFact]:
    """The speaker's facts that hold all words of `hint`; what it holds twice stands once."""
    wanted = hint.casefold().split()
    fitting = {
        (fact.subject, fact.predicate, fact.object): fact
        for fact in CharacterView(world, who).known
        if all(word in fact.statement.casefold() for word in wanted)
    }
    return list(fitting.values())
