"""What each move of a story takes of our own, the answering end not counted."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass

from sandbox.agents.minds import Cost
from sandbox.agents.trace import Trace
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatCommitted
from sandbox.evals.loopback import InstantEndpoint


@dataclass(frozen=True)
class Timed:
    """One move, from the begin of its round to its commit."""

    own_ms: float
    """Milliseconds by the clock, without those of the endpoint."""
    cpu_ms: float
    """Milliseconds of the processor, in all threads, without those of the endpoint."""
    cost: Cost
    trace: Trace


async def timed_moves(session: Session, endpoint: InstantEndpoint, moves: int) -> list[Timed]:
    """Play so many moves, one a round."""
    taken = list[Timed]()
    while len(taken) < moves:
        began = _spent(endpoint)
        async with aclosing(session.advance(1)) as updates:
            async for update in updates:
                if isinstance(update, BeatCommitted) and update.cost is not None:
                    own, cpu = (
                        now - then for now, then in zip(_spent(endpoint), began, strict=True)
                    )
                    assert update.trace is not None
                    taken.append(Timed(own * 1000, cpu * 1000, update.cost, update.trace))
    return taken


def _spent(endpoint: InstantEndpoint) -> tuple[float, float]:
    """Seconds by the clock and of the processor that are not the endpoint's."""
    return time.perf_counter() - endpoint.busy_s, time.process_time() - endpoint.cpu_s
