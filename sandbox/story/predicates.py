"""Predicates that every world has: what a stage can show."""

from collections.abc import Mapping

from sandbox.story.canon import Predicate
from sandbox.story.ids import PredicateId
from sandbox.story.items import Language

LOCATED_IN = PredicateId("located_in")
HELD_BY = PredicateId("held_by")
STATE = PredicateId("state")
ALIVE = PredicateId("alive")
IS_NAMED = PredicateId("is_named")
"""Acquaintance: who knows this fact of a person knows the person's name."""
SAID_ABOUT = PredicateId("said_about")
"""Whatever fits no predicate of the list; it never replaces anything."""

_WORDINGS: dict[Language, dict[PredicateId, str]] = {
    "en": {
        LOCATED_IN: "{s} is in {o}.",
        HELD_BY: "{s} is with {o}.",
        STATE: "{s} is {o}.",
        ALIVE: "{s} is {o}.",
        IS_NAMED: "{s} is called {o}.",
        SAID_ABOUT: "Of {s} it is said: {o}",
    },
    "zh": {
        LOCATED_IN: "{s}在{o}。",
        HELD_BY: "{s}在{o}手里。",
        STATE: "{s}是{o}的。",
        ALIVE: "{s}{o}。",
        IS_NAMED: "{s}名叫{o}。",
        SAID_ABOUT: "关于{s}，有人说：{o}",
    },
}
OF_SIGHT = frozenset({LOCATED_IN, HELD_BY, STATE, ALIVE})
"""What anybody sees of who or what is before its eyes; it changes as the story goes on."""
_FUNCTIONAL = OF_SIGHT | {IS_NAMED}


def built_in(language: Language) -> Mapping[PredicateId, Predicate]:
    """The built-in predicates, worded in `language`."""
    return {
        id_: Predicate(
            id=id_, functional=id_ in _FUNCTIONAL, changes=id_ in OF_SIGHT, wordings=(wording,)
        )
        for id_, wording in _WORDINGS[language].items()
    }
