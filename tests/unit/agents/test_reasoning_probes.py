"""Probing without a model: what it gathers, from where, how far; the pool lets nothing in from outside."""

from collections.abc import Sequence
from typing import Any

import pytest

from sandbox.agents.reasoning.anchors import anchors_of
from sandbox.agents.reasoning.pool import FactPool, Probe, Way
from sandbox.agents.reasoning.probes import Caps, probe_fast
from sandbox.agents.reasoning.questions import question_of
from sandbox.errors import BoundaryError
from sandbox.story.beats import Beat, Happened
from sandbox.story.canon import Canon
from sandbox.story.graphs import Edge, FactGraph
from sandbox.story.ids import CharacterId, FactId, PredicateId, SceneId
from sandbox.story.known import KnownFacts
from sandbox.story.percepts import percept_id
from sandbox.story.view import CharacterView
from tests.property.house import fact, house, person
from tests.property.scenes import Told, claim, says
from tests.property.strategies import CAST

ANN, BEN, EVE = (CharacterId(who) for who in ("ann", "ben", "eve"))
THEFT, LATE, HIDING = (FactId(id_) for id_ in ("theft", "late", "hiding"))


def statements(pool: FactPool) -> list[str]:
    return [fact.statement for fact in pool]


# ── the pool ──────────────────────────────────────────────────────────────────────────────────


def test_a_fact_from_outside_cannot_get_into_a_pool() -> None:
    view = Told(canon=house()).view("ben")
    pool = FactPool(view.known)
    with pytest.raises(BoundaryError):
        pool.add(Probe(Way.FOUND), [LATE, THEFT])
    assert len(pool) == 0
    assert pool.growth == []
    assert pool.add(Probe(Way.FOUND), [LATE, LATE]) == 1


def test_a_pool_remembers_in_which_order_it_grew_and_what_brought_nothing() -> None:
    pool = FactPool(Told(canon=house()).view("ann").known)
    pool.add(Probe(Way.FOUND), [HIDING])
    pool.add(Probe(Way.ASKED, "cup"), [HIDING, THEFT])
    pool.add(Probe(Way.HERE, "ben"), [])
    assert [(g.probe.way, len(g.facts)) for g in pool.growth] == [
        (Way.FOUND, 1),
        (Way.ASKED, 1),
        (Way.HERE, 0),
    ]
    assert [f.handle for f in pool] == [HIDING, THEFT]


def test_people_are_shown_how_it_grew_in_names_and_statements() -> None:
    told = Told()
    view = told.view("ben")  # to whom Cy is "the visitor"
    pool = FactPool(view.known)
    pool.add(Probe(Way.HERE, "cy"), [FactId("vow")])
    assert [g.plain(view) for g in pool.growth] == [
        {"probe": "here: the visitor", "added": ["Ann took a vow."]}
    ]


# ── the graph ─────────────────────────────────────────────────────────────────────────────────


def edge(number: int, subject: str, object_: str, predicate: str = "took") -> Edge:
    return Edge(FactId(f"f{number}"), subject, PredicateId(predicate), object_, "s1", number)


def test_a_graph_gives_the_newest_facts_of_a_node_first() -> None:
    graph = FactGraph()
    for number in range(5):
        graph.add(edge(number, "cup", f"who{number}"))
    assert [e.fact for e in graph.at("cup", 2)] == ["f4", "f3"]
    assert [e.fact for e in graph.at("who0", 2)] == ["f0"]
    assert graph.at("nobody", 2) == []
    assert graph.at("cup", 0) == []
    assert [e.fact for e in graph.newest(1)] == ["f4"]


def test_where_somebody_was_at_every_step_does_not_crowd_out_the_rest() -> None:
    graph = FactGraph()
    graph.add(edge(0, "ben", "cup"))
    for number in range(1, 9):
        graph.add(edge(number, "ben", f"place{number}", "located_in"))
    assert [e.fact for e in graph.at("ben", 4)] == ["f0"]
    assert len(graph.at("place3", 4)) == 1  # where nothing else is known of it
    assert len(graph.saying("ben", PredicateId("located_in"), 4)) == 4
    assert [e.fact for e in graph.learned_in("s1", 4)] == ["f0"]


def test_a_graph_follows_the_boundary_as_it_grows_and_is_made_once() -> None:
    told = Told(canon=house())
    graph = told.view("ben").known.graph
    before = len(graph)
    told.happen(says("ann", "Ann took the cup.", "ben", tells=[stolen_by("ann")]))
    after = told.view("ben").known
    assert after.graph is graph
    assert len(graph) == len(after) > before
    assert {e.fact for e in graph.newest(99)} == {f.handle for f in after}
    assert len(told.view("eve").known.graph) == len(told.view("eve").known)


def test_a_fact_about_one_thing_alone_stands_once() -> None:
    graph = FactGraph()
    graph.add(edge(0, "cup", "cup"))
    assert len(graph.at("cup", 9)) == 1


# ── anchors ───────────────────────────────────────────────────────────────────────────────────


class Scened(Told):
    """A story whose beats belong to scenes."""

    scene = "s1"

    def take(self, happened: Sequence[Happened]) -> Happened:
        seq = len(self.beats) + 1
        beat = Beat(
            seq=seq,
            turn=seq,
            round=seq,
            scene=SceneId(self.scene),
            mind="person",
            clock=1200 + seq,
            events=tuple(happened),
        )
        self.beats.append(beat)
        self._folding.apply(beat)
        return happened[-1]

    def ids(self, who: str) -> list[str]:
        return [percept_id(percept) for percept in self.view(who).percepts]


def test_memories_make_anchors_by_scene_the_best_first() -> None:
    told = Scened(canon=house())
    for number in range(1, 6):
        told.scene = f"s{number}"
        told.happen(says("ben", f"Dee, the cup, number {number}.", "ann"))
    ids, view = told.ids("ann"), told.view("ann")
    anchors = anchors_of(view, [ids[3], ids[0], ids[1], ids[2]])
    assert [a.scene for a in anchors] == ["s4", "s1", "s2"]
    assert anchors[0].memories == (ids[3],)
    assert anchors[0].turn == 4
    assert set(anchors[0].entities) == {"ben", "dee", "cup"}
    assert "number 4" in anchors[0].texts(view)[0]


def test_canon_scenes_anchor_too() -> None:
    view = Told().view("ann")
    (anchor,) = anchors_of(view, [view.episodes[0].id])
    assert (anchor.scene, anchor.turn, anchor.texts(view)) == ("supper", 0, ("I ate.",))
    assert anchor.plain(view) == {"turn": 0, "memories": ["I ate."]}


def test_nobody_anchors_in_a_scene_of_another() -> None:
    told = Told()
    with pytest.raises(BoundaryError):
        anchors_of(told.view("eve"), [told.view("ann").episodes[0].id])


def test_what_happened_in_no_scene_anchors_nothing() -> None:
    told = Told(says("ben", "The cup!", "ann"), canon=house())
    assert anchors_of(told.view("ann"), [percept_id(told.view("ann").percepts[0])]) == ()
    assert anchors_of(told.view("ann"), []) == ()


# ── probing ───────────────────────────────────────────────────────────────────────────────────


def test_two_steps_from_what_is_asked_and_no_third() -> None:
    """From the cup to Dee, from Dee to the attic; what is in the attic is a third step."""
    facts = [
        fact("a", "cup", "taken_by", "dee", "Dee took the cup.", observed=["ann"]),
        fact("b", "dee", "was_at", "attic", "Dee was upstairs.", observed=["ann"]),
        fact("c", "attic", "hidden_in", "ring", "The attic holds a ring.", observed=["ann"]),
    ]
    view = Told(canon=house(facts=facts, characters=alone())).view("ann")
    pool = probe_fast(view, question_of("Who took the cup?", view))
    assert statements(pool) == ["Dee took the cup.", "Dee was upstairs."]
    assert [g.probe.way for g in pool.growth if g.facts] == [Way.ASKED, Way.NEAR]


def alone() -> list[dict[str, Any]]:
    return [
        person("ann"),
        *(person(who, home="far") for who in CAST if who != "ann"),
    ]


def test_what_a_search_found_is_gathered_and_must_be_ones_own() -> None:
    view = Told(canon=house(characters=alone())).view("ann")
    asked = question_of("Who goes there?", view)
    pool = probe_fast(view, asked, (), [LATE])
    assert pool.growth[-2].probe == Probe(Way.FOUND)
    assert statements(pool) == ["Dee sat up late.", "The cup is upstairs."]  # of the same attic
    with pytest.raises(BoundaryError):
        probe_fast(Told(canon=house()).view("eve"), asked, (), [THEFT])


def test_anchors_bring_what_was_learned_there_and_what_their_words_name() -> None:
    told = Scened(canon=house(characters=alone()[:1] + alone()[2:] + [person("ben")]))
    assert statements(probe_fast(told.view("ann"), None)) == []
    told.happen(says("ben", "Eve took the cup. Dee knows.", "ann", tells=[stolen_by("eve")]))
    told.scene = "s2"
    told.walk("ben", "yard")
    view = told.view("ann")
    assert "Dee sat up late." not in statements(probe_fast(view, None))
    pool = probe_fast(view, None, anchors_of(view, told.ids("ann")[:1]))
    grown = {g.probe: [f.statement for f in g.facts] for g in pool.growth}
    assert grown[Probe(Way.ANCHOR)] == ["Eve took the cup."]
    assert grown[Probe(Way.ANCHOR, "dee")] == ["Dee sat up late."]


def test_with_nothing_asked_it_sets_out_from_who_is_here_and_what_it_wants() -> None:
    view = Told(canon=house()).view("ben")  # with Ann and Cy in the hall; he wants the cup's thief
    told = Told(says("cy", "Cy took the cup.", "ben", tells=[stolen_by("cy")]), canon=house())
    assert statements(probe_fast(view, None)) == []
    pool = probe_fast(told.view("ben"), None)
    assert statements(pool) == ["Cy took the cup."]


def stolen_by(who: str) -> dict[str, Any]:
    return claim("cup", "taken_by", who, f"{who.title()} took the cup.")


def many(count: int) -> Canon:
    facts = [
        fact(f"f{n}", "cup", "was_at", f"shelf {n}", f"The cup stood on shelf {n}.", common=True)
        for n in range(count)
    ]
    first = fact("theft", "cup", "taken_by", "ann", "Ann took the cup.", common=True)
    return house(facts=[first, *facts], predicates=house().predicates)


def test_a_pool_does_not_grow_with_what_is_known_and_keeps_what_is_asked_for() -> None:
    view = Told(canon=many(300)).view("ben")
    pool = probe_fast(view, question_of("Who took the cup?", view), caps=Caps(facts=10))
    assert len(pool) == 10
    assert statements(pool)[0] == "Ann took the cup."  # the oldest of three hundred


def test_the_same_moment_gathers_the_same_pool() -> None:
    def gathered() -> list[str]:
        view = Told(ASKED, canon=many(50)).view("ann")
        return statements(probe_fast(view, question_of("Where was the cup?", view)))

    assert gathered() == gathered() != []


ASKED = says("cy", "Who took the cup?", "ann")


def test_who_knows_nothing_gathers_nothing() -> None:
    canon = house(facts=[], things=[], characters=alone())
    view = Told(canon=canon).view("eve")
    pool = probe_fast(view, question_of("Who took the cup?", view))
    assert len(pool) == 0


def test_every_word_of_a_pool_is_inside_the_boundary() -> None:
    told = Told(canon=house())
    for who in CAST:
        view = CharacterView(told.world, CharacterId(who))
        for words in ("Who took the cup?", "Why was the cup hidden?", "Where is Ann?"):
            pool = probe_fast(view, question_of(words, view))
            assert all(f.handle in KnownFacts(told.world, view.me) for f in pool)
