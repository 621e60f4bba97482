"""How much is to be said against a flat sentence: a few measures of it, weighed.

The weights are those of a logistic model, fitted to marked sentences that their speakers do and do not hold
(docs/guard.md says which, and how it was tried on lines left out). Each can be read: the less a sentence is like a
text of its speaker's, the more it names that stands together in none of them, the more there is against it; the more
it is about the speaker itself, the less.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import Final

from sandbox.story.items import Language


@dataclass(frozen=True)
class Measures:
    """What is measured of one sentence. Shares are of what its words weigh, in [0, 1]."""

    likeness: float
    """Logarithm of 1 and the weight that it shares with the text of the speaker's that it is most like."""
    share: float
    """How much of it that text says."""
    about: float
    """How much of it is said by one text about somebody or something that it names."""
    two: float
    """How much of it two texts say."""
    unsaid: float
    """The weight of what the text about those whom it names does not say."""
    worldly: float
    """How much it is about whom and what the world has names for."""
    apart: float
    """How many of those whom it names no one text names together."""
    clauses: float
    names_others: float
    """1 where it names somebody or something beside speaker and addressee. So, too, what follows."""
    names_speaker: float
    is_own: float
    """Whether it tells what the speaker itself does, has or is."""


_WEIGHTS: Final[dict[Language, Measures]] = {
    "en": Measures(
        likeness=-1.07,
        share=-1.39,
        about=-1.23,
        two=-1.77,
        unsaid=0.13,
        worldly=0.07,
        apart=0.6,
        clauses=-0.08,
        names_others=1.27,
        names_speaker=-2.39,
        is_own=-1.02,
    ),
    "zh": Measures(
        likeness=-1.28,
        share=-2.14,
        about=-0.62,
        two=-2.57,
        unsaid=0.09,
        worldly=0.16,
        apart=0.35,
        clauses=-0.43,
        names_others=0.39,
        names_speaker=-0.73,
        is_own=-1.27,
    ),
}
_AT_FIRST: Final[dict[Language, float]] = {"en": 1.6, "zh": 4.3}
"""What there is against a sentence before any of it is weighed, less what it takes to be found."""


def doubt(measured: Measures, language: Language) -> float:
    """What there is against a sentence: above 0 it is found."""
    weighed = zip(astuple(_WEIGHTS[language]), astuple(measured), strict=True)
    return _AT_FIRST[language] + math.fsum(weight * value for weight, value in weighed)
