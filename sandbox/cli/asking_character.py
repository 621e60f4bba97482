"""`sandbox ask SAVE as CHARACTER`: a question answered off the record, from that character's view."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from typing import Any, Final

from sandbox.agents.reasoning.synthesis import Grounded, Reason
from sandbox.cli.asking_words import ROUTES, folded, turn_in_words
from sandbox.engine.off_record import OffRecord, Voice, answered, voice_of
from sandbox.errors import UsageError
from sandbox.settings import Settings
from sandbox.storage.saves import Manifest
from sandbox.story.asking.names import character_named
from sandbox.story.known import KnownFact
from sandbox.story.view import CharacterView
from sandbox.story.world import World

_REASONS: Final = {
    Reason.NOTHING_KNOWN: "nothing it knows answers this",
    Reason.UNKNOWN_NAME: "it knows nobody and nothing by that name",
    Reason.CAUSE_UNKNOWN: "it knows that it is so, and not why",
    Reason.OTHER_LANGUAGE: "the question is in another language than the story",
    Reason.EMPTY: "nothing was asked",
}


def asked_as(
    world: World, manifest: Manifest, settings: Settings, arguments: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """The answer, for programs and for people.

    Raises:
        UsageError: there is no such character; or deep thinking without a model.
        ModelError: the model failed for good.
    """
    who = character_named(world, arguments.character)
    voice = voice_of(manifest, settings)
    if arguments.deep and voice.models is None:
        raise UsageError("--deep needs a model, and none is connected. Set `SANDBOX_MODEL_NAME`.")
    view = CharacterView(world, who)
    found = asyncio.run(_answered(world, view, voice, arguments))
    plain = {"character": who, **found.plain(view)}
    if arguments.trace:
        plain["trace"] = found.trace.as_json()
    return plain, list(_lines(view, found, with_trace=arguments.trace))


async def _answered(
    world: World, view: CharacterView, voice: Voice, arguments: argparse.Namespace
) -> OffRecord:
    from sandbox.memory.embedding import WordLlama
    from sandbox.memory.in_process import InProcessStore

    store = InProcessStore(WordLlama())
    question, deep = arguments.asked, arguments.deep
    if voice.models is None:
        return await answered(world, view.me, question, voice, store, deep=deep)
    async with aclosing(voice.models):
        return await answered(world, view.me, question, voice, store, deep=deep)


def _lines(view: CharacterView, found: OffRecord, *, with_trace: bool) -> Iterator[str]:
    yield from folded(f"{view.name}: {found.said.words}")
    match found.answer:
        case Grounded() as grounded:
            head = "a chain of causes" if grounded.chain else "rests on"
            yield f"  {head}{', unsure' if grounded.is_unsure else ''}:"
            for seen in grounded.at_hand:
                yield from folded(f"{seen} (before its eyes)", "    ")
            for fact in grounded.support:
                yield from _fact(view, fact)
            if grounded.outdone:
                yield "  outdone or not believed:"
                for fact in grounded.outdone:
                    yield from _fact(view, fact)
        case refusal:
            yield f"  no answer: {_REASONS[refusal.reason]}"
    if with_trace:
        for line in found.trace.lines():
            yield from folded(line, "  ")


def _fact(view: CharacterView, fact: KnownFact) -> Iterator[str]:
    by = f" by {view.names(fact.source)}" if fact.source else ""
    yield from folded(fact.statement, "    ")
    yield from folded(f"{ROUTES[fact.route]}{by}, {turn_in_words(fact.learned_turn)}", "      ")
