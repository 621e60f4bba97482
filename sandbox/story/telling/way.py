"""One pattern for one wording."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    pattern: str
    """Over a sentence in code, with the groups `s` and, unless a free text stands for it, `o`."""
    needs: frozenset[str]
    """Words (in Chinese: characters) without which it cannot match."""
    denials: int = 0
    """How often the wording itself denies."""
