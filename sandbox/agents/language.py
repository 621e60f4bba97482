"""A mind behind a language model: it thinks over its own memory, then makes one request, and one more at need."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from sandbox.agents.drafting import Drafting
from sandbox.agents.fusing import Limits, fused
from sandbox.agents.minds import DraftDropped, Drafted, Move, Situation
from sandbox.agents.thinking import Reach, thought_through
from sandbox.story.ids import PatternId


@dataclass(frozen=True)
class LanguageMind:
    """Plays characters with a model. What it is shown comes from the view alone."""

    name: str
    limits: Limits
    reach: Reach

    async def decide(
        self, situation: Situation
    ) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        """Yield sentences as they become whole and pass the guard, then the move.

        Raises:
            ModelError: the model failed, or gave no usable reply twice.
        """
        thoughts = await thought_through(situation, self.reach, self.limits)
        thoughts.note(situation.view, situation.trace)
        prompt = fused(situation.view, thoughts.material(), self.limits)
        pattern = PatternId(thoughts.pattern.id) if thoughts.pattern else None
        drafting = Drafting(situation, prompt, self.name)
        async with aclosing(drafting.moves()) as pieces:
            async for piece in pieces:
                yield replace(piece, pattern=pattern) if isinstance(piece, Move) else piece
