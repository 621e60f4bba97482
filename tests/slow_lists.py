"""A slow replay of event lists, from the rules of the form alone, to hold the engine's against.

It shares no code with the engine: people in rooms, a record of everything that can be learned with who
took it in and who seemed to, and one loop over these for each question.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

NEVER, STILL_THERE = -1, 10**9


@dataclass
class Record:
    """Something that an event teaches."""

    what: str
    """`where`, `stands` (a container), `label`, `content`, `topic`."""
    about: str
    value: Any
    took: set[str]
    seems: set[str]
    """Those of whom the others think that they took it in."""
    teller: str | None = None
    left: dict[str, int] = field(default_factory=dict)
    """When each had left the room of the thing, for a claim."""


class SlowReplay:
    """Plays raw events one by one; everything public is an answer."""

    def __init__(self, cast: Sequence[str], on_entering: str, claims: str, trust: str) -> None:
        self.cast, self.on_entering, self.claims, self.trust = cast, on_entering, claims, trust
        self.at: dict[str, str | None] = dict.fromkeys(cast)
        self.dead: set[str] = set()
        self.thing: dict[str, tuple[str | None, str]] = {}
        """Container and place of each thing in truth."""
        self.stands: dict[tuple[str, str], str] = {}
        self.labels: dict[str, str] = {}
        self.records: list[Record] = []
        self.heard: list[set[str]] = []
        self.left: dict[tuple[str, str], int] = {}

    # ── events ────────────────────────────────────────────────────────────────────────────────

    def there(self, place: str | None) -> set[str]:
        return {w for w in self.cast if place and self.at[w] == place and w not in self.dead}

    def play(self, event: dict[str, Any]) -> None:
        kind, place = event["type"], event["place"]
        doers = event.get("actors") or [w for w in [event.get("actor")] if w]
        if kind in ("enter", "join", "at"):
            for who in doers:
                self._leave(who)
                self.at[who] = place
            self.dead -= set(doers)
        there = self._perceivers(event, doers)
        secret = set(event.get("secret_witnesses", ())) - self.dead
        missed = set(event.get("distracted", ()))
        took, seems = (there | secret) - missed, there - secret
        self.heard.append(took)
        if kind in ("enter", "join", "at"):
            self._look_around(place, took, seems)
        if kind in ("exit", "leave"):
            for who in doers:
                self._leave(who)
        if kind == "dies":
            self.dead |= set(doers)
        if kind in ("say", "whisper"):
            self._words(event, doers, took, seems)
        if kind in ("object_at", "container_at", "move_object"):
            self._put(event, place, took, seems)
        if kind == "carry_object":
            self._carry(event, took, seems, missed, secret)
        if kind in ("see_label", "open"):
            if self.thing.get(event["object"], (None, None))[1] != place:
                self._where(event["object"], None, place, took, seems)
            what = "label" if kind == "see_label" else "content"
            self.records.append(Record(what, event["object"], event[what], took, seems))
            if what == "label":
                self.labels[event["object"]] = event["label"]

    def _perceivers(self, event: dict[str, Any], doers: Sequence[str]) -> set[str]:
        kind = event["type"]
        if event.get("heard_by") is not None:
            return set(event["heard_by"])
        if kind == "whisper":
            return {*doers, *event["targets"]} - self.dead
        if kind == "noise":
            return set(doers) - self.dead
        if kind == "say" and self.claims == "everywhere":
            return set(self.cast) - self.dead
        return self.there(event["place"])

    def _leave(self, who: str) -> None:
        if here := self.at[who]:
            self.left[who, here] = len(self.heard)
        self.at[who] = None

    def _look_around(self, place: str, took: set[str], seems: set[str]) -> None:
        if self.on_entering == "nothing":
            return
        for key, where in self.stands.items():
            if where == place:
                self.records.append(Record("stands", str(key), place, took, seems))
        for thing, (container, where) in list(self.thing.items()):
            if where == place and (self.on_entering == "all" or container is None):
                self.records.append(Record("where", thing, (container, where), took, seems))
                if self.on_entering == "all" and thing in self.labels:
                    self.records.append(Record("label", thing, self.labels[thing], took, seems))

    def _words(
        self, event: dict[str, Any], doers: Sequence[str], took: set[str], seems: set[str]
    ) -> None:
        teller = doers[0]
        if topic := event.get("topic"):
            self.records.append(
                Record("topic", topic, topic, took | {teller}, seems | {teller}, teller)
            )
        if event.get("container"):
            container, thing = event["container"], event["object"]
            homes = [place for (name, place) in self.stands if name == container]
            place = event["place"]
            if homes and place not in homes:
                place = homes[-1]
            room = self.thing.get(thing, (None, None))[1]
            left = {
                w: STILL_THERE if w in self.there_dead_or_alive(room) else self.left[w, room]
                for w in self.cast
                if room and (w in self.there_dead_or_alive(room) or (w, room) in self.left)
            }
            value = (container, place)
            self.records.append(
                Record("where", thing, value, took | {teller}, seems | {teller}, teller, left)
            )

    def there_dead_or_alive(self, place: str | None) -> set[str]:
        return {w for w in self.cast if place and self.at[w] == place}

    def _put(self, event: dict[str, Any], place: str, took: set[str], seems: set[str]) -> None:
        container = event.get("container")
        if container:
            self.stands[container, place] = place
            self.records.append(Record("stands", str((container, place)), place, took, seems))
        if event.get("object"):
            self._where(event["object"], container, place, took, seems)

    def _where(
        self, thing: str, container: str | None, place: str, took: set[str], seems: set[str]
    ) -> None:
        self.thing[thing] = (container, place)
        self.records.append(Record("where", thing, (container, place), took, seems))

    def _carry(
        self,
        event: dict[str, Any],
        took: set[str],
        seems: set[str],
        missed: set[str],
        secret: set[str],
    ) -> None:
        actor, to = event["actor"], event["to_place"]
        if event["object"] not in self.thing:
            self._where(event["object"], None, event["place"], took, seems)
        self._where(event["object"], None, to, took, seems)
        self._leave(actor)
        self.at[actor] = to
        arrived = self.there(to) - secret
        self._where(event["object"], None, to, arrived - missed, arrived)

    # ── answers ───────────────────────────────────────────────────────────────────────────────

    def took_in(self, record: Record, chain: Sequence[str]) -> bool:
        return chain[0] in record.took and all(
            who in record.seems or (number == 0 and who in chain[:1])
            for number, who in enumerate(chain)
        )

    def believed(self, what: str, about: str, chain: Sequence[str]) -> Any:
        """What the last of the chain holds, as the others in turn think. None: nothing."""
        held = [
            r.value
            for r in self.records
            if (r.what, r.about) == (what, about) and self._counts(r, chain)
        ]
        return held[-1] if held else None

    def _counts(self, record: Record, chain: Sequence[str]) -> bool:
        if not self.took_in(record, chain):
            return False
        if record.teller is None or record.what == "topic":
            return True
        if list(chain) == [record.teller] or self.trust == "none":
            return False
        if self.trust == "all":
            return True
        left = record.left
        return left.get(record.teller, NEVER) > left.get(chain[0], NEVER)

    def container(self, thing: str, chain: Sequence[str]) -> str | None:
        known = self.believed("where", thing, chain) if chain else self.thing.get(thing)
        return known[0] if known else None

    def place(self, thing: str, chain: Sequence[str]) -> str | None:
        known = self.believed("where", thing, chain) if chain else self.thing.get(thing)
        if not known or not known[0] or not chain:
            return known[1] if known else None
        found: str | None = self.believed("stands", str(known), chain)
        return found

    def first_container(self, thing: str) -> str | None:
        seen = [
            r.value for r in self.records if (r.what, r.about, r.teller) == ("where", thing, None)
        ]
        inside = [container for container, _ in seen if container]
        return inside[0] if inside else seen[0][1] if seen else None

    def content(self, box: str, chain: Sequence[str]) -> str | None:
        if not chain:
            seen = [r.value for r in self.records if (r.what, r.about) == ("content", box)]
            return seen[-1] if seen else None
        inside: str | None = self.believed("content", box, chain)
        return inside or self.believed("label", box, chain)

    def knows(self, topic: str, chain: Sequence[str]) -> bool:
        return self.believed("topic", topic, chain) is not None

    def who_knows(self, topic: str) -> Collection[str]:
        return {who for who in self.cast if self.knows(topic, [who])}

    def claims_about(self, thing: str) -> bool:
        return any(r.what == "where" and r.about == thing and r.teller for r in self.records)
