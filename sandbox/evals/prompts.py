"""How large requests are over a story, whether they grow, and how much of them a prompt cache can keep."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.updates import BeatCommitted
from sandbox.evals.loopback import InstantEndpoint, new_words
from sandbox.evals.requests import Step, facts_in, open_ways, step_of
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.worlds import read_world
from sandbox.story.tokens import estimated_tokens

_WARM_UP_SHARE = 0.2
"""Of a story, after which percepts and summaries fill their budgets; the slope is taken of the rest."""
_TELLS_EVERY, _WALKS_EVERY = 3, 17
_ATTEMPT_MESSAGES = 2
"""Messages of a first attempt; a retry adds one."""


class Talkative(InstantEndpoint):
    """An endpoint whose people tell what they know and walk about, so that knowledge spreads."""

    def move(self, messages: Sequence[str]) -> dict[str, Any]:
        """New words; every third time a fact of the prompt, now and then a walk."""
        move, number = new_words(self.requests), self.requests
        if step_of(messages) is not Step.MOVE:
            return move
        if (facts := facts_in(messages)) and number % _TELLS_EVERY == 0:
            move["words"] = facts[number // _TELLS_EVERY % len(facts)]
        if (ways := open_ways(messages)) and number % _WALKS_EVERY == 0:
            move |= {"go": ways[number % len(ways)], "words": ""}
        return move


def prompt_figures(world: Path, folder: Path, beats: int) -> dict[str, float]:
    """Figures of the requests of one story, by name with the language of its world before it."""
    language = read_world(world).language
    prompts = asyncio.run(_prompts(world, folder, beats))
    return {f"{language}_{name}": figure for name, figure in figures_of(prompts).items()}


async def _prompts(world: Path, folder: Path, beats: int) -> list[tuple[str, ...]]:
    """The messages of every first attempt of a story over real HTTP on loopback."""
    async with Talkative() as endpoint:
        settings = Settings(model=ModelSettings(name="talkative", base_url=endpoint.base_url))
        session = open_session(begin(folder, Beginning(world), settings), settings, "in_process")
        session.start()
        done = 0
        try:
            while done < beats:
                async with aclosing(session.advance(beats - done)) as updates:
                    async for update in updates:
                        done += isinstance(update, BeatCommitted) and update.cost is not None
        finally:
            await session.close()
    return [
        prompt
        for prompt in endpoint.prompts
        if len(prompt) == _ATTEMPT_MESSAGES and step_of(prompt) is Step.MOVE
    ]


def figures_of(prompts: Sequence[tuple[str, ...]]) -> dict[str, float]:
    """Size, slope and shared prefix of requests in the order in which they were sent."""
    sizes = [sum(map(estimated_tokens, prompt)) for prompt in prompts]
    warm = int(len(sizes) * _WARM_UP_SHARE)
    shared = list(_shared(prompts))
    texts = ["\n".join(prompt) for prompt in prompts]
    return {
        "prompt_tokens_mean": round(statistics.mean(sizes)),
        "prompt_tokens_most": max(sizes),
        "prompt_tokens_slope_per_100_moves": round(slope(sizes[warm:]) * 100, 2),
        "prefix_chars_mean": round(statistics.mean(map(len, shared))),
        "prefix_tokens_mean": round(statistics.mean(map(estimated_tokens, shared))),
        "prefix_share": round(sum(map(len, shared)) / sum(map(len, texts)), 3),
        "prefix_share_median": round(
            statistics.median(len(a) / len(b) for a, b in zip(shared, texts, strict=True)), 3
        ),
    }


def _shared(prompts: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """What each request begins with as the one before of the same character did; its first: nothing."""
    before = dict[str, str]()
    for prompt in prompts:
        who, text = prompt[0].split("\n", 1)[0], "\n".join(prompt)
        yield text[: _same(before.get(who, ""), text)]
        before[who] = text


def _same(a: str, b: str) -> int:
    """How many characters two texts begin with in common."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((at for at, (x, y) in pairs if x != y), min(len(a), len(b)))


def slope(sizes: Sequence[float]) -> float:
    """Least-squares slope, for each step; 0 for fewer than two."""
    if len(sizes) < 2:
        return 0.0
    return statistics.linear_regression(range(len(sizes)), sizes).slope
