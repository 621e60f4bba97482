"""Whole sentences of the spoken words while a reply is still arriving."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from sandbox.agents.reading.form import own
from sandbox.agents.reading.replies import MOST_CHARS
from sandbox.agents.reading.spoken import bounded, once_each, spoken_only, unquoted, without_thought
from sandbox.agents.reading.thinking import after_thinking
from sandbox.story.text import sentences

_MOST_BEFORE = 200
"""Characters before an object; more are thinking whose opening tag is not shown."""
_QUOTED = re.compile(r"\s*[\"“「『]")
"""Only the whole reply tells whether the marks are around all of it."""
_AS_IN_A_PLAY = re.compile(r"(?:^|[.!?…。！？\n]\s*)[^\s.!?。！？:：]{1,30}[:：]")
"""Whose line it is, is for the reading of the whole reply to say."""


@dataclass
class DraftReader:
    """Finds whole sentences of the spoken words of a well-formed reply; others wait for its end."""

    text: str = ""
    _shown: int = 0

    def feed(self, more: str) -> list[str]:
        """The sentences that became whole with `more`."""
        self.text += more
        if len(self.text) > MOST_CHARS:
            return []
        told, unsure = after_thinking(self.text)
        partial, is_whole = ({}, False) if unsure else _partial(told)
        spoken = partial.get("words")
        if not isinstance(spoken, str) or _AS_IN_A_PLAY.search(spoken):
            return []
        if _QUOTED.match(spoken) and not is_whole:
            return []
        is_done = is_whole or len(partial) > list(partial).index("words") + 1
        found = _sentences(spoken, partial.get("thought"))
        whole = found if is_done else found[:-1]
        new, self._shown = whole[self._shown :], max(self._shown, len(whole))
        return new

    def begin_anew(self) -> None:
        """Forget the reply so far: it is sent again from its beginning."""
        self.text, self._shown = "", 0


def _sentences(words: str, thought: object) -> list[str]:
    said, _ = spoken_only(bounded(own({"words": words})["words"]))
    kept = bounded(thought) if isinstance(thought, str) else ""
    return list(sentences(once_each(without_thought(unquoted(said), kept))))


def _partial(text: str) -> tuple[dict[str, Any], bool]:
    """What is here of a reply's object, and whether that is all of it."""
    for start in (match.start() for match in re.finditer(r"\{", text[: _MOST_BEFORE + 1])):
        try:
            found = from_json(text[start:], allow_partial="trailing-strings")
        except ValueError:
            continue
        if isinstance(found, dict):
            return found, _is_closed(text[start:])
    return {}, False


def _is_closed(text: str) -> bool:
    try:
        from_json(text)
    except ValueError:
        return False
    return True
