"""An answer off the record, from what a character knows: by a model, or composed without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sandbox.agents.choosing import chosen_pattern
from sandbox.agents.fusing import Limits
from sandbox.agents.reading import Unreadable, object_of, spoken_only
from sandbox.agents.reading.replies import is_refusal
from sandbox.agents.reading.spoken import is_in
from sandbox.agents.reading.thinking import after_thinking
from sandbox.agents.reasoning.anchors import Anchor
from sandbox.agents.reasoning.pool import FactPool
from sandbox.agents.reasoning.questions import Asked
from sandbox.agents.reasoning.requests import Sheet, persona_of, request_of, sheet_of
from sandbox.agents.reasoning.synthesis import Answer, Grounded, Reason, Refusal
from sandbox.agents.rehearsal.phrases import IGNORANCE, JOIN
from sandbox.models.port import Request
from sandbox.story.chance import Chance
from sandbox.story.ids import FactId
from sandbox.story.items import Language
from sandbox.story.known import KnownFact
from sandbox.story.people import Occasion
from sandbox.story.text import clean
from sandbox.story.view import CharacterView

_MOST_SENTENCES: Final = 3
_WORDS_CHARS: Final = 1200
_REPLY_CHARS: Final = 16_000
_KEYS: Final = frozenset({"words", "relied_on"})
ANSWER_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["words", "relied_on"],
    "properties": {
        "words": {"type": "string"},
        "relied_on": {"type": "array", "items": {"type": "string"}},
    },
}
_REASONS: Final[dict[Language, dict[Reason, str]]] = {
    "en": {
        Reason.NOTHING_KNOWN: "you never learned it.",
        Reason.UNKNOWN_NAME: "you know nobody and nothing by that name.",
        Reason.CAUSE_UNKNOWN: "you know that it is so, and not why.",
        Reason.OTHER_LANGUAGE: "it is asked in a tongue that you do not know.",
        Reason.EMPTY: "nothing was asked.",
    },
    "zh": {
        Reason.NOTHING_KNOWN: "你从来没有得知过。",
        Reason.UNKNOWN_NAME: "叫这个名字的，你一个也不认得。",
        Reason.CAUSE_UNKNOWN: "你知道有这回事，却不知道是为什么。",
        Reason.OTHER_LANGUAGE: "问的人说的话你听不懂。",
        Reason.EMPTY: "其实什么都没有问。",
    },
}
_BECAUSE: Final[dict[Language, str]] = {"en": "And that came of this: {}", "zh": "这是因为：{}"}
_UNSURE: Final[dict[Language, str]] = {"en": "I would not swear to it: {}", "zh": "我不敢说准：{}"}


@dataclass(frozen=True)
class Said:
    """What a character answers."""

    words: str
    relied_on: tuple[FactId, ...]
    """Facts it rests on; each of them inside its boundary."""


# ── without a model ───────────────────────────────────────────────────────────────────────────


def composed(view: CharacterView, asked: Asked, answer: Answer, chance: Chance) -> Said:
    """An answer in the character's own words, without a model."""
    match answer:
        case Grounded():
            facts = answer.support[:_MOST_SENTENCES]
            words = JOIN[view.language].join([*answer.at_hand, *_sentences(view, answer, facts)])
            return Said(words, tuple(fact.handle for fact in facts))
        case Refusal():
            return Said(_unknowing(view, asked, chance), ())


def _sentences(view: CharacterView, answer: Grounded, facts: Sequence[KnownFact]) -> Iterator[str]:
    for number, fact in enumerate(facts):
        said = in_first_person(view, fact)
        if answer.chain and number:
            said = _BECAUSE[view.language].format(said)
        if answer.is_unsure:
            said = _UNSURE[view.language].format(said)
        yield said


def in_first_person(view: CharacterView, fact: KnownFact) -> str:
    """A fact in the first person, as far as its words can be put so."""
    said = view.voiced(fact.handle)
    if said != fact.statement or view.me not in (fact.subject, fact.object):
        return said
    own = view.asserted(fact.subject, fact.predicate, fact.object, None)
    return own[:1].upper() + own[1:] if own else said


def _unknowing(view: CharacterView, asked: Asked, chance: Chance) -> str:
    """A line for who does not know, in its own manner where it has one for that."""
    pattern = chosen_pattern(view, chance, asked.words, (Occasion.NOT_KNOWING,))
    fits = pattern is not None and Occasion.NOT_KNOWING in pattern.occasions
    lines = view.samples(pattern) if pattern is not None and fits else ()
    return chance.pick("not knowing", lines) if lines else IGNORANCE[view.language][0]


# ── with a model ──────────────────────────────────────────────────────────────────────────────


def answer_request(
    view: CharacterView,
    asked: Asked,
    anchors: Sequence[Anchor],
    pool: FactPool,
    answer: Answer,
    limits: Limits,
) -> tuple[Request, Sheet]:
    """The one request of an answer, and what its numbers mean."""
    persona = persona_of(view, limits)
    support = answer.support if isinstance(answer, Grounded) else ()
    facts = {fact.handle: fact for fact in (*support, *pool)}
    sheet = sheet_of(
        view, "answer", persona, limits, asked.words or "…", anchors, list(facts.values())
    )
    slots = {**sheet.slots, **_conclusion(view, answer, sheet)}
    return request_of(view, "answer", persona, limits, slots, ANSWER_SCHEMA), sheet


def _conclusion(view: CharacterView, answer: Answer, sheet: Sheet) -> dict[str, str]:
    slots = {"support": "", "chain": "", "unsure": "", "at_hand": "", "refusal": ""}
    if isinstance(answer, Refusal):
        return slots | {"refusal": _REASONS[view.language][answer.reason]}
    if answer.at_hand:
        return slots | {"at_hand": JOIN[view.language].join(answer.at_hand)}
    slot = "chain" if answer.chain else "unsure" if answer.is_unsure else "support"
    return slots | {slot: sheet.numbers(answer.support)}


def said_in(reply: str, view: CharacterView, numbered: Sequence[FactId]) -> Said | None:
    """What a reply says. None: nothing in it is an answer of the character's.

    A reply that is no JSON object is taken as the words themselves; whatever number was not shown is
    passed over.
    """
    try:
        found = object_of(reply, _KEYS, needed={"words"})
    except Unreadable:
        plain, _ = after_thinking(reply[:_REPLY_CHARS])
        found = {"words": "" if "{" in plain else plain}
    words = found.get("words")
    spoken, _ = spoken_only(clean(words, _WORDS_CHARS)) if isinstance(words, str) else ("", "")
    if not spoken or is_refusal(spoken) or not is_in(view.language, spoken):
        return None
    return Said(spoken, tuple(_relied_on(found.get("relied_on"), numbered)))


def _relied_on(value: Any, numbered: Sequence[FactId]) -> Iterator[FactId]:
    texts = value if isinstance(value, list) else [value]
    shown = {f"f{number}": id_ for number, id_ in enumerate(numbered, start=1)}
    named = dict.fromkeys(text.strip().casefold() for text in texts if isinstance(text, str))
    yield from (shown[name] for name in named if name in shown)
