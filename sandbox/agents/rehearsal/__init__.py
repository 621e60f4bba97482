"""Rehearsal: a mind without a model, deterministic, that decides from facts and beliefs."""

from sandbox.agents.rehearsal.mind import Rehearsal

__all__ = ["Rehearsal"]
