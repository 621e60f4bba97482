"""Answers to `sandbox ask` in words: lines of at most 80 cells, in the names a director knows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from sandbox.story.asking.knowing import (
    Belief,
    Holding,
    Knower,
    Knowing,
    Opinion,
    statement_of_saying,
)
from sandbox.story.asking.lessons import Lesson
from sandbox.story.asking.threads import Met, ThreadAnswer
from sandbox.story.asking.why import Learning, Missed, Why
from sandbox.story.beliefs import Standing
from sandbox.story.facts import Mode, Proposition
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.known import KnownFact, worded
from sandbox.story.naming import unmasked
from sandbox.story.routes import Route
from sandbox.story.world import World

WIDTH = 80
_MISSED_SHOWN = 5

_KNOWING = {
    Knowing.KNOWS: "knows",
    Knowing.DOUBTS: "doubts it",
    Knowing.HOLDS_OTHER: "holds otherwise",
    Knowing.GUESSES: "only guesses",
    Knowing.LACKS: "does not know",
}
ROUTES = {
    Route.EXPERIENCED: "lived through it",
    Route.OBSERVED: "observed it",
    Route.ORGANISATION: "through an organisation",
    Route.COMMON: "common knowledge",
    Route.TOLD: "was told",
}
_STANDINGS = {
    Standing.BELIEVED: "believed",
    Standing.DOUBTED: "doubted",
    Standing.NOTED: "outdone",
}


# ── cells ─────────────────────────────────────────────────────────────────────────────────────


def cells(text: str) -> int:
    """Cells a text takes in a terminal: a Chinese character takes two."""
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def folded(text: str, indent: str = "", hang: str | None = None) -> list[str]:
    """`text` in lines of at most 80 cells, broken at spaces, in Chinese between any two characters."""
    later = indent + "  " if hang is None else hang
    lines, line, fill = [], indent, 0
    for piece in _pieces(text):
        if fill and cells(line) + cells(piece.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line, fill = later, 0
            piece = piece.lstrip()
        line += piece
        fill += len(piece)
    return [*lines, line.rstrip()]


def _pieces(text: str) -> Iterator[str]:
    """Words with the space before them; each wide character is a piece, with the mark that follows it."""
    piece = ""
    for char in text:
        wide = unicodedata.east_asian_width(char) in "WF"
        clings = wide and unicodedata.category(char) in ("Po", "Pe", "Pf")
        if piece and not clings and (char == " " or wide or cells(piece[-1]) == _WIDE):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


_WIDE = 2


# ── facts in words ────────────────────────────────────────────────────────────────────────────


def turn_in_words(turn: int | None) -> str:
    return f"turn {turn}" if turn else "before the story began"


def _source(world: World, route: Route, teller: CharacterId | None, turn: int | None) -> str:
    by = f" by {world.names(None)(teller)}" if teller else ""
    return f"{ROUTES[route]}{by}, {turn_in_words(turn)}"


# ── who knows ─────────────────────────────────────────────────────────────────────────────────


def who_knows(
    world: World, saying: Proposition, knowers: Sequence[Knower], nested: Sequence[Opinion]
) -> list[str]:
    name = world.names(None)
    width = max(cells(name(one.who)) for one in knowers)
    lines = folded(statement_of_saying(world, saying))
    for one in knowers:
        row = f"{padded(name(one.who), width)}  {_KNOWING[one.knowing]}{_how(world, one)}"
        lines += folded(row, "  ", " " * (width + 4))
    if nested:
        lines += ["", "Who thinks who knows:"]
        for one in knowers:
            own = [opinion for opinion in nested if opinion.holder == one.who]
            lines += folded(f"{padded(name(one.who), width)}  {_thinks(world, own)}", "  ")
    return lines


def _how(world: World, one: Knower) -> str:
    how = f": {_source(world, one.route, one.teller, one.since)}" if one.route else ""
    instead = f"; holds: {world.names(None)(one.instead)}" if one.instead else ""
    return how + instead + ("; was told that it is not so" if one.was_denied else "")


def _thinks(world: World, own: Sequence[Opinion]) -> str:
    name, parts = world.names(None), []
    for verdict, text in ((True, "knows"), (False, "does not know")):
        listed = ", ".join(name(one.about) for one in own if one.knows is verdict)
        parts += [f"{text}: {listed}"] if listed else []
    return " · ".join(parts) or "no opinion"


# ── what somebody knows ───────────────────────────────────────────────────────────────────────


def knows(
    world: World, who: CharacterId, about: str | None, facts: Sequence[KnownFact]
) -> list[str]:
    name = world.names(None)
    count = f"{len(facts)} fact{'' if len(facts) == 1 else 's'}"
    lines = folded(f"{name(who)} knows {count}{f' about {name(about)}' if about else ''}.")
    for fact in facts:
        guess = ", as a guess" if fact.is_guess else ""
        lines += folded(fact.statement, "  ")
        how = _source(world, fact.route, fact.source, fact.learned_turn)
        lines += folded(f"{how}{guess} · {fact.handle}", "    ")
    return lines


# ── why ───────────────────────────────────────────────────────────────────────────────────────


def why(world: World, found: Why) -> list[str]:
    who = world.names(None)(found.knower.who)
    lines = folded(statement_of_saying(world, found.saying))
    lines += folded(f"{who} {_KNOWING[found.knower.knowing]}{_instead(world, found.knower)}.")
    for depth, link in enumerate(found.chain):
        lines += _link(world, link, "  " * depth)
    if found.is_groundless and (teller := found.chain[-1].speaker):
        name = world.names(None)(teller)
        lines += folded(f"{name} had learned it from nobody.", "  " * (len(found.chain) + 1))
    for link in found.confirmed:
        lines += folded(f"confirmed: {_occasion(world, link)}", "  ")
    lines += _missed(world, found)
    if len({one.object for one in found.held}) > 1:
        lines += ["", "Everything it learned of this:"]
        lines += [line for one in found.held for line in _holding(world, one)]
    return lines


def _instead(world: World, one: Knower) -> str:
    held = f"; holds: {world.names(None)(one.instead)}" if one.instead else ""
    return held + ("; was told that it is not so" if one.was_denied else "")


def _link(world: World, link: Learning, indent: str) -> list[str]:
    lines = folded(f"{world.names(None)(link.who)} {_occasion(world, link)}", f"  {indent}")
    words = link.event or link.said
    return [*lines, *folded(f"“{words}”" if words == link.said else words, f"    {indent}")]


def _occasion(world: World, link: Learning) -> str:
    name, canon = world.names(None), world.canon
    how = _source(world, link.route, link.teller, link.turn)
    titles = [scene.title for scene in canon.scenes if scene.id == link.scene]
    where = [*titles, *([name(link.place)] if link.place else [])]
    truly = f" (in truth {name(link.truly)})" if link.truly else ""
    guess = ", as a guess" if link.is_guess else ""
    return how + "".join(f", {part}" for part in where) + truly + guess


def _missed(world: World, found: Why) -> list[str]:
    lines: list[str] = []
    for one in found.missed[-_MISSED_SHOWN:]:
        lines += folded(f"missed: {_missed_one(world, one)}", "  ")
    if (more := len(found.missed) - _MISSED_SHOWN) > 0:
        lines.append(f"  … and {more} earlier.")
    return lines


def _missed_one(world: World, one: Missed) -> str:
    learners = ", ".join(world.names(None)(who) for who in one.learners)
    part = " took in only that it happened;" if one.detail else ""
    return f"{turn_in_words(one.turn)},{part} taught {learners}: {one.event}"


def _holding(world: World, one: Holding) -> list[str]:
    name = world.names(None)
    modes = {Mode.SUPPOSED: " (a guess)", Mode.DENIED: " (that it is not so)"}
    told = f"told by {name(one.teller)}" if one.teller else "told"
    how = told if one.is_told else "own perception"
    text = f"{name(one.object)}{modes.get(one.mode, '')}: {_STANDINGS[one.standing]}"
    return folded(f"{text}, {how}, {turn_in_words(one.turn)}", "  ")


# ── beliefs, lessons, threads ─────────────────────────────────────────────────────────────────


def believes(world: World, found: Belief) -> list[str]:
    name = world.names(None)
    chain = " thinks that ".join(name(who) for who in found.chain)
    values = [worded(name, found.subject, found.predicate, value) for value in found.values]
    question = world.canon.predicates[found.predicate].question or f"{{s}} {found.predicate}"
    about = question.format(s=name(found.subject), o="…")
    lines = folded(f"{chain} holds no belief: {about}") if not values else []
    for value in values:
        lines += folded(f"{chain} believes: {value}")
    return lines + [line for one in found.held for line in _holding(world, one)]


def would_learn(world: World, who: CharacterId, lessons: Sequence[Lesson]) -> list[str]:
    name = world.names(None)
    new = [lesson for lesson in lessons if not lesson.confirms]
    known = [lesson for lesson in lessons if lesson.confirms]
    lines = folded(f"{name(who)} would learn nothing new.") if not new else []
    for title, listed in (("would learn", new), ("would hear again what it knows", known)):
        lines += folded(f"{name(who)} {title}:") if listed else []
        for lesson in listed:
            mode = "" if lesson.mode in (Mode.NARRATED, Mode.CLAIMED) else f" ({lesson.mode})"
            lines += folded(f"{worded(name, *lesson.saying)}{mode}", "  ")
    return lines


def threads(world: World, found: Sequence[ThreadAnswer]) -> list[str]:
    if not found:
        return ["This world has no threads."]
    lines: list[str] = []
    for thread in found:
        lines += folded(f"{thread.id}: {thread.question} {thread.state}")
        for state in thread.states:
            closes = ", which closes it" if state.closes else ""
            lines += folded(f"{'✓' if state.holds else '·'} {state.id}{closes}", "  ")
            for one in state.when:
                mark = "✓" if one.holds else "✗"
                lines += folded(f"{mark} {_condition(world, one)}", "    ")
    return lines


def _condition(world: World, one: Met) -> str:
    name = world.names(None)
    who = name(one.who) if one.who else "somebody of whom it was not so at the start"
    if one.believes is not None:
        held = one.believes
        return f"{who} believes: {worded(name, held.subject, held.predicate, held.object)}"
    verb = "knows" if one.knows else "does not know"
    return f"{who} {verb}: {_canon_statement(world, one.knows or one.lacks)}"


def _canon_statement(world: World, id_: FactId | None) -> str:
    fact = world.canon.facts_by_id.get(id_ or FactId(""))
    return unmasked(fact.statement, world.names(None)) if fact else str(id_)
