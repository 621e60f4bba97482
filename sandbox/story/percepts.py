"""Percepts: events as one witness took them in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.canon import Canon
from sandbox.story.events import (
    Announced,
    DoorChanged,
    Entered,
    Event,
    FactSeen,
    Left,
    MembershipChanged,
    ThingChanged,
    ThingFound,
    Whispered,
)
from sandbox.story.ids import CharacterId, SceneId

_SOMEBODY = {"en": "somebody", "zh": "一个陌生人"}
_SILENT = (Entered, Left, ThingChanged, ThingFound)
"""Deeds of which who does not see them cannot tell whose they are."""
_MARK = re.compile(r"\{@([a-z][a-z0-9_]*)\}")
"""Where a name was masked in a text: `naming.masked`."""


@dataclass(slots=True, unsafe_hash=True)
class Percept:
    """One event as one witness took it in.

    Nothing assigns to one; it is not declared frozen because that makes it six times as slow to
    make (1.5 against 0.26 µs), and a fold makes one for each witness of each event.
    """

    witness: CharacterId
    detail: Detail
    beat: Beat
    index: int
    happened: Happened
    scene_place: str
    """Place where the witness was; what it heard from next door is worded so."""
    strangers: frozenset[CharacterId]
    """Whose name the witness did not know then."""
    actor_place: str | None = None
    """Where the actor was; a voice tells through which door it came. None: nobody acted."""

    @property
    def event(self) -> Event:
        """The event as the witness took it: who was disguised is whom it seemed to be."""
        happened = self.happened
        if not (happened.taken or happened.unnoticed):
            return happened.event
        event = as_taken(happened.event, taken_by(happened, self.witness))
        unseen = [b for a, b in happened.unnoticed if a == self.witness]
        if isinstance(event, DoorChanged | FactSeen) and event.actor in unseen:
            return event.model_copy(update={"actor": None})  # it is seen, and not who did it
        return event

    @property
    def is_from_afar(self) -> bool:
        """Whether it reached its witness wherever that was: it tells nothing of where others are."""
        match self.happened.event:
            case Announced() | MembershipChanged():
                return True
            case Whispered(by_wire=by_wire):
                return by_wire
            case _:
                return False

    @property
    def is_of_somebody(self) -> bool:
        """Whether its witness cannot tell who did it, only that somebody did."""
        return self.detail is Detail.THAT and isinstance(self.happened.event, _SILENT)

    @property
    def noticed(self) -> list[CharacterId]:
        """The other witnesses whom this one noticed, in order of id, and whom it took them for."""
        happened = self.happened
        missed = {b for a, b in happened.unnoticed if a == self.witness}
        if self.is_of_somebody:
            fields = happened.event.__dict__
            missed |= {fields["actor"], *fields.get("alongside", ())}
        there = {*happened.witnesses, *happened.seeming} - missed - {self.witness}
        seen = taken_by(happened, self.witness)
        return sorted(CharacterId(seen.get(who, who)) for who in there)


def taken_by(happened: Happened, witness: CharacterId) -> dict[str, str]:
    """Whom `witness` took those for who were disguised."""
    return {b: c for a, b, c in happened.taken if a == witness}


def as_taken(event: Event, seen: Mapping[str, str]) -> Event:
    """`event` with those who were disguised put as whom they seemed to be."""
    if not seen:
        return event
    one = ("actor", "holder", "sender")
    several = ("targets", "alongside", "chorus")
    held = {name: getattr(event, name, None) for name in one}
    lists = {name: getattr(event, name, ()) for name in several}
    update: dict[str, object] = {
        name: seen[who] for name, who in held.items() if who and who in seen
    }
    update |= {n: tuple(seen.get(w, w) for w in who) for n, who in lists.items() if who}
    return event.model_copy(update=update)


def percept_id(percept: Percept) -> str:
    """Id under which memory keeps a percept."""
    return f"percept:{percept.beat.seq}.{percept.index}"


@dataclass(frozen=True)
class Episode:
    """A first-person summary of one scene, from its owner's percepts."""

    owner: CharacterId
    id: str
    scene: str
    text: str
    turn: int
    """0 for canon."""
    seq: int


@dataclass(frozen=True)
class Names:
    """What one character calls others: by name, or by what those look like whose name it does not know."""

    canon: Canon
    at: SceneId
    strangers: frozenset[CharacterId] = frozenset()

    def __call__(self, id_: str) -> str:
        """The name of a person, place, thing or entity; free text stands as it is."""
        if id_ in self.strangers:
            return self.by_looks(CharacterId(id_))
        if "{@" in id_:
            return self.unmasked(id_)
        return self.canon.names.get(id_, (id_,))[0]

    def unmasked(self, text: str) -> str:
        """`text` with the names known here where `naming.masked` took them out."""
        return _MARK.sub(lambda match: self(match[1]), text)

    def by_looks(self, who: CharacterId) -> str:
        """What those call a person who do not know its name."""
        looks = self.canon.at(self.canon.cast[who].known_as, self.at)
        return looks[-1] if looks else _SOMEBODY[self.canon.language]
