"""One request from one view: what never changes first, what just happened last."""

from __future__ import annotations

from dataclasses import replace

from sandbox.agents.fusing.choice import SUPPORT_TOKENS, Choice
from sandbox.agents.fusing.files import (
    fixed_tokens,
    heading_tokens,
    manner_of,
    template,
    written,
)
from sandbox.agents.fusing.fitting import cut, filled, one_line, text_tokens
from sandbox.agents.fusing.held import held_sources
from sandbox.agents.fusing.material import MOVE_SCHEMA, Limits, Material, Prompt, again_tokens
from sandbox.agents.fusing.now import now_sources
from sandbox.agents.fusing.parts import BLOCK_SHARES, Block, parts_of
from sandbox.agents.fusing.self import self_filled
from sandbox.models.port import Message, Request
from sandbox.story.items import Language
from sandbox.story.view import CharacterView
from sandbox.story.viewpoint import clock_text


def fused(view: CharacterView, material: Material, limits: Limits) -> Prompt:
    """The one request of a move.

    Raises:
        BoundaryError: the material names a fact, memory or pattern that is not the character's own.
    """
    manner = manner_of(view.language, limits.room)
    choice = Choice(view, material, limits)
    slots = _texts(choice, manner, limits.room)
    numbers = choice.numbers()
    slots |= choice.facts(numbers) | choice.answer(slots["asked"], numbers)
    slots |= {"name": view.name, "clock": clock_text(view.clock)}
    request = Request(
        messages=(
            Message("system", written(view.language, f"persona{manner}", slots)),
            Message("user", written(view.language, f"move{manner}", slots)),
        ),
        schema=MOVE_SCHEMA,
        max_tokens=limits.max_tokens,
        temperature=limits.temperature,
    )
    return Prompt(request, tuple(numbers), again_tokens(limits.prompt_tokens))


def again(prompt: Prompt, language: Language, problem: str) -> Request:
    """The same request after a reply that could not be used. Every prompt keeps room for this."""
    frame = template(language, "again")
    room = prompt.spare_tokens - text_tokens(frame.template)
    return once_more(prompt, frame.substitute(problem=cut(one_line(problem), room)))


def once_more(prompt: Prompt, told: str) -> Request:
    """The same request, followed by what is to be done otherwise, as far as there is room for it."""
    words = Message("user", cut(told, prompt.spare_tokens))
    return replace(prompt.request, messages=(*prompt.request.messages, words))


def _texts(choice: Choice, manner: str, room: int) -> dict[str, str]:
    """The text of every part, block by block: none depends on one that stands after it."""
    view, texts = choice.view, dict[str, str]()
    headings = heading_tokens(view.language, manner)
    fixed = fixed_tokens(view.language, manner) + text_tokens(view.name) + SUPPORT_TOKENS
    left = whole = room - fixed
    filling = self_filled(view, manner, int(whole * BLOCK_SHARES[Block.SELF]))
    texts |= filling.texts
    left -= filling.tokens
    for block, sources in ((Block.HELD, held_sources), (Block.NOW, now_sources)):
        budget = left if block is Block.NOW else int(whole * BLOCK_SHARES[block])
        filling = filled(parts_of(block), sources(choice), view.language, headings, budget)
        texts |= filling.texts
        left -= filling.tokens
    return texts
