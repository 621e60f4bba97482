"""What everybody can read of a world may not name what is out of sight in it."""

import re
from collections.abc import Iterator

from sandbox.storage.findings import Finding
from sandbox.story.canon import Canon, Thing
from sandbox.story.items import Timed

_ARTICLE = re.compile(r"^(the|an?)\s+", re.IGNORECASE)


def hidden(canon: Canon) -> Iterator[Finding]:
    """A finding for each public text that names a concealed thing: who reads it knows of it."""
    for thing in canon.things:
        if thing.concealed:
            for section, key, texts in _public(canon):
                if any(_names(thing, timed.text) for timed in texts):
                    problem = f"names `{thing.id}`, which is concealed. Leave it to who finds it."
                    yield section, key, problem


def _public(canon: Canon) -> Iterator[tuple[str, str, tuple[Timed, ...]]]:
    """Texts that anybody sees who is there."""
    for place in canon.places:
        yield "places", f"{place.id}.description", place.description
    for person in canon.characters:
        yield "characters", f"{person.id}.public", person.public
        yield "characters", f"{person.id}.known_as", person.known_as


def _names(thing: Thing, text: str) -> bool:
    folded = text.casefold()
    for name in (thing.name, *thing.aliases):
        bare = _ARTICLE.sub("", name).casefold()
        edge = r"(?<![a-z]){}(?![a-z])" if bare.isascii() else "{}"
        if re.search(edge.format(re.escape(bare)), folded):
            return True
    return False
