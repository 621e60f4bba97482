"""Requests of one character at one turn, with no save and no round: moves, and answers off the record."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

from sandbox.agents.fusing import Limits
from sandbox.agents.language import LanguageMind
from sandbox.agents.minds import Situation
from sandbox.agents.thinking import Reach
from sandbox.engine.off_record import MemoryAside, OffRecord, Voice, answered
from sandbox.engine.roles import Models
from sandbox.memory.in_process import InProcessStore
from sandbox.models.port import Request
from sandbox.models.retrying import Retrying
from sandbox.models.scripted import ScriptedModel
from sandbox.story.chance import Chance
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.playing import Letters
from tests.property.canary_parrot import Asking, Parrot

LIMITS = Limits(max_tokens=600, prompt_tokens=6000, temperature=0.8, percepts=24)
_RECALLED = 6


class Aside:
    """A parrot to which single characters are put."""

    def __init__(self, parrot: Parrot) -> None:
        self.asked: list[Asking] = []
        """Every request, in order."""
        self._parrot = parrot
        self._models = Models(Retrying(ScriptedModel(self._reply, piece_chars=4000), 0))

    def _reply(self, request: Request) -> str:
        messages = [{"content": message.content} for message in request.messages]
        asked = self._parrot.asked({"messages": messages})
        self.asked.append(asked)
        reply = self._parrot.reply(asked)
        return reply if isinstance(reply, str) else json.dumps(reply)

    async def move(self, world: World, who: CharacterId, *, deep: bool) -> None:
        """Let a character decide; what comes of it does not happen."""
        outside = MemoryAside(world, InProcessStore(Letters()), self._models, who)
        view = CharacterView(world, who)
        situation = Situation(view, Chance(0, world.turn, "aside", who), outside)
        mind = LanguageMind("parrot", LIMITS, Reach(LIMITS.percepts, _RECALLED, deep))
        pieces = mind.decide(situation)
        assert isinstance(pieces, AsyncGenerator)
        async with aclosing(pieces):
            async for _ in pieces:
                pass

    async def answer(
        self, world: World, who: CharacterId, words: str, *, model: bool, deep: bool = False
    ) -> OffRecord:
        """Put a question to a character off the record."""
        voice = Voice(LIMITS, _RECALLED, self._models if model else None)
        return await answered(world, who, words, voice, InProcessStore(Letters()), deep=deep)
