"""The inspector's matrix: who knows a fact and since when, and who thinks who does.

The director sees into every mind. Through a character's eyes the facts are its own, in its own
wording, and of others it shows only what that character thinks they know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandbox.story.asking.knowing import (
    Knowing,
    Opinion,
    knower,
    opinions,
    statement_of_saying,
    thinks,
    who_knows,
)
from sandbox.story.facts import Grant, Mode, Proposition
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.known import KnownFacts
from sandbox.tui import words
from sandbox.tui.page import Block, Paragraph, Span, Style, block, padded, para
from sandbox.tui.reasons import reasons, source
from sandbox.tui.state import LineKey, StoryState, key_of

_FACTS = 15
"""Facts listed at most under the one that is asked about."""
_NEWEST = 40
"""Facts that can be reached by asking for the next one."""
_NAME_CELLS = 10
_MARKS = {
    Knowing.KNOWS: "✓",
    Knowing.DOUBTS: "?",
    Knowing.HOLDS_OTHER: "≠",
    Knowing.GUESSES: "~",
    Knowing.LACKS: "✗",
}
_THINKS = {True: "✓", False: "✗", None: "·"}


def matrix_page(state: StoryState) -> Iterator[Block]:
    """The fact asked about, and others to choose from."""
    sayings = askable(state)
    asked = (
        state.asked if state.asked and _may_ask(state, state.asked) else next(iter(sayings), None)
    )
    if asked is None:
        yield block(para(Span(words.NOTHING_TO_ASK, "dim"), hang=0))
        return
    people = people_shown(state)
    yield block(para(Span(statement(state, asked), "name"), hang=0))
    yield from (
        _as_thought(state, asked, people) if state.viewpoint else _as_it_is(state, asked, people)
    )
    others = [saying for saying in sayings if saying != asked][:_FACTS]
    if others:
        yield _head(words.OTHER_FACTS)
        yield _numbers(people)
        yield from (_listed(state, saying, people) for saying in others)


def next_asked(state: StoryState) -> Proposition | None:
    """The fact after the one asked about, round and round among those that are listed."""
    sayings = askable(state)
    if not sayings:
        return None
    at = sayings.index(state.asked) if state.asked in sayings else 0
    return sayings[(at + 1) % len(sayings)]


def askable(state: StoryState) -> list[Proposition]:
    """What is offered to be asked about: what the inspected line taught, then what was learned last.

    Through a character's eyes: nothing that it does not know.
    """
    world = state.world
    people = [state.viewpoint] if state.viewpoint else sorted(world.grants)
    line = state.inspected_line
    here = [world.facts[id_] for _, id_, _ in taught_by(state, key_of(line))] if line else []
    newest: dict[Proposition, tuple[int, int]] = {}
    for who in people:
        # What was first learned last stands last.
        for id_ in list(world.grants[who])[-_NEWEST:]:
            because = world.grants[who][id_][0].because
            rank = (because.turn, because.seq)
            if (fact := world.facts[id_]).mode is not Mode.DENIED:
                newest[fact.proposition] = max(newest.get(fact.proposition, rank), rank)
    taught = [fact.proposition for fact in here if fact.mode is not Mode.DENIED]
    latest = sorted(newest, key=lambda saying: newest[saying], reverse=True)
    return list(dict.fromkeys([*taught, *latest]))[:_NEWEST]


def taught_by(state: StoryState, key: LineKey) -> Iterator[tuple[CharacterId, FactId, Grant]]:
    """Who was taught what by one event; a character is told its own alone."""
    seq, index = key
    grants = state.world.grants
    for who in [state.viewpoint] if state.viewpoint else sorted(grants):
        for id_, given in grants[who].items():
            for grant in given:
                beat = grant.because.beat
                if beat is not None and beat.seq == seq and grant.because.index == index:
                    yield who, id_, grant


def _may_ask(state: StoryState, saying: Proposition) -> bool:
    """Through a character's eyes only about what it holds."""
    return state.viewpoint is None or saying in state.world.propositions[state.viewpoint]


def statement(state: StoryState, saying: Proposition) -> str:
    """A fact in words: a character's own, or in the director's names."""
    world = state.world
    if state.viewpoint is not None:
        known = KnownFacts(world, state.viewpoint)
        ids = world.propositions[state.viewpoint].get(saying, ())
        return next(iter(known.pick(ids[:1]))).statement
    return statement_of_saying(world, saying)


def people_shown(state: StoryState) -> list[CharacterId]:
    """Everybody; through a character's eyes itself, and those it has met or heard of by name."""
    world, view = state.world, state.view
    if view is None:
        return sorted(world.grants)
    strangers = view.names.strangers
    heard_of = {id_ for id_, _ in view.known_names() if id_ not in strangers}
    met = heard_of | set(state.last_seen()) | {person.id for person in view.people}
    return sorted(who for who in world.grants if who in met or who == view.me)


# ── the fact asked about ──────────────────────────────────────────────────────────────────────


def _as_it_is(
    state: StoryState, saying: Proposition, people: Sequence[CharacterId]
) -> Iterator[Block]:
    """For the director: how everybody stands to it, why the inspected one, and who thinks what."""
    for number, one in enumerate(who_knows(state.world, saying), start=1):
        how = words.KNOWING[one.knowing]
        if one.route is not None:
            how = f"{how}: {source(state, one.route, one.teller, one.since or 0)}"
        if one.instead is not None:
            how += words.HOLDS_INSTEAD.format(value=state.name(one.instead))
        yield _person(state, number, one.who, _MARKS[one.knowing], how)
    if (chosen := state.inspected) is not None:
        yield from _why(state, chosen, saying)
    yield _head(words.WHO_THINKS)
    yield _numbers(people)
    yield from _nested(state, saying, people)


def _as_thought(
    state: StoryState, saying: Proposition, people: Sequence[CharacterId]
) -> Iterator[Block]:
    """For a character: how it stands to it itself, and what it thinks of the others."""
    world, me = state.world, state.viewpoint
    assert me is not None
    own = knower(world, me, saying).knowing
    yield _person(state, people.index(me) + 1, me, _MARKS[own], words.KNOWING[own])
    yield from reasons(state, me, saying)
    yield _head(words.AS_IT_THINKS.format(name=state.name(me)))
    for number, other in enumerate(people, start=1):
        if other != me:
            verdict = thinks(world, me, other, saying)
            yield _person(state, number, other, _THINKS[verdict], words.THINKS_KNOWS[verdict])


def _why(state: StoryState, who: CharacterId, saying: Proposition) -> Iterator[Block]:
    found = list(reasons(state, who, saying))
    if found:
        yield _head(words.WHY_KNOWS.format(name=state.name(who)))
        yield from found


def _nested(
    state: StoryState, saying: Proposition, people: Sequence[CharacterId]
) -> Iterator[Block]:
    """A row for each who thinks, a column for each of whom; on the diagonal what it knows itself."""
    held: dict[CharacterId, list[Opinion]] = {}
    for opinion in opinions(state.world, saying, people):
        held.setdefault(opinion.holder, []).append(opinion)
    for number, who in enumerate(people):
        marks = [_THINKS[opinion.knows] for opinion in held.get(who, ())]
        marks.insert(number, _MARKS[knower(state.world, who, saying).knowing])
        yield _row(f"{number + 1} {state.name(who)}", marks, bold=number)


# ── rows ──────────────────────────────────────────────────────────────────────────────────────


def _head(text: str) -> Block:
    return block(para(""), para(Span(text, "head"), hang=0))


def _person(state: StoryState, number: int, who: CharacterId, mark: str, how: str) -> Block:
    look: Style = "miss" if mark in "✗·" else ""
    name = Span(padded(f"{number} {state.name(who)}", _NAME_CELLS + 2), look)
    return block(para(Span(f"{mark} ", look), name, Span(f" {how}", "dim"), hang=4))


def _numbers(people: Sequence[CharacterId]) -> Block:
    """The number of each person over its column: names would not fit, in no language."""
    count = len(people)
    columns = "".join(f"{number:>{_column(count)}}" for number in range(1, count + 1))
    return block(para(Span(" " * (_NAME_CELLS + 2) + columns, "dim"), hang=0))


def _column(count: int) -> int:
    """Cells of a column: less where there are many people."""
    return 3 if count <= 9 else 2


def _row(label: str, marks: Sequence[str], bold: int | None = None) -> Block:
    width = _column(len(marks))
    spans = [Span(padded(label, _NAME_CELLS + 2))]
    for number, mark in enumerate(marks):
        look: Style = "miss" if mark in "✗·" else "name" if number == bold else ""
        spans.append(Span(f"{mark:>{width}}", look))
    return block(Paragraph(tuple(spans)))


def _listed(state: StoryState, saying: Proposition, people: Sequence[CharacterId]) -> Block:
    """Another fact with the marks of everybody; a click asks about it."""
    me, world = state.viewpoint, state.world
    if me is None:
        marks = [_MARKS[one.knowing] for one in who_knows(world, saying)]
    else:
        own = _MARKS[knower(world, me, saying).knowing]
        marks = [own if w == me else _THINKS[thinks(world, me, w, saying)] for w in people]
    row = _row("", marks).paragraphs[0]
    return block(para("· ", statement(state, saying)), row, key=saying)
