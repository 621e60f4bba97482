"""The guard: the check of a drafted move, sentence by sentence (DESIGN section 7, point 8).

The verdict follows from the sentence, the names of the world and what the speaker holds, and never from what is
true: else a model could learn what is true by being corrected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from sandbox.agents.guarding import thoughts
from sandbox.agents.guarding.acting import Acting
from sandbox.agents.guarding.asserting import Asserting
from sandbox.agents.guarding.deeds import ends_quoted, parts_of
from sandbox.agents.guarding.finding import Finding
from sandbox.agents.guarding.hidden import plain_of
from sandbox.agents.guarding.sources import holdings_of
from sandbox.agents.guarding.strangers import Strangers
from sandbox.agents.guarding.strictly import Strictly
from sandbox.agents.minds import Move
from sandbox.story.events import Offence
from sandbox.story.ids import CharacterId
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView

_BETWEEN: Final = re.compile(r"(?<=[。！？…][”」』])(?=[^”」』，。])")
"""Where a Chinese quotation has ended and another sentence begins."""


class Guard:
    """Checks what one character says to others, one sentence after the other."""

    def __init__(
        self, view: CharacterView, to: Sequence[CharacterId] = (), thought: str = ""
    ) -> None:
        """A guard for one line.

        Args:
            view: the speaker's.
            to: whom it speaks to: `you`, where it is one.
            thought: the move's private thought, which is not to be said.
        """
        reading = view.reading(to)
        holdings = holdings_of(view, reading)
        self._reading = reading
        self._thought = thought
        self._is_thinking = False
        self._is_quoted = False
        self._acting = Acting(view, reading)
        self._strangers = Strangers(view, reading, holdings)
        self._asserting = Asserting(view, reading, holdings)
        self._strictly = Strictly(view, reading, holdings)
        self._language = view.language

    def check(self, sentence: str) -> Finding | None:
        """What is wrong with the next sentence, which is kept in mind for pronouns. None: nothing."""
        # Read in any case, so that the next one's pronouns find whom this one names.
        plain = plain_of(sentence, self._reading)
        is_ungrounded = self._asserting.is_ungrounded(plain)
        offence = self._of_thought(plain)
        if offence is None and thoughts.is_aside(plain):
            offence = Offence.THOUGHT_SPOKEN
        if offence is None and self._acting.is_for_others(plain):
            offence = Offence.SPEAKS_FOR
        if offence is None and self._strangers.names_unknown(plain):
            offence = Offence.UNKNOWN_NAME
        if offence is None and is_ungrounded:
            offence = Offence.ASSERTED
        return Finding(offence, sentence) if offence is not None else None

    def check_action(self, action: str) -> Finding | None:
        """What is wrong with a deed, told without its subject, and with what it tells."""
        plain = plain_of(action, self._reading)
        offence = self._of_thought(plain)
        if offence is None and self._acting.has_others_act(plain):
            offence = Offence.SPEAKS_FOR
        if offence is None and self._strangers.names_unknown(plain):
            offence = Offence.UNKNOWN_NAME
        told = [part.text for part in parts_of(plain, self._language) if part.is_told]
        if offence is None and any(map(self._strictly.is_told_ungrounded, told)):
            offence = Offence.ASSERTED
        return Finding(offence, action) if offence is not None else None

    def check_memory(self, sentence: str) -> Finding | None:
        """What is wrong with the next sentence of a text for the character's own memory."""
        plain = plain_of(sentence, self._reading)
        is_quoted, self._is_quoted = self._is_quoted, ends_quoted(plain, self._is_quoted)
        is_ungrounded = self._strictly.is_kept_ungrounded(plain, is_quoted=is_quoted)
        offence = self._of_thought(plain)
        if offence is None and self._acting.is_for_others(plain):
            offence = None if self._strictly.is_lived(plain) else Offence.SPEAKS_FOR
        if offence is None and self._strangers.names_unknown(plain):
            offence = Offence.UNKNOWN_NAME
        if offence is None and is_ungrounded:
            offence = Offence.ASSERTED
        return Finding(offence, sentence) if offence is not None else None

    def _of_thought(self, sentence: str) -> Offence | None:
        was_thinking = self._is_thinking
        if thoughts.has_tags(sentence):
            self._is_thinking = thoughts.opens(sentence)
            return Offence.THINKING
        if was_thinking:
            return Offence.THINKING
        is_spoken = thoughts.is_announced(sentence) or thoughts.says(sentence, self._thought)
        return Offence.THOUGHT_SPOKEN if is_spoken else None


def findings(view: CharacterView, move: Move) -> list[Finding]:
    """All that is wrong with a move: its words sentence by sentence, then its action."""
    guard = Guard(view, move.to, move.thought)
    found = [finding for s in _told(move.words) if (finding := _checked(guard, s))]
    is_free = move.action and not _is_prepared(view, move)
    if is_free and (finding := guard.check_action(move.action)) is not None:
        found.append(finding)
    return found


def _is_prepared(view: CharacterView, move: Move) -> bool:
    """Whether the deed is the world's own text for looking at something: what that shows, the stage grants."""
    return move.examines is not None and move.action in view.examining(move.examines)


def _checked(guard: Guard, sentence: tuple[str, bool]) -> Finding | None:
    text, is_thinking = sentence
    finding = guard.check(text)
    return Finding(Offence.THINKING, text) if is_thinking else finding


def _told(words: str) -> Iterator[tuple[str, bool]]:
    """The sentences, and whether a closing tag follows: all before it is thinking."""
    tail = thoughts.without_tagged(words)
    for sentence in spoken_sentences(words[: len(words) - len(tail)]):
        yield sentence, True
    for sentence in spoken_sentences(tail):
        yield sentence, False


def without(move: Move, findings: Sequence[Finding], view: CharacterView) -> Move:
    """The move with the sentences of the findings cut; what it tells follows from what is left."""
    cut = [finding.sentence for finding in findings]
    words = _left(move.words, cut)
    if move.action in cut:
        move = replace(move, action="", action_first="", examines=None, searches=False)
    if words == move.words:
        return move
    tells = view.told_in(words, move.to) if words else ()
    return replace(move, words=words, tells=tells, asks=move.asks if words else None)


def _left(text: str, cut: Sequence[str]) -> str:
    """`text` without the sentences of `cut`; as it stands where there are none in it."""
    kept = [s for s, _ in _told(text) if s not in cut]
    return " ".join(kept) if len(kept) < len(list(_told(text))) else text


def passed(view: CharacterView, text: str) -> str:
    """What of a model's text may enter the character's memory: the sentences without a finding.

    It is told in the character's first person, so that `I` did, felt and perceived what it says.
    """
    text = thoughts.without_tagged(text)
    guard = Guard(view)
    sentences = (s for part in _BETWEEN.split(text) for s in spoken_sentences(part))
    kept = [s for s in sentences if guard.check_memory(s) is None]
    joint = "" if view.language == "zh" else " "
    return joint.join(kept)
