"""One small story in two languages, for faults that a language could bring back; played by a script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.agents.reasoning.deep import PROBE_SCHEMA
from sandbox.agents.summarising import EPISODE_SCHEMA
from sandbox.engine.updates import BeatFailed, DraftArrived, DraftWithdrawn, Update
from sandbox.models.port import Request
from sandbox.models.scripted import Script, ScriptedModel
from sandbox.settings import Settings, StorySettings
from sandbox.storage.saves import Save
from sandbox.story.commands import Say
from sandbox.story.events import LineSpoken
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.closing import summary
from tests.playing import act, assert_verifies, begun, committed, one_round, playing, reply
from tests.plotting import AHE, ANN, BEN, CY, LAOQIU, PLOT, PLOT_ZH, XIAOMO


@dataclass(frozen=True)
class Mill:
    """A world of `tests/worlds`: two in a kitchen, a third in the yard, and a key that one has hidden."""

    language: str
    world: Path
    hider: CharacterId
    """Alone knows where the key is; in the kitchen."""
    other: CharacterId
    """In the kitchen, too, and alone knows who broke the cup."""
    third: CharacterId
    """In the yard."""
    yard: PlaceId
    yard_name: str
    names: dict[CharacterId, str]
    secret: str
    """Statement of what the hider knows."""
    call: str
    """What the hider says to the other, so that it is the other's turn."""
    fillers: tuple[str, ...]
    """Lines that say nothing, each another one."""

    def called(self) -> Say:
        return Say(character=self.hider, words=self.call, to=(self.other,))

    def owner_of(self, request: Request) -> CharacterId:
        first = request.messages[0].content
        lead = {"en": "You are {}.", "zh": "你是{}，"}[self.language]
        return next(who for who, name in self.names.items() if lead.format(name) in first)


MILL = Mill(
    language="en",
    world=PLOT,
    hider=ANN,
    other=BEN,
    third=CY,
    yard=PlaceId("yard"),
    yard_name="the yard",
    names={ANN: "Ann", BEN: "Ben", CY: "Cy"},
    secret="The key of the mill lies in the chest.",
    call="Well, Ben?",
    fillers=(
        "What a night.",
        "Let us wait a while.",
        "I could eat something.",
        "Is there any bread?",
        "My feet are cold.",
        "Nobody sleeps, it seems.",
        "So be it.",
        "As you like.",
        "Who would have thought it?",
        "Give me a moment.",
    ),
)
MILL_ZH = Mill(
    language="zh",
    world=PLOT_ZH,
    hider=AHE,
    other=XIAOMO,
    third=LAOQIU,
    yard=PlaceId("yuanzi"),
    yard_name="院子",
    names={AHE: "阿禾", XIAOMO: "小墨", LAOQIU: "老邱"},
    secret="磨坊的钥匙藏在木箱里。",
    call="小墨，怎么说？",
    fillers=(
        "这一夜真长。",
        "且等一等罢。",
        "我倒有些饿了。",
        "还有饼没有？",
        "脚都冻僵了。",
        "看来谁也睡不着。",
        "就这么着。",
        "随你的便。",
        "谁想得到呢？",
        "容我喘口气。",
    ),
)
MILLS = [MILL, MILL_ZH]
FINE = {"en": "I saw nothing at all.", "zh": "我什么也没看见。"}
"""A line to which nobody objects."""
AN_HOUR = Settings(story=StorySettings(scene_beats=60))
"""No scene closes of itself."""


@dataclass
class Asked:
    """What a model was asked, by step."""

    moves: list[Request] = field(default_factory=list)
    probes: list[Request] = field(default_factory=list)
    summaries: list[Request] = field(default_factory=list)

    @property
    def all(self) -> list[Request]:
        return [*self.moves, *self.probes, *self.summaries]


class Player(ScriptedModel):
    """Plays everybody: what it was told to for one of them, in turn, else lines that say nothing."""

    def __init__(
        self,
        mill: Mill,
        *replies: Script,
        who: CharacterId | None = None,
        always: Script | None = None,
        probes: Script = '{"enough": true, "ask": []}',
        kept: Callable[[Request], Script] = lambda _: summary(""),
    ) -> None:
        """A player.

        Args:
            mill: whose people.
            replies: to requests for a move of `who`; after them lines that say nothing.
            who: the mill's other, where it is not said.
            always: instead of those lines for `who`.
            probes: what a character asks itself.
            kept: of a scene that closed.
        """
        self.mill = mill
        self.who = who or mill.other
        self.asked = Asked()
        self._left = list(replies)
        self._always, self._probes = always, probes
        self.kept = kept
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Script:
        if request.schema is EPISODE_SCHEMA:
            self.asked.summaries.append(request)
            return self.kept(request)
        if request.schema == PROBE_SCHEMA:
            self.asked.probes.append(request)
            return self._probes
        self.asked.moves.append(request)
        if self.mill.owner_of(request) == self.who:
            if self._left:
                return self._left.pop(0)
            if self._always is not None:
                return self._always
        number = len(self.asked.moves)
        return reply(self.mill.fillers[number % len(self.mill.fillers)])

    def moves_of(self, who: CharacterId) -> list[Request]:
        return [request for request in self.asked.moves if self.mill.owner_of(request) == who]


def text_of(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)


class Answered:
    """The move of the one who was spoken to, with a model that replied so."""

    def __init__(self, mill: Mill, *replies: Script) -> None:
        self.mill = mill
        self.model = Player(mill, *replies)
        self.save: Save
        self.updates: list[Update]
        self.world: World

    async def play(self, folder: Path) -> Answered:
        self.save = begun(folder, self.mill.world, settings=AN_HOUR, model=self.model.name)
        async with playing(self.save, self.model) as session:
            await act(session, self.mill.called())
            before = session.save.journal_path.read_bytes()
            self.updates = await one_round(session, 1)
            if self.failures:
                assert session.save.journal_path.read_bytes() == before
            self.asked = len(self.model.moves_of(self.mill.other))
            await act(session, 3)  # the story goes on, whatever that was
            self.world = session.world
        await assert_verifies(self.save)
        return self

    @property
    def failures(self) -> list[str]:
        return [str(u.error) for u in self.updates if isinstance(u, BeatFailed)]

    @property
    def drafts(self) -> list[str]:
        """Those that were not withdrawn again."""
        texts = list[str]()
        for update in self.updates:
            match update:
                case DraftArrived():
                    texts.append(update.text)
                case DraftWithdrawn():
                    texts.clear()
                case _:
                    pass
        return texts

    @property
    def kinds(self) -> list[str]:
        return [h.event.kind for beat in committed(self.updates) for h in beat.events]

    @property
    def said(self) -> list[str]:
        events = [h.event for beat in committed(self.updates) for h in beat.events]
        return [event.words for event in events if isinstance(event, LineSpoken)]

    def remembers(self, who: CharacterId) -> str:
        view = CharacterView(self.world, who)
        return "\n".join(view.worded(percept) for percept in view.percepts)
