"""Names inside free text: whoever reads it gets a person's name only if it knows the name."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import groupby

from sandbox.story.canon import Canon
from sandbox.story.percepts import Names
from sandbox.story.text import CJK

_LETTER = rf"[^\W{CJK}]"
"""A letter or digit of a script that parts its words: names end where these do."""


def masked(text: str, canon: Canon, people: Collection[str] | None = None) -> str:
    """`text` with the names of those whom not everybody knows by name put as `{@id}`.

    A deed or an event is told to each witness in the names it knows, so the text that is kept may
    not hold the names themselves. Spoken words are heard as they are and are not masked.

    Args:
        text: what to mask.
        canon: the world.
        people: whose names to mask. None: everybody's.
    """
    text = text.replace("{@", "{ @")
    if all(person.name_known_to is None for person in canon.characters):
        return text
    marks: dict[str, str] = {}
    is_any = False
    for person in canon.characters:
        is_masked = person.name_known_to is not None and (people is None or person.id in people)
        is_any |= is_masked
        for name in (person.name, *person.aliases):
            for written in _ways_to_write(name) if is_masked else (name,):
                if is_masked or written not in marks:
                    marks[written] = f"{{@{person.id}}}" if is_masked else written
    if not is_any:
        return text
    return _any_of(tuple(marks)).sub(lambda match: marks[match[0]], text)


@lru_cache(maxsize=64)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of `names`, whole. In one pass, the longest first: a name may stand in another."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    # What stands at the edges of names is asked once for all in a row: it makes most of a pattern.
    runs = groupby(longest_first, key=_parts_words)
    return re.compile("|".join(_run_of(run, parts=parts) for parts, run in runs))


def _run_of(names: Iterable[str], *, parts: bool) -> str:
    """A pattern for any of `names`; `parts`: where it is no part of a longer word."""
    either = "|".join(map(re.escape, names))
    return rf"(?<!{_LETTER})(?:{either})(?!{_LETTER})" if parts else either


def _ways_to_write(name: str) -> Iterator[str]:
    yield name
    yield name.upper()
    if " " in name:  # a single word in lower case may be just a word
        yield name.lower()


def stands_in(name: str, words: str) -> bool:
    """Whether `words` hold a name, in capitals or without, where it is no part of a longer word."""
    return _in_any_case(name).search(words) is not None


@lru_cache(maxsize=1024)
def _in_any_case(name: str) -> re.Pattern[str]:
    # Thousands of characters without regard to case take a millisecond to compile.
    return re.compile(_run_of([name], parts=_parts_words(name)), re.IGNORECASE)


def _parts_words(name: str) -> bool:
    return (
        re.fullmatch(_LETTER, name[0]) is not None and re.fullmatch(_LETTER, name[-1]) is not None
    )


def unmasked(text: str, names: Names) -> str:
    """`text` in the names its reader knows."""
    return names.unmasked(text) if "{@" in text else text
