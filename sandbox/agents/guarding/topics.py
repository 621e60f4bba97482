"""What a sentence says by the wordings of predicates, and whether its speaker holds any value of that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.agents.guarding.holdings import Holdings
from sandbox.agents.guarding.moods import NOBODY
from sandbox.story.ids import PredicateId
from sandbox.story.predicates import HELD_BY, IS_NAMED, LOCATED_IN, OF_SIGHT
from sandbox.story.telling.mood import Segment
from sandbox.story.telling.reading import Reading
from sandbox.story.telling.wordings import Match
from sandbox.story.view import CharacterView

Topic = tuple[str, PredicateId]
"""Subject and predicate."""
Ways = tuple[Topic, ...]
"""What is said, as a topic, and where its predicate has an inverse the same turned round."""


@dataclass(frozen=True)
class Topics:
    """Topics, as one speaker says and holds them."""

    view: CharacterView
    reading: Reading
    holdings: Holdings

    def said(self, parts: Sequence[Segment], coded: str) -> frozenset[Ways]:
        """Subjects and predicates of which the parts of a sentence say something, by wordings."""
        me = self.view.me
        matches = [m for part in parts for m in self.reading.matches(part) if not m.is_denied]
        mine = {(m.subject, m.predicate) for m in matches if m.object == me}
        found: set[Ways] = set()
        for match in matches:
            inverse = self.view.inverse_of(match.predicate)
            turned = ((match.object, inverse),) if inverse is not None else ()
            found.add(((match.subject, match.predicate), *turned))
            if match.predicate in OF_SIGHT and (held := self._related(match)) is not None:
                found.add((held,))
        worded = {ways[0] for ways in found}
        found |= {(topic,) for topic in self.reading.open_matches(coded) if topic not in worded}
        is_of_nobody = NOBODY[self.view.language].search(coded) is not None
        return frozenset(
            ways
            for ways in found
            if ways[0][0] != me
            and ways[0] not in mine
            and not (is_of_nobody and self.view.object_kind(ways[0][1]) == "character")
        )

    def _related(self, match: Match) -> Topic | None:
        """Another predicate by which the speaker holds that value: what is hidden in the clock is in the clock."""
        predicate = self.holdings.related.get((match.subject, match.object))
        return None if predicate is None else (match.subject, predicate)

    def any_held(self, said: Iterable[Ways], *, is_reported: bool) -> bool:
        """Whether any value is held of one of these that is not before everybody's eyes.

        What was only heard guessed or asked may be passed on as somebody's word.
        """
        told = [ways for ways in said if ways[0][1] not in OF_SIGHT]
        return any(map(self.holds, told)) or (is_reported and any(map(self._has_heard, told)))

    def holds(self, ways: Ways) -> bool:
        """Whether the speaker holds any value there, so that what it says may be a lie."""
        if not self.holdings.topics.isdisjoint(ways):
            return True
        subject, predicate = ways[0]
        if predicate == IS_NAMED:
            return subject not in self.view.names.strangers or self._has_heard_named(subject)
        if predicate in OF_SIGHT:
            return self._has_seen(subject)
        return False

    def _has_heard(self, ways: Ways) -> bool:
        return any(self.view.known.saying(*topic) for topic in ways)

    def _has_heard_named(self, person: str) -> bool:
        names = self.reading.named.proper.get(person, frozenset())
        return any(name in text.casefold() for name in names for text in self.holdings.words)

    def _has_seen(self, id_: str) -> bool:
        return id_ in self.view.in_sight or any(
            (id_, predicate) in self.holdings.topics for predicate in (LOCATED_IN, HELD_BY)
        )
