"""The knowledge boundary F_c of one character, at one turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from sandbox.errors import BoundaryError
from sandbox.story.events import Whispered
from sandbox.story.facts import Fact, Grant, Mode
from sandbox.story.graphs import Edge, FactGraph
from sandbox.story.ids import CharacterId, FactId, PredicateId
from sandbox.story.naming import unmasked
from sandbox.story.percepts import Names
from sandbox.story.predicates import IS_NAMED
from sandbox.story.routes import Route
from sandbox.story.world import World


@dataclass(frozen=True)
class KnownFact:
    """A fact as its knower holds it: no truth, no validity, no evidence, no link to a true fact."""

    handle: FactId
    """For the engine only; never in a prompt, where facts are numbered afresh."""
    subject: str
    predicate: PredicateId
    object: str
    statement: str
    cause: FactId | None
    """Another fact of the same boundary; None where the cause is not known."""
    route: Route
    source: CharacterId | None
    """The apparent teller, for `told`."""
    learned_turn: int
    """0: before the curtain rose."""
    is_guess: bool = False
    """Heard as a guess."""
    is_denied: bool = False
    """Heard that it is not so."""
    is_confided: bool = False
    """Whispered to the knower."""


class KnownFacts:
    """The facts inside one character's knowledge boundary, at one turn.

    Made from a world and a character, never from a list of facts: whatever builds a prompt takes
    one of these, so no fact reaches a model by way of a forgotten filter.
    """

    def __init__(self, world: World, character: CharacterId) -> None:
        self.character = character
        self._world = world
        self._grants = world.grants[character]

    def __len__(self) -> int:
        return len(self._grants)

    def __iter__(self) -> Iterator[KnownFact]:
        """All of them, in order of learning."""
        return iter(self._all)

    @cached_property
    def _all(self) -> tuple[KnownFact, ...]:
        return tuple(self._known(id_) for id_ in self._grants)

    def __contains__(self, fact: FactId) -> bool:
        return fact in self._grants

    def pick(self, ids: Iterable[FactId]) -> tuple[KnownFact, ...]:
        """The named facts, in the order asked.

        Raises:
            BoundaryError: one of them lies outside the boundary.
        """
        picked = []
        for id_ in ids:
            if id_ not in self._grants:
                raise BoundaryError(f"`{self.character}` does not know a fact that was asked for.")
            picked.append(self._known(id_))
        return tuple(picked)

    def about(self, entity: str) -> tuple[KnownFact, ...]:
        """Facts whose subject or object is `entity`, in order of learning."""
        return tuple(f for f in self if entity in (f.subject, f.object))

    def saying(self, subject: str, predicate: PredicateId) -> tuple[KnownFact, ...]:
        """What the character holds of a subject and predicate, in order of learning."""
        return tuple(f for f in self if (f.subject, f.predicate) == (subject, predicate))

    def grants_of(self, fact: FactId) -> Sequence[Grant]:
        """How the character came to know it; the first is the route shown."""
        return self._grants.get(fact, ())

    @property
    def graph(self) -> FactGraph:
        """The facts by whom and what they are about; made once for a knower, and growing with it."""
        # In the memo of the world: grants are only added to one world, a withdrawal makes another.
        graph: FactGraph = self._world.memo.setdefault(("graph", self.character), FactGraph())
        new = islice(self._grants, len(graph), None) if len(graph) < len(self._grants) else ()
        for id_ in new:
            fact, scene = self._world.facts[id_], self._grants[id_][0].because.scene
            s, p, o = fact.proposition
            graph.add(Edge(id_, s, p, o, scene or "", len(graph)))
        return graph

    def _known(self, id_: FactId) -> KnownFact:
        # The first grant of a fact stays the first: only whether its cause is known can change.
        fact = self._world.facts[id_]
        key = (self.character, id_, fact.cause in self._grants)
        if (kept := self._world.memo.get(key)) is None:
            kept = self._world.memo[key] = self._made(id_)
        return kept

    def _made(self, id_: FactId) -> KnownFact:
        fact, grant = self._world.facts[id_], self._grants[id_][0]
        return KnownFact(
            handle=id_,
            subject=fact.subject,
            predicate=fact.predicate,
            object=fact.object,
            statement=statement_of(self._world, fact, grant),
            cause=self._cause(fact, grant),
            route=grant.route,
            source=grant.teller,
            learned_turn=grant.because.turn,
            is_guess=fact.mode is Mode.SUPPOSED,
            is_denied=fact.mode is Mode.DENIED,
            is_confided=isinstance(grant.because.event, Whispered),
        )

    def _cause(self, fact: Fact, grant: Grant) -> FactId | None:
        return fact.cause if fact.cause in self._grants else None


def statement_of(world: World, fact: Fact, grant: Grant) -> str:
    """The fact's sentence as the holder of `grant` got it, with the names known to it then."""
    if grant.said is not None:
        return grant.said
    names = Names(world.canon, world.start, grant.strangers)
    if fact.statement is not None:
        return unmasked(fact.statement, names)
    return worded(names, fact.subject, fact.predicate, fact.object)


def worded(
    names: Names, subject: str, predicate: PredicateId, object_: str, choice: int = 0
) -> str:
    """(s, p, o) by a wording of its predicate, `choice` picking among several."""
    wordings = names.canon.predicates[predicate].wordings or ("{s}: {o}.",)
    # Who is told a name is told whose it is by what it sees of them.
    is_name = predicate == IS_NAMED and subject in names.canon.cast
    shown = names.by_looks(CharacterId(subject)) if is_name else names(subject)
    said = wordings[choice % len(wordings)].format(s=shown, o=names(object_))
    return said[:1].upper() + said[1:]
