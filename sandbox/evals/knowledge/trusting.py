"""Whose claims are believed, as the suites differ: by nobody, by all, or by those who left the room earlier."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from sandbox.story import events
from sandbox.story.beats import Happened
from sandbox.story.evidence import Evidence
from sandbox.story.ids import CharacterId, PlaceId, ThingId
from sandbox.story.world import World


class Nobody:
    """No claim is believed."""

    def trusts(self, chain: Sequence[CharacterId], telling: Evidence) -> bool:
        return False


class Everybody:
    """Every claim is believed, and everybody knows that."""

    def trusts(self, chain: Sequence[CharacterId], telling: Evidence) -> bool:
        return True


class LaterLeavers:
    """A claim is believed if its teller left the room of the thing later than the listener.

    A teller thinks that it is believed; who believes it thinks that the teller means it; what one
    listener thinks of another's trust, or a third of two others, is open (Hi-ToM, arXiv 2310.16755).
    """

    def __init__(self) -> None:
        self._left: dict[PlaceId, dict[CharacterId, float]] = {}
        self._told: dict[int, dict[CharacterId, float]] = {}
        """For each telling, by its journal line: when each had left the room by then."""
        self._count = 0

    def follow(self, world: World, happened: Sequence[Happened]) -> None:
        """Note who left which room, and what stood when something was claimed."""
        for one in happened:
            self._count += 1
            match one.event:
                case events.Left() as event:
                    left = self._left.setdefault(event.place, {})
                    left |= dict.fromkeys((event.actor, *event.alongside), self._count)
                case events.LineSpoken() | events.Whispered() | events.Announced() as event:
                    for claim in event.tells:
                        room = world.stage.place_of_thing(ThingId(claim.subject))
                        self._told[world.counts.seq] = self._since(world, room)
                case _:
                    pass

    def _since(self, world: World, room: PlaceId) -> dict[CharacterId, float]:
        still_there = dict.fromkeys(world.stage.present(room), inf)
        return self._left.get(room, {}) | still_there

    def trusts(self, chain: Sequence[CharacterId], telling: Evidence) -> bool:
        teller = telling.teller
        if teller is None:
            return True
        if len(chain) == 1:
            left = self._told.get(telling.source.seq, {})
            return left.get(teller, -1) > left.get(chain[0], -1)
        if teller not in chain or len(set(chain)) > 2:
            return False
        return chain[-2] == teller or self.trusts(chain[:-1], telling)
