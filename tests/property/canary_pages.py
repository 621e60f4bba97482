"""Everything the screen shows through one character's eyes, as text."""

from collections.abc import Iterable, Iterator

from sandbox.cli.printing import _plain, heard_line, told
from sandbox.errors import SandboxError
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import transcript
from sandbox.story.world import World
from sandbox.tui.completing import completions
from sandbox.tui.highlighting import highlight_blocks
from sandbox.tui.inspecting import TABS, page
from sandbox.tui.looking import cast_blocks, cast_rows
from sandbox.tui.page import Block
from sandbox.tui.prompting import USAGES, Reader
from sandbox.tui.state import StoryState
from sandbox.tui.telling import draft_blocks, empty_blocks, line_blocks

_LINES = 5
"""Lines of which the inspector is looked at: the last ones."""


def pages_of(world: World, who: CharacterId) -> Iterator[tuple[str, str]]:
    """Name and text of each page."""
    state = StoryState(world)
    state.see_as(who)
    yield "story", text_of(line_blocks(state, state.lines))
    yield "drafts", text_of([*draft_blocks(state), *empty_blocks(state)])
    yield "highlights", text_of(highlight_blocks(state))
    yield "cast", text_of(cast_blocks(state, cast_rows(state)))
    lines = list(transcript(world, who))
    yield "json", " ".join(str(_plain(line)) for line in lines)
    yield "run", " ".join(told(line) + heard_line(line) for line in lines)
    yield "completion", " ".join(_completed(state))
    yield "prompt", " ".join(_refused(state))
    for selected in [None, *(other for other, _ in state.people())]:
        state.selected = selected
        for tab in TABS:
            yield f"{tab} of {selected}", text_of(page(state, tab))
    state.selected = None
    for line in state.lines[-_LINES:]:
        state.chosen = (line.seq, line.index)
        yield "line", text_of(page(state, "line")) + text_of(page(state, "matrix"))


def text_of(blocks: Iterable[Block]) -> str:
    spans = (span for one in blocks for part in one.paragraphs for span in _spans(part))
    return " ".join(spans)


def _spans(paragraph: object) -> Iterator[str]:
    for name in ("spans", "tail"):
        found = getattr(paragraph, name, None)
        for span in found if isinstance(found, tuple) else [found] if found else []:
            yield str(getattr(span, "text", span))


def _completed(state: StoryState) -> Iterator[str]:
    for name in USAGES:
        yield from completions(f"/{name} ", state)
        yield from completions(f"/{name} t", state)


def _refused(state: StoryState) -> Iterator[str]:
    """What is said to a wrong name, place, turn or fact."""
    reader = Reader(state)
    for typed in ("Zork", "Zork: hello", "to Zork: hi", "99", "0", "1: other words", "hm =about"):
        for name in USAGES:
            try:
                reader.read(f"/{name} {typed}")
            except SandboxError as error:
                yield str(error)


def everything_in(view: CharacterView) -> Iterator[str]:
    """Every text a view hands out, but for things here, whose examination is still to come."""
    yield from (view.name, view.mood, *view.looks, *view.secrets_of_self, *view.conduct)
    yield from (*view.goals, *view.gestures, *view.place_description)
    yield from (want.question for want in view.wants)
    yield from (keep.because for keep in view.keeps)
    yield from (wish.because or "" for wish in view.wishes)
    yield from (f"{view.names(other)}: {text}" for other, text in view.relations)
    yield from (f"{p.called} {p.looks}" for p in view.people)
    yield from (exit_.called for exit_ in view.exits)
    yield from (thing.called for thing in view.things)
    for pattern in view.patterns.values():
        yield " ".join([pattern.situation, pattern.manner, pattern.mood_after or ""])
        yield from (*view.samples(pattern), *view.lead_ins(pattern))
    for fact in view.known:
        about = f"{view.names(fact.subject)} {view.names(fact.object)}"
        yield f"{fact.statement} {about} {view.voiced(fact.handle)}"
    yield from (episode.text for episode in view.episodes)
    yield from (view.worded(percept) for percept in view.percepts)
