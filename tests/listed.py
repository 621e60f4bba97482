"""Small event lists for tests: written in a line each, played and asked."""

import json
from pathlib import Path
from typing import Any

from sandbox.evals.knowledge.answering import answer
from sandbox.evals.knowledge.items import Ask, ListedItem
from sandbox.evals.knowledge.moment import Switches
from sandbox.evals.knowledge.reading import item_of
from sandbox.evals.knowledge.replaying import Replay, replay
from sandbox.evals.knowledge.scoring import Score, score_file

Event = dict[str, Any]


def event(type_: str, actor: str | None = None, place: str | None = "hall", **more: Any) -> Event:
    """A raw event, without its number."""
    return {"type": type_, "actor": actor, "place": place, "text": f"{actor}: {type_}"} | more


def item(*events: Event, cast: Any = (), **more: Any) -> ListedItem:
    """The item of these events, numbered as they come where they bear no number of their own."""
    raw = json.loads(json.dumps(raw_item(*events, cast=cast, **more)))
    problems: list[str] = []
    read = item_of(raw, 1, "a list", problems)
    assert problems == []
    return read


def raw_item(*events: Event, cast: Any = (), **more: Any) -> dict[str, Any]:
    numbered = [{"i": number} | one for number, one in enumerate(events)]
    return {"id": "a story", "cast": cast, "events": numbered} | more


def played(*events: Event, cast: Any = (), switches: Switches | None = None) -> Replay:
    """A list as played, every event of which the stage allowed."""
    done = replay(item(*events, cast=cast), switches or Switches())
    assert done.refused == {}
    return done


def asked(done: Replay, op: str, *chain: str, trust: str = "all", **about: Any) -> Any:
    """The engine's answer."""
    fields = {"object": None, "topic": None, "event": None} | about
    return answer(Ask(op=op, chain=chain, **fields), done, trust)


def heard(done: Replay) -> list[set[str]]:
    """Who perceived each event."""
    return [set(names or ()) for names in done.witnesses]


def scored(folder: Path, *items: dict[str, Any] | bytes, **switches: str) -> Score:
    """The score of a file of these items; bytes stand as they are."""
    path = folder / "lists.jsonl"
    lines = [i if isinstance(i, bytes) else json.dumps(i).encode() for i in items]
    path.write_bytes(b"\n".join(lines))
    return score_file(path, Switches(**switches))
