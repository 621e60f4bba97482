"""Withdrawal: the story without some of its lines (DESIGN section 9, "folding without it").

Lines spoken later stay and still tell; what has no evidence left goes. Witnesses are never computed
anew (invariant 4), so a line may be withdrawn alone only where what followed would have happened,
and been perceived, just as it was.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from sandbox.errors import StageError
from sandbox.story.allowed import check
from sandbox.story.beats import Beat, Happened
from sandbox.story.canon import Canon
from sandbox.story.events import Event, Withdrawn
from sandbox.story.first_stage import stage_at
from sandbox.story.ids import EventId, SceneId
from sandbox.story.perception import perceive
from sandbox.story.stage import Stage

_NOTHING = Happened(event=Withdrawn(seqs=()))
"""Stands where an event was lost with what it rests on: those after it keep their ids."""

T = TypeVar("T")


def surviving(beats: Iterable[Beat]) -> list[Beat]:
    """The beats that no later line withdraws, in story order.

    An edit stands where the line stood that it replaces. What was made of what is gone (an episode,
    an inferred belief) is gone with it, whole, and so is what rests on that. A withdrawal is for
    good: that its own line is withdrawn brings nothing back.
    """
    all_beats = list(beats)
    gone = {seq for beat in all_beats for seq in beat.withdrawn_seqs if seq < beat.seq}
    if not gone:
        return _in_story_order(all_beats)
    lost = {b.event_id(i) for b in all_beats if b.seq in gone for i in range(len(b.events))}
    left = [_without_baseless(beat, lost) for beat in all_beats if beat.seq not in gone]
    return _in_story_order([beat for beat in left if beat is not None])


def _without_baseless(beat: Beat, lost: set[EventId]) -> Beat | None:
    """The beat without what rests on something lost, which is then lost too; None: nothing is left."""
    kept = list(beat.events)
    for index, happened in enumerate(beat.events):
        if lost.intersection(getattr(happened.event, "rests_on", ())):
            lost.add(beat.event_id(index))
            kept[index] = _NOTHING
    if _NOTHING not in kept:
        return beat
    left = any(happened != _NOTHING for happened in kept)
    return beat.model_copy(update={"events": tuple(kept)}) if left else None


def _in_story_order(left: list[Beat]) -> list[Beat]:
    """An edit has the turn of the line it replaces, and turns run up along a story."""
    if all(beat.replaces is None for beat in left):
        return left
    return sorted(left, key=lambda beat: (beat.turn, beat.seq))


def index_of(items: Sequence[T], wanted: Any, key: Callable[[T], Any]) -> int | None:
    """Where the item with key `wanted` stands among items in story order.

    Numbers of lines run up along a story but for its edits, so it is looked for at its place first.
    """
    at = bisect_left(items, wanted, key=key)
    if at < len(items) and key(items[at]) == wanted:
        return at
    return next((n for n, item in enumerate(items) if key(item) == wanted), None)


# ── whether what followed still stands ────────────────────────────────────────────────────────


def stage_before(canon: Canon, start: SceneId, story: Sequence[Beat], seq: int) -> Stage:
    """The stage as it stood before line `seq` of a story happened."""
    stage = stage_at(canon, start)
    for beat in story:
        if beat.seq == seq:
            break
        _follow(stage, beat)
    return stage


def _follow(stage: Stage, beat: Beat) -> None:
    for happened in beat.events:
        stage.apply(happened.event)


def check_rest(before: Sequence[Beat], after: Sequence[Beat], stage: Stage) -> None:
    """Refuse a change of the story after which what followed could not have been as it was.

    Args:
        before: the surviving story from the first line on that is changed.
        after: the same, changed.
        stage: as it stood before both.

    Raises:
        StageError: names the first turn that could not have been, and why.
    """
    was, now = stage, stage.copy()
    kept = {beat.seq for beat in before} & {beat.seq for beat in after}
    changes = len(before) + len(after) - 2 * len(kept)
    past = iter(before)
    for beat in after:
        if beat.seq not in kept:
            changes -= 1
            _follow(now, beat)
            continue
        for other in past:
            if other.seq == beat.seq:
                break
            changes -= 1
            _follow(was, other)
        if not changes and was == now:
            return
        _compare(beat, was, now)


def _compare(beat: Beat, was: Stage, now: Stage) -> None:
    """Let a later line happen on both stages, and refuse where that is not the same."""
    for happened in beat.events:
        event = happened.event
        try:
            check(event, now)
        except StageError as error:
            problem = str(error).rstrip(".")
            raise StageError(f"turn {beat.turn} could not have been: {problem}") from None
        if problem := _other_witnesses(event, was, now):
            raise StageError(f"turn {beat.turn} would have been perceived otherwise: {problem}")
        was.apply(event)
        now.apply(event)


def _other_witnesses(event: Event, was: Stage, now: Stage) -> str:
    """Who would perceive an event in another way than they did; empty: nobody."""
    old, new = perceive(event, was), perceive(event, now)
    if old == new:
        return ""
    everybody = sorted({*old.witnesses, *new.witnesses})
    others = [who for who in everybody if old.witnesses.get(who) != new.witnesses.get(who)]
    return f"by {', '.join(f'`{who}`' for who in others)}" if others else "who noticed whom"
