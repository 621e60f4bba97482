"""How a sentence is meant: asserted, guessed, or neither (asked, wished, ordered, disavowed)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sandbox.story.items import Language
from sandbox.story.telling import chinese
from sandbox.story.telling import english_cues as english
from sandbox.story.telling import sentences as splitting
from sandbox.story.telling.code import Coder
from sandbox.story.telling.folding import folded


@dataclass(frozen=True)
class Clause:
    """What stands between two commas, in code."""

    coded: str
    is_real: bool
    """Whether it says that something is so, or is not so."""


@dataclass(frozen=True)
class Segment:
    """A part of a sentence that is meant in one way."""

    clauses: tuple[Clause, ...]
    is_guess: bool
    is_asserted: bool
    """False: a condition, a wish or a disavowal, as a whole."""

    def followed_by(self, other: Segment) -> Segment:
        """Both as one."""
        return Segment(
            self.clauses + other.clauses,
            self.is_guess or other.is_guess,
            self.is_asserted and other.is_asserted,
        )

    @property
    def real(self) -> str:
        """The code of all clauses that say something, parted by bars."""
        return " | ".join(
            clause.coded for clause in self.clauses if clause.is_real and clause.coded
        )


def segments_of(sentence: str, coder: Coder) -> Iterator[Segment]:
    """The segments of a sentence; none where it is asked. Names in it count for what follows."""
    language = coder.named.canon.language
    marked = coder.marked(folded(sentence))
    asked = is_asked(marked, language)
    for part in splitting.segments(marked):
        plain = _plain(part, language)
        rest = _guess(language).sub(" ", plain)
        found = tuple(_clauses(plain, coder, language))
        if not asked:
            yield Segment(found, rest != plain, not _is_disowned(rest, language))


def is_asked(sentence: str, language: Language) -> bool:
    """Whether a sentence is a question as a whole."""
    if language == "zh":
        return chinese.ASKED.search(sentence) is not None
    return "?" in sentence or "？" in sentence


def _plain(part: str, language: Language) -> str:
    if language == "en":
        return english.HARMLESS.sub(" ", part)
    return chinese.CONTRAST.sub("", chinese.OTHER.sub(r"是\3\2", chinese.ASIDES.sub("", part)))


def _guess(language: Language) -> re.Pattern[str]:
    return chinese.GUESS if language == "zh" else english.GUESS


def _is_disowned(rest: str, language: Language) -> bool:
    cues = (
        (chinese.UNREAL, chinese.DISAVOWED)
        if language == "zh"
        else (english.CONDITION, english.DISAVOWED)
    )
    return any(cue.search(rest) for cue in cues)


def _clauses(part: str, coder: Coder, language: Language) -> Iterator[Clause]:
    guess = _guess(language)

    def is_kept(cue: str) -> bool:
        return language == "en" and _DENIAL.search(cue) is None

    for number, raw in enumerate(splitting.clauses(part)):
        bare = guess.sub(" ", raw)
        unreal = _UNREAL[language] if number else (*_UNREAL[language], *_UNREAL_AT_FIRST[language])
        # In English a cue may hold a part of the verb: "must be hidden".
        said = guess.sub(lambda cue: cue[0] if is_kept(cue[0]) else "", raw)
        yield Clause(coder.code_marked(said), not any(cue.search(bare) for cue in unreal))


_DENIAL = re.compile(r"\bnot\b|n't", re.IGNORECASE)
_UNREAL: Final[dict[Language, tuple[re.Pattern[str], ...]]] = {
    "en": (english.ORDER, english.MODAL),
    "zh": (chinese.ORDER, chinese.OPEN),
}
_UNREAL_AT_FIRST: Final[dict[Language, tuple[re.Pattern[str], ...]]] = {
    "en": (),
    "zh": (chinese.BARE_ORDER,),
}
"""What makes only the first clause of a sentence unreal."""
