"""What changes when a scene opens, and at no other time: patterns, long-held facts, wants, scenes."""

from __future__ import annotations

from sandbox.agents.fusing.choice import Choice
from sandbox.agents.fusing.fitting import SPACES, Sources
from sandbox.story.people import Pattern
from sandbox.story.view import CharacterView


def held_sources(choice: Choice) -> Sources:
    """Where the texts of this block come from."""
    view, wants = choice.view, _wants(choice)
    patterns = [
        pattern_line(view, pattern)
        for pattern in view.patterns.values()
        if getattr(pattern, "turn", 0) < choice.opened_turn  # grown in play
    ]
    return Sources(
        {"patterns": lambda: patterns, "wants": lambda: wants},
        {"held": choice.held, "scenes": choice.scenes},
    )


def _wants(choice: Choice) -> list[str]:
    """Questions to which no answer was known when the scene opened."""
    answers = (f for f in choice.before if not (f.is_guess or f.is_denied))
    settled = {(fact.subject, fact.predicate) for fact in answers}
    wants = choice.view.wants
    return [w.question for w in wants if (w.subject, w.predicate) not in settled]


def pattern_line(view: CharacterView, pattern: Pattern, samples: int = 1) -> str:
    """A pattern with as many lines of its owner's own."""
    spoken = [f"“{sample}”" for sample in view.samples(pattern)[:samples]]
    whole = [pattern.situation, pattern.manner, *spoken]
    return SPACES[view.language].join(whole)
