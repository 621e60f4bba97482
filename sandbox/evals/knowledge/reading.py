"""Reads event lists, one item a JSON line. Files are untrusted: what cannot be read is named and skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sandbox.evals.knowledge.items import Ask, ListedEvent, ListedItem, Question

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A whole play is 1 MiB; nothing larger than this is read as one item."""
_SHOWN_CHARS = 80
"""Characters of a faulty value or a parser's complaint that are told."""


class MisformedError(ValueError):
    """A value is not what its key holds."""


def read_items(path: Path, problems: list[str]) -> Iterator[ListedItem]:
    """The items of a file; lines, events and questions that are none are told in `problems`.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip(b" \t\r\n\xef\xbb\xbf"):
                continue
            place = f"{path}: line {number}"
            try:
                if len(line) > MAX_LINE_BYTES:
                    raise MisformedError(f"is longer than {MAX_LINE_BYTES // 2**20} MiB")
                yield item_of(_parsed(line), number, place, problems)
            except MisformedError as error:
                problems.append(f"{place}: {error}.")
            except (ValueError, RecursionError) as error:
                problems.append(f"{place}: is no JSON: {str(error)[:_SHOWN_CHARS]}.")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines; of one that is too long just enough to see that it is."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES)


def _parsed(line: bytes) -> Any:
    raw = json.loads(line)
    if b"\\ud" in line.lower():
        # Half of a surrogate pair is no text: it can be neither hashed nor printed.
        whole = json.dumps(raw, ensure_ascii=False).encode("utf-8", "replace")
        raw = json.loads(whole)
    return raw


def item_of(raw: Any, number: int, place: str, problems: list[str]) -> ListedItem:
    """The item that a line's object is; events and questions that are none are told in `problems`."""
    if not isinstance(raw, dict):
        raise MisformedError("is no item. An item is an object with `id`, `cast` and `events`")
    if not isinstance(raw.get("events"), list):
        raise MisformedError("`events` has to be a list")
    events = tuple(_events(raw["events"], place, problems))
    cast = raw.get("cast")
    return ListedItem(
        id=_name(raw, "id") or f"line {number}",
        cast=tuple(_cast(cast)),
        is_staged=isinstance(cast, dict) or any(e.type == "scene_start" for e in events),
        events=events,
        questions=tuple(_questions(raw.get("questions"), place, problems)),
    )


def _cast(cast: Any) -> Iterator[str]:
    """Names, or the ids of a map. What is neither is left out: whoever acts is in the cast anyway."""
    for who in cast if isinstance(cast, list | dict) else ():
        if isinstance(who, str) and who.strip():
            yield who.strip()


def _events(listed: list[Any], place: str, problems: list[str]) -> Iterator[ListedEvent]:
    for index, raw in enumerate(listed):
        try:
            yield _event(raw, index)
        except MisformedError as error:
            problems.append(f"{place}: event {index}: {error}.")


def _event(raw: Any, index: int) -> ListedEvent:
    if not isinstance(raw, dict):
        raise MisformedError("has to be an object with `type`, `actor`, `place`, `text`")
    number = _number(raw, "i")
    text = raw.get("text")
    return ListedEvent(
        i=index if number is None else number,
        type=_name(raw, "type") or "",
        actor=_name(raw, "actor"),
        actors=_names(raw, "actors"),
        place=_name(raw, "place"),
        from_place=_name(raw, "from_place"),
        to_place=_name(raw, "to_place"),
        text=text if isinstance(text, str) else "",
        targets=_names(raw, "targets"),
        topic=_name(raw, "topic"),
        object=_name(raw, "object"),
        container=_name(raw, "container"),
        label=_name(raw, "label"),
        content=_name(raw, "content"),
        present=_names_if_any(raw, "present"),
        heard_by=_names_if_any(raw, "heard_by"),
        removed=_names_if_any(raw, "removed"),
        carried_over=_names_if_any(raw, "carried_over"),
        secret_witnesses=_names(raw, "secret_witnesses"),
        distracted=_names(raw, "distracted"),
        dead=_names(raw, "dead"),
    )


def _questions(listed: Any, place: str, problems: list[str]) -> Iterator[Question]:
    if listed is None:
        return
    if not isinstance(listed, list):
        problems.append(f"{place}: `questions` has to be a list.")
        return
    for index, raw in enumerate(listed):
        try:
            yield _question(raw)
        except MisformedError as error:
            problems.append(f"{place}: question {index}: {error}.")


def _question(raw: Any) -> Question:
    ask = raw.get("ask") if isinstance(raw, dict) else None
    if not isinstance(ask, dict):
        raise MisformedError("has to be an object with `ask`, an object with `op`, and `gold`")
    return Question(
        kind=_name(raw, "kind") or "",
        ask=Ask(
            op=_name(ask, "op") or "",
            chain=_names(ask, "chain"),
            object=_name(ask, "object"),
            topic=_name(ask, "topic"),
            event=_number(ask, "event"),
        ),
        gold=raw.get("gold"),
    )


# ── values ────────────────────────────────────────────────────────────────────────────────────


def _name(raw: Mapping[str, Any], key: str) -> str | None:
    """A name, trimmed. None: not given, or empty."""
    value = raw.get(key)
    return None if value is None else _as_name(value, key) or None


def _as_name(value: Any, key: str) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    shown = str(value)[:_SHOWN_CHARS]
    raise MisformedError(f"`{key}` has to be a name, not `{shown}`")


def _names(raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = raw.get(key)
    return () if not value else _as_names(value, key)


def _names_if_any(raw: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    value = raw.get(key)
    return None if value is None else _as_names(value, key)


def _as_names(value: Any, key: str) -> tuple[str, ...]:
    """Several names; a single one may stand without its list."""
    listed = value if isinstance(value, list) else [value]
    return tuple(name for one in listed if one is not None and (name := _as_name(one, key)))


def _number(raw: Mapping[str, Any], key: str) -> int | None:
    value = raw.get(key)
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise MisformedError(f"`{key}` has to be a whole number, not `{str(value)[:_SHOWN_CHARS]}`")
