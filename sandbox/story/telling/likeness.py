"""How like a sentence is to a fact's own sentences, and whether it speaks of the same people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from sandbox.story.ids import FactId, PredicateId
from sandbox.story.items import Language
from sandbox.story.known import KnownFact, KnownFacts
from sandbox.story.telling.mood import Segment
from sandbox.story.telling.statements import Statements, Worded, Wordeds
from sandbox.story.telling.wordings import Wordings
from sandbox.story.world import World


@dataclass(frozen=True)
class Likeness:
    """A fact of the speaker's that a sentence puts in other words."""

    fact: KnownFact
    shared: frozenset[str]
    weight: float
    """Of what they share; 1 is a word that only one fact of the world has."""
    share: float
    """Of the fact's sentence, in [0, 1]."""


@dataclass(frozen=True)
class _Enough:
    weight: float
    share: float
    of_words: int = 2
    names_all: bool = False


@dataclass(frozen=True)
class _Needed:
    """How much must be shared, by whom of those it is about a sentence names.

    Set on the half of the marked lines that is not held out.
    """

    both: _Enough
    """Both subject and object, neither being speaker or addressee."""
    both_present: _Enough
    """Both, one being `I` or `you`, who are named in most sentences."""
    all: _Enough
    """The one it is about; or both, over two sentences."""
    some: _Enough
    none: _Enough


_NEEDED: Final[dict[Language, _Needed]] = {
    "en": _Needed(
        both=_Enough(0.95, 0.1, of_words=1, names_all=True),
        both_present=_Enough(1.2, 0.1, names_all=True),
        all=_Enough(1.6, 0.24, names_all=True),
        some=_Enough(1.7, 0.42),
        none=_Enough(2.4, 0.48, of_words=3),
    ),
    # A Chinese word counts several times, as characters and as pairs.
    "zh": _Needed(
        both=_Enough(1.8, 0.1, names_all=True),
        both_present=_Enough(2.4, 0.15, names_all=True),
        all=_Enough(3.3, 0.24, names_all=True),
        some=_Enough(4.5, 0.35),
        none=_Enough(6.0, 0.38),
    ),
}
_VERBATIM = 0.7
"""Share from which on a sentence is the fact's own."""
_MOSTLY = 0.5
"""Share from which on its own `if` is no objection."""
_MOST = 3
"""Facts that one sentence may tell."""


@dataclass(frozen=True)
class Comparison:
    """One speaker's segment against the facts it knows."""

    statements: Statements
    world: World
    known: KnownFacts
    partners: frozenset[str]
    """Speaker and addressee: they may be named without being told of."""

    def implied(
        self, fact: KnownFact, wordings: Wordings
    ) -> frozenset[tuple[str, PredicateId, str]]:
        """What a fact's own sentences would say by wordings."""
        key = ("telling implied", self.known.character, fact.handle)
        if (kept := self.world.memo.get(key)) is None:
            texts = self.statements.coded(self.world, fact, self.known.character)
            found = (match for coded, _ in texts for match in wordings.matches(coded))
            kept = self.world.memo[key] = frozenset(
                (m.subject, m.predicate, m.object) for m in found
            )
        assert isinstance(kept, frozenset)
        return kept

    def weight(self, likeness: Likeness, segment: Segment) -> float:
        """How much of what is shared stands in a segment."""
        asserted, denied = _Said.of(self.statements, segment).whole
        return self.statements.total(likeness.shared & (asserted | denied))

    def alike(self, segment: Segment, *, is_of_two: bool = False) -> Iterator[Likeness]:
        """The facts that the segment puts in other words, the likest first.

        Args:
            segment: what is said.
            is_of_two: whether it is of two sentences, which name more by chance.
        """
        said = _Said.of(self.statements, segment, is_of_two=is_of_two)
        found = [like for fact in self._likely(said) if (like := self._best(fact, said))]
        found.sort(key=lambda like: (-like.weight * like.share, like.fact.handle))
        used: set[str] = set()
        for likeness in found[:_MOST]:
            if not used & likeness.shared:
                used |= likeness.shared
                yield likeness

    def _likely(self, said: _Said) -> Iterable[KnownFact]:
        """The facts that share anything with what is said: few, in a life of thousands."""
        key = ("telling index", self.known.character)
        index: _Index = self.world.memo.setdefault(key, _Index())
        if index.facts < len(self.known):
            for fact in islice(self.known, index.facts, None):
                index.add(fact.handle, self._worded(fact).content)
        return self.known.pick(index.with_any(said.content))

    def _worded(self, fact: KnownFact) -> Wordeds:
        return self.statements.worded(self.world, fact, self.known.character)

    def _best(self, fact: KnownFact, said: _Said) -> Likeness | None:
        worded = self._worded(fact)
        tried = (self._compare(fact, one, worded, said) for one in worded.all)
        return max((like for like in tried if like), key=lambda like: like.weight, default=None)

    def _compare(self, fact: KnownFact, one: Worded, all_: Wordeds, said: _Said) -> Likeness | None:
        asserted, denied = said.whole if one.is_unreal else said.real
        total = self.statements.total
        meant = max(total(denied & one.denied), total(asserted & one.features))
        if total(denied & one.features) > meant:
            return None  # it is denied
        shared = (asserted & one.features) | (denied & one.denied)
        if not shared or (one.is_denial and not said.denies):
            return None
        weight = total(shared)
        share = weight / one.weight
        if not (said.is_asserted or (one.is_unreal and share >= _MOSTLY)):
            return None
        enough = self._needed(fact, all_, said)
        if enough is None:
            return None
        is_like = (
            weight >= enough.weight and share >= enough.share and len(shared) >= enough.of_words
        )
        is_its_own = share >= _VERBATIM and enough.names_all and len(shared) > 1
        return Likeness(fact, shared, weight, share) if is_like or is_its_own else None

    def _needed(self, fact: KnownFact, all_: Wordeds, said: _Said) -> _Enough | None:
        """How much must be shared. None: it speaks of somebody else."""
        named, here = self.statements.named, said.named
        about = {id_ for id_ in (fact.subject, fact.object) if id_ in named.kinds}
        needed = _NEEDED[named.canon.language]
        if about and about <= here:
            if len(about) == 1 or said.is_of_two:
                return needed.all
            return needed.both_present if about & self.partners else needed.both
        known_to_it = all_.persons | self.partners
        if about & named.persons - here and (here & named.persons) - known_to_it - about:
            return None
        return needed.some if about & here else needed.none


@dataclass
class _Index:
    """One character's facts by what their sentences are about. It grows with the story."""

    facts: int = 0
    _about: dict[str, list[FactId]] = field(default_factory=dict)

    def add(self, fact: FactId, content: frozenset[str]) -> None:
        self.facts += 1
        for feature in content:
            self._about.setdefault(feature, []).append(fact)

    def with_any(self, content: frozenset[str]) -> Iterable[FactId]:
        return {fact for feature in content for fact in self._about.get(feature, ())}


Sides = tuple[frozenset[str], frozenset[str]]
"""The content of what is asserted, and of what is denied."""


@dataclass(frozen=True)
class _Said:
    """A segment as what it is compared by."""

    real: Sides
    whole: Sides
    """With the clauses of what might be."""
    content: frozenset[str]
    named: frozenset[str]
    denies: bool
    is_asserted: bool
    is_of_two: bool

    @staticmethod
    def of(statements: Statements, segment: Segment, *, is_of_two: bool = False) -> _Said:
        codes = [clause.coded for clause in segment.clauses]
        real = [clause.coded for clause in segment.clauses if clause.is_real]
        ids, whole = statements.named.id_of, statements.sides(" | ".join(codes))
        return _Said(
            real=statements.sides(" | ".join(real)) if len(real) < len(codes) else whole,
            whole=whole,
            content=whole[0] | whole[1],
            named=frozenset(ids[c] for code in codes for c in code if c in ids),
            denies=any(statements.denies(code) for code in codes),
            is_asserted=segment.is_asserted,
            is_of_two=is_of_two,
        )
