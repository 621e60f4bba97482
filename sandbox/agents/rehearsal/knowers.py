"""Who, as a rehearsing character sees it, could know something, and whom a fact is about."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact
from sandbox.story.routes import Route
from sandbox.story.view import CharacterView

_NOTHING_TO_ME = ("stranger", "rival")


class Knowers:
    """What one character makes of who is mixed up in what: read off the facts it holds."""

    def __init__(self, view: CharacterView, has: Callable[[CharacterId, KnownFact], bool]) -> None:
        """`has`: whether, as the character perceived it, somebody has a fact already."""
        self._view = view
        self._has = has
        self._named = dict(view.known_names())
        self._about: dict[str, list[KnownFact]] = {}

    def could_know(self, who: CharacterId, subject: str) -> bool:
        """Whether somebody could know of a subject by what links the two.

        It is the subject, is named with it in a fact, learned another fact of it, or was there.
        What everybody knows makes nobody a witness, but for those whom it names.
        """
        if who == subject:
            return True
        for fact in self._facts_about(subject):
            if fact.source != who and self.concerns(fact, who):
                return True
            if fact.route is not Route.COMMON and self._has(who, fact):
                return True
            if self._view.was_there(who, fact.handle):
                return True
        return False

    def fit_to_ask(self, who: CharacterId, subject: str) -> bool:
        """Whether a question about a subject is well put to somebody.

        Where the character has no notion who could know, it asks those who are something to it.
        """
        if self.could_know(who, subject):
            return True
        if self._view.ties.get(who) in _NOTHING_TO_ME:
            return False
        others = [id_ for id_ in self._named if self._view.kind_of(id_) == "character"]
        return not any(
            self.could_know(CharacterId(id_), subject) for id_ in others if id_ != self._view.me
        )

    def concerns(self, fact: KnownFact, who: CharacterId) -> bool:
        """Whether a fact is about somebody, or its statement names them."""
        return who in (fact.subject, fact.object) or self.names(fact.statement, who)

    def names(self, words: str, entity: str) -> bool:
        """Whether words name somebody or something by a name that I have for it."""
        folded = words.casefold()
        return any(name.casefold() in folded for name in self._named.get(entity, ()))

    def _facts_about(self, subject: str) -> list[KnownFact]:
        if (found := self._about.get(subject)) is None:
            found = self._about[subject] = [
                fact
                for fact in self._view.known
                if subject in (fact.subject, fact.object) or self.names(fact.statement, subject)
            ]
        return found
