"""JSON Schemas of the world files, for editors. `worlds/schema/` holds them; a test keeps them true."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from sandbox.story.canon import Canon, CanonFact, CanonScene, Entity, Place, Predicate, Thing
from sandbox.story.items import Item
from sandbox.story.people import Character, Organisation, Pattern
from sandbox.story.plot import Prepared, Thread
from sandbox.story.ways import Link


def _of(kind: type[Item], *without: str) -> dict[str, Any]:
    """Schema of one record, without the keys that a file does not write."""
    schema = TypeAdapter(kind).json_schema(by_alias=True)
    for name in without:
        schema["properties"].pop(name, None)
        if name in schema.get("required", []):
            schema["required"].remove(name)
    _loosen(schema)
    return schema


def _loosen(schema: Any) -> None:
    """A text that may change with time may be written as a string or one table, a member as a string."""
    if isinstance(schema, list):
        for part in schema:
            _loosen(part)
    if not isinstance(schema, dict):
        return
    items = schema.get("items")
    if isinstance(items, dict) and items.get("$ref") == "#/$defs/Timed":
        timed, string = {"$ref": "#/$defs/Timed"}, {"type": "string"}
        several = {"type": "array", "items": {"anyOf": [string, timed]}}
        rest = {key: schema[key] for key in ("title", "default") if key in schema}
        schema.clear()
        schema |= rest | {"anyOf": [string, timed, several]}
        return
    if isinstance(items, dict) and items.get("$ref") == "#/$defs/Membership":
        schema["items"] = {"anyOf": [{"type": "string"}, items]}
        return
    for part in list(schema.values()):
        _loosen(part)


def _tables(name: str, kind: type[Item]) -> dict[str, Any]:
    """Schema of a file with one table for each id."""
    item = _of(kind, "id")
    definitions = item.pop("$defs", {})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "type": "object",
        "additionalProperties": item,
        "$defs": definitions,
    }


def _sections(name: str, kinds: dict[str, type[Item]]) -> dict[str, Any]:
    """Schema of a file with several tables, each with one table for each id."""
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "type": "object",
        "additionalProperties": False,
        "properties": {},
        "$defs": {},
    }
    for section, kind in kinds.items():
        item = _of(kind, "id")
        schema["$defs"] |= item.pop("$defs", {})
        schema["properties"][section] = {"type": "object", "additionalProperties": item}
    return schema


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each world file, by the schema's file name."""
    world = _of(Canon)
    kept = ("title", "language", "blurb", "start")
    places = _sections("places", {"places": Place, "things": Thing})
    link = _of(Link)
    places["$defs"] |= link.pop("$defs", {})
    places["properties"]["links"] = {"type": "array", "items": link}
    facts = _tables("facts", CanonFact)
    entity = _of(Entity, "id")
    facts["properties"] = {"entities": {"type": "object", "additionalProperties": entity}}
    return {
        "world.json": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "world",
            "type": "object",
            "additionalProperties": False,
            "properties": {name: world["properties"][name] for name in kept},
            "required": ["title", "language", "blurb"],
        },
        "cast.json": _tables("cast", Character),
        "places.json": places,
        "facts.json": facts,
        "predicates.json": _tables("predicates", Predicate),
        "patterns.json": _tables("patterns", Pattern),
        "organisations.json": _tables("organisations", Organisation),
        "plot.json": _sections("plot", {"threads": Thread, "prepared": Prepared}),
        "scene.json": {"title": "scene"} | _of(CanonScene, "id", "narrative"),
    }
