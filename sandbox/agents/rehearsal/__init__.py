"""Rehearsal: a mind without a model, deterministic, that decides from facts and beliefs."""

from sandbox.agents.rehearsal.mind import Rehearsal

REHEARSAL_VERSION = 3
"""Raised when the same view would lead to another move: a replay decides rehearsed moves anew."""

__all__ = ["REHEARSAL_VERSION", "Rehearsal"]
