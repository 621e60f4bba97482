"""Scripts: a story with fixed lines, free stretches, and expectations about who knows what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sandbox.errors import ScriptError, in_plain_words, nearest
from sandbox.storage.places import find_world
from sandbox.story.canon import Canon

MAX_SCRIPT_BYTES = 4 * 1024 * 1024


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Line(_Part):
    """`say` or `whisper`: somebody says fixed words, and tells fixed facts."""

    who: str
    words: str = Field(min_length=1)
    to: tuple[str, ...] = ()
    tells: tuple[str, ...] | None = None
    """Facts of the world that the line tells; the speaker has to know them.

    None: what its words are found to tell. Empty: nothing.
    """


class Deed(_Part):
    """`do`: a fixed action, perhaps examining a thing or searching the place."""

    who: str
    text: str = ""
    examines: str | None = None
    searches: bool = False


class Walk(_Part):
    """`go`: somebody walks to a neighbouring place."""

    who: str
    place: str


class Change(_Part):
    """`edit`: the line of an earlier turn gets other words."""

    turn: int = Field(ge=1)
    words: str = Field(min_length=1)
    keep: bool = True
    """Whether what followed stays; `false` withdraws it."""


class Event(_Part):
    """`event`: something happens that nobody did."""

    text: str = Field(min_length=1)
    place: str | None = None


class Knows(_Part):
    """`knows`/`not_knows`: whether somebody knows a fact."""

    who: str
    fact: str


class Present(_Part):
    """`present`: exactly these are in a place."""

    place: str
    who: tuple[str, ...]


class Expectations(_Part):
    knows: tuple[Knows, ...] = ()
    not_knows: tuple[Knows, ...] = ()
    present: tuple[Present, ...] = ()


class Step(_Part):
    """One entry of `steps`: exactly one of its keys."""

    say: Line | None = None
    whisper: Line | None = None
    do: Deed | None = None
    go: Walk | None = None
    event: Event | None = None
    fire: str | None = None
    """A prepared event of the world, by its id, happens."""
    retract: int | None = Field(default=None, ge=1)
    """Turn whose beat is withdrawn; what followed stays."""
    edit: Change | None = None
    auto: int | None = Field(default=None, ge=1, le=10_000)
    """Beats that the minds play by themselves."""
    expect: Expectations | None = None

    @model_validator(mode="after")
    def _one_of(self) -> Step:
        if len(self.given) != 1:
            raise ValueError("has to have exactly one of " + ", ".join(type(self).model_fields))
        return self

    @property
    def given(self) -> list[str]:
        return [name for name in type(self).model_fields if getattr(self, name) is not None]


class Script(_Part):
    """A script file."""

    world: str
    """Name of a bundled world, or a path from the script's folder."""
    start: str | None = None
    seed: int = 1
    minds: dict[str, Literal["rehearsal", "model", "person"]] = {}
    steps: tuple[Step, ...] = Field(min_length=1)


def read_script(path: Path) -> Script:
    """The script in a file.

    Raises:
        ScriptError: it cannot be read; one line for each problem.
    """
    try:
        if path.stat().st_size > MAX_SCRIPT_BYTES:
            raise ScriptError(f"{path}: larger than {MAX_SCRIPT_BYTES // 2**20} MiB.")
        values: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScriptError(f"{path}: cannot be read: {error.strerror}.") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ScriptError(f"{path}: is not YAML: {' '.join(str(error).split())}.") from None
    try:
        return Script.model_validate(values)
    except ValidationError as error:
        raise ScriptError("\n".join(_problems(path, error))) from None


def _problems(path: Path, error: ValidationError) -> Iterator[str]:
    found = error.errors()
    for item in found:
        key = ".".join(str(part) for part in item["loc"]) or "(all of it)"
        if item["type"] == "too_short" and len(found) > 1:
            continue  # it is short because of the others
        message = in_plain_words(item["type"], item["msg"])
        if item["type"] == "extra_forbidden":
            known = _keys_beside(item["loc"])
            hint = nearest(str(item["loc"][-1]), known)
            message = f"no such key.{hint} There are: {', '.join(known)}"
        yield f"{path}: `{key}`: {message.rstrip('.')}."


def _keys_beside(loc: tuple[int | str, ...]) -> list[str]:
    """The keys that could stand where `loc` stands."""
    kind: type[BaseModel] = Script
    for part in loc[:-1]:
        field = kind.model_fields.get(str(part))
        inner = [kind, *_records_in(field.annotation)] if field else [kind]
        kind = inner[-1]
    return list(kind.model_fields)


def _records_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [r for part in getattr(annotation, "__args__", ()) for r in _records_in(part)]


def world_of(script: Script, path: Path) -> Path:
    """The folder of the script's world: beside the script, or a bundled one.

    Raises:
        UsageError: there is none.
    """
    beside = path.parent / script.world
    return find_world(str(beside) if (beside / "world.toml").is_file() else script.world)


def check_names(script: Script, canon: Canon, path: Path) -> None:
    """Refuse a script that names what its world does not have.

    Raises:
        ScriptError: one line for each unknown name.
    """
    problems = [
        f"{path}: `steps.{number}.{key}`: no {kind} `{name}` in `{canon.id}`.{nearest(name, known)}"
        for number, step in enumerate(script.steps)
        for key, kind, name, known in _names(step, canon)
        if name not in known
    ]
    if problems:
        raise ScriptError("\n".join(problems))


def _names(step: Step, canon: Canon) -> Iterator[tuple[str, str, str, Any]]:
    for key, line in (("say", step.say), ("whisper", step.whisper)):
        for who in (line.who, *line.to) if line else ():
            yield key, "character", who, canon.cast
        for fact in (line.tells or ()) if line else ():
            yield f"{key}.tells", "fact", fact, canon.facts_by_id
    if step.do:
        yield "do", "character", step.do.who, canon.cast
        if step.do.examines:
            yield "do.examines", "thing", step.do.examines, canon.things_by_id
    if step.go:
        yield "go", "character", step.go.who, canon.cast
        yield "go.place", "place", step.go.place, canon.places_by_id
    if step.event and step.event.place:
        yield "event.place", "place", step.event.place, canon.places_by_id
    if step.fire is not None:
        yield "fire", "prepared event", step.fire, canon.prepared_by_id
    if step.expect:
        yield from _expected_names(step.expect, canon)


def _expected_names(expect: Expectations, canon: Canon) -> Iterator[tuple[str, str, str, Any]]:
    for key, items in (("knows", expect.knows), ("not_knows", expect.not_knows)):
        for item in items:
            yield f"expect.{key}", "character", item.who, canon.cast
            yield f"expect.{key}", "fact", item.fact, canon.facts_by_id
    for present in expect.present:
        yield "expect.present", "place", present.place, canon.places_by_id
        for who in present.who:
            yield "expect.present", "character", who, canon.cast
