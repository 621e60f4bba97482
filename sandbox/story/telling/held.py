"""What a mind with a model may tell flatly: what it holds something of, whatever is true.

A guard judges sentences, and what is told may be joined out of fragments that pass one by one. So the
claims of a model's line are looked at once more as claims (DESIGN section 7, points 7 and 8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sandbox.story.claims import Claim
from sandbox.story.ids import PredicateId

IsHeld = Callable[[str, PredicateId], bool]
"""Whether the speaker holds any value of a subject and predicate, from whatever source."""


def as_held(claims: Iterable[Claim], is_held: IsHeld) -> Iterator[Claim]:
    """The claims of a line as its speaker may make them.

    Of what it holds no value it tells as a guess; that something is not so, it does not tell at all.
    A lie stays a lie: it is about something of which another value is held.

    Args:
        claims: what the words say.
        is_held: asks the speaker's own memory and eyes, and nothing else.
    """
    for claim in claims:
        if is_held(claim.subject, claim.predicate):
            yield claim
        elif claim.mode != "denied":
            yield claim.model_copy(update={"mode": "supposed"})
