"""The inspector's page on how a move came about: what came to mind, what was sent, what the guard said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandbox.agents.trace import Trace
from sandbox.tui import words
from sandbox.tui.page import Block, Span, block, para
from sandbox.tui.state import StoryState


def trace_page(state: StoryState) -> Iterator[Block]:
    """The trace of the inspected line's move; a character sees its own alone."""
    trace = state.inspected_trace
    if trace is None or trace == Trace():
        nothing = words.NO_TRACE if trace is None else words.EMPTY_TRACE
        yield block(para(Span(nothing, "dim"), hang=0))
        return
    yield from _section(words.TRACE_ASKED, [trace.asked] if trace.asked else [])
    yield from _section(words.TRACE_ANCHORS, trace.anchors)
    yield from _section(words.TRACE_PROBES, _grown(trace))
    yield from _section(words.TRACE_CONCLUSION, [trace.conclusion] if trace.conclusion else [])
    yield from _section(words.TRACE_SUPPORT, trace.support)
    yield from _section(words.TRACE_PATTERN, [trace.pattern] if trace.pattern else [])
    found = [f"{one.offence} ({one.outcome}): {one.sentence}" for one in trace.findings]
    yield from _section(words.TRACE_GUARD, found)
    for number, request in enumerate(trace.requests, start=1):
        yield _head(words.TRACE_REQUEST.format(number=number))
        for message in request.messages:
            yield block(para(Span(message.role, "dim"), hang=0))
            yield from (block(para(line, hang=0)) for line in message.content.splitlines())


def _grown(trace: Trace) -> list[str]:
    return [f"{one.probe}: {'; '.join(one.added) or words.NOTHING_NEW}" for one in trace.probes]


def _head(text: str) -> Block:
    return block(para(""), para(Span(text, "head"), hang=0))


def _section(title: str, texts: Sequence[str]) -> Iterator[Block]:
    if texts:
        yield _head(title)
        yield from (block(para("· ", text)) for text in texts)
