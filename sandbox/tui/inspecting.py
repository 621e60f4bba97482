"""The inspector's pages: a line, who took it in and what it taught; a character's mind, facts, patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from sandbox.story.beats import Detail, Happened
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact, statement_of
from sandbox.story.patterns import GrownPattern
from sandbox.story.people import Pattern
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import Shown
from sandbox.tui import words
from sandbox.tui.matrix import matrix_page, taught_by
from sandbox.tui.page import Block, Paragraph, Span, Style, block, padded, para, shown_clock
from sandbox.tui.reasons import reasons
from sandbox.tui.state import LineKey, StoryState, key_of
from sandbox.tui.tracing import trace_page

TABS = ("line", "mind", "facts", "matrix", "patterns", "trace")
_EPISODES = 6
_PERCEPTS = 15
_FACTS = 150
"""Entries shown at most; the inspector is for reading."""


def page(state: StoryState, tab: str) -> list[Block]:
    """The blocks of one tab."""
    if tab == "line":
        line = state.inspected_line
        return [_say(words.NO_LINE)] if line is None else list(_line_page(state, line))
    if tab == "matrix":
        return list(matrix_page(state))
    if tab == "trace":
        return list(trace_page(state))
    who = state.inspected
    if who is None:
        return [_say(words.NO_CHARACTER)]
    view = CharacterView(state.world, who)
    match tab:
        case "mind":
            return list(_mind_page(state, view))
        case "facts":
            return list(_facts_page(state, view))
        case _:
            return list(_patterns_page(state, view))


def _say(text: str) -> Block:
    return block(para(Span(text, "dim"), hang=0))


def _head(text: str) -> Block:
    return block(para(""), para(Span(text, "head"), hang=0))


def _items(texts: Sequence[str]) -> list[Block]:
    return [block(para("· ", text)) for text in texts]


def _section(title: str, texts: Sequence[str]) -> list[Block]:
    return [_head(title), *_items(texts)] if texts else []


# ── the line ──────────────────────────────────────────────────────────────────────────────────


def _line_page(state: StoryState, line: Shown) -> Iterator[Block]:
    at = words.LINE_AT.format(turn=line.turn, clock=shown_clock(line.clock))
    speaker = (Span(f"{line.speaker.upper()}  ", "speaker"),) if line.targets else ()
    yield block(para(Span(at, "dim")), para(*speaker, line.text))
    if state.viewpoint is None:
        yield _head(words.WHO_PERCEIVED)
        yield from _witnesses(state, line)
    else:
        yield from _noticed(state, line, state.name(state.viewpoint))
    yield _head(words.LEARNED_HERE)
    learned = list(_learned(state, key_of(line)))
    yield from learned or [_say(words.LEARNED_NOTHING)]


def _witnesses(state: StoryState, line: Shown) -> Iterator[Block]:
    """Every name of the cast, with how much of the line it has."""
    happened = state.happened(key_of(line))
    door = {heard.id for heard in line.heard if heard.from_next_door}
    for who, _ in state.people():
        mark, how = _how(who, happened, line.speaker_id, door)
        look: Style = "miss" if mark == "✗" else ""
        yield block(
            para(Span(f"{mark} ", look), Span(padded(state.name(who), 12), look), f" {how}")
        )


def _how(
    who: CharacterId, happened: Happened, actor: CharacterId | None, door: set[CharacterId]
) -> tuple[str, str]:
    detail = happened.witnesses.get(who)
    if detail is None:
        return "✗", words.DID_NOT
    if who == actor:
        return "●", words.OWN_ACT
    if detail is Detail.THAT:
        return "~", words.HEARD_PART
    return ("≈", words.FROM_NEXT_DOOR) if who in door else ("✓", words.IN_FULL)


def _noticed(state: StoryState, line: Shown, me: str) -> Iterator[Block]:
    """What the character took in, and whom it noticed taking it in."""
    how = words.TOOK_IN_FULL if line.detail is Detail.FULL else words.TOOK_IN_PART
    how = words.TOOK_IN_NEXT_DOOR if line.next_door else how
    yield block(para(""), para(how.format(name=me), hang=0))
    yield _head(words.WHO_NOTICED.format(name=me))
    for heard in line.heard:
        yield block(para("✓ ", heard.name))
    if not line.heard:
        yield _say(words.NOTICED_NOBODY)


def _learned(state: StoryState, key: LineKey) -> Iterator[Block]:
    """Who learned what from one event, and why it knows it; a character is told its own alone."""
    world = state.world
    for who, id_, grant in taught_by(state, key):
        fact = world.facts[id_]
        said = statement_of(world, fact, grant)
        yield block(para(Span(f"{state.name(who)}: ", "name"), said))
        yield from reasons(state, who, fact.proposition, with_words=False)


# ── the mind ──────────────────────────────────────────────────────────────────────────────────


def _mind_page(state: StoryState, view: CharacterView) -> Iterator[Block]:
    other = state.selected
    if state.viewpoint is not None and other not in (None, state.viewpoint):
        yield from _other(state, view, CharacterId(other or ""))
        return
    yield block(_title(view.name), para(f"{words.MOOD}: {view.mood or '—'}"))
    for title, texts in _portrait(state, view):
        yield from _section(title, texts)
    yield _head(words.EPISODES)
    episodes = [(e.turn, e.text) for e in islice(reversed(view.episodes), _EPISODES)]
    yield from [_dated(turn, text) for turn, text in episodes] or [_say(words.NOTHING_YET)]
    yield _head(words.PERCEPTS)
    percepts = islice(reversed(view.percepts), _PERCEPTS)
    worded = [(p.beat.turn, view.worded(p)) for p in percepts]
    yield from [_dated(t, text) for t, text in worded if text] or [_say(words.NOTHING_YET)]


def _title(text: str) -> Paragraph:
    return para(Span(text, "name"), hang=0)


def _dated(turn: int, text: str) -> Block:
    when = words.EPISODE_TURN.format(turn=turn) if turn else words.BEFORE_PLAY
    return block(para(Span(f"{when}  ", "dim"), text))


def _portrait(state: StoryState, view: CharacterView) -> Iterator[tuple[str, Sequence[str]]]:
    yield words.LOOKS, view.looks
    yield words.PRIVATELY, view.secrets_of_self
    yield words.GOALS, view.goals
    yield words.WANTS, [want.question for want in view.wants]
    keeps = [(view.known.pick([k.fact])[0].statement, k.because) for k in view.keeps]
    yield (
        words.KEEPS,
        [words.KEEPS_BECAUSE.format(statement=s, because=because) for s, because in keeps],
    )
    yield words.CONDUCT, view.conduct
    yield words.RELATIONS, [f"{view.names(who)}: {text}" for who, text in view.relations]


def _other(state: StoryState, view: CharacterView, other: CharacterId) -> Iterator[Block]:
    """Somebody else through the viewpoint's eyes: what it sees and knows of them."""
    called = view.names(other)
    yield block(_title(called))
    yield from _section(words.LOOKS, [p.looks for p in view.people if p.id == other])
    # Facts about a stranger name it; the viewpoint cannot tie them to this face.
    if other not in view.names.strangers:
        yield _head(words.KNOWS_OF.format(viewer=view.name, name=called))
        known = view.known.about(other)
        yield from [_fact(state, view, fact) for fact in known] or [_say(words.NOTHING_YET)]
    yield block(para(""), para(Span(words.OWN_MIND_ONLY.format(name=view.name), "dim"), hang=0))


# ── facts ─────────────────────────────────────────────────────────────────────────────────────


def _facts_page(state: StoryState, view: CharacterView) -> Iterator[Block]:
    count = len(view.known)
    yield block(para(words.FACTS_OF.format(name=view.name, count=count), hang=0))
    newest = sorted(view.known, key=lambda fact: -fact.learned_turn)
    for fact in newest[:_FACTS]:
        yield _fact(state, view, fact)
    if count > _FACTS:
        yield _say(words.FACTS_MORE.format(count=count - _FACTS))


def _fact(state: StoryState, view: CharacterView, fact: KnownFact) -> Block:
    """A fact as its knower holds it; `+` marks what it learned in play."""
    mark = Span("+ ", "good") if fact.learned_turn else Span("· ", "dim")
    return block(
        para(""),
        para(mark, fact.statement),
        para(Span(_provenance(state, view, fact), "dim"), indent=2, hang=2),
    )


def _provenance(state: StoryState, view: CharacterView, fact: KnownFact) -> str:
    route = words.ROUTES[fact.route]
    if fact.source is not None:
        # The director reads real names; a character's own view the names it knows.
        name = state.name(fact.source)
        route = words.FACT_FROM.format(route=route, name=name)
    turn = fact.learned_turn
    when = words.FACT_LEARNED.format(turn=turn) if turn else words.FACT_BEFORE
    parts = [route, when, *([words.FACT_GUESS] if fact.is_guess else [])]
    return words.GROUPS.join(parts)


# ── patterns ──────────────────────────────────────────────────────────────────────────────────


def _patterns_page(state: StoryState, view: CharacterView) -> Iterator[Block]:
    yield block(para(Span(words.PATTERNS_OF.format(name=view.name), "name"), hang=0))
    if not view.patterns:
        yield _say(words.NO_PATTERNS)
    for pattern in view.patterns.values():
        yield block(para(""), para(Span(pattern.situation, "head"), hang=0), para(pattern.manner))
        if notes := list(_notes(view, pattern)):
            yield block(para(Span(words.GROUPS.join(notes), "dim")))
        lines = [*view.samples(pattern), *view.lead_ins(pattern)]
        for text in lines:
            yield block(para(Span(words.SAMPLES.format(text=text), "dim"), indent=2))


def _notes(view: CharacterView, pattern: Pattern) -> Iterator[str]:
    """Where a pattern comes from, if not from the world, and whether it was the last one acted by."""
    if isinstance(pattern, GrownPattern):
        yield words.GROWN_AT.format(turn=pattern.turn)
    if pattern.id == view.last_pattern:
        yield words.LAST_ACTED_BY
