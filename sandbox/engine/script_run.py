"""Running a script: its steps as commands and rounds, its expectations against the world."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from sandbox.engine.scripts import Expectations, Line, Script, Step
from sandbox.engine.session import Session
from sandbox.engine.staging import brought_to_light
from sandbox.engine.updates import BeatCommitted, BeatFailed, Update
from sandbox.errors import ScriptError, StageError
from sandbox.story.beats import Detail
from sandbox.story.claims import Claim
from sandbox.story.commands import Command, Do, Edit, Fire, Go, Inject, Retract, Say
from sandbox.story.commands import Stage as StageCommand
from sandbox.story.events import Acted, LineSpoken
from sandbox.story.ids import CharacterId, FactId, PlaceId, PreparedId, ThingId
from sandbox.story.known import KnownFacts
from sandbox.story.phrases import search_in_words
from sandbox.story.text import clean
from sandbox.story.view import CharacterView
from sandbox.story.wording import Telling
from sandbox.story.world import World

_AROUND = 6
"""Beats of transcript shown with a failed expectation."""
_IDLE_ROUNDS = 3


class Expected(ScriptError):
    """An expectation of a script failed."""


async def play_script(session: Session, script: Script) -> AsyncGenerator[Update, None]:
    """Play a script step by step.

    Raises:
        ScriptError: a step is not possible, or an expectation failed; says which, where and why.
    """
    for number, step in enumerate(script.steps):
        place = f"steps.{number}.{step.given[0]}"
        if step.auto is not None:
            async with aclosing(_auto(session, step.auto)) as updates:
                async for update in updates:
                    yield update
        elif step.expect is not None:
            if problems := list(unmet(session.world, step.expect)):
                raise Expected(_report(session.world, place, problems))
        else:
            try:
                for update in session.command(command_of(step, session.world)):
                    yield update
            except StageError as error:
                raise ScriptError(f"`{place}`: {error}") from error


async def _auto(session: Session, beats: int) -> AsyncGenerator[Update, None]:
    done = idle = 0
    while done < beats and idle < _IDLE_ROUNDS:
        before = done
        async with aclosing(session.advance(beats - done)) as updates:
            async for update in updates:
                if isinstance(update, BeatFailed):
                    raise update.error
                done += isinstance(update, BeatCommitted) and update.cost is not None
                yield update
        idle = 0 if done > before else idle + 1


def command_of(step: Step, world: World) -> Command:
    """A fixed step as a command.

    Raises:
        ScriptError: a line tells a fact that its speaker does not know.
    """
    if line := step.whisper or step.say:
        return _said(line, world, whisper=step.whisper is not None)
    if step.go:
        return Go(character=CharacterId(step.go.who), place=PlaceId(step.go.place))
    if step.event:
        place = PlaceId(step.event.place) if step.event.place else None
        return Inject(text=step.event.text, place=place)
    if step.fire is not None:
        return Fire(prepared=PreparedId(step.fire))
    if step.retract is not None:
        return Retract(turn=step.retract)
    if step.edit:
        return Edit(turn=step.edit.turn, words=step.edit.words, keep=step.edit.keep)
    assert step.do is not None
    return _deed(step, world)


def _said(line: Line, world: World, *, whisper: bool) -> Command:
    who = CharacterId(line.who)
    words = clean(line.words)
    listeners = tuple(CharacterId(name) for name in line.to)
    tells = None
    if line.tells is not None:
        tells = tuple(_claim(world, who, FactId(fact), words) for fact in line.tells)
    return Say(character=who, words=words, to=listeners, whisper=whisper, tells=tells)


def _claim(world: World, who: CharacterId, fact_id: FactId, words: str) -> Claim:
    if not world.knows(who, fact_id):
        raise ScriptError(
            f"`{who}` does not know `{fact_id}` at turn {world.turn}, so it cannot tell it."
        )
    fact = world.facts[fact_id]
    return Claim(subject=fact.subject, predicate=fact.predicate, object=fact.object, said=words)


def _deed(step: Step, world: World) -> Command:
    assert step.do is not None
    who = CharacterId(step.do.who)
    if step.do.searches:
        called = world.names(who)(world.stage.where(who))
        text = step.do.text or search_in_words(world.canon.language, called)
        return Do(character=who, text=text, searches=True)
    if step.do.examines is None:
        return StageCommand(events=(Acted(actor=who, text=step.do.text or "…"),))
    thing = ThingId(step.do.examines)
    third, first = CharacterView(world, who).examining(thing)
    text = step.do.text or third or world.names(None)(thing)
    act = Acted(actor=who, text=text, first=first, examines=thing)
    return StageCommand(events=(act, *brought_to_light(act, world.stage)))


def unmet(world: World, expect: Expectations) -> Iterator[str]:
    """A line for each expectation that the world does not meet."""
    for item in expect.knows:
        who, fact = CharacterId(item.who), FactId(item.fact)
        if not world.knows(who, fact):
            knowers = ", ".join(world.knowers(fact)) or "nobody"
            yield f"`{who}` does not know `{fact}`. Known to: {knowers}."
    for item in expect.not_knows:
        who, fact = CharacterId(item.who), FactId(item.fact)
        if world.knows(who, fact):
            yield f"`{who}` knows `{fact}`: {_why(world, who, fact)}."
    for present in expect.present:
        there = world.stage.present(PlaceId(present.place))
        if sorted(present.who) != there:
            yield f"in `{present.place}` are: {', '.join(there) or 'nobody'}."


def _why(world: World, who: CharacterId, fact_id: FactId) -> str:
    """How somebody came to know a fact, in one line."""
    held = world.propositions[who].get(world.facts[fact_id].proposition, [fact_id])
    grant = KnownFacts(world, who).grants_of(held[0])[0]
    teller = f" by `{grant.teller}`" if grant.teller else ""
    when = f"at turn {grant.because.turn}" if grant.because.turn else "before the story"
    return f"{grant.route}{teller} {when}"


def _report(world: World, place: str, problems: list[str]) -> str:
    """What failed, with the transcript before it."""
    telling = Telling(world.names(None))
    lines = [f"`{place}`: at turn {world.turn}:", *(f"  {problem}" for problem in problems)]
    lines.append("before it:")
    for beat in world.beats[-_AROUND:]:
        for happened in beat.events:
            text = telling.event(happened.event, Detail.FULL)
            if text and isinstance(happened.event, LineSpoken):
                heard = ", ".join(w for w in happened.heard_in_full() if w != happened.event.actor)
                text += f" [heard: {heard or 'nobody'}]"
            if text and happened.event.kind not in ("episode_written", "scene_closed"):
                lines.append(f"  {beat.turn:4} {text}")
    return "\n".join(lines)
