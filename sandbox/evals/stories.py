"""What a rehearsed story is like: who learned what, who repeated whom. Computed from the journal alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.claims import Question
from sandbox.story.events import LineSpoken, Spoken, Whispered
from sandbox.story.fold import Fold, surviving
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.predicates import built_in
from sandbox.story.text import ngrams, overlap
from sandbox.story.world import Gained, World


@dataclass
class StoryMeasures:
    """Figures of one story."""

    most_alike: tuple[float, str, str] = (0.0, "", "")
    """The two lines of one character that share most of their 4-grams, as a share in [0, 1]."""
    told_unknown: list[str] = field(default_factory=list)
    """Told facts that were not in their teller's view."""
    secrets_out: set[str] = field(default_factory=set)
    """Secrets that reached somebody who did not know them."""
    asked_again: list[str] = field(default_factory=list)
    """Questions that somebody put after they had been answered to it."""
    longest_still: int = 0
    """Most beats in a row in which no character's F_c grew."""
    longest_without_news: int = 0
    """The same, where seeing for oneself who or what is where does not count."""
    lines: int = 0
    learned: int = 0


def measure_story(canon: Canon, start: SceneId, beats: Sequence[Beat]) -> StoryMeasures:
    """Measure a story beat by beat, as it was played."""
    fold, found = Fold(canon, start), StoryMeasures()
    lines: dict[CharacterId, list[str]] = {}
    still = without_news = 0
    for beat in surviving(beats):
        for line in _lines(beat):
            found.lines += 1
            lines.setdefault(line.actor, []).append(line.words)
            _check_line(fold.world, beat, line, found)
        gained = fold.apply(beat)
        learned = _learned(fold.world, gained, found)
        found.learned += learned
        if beat.mind in canon.cast:
            still = 0 if _new_to_anybody(fold.world, gained) else still + 1
            without_news = 0 if learned else without_news + 1
            found.longest_still = max(found.longest_still, still)
            found.longest_without_news = max(found.longest_without_news, without_news)
    found.most_alike = max((_most_alike(said) for said in lines.values()), default=(0.0, "", ""))
    return found


def _lines(beat: Beat) -> list[Spoken]:
    return [h.event for h in beat.events if isinstance(h.event, LineSpoken | Whispered)]


def _check_line(world: World, beat: Beat, line: Spoken, found: StoryMeasures) -> None:
    for claim in line.tells:
        key = (claim.subject, claim.predicate, claim.object)
        if key not in world.propositions[line.actor]:
            found.told_unknown.append(f"turn {beat.turn}: {line.actor}: {claim.said}")
    if line.asks is not None and _was_answered(world, line.actor, line.asks):
        found.asked_again.append(f"turn {beat.turn}: {line.actor}: {line.words}")


def _was_answered(world: World, who: CharacterId, question: Question) -> bool:
    """Whether a line put the answer to who asks it, after asking it before."""
    asked = False
    for percept in world.percepts[who]:
        event = percept.event
        if not isinstance(event, LineSpoken | Whispered):
            continue
        if event.actor == who:
            asked |= event.asks == question
        elif asked and any(_answers(claim, question) for claim in event.tells):
            return True
    return False


def _answers(claim: object, question: Question) -> bool:
    subject = getattr(claim, "subject", None)
    if question.predicate is None:
        return question.subject in (subject, getattr(claim, "object", None))
    return (subject, getattr(claim, "predicate", None)) == (question.subject, question.predicate)


def _new_to_anybody(world: World, gained: Gained) -> bool:
    """Whether somebody now holds what it did not hold in any form."""
    return any(len(world.propositions[w][fact.proposition]) == 1 for w, fact, _ in gained.grants)


def _learned(world: World, gained: Gained, found: StoryMeasures) -> int:
    trivial = set(built_in(world.canon.language))
    secrets = {
        item.id: world.facts[i].proposition
        for i, item in world.canon.facts_by_id.items()
        if item.secret
    }
    count = 0
    for who, fact, _ in gained.grants:
        if fact.predicate in trivial and fact.canon is None and fact.statement is None:
            continue
        if len(world.propositions[who][fact.proposition]) == 1:
            count += 1
            found.secrets_out |= {s for s, key in secrets.items() if key == fact.proposition}
    return count


def _most_alike(lines: Sequence[str]) -> tuple[float, str, str]:
    grams = [(line, ngrams(line)) for line in lines]
    pairs = ((overlap(a, b), line, other) for (line, a), (other, b) in combinations(grams, 2))
    return max(pairs, default=(0.0, "", ""))
