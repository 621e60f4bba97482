"""What rehearsal says is said from what its speaker holds: the guard finds nothing in it."""

import asyncio
from pathlib import Path

import pytest

from sandbox.agents.guarding import Guard
from sandbox.story.events import LineSpoken, Whispered
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView
from tests.property.test_stories import rehearsed

LEAST_SAID = 60
"""Sentences in a hundred beats."""


@pytest.mark.parametrize("seed", [1, 7])
@pytest.mark.parametrize("world", ["lantern_inn", "jiangcun_duchuan"])
def test_nothing_is_found_in_what_rehearsal_says(tmp_path: Path, world: str, seed: int) -> None:
    fold, beats = asyncio.run(rehearsed(tmp_path / "story", world, seed))
    said, found = 0, []
    for beat in beats:
        for line in (happened.event for happened in beat.events):
            if isinstance(line, LineSpoken | Whispered):
                guard = Guard(CharacterView(fold.world, line.actor), line.targets)
                for sentence in spoken_sentences(line.words):
                    said += 1
                    found += [(line.actor, f)] if (f := guard.check(sentence)) else []
        fold.apply(beat)
    assert found == []
    assert said > LEAST_SAID
