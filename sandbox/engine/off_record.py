"""Answers off the record: from one character's view at one turn; nothing of it is written anywhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox.agents.fusing import Limits
from sandbox.agents.guarding import Guard
from sandbox.agents.hearing import heard
from sandbox.agents.minds import Cost, Situation
from sandbox.agents.reasoning.anchors import Anchor, anchors_of
from sandbox.agents.reasoning.answering import Said, answer_request, composed, said_in
from sandbox.agents.reasoning.checking import Checking
from sandbox.agents.reasoning.deep import probe_deep
from sandbox.agents.reasoning.pool import FactPool
from sandbox.agents.reasoning.probes import probe_fast
from sandbox.agents.reasoning.questions import Asked, question_of
from sandbox.agents.reasoning.synthesis import Answer, plain_fact, synthesise
from sandbox.agents.rehearsal.phrases import JOIN
from sandbox.agents.thinking import Thoughts
from sandbox.agents.trace import Found, Trace
from sandbox.engine.outside import Piece, ages
from sandbox.engine.records import expected
from sandbox.engine.roles import Models, models_of
from sandbox.errors import ModelUnavailableError
from sandbox.memory.recall import recall, supported
from sandbox.memory.store import Layer, MemoryStore, Shelf
from sandbox.models.port import Request
from sandbox.models.retrying import Retrying
from sandbox.settings import Settings
from sandbox.storage.saves import Manifest
from sandbox.story.chance import Chance
from sandbox.story.events import Offence
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView
from sandbox.story.world import World


@dataclass(frozen=True)
class Voice:
    """With what a character answers."""

    limits: Limits
    recalled: int
    """Memories, and facts, that recall may bring."""
    models: Models | None = None
    """None: its answer is composed without a model."""

    @property
    def name(self) -> str:
        return self.models.characters.name if self.models else "rehearsal"


def voice_of(manifest: Manifest, settings: Settings) -> Voice:
    """The model of a save where it plays with one and one is connected, else the one that is set.

    Raises:
        SettingsError: an address or a key cannot be used.
    """
    limits = Limits(
        max_tokens=manifest.max_tokens,
        prompt_tokens=manifest.prompt_tokens,
        temperature=manifest.temperature,
        percepts=manifest.story.percepts,
    )
    return Voice(limits, manifest.story.recalled, _models(manifest, settings))


def _models(manifest: Manifest, settings: Settings) -> Models | None:
    if not settings.model.name:
        return None
    if (models := models_of(manifest, settings)) is not None:
        return models
    from sandbox.models.endpoint import EndpointModel

    return Models(Retrying(EndpointModel(settings.model), settings.model.repeats))


@dataclass
class MemoryAside:
    """What a character may use from outside, off the record: its memory as of a turn, and a model.

    The memory is folded anew in this process: the save's own may be open elsewhere, and holds the
    present only. No answer goes on a cassette.
    """

    world: World
    store: MemoryStore
    models: Models | None
    who: CharacterId

    def __post_init__(self) -> None:
        for layer in (Layer.EPISODIC, Layer.SEMANTIC):
            shelf = Shelf(self.who, layer)
            self.store.put(shelf, expected(self.world, shelf))

    async def recall(
        self, layer: Layer, query: str, limit: int, *, supporting: bool = False
    ) -> tuple[str, ...]:
        """Ids of the character's own memories nearest to `query`; `supporting`: to rest an answer on."""
        aged = ages(self.world) if layer is Layer.EPISODIC else {}
        found = recall(self.store, Shelf(self.who, layer), query, limit=limit, ages=aged)
        return tuple(item.record.id for item in (supported(found) if supporting else found))

    async def reply(self, step: str, attempt: int, request: Request) -> AsyncGenerator[Piece, None]:
        """The model's reply.

        Raises:
            ModelError: as the model says.
        """
        if self.models is None:
            raise ModelUnavailableError("no model is connected. Set `SANDBOX_MODEL_NAME`.")
        async with aclosing(self.models.of(step).stream(request)) as pieces:
            async for piece in pieces:
                yield piece


@dataclass(frozen=True)
class OffRecord:
    """An answer, and how it came about."""

    asked: Asked
    anchors: tuple[Anchor, ...]
    pool: FactPool
    answer: Answer
    said: Said
    by: str
    """Name of the model; `rehearsal`: composed without one."""
    cost: Cost
    trace: Trace = field(default_factory=Trace)

    def plain(self, view: CharacterView) -> dict[str, Any]:
        """For people: names and statements, no ids."""
        relied_on = view.known.pick(self.said.relied_on)
        return {
            "asked": self.asked.plain(view),
            "words": self.said.words,
            "by": self.by,
            **self.answer.plain(view),
            "relied_on": [fact.statement for fact in relied_on],
            "anchors": [anchor.plain(view) for anchor in self.anchors],
            "probes": [grown.plain(view) for grown in self.pool.growth],
            "pool": [plain_fact(view, fact) for fact in self.pool],
            "calls": self.cost.calls,
        }


async def answered(
    world: World,
    who: CharacterId,
    words: str,
    voice: Voice,
    store: MemoryStore,
    *,
    deep: bool = False,
) -> OffRecord:
    """What a character answers to a question that nobody in the story puts.

    Args:
        world: as of the turn asked about; it is not changed.
        who: whose answer.
        words: the question.
        voice: with what it answers.
        store: an empty one; the character's memory is put into it.
        deep: whether it questions its own memory first; with a model only.

    Raises:
        ModelError: the model failed for good.
    """
    view = CharacterView(world, who)
    outside = MemoryAside(world, store, voice.models, who)
    situation = Situation(view, Chance(0, world.turn, "off the record", who), outside)
    asked = question_of(words, view)
    memories, facts = await _recalled(outside, asked, voice.recalled)
    anchors = anchors_of(view, memories)
    pool = probe_fast(view, asked, anchors, facts)
    if deep and voice.models is not None and not asked.is_empty:
        await probe_deep(situation, asked, anchors, pool, voice.limits)
    answer = synthesise(view, asked, pool)
    assert answer is not None  # something was asked
    thoughts = Thoughts(asked, memories, anchors, pool, answer, pattern=None)
    thoughts.note(view, situation.trace)
    said, by = await _said(situation, asked, anchors, pool, answer, voice)
    return OffRecord(asked, anchors, pool, answer, said, by, situation.cost, situation.trace)


async def _recalled(
    outside: MemoryAside, asked: Asked, limit: int
) -> tuple[tuple[str, ...], list[FactId]]:
    if asked.is_empty or not limit:
        return (), []
    memories = await outside.recall(Layer.EPISODIC, asked.words, limit)
    facts = await outside.recall(Layer.SEMANTIC, asked.words, limit)
    return memories, [FactId(id_) for id_ in facts]


async def _said(
    situation: Situation,
    asked: Asked,
    anchors: tuple[Anchor, ...],
    pool: FactPool,
    answer: Answer,
    voice: Voice,
) -> tuple[Said, str]:
    """The answer, and whose words it is in. A reply that cannot be used is not asked for again."""
    view = situation.view
    if voice.models is not None and not asked.is_empty:
        request, sheet = answer_request(view, asked, anchors, pool, answer, voice.limits)
        situation.trace.requests.append(request)
        reply = await heard(situation.outside, "answer", request, situation.cost)
        said = said_in(reply, view, sheet.numbered)
        if said is not None:
            passed = replace(said, words=_passed(situation, said.words))
            checking = Checking(view, asked, answer, request, sheet.numbered)
            kept, cut = checking.checked(passed)
            situation.trace.findings += [Found(Offence.ASSERTED, one, "cut") for one in cut]
            if kept.words:
                return kept, voice.name
    return composed(view, asked, answer, situation.chance), "rehearsal"


def _passed(situation: Situation, words: str) -> str:
    """A model's answer without the sentences that the guard objects to."""
    view, kept = situation.view, list[str]()
    guard = Guard(view)
    for sentence in spoken_sentences(words):
        if (found := guard.check(sentence)) is None:
            kept.append(sentence)
        else:
            situation.trace.findings.append(Found(found.offence, found.sentence, "cut"))
    return JOIN[view.language].join(kept)
