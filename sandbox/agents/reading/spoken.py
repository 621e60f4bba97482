"""What of a model's words is said aloud: no thoughts, no lines of others, nothing twice."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from sandbox.story.items import Language
from sandbox.story.text import CJK, clean, sentences

LINE_CHARS = 1200
"""Most characters of one field."""
_THOUGHT_CHARS = 8
"""A shorter thought ("Yes.") may well be said, too."""
_ASIDE = re.compile(r"\([^()]*\)?|（[^（）]*）?|\[[^\[\]]*\]|【[^【】]*】?|\*[^*]+\*")
"""What is bracketed, an opening bracket without its fellow up to the end."""
_BOLD = re.compile(r"(?<![*])\*\*([^*]+)\*\*(?![*])")
_INNER = re.compile(
    r"(?:^|(?<=[\s.!?,;。！？，；]))(?:(?:inner |private |my )?(?:thoughts?|thinking|monologue)|OOC)\s*[:：]"
    r"|(?:心里话|内心独白|内心|心里想|心想|想法|心声|思考)\s*[:：]"
    r"|[<\[◁]\s*(?:think(?:ing)?|thoughts?)\s*[>\]▷]",
    re.IGNORECASE,
)
"""From here on a model says what it thinks."""
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u20e3]")
_LOOP = re.compile(r"(.{2,60}?[\s,，、;；]*)\1{4,}")
"""The same words five times and more."""
_QUOTED: Final = {'"': '"', "“": "”", "「": "」", "『": "』"}
_COMMON = frozenset(
    {"a", "and", "are", "at", "but", "do", "for", "have", "he", "her", "his", "i", "if", "in", "is"}
    | {"it", "me", "my", "not", "of", "on", "or", "she", "so", "that", "the", "they", "this", "to"}
    | {"was", "we", "what", "with", "you", "your"}
)
_LEAST_COMMON, _LEAST_CJK = 3, 12
"""Words, or characters, from which a text is taken to be in that language."""


@lru_cache(maxsize=64)
def bounded(text: str) -> str:
    """A text on one line, without pictures; one that is too long ends with a whole sentence."""
    shown = clean(_PICTURES.sub("", text), LINE_CHARS + 1)
    if len(shown) <= LINE_CHARS:
        return shown
    whole = list(sentences(shown))[:-1]
    return " ".join(whole) or shown[:LINE_CHARS]


def spoken_only(text: str) -> tuple[str, str]:
    """`text` without what stands in brackets or asterisks, and that by itself.

    Models put private thoughts there; whatever it is, it is not said aloud.
    """
    text, inner = _without_inner(_emphasised(text))
    asides = [part.strip("()（）[]【】* ") for part in _ASIDE.findall(text)]
    said = " ".join(_ASIDE.sub(" ", text).split())
    return said, " ".join(part for part in (*asides, inner) if part)


def once_each(text: str) -> str:
    """`text` with each sentence once, and without the loops that models fall into."""
    kept: dict[str, str] = {}
    for sentence in sentences(text):
        plain = _unlooped(sentence)
        kept.setdefault(plain.casefold(), plain)
    if len(kept) == len(list(sentences(text))) and all(s in text for s in kept.values()):
        return text
    return _joined(kept.values())


@lru_cache(maxsize=256)
def _unlooped(sentence: str) -> str:
    """A sentence without loops; while a reply arrives, its first sentences come again with every piece."""
    return _LOOP.sub(r"\1", sentence)


def without_thought(words: str, thought: str) -> str:
    """`words` without the thought, where a model says it as well."""
    if len(thought) < _THOUGHT_CHARS:
        return words
    return " ".join(words.replace(thought, " ").split())


def own_part(words: str, own: Sequence[str], others: Iterable[str]) -> str:
    """`words` up to where a line of somebody else begins, without the speaker's name before them.

    Args:
        words: as the model wrote them, over several lines perhaps.
        own: names of the speaker.
        others: names of those who are here.
    """
    if label := _label(others).search(words):
        words = words[: label.start()] + label[1]
    return _label(own).sub(r"\1", words)


def unquoted(words: str) -> str:
    """`words` without quotation marks around the whole of them."""
    closing = _QUOTED.get(words[:1])
    if closing and words.endswith(closing) and closing not in words[1:-1]:
        return words[1:-1].strip()
    return words


def is_in(language: Language, text: str) -> bool:
    """Whether a text may be in a language; a short one may be in any."""
    plain = unicodedata.normalize("NFKC", text)
    wide = len(re.findall(rf"[{CJK}]", plain))
    narrow = re.findall(r"[A-Za-z]+", plain)
    if language == "en":
        return wide < _LEAST_CJK or wide < len("".join(narrow))
    return wide > 0 or sum(word.lower() in _COMMON for word in narrow) < _LEAST_COMMON


def _emphasised(text: str) -> str:
    """`text` without the marks of bold words, where these are part of a sentence or all there is.

    Bold words by themselves beside others are an aside, like those between single asterisks.
    """

    def plain(bold: re.Match[str]) -> str:
        before = text[: bold.start()].rstrip()
        is_all = not (text[: bold.start()] + text[bold.end() :]).strip()
        is_inside = bool(before) and before[-1] not in ".!?…。！？"
        return bold[1] if is_all or is_inside else f"*{bold[1]}*"

    return _BOLD.sub(plain, text)


def _without_inner(text: str) -> tuple[str, str]:
    found = _INNER.search(text)
    return (text[: found.start()], text[found.end() :].strip()) if found else (text, "")


def _label(names: Iterable[str]) -> re.Pattern[str]:
    """A name with a colon at the beginning of a line or sentence, as in a play."""
    return _label_of("|".join(re.escape(name) for name in names if name) or r"(?!)")


@lru_cache(maxsize=256)
def _label_of(any_name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(^|[\n.!?…。！？\"”」]\s*)(?:{any_name})\s*(?:[（(][^()（）]{{0,40}}[)）])?\s*[:：]\s*",
        re.I,
    )


def _joined(parts: Iterable[str]) -> str:
    """Sentences in one line: Chinese ones without spaces between them."""
    text = ""
    for part in parts:
        is_wide = bool(text) and bool(re.search(rf"[{CJK}。！？…”」]\Z", text))
        text += part if not text or is_wide else f" {part}"
    return text
