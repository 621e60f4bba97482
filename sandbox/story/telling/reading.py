"""Words read with no regard to any fact of the world: what a guard may go by.

What a line tells (`told`) looks up the speaker's own facts, and knows from the world's facts which words are
objects of which predicates. Here nothing but names and wordings counts, so that what is found in a sentence is the
same whatever is true (DESIGN section 7, point 8).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.telling.code import Coder
from sandbox.story.telling.mood import Segment, segments_of
from sandbox.story.telling.names import CODE, Named
from sandbox.story.telling.same import Same
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.telling.wordings import Match, Wordings
from sandbox.story.world import World

_SOMEBODY = re.compile(
    r"^[A-Z]|\b(?:man|woman|boy|girl|lad|clerk|teller|agent|doctor|rider|husband|wife|father|mother|brother"
    r"|sister|son|daughter|widow|master|mistress|keeper|lord|lady|estate|bank|committee|company)\b"
)
"""Names of somebody, or of many, among what is only spoken of."""
_PRIVATE = re.compile(CODE)
_MOST_KEPT = 4096
"""Texts of the canon, of which everybody holds some."""
_MOST_HEARD = 512
"""Lines: whoever hears one hears it in the same round or by the next."""


@dataclass(frozen=True)
class Bare:
    """A canon's names and wordings without its facts."""

    named: Named
    wordings: Wordings
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What was made of the names and wordings alone: the same for every speaker."""

    @cached_property
    def coded(self) -> Callable[[str, str, str | None], str]:
        """A text in code, as said by somebody to somebody; made once for all who hold it."""
        return lru_cache(maxsize=_MOST_KEPT)(self._coded_anew)

    def _coded_anew(self, text: str, speaker: str, addressee: str | None) -> str:
        return Coder(self.named, speaker, addressee).code(_PRIVATE.sub(" ", text))

    @cached_property
    def heard(self) -> Callable[[str, str, str | None, frozenset[CharacterId]], tuple[str, ...]]:
        """What a line flatly says, in code, to those who do not know some by name; made once for all."""
        return lru_cache(maxsize=_MOST_HEARD)(self._heard_anew)

    def _heard_anew(
        self, words: str, speaker: str, addressee: str | None, strangers: frozenset[CharacterId]
    ) -> tuple[str, ...]:
        coder = Coder(self.named, speaker, addressee, strangers)
        found: list[str] = []
        for sentence in spoken_sentences(_PRIVATE.sub(" ", words)):
            coder.begin_sentence()
            parts = segments_of(sentence, coder)
            found += [part.real for part in parts if part.is_asserted and not part.is_guess]
        return tuple(found)


@lru_cache(maxsize=8)
def _bare(same: Same) -> Bare:
    named = Named(same.canon.model_copy(update={"facts": ()}))
    return Bare(named, Wordings(named))


class Reading:
    """What one person says to others, sentence by sentence."""

    def __init__(self, world: World, speaker: CharacterId, to: Sequence[CharacterId]) -> None:
        self._bare = _bare(Same(world.canon))
        others = [who for who in to if who != speaker]
        self.addressee = others[0] if len(others) == 1 else None
        self._coder = Coder(self._bare.named, speaker, self.addressee, world.strangers[speaker])
        self._strangers = world.strangers[speaker]
        self.memo: dict[Any, Any] = world.memo.setdefault(("reading", speaker), {})
        """What was made of what the speaker holds: it lasts as long as the world."""

    @property
    def shared(self) -> dict[Any, Any]:
        """What was made of names and wordings alone, for every speaker of a canon."""
        return self._bare.memo

    @property
    def named(self) -> Named:
        return self._bare.named

    def segments(self, sentence: str) -> list[Segment]:
        """How the next sentence is meant, part by part; none where it is asked."""
        self._coder.begin_sentence()
        return list(segments_of(_PRIVATE.sub(" ", sentence), self._coder))

    def again(self, part: str) -> list[Segment]:
        """How a part of the last sentence is meant by itself; what the whole named stays named."""
        with self._coder.apart():
            return list(segments_of(_PRIVATE.sub(" ", part), self._coder))

    def matches(self, segment: Segment) -> list[Match]:
        """What a part of a sentence says by wordings, be that so or not."""
        coded = segment.real
        found = list(self._bare.wordings.matches(coded))
        is_chinese = self.named.canon.language == "zh"
        if is_chinese and not found and (topic := self._coder.topic) is not None:
            found = list(self._bare.wordings.matches(topic + coded))
        return found

    def open_matches(self, coded: str) -> list[tuple[str, PredicateId]]:
        """Subjects and predicates of which a text in code says anything at all, by wordings."""
        found = self._bare.wordings.open_matches(coded)
        return [(id_, p) for id_, p in found if self._can_be_subject(id_, p)]

    def _can_be_subject(self, id_: str, predicate: PredicateId) -> bool:
        """Whether what does only what people do is somebody, as far as its name tells."""
        if self.named.canon.predicates[predicate].subject != "character":
            return True
        if self.named.kinds[id_] != "entity" or self.named.canon.language == "zh":
            return True
        return any(_SOMEBODY.search(name) for name in self.named.names[id_])

    def coded(self, text: str, speaker: str = "", addressee: str | None = None) -> str:
        """A text of the speaker's own in code, as said by `speaker` to `addressee`."""
        return self._bare.coded(text, speaker, addressee)

    def heard(self, words: str, speaker: str, to: Sequence[str]) -> Sequence[str]:
        """In code what a line that the speaker heard asserts, guesses left out."""
        addressee = to[0] if len(to) == 1 else None
        return self._bare.heard(words, speaker, addressee, self._strangers)
