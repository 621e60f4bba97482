"""The cassette: every input from outside, in order of effect. With it and the seed the story plays again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from sandbox.errors import CassetteError
from sandbox.storage.files import Appender
from sandbox.story.commands import Command
from sandbox.story.ids import canonical_json, digest


@dataclass(frozen=True)
class Key:
    """Which input of which move: the same in every order of arrival."""

    round: int
    scene: str
    character: str
    step: str
    """`move`, `recall:1`, …"""
    attempt: int = 0

    def __str__(self) -> str:
        return f"{self.round}/{self.scene}/{self.character}/{self.step}/{self.attempt}"


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Opened(_Entry):
    """The save was opened; whatever the cassette holds beyond `seq` is void."""

    kind: Literal["opened"] = "opened"
    seq: int


class Advanced(_Entry):
    """Somebody asked for a round."""

    kind: Literal["advanced"] = "advanced"
    seq: int
    """Last committed journal line, as in every entry that steers."""
    round: int
    limit: int | None = None
    """Most beats to play; None: one for each scene that is due."""


class Ordered(_Entry):
    """A person's command."""

    kind: Literal["ordered"] = "ordered"
    seq: int
    command: Command


class Stopped(_Entry):
    """A person stopped the round; nothing uncommitted of it counts."""

    kind: Literal["stopped"] = "stopped"
    seq: int
    round: int


class Closed(_Entry):
    kind: Literal["closed"] = "closed"
    seq: int


class Replied(_Entry):
    """A model's reply, whole."""

    kind: Literal["replied"] = "replied"
    key: str
    request: str
    """Digest of the request; another one at replay is drift."""
    text: str
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    repeats: int = 0
    """Transport repeats it took."""


class Failed(_Entry):
    """A model's final failure."""

    kind: Literal["failed"] = "failed"
    key: str
    request: str
    problem: str
    is_transient: bool = True


class Recalled(_Entry):
    """Ids that a memory search returned."""

    kind: Literal["recalled"] = "recalled"
    key: str
    ids: tuple[str, ...]


Steering = Opened | Advanced | Ordered | Stopped | Closed
Answering = Replied | Failed | Recalled
Entry = Annotated[Steering | Answering, Field(discriminator="kind")]
_ENTRY: TypeAdapter[Steering | Answering] = TypeAdapter(Entry)


def entry_line(entry: Steering | Answering) -> str:
    """The cassette line of an entry, with its checksum."""
    body = {"kind": entry.kind} | entry.model_dump(mode="json", exclude_defaults=True)
    if isinstance(entry, Ordered):
        # Whole: what tells one kind of command or event from another is a default, too.
        body["command"] = entry.command.model_dump(mode="json")
    return canonical_json({**body, "sum": digest(canonical_json(body))})


def read_cassette(path: Path) -> list[Steering | Answering]:
    """All entries, in order of effect. A torn last line is left out.

    Raises:
        CassetteError: another line is damaged; says which.
    """
    raw = path.read_bytes() if path.exists() else b""
    *whole, _torn = raw.split(b"\n")
    return [_checked(path, number, line) for number, line in enumerate(whole, start=1)]


def _checked(path: Path, number: int, line: bytes) -> Steering | Answering:
    try:
        body = json.loads(line)
        total = body.pop("sum")
        if total != digest(canonical_json(body)):
            raise CassetteError(f"{path}: line {number} is damaged: its checksum does not fit.")
        return _ENTRY.validate_python(body)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        name = type(error).__name__
        raise CassetteError(f"{path}: line {number} is no cassette entry ({name}).") from None


class Cassette:
    """A cassette open for appending. `sync` it before what its entries led to is written."""

    def __init__(self, path: Path) -> None:
        if path.exists():
            raw = path.read_bytes()
            whole = raw.rfind(b"\n") + 1
            if whole < len(raw):
                with path.open("r+b") as file:
                    file.truncate(whole)
        self._file = Appender(path)

    def write(self, *entries: Steering | Answering) -> None:
        self._file.append(*(entry_line(entry) for entry in entries), sync=False)

    def sync(self) -> None:
        """Have every entry on disk."""
        self._file.sync()

    def close(self) -> None:
        self._file.sync()
        self._file.close()


class Tape:
    """The answers of a cassette by key, for a replay."""

    def __init__(self, entries: Iterable[Steering | Answering]) -> None:
        self._answers: dict[str, Answering] = {
            e.key: e for e in entries if isinstance(e, Replied | Failed | Recalled)
        }

    def answer(self, key: Key) -> Answering:
        """What came from outside at `key`.

        Raises:
            CassetteError: nothing is recorded there.
        """
        if str(key) not in self._answers:
            raise CassetteError(
                f"cassette: nothing recorded for `{key}`. The story went another way."
            )
        return self._answers[str(key)]


def steering(entries: Iterable[Steering | Answering]) -> Iterator[Steering]:
    """The entries that steer, in order."""
    for entry in entries:
        if isinstance(entry, Opened | Advanced | Ordered | Stopped | Closed):
            yield entry
