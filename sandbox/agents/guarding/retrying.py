"""What a model is told of its move's findings: its own sentences, and what to do; never what is true."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.agents.fusing.files import written
from sandbox.agents.guarding.finding import Finding
from sandbox.story.events import Offence
from sandbox.story.view import CharacterView

_SLOTS = {
    Offence.ASSERTED: "asserted",
    Offence.SPEAKS_FOR: "speaks_for",
    Offence.UNKNOWN_NAME: "unknown_name",
    Offence.THOUGHT_SPOKEN: "thought",
    Offence.THINKING: "thought",
    Offence.REPEATED: "repeated",
}


def retry_text(view: CharacterView, findings: Sequence[Finding]) -> str:
    """The request for another move. It quotes the character's own sentences, by what is wrong with them."""
    said: dict[str, list[str]] = {slot: [] for slot in _SLOTS.values()}
    for finding in findings:
        said[_SLOTS[finding.offence]].append(finding.sentence)
    slots = {slot: "\n".join(f"- {s}" for s in dict.fromkeys(all_)) for slot, all_ in said.items()}
    return written(view.language, "guard", slots)
