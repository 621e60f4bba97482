"""Names inside free text: whoever reads it gets a person's name only if it knows the name."""

import re

from sandbox.story.canon import Canon
from sandbox.story.ids import CharacterId
from sandbox.story.percepts import Names

_MARK = re.compile(r"\{@([a-z][a-z0-9_]*)\}")


def masked(text: str, canon: Canon) -> str:
    """`text` with the names of those whom not everybody knows by name put as `{@id}`.

    A deed or an event is told to each witness in the names it knows, so the text that is kept may
    not hold the names themselves. Spoken words are heard as they are and are not masked.
    """
    text = text.replace("{@", "{ @")
    hidden = [c for c in canon.characters if c.name_known_to is not None]
    named = [(name, c.id) for c in hidden for name in (c.name, *c.aliases)]
    for name, id_ in sorted(named, key=lambda pair: -len(pair[0])):
        text = text.replace(name, f"{{@{id_}}}")
    return text


def unmasked(text: str, names: Names) -> str:
    """`text` in the names its reader knows."""
    return _MARK.sub(lambda match: names(CharacterId(match[1])), text)
