"""Choosing a pattern: m*, by situation and mood turn (ReverieMem, section 3.3; DESIGN section 7, point 5).

The paper chooses by the turn of emotion alone. Here the kind of situation weighs more: a world's
patterns always say which they answer to, and not always what mood they begin from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from sandbox.memory.keywords import keyword_score, keyword_scores
from sandbox.story.chance import Chance
from sandbox.story.events import LineSpoken, Whispered, actor_of
from sandbox.story.ids import PatternId
from sandbox.story.people import Occasion, Pattern
from sandbox.story.percepts import Percept
from sandbox.story.view import CharacterView

_OCCASION, _TURN, _MOOD, _WORDS = 1.0, 0.7, 0.5, 0.6
"""Weights: the kind of situation, the very turn of mood, the mood it begins from, shared words."""
_OPEN = 1.6
"""Weight of mood and words for a pattern grown in play that names no kind of situation."""
_FITS = 0.6
"""Share of the best score from which another pattern fits as well."""
_SAME_MOOD = 0.6
"""Share of a mood's words from which it is the same mood in other words."""
_LATELY = 6
"""Turns for which a turn of mood is still felt."""
_LATEST = 6
"""Percepts that make the situation, where nothing is said of it."""
_ASKED = ("?", "？")


def chosen_pattern(
    view: CharacterView,
    chance: Chance,
    situation: str = "",
    occasions: Collection[Occasion] = (),
) -> Pattern | None:
    """The pattern that fits best; another one than last time where another fits as well.

    Args:
        view: whose patterns.
        chance: decides between those that fit alike.
        situation: in words. Empty: what was perceived lately.
        occasions: which kinds of situation it is. Empty: judged from what was perceived lately.

    Returns:
        None where the character has no pattern, or none that fits at all.
    """
    patterns = list(view.patterns.values())
    if not patterns:
        return None
    scores = _scores(view, patterns, situation or _lately(view), occasions or occasions_of(view))
    return _best(view.last_pattern, patterns, scores, chance)


def _best(
    last: PatternId | None, patterns: Sequence[Pattern], scores: Sequence[float], chance: Chance
) -> Pattern | None:
    top = max(scores)
    if top <= 0:
        return None
    fitting = [n for n, score in enumerate(scores) if score >= top * _FITS]
    fitting = [n for n in fitting if patterns[n].id != last] or fitting
    return patterns[max(chance.shuffled("pattern", fitting), key=scores.__getitem__)]


def _scores(
    view: CharacterView,
    patterns: Sequence[Pattern],
    situation: str,
    occasions: Collection[Occasion],
) -> list[float]:
    """How well each pattern fits, from 0 for not at all."""
    words = keyword_scores(situation, [pattern.situation for pattern in patterns])
    scores = []
    for pattern, shared in zip(patterns, words, strict=True):
        named = not set(occasions).isdisjoint(pattern.occasions)
        felt = _mood_score(view, pattern) + _WORDS * shared
        score = _OCCASION * named + felt if pattern.occasions else _OPEN * felt
        scores.append(round(score, 6))  # the last digits of a sum must not decide
    return scores


def _mood_score(view: CharacterView, pattern: Pattern) -> float:
    """By the mood it begins from: mine now, or the one that has just turned into mine."""
    if pattern.mood_before is None:
        return 0.0
    turned = view.mood_turns[-1] if view.mood_turns else None
    # The turn of the story counts what others do elsewhere too: only what was perceived is mine.
    if turned is not None and view.percepts[-1].beat.turn - turned.turn <= _LATELY:
        is_turn = _is_mood(pattern.mood_before, turned.before)
        if is_turn and _is_mood(pattern.mood_after or "", turned.after):
            return _TURN
    return _MOOD * _is_mood(pattern.mood_before, view.mood)


@lru_cache(maxsize=1024)
def _is_mood(wanted: str, mood: str) -> bool:
    return keyword_score(wanted, mood) >= _SAME_MOOD


# ── the situation, from what was perceived ────────────────────────────────────────────────────


def _lately(view: CharacterView) -> str:
    """The latest percepts in words."""
    return " ".join(view.worded(percept) for percept in view.percepts[-_LATEST:])


def occasions_of(view: CharacterView) -> tuple[Occasion, ...]:
    """Which kinds of situation it is, by what came since the character's own last deed."""
    if not view.people:
        return (Occasion.SEARCHING, Occasion.IDLE)
    news = list(takewhile(lambda p: actor_of(p.event) != view.me, _latest_first(view)))
    if any(_asks_me(view, percept) for percept in news):
        return (Occasion.ANSWERING,)
    if any(view.told_by(percept) for percept in news):
        return (Occasion.LEARNING,)
    return (Occasion.ASKING, Occasion.TELLING, Occasion.IDLE)


def _latest_first(view: CharacterView) -> Iterator[Percept]:
    return reversed(view.percepts[-_LATEST:])


def _asks_me(view: CharacterView, percept: Percept) -> bool:
    line = percept.event
    if not isinstance(line, LineSpoken | Whispered) or view.me not in line.targets:
        return False
    return view.asked_by(percept) is not None or line.words.rstrip('"”’」』 ').endswith(_ASKED)
