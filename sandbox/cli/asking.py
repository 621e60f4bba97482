"""`sandbox ask`: who knows what, from whom, and who thinks that they do; also while the story is being played."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sandbox.cli import asking_words as words
from sandbox.cli.common import load_settings, save_of
from sandbox.engine.playback import Playback
from sandbox.errors import Exit, UsageError
from sandbox.settings import Settings
from sandbox.storage.saves import Save
from sandbox.story.asking.knowing import (
    belief,
    facts_of,
    opinions,
    statement_of_saying,
    who_knows,
)
from sandbox.story.asking.lessons import Lesson, would_learn, would_learn_of
from sandbox.story.asking.names import (
    character_named,
    entity_named,
    line_named,
    predicate_named,
    saying_named,
    thread_named,
)
from sandbox.story.asking.threads import thread_answer
from sandbox.story.asking.why import why
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, ThreadId
from sandbox.story.telling.told import told_by
from sandbox.story.world import World

_LEAST_BELIEF = 3
"""One character, subject and predicate."""


@dataclass(frozen=True)
class _Asked:
    """A question, and what it is asked of."""

    world: World
    """As it stood at the turn asked about."""
    whole: World
    """As it stands at the end: a line of later may be asked about, too."""
    save: Save
    settings: Settings
    arguments: argparse.Namespace


@dataclass(frozen=True)
class _Answer:
    """An answer in both forms."""

    plain: dict[str, Any]
    """For `--json`."""
    lines: list[str]


def ask(arguments: argparse.Namespace) -> int:
    """Answer a question about a save. Takes no lock: somebody may be playing it."""
    settings = load_settings()
    save = save_of(arguments.save, settings)
    playback = Playback(save)
    whole = playback.world
    if arguments.at is not None:
        playback.jump(arguments.at)
    answer = _QUESTIONS[arguments.question](
        _Asked(playback.world, whole, save, settings, arguments)
    )
    if arguments.json:
        head = {"ask": arguments.question, "turn": playback.turn}
        print(json.dumps(head | answer.plain, ensure_ascii=False))
    else:
        print("\n".join(answer.lines))
    return Exit.OK


def _who_knows(asked: _Asked) -> _Answer:
    world, arguments = asked.world, asked.arguments
    saying = saying_named(world, arguments.fact)
    knowers = who_knows(world, saying)
    nested = opinions(world, saying) if arguments.nested else ()
    plain = _fact(world, saying) | {"people": [asdict(one) for one in knowers]}
    if arguments.nested:
        plain["thinks"] = [asdict(one) for one in nested]
    return _Answer(plain, words.who_knows(world, saying, knowers, nested))


def _knows(asked: _Asked) -> _Answer:
    world, arguments = asked.world, asked.arguments
    who = character_named(world, arguments.character)
    about = entity_named(world, arguments.about) if arguments.about else None
    facts = facts_of(world, who, about)
    plain = {"character": who, "about": about, "facts": [asdict(fact) for fact in facts]}
    return _Answer(plain, words.knows(world, who, about, facts))


def _why(asked: _Asked) -> _Answer:
    world, arguments = asked.world, asked.arguments
    who = character_named(world, arguments.character)
    found = why(world, who, saying_named(world, arguments.fact))
    plain = _fact(world, found.saying) | asdict(found)
    del plain["saying"]
    return _Answer(plain, words.why(world, found))


def _believes(asked: _Asked) -> _Answer:
    world, arguments = asked.world, asked.arguments
    if len(arguments.words) < _LEAST_BELIEF:
        raise UsageError("believes needs at least one character, a subject and a predicate.")
    *names, subject, predicate = arguments.words
    chain = [character_named(world, name) for name in names]
    found = belief(world, chain, entity_named(world, subject), predicate_named(world, predicate))
    return _Answer(asdict(found), words.believes(world, found))


def _would_learn(asked: _Asked) -> _Answer:
    world, arguments = asked.world, asked.arguments
    who = character_named(world, arguments.character)
    if arguments.by is None:
        beat, index = line_named(asked.whole, arguments.line)
        lessons = would_learn(world, who, beat, index, asked.whole)
    else:
        lessons = _from_words(world, who, character_named(world, arguments.by), arguments.line)
    plain = {"character": who, "facts": [asdict(lesson) for lesson in lessons]}
    return _Answer(plain, words.would_learn(world, who, lessons))


def _from_words(
    world: World, who: CharacterId, speaker: CharacterId, line: str
) -> tuple[Lesson, ...]:
    if who == speaker:
        raise UsageError("nobody learns from its own words. Name another as `--by`.")
    return would_learn_of(world, who, told_by(line, speaker, [who], world))


def _state(asked: _Asked) -> _Answer:
    world, arguments = asked.world, asked.arguments
    known = [ThreadId(id_) for id_ in world.canon.threads_by_id]
    named = [thread_named(world, arguments.thread)] if arguments.thread else known
    threads = [thread_answer(world, id_) for id_ in named]
    return _Answer({"threads": [asdict(one) for one in threads]}, words.threads(world, threads))


def _as(asked: _Asked) -> _Answer:
    # What a mind needs is loaded only where one is asked.
    from sandbox.cli.asking_character import asked_as

    return _Answer(*asked_as(asked.world, asked.save.manifest, asked.settings, asked.arguments))


def _fact(world: World, saying: Proposition) -> dict[str, Any]:
    subject, predicate, object_ = saying
    parts = {"subject": subject, "predicate": predicate, "object": object_}
    return {"fact": parts, "statement": statement_of_saying(world, saying)}


_QUESTIONS: dict[str, Callable[[_Asked], _Answer]] = {
    "who-knows": _who_knows,
    "knows": _knows,
    "why": _why,
    "believes": _believes,
    "would-learn": _would_learn,
    "state": _state,
    "as": _as,
}
