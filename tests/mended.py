"""Worlds made out of the tiny one for tests: its files read, changed and written again."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.playing import TINY

Tables = dict[str, Any]
PROSE = frozenset(
    {"statement", "public", "private", "known_as", "situation", "manner", "description", "because"}
    | {"blurb", "examined", "examined_first", "question"}
)
"""Keys of texts that may say anything; a want's question is one, a predicate's is not."""
_LISTS = frozenset({"gestures", "lead_ins", "samples"})


def changed(folder: Path, change: Callable[[str, Tables], Tables], of: Path = TINY) -> Path:
    """A copy of a world; `change` is given the name of each file and its tables."""
    shutil.copytree(of, folder)
    for path in sorted(folder.glob("*.toml")):
        tables = change(path.name, tomllib.loads(path.read_text(encoding="utf-8")))
        lines = [f"{json.dumps(key)} = {_written(value)}" for key, value in tables.items()]
        path.write_text("\n".join(lines), encoding="utf-8")
    return folder


def reworded(folder: Path, with_: Callable[[str], str], of: Path = TINY) -> Path:
    """A copy of a world, every text of it changed that may say anything."""
    return changed(folder, lambda name, tables: _reworded(tables, with_, "", name), of)


def _reworded(value: Any, with_: Callable[[str], str], key: str, file: str) -> Any:
    if isinstance(value, dict):
        each = key == "voiced"
        return {k: with_(v) if each else _reworded(v, with_, k, file) for k, v in value.items()}
    if isinstance(value, list):
        if key in _LISTS:
            return [with_(text) for text in value]
        return [_reworded(item, with_, key, file) for item in value]
    is_prose = key in PROSE and not (key == "question" and file == "predicates.toml")
    return with_(value) if is_prose and isinstance(value, str) else value


def _written(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(k)} = {_written(v)}" for k, v in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
