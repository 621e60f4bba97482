"""Phrases rehearsal falls back on where a world's own patterns have none, in both languages."""

from typing import Final

from sandbox.story.items import Language

ASK_ABOUT: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "And {x}? You must have noticed something there.",
        "Tell me whatever you can about {x}.",
        "I keep coming back to {x}. What have you seen?",
        "{x}: does that mean anything to you?",
        "Help me with {x}, if you can.",
        "Has anybody spoken to you of {x} lately?",
        "Start from the beginning. What happened with {x}?",
        "There is more behind {x} than people let on, is there not?",
    ),
    "zh": (
        "{x}的事，你总该留意到什么吧？",
        "说说看，你对{x}知道多少？",
        "我总想着{x}，你见过什么没有？",
        "提起{x}，你心里可有数？",
        "帮我理一理，{x}究竟怎么回事？",
        "近来有没有人跟你讲过{x}？",
        "从头讲起吧，{x}那边出了什么事？",
        "{x}背后怕是另有文章，你说呢？",
    ),
}
LOOK: Final[dict[Language, tuple[str, str]]] = {
    "en": ("looks closely at {x}", "look closely at {x}"),
    "zh": ("仔细看了看{x}", "仔细看了看{x}"),
}
SILENCE: Final[dict[Language, tuple[str, str]]] = {
    "en": ("gives no answer", "give no answer"),
    "zh": ("没有作声", "没有作声"),
}
JOIN: Final[dict[Language, str]] = {"en": " ", "zh": ""}
QUESTION_MARKS: Final = "?？"
