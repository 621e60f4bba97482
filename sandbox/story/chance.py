"""Chance: drawn from what a draw is for, never from a shared generator, so that a replay draws the same."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
_BITS = 53
"""A float's worth."""


@dataclass(frozen=True)
class Chance:
    """Draws for one character's decision in one round."""

    seed: int
    round: int
    scene: str
    character: str

    def share(self, purpose: str) -> float:
        """A number in [0, 1), the same for the same purpose."""
        key = f"{self.seed}|{self.round}|{self.scene}|{self.character}|{purpose}"
        digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
        return (int.from_bytes(digest, "big") >> (64 - _BITS)) / (1 << _BITS)

    def pick(self, purpose: str, options: Sequence[T]) -> T:
        """One of `options`, each as likely.

        Raises:
            IndexError: there are none.
        """
        return options[int(self.share(purpose) * len(options))]

    def shuffled(self, purpose: str, options: Sequence[T]) -> list[T]:
        """`options` in an order of their own."""
        keyed = [(self.share(f"{purpose}#{n}"), n) for n in range(len(options))]
        return [options[n] for _, n in sorted(keyed)]
