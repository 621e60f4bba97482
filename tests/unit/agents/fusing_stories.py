"""Stories that make prompts large, and prompts of them, for tests of fusion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.agents.fusing import Limits, Material, again, fused
from sandbox.models.port import Request
from sandbox.settings import ModelSettings
from sandbox.story.canon import Canon
from sandbox.story.items import Language
from sandbox.story.predicates import built_in
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from tests.property.scenes import Told, says
from tests.property.strategies import small_canon

NOTHING = Material()
LIMITS = Limits(max_tokens=600, prompt_tokens=2000, temperature=0.8, percepts=24)
LEAST = Limits(max_tokens=600, prompt_tokens=500, temperature=0.8, percepts=24)
WINDOW_TOKENS = 4096
SMALL_MODEL = Limits(
    max_tokens=600,
    prompt_tokens=ModelSettings(prompt_tokens=100_000, context_tokens=WINDOW_TOKENS).prompt_budget,
    temperature=0.8,
    percepts=400,
)
WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "sentence": "And so it went on and on, as it had gone on before. ",
        "fact": "They say that somebody took number {n} from somewhere.",
        "line": "Line {n}: I saw somebody go by the window again, and it was not the first time.",
        "name": "Person {n}",
        "last": "The roof is on fire!",
        "question": "Who was at the mill?",
    },
    "zh": {
        "sentence": "于是就这样一直说下去，说个没完没了。",
        "fact": "听说有人从什么地方拿走了第{n}样东西。",
        "line": "第{n}句：我又看见有人从窗前走过去，这已经不是头一回了。",
        "name": "路人{n}",
        "last": "房顶着火了！",
        "question": "谁去过磨坊？",
    },
}


def facts(count: int, language: Language = "en") -> list[dict[str, Any]]:
    """Facts everybody knows, as a world writes them."""
    return [
        {
            "id": f"fact_{n}",
            "subject": "ann",
            "predicate": "said_about",
            "object": str(n),
            "statement": WORDS[language]["fact"].format(n=n),
            "common": True,
        }
        for n in range(count)
    ]


def crowd(count: int, language: Language = "en", looks: int = 1) -> list[dict[str, Any]]:
    """People in the hall beside those of the small world, with so many sentences of looks each."""
    words = WORDS[language]
    return [
        {
            "id": f"p{n}",
            "name": words["name"].format(n=n),
            "home": "hall",
            "public": words["sentence"] * looks,
        }
        for n in range(count)
    ]


def persona(sentences: int, language: Language = "en") -> dict[str, Any]:
    """Ann, with so many sentences in each text of hers."""
    text = (WORDS[language]["sentence"] * sentences)[:3900]
    return {
        "public": [text, text],
        "private": [text, text],
        "conduct": [text] * 20,
        "goals": [text, text],
        "relations": [{"to": who, "kind": "rival", "text": text} for who in ("ben", "cy")],
        "wants": [{"question": text, "subject": "ben", "predicate": "said_about"}] * 20,
    }


def canon_of(language: Language = "en", **over: Any) -> Canon:
    """The small world in a language, with more of what is given."""
    people = [c.model_dump(by_alias=True) for c in small_canon().characters]
    ann = over.pop("ann", {})
    people = [person | ann if person["id"] == "ann" else person for person in people]
    values = {
        "language": language,
        "predicates": built_in(language),
        "facts": over.pop("facts", facts(3, language)),
        "characters": [*people, *over.pop("crowd", [])],
        "things": over.pop("things", []),
        **over,
    }
    return small_canon(**values)


def still(language: Language, beats: int, **over: Any) -> Told:
    """Somebody who has not moved for so many beats, in which others talked."""
    told = Told(canon=canon_of(language, **over))
    for n in range(beats):
        told.happen(says("ben", WORDS[language]["line"].format(n=n)))
    return told


def request_of(
    view: CharacterView, material: Material = NOTHING, limits: Limits = LIMITS
) -> Request:
    return fused(view, material, limits).request


def text_of(view: CharacterView, material: Material = NOTHING, limits: Limits = LIMITS) -> str:
    return "\n\n".join(m.content for m in request_of(view, material, limits).messages)


def tokens_of(view: CharacterView, material: Material = NOTHING, limits: Limits = LIMITS) -> int:
    """Of the whole request, with the longest message of a retry."""
    request = again(fused(view, material, limits), view.language, "problem " * 500)
    return sum(estimated_tokens(message.content) for message in request.messages)
