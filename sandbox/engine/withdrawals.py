"""Taking back: what a rewind, a retake, a retraction and an edit come to (DESIGN section 9)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from sandbox.errors import StageError
from sandbox.story.allowed import check
from sandbox.story.beats import Beat, Happened
from sandbox.story.commands import Edit, Retake, Retract, Rewind
from sandbox.story.events import Commanded, Event, SceneClosed, SceneOpened, Withdrawn
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.perception import perceive
from sandbox.story.rewording import reworded
from sandbox.story.stage import Stage
from sandbox.story.withdrawing import check_rest, stage_before, surviving
from sandbox.story.world import World

PERSON = "person"
_RETAKEN = Commanded(command="retake")


@dataclass(frozen=True)
class Order:
    """What a command comes to."""

    happened: Sequence[Happened]
    scene: SceneId | None
    clock: int
    withdraws: frozenset[int] = frozenset()
    replaces: Beat | None = None
    """The line whose place and turn the new one takes."""


def taken_back(
    command: Rewind | Retake | Retract | Edit, world: World, beats: Sequence[Beat]
) -> Order:
    """The order of a command that withdraws something.

    Args:
        command: what to take back.
        world: the world that `beats` make.
        beats: every journal line.

    Raises:
        StageError: there is nothing of the kind, or what followed could not have been without it.
    """
    story = [beat for beat in surviving(beats) if beat.is_story]
    match command:
        case Rewind():
            if command.turn >= world.turn:
                raise StageError(
                    f"the story is at turn {world.turn}: nothing to rewind after turn "
                    f"{command.turn}."
                )
            return _withdrawn(command, world, [b for b in story if b.turn > command.turn])
        case Retake():
            return _retaken(command, world, story)
        case Retract():
            return _retracted(command, world, story)
        case Edit():
            return _edited(command, world, story)


def line_of(order: Order, beats: Sequence[Beat], round_: int) -> Beat:
    """The journal line of an order that withdraws something."""
    left = [b for b in surviving(beats) if b.is_story and b.seq not in order.withdraws]
    turn = left[-1].turn if left else 0
    replaced = order.replaces
    return Beat(
        seq=beats[-1].seq + 1,
        turn=turn if replaced is None else replaced.turn,
        round=round_,
        scene=order.scene,
        mind=PERSON,
        clock=order.clock,
        events=tuple(order.happened),
        replaces=None if replaced is None else replaced.seq,
    )


def forced_by(
    beats: Sequence[Beat], since: int, cast: Container[CharacterId]
) -> CharacterId | None:
    """Whom the last withdrawal, where it was a retake after line `since`, makes act again."""
    last = next((beat for beat in reversed(beats) if beat.withdrawn_seqs), None)
    if last is None or last.seq <= since or _RETAKEN not in [h.event for h in last.events]:
        return None
    gone = (CharacterId(b.mind) for b in beats if b.seq in last.withdrawn_seqs)
    return next((who for who in gone if who in cast), None)


def _retaken(command: Retake, world: World, story: Sequence[Beat]) -> Order:
    played = [n for n, beat in enumerate(story) if beat.mind in world.canon.cast]
    if not played:
        raise StageError("no beat to play again: nobody has acted yet.")
    return _withdrawn(command, world, story[played[-1] :])


def _withdrawn(command: Rewind | Retake | Retract, world: World, gone: Sequence[Beat]) -> Order:
    seqs = tuple(beat.seq for beat in gone)
    before = [beat for beat in world.beats if beat.seq not in seqs]
    clock = before[-1].clock if before else world.canon.opening_clock(world.start)
    noted = _happened(world.stage, Commanded(command=command.kind), Withdrawn(seqs=seqs))
    return Order(noted, None, clock, frozenset(seqs))


# ── one line, and what followed stays ─────────────────────────────────────────────────────────


def _retracted(command: Retract, world: World, story: Sequence[Beat]) -> Order:
    at = _at_turn(command.turn, story)
    old, later = story[at], story[at + 1 :]
    if any(isinstance(h.event, SceneClosed) for h in old.events):
        raise StageError(
            f"turn {old.turn} is the end of a scene, which nobody did. "
            f"To go back to before it, rewind to turn {_turn_before(story, at)}."
        )
    opened = [e for e in _events_of(old) if isinstance(e, SceneOpened)]
    opened = [e for e in opened if any(beat.scene == e.scene for beat in later)]
    if not opened:
        _check_rest(world, story, at, later)
        return _withdrawn(command, world, [old])
    # The scene itself was nobody's doing, and what followed in it needs it.
    return _replaced(command, world, story, at, opened, later)


def _edited(command: Edit, world: World, story: Sequence[Beat]) -> Order:
    at = _at_turn(command.turn, story)
    events = reworded(_events_of(story[at]), command.words, world.canon)
    if events is None:
        raise StageError(
            f"turn {command.turn} has no words that could be changed. To take it out of the story, "
            f"retract turn {command.turn}."
        )
    return _replaced(command, world, story, at, events, story[at + 1 :] if command.keep else [])


def _replaced(
    command: Retract | Edit,
    world: World,
    story: Sequence[Beat],
    at: int,
    events: Sequence[Event],
    later: Sequence[Beat],
) -> Order:
    """Other events in the place of a line, witnessed as the stage stood then."""
    old = story[at]
    gone = {beat.seq for beat in story[at:]} - {beat.seq for beat in later}
    withdrawn = Withdrawn(seqs=tuple(sorted(gone)))
    stage = stage_before(world.canon, world.start, story, old.seq)
    happened = _happened(stage, Commanded(command=command.kind), withdrawn, *events)
    new = old.model_copy(update={"seq": -1, "events": tuple(happened)})
    _check_rest(world, story, at, [new, *later])
    return Order(happened, old.scene, old.clock, frozenset(gone), old)


def _events_of(beat: Beat) -> list[Event]:
    """What happened in a line, without what a person ordered."""
    events = (happened.event for happened in beat.events)
    return [event for event in events if not isinstance(event, Commanded | Withdrawn)]


def _at_turn(turn: int, story: Sequence[Beat]) -> int:
    """Where the beat of a turn stands.

    Raises:
        StageError: the story has none; says which it has.
    """
    found = next((n for n, beat in enumerate(story) if beat.turn == turn), None)
    if found is not None:
        return found
    last = story[-1].turn if story else 0
    if 1 <= turn <= last:
        raise StageError(f"turn {turn} was withdrawn before: nothing of it is left.")
    raise StageError(f"no turn {turn}: the story has turns 1 to {last}.")


def _turn_before(story: Sequence[Beat], at: int) -> int:
    return story[at - 1].turn if at else 0


def _check_rest(world: World, story: Sequence[Beat], at: int, after: Sequence[Beat]) -> None:
    stage = stage_before(world.canon, world.start, story, story[at].seq)
    try:
        check_rest(story[at:], after, stage)
    except StageError as error:
        before = _turn_before(story, at)
        raise StageError(
            f"turn {story[at].turn} cannot be taken out alone: {str(error).rstrip('.')}. "
            f"Rewind to turn {before}, or branch there, to go on without what followed."
        ) from None


def _happened(stage: Stage, *events: Event) -> list[Happened]:
    """Events one after another, with their witnesses. Their texts are masked already."""
    stage, found = stage.copy(), list[Happened]()
    for event in events:
        check(event, stage)
        found.append(perceive(event, stage))
        stage.apply(event)
    return found


def withdrawals_until(beats: Iterable[Beat], turn: int) -> tuple[Beat, ...]:
    """The shortest beginning of a journal in which the story up to a turn is what it is in all of it."""
    lines = tuple(beats)
    story = _story_until(lines, turn)
    cut = max((beat.seq for beat in story), default=0)
    later = (beat.seq for beat in lines[cut:] if beat.withdrawn_seqs)
    for seq in (cut, *later):
        if _story_until(lines[:seq], turn) == story:
            return lines[:seq]
    return lines


def _story_until(lines: Sequence[Beat], turn: int) -> list[Beat]:
    return [beat for beat in surviving(lines) if beat.is_story and beat.turn <= turn]
