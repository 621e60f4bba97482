"""A claim as it is heard by who does not know somebody's name: of that person it has the name alone."""

from __future__ import annotations

import re
from collections.abc import Collection

from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.facts import Fact
from sandbox.story.ids import CharacterId
from sandbox.story.naming import whole
from sandbox.story.predicates import IS_NAMED


def as_heard(claim: Claim, words: str, canon: Canon, strangers: Collection[CharacterId]) -> Claim:
    """`claim` as a listener holds it to whom `strangers` are nameless.

    Who hears "Vane took it" and does not know that the lodger is Vane has learned that one Vane
    took it. Only where the speaker said it of "the lodger" does it know of whom it is.
    """
    if claim.predicate == IS_NAMED or not {claim.subject, claim.object} & set(strangers):
        return claim
    put = {
        side: spoken
        for side in ("subject", "object")
        if (who := getattr(claim, side)) in strangers
        and (spoken := _spoken(who, claim.said, canon) or _spoken(who, words, canon))
    }
    return claim.model_copy(update=put)


def _spoken(who: str, words: str, canon: Canon) -> str | None:
    """The longest of somebody's names that stands in `words`."""
    names = sorted(canon.names[who], key=len, reverse=True)
    return next((name for name in names if re.search(whole(name), words)), None)


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
