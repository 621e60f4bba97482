"""Small stories for the screen: told by commands, so that nothing else changes what they look like."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path

from textual.pilot import Pilot

from sandbox.agents.minds import DraftDropped, Drafted, Move, Situation
from sandbox.engine.casting import Casting
from sandbox.engine.session import Session
from sandbox.settings import Settings
from sandbox.story.claims import Claim
from sandbox.story.commands import Command, Do, Go, Inject, Say, Stage
from sandbox.story.events import LineSpoken, SceneOpened, Thought
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, SceneId
from sandbox.tui.app import StoryApp
from sandbox.tui.completing import completions
from sandbox.tui.inspecting import TABS, page
from sandbox.tui.looking import cast_blocks, cast_line, cast_rows
from sandbox.tui.page import Block
from sandbox.tui.playing import PlayApp
from sandbox.tui.sheet import Sheet
from sandbox.tui.state import StoryState
from sandbox.tui.status import Status, title_row
from sandbox.tui.telling import draft_blocks, empty_blocks, line_blocks
from tests.playing import begun, opened

CUP = Path(__file__).parent / "worlds" / "cup"
FERRY = Path(__file__).parent / "worlds" / "ferry"
ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")
HALL, YARD = PlaceId("hall"), PlaceId("yard")
PATIENCE_S = 20
"""A test that waits longer hangs."""
SETTINGS = Settings()

CUP_STORY: tuple[Command, ...] = (
    Stage(
        events=(
            SceneOpened(scene=SceneId("s1"), place=HALL, number=1),
            LineSpoken(actor=ANN, words="Who broke the blue cup?", targets=(BEN,)),
        )
    ),
    Stage(events=(Thought(actor=BEN, text="She will find the shards SECRETTHOUGHT."),)),
    Say(character=ANN, words="The key is in the clock SECRETWHISPER.", to=(BEN,), whisper=True),
    Do(character=CY, text="shakes the rain off SECRETDEED"),
    Go(character=CY, place=HALL),
    Say(character=CY, words="Good evening [bold]to all[/bold] of you."),
    Inject(text="The lamp goes out in the hall.", place=HALL),
    Go(character=ANN, place=YARD),
    Say(character=BEN, words="I broke it. SECRETHALL", to=(CY,), whisper=True),
)
"""Ann, Ben and, later, the stranger Cy; each misses some of it."""

CUP_BROKEN = ("cup", PredicateId("broken_by"), "ben")


def _broken(said: str) -> Claim:
    subject, predicate, object_ = CUP_BROKEN
    return Claim(subject=subject, predicate=predicate, object=object_, said=said)


RUMOUR: tuple[Command, ...] = (
    *CUP_STORY[:3],
    Say(
        character=BEN,
        words="I broke it SECRETWORDS.",
        to=(ANN,),
        whisper=True,
        tells=(_broken("I broke it SECRETWORDS."),),
    ),
    Go(character=ANN, place=YARD),
    Say(character=ANN, words="Ben broke it.", to=(CY,), tells=(_broken("Ben broke it."),)),
)
"""Ben tells Ann, who tells Cy in the yard."""

_MENG, _DU, _FANG = CharacterId("meng"), CharacterId("du"), CharacterId("fang")
FERRY_STORY: tuple[Command, ...] = (
    Stage(
        events=(
            SceneOpened(scene=SceneId("s1"), place=PlaceId("teahouse"), number=1),
            LineSpoken(
                actor=_DU,
                words="昨晚我亲眼看见有人提着灯往渡口去了，走到柳树底下忽然就把灯吹灭，你说怪不怪？",
                targets=(_MENG,),
            ),
        )
    ),
    Stage(events=(Thought(actor=_MENG, text="他看见的怕是我。"),)),
    Say(character=_MENG, words="水要滚了，先喝茶。", to=(_DU,)),
    Go(character=_FANG, place=PlaceId("teahouse")),
    Say(character=_DU, words="莫叫这位先生听见。", to=(_MENG,), whisper=True),
    Do(character=_FANG, text="把本子摊在桌上，拧开钢笔"),
    Inject(text="河对岸传来一声铜铃。", place=PlaceId("teahouse")),
)


def session_at(folder: Path, world: Path = CUP) -> Session:
    """A session that the app starts."""
    return opened(begun(folder, world, settings=SETTINGS))


async def told_world(folder: Path, story: Sequence[Command], world: Path = CUP) -> Session:
    """A session in which a story has been told; close it when done."""
    session = session_at(folder, world)
    session.start()
    for command in story:
        session.command(command)
    return session


def tell(app: PlayApp, story: Sequence[Command]) -> None:
    """Tell a story to an app that runs, as if it had been typed."""
    for command in story:
        app.order(command)


class Scripted:
    """A mind that makes the same move again and again."""

    name = "scripted"

    def __init__(self, move: Move | Exception, drops: Sequence[str] = ()) -> None:
        self.move = move
        self.drops = drops
        """Reasons for which drafts that never came are dropped before it."""

    async def decide(
        self, situation: Situation
    ) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        for reason in self.drops:
            yield DraftDropped(reason)
        if isinstance(self.move, Exception):
            raise self.move
        yield self.move


class Gated:
    """A mind that drafts a sentence and then waits at a gate."""

    name = "gated"

    def __init__(self, sentence: str, *, drops: bool = False) -> None:
        self.sentence = sentence
        self.drops = drops
        self.gate = asyncio.Event()
        self.drafted = asyncio.Event()

    async def decide(
        self, situation: Situation
    ) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        yield Drafted(self.sentence)
        self.drafted.set()
        await self.gate.wait()
        if self.drops:
            yield DraftDropped("the line broke")
        else:
            yield Move(words=self.sentence)


def cast_with(session: Session, mind: Scripted | Gated) -> None:
    """Let one mind play everybody."""
    session.casting = Casting(mind)


async def until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    """Wait for a state, not for a time."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await pilot.pause()
    await pilot.pause()


# ── what is on the screen ─────────────────────────────────────────────────────────────────────


def text_of(blocks: Sequence[Block]) -> str:
    """All that blocks say."""
    paragraphs = [paragraph for block in blocks for paragraph in block.paragraphs]
    rows = [[*p.spans, *([p.tail] if p.tail else [])] for p in paragraphs]
    return "\n".join("".join(span.text for span in row) for row in rows)


def everything(state: StoryState) -> str:
    """All that any part of the screen says in this state: every tab, every completion."""
    rows = cast_rows(state)
    parts = [
        text_of(list(line_blocks(state, state.lines))),
        text_of(empty_blocks(state)),
        text_of(draft_blocks(state)),
        text_of(cast_blocks(state, rows)),
        "".join(piece.span.text for piece in cast_line(state, rows, 80)),
        *("".join(p.span.text for p in title_row(state, Status(), w)) for w in (80, 160)),
        *(text_of(page(state, tab)) for tab in TABS),
        *completions_of(state),
        state.name(state.here) if state.here else "",
    ]
    for line in state.lines:
        state.chosen = (line.seq, line.index)
        parts.append(text_of(page(state, "line")))
    state.chosen = None
    return "\n".join(parts)


def completions_of(state: StoryState) -> list[str]:
    begun = ("/", "/say ", "/whisper ", "/do ", "/go ", "/as ", "/view ", "/event ")
    return [line for text in begun for line in completions(text, state)]


def sheet_text(app: StoryApp, id_: str) -> str:
    """What stands on a sheet now, folded as it is."""
    sheet = app.query_one(f"#{id_}", Sheet)
    return "\n".join("".join(span.text for span in row).rstrip() for row in sheet.rows)


def screen_text(app: StoryApp) -> str:
    """Every row of the terminal as a person sees it."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)
