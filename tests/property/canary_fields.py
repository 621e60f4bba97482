"""Every field of a world as it is read, with the tokens that stand in it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import BaseModel

from sandbox.story.canon import Canon
from sandbox.story.items import Timed
from tests.property.canary_mint import tokens
from tests.property.canary_world import CanaryWorld

FieldName = tuple[str, str]
"""Record and key: `("Want", "question")`."""
_NO_WORDS = {"id", "clock"}
_KINDS_OF_ENDS = {("Predicate", "subject"), ("Predicate", "object")}
"""Which kind of thing stands there; the program's own words."""


def fields_of(item: BaseModel) -> Iterator[tuple[FieldName, object]]:
    """Every field of a record and of those inside it."""
    for name in type(item).model_fields:
        value = getattr(item, name)
        if name not in ("from_", "until"):
            yield (type(item).__name__, name), value
        for part in _parts(value):
            if isinstance(part, BaseModel):
                yield from fields_of(part)


def fields_of_words(item: BaseModel) -> Iterator[tuple[FieldName, str]]:
    """Every text of a record and of those inside it, by the field it stands in."""
    for name, field in type(item).model_fields.items():
        value, key = getattr(item, name), (type(item).__name__, name)
        if name not in _NO_WORDS and key not in _KINDS_OF_ENDS and _holds_words(field.annotation):
            yield key, ""
            for part in _parts(value):
                yield key, part.text if isinstance(part, Timed) else str(part or "")
        for part in _parts(value):
            if isinstance(part, BaseModel) and not isinstance(part, Timed):
                yield from fields_of_words(part)


def begins_of(written: CanaryWorld, canon: Canon) -> dict[FieldName, set[int]]:
    """For each field of words, the canon scenes from which on a token in it may be held."""
    found = defaultdict[FieldName, set[int]](set)
    for key, text in fields_of_words(canon):
        found[key] |= {written.fields[t].first for t in tokens(text) & written.fields.keys()}
    return dict(found)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, tuple) else (value,)


def _holds_words(annotation: Any) -> bool:
    """Whether words may stand in a field; ids are types of their own."""
    if annotation is str or annotation is Timed:
        return True
    return any(_holds_words(inner) for inner in get_args(annotation))
