"""Co-reasoning before a move: recall, anchor, probe, conclude, choose a pattern (ReverieMem, section 3.4)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from sandbox.agents.choosing import chosen_pattern
from sandbox.agents.fusing import Limits, Material
from sandbox.agents.minds import Situation
from sandbox.agents.reasoning.anchors import Anchor, anchors_of
from sandbox.agents.reasoning.deep import probe_deep
from sandbox.agents.reasoning.pool import FactPool
from sandbox.agents.reasoning.probes import probe_fast
from sandbox.agents.reasoning.questions import Asked, question_put
from sandbox.agents.reasoning.synthesis import Answer, Grounded, Refusal, synthesise
from sandbox.agents.trace import Trace, Widened
from sandbox.memory.store import Layer
from sandbox.story.ids import FactId, PatternId
from sandbox.story.people import Occasion, Pattern
from sandbox.story.percepts import percept_id
from sandbox.story.view import CharacterView

_QUERY_PERCEPTS = 4
_QUERY_CHARS = 500


@dataclass(frozen=True)
class Reach:
    """How far a mind thinks before it moves."""

    percepts: int
    """Latest percepts, which need not be recalled."""
    recalled: int
    """Memories, and facts, that recall may bring. 0: none."""
    deep: bool = False
    """Whether the character questions its own memory, in up to two requests."""


@dataclass(frozen=True)
class Thoughts:
    """What came to a character's mind for one move."""

    asked: Asked | None
    memories: tuple[str, ...]
    """Ids, best first."""
    anchors: tuple[Anchor, ...]
    pool: FactPool
    answer: Answer | None
    pattern: Pattern | None

    @property
    def support(self) -> tuple[FactId, ...] | None:
        """Facts that answer what is asked. None: nothing was concluded."""
        if not isinstance(self.answer, Grounded) or not self.answer.support:
            return None
        return tuple(fact.handle for fact in self.answer.support)

    def material(self) -> Material:
        """For fusion."""
        anchored = tuple(id_ for anchor in self.anchors for id_ in anchor.memories)
        return Material(
            asked=self.asked.words if self.asked else "",
            anchors=anchored,
            memories=tuple(id_ for id_ in self.memories if id_ not in anchored),
            found=tuple(fact.handle for fact in self.pool),
            conclusion=self.support,
            refused=isinstance(self.answer, Refusal),
            pattern=PatternId(self.pattern.id) if self.pattern else None,
        )

    def note(self, view: CharacterView, trace: Trace) -> None:
        """Write them down for people."""
        trace.asked = self.asked.words if self.asked else ""
        trace.anchors = tuple(anchor.texts(view)[0] for anchor in self.anchors)
        trace.probes = [
            Widened(grown.probe.plain(view), tuple(fact.statement for fact in grown.facts))
            for grown in self.pool.growth
        ]
        trace.pool = tuple(fact.statement for fact in self.pool)
        trace.pattern = self.pattern.situation if self.pattern else ""
        match self.answer:
            case Grounded():
                trace.conclusion = "grounded"
                told = (fact.statement for fact in self.answer.support)
                trace.support = (*self.answer.at_hand, *told)
            case Refusal():
                trace.conclusion = f"refusal: {self.answer.reason}"
            case None:
                pass


async def thought_through(situation: Situation, reach: Reach, limits: Limits) -> Thoughts:
    """What a move rests on, gathered from the character's own memory.

    Raises:
        BoundaryError: a memory that came back is not the character's own.
    """
    view = situation.view
    asked = question_put(view)
    memories, facts = await _recalled(situation, asked, reach)
    anchors = anchors_of(view, memories)
    pool = probe_fast(view, asked, anchors, facts)
    if reach.deep:
        await probe_deep(situation, asked, anchors, pool, limits)
    answer = synthesise(view, asked, pool)
    pattern = _pattern(situation, asked, answer)
    return Thoughts(asked, tuple(memories), anchors, pool, answer, pattern)


async def _recalled(
    situation: Situation, asked: Asked | None, reach: Reach
) -> tuple[list[str], list[FactId]]:
    """Memories that are not among the latest percepts, and facts; best first."""
    view, limit, query = situation.view, reach.recalled, query_of(situation.view, asked)
    if not limit or not query:
        return [], []
    recall = situation.outside.recall
    # Asked together, so that no write of memories gets between the two.
    memories, facts = await asyncio.gather(
        recall(Layer.EPISODIC, query, limit), recall(Layer.SEMANTIC, query, limit)
    )
    latest = {percept_id(percept) for percept in view.percepts[-reach.percepts :]}
    return [id_ for id_ in memories if id_ not in latest], [FactId(id_) for id_ in facts]


def query_of(view: CharacterView, asked: Asked | None = None) -> str:
    """What is on the character's mind: the question put to it, else what it perceived and wants."""
    if asked is not None:
        return asked.words[-_QUERY_CHARS:]
    latest = [text for p in view.percepts[-_QUERY_PERCEPTS:] if (text := view.worded(p))]
    return " ".join([*latest, *view.goals])[-_QUERY_CHARS:]


def _pattern(situation: Situation, asked: Asked | None, answer: Answer | None) -> Pattern | None:
    """The pattern for the moment; who has no answer is in another situation than who has one."""
    match answer:
        case None:
            occasions: tuple[Occasion, ...] = ()
        case Refusal():
            occasions = (Occasion.NOT_KNOWING,)
        case Grounded() if any(
            keep.fact in {fact.handle for fact in answer.support} for keep in situation.view.keeps
        ):
            occasions = (Occasion.KEEPING,)
        case Grounded():
            occasions = (Occasion.ANSWERING,)
    words = asked.words if asked else ""
    return chosen_pattern(situation.view, situation.chance, words, occasions)
