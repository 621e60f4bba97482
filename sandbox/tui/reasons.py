"""Why somebody knows something, for the inspector: the chain of sources, confirmations, contradictions."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.story.asking.knowing import Holding
from sandbox.story.asking.why import Learning, why, why_own
from sandbox.story.facts import Mode, Proposition
from sandbox.story.ids import CharacterId
from sandbox.story.routes import Route
from sandbox.tui import words
from sandbox.tui.page import Block, Span, block, para
from sandbox.tui.state import StoryState


def reasons(
    state: StoryState, who: CharacterId, saying: Proposition, *, with_words: bool = True
) -> Iterator[Block]:
    """How somebody came to know a fact; nothing where it did not.

    Through its own eyes only what it can say itself: how its teller knew is not in its mind.
    `with_words`: also the sentence it got.
    """
    if state.viewpoint not in (None, who):
        return
    is_own = state.viewpoint is not None
    found = why_own(state.world, who, saying) if is_own else why(state.world, who, saying)
    for depth, link in enumerate(found.chain):
        yield _link(state, link, depth, with_words=with_words and depth == 0)
    if found.is_groundless and (teller := found.chain[-1].speaker):
        text = words.FROM_NOBODY.format(name=state.name(teller))
        depth = len(found.chain)
        yield block(para(Span(f"└ {text}", "dim"), indent=2 * depth + 2, hang=2 * depth + 4))
    for link in found.confirmed:
        text = words.CONFIRMED.format(source=_occasion(state, link))
        yield block(para(Span(text, "dim"), indent=2, hang=4))
    if len({held.object for held in found.held}) > 1:
        for held in found.held:
            yield _held(state, held)


def _link(state: StoryState, link: Learning, depth: int, *, with_words: bool) -> Block:
    """The first link is of whom the page speaks; each later one names its learner."""
    lead = f"└ {state.name(link.who)}: " if depth else ""
    indent = 2 * depth
    how = para(f"{lead}{_occasion(state, link)}", indent=indent + 2, hang=indent + 4)
    said = para(Span(f"“{link.said}”", "dim"), indent=indent + 4, hang=indent + 4)
    return block(how, *([said] if with_words else []))


def _occasion(state: StoryState, link: Learning) -> str:
    parts = [source(state, link.route, link.teller, link.turn)]
    parts += [state.name(link.place)] if link.place else []
    parts += [words.IN_TRUTH.format(name=state.name(link.truly))] if link.truly else []
    parts += [words.FACT_GUESS] if link.is_guess else []
    return words.GROUPS.join(parts)


def source(state: StoryState, route: Route, teller: CharacterId | None, turn: int) -> str:
    """A route with its teller and turn."""
    shown = words.ROUTES[route]
    if teller is not None:
        shown = words.FACT_FROM.format(route=shown, name=state.name(teller))
    when = words.EPISODE_TURN.format(turn=turn) if turn else words.BEFORE_PLAY
    return words.GROUPS.join([shown, when])


def _held(state: StoryState, held: Holding) -> Block:
    """One of several values that somebody learned, side by side with the others."""
    modes = {Mode.SUPPOSED: words.HELD_GUESS, Mode.DENIED: words.HELD_DENIAL}
    value = state.name(held.object) + modes.get(held.mode, "")
    who = words.OWN_EYES
    if held.is_told:
        who = (
            words.HELD_TOLD.format(name=state.name(held.teller)) if held.teller else words.HELD_SAID
        )
    text = f"{value}: {words.STANDINGS[held.standing]}"
    return block(para(f"≠ {text}", Span(f" ({who})", "dim"), indent=2, hang=4))
