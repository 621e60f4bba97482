"""Who believes what, and who thinks what of whom, for all small stories with everything in them."""

from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sandbox.story import evidence
from sandbox.story.beliefs import believed, thinks_knows
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.world import World
from tests.property.reference import Reference, Said
from tests.property.rich import (
    IMPOSSIBLE,
    NAMES,
    PEOPLE,
    Plain,
    rich_canon,
    rich_histories,
    rich_intents,
    told,
)
from tests.property.strategies import START, History

bounded = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.explicit, Phase.generate],  # to make one of these stories shorter takes minutes
)
Chain = tuple[CharacterId, ...]
_name = st.sampled_from(PEOPLE)
long_chains = st.lists(st.lists(_name, min_size=3, max_size=4).map(tuple), min_size=16, max_size=16)
SHORT = [(a,) for a in PEOPLE] + [(a, b) for a in PEOPLE for b in PEOPLE if a != b]
ALONG = (PEOPLE[:3], PEOPLE[3:], PEOPLE[1:5], ("ann", "cy", "ann"), ("dee", "ben", "dee", "ben"))


def world_of(history: History) -> World:
    return fold(history.canon, START, history.beats).world


def topics(world: World) -> Iterator[tuple[str, PredicateId]]:
    """Subjects and predicates of which there is at most one object."""
    for subject, predicate in world.evidence:
        for one in (predicate, world.canon.predicates[predicate].inverse):
            if one is not None and world.canon.predicates[one].functional:
                yield subject, one


def minds(world: World, chains: Sequence[Any], whats: Sequence[Said]) -> dict[Any, Any]:
    """What each chain comes to: what is known, and what is believed."""
    found: dict[Any, Any] = {}
    for chain in chains:
        for what in whats:
            subject, predicate, object_ = what
            found[chain, what] = thinks_knows(
                world, chain, subject, PredicateId(predicate), object_
            )
        for topic in sorted({(s, p) for s, p, _ in whats}):
            if world.canon.predicates[PredicateId(topic[1])].functional:
                found[chain, topic] = believed(world, chain, topic[0], PredicateId(topic[1]))
    return found


def whats_of(world: World) -> list[Said]:
    facts = [e.fact for found in world.evidence.values() for e in found]
    return sorted({(f.subject, str(f.predicate), f.object) for f in facts})


# ── 7: nested belief is what DESIGN section 5 says ────────────────────────────────────────────


@settings(bounded, max_examples=40)
@given(rich_histories(), long_chains)
def test_who_thinks_that_who_knows_is_what_each_perceived_of_the_others(
    history: History, chains: list[Chain]
) -> None:
    world, reference = world_of(history), Reference(history)
    whats = whats_of(world)
    for chain in [*SHORT, *chains]:
        for what in whats:
            subject, predicate, object_ = what
            found = thinks_knows(world, chain, subject, PredicateId(predicate), object_)  # type: ignore[arg-type]
            assert found == reference.thinks_knows(chain, what), (chain, what)


@settings(bounded, max_examples=40)
@given(rich_histories(), long_chains)
def test_what_one_believes_that_another_believes_is_the_best_of_what_that_one_took_in(
    history: History, chains: list[Chain]
) -> None:
    world, reference = world_of(history), Reference(history)
    for chain in [*SHORT, *chains]:
        for subject, predicate in set(topics(world)):
            found = believed(world, chain, subject, predicate)  # type: ignore[arg-type]
            assert found == reference.believed(chain, subject, predicate), (chain, subject)


# ── 6 and 8: what nobody can see of another changes nothing in its mind ───────────────────────

wishes = st.lists(rich_intents(), min_size=14, max_size=26)


def with_and_without(wished: list[Plain], secret: Plain, at: float) -> tuple[World, World] | None:
    """The same story twice: as it is, and with something in it that nobody else can notice."""
    canon = rich_canon(NAMES["en"])
    cut = int(at * len(wished))
    before = told(canon, [*wished[:cut], IMPOSSIBLE, *wished[cut:]])
    after = told(canon, [*wished[:cut], secret, *wished[cut:]])
    if len(after.beats) != len(before.beats) + 1:
        return None
    return world_of(before), world_of(after)


def others_think_the_same(one: World, other: World, who: str) -> None:
    whats = sorted({*whats_of(one), *whats_of(other)})
    chains = [chain for chain in [*SHORT, *ALONG] if chain[0] != who]
    assert minds(one, chains, whats) == minds(other, chains, whats)


@bounded
@given(wishes, _name, st.sampled_from(["hall", "yard", "attic", "garden"]), st.floats(0, 1))
def test_a_secret_witness_changes_nobodys_mind_but_its_own(
    wished: list[Plain], who: str, place: str, at: float
) -> None:
    calm = [one for one in wished if (one["kind"], one["actor"]) != ("spied", who)]
    secret = {"kind": "spied", "actor": who, "on": place}
    if worlds := with_and_without(calm, secret, at):
        others_think_the_same(*worlds, who)


@bounded
@given(wishes, _name, st.floats(0, 1))
def test_a_moments_inattention_changes_nobodys_mind_but_its_own(
    wished: list[Plain], who: str, at: float
) -> None:
    secret = {"kind": "state_turned", "actor": who, "state": "distracted"}
    attentive = [one for one in wished if one.get("state") not in ("distracted", "attentive")]
    if worlds := with_and_without(attentive, secret, at):
        others_think_the_same(*worlds, who)


@bounded
@given(wishes, _name, st.floats(0, 1))
def test_a_thought_changes_nobodys_mind(wished: list[Plain], who: str, at: float) -> None:
    worlds = with_and_without(wished, {"kind": "thought", "actor": who}, at)
    if worlds:
        others_think_the_same(*worlds, "nobody")


# ── 9: an unknown deafness gives a false nested belief ────────────────────────────────────────

LINE = {"kind": "line_spoken", "targets": [], "aside": False, "language": None}
CLAIM = {"subject": "cup", "predicate": "took", "object": "hall", "mode": "claimed"}


@bounded
@given(
    st.sampled_from(["ann", "ben"]),
    st.lists(st.sampled_from(["ann", "ben"]), max_size=2, unique=True),
)
def test_who_does_not_know_of_a_deafness_thinks_that_the_deaf_one_knows(
    speaker: str, told_of_it: list[str]
) -> None:
    deafness = {
        "kind": "state_turned",
        "actor": "dee",
        "state": "deafened",
        "known_to": [PEOPLE.index(w) for w in told_of_it],
    }
    here = {"kind": "stage_set", "actor": "ann", "places": {"dee": "hall"}}
    line = LINE | {"actor": speaker, "tells": [CLAIM]}
    history = told(rich_canon(NAMES["zh"], "zh"), [here, deafness, line])
    assert len(history.beats) == 3
    world = world_of(history)
    ann, ben, dee = (CharacterId(who) for who in ("ann", "ben", "dee"))
    took = PredicateId("took")
    assert not thinks_knows(world, [dee], "cup", took, "hall")
    for who in (ann, ben):
        fooled = who not in told_of_it
        assert thinks_knows(world, [who, dee], "cup", took, "hall") is fooled
        assert believed(world, [who, dee], "cup", took) == ("hall" if fooled else None)
    # What others make of a deafness is not seen: who knows nothing of it thinks that they think so, too.
    assert thinks_knows(world, [ann, ben, dee], "cup", took, "hall") is ("ann" not in told_of_it)


def test_a_fold_that_lets_everybody_see_through_an_inattention_is_seen(
    monkeypatch: Any,
) -> None:
    here = {"kind": "state_turned", "actor": "ben", "state": "distracted", "known_to": None}
    line = LINE | {"actor": "ann", "tells": [CLAIM]}
    history = told(rich_canon(NAMES["en"]), [here, line])
    world, what = world_of(history), ("cup", "took", "hall")
    ann, ben = CharacterId("ann"), CharacterId("ben")
    assert Reference(history).thinks_knows(["ann", "ben"], what)
    assert thinks_knows(world, [ann, ben], "cup", PredicateId("took"), "hall")
    monkeypatch.setattr(
        "sandbox.story.beliefs.took_in",
        lambda found, chain: all(who in {*found.learners, found.teller} for who in chain),
    )
    assert not thinks_knows(world, [ann, ben], "cup", PredicateId("took"), "hall")
    assert evidence.took_in is not None
