"""What every canon item is made of: names, texts, and the span of the canon in which it holds."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from sandbox.story.ids import SLUG, SceneId

_BREAKS = re.compile(r"\s*[\x00-\x1f\x7f\x85\u2028\u2029]+\s*")


def _on_one_line(value: Any) -> Any:
    """A text without breaks and control characters: in a request no part of it may look like a line of ours."""
    return _BREAKS.sub(" ", value) if isinstance(value, str) else value


Slug = Annotated[str, StringConstraints(pattern=SLUG)]
Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=4000),
    BeforeValidator(_on_one_line),
]
Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=80),
    BeforeValidator(_on_one_line),
]
Language = Literal["en", "zh"]


class Item(BaseModel):
    """A frozen record; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Spanned(Item):
    """A canon item that holds only for part of the canon."""

    from_: SceneId | None = Field(default=None, alias="from")
    """First canon scene in which it holds. None: from the beginning."""
    until: SceneId | None = None
    """First canon scene in which it no longer holds. None: for good."""


class Timed(Spanned):
    """A text that holds for a span of canon scenes."""

    text: Text


def _as_timed(value: Any) -> Any:
    if isinstance(value, str):
        return ({"text": value},)
    return (value,) if isinstance(value, dict) else value


def _each_timed(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return _as_timed(value)
    return tuple({"text": item} if isinstance(item, str) else item for item in value)


TimedTexts = Annotated[tuple[Timed, ...], BeforeValidator(_each_timed)]
"""One text, or several, each with a span. A plain string holds for good."""
