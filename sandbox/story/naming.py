"""Names inside free text: whoever reads it gets a person's name only if it knows the name."""

import re
from collections.abc import Collection, Iterator

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
    # In one pass, the longest first: a name may stand in another, also of somebody all know.
    longest_first = sorted(marks, key=lambda name: (-len(name), name))
    return re.sub("|".join(map(whole, longest_first)), lambda match: marks[match[0]], text)


def _ways_to_write(name: str) -> Iterator[str]:
    yield name
    yield name.upper()
    if " " in name:  # a single word in lower case may be just a word
        yield name.lower()


def whole(name: str) -> str:
    """A pattern for `name` where it is no part of a longer word."""
    return (
        rf"(?<!{_LETTER}){re.escape(name)}(?!{_LETTER})" if _parts_words(name) else re.escape(name)
    )


def _parts_words(name: str) -> bool:
    return (
        re.fullmatch(_LETTER, name[0]) is not None and re.fullmatch(_LETTER, name[-1]) is not None
    )


def unmasked(text: str, names: Names) -> str:
    """`text` in the names its reader knows."""
    return names.unmasked(text) if "{@" in text else text
