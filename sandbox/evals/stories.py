"""What a rehearsed story is like: who learned what, who repeated or deceived whom. From the journal alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.beliefs import BELIEVES_FROM, believed, entries
from sandbox.story.canon import Canon, CanonFact
from sandbox.story.claims import Claim, Question
from sandbox.story.events import LineSpoken, Spoken, Whispered
from sandbox.story.facts import Mode
from sandbox.story.fold import Fold, surviving
from sandbox.story.ids import CharacterId, FactId, SceneId, ThreadId
from sandbox.story.predicates import built_in
from sandbox.story.text import ngrams, overlap
from sandbox.story.threads import thread_state
from sandbox.story.world import Gained, World

_KNOWING = (Mode.NARRATED, Mode.CLAIMED)


@dataclass(frozen=True)
class Lie:
    """A claim whose teller holds another value, which it keeps from whom it says it to."""

    turn: int
    teller: CharacterId
    claim: Claim
    believed_by: tuple[CharacterId, ...]
    """Those who heard it and then believed it."""


@dataclass
class StoryMeasures:
    """Figures of one story."""

    most_alike: tuple[float, str, str] = (0.0, "", "")
    """The two lines of one character that share most of their 4-grams, as a share in [0, 1]."""
    told_unknown: list[str] = field(default_factory=list)
    """Told facts that were neither in their teller's view nor a lie by which it keeps one."""
    overstated: list[str] = field(default_factory=list)
    """What was told as so though its teller does not believe it, and keeps nothing by it."""
    secrets_out: set[str] = field(default_factory=set)
    """Secrets that somebody came to know who did not."""
    lies: list[Lie] = field(default_factory=list)
    threads_moved: list[tuple[str, str]] = field(default_factory=list)
    """(thread, state) each time the state of a thread became another."""
    asked_again: list[str] = field(default_factory=list)
    """Questions that somebody put after somebody it trusts had answered them to it."""
    longest_still: int = 0
    """Most beats in a row in which no character's F_c grew."""
    longest_without_news: int = 0
    """The same, where seeing for oneself who or what is where does not count."""
    lines: int = 0
    learned: int = 0

    @property
    def lies_believed(self) -> list[Lie]:
        return [lie for lie in self.lies if lie.believed_by]


def measure_story(canon: Canon, start: SceneId, beats: Sequence[Beat]) -> StoryMeasures:
    """Measure a story beat by beat, as it was played."""
    fold, found = Fold(canon, start), StoryMeasures()
    lines: dict[CharacterId, list[str]] = {}
    states = _states(fold.world)
    still = without_news = 0
    for beat in surviving(beats):
        lied: list[tuple[Happened, Spoken, Claim]] = []
        for happened, line in _lines(beat):
            found.lines += 1
            lines.setdefault(line.actor, []).append(line.words)
            lied += [(happened, line, c) for c in _checked(fold.world, beat, line, found)]
        gained = fold.apply(beat)
        found.lies += [_lie(fold.world, beat, h, line.actor, c) for h, line, c in lied]
        learned = _learned(fold.world, gained, found)
        found.learned += learned
        if gained.grants:
            states = _moved(fold.world, states, found)
        if beat.mind in canon.cast:
            still = 0 if _new_to_anybody(fold.world, gained) else still + 1
            without_news = 0 if learned else without_news + 1
            found.longest_still = max(found.longest_still, still)
            found.longest_without_news = max(found.longest_without_news, without_news)
    found.most_alike = max((_most_alike(said) for said in lines.values()), default=(0.0, "", ""))
    return found


def _lines(beat: Beat) -> Iterator[tuple[Happened, Spoken]]:
    for happened in beat.events:
        if isinstance(happened.event, LineSpoken | Whispered):
            yield happened, happened.event


# ── what is told ──────────────────────────────────────────────────────────────────────────────


def _checked(world: World, beat: Beat, line: Spoken, found: StoryMeasures) -> Iterator[Claim]:
    """Note what should not have been said; yields the claims that are lies."""
    for claim in line.tells:
        place = f"turn {beat.turn}: {line.actor}: {claim.said}"
        if _is_lie(world, line, claim):
            yield claim
        elif (claim.subject, claim.predicate, claim.object) not in world.propositions[line.actor]:
            found.told_unknown.append(place)
        elif claim.mode == "claimed" and not _believes(world, line.actor, claim):
            found.overstated.append(place)
    if line.asks is not None and _was_answered(world, line.actor, line.asks):
        found.asked_again.append(f"turn {beat.turn}: {line.actor}: {line.words}")


def _believes(world: World, who: CharacterId, claim: Claim) -> bool:
    held = entries(world, (who,), claim.subject, claim.predicate)
    return any(e.object == claim.object and e.standing == "believed" for e in held)


def _is_lie(world: World, line: Spoken, claim: Claim) -> bool:
    """Whether the teller holds another value, and means to keep that from those it speaks to."""
    key = (claim.subject, claim.predicate, claim.object)
    if claim.mode != "claimed" or key in world.propositions[line.actor]:
        return False
    canon = world.canon
    for keep in canon.cast[line.actor].keeps:
        fact = world.facts.get(keep.fact)
        if (
            fact is None
            or not canon.holds(keep, world.start)
            or not world.knows(line.actor, fact.id)
        ):
            continue
        is_about = (fact.subject, fact.predicate) == (claim.subject, claim.predicate)
        if is_about and not set(line.targets) <= set(keep.unless):
            return True
    return False


def _lie(world: World, beat: Beat, happened: Happened, teller: CharacterId, claim: Claim) -> Lie:
    """The lie, and who among its hearers holds it for true now that it is told."""

    def holds(who: CharacterId) -> bool:
        return believed(world, (who,), claim.subject, claim.predicate) == claim.object

    hearers = [who for who in happened.heard_in_full() if who != teller]
    deceived = tuple(who for who in hearers if holds(who)) if not holds(teller) else ()
    return Lie(beat.turn, teller, claim, deceived)


# ── what is asked ─────────────────────────────────────────────────────────────────────────────


def _was_answered(world: World, who: CharacterId, question: Question) -> bool:
    """Whether trusted lines put one answer to who asks it, after asking it before."""
    asked, since, answers = False, False, set[str]()
    for percept in world.percepts[who]:
        event = percept.event
        if percept.detail is not Detail.FULL or not isinstance(event, LineSpoken | Whispered):
            continue
        if event.actor == who:
            asked |= event.asks == question
        elif world.canon.cast[who].trust.get(event.actor, 1.0) >= BELIEVES_FROM:
            told = [c.object for c in event.tells if c.mode == "claimed" and _answers(c, question)]
            answers.update(told)
            since |= asked and bool(told)
    if question.predicate is None or not world.canon.predicates[question.predicate].functional:
        return since
    return since and len(answers) == 1  # two that do not agree leave it open


def _answers(claim: Claim, question: Question) -> bool:
    if question.predicate is None:
        return question.subject in (claim.subject, claim.object)
    return (claim.subject, claim.predicate) == (question.subject, question.predicate)


# ── what comes of it ──────────────────────────────────────────────────────────────────────────


def _states(world: World) -> dict[ThreadId, str]:
    return {thread: thread_state(world, thread) for thread in world.canon.threads_by_id}


def _moved(world: World, before: dict[ThreadId, str], found: StoryMeasures) -> dict[ThreadId, str]:
    now = _states(world)
    found.threads_moved += [(t, state) for t, state in now.items() if before[t] != state]
    return now


def _new_to_anybody(world: World, gained: Gained) -> bool:
    """Whether somebody now holds what it did not hold in any form."""
    return any(len(world.propositions[w][fact.proposition]) == 1 for w, fact, _ in gained.grants)


def _learned(world: World, gained: Gained, found: StoryMeasures) -> int:
    trivial = set(built_in(world.canon.language))
    secrets = {world.facts[FactId(i.id)].proposition: i.id for i in _secrets(world)}
    count = 0
    for who, fact, _ in gained.grants:
        if fact.predicate in trivial and fact.canon is None and fact.statement is None:
            continue
        held = world.propositions[who][fact.proposition]
        count += len(held) == 1
        knowing = [id_ for id_ in held if world.facts[id_].mode in _KNOWING]
        if knowing == [fact.id] and fact.proposition in secrets:
            found.secrets_out.add(secrets[fact.proposition])
    return count


def _secrets(world: World) -> list[CanonFact]:
    return [item for item in world.canon.facts if item.secret and FactId(item.id) in world.facts]


def _most_alike(lines: Sequence[str]) -> tuple[float, str, str]:
    grams = [(line, ngrams(line)) for line in lines]
    pairs = ((overlap(a, b), line, other) for (line, a), (other, b) in combinations(grams, 2))
    return max(pairs, default=(0.0, "", ""))
