"""Beats: journal lines, in which events stand with their witnesses as computed once, at commit."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

from sandbox.story.events import Commanded, Event, Withdrawn
from sandbox.story.ids import CharacterId, EventId, PatternId, SceneId, content_id

RULES_VERSION = 2
"""Version of the perception rules; written with the witnesses of each event. docs/perception.md lists them."""


class Detail(StrEnum):
    """How much of an event one witness perceived. Who perceived nothing is no witness."""

    FULL = "full"
    THAT = "that"
    """Only that it happened: that they whispered, not what."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Happened(_Record):
    """An event with its witnesses, as computed once, at commit."""

    event: Event
    witnesses: Mapping[CharacterId, Detail] = {}
    unnoticed: tuple[tuple[CharacterId, CharacterId], ...] = ()
    """Pairs (a, b) of witnesses in which a did not notice b."""
    seeming: tuple[CharacterId, ...] = ()
    """Those who were there and missed it, though it looked as if they took it in."""
    aware: tuple[tuple[CharacterId, CharacterId], ...] = ()
    """Pairs (a, b): a knows that b, who seemed to, did not take it in."""
    taken: tuple[tuple[CharacterId, CharacterId, str], ...] = ()
    """Triples (a, b, c): a took b, who was disguised, for c."""
    rules: int = RULES_VERSION

    def heard_in_full(self) -> list[CharacterId]:
        """Witnesses with every detail, in order of id."""
        return sorted(who for who, detail in self.witnesses.items() if detail is Detail.FULL)


class Beat(_Record):
    """One journal line: what one mind decided, with all its events, whole or absent."""

    seq: int
    turn: int
    round: int
    scene: SceneId | None
    mind: str
    """Character id, `director`, or `person`."""
    clock: int
    """Story minutes since the first midnight, when it happened."""
    events: tuple[Happened, ...]
    replaces: int | None = None
    """Line whose place in the story this one takes: an edit of it."""
    pattern: PatternId | None = None
    """The pattern its mind chose for it. None: none, or a mind that does not say."""

    @cached_property
    def withdrawn_seqs(self) -> frozenset[int]:
        """Lines that this line takes out of the story."""
        found = [h.event.seqs for h in self.events if isinstance(h.event, Withdrawn)]
        return frozenset(seq for seqs in found for seq in seqs)

    @property
    def is_story(self) -> bool:
        """Whether it counts as a turn: something happened in the story."""
        return not all(isinstance(h.event, Commanded | Withdrawn) for h in self.events)

    def event_id(self, index: int) -> EventId:
        """Id of the event at `index`, the same on every machine."""
        body = self.events[index].event.model_dump(mode="json")
        return EventId(content_id("event", [self.seq, index, body]))

    def as_json(self) -> dict[str, Any]:
        """The beat as plain data; defaults left out, so that a line stays short."""
        return self.model_dump(mode="json", exclude_defaults=True) | {
            "events": [_happened_json(h) for h in self.events]
        }


def _happened_json(happened: Happened) -> dict[str, Any]:
    body = happened.event.model_dump(mode="json", exclude_defaults=True)
    shown: dict[str, Any] = {"event": {"kind": happened.event.kind} | body, "rules": happened.rules}
    if happened.witnesses:
        shown["witnesses"] = {who: happened.witnesses[who] for who in sorted(happened.witnesses)}
    for name in ("unnoticed", "seeming", "aware", "taken"):
        if value := getattr(happened, name):
            shown[name] = [list(item) if isinstance(item, tuple) else item for item in value]
    return shown
