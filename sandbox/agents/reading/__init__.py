"""Reading what models reply."""

from sandbox.agents.reading.drafts import DraftReader
from sandbox.agents.reading.moves import KEYS, move_of
from sandbox.agents.reading.replies import Problem, Unreadable, object_of, objects_of
from sandbox.agents.reading.spoken import spoken_only

__all__ = [
    "KEYS",
    "DraftReader",
    "Problem",
    "Unreadable",
    "move_of",
    "object_of",
    "objects_of",
    "spoken_only",
]
