"""The guard: what a character's move, or a text for its memory, may not say (DESIGN section 7, point 8)."""

from sandbox.agents.guarding.feelings import mood_in
from sandbox.agents.guarding.finding import Finding
from sandbox.agents.guarding.guard import Guard, findings, passed, without
from sandbox.agents.guarding.retrying import retry_text

__all__ = ["Finding", "Guard", "findings", "mood_in", "passed", "retry_text", "without"]
