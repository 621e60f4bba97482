"""A reply that is read as a whole, and not as it arrives."""

from __future__ import annotations

from contextlib import aclosing

from sandbox.agents.minds import Cost, Outside
from sandbox.models.port import Chunk, Request, Usage
from sandbox.models.retrying import Restarted


async def heard(outside: Outside, step: str, request: Request, cost: Cost) -> str:
    """The whole reply; its cost is counted.

    Raises:
        ModelError: the model failed for good.
    """
    cost.calls += 1
    text, usage = "", Usage()
    async with aclosing(outside.reply(step, 0, request)) as pieces:
        async for piece in pieces:
            match piece:
                case Chunk(kind="reply"):
                    text += piece.text
                case Restarted():
                    cost.repeats += 1
                    text = ""
                case Usage():
                    usage = piece
                case _:
                    pass
    cost.count(usage, request, text)
    return text
