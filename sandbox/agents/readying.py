"""Makes ready, ahead of the first move, all that lines of a canon's people are read by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice

from sandbox.agents.objecting import Objecting
from sandbox.agents.reading import DraftReader, Unreadable, move_of
from sandbox.story.graphs import first_step
from sandbox.story.ids import PlaceId
from sandbox.story.view import CharacterView

_SENTENCES = 12
"""Read for each character: its own lines, then what it knows. They use most of what a first line would."""


def readied(views: Iterable[CharacterView], is_wanted: Callable[[], bool]) -> None:
    """Read some lines of each character, so that what is made once for a canon is there.

    Names, wordings and patterns of them, thousands in a large world, take seconds.

    Args:
        views: of a world that nobody plays, as this may run in a thread beside a story.
        is_wanted: asked before each sentence; False ends it.
    """
    for view in views:
        if not is_wanted():
            return
        check = Objecting(view)
        for sentence in islice(_sentences(view), _SENTENCES):
            if not is_wanted():
                return
            check.sentence(sentence)
            view.told_in(sentence, ())
            reply = json.dumps({"words": sentence}, ensure_ascii=False)
            DraftReader().feed(reply)
            with suppress(Unreadable):
                move_of(reply, view, ())
    _walk()


def _sentences(view: CharacterView) -> Iterator[str]:
    samples = chain.from_iterable(view.samples(pattern) for pattern in view.patterns.values())
    return chain(samples, (fact.statement for fact in view.known))


def _walk() -> None:
    """Walking loads a library of its own."""
    here, there = PlaceId("here"), PlaceId("there")
    first_step({here: [there]}, here, there)
