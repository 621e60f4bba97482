"""Reading a world folder: every problem is collected, none hides another."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sandbox.errors import WorldFileError, in_plain_words, nearest
from sandbox.storage.lint import lint
from sandbox.story.canon import Canon
from sandbox.story.predicates import built_in

MAX_FILE_BYTES = 4 * 1024 * 1024
"""World files are untrusted: nothing larger is read."""

_OPTIONAL = ("predicates.toml", "patterns.toml", "organisations.toml", "plot.toml")
_PASSES = 4
"""Times what is faulty is taken out before a world is given up as a whole."""
_FILES = (
    "world.toml",
    "cast.toml",
    "places.toml",
    "facts.toml",
    "predicates.toml",
    "patterns.toml",
    "organisations.toml",
    "plot.toml",
)


@dataclass
class _Reading:
    """One pass over a world folder."""

    folder: Path
    problems: list[str] = field(default_factory=list)

    def complain(self, file: str, problem: str) -> None:
        self.problems.append(f"{self.folder / file}: {problem}")

    def text(self, file: str) -> str:
        path = self.folder / file
        try:
            if path.stat().st_size > MAX_FILE_BYTES:
                self.complain(
                    file, f"larger than {MAX_FILE_BYTES // 2**20} MiB. Split or shorten it."
                )
                return ""
            # Some editors put a mark before the first character.
            return path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            if file not in _OPTIONAL:
                self.complain(file, "is missing. A world needs it, even if empty.")
        except UnicodeDecodeError:
            self.complain(file, "is not UTF-8 text. Save it as UTF-8.")
        except OSError as error:
            self.complain(file, f"cannot be read: {error.strerror}.")
        return ""

    def toml(self, file: str, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.complain(file, f"is not TOML: {error}.")
            return {}

    def scene(self, path: Path) -> dict[str, Any]:
        file = f"scenes/{path.name}"
        text = self.text(file)
        if not text and self.problems:
            return {}
        before, marks, rest = text.partition("+++\n")
        front, end, body = rest.partition("\n+++")
        if before.strip() or not marks or not end:
            self.complain(file, "has no TOML between two lines `+++` at its top.")
            return {}
        stem = path.stem.lstrip("0123456789").lstrip("_")
        return {"id": stem, "narrative": body.strip(), **self.toml(file, front)}


def _with_ids(tables: Mapping[str, Any]) -> list[Any]:
    return [{**t, "id": id_} if isinstance(t, dict) else t for id_, t in tables.items()]


def read_world(folder: Path) -> Canon:
    """The canon in `folder`.

    Raises:
        WorldFileError: with every problem found, each as *file: key: what is wrong*.
    """
    reading = _Reading(folder)
    if not folder.is_dir():
        raise WorldFileError([f"{folder}: there is no such world folder."])
    files = {file: reading.toml(file, reading.text(file)) for file in _FILES}
    scenes = [reading.scene(path) for path in sorted((folder / "scenes").glob("*.md"))]
    if not scenes:
        reading.complain("scenes/", "holds no `NN_id.md`. A world needs at least one canon scene.")
    if reading.problems:
        raise WorldFileError(reading.problems)
    values = _assembled(folder.name, files, scenes)
    canon, dropped = _validated(reading, values), set[str]()
    if canon is None:
        canon, dropped = _without_faults(values)
    if canon is not None:
        found = lint(canon, partial(_located, folder))
        reading.problems += [p for p in found if not any(f"`{id_}`" in p for id_ in dropped)]
    if canon is None or reading.problems:
        raise WorldFileError(reading.problems)
    return canon


def _assembled(name: str, files: Mapping[str, Any], scenes: list[Any]) -> dict[str, Any]:
    places, facts = dict(files["places.toml"]), dict(files["facts.toml"])
    plot = dict(files["plot.toml"])
    language = files["world.toml"].get("language", "en")
    own: dict[str, Any] = {id_: {**p, "id": id_} for id_, p in files["predicates.toml"].items()}
    return {
        "id": name.replace("-", "_"),
        **files["world.toml"],
        "characters": _with_ids(files["cast.toml"]),
        "places": _with_ids(places.pop("places", {})),
        "things": _with_ids(places.pop("things", {})),
        "links": places.pop("links", []),
        **{f"places.{extra}": value for extra, value in places.items()},
        "entities": _with_ids(facts.pop("entities", {})),
        "facts": _with_ids(facts),
        "predicates": own | (dict(built_in(language)) if language in ("en", "zh") else {}),
        "patterns": _with_ids(files["patterns.toml"]),
        "organisations": _with_ids(files["organisations.toml"]),
        "threads": _with_ids(plot.pop("threads", {})),
        "prepared": _with_ids(plot.pop("prepared", {})),
        **{f"plot.{extra}": value for extra, value in plot.items()},
        "scenes": scenes,
    }


_FILE_OF = {
    "characters": "cast.toml",
    "places": "places.toml",
    "things": "places.toml",
    "links": "places.toml",
    "entities": "facts.toml",
    "facts": "facts.toml",
    "predicates": "predicates.toml",
    "patterns": "patterns.toml",
    "organisations": "organisations.toml",
    "threads": "plot.toml",
    "prepared": "plot.toml",
    "plot": "plot.toml",
    "scenes": "scenes/",
}


def _located(folder: Path, section: str, key: str, problem: str) -> str:
    return f"{folder / _FILE_OF.get(section, 'world.toml')}: `{key}`: {problem}"


def _validated(reading: _Reading, values: dict[str, Any]) -> Canon | None:
    try:
        return Canon.model_validate(values)
    except ValidationError as error:
        reading.problems += [_problem(reading.folder, values, item) for item in error.errors()]
        return None


def _without_faults(values: dict[str, Any]) -> tuple[Canon | None, set[str]]:
    """The world without the keys that do not fit, so that the rest can be checked as well.

    Returns the ids of items that had to go whole: what names them is not at fault.
    """
    dropped: set[str] = set()
    for _ in range(_PASSES):
        try:
            return Canon.model_validate(values), dropped
        except ValidationError as error:
            faults = [(item["loc"], item["type"]) for item in error.errors()]
        for loc, kind in sorted(faults, key=lambda fault: str(fault[0]), reverse=True):
            _drop(values, loc, dropped, whole=kind == "missing")
    return None, dropped


def _drop(values: dict[str, Any], loc: tuple[Any, ...], dropped: set[str], *, whole: bool) -> None:
    """Take the key at `loc` out, or the whole item it belongs to."""
    section, *keys = loc
    rows = values.get(section)
    if not keys or not isinstance(rows, list | dict):
        values.pop(section, None)
        return
    row = (
        rows[keys[0]] if keys[0] in (rows if isinstance(rows, dict) else range(len(rows))) else None
    )
    if not whole and len(keys) > 1 and isinstance(row, dict):
        row.pop(keys[1], None)
    elif isinstance(rows, dict):
        rows.pop(keys[0], None)
    elif isinstance(row, dict):
        dropped.add(str(row.get("id")))
        rows.remove(row)


def _problem(folder: Path, values: Mapping[str, Any], item: Any) -> str:
    """One validation error, located by the id a writer knows instead of a list index."""
    section, *rest = (str(part) for part in item["loc"])
    keys = list(rest) if section != "links" else ["links", *rest]
    listed = values.get(section)
    if rest and rest[0].isdigit() and isinstance(listed, list):
        row = listed[int(rest[0])]
        if isinstance(row, dict) and "id" in row:
            keys[0] = str(row["id"])
    if section not in _FILE_OF:
        file, _, extra = section.partition(".")
        keys.insert(0, extra or section)
        section = file if extra else section
    pattern = str(item.get("ctx", {}).get("pattern", ""))
    problem = in_plain_words(item["type"], item["msg"], pattern) + "."
    if item["type"] == "extra_forbidden":
        problem = f"no such key.{nearest(keys[-1], _known_keys(section))}"
    return _located(folder, section, ".".join(keys), problem)


def _known_keys(section: str) -> Iterable[str]:
    field = Canon.model_fields.get(section) if section in _FILE_OF else None
    annotation: Any = field.annotation if field else Canon
    for argument in getattr(annotation, "__args__", (annotation,)):
        if hasattr(argument, "model_fields"):
            return [f.alias or name for name, f in argument.model_fields.items()]
    return []
