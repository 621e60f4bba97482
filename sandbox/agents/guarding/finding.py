"""What a guard objects to."""

from dataclasses import dataclass

from sandbox.story.events import Offence


@dataclass(frozen=True)
class Finding:
    """One sentence of a drafted move, and what is wrong with it (DESIGN section 7, point 8)."""

    offence: Offence
    sentence: str
    """As the character said it: all that the model is shown again."""
