"""Event lists in their closed form, one item a JSON line: what happened, who was there, what is asked.

The form is that of the public suites of who-perceived-what, joined into one vocabulary; docs/eval-knowledge.md
states it. Files are untrusted: sizes are bounded and a faulty line is named and skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from sandbox.errors import in_plain_words

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A whole play is 1 MiB; nothing larger than this is read as one item."""

_COMING = ("enter", "join", "at", "exit", "leave", "scene_start", "scene_end")
_SAYING = ("say", "whisper")
_HANDLING = ("object_at", "container_at", "move_object", "carry_object")
_LOOKING = ("see_label", "open", "close")
KNOWN_TYPES = frozenset(
    (*_COMING, *_SAYING, *_HANDLING, *_LOOKING, "business", "wait", "noise", "dies")
)
_BELIEFS = ("container", "place", "first_container", "content", "label")
KNOWN_OPS = frozenset((*_BELIEFS, "who_knows", "knows", "who_heard", "did_hear"))


def _trimmed(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _names(value: Any) -> Any:
    if value is None:
        return ()
    return tuple(_trimmed(item) for item in value) if isinstance(value, list | tuple) else value


Name = Annotated[str, BeforeValidator(_trimmed)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_names)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class ListedEvent(_Record):
    """One event of a list; fields it does not use are empty."""

    i: int
    type: str
    actor: Name | None = None
    actors: Names = ()
    place: Name | None = None
    from_place: Name | None = None
    to_place: Name | None = None
    text: str | None = None
    targets: Names = ()
    topic: Name | None = None
    object: Name | None = None
    container: Name | None = None
    label: Name | None = None
    content: Name | None = None
    present: Names | None = None
    present_after: Names | None = None
    heard_by: Names | None = None
    aside: bool | str | None = None
    removed: Names | None = None
    carried_over: Names | None = None
    secret_witnesses: Names = ()
    distracted: Names = ()
    dead: Names = ()

    @property
    def doers(self) -> tuple[Name, ...]:
        """Everybody who does it, each once."""
        first = (self.actor,) if self.actor else ()
        return tuple(dict.fromkeys((*first, *self.actors)))

    @property
    def perceived_by(self) -> frozenset[str] | None:
        """Who should perceive it, by the list. None: the list does not say."""
        if self.type in ("scene_start", "scene_end"):
            return None
        if self.heard_by is not None:
            return frozenset(self.heard_by)
        if self.present is None:
            return None
        there = {*self.present, *self.secret_witnesses}
        return frozenset(there - {*self.distracted, *self.dead})


class Ask(_Record):
    op: str
    chain: Names = ()
    object: Name | None = None
    topic: Name | None = None
    event: int | None = None


class Question(_Record):
    kind: str = ""
    ask: Ask
    gold: Any = None


class ListedItem(_Record):
    id: str
    cast: tuple[Name, ...] | Mapping[str, Any] = ()
    events: tuple[ListedEvent, ...] = Field(max_length=1_000_000)
    questions: tuple[Question, ...] = ()

    @property
    def is_staged(self) -> bool:
        """Whether it is a play: its cast is a map, and what goes on on stage is seen by all on it."""
        return isinstance(self.cast, Mapping)


def read_items(path: Path, problems: list[str]) -> Iterator[ListedItem]:
    """The items of a file; a line that is none is told in `problems` and skipped.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                if len(line) > MAX_LINE_BYTES:
                    raise ValueError(f"longer than {MAX_LINE_BYTES // 2**20} MiB")
                yield ListedItem.model_validate(json.loads(line))
            except ValidationError as error:
                first = error.errors()[0]
                key = ".".join(str(part) for part in first["loc"])
                what = in_plain_words(first["type"], first["msg"], "")
                problems.append(f"{path}: line {number}: `{key}`: {what}.")
            except (ValueError, RecursionError) as error:
                problems.append(f"{path}: line {number}: is not an item: {error}.")
