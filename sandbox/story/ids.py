"""Ids of everything in a story, and how they are made."""

import hashlib
import json
from typing import Annotated, Any, NewType

from pydantic import PlainSerializer

CharacterId = NewType("CharacterId", str)
PlaceId = NewType("PlaceId", str)
ThingId = NewType("ThingId", str)
FactId = NewType("FactId", str)
SceneId = NewType("SceneId", str)
PredicateId = NewType("PredicateId", str)
PatternId = NewType("PatternId", str)
OrganisationId = NewType("OrganisationId", str)
ThreadId = NewType("ThreadId", str)
PreparedId = NewType("PreparedId", str)
EventId = NewType("EventId", str)

SLUG = r"^[a-z][a-z0-9_]{0,39}$"
"""Ids written by hand: they also name Chroma collections, so they stay within its alphabet."""

_DIGEST_BYTES = 8
"""64 bits: a story of a million items meets a collision once in 40 million stories."""

CharacterSet = Annotated[frozenset[CharacterId], PlainSerializer(sorted, return_type=list[str])]
"""Written in sorted order: a set's own order changes from one process to the next."""


def scene_id(number: int) -> SceneId:
    """Id of the scene that opens as the `number`th of a save."""
    return SceneId(f"s{number}")


def canonical_json(content: Any) -> str:
    """`content` as JSON, the same text for the same content in every process."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    """A short hex digest of `text`, the same on every machine (`hash()` is salted)."""
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def content_id(prefix: str, content: Any) -> str:
    """The same id for the same content: `prefix:` and 16 hex digits."""
    return f"{prefix}:{digest(canonical_json(content))}"
