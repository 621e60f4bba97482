"""What is new: the place, who is here, what just happened, what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sandbox.agents.fusing.choice import Choice
from sandbox.agents.fusing.episodes import Percepts
from sandbox.agents.fusing.fitting import (
    COLONS,
    SEPARATORS,
    SPACES,
    Sources,
    named,
    one_line,
)
from sandbox.agents.fusing.held import pattern_line
from sandbox.agents.repeating import line_of, own_lines
from sandbox.errors import BoundaryError
from sandbox.story.items import Language
from sandbox.story.surroundings import PersonSeen
from sandbox.story.view import CharacterView

_LOCKED: Final[dict[Language, str]] = {"en": " (locked)", "zh": "（锁着）"}
_LOOKS: Final[dict[Language, str]] = {"en": "{} ({})", "zh": "{}（{}）"}
_LOOKS_SHARE = 0.7
"""Of the room for people; looks that need more are left out altogether: a crowd is not described."""
_SAMPLES = 3
"""Lines of the chosen pattern: how it sounds is what it is for."""


def now_sources(choice: Choice) -> Sources:
    """Where the texts of this block come from."""
    view, percepts, said = choice.view, choice.percepts, own_lines(choice.view)
    pattern, lock = _pattern(choice), _LOCKED[view.language]
    return Sources(
        {
            "asked": lambda: [choice.material.asked],
            "pattern": lambda: [pattern],
            "mood": lambda: [view.mood],
            "place": lambda: [_place(view)],
            "memories": lambda: _unseen(choice.memories, percepts),
            "own_lines": lambda: _unsaid(said, percepts),
            "things": lambda: [thing.called for thing in view.things],
            "exits": lambda: [e.called + lock * e.is_locked for e in view.exits],
        },
        {
            "percepts": percepts,
            "earlier": percepts.earlier,
            "facts": choice.new,
            "people": lambda budget: _people(view, percepts, budget),
        },
    )


def _place(view: CharacterView) -> str:
    looks = SPACES[view.language].join(view.place_description)
    return view.names(view.place) + (COLONS[view.language] + looks if looks else "")


def _pattern(choice: Choice) -> str:
    view, id_ = choice.view, choice.material.pattern
    if id_ is None:
        return ""
    if id_ not in view.patterns:
        raise BoundaryError(f"`{view.me}` has no pattern of the id that was chosen.")
    return pattern_line(view, view.patterns[id_], _SAMPLES)


def _unseen(memories: Iterable[tuple[str, str]], percepts: Percepts) -> list[str]:
    """Memories that are not among the percepts shown."""
    return [text for id_, text in memories if id_ not in percepts.shown_ids]


def _unsaid(said: Iterable[str], percepts: Percepts) -> list[str]:
    """Lines of one's own, the latest first, that are not among the percepts shown."""
    shown = {line_of(percept) for percept in percepts.shown}
    return [line for line in said if line not in shown]


def _people(view: CharacterView, percepts: Percepts, budget: int) -> str:
    """Everybody with looks; in a crowd names only, those first who did something just now."""
    looks = _LOOKS[view.language]
    described = [
        looks.format(p.called, one_line(p.looks)) if p.looks else p.called for p in view.people
    ]
    whole = named(described, view.language, int(budget * _LOOKS_SHARE))
    if len(described) and whole == SEPARATORS[view.language].join(described):
        return whole
    return named([p.called for p in _latest_first(view.people, percepts)], view.language, budget)


def _latest_first(people: Sequence[PersonSeen], percepts: Percepts) -> list[PersonSeen]:
    doers = [getattr(percept.event, "actor", None) for percept in reversed(percepts.shown)]
    at = {who: n for n, who in reversed(list(enumerate(doers)))}
    return sorted(people, key=lambda person: (at.get(person.id, len(doers)), person.id))
