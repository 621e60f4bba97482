"""Words as they are heard by who cannot place somebody: a stranger to it by name, or disguised."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sandbox.story.canon import Canon
from sandbox.story.claims import Claim, Question
from sandbox.story.facts import Fact
from sandbox.story.ids import CharacterId
from sandbox.story.naming import stands_in
from sandbox.story.predicates import IS_NAMED


def as_heard(claim: Claim, words: str, canon: Canon, hearer: Hearer) -> Claim:
    """`claim` as a listener holds it to whom some are nameless, or somebody else than they are.

    Who hears "Vane took it" and does not know that the lodger is Vane has learned that one Vane
    took it. Only where the speaker said it of "the lodger" does it know of whom it is. And who hears
    somebody disguised as a pedlar say "I took it" has learned it of the pedlar.
    """
    sides = [claim.subject] if claim.predicate == IS_NAMED else [claim.subject, claim.object]
    if hearer.knows_all(sides):
        return claim
    is_name = claim.predicate == IS_NAMED
    put = {
        side: _as_meant(who, (claim.said, words), canon, hearer, is_name=is_name)
        for side, who in zip(("subject", "object"), sides, strict=False)
    }
    return claim.model_copy(update=put)


def asked_as_heard(question: Question, words: str, canon: Canon, hearer: Hearer) -> Question:
    """What a line asks for, as a listener can place whom it is about."""
    if hearer.knows_all([question.subject]):
        return question
    about = _as_meant(question.subject, (words,), canon, hearer)
    return question.model_copy(update={"subject": about})


@dataclass(frozen=True)
class Hearer:
    """Whom a listener cannot place: the nameless, and those whom it takes for others."""

    strangers: Collection[CharacterId]
    seen: Mapping[str, str]
    """Whom it takes those for who are disguised."""

    def knows_all(self, people: Collection[str]) -> bool:
        return not any(who in self.strangers or who in self.seen for who in people)


def _as_meant(
    who: str, texts: Sequence[str], canon: Canon, hearer: Hearer, *, is_name: bool = False
) -> str:
    """Whom a listener takes it to be about: by the name that is said, else by whom it sees."""
    # Of a name itself, whose it is one has by what one sees: that it is said tells nothing.
    named = None if is_name else _first(_spoken(who, text, canon) for text in texts)
    if named is not None:
        return named if who in hearer.strangers else who
    looks = (
        [look.text for look in canon.cast[CharacterId(who)].known_as] if who in canon.cast else []
    )
    if any(look.casefold() in text.casefold() for look in looks for text in texts):
        return who
    return hearer.seen.get(who, who)


def _first(names: Iterable[str | None]) -> str | None:
    return next((name for name in names if name is not None), None)


def _spoken(who: str, words: str, canon: Canon) -> str | None:
    """The longest of somebody's names that stands in `words`, in capitals or without."""
    names = sorted(canon.names.get(who, ()), key=len, reverse=True)
    return next((name for name in names if stands_in(name, words)), None)


def once_named(fact: Fact, who: CharacterId, canon: Canon) -> tuple[str, str] | None:
    """Subject and object of what was heard of a mere name, now that it is known whose it is.

    None: the fact is not about that name.
    """
    names = canon.names[who]
    subject = who if fact.subject in names else fact.subject
    object_ = who if fact.object in names and fact.predicate != IS_NAMED else fact.object
    if (subject, object_) == (fact.subject, fact.object):
        return None
    return subject, object_
