"""The words highlights are put into, English and Chinese; for readers who may know everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from sandbox.story.highlights import Highlight, HighlightKind
from sandbox.story.items import Language
from sandbox.story.known import worded
from sandbox.story.world import World

_WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "secret_out": "{who} found out a secret: {said}",
        "secret_out_told": "{teller} let {who} into a secret: {said}",
        "lie_believed": "{who} believes what {teller} does not: {said}",
        "belief_corrected": "{who} had it wrong ({was}) and now knows: {said}",
        "rumour": "{who} has it from {teller}, who has it from somebody else: {said}",
        "thread_turned": "{question} From {was} to {state}.",
    },
    "zh": {
        "secret_out": "{who}知道了一桩秘密：{said}",
        "secret_out_told": "{teller}把一桩秘密告诉了{who}：{said}",
        "lie_believed": "{who}信了{teller}自己也不信的话：{said}",
        "belief_corrected": "{who}原先想错了（{was}），如今明白了：{said}",
        "rumour": "{who}听{teller}转述了别人的话：{said}",
        "thread_turned": "{question}（{was} → {state}）",
    },
}
_COUNTED: Final[dict[HighlightKind, tuple[str, str]]] = {
    HighlightKind.SECRET_OUT: ("secret out", "secrets out"),
    HighlightKind.LIE_BELIEVED: ("lie believed", "lies believed"),
    HighlightKind.BELIEF_CORRECTED: ("belief corrected", "beliefs corrected"),
    HighlightKind.RUMOUR: ("rumour", "rumours"),
    HighlightKind.THREAD_TURNED: ("thread turned", "threads turned"),
}


def highlight_in_words(highlight: Highlight, world: World) -> str:
    """One sentence or two for a highlight, in the world's language.

    Args:
        highlight: one that `world` or an earlier turn of it brought.
        world: the story's world at that turn or later.
    """
    names, words = world.names(None), _WORDS[world.canon.language]
    if highlight.thread is not None:
        question = world.canon.threads_by_id[highlight.thread].question
        return words["thread_turned"].format(
            question=question, was=highlight.was, state=highlight.state
        )
    is_told = highlight.kind is HighlightKind.SECRET_OUT and highlight.teller is not None
    return words[f"{highlight.kind}_told" if is_told else highlight.kind].format(
        who=names(highlight.who or ""),
        teller=names(highlight.teller or ""),
        was=names(highlight.was),
        said=_said(highlight, world),
    )


def _said(highlight: Highlight, world: World) -> str:
    """What it is about: the canon's sentence, the words that were said, or a wording of it."""
    assert highlight.fact is not None
    assert highlight.who is not None
    fact = world.facts[highlight.fact]
    if fact.canon is not None:
        return fact.canon.statement
    said = [grant.said for grant in world.grants[highlight.who].get(fact.id, ()) if grant.said]
    return said[0] if said else worded(world.names(None), *fact.proposition)


def counted(highlights: Iterable[Highlight]) -> str:
    """How many there are of each kind, in the program's words: "2 secrets out, 1 rumour"; or empty."""
    counts = Counter(highlight.kind for highlight in highlights)
    return ", ".join(
        f"{counts[kind]} {one if counts[kind] == 1 else several}"
        for kind, (one, several) in _COUNTED.items()
        if counts[kind]
    )
