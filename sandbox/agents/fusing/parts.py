"""The parts of a request as data: where each stands, what it may take, when it gives way to others.

Three blocks, from what never changes to what always does, so that prompt caches hit (DESIGN
section 7, point 6). A block's budget does not depend on a later block: whatever happens in a scene,
the tokens before it stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Block(StrEnum):
    SELF = "self"
    """Who I am: the same for a whole story."""
    HELD = "held"
    """What changes when a scene opens, and at no other time."""
    NOW = "now"
    """What is new. It takes whatever the blocks before it left over."""


BLOCK_SHARES: Final = {Block.SELF: 0.3, Block.HELD: 0.38, Block.NOW: 0.32}
"""Shares of what the fixed frame leaves. Measured on the bundled worlds: a persona needs 250 to 450
tokens, and a scene of twelve beats 300 to 600."""


class StandIn(StrEnum):
    """What stands for what does not fit."""

    BEGINNING = "beginning"
    """The beginning of the longest texts, with an ellipsis."""
    FIRST = "first"
    """The first of the list: it is in order of what matters."""
    NAMES = "names"
    """As many names as fit, and how many more there are."""
    LOOKLESS = "lookless"
    """Names without looks, those first who did something just now."""
    FOUND = "found"
    """Facts: of long-held ones those that matter most to their knower, else what the probe found."""
    SUMMARY = "summary"
    """One line for what is older: for each scene, for the percepts of this one."""


@dataclass(frozen=True)
class Part:
    """One part of a request."""

    name: str
    block: Block
    share: float
    """Of its block's budget, in [0, 1]; what a part leaves goes to the others, the last to give way first."""
    rank: int
    """In sacrifice, within its block: 1 gives way first."""
    stand_in: StandIn
    least: int = 0
    """Tokens it gets before any part of a lower rank, even where its share is less."""
    slots: tuple[str, ...] = ()
    """Slots of the prompt files it fills. Empty: the one of its own name."""

    @property
    def fills(self) -> tuple[str, ...]:
        """Slots of the prompt files it fills."""
        return self.slots or (self.name,)


PARTS: Final[Sequence[Part]] = (
    Part("looks", Block.SELF, 0.1, 1, StandIn.BEGINNING),
    Part("relations", Block.SELF, 0.27, 2, StandIn.FIRST),
    Part("secrets", Block.SELF, 0.2, 3, StandIn.BEGINNING),
    Part("conduct", Block.SELF, 0.25, 4, StandIn.FIRST, least=24),
    Part("goals", Block.SELF, 0.18, 5, StandIn.BEGINNING, least=24),
    Part("scenes", Block.HELD, 0.24, 1, StandIn.SUMMARY),
    Part("wants", Block.HELD, 0.1, 2, StandIn.FIRST),
    Part("patterns", Block.HELD, 0.14, 3, StandIn.FIRST),
    Part("held", Block.HELD, 0.52, 4, StandIn.FOUND),
    Part("exits", Block.NOW, 0.04, 1, StandIn.NAMES),
    Part("things", Block.NOW, 0.05, 2, StandIn.NAMES),
    Part("earlier", Block.NOW, 0.06, 3, StandIn.SUMMARY),
    Part("own_lines", Block.NOW, 0.05, 4, StandIn.FIRST),
    Part("memories", Block.NOW, 0.1, 5, StandIn.FIRST),
    Part("place", Block.NOW, 0.06, 6, StandIn.BEGINNING),
    Part("mood", Block.NOW, 0.02, 7, StandIn.BEGINNING, least=14),
    Part("pattern", Block.NOW, 0.1, 8, StandIn.BEGINNING),
    Part("facts", Block.NOW, 0.16, 9, StandIn.FOUND, least=44, slots=("learned", "found")),
    Part("people", Block.NOW, 0.06, 10, StandIn.LOOKLESS, least=16),
    Part("asked", Block.NOW, 0.06, 11, StandIn.BEGINNING, least=30, slots=("asked", "support")),
    Part("percepts", Block.NOW, 0.24, 12, StandIn.SUMMARY, least=40),
)
"""Last to go: what happened last, what I am asked, who is here. First: what a look around tells again."""


def parts_of(block: Block) -> list[Part]:
    """The parts of a block, the last to give way first."""
    found = [part for part in PARTS if part.block is block]
    return sorted(found, key=lambda part: -part.rank)
