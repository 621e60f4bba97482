"""JSON Schemas of the world files, for editors. `worlds/schema/` holds them; a test keeps them true."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from sandbox.story.canon import Canon, CanonFact, CanonScene, Entity, Place, Predicate, Thing
from sandbox.story.items import Item
from sandbox.story.people import Character, Pattern
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
    """A text that may change with time may be written as a plain string or one table, too."""
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


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each world file, by the schema's file name."""
    world = _of(Canon)
    kept = ("title", "language", "blurb", "start")
    parts: dict[str, tuple[type[Item], str]] = {"places": (Place, "id"), "things": (Thing, "id")}
    places: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "places",
        "type": "object",
        "additionalProperties": False,
        "properties": {},
        "$defs": {},
    }
    for name, (kind, id_) in parts.items():
        item = _of(kind, id_)
        places["$defs"] |= item.pop("$defs", {})
        places["properties"][name] = {"type": "object", "additionalProperties": item}
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
        "scene.json": {"title": "scene"} | _of(CanonScene, "id", "narrative"),
    }
