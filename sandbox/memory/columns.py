"""Records as Chroma keeps them, in columns; shelves as it names them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sandbox.memory.store import Embedder, Layer, Record, Shelf, Vectors
from sandbox.story.ids import SLUG, CharacterId


def anything(embedder: Embedder) -> Vectors:
    vector = np.zeros(embedder.dimensions, dtype=np.float32)
    vector[0] = 1.0
    return vector


def shelf_of(name: str) -> Shelf | None:
    owner, _, layer = name.rpartition(".")
    ours = re.fullmatch(SLUG, owner) and layer in list(Layer)
    return Shelf(CharacterId(owner), Layer(layer)) if ours else None


def metadata_of(record: Record) -> dict[str, str | int | float]:
    return {
        "kind": record.kind,
        "seq": record.seq,
        "turn": record.turn,
        "scene": record.scene,
        "salience": float(record.salience),
    }


def records_of(ids: Sequence[str], texts: Any, metadatas: Any) -> list[Record]:
    """Records from Chroma's columns. What others put there may lack any part but its id."""
    return [
        _record(id_, text or "", metadata or {})
        for id_, text, metadata in zip(ids, texts, metadatas, strict=True)
    ]


def _record(id_: str, text: str, metadata: Mapping[str, Any]) -> Record:
    return Record(
        id_,
        text,
        kind=str(metadata.get("kind", "")),
        seq=int(metadata.get("seq", 0)),
        turn=int(metadata.get("turn", 0)),
        scene=str(metadata.get("scene", "")),
        salience=float(metadata.get("salience", 0.5)),
    )
