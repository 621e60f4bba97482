"""Who the character is: the same in every request of a story."""

from __future__ import annotations

from functools import lru_cache, partial

from sandbox.agents.fusing.files import heading_tokens
from sandbox.agents.fusing.fitting import COLONS, Filling, Sources, filled
from sandbox.agents.fusing.parts import Block, parts_of
from sandbox.story.items import Language
from sandbox.story.view import CharacterView

_Told = tuple[tuple[str, tuple[str, ...]], ...]
"""By name of the part, what it has to say."""


def self_filled(view: CharacterView, manner: str, budget: int) -> Filling:
    """The texts of this block, within a budget of tokens.

    Args:
        view: whose.
        manner: ends the names of the prompt files.
        budget: with the headings.
    """
    colon = COLONS[view.language]
    told: _Told = (
        ("looks", tuple(view.looks)),
        ("secrets", tuple(view.secrets_of_self)),
        ("goals", tuple(view.goals)),
        ("conduct", tuple(view.conduct)),
        ("relations", tuple(f"{view.names(o)}{colon}{text}" for o, text in view.relations)),
    )
    return _filled(told, view.language, manner, budget)


@lru_cache(maxsize=256)
def _filled(told: _Told, language: Language, manner: str, budget: int) -> Filling:
    """Kept: it is made for every move, and seldom of anything new."""
    sources = Sources({name: partial(iter, texts) for name, texts in told})
    headings = heading_tokens(language, manner)
    return filled(parts_of(Block.SELF), sources, language, headings, budget)
