"""Texts made to fit a budget of tokens."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sandbox.agents.fusing.parts import Part, StandIn
from sandbox.story.items import Language
from sandbox.story.tokens import estimated_tokens

Writer = Callable[[int], str]
"""The best text of a part within so many tokens; empty where not even its stand-in fits."""


Texts = Callable[[], Iterable[str]]
"""What a part has to say, those that matter most first; asked for when it is written."""


@dataclass(frozen=True)
class Sources:
    """Where the texts of a block come from."""

    texts: Mapping[str, Texts]
    """By name of the part; its stand-in says how they are made to fit."""
    own: Mapping[str, Writer] = field(default_factory=dict)
    """Parts that are made to fit by what they are."""

    def writer(self, part: Part, language: Language) -> Writer:
        """The writer of a part, by its stand-in."""
        if part.name in self.own:
            return self.own[part.name]
        fit = _FITTED_BY[part.stand_in]
        texts = self.texts[part.name]
        return lambda budget: fit([one_line(text) for text in texts() if text], language, budget)


@dataclass(frozen=True)
class Filling:
    """The texts of a block."""

    texts: dict[str, str]
    """By name of the part; empty where nothing is to be said or nothing fits."""
    tokens: int
    """What they take, headings included."""


_MISSES = 12
"""Lines in a row that do not fit before the rest is not tried: among thousands none is short enough."""
_LEAST_CUT, _LEAST_LINE = 4, 16
"""Tokens under which a beginning of a text, and of a line in a list, says nothing."""
SEPARATORS: Final[dict[Language, str]] = {"en": "; ", "zh": "；"}
"""Between names in a row."""
SPACES: Final[dict[Language, str]] = {"en": " ", "zh": ""}
"""Between sentences."""
COLONS: Final[dict[Language, str]] = {"en": ": ", "zh": "："}
_NUMBER: Final = re.compile(
    r"(?<![\w'’-])(?:[fｆ] ?\d{1,6}(?!\w) ?[:：.．、)）=]?|[FＦ] ?\d{1,6} ?[:：.．、)）=])"
    r"|^\W*[FＦ] ?\d{1,6}(?!\w)"
)
"""How a prompt numbers facts: only the prompt itself does."""
_MARKS: Final = re.compile(r"^(?:[-*#=_>~|][-*#=_>~|\s]*)+")
"""What begins a heading, a rule or a line of a list."""
_MORE: Final[dict[Language, str]] = {"en": "{} more", "zh": "还有{}个"}


def filled(
    parts: Sequence[Part],
    sources: Sources,
    language: Language,
    headings: Mapping[str, int],
    budget: int,
) -> Filling:
    """A text for each part, together within `budget`, the headings of those not empty included.

    Each gets its share, those first that give way last; then what is left over goes round once more
    in the same order.
    """
    writers = {part.name: sources.writer(part, language) for part in parts}
    texts, taken = dict[str, str](), dict[str, int]()
    left = budget

    def write(part: Part, room: int) -> None:
        head = sum(headings[slot] for slot in part.fills)
        texts[part.name] = text = writers[part.name](max(0, room - head))
        taken[part.name] = head + text_tokens(text) if text else 0

    granted = dict[str, int]()
    for part in parts:
        granted[part.name] = min(max(part.least, int(part.share * budget)), left)
        write(part, granted[part.name])
        left -= taken[part.name]
    for part in parts:
        left += taken[part.name]
        # What it took is a little less than it needed to be given: so it is given as much again.
        write(part, max(left, granted[part.name]))
        if taken[part.name] > left:  # it says something else now that another part says more
            write(part, left)
        left -= taken[part.name]
    return Filling(texts, budget - left)


def text_tokens(text: str) -> int:
    """Estimated tokens; none for what is empty."""
    return estimated_tokens(text) if text else 0


def one_line(text: str) -> str:
    """`text` on one line, without what would make it look like a heading or a numbered fact of the prompt."""
    return _NUMBER.sub("…", _MARKS.sub("", " ".join(text.split())))


def cut(text: str, budget: int) -> str:
    """`text`, or the beginning of it that the budget holds."""
    whole = text
    if budget < _LEAST_CUT:
        return text if estimated_tokens(text) <= budget else ""
    while text and estimated_tokens(f"{text}…") > budget + (text == whole):
        text = text[: min(len(text) - 1, len(text) * 9 // 10)]
    return text if text == whole else f"{text.rstrip()}…"


def fitted(lines: Iterable[str], budget: int, *, shorten: bool = True) -> list[str]:
    """As many of the first lines as the budget holds.

    Args:
        lines: those that matter most first.
        budget: in tokens.
        shorten: whether the very first is shown by its beginning where it does not fit.
    """
    kept, missed = list[str](), 0
    for line in lines:
        cost = line_tokens(line)
        if shorten and not kept and not missed and cost > budget >= _LEAST_LINE:
            line = cut(line, budget - 2)
            cost = line_tokens(line)
        if line and cost <= budget:  # one that is too long does not take the room of the others
            budget -= cost
            kept.append(line)
            missed = 0
        elif (missed := missed + 1) >= _MISSES:
            break
    return kept


def line_tokens(line: str) -> int:
    """Tokens of a line of a list."""
    return estimated_tokens("- " + line + "\n")


def listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def all_shortened(texts: Sequence[str], budget: int) -> list[str]:
    """The texts, the longest of them cut so that together they fit; where not even that, the first."""
    texts = texts[: max(1, budget // _LEAST_LINE)]
    kept, left = dict[int, str](), budget
    by_length = sorted(range(len(texts)), key=lambda n: (estimated_tokens(texts[n]), n))
    for done, at in enumerate(by_length):
        kept[at] = cut(texts[at], left // (len(texts) - done) - 2)
        left -= line_tokens(kept[at]) if kept[at] else 0
    return [kept[at] for at in range(len(texts)) if kept[at]]


def named(names: Sequence[str], language: Language, budget: int) -> str:
    """Names in a row, as many as fit, and how many more there are."""

    def row(most: int) -> str:
        rest = [_MORE[language].format(len(names) - most)] if most < len(names) else []
        return SEPARATORS[language].join([*names[:most], *rest])

    if text_tokens(whole := row(len(names))) <= budget:
        return whole
    most = bisect_right(range(len(names)), budget, key=lambda n: text_tokens(row(n))) - 1
    return row(most) if most > 0 else ""


def _sentences(texts: Sequence[str], language: Language, budget: int) -> str:
    return SPACES[language].join(all_shortened(texts, budget))


def _first(texts: Sequence[str], language: Language, budget: int) -> str:
    return listed(fitted(texts, budget))


_FITTED_BY: Final[Mapping[StandIn, Callable[[Sequence[str], Language, int], str]]] = {
    StandIn.BEGINNING: _sentences,
    StandIn.FIRST: _first,
    StandIn.NAMES: named,
}
