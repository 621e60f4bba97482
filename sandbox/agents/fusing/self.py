"""Who the character is: the same in every request of a story."""

from __future__ import annotations

from sandbox.agents.fusing.choice import Choice
from sandbox.agents.fusing.fitting import COLONS, Sources


def self_sources(choice: Choice) -> Sources:
    """Where the texts of this block come from."""
    view = choice.view
    colon = COLONS[view.language]
    relations = [f"{view.names(other)}{colon}{text}" for other, text in view.relations]
    return Sources(
        {
            "looks": lambda: view.looks,
            "secrets": lambda: view.secrets_of_self,
            "goals": lambda: view.goals,
            "conduct": lambda: view.conduct,
            "relations": lambda: relations,
        }
    )
