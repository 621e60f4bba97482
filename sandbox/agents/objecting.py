"""What stands against a drafted move: the guard's findings, and what its speaker has said before."""

from __future__ import annotations

from sandbox.agents.guarding import Finding, Guard, findings
from sandbox.agents.minds import Move
from sandbox.agents.repeating import own_lines, repeated
from sandbox.story.events import Offence
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView


def objections(view: CharacterView, move: Move) -> list[Finding]:
    """All that stands against a whole move."""
    found = findings(view, move)
    offending, said = {one.sentence for one in found}, own_lines(view)
    again = (s for s in spoken_sentences(move.words) if s not in offending and repeated(s, said))
    return found + [Finding(Offence.REPEATED, sentence) for sentence in again]


class Objecting:
    """The same, sentence by sentence, while a reply arrives and its other parts are not known."""

    def __init__(self, view: CharacterView) -> None:
        self._guard = Guard(view)
        self._said = own_lines(view)

    def sentence(self, sentence: str) -> Finding | None:
        """What stands against the next sentence; None: it may be shown."""
        if (found := self._guard.check(sentence)) is not None:
            return found
        is_again = repeated(sentence, self._said)
        return Finding(Offence.REPEATED, sentence) if is_again else None
