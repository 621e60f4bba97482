"""Questions about a story: who knows, who thinks who knows, why, what is believed, what a line would teach."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.errors import UsageError
from sandbox.evals.knowing import gossip, who_knows_ms
from sandbox.story.asking.knowing import (
    SURE,
    Knower,
    Knowing,
    belief,
    facts_of,
    knower,
    opinions,
    thinks,
    who_knows,
)
from sandbox.story.asking.lessons import would_learn, would_learn_of
from sandbox.story.asking.names import (
    character_named,
    entity_named,
    line_named,
    predicate_named,
    saying_named,
    thread_named,
)
from sandbox.story.asking.threads import thread_answer
from sandbox.story.asking.why import chain_of, missed, why, why_own
from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.beliefs import Standing
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.events import LineSpoken
from sandbox.story.facts import Proposition
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PredicateId, ThreadId
from sandbox.story.known import KnownFacts
from sandbox.story.predicates import built_in
from sandbox.story.routes import Route
from tests.property.scenes import Plain, Told, claim, says, turns, whispers
from tests.property.strategies import CAST, START, History, histories, small_canon

ANN, BEN, CY, DEE = (CharacterId(who) for who in ("ann", "ben", "cy", "dee"))
THEFT: Proposition = ("cup", PredicateId("took"), "ben")
IN_CLOCK: Proposition = ("key", PredicateId("hidden_in"), "clock")
IN_STOVE: Proposition = ("key", PredicateId("hidden_in"), "stove")


bounded = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)


def canon(**over: Any) -> Canon:
    """The small world with a functional predicate and its inverse; ben does not trust cy."""
    cast = small_canon().model_dump(by_alias=True)["characters"]
    people = [p | {"trust": {"cy": 0.1}} if p["id"] == "ben" else p for p in cast]
    predicates: dict[str, Any] = {
        **{str(id_): item for id_, item in built_in("en").items()},
        "took": {"id": "took", "wordings": ["{s} took {o}."]},
        "hidden_in": {
            "id": "hidden_in", "functional": True, "inverse": "hides",
            "wordings": ["{s} is hidden in {o}."], "question": "Where is {s} hidden?",
        },
        "hides": {"id": "hides", "inverse": "hidden_in", "wordings": ["{s} hides {o}."]},
    }  # fmt: skip
    entities = [{"id": "key", "name": "the key", "aliases": ["the brass key", "铜钥匙"]}]
    base = {"characters": people, "predicates": predicates, "entities": entities}
    return small_canon(**(base | over))


def tells(actor: str, to: str, saying: Proposition = THEFT, mode: str = "claimed") -> Plain:
    said = "I tell you."
    told = claim(*saying, said) | {"mode": mode}
    return whispers(actor, said, to, tells=[told])


def of(knowers: tuple[Knower, ...]) -> dict[str, Knowing]:
    return {one.who: one.knowing for one in knowers}


# ── who knows ─────────────────────────────────────────────────────────────────────────────────


def test_everybody_is_answered_for_with_route_teller_and_turn() -> None:
    story = Told(tells("ben", "ann"), canon=canon())
    story.walk("ann", "yard")
    story.happen(tells("ann", "cy"))
    found = {one.who: one for one in who_knows(story.world, THEFT)}
    assert list(found) == sorted(CAST)
    assert (found[BEN].route, found[BEN].teller, found[BEN].since) == (Route.EXPERIENCED, None, 0)
    assert (found[ANN].route, found[ANN].teller, found[ANN].since) == (Route.TOLD, BEN, 1)
    assert (found[CY].route, found[CY].teller, found[CY].since) == (Route.TOLD, ANN, 3)
    assert found[DEE] == Knower(DEE, Knowing.LACKS)


def test_a_guess_is_no_knowledge_a_denial_is_none_and_the_untrusted_is_doubted() -> None:
    story = Told(tells("ben", "ann", IN_CLOCK, "supposed"), canon=canon())
    story.walk("cy", "hall")
    story.happen(tells("cy", "ben", IN_CLOCK), tells("ann", "cy", IN_CLOCK, "denied"))
    found = who_knows(story.world, IN_CLOCK)
    assert of(found)[ANN] is Knowing.GUESSES
    assert of(found)[BEN] is Knowing.DOUBTS
    assert of(found)[CY] is Knowing.LACKS
    assert [one.who for one in found if one.was_denied] == [CY]


def test_who_guessed_and_was_told_then_knows_since_it_was_told() -> None:
    story = Told(tells("ben", "ann", THEFT, "supposed"), tells("ben", "ann"), canon=canon())
    assert knower(story.world, ANN, THEFT).knowing is Knowing.KNOWS
    assert knower(story.world, ANN, THEFT).since == 2


def test_what_is_outdone_by_a_better_word_is_held_no_longer() -> None:
    story = Told(tells("ben", "ann", IN_CLOCK), tells("ben", "ann", IN_STOVE), canon=canon())
    first, second = (knower(story.world, ANN, saying) for saying in (IN_CLOCK, IN_STOVE))
    assert (first.knowing, first.instead) == (Knowing.HOLDS_OTHER, "stove")
    assert (second.knowing, second.instead) == (Knowing.KNOWS, None)


def test_what_is_told_the_other_way_round_is_known() -> None:
    story = Told(tells("ben", "ann", ("clock", PredicateId("hides"), "key")), canon=canon())
    assert knower(story.world, ANN, IN_CLOCK).knowing is Knowing.KNOWS


@bounded
@given(histories())
def test_to_have_learned_is_what_the_world_calls_knowing(history: History) -> None:
    world = fold(history.canon, history.canon.default_start, history.beats).world
    for id_, fact in world.facts.items():
        if fact.mode in SURE:
            found = who_knows(world, fact.proposition)
            assert [one.who for one in found if one.knowing.has_learned] == world.knowers(id_)
            assert found == tuple(knower(world, who, fact.proposition) for who in world.grants)


# ── who thinks who knows ──────────────────────────────────────────────────────────────────────


def test_one_thinks_that_those_know_whom_one_saw_take_it_in_and_others_do_not() -> None:
    story = Told(tells("ben", "ann"), canon=canon())
    assert thinks(story.world, BEN, ANN, THEFT) is True
    assert thinks(story.world, ANN, BEN, THEFT) is True
    assert thinks(story.world, BEN, CY, THEFT) is False
    assert thinks(story.world, CY, BEN, THEFT) is None, "who does not know it has no opinion"
    story.happen(tells("ben", "ann", IN_CLOCK, "supposed"))
    assert thinks(story.world, ANN, CY, IN_CLOCK) is None, "nor has who only guesses"


def test_a_listener_who_is_not_noticed_knows_and_is_not_thought_to() -> None:
    story = Told(canon=canon())
    story.walk("cy", "hall")
    story.happen(turns("cy", "hid"))
    story.happen(says("ben", "I took it.", "ann", tells=[claim(*THEFT, "I took it.")]))
    assert knower(story.world, CY, THEFT).knowing.has_learned
    assert thinks(story.world, ANN, CY, THEFT) is False
    assert thinks(story.world, CY, ANN, THEFT) is True


def test_a_deafness_nobody_knows_of_makes_one_think_wrongly_that_somebody_knows() -> None:
    people = [
        p | ({"deaf": True, "impairment_known_to": []} if p["id"] == "ann" else {})
        for p in canon().model_dump(by_alias=True)["characters"]
    ]
    story = Told(canon=canon(characters=people))
    story.happen(says("ben", "I took it.", tells=[claim(*THEFT, "I took it.")]))
    assert knower(story.world, ANN, THEFT).knowing is Knowing.LACKS
    assert thinks(story.world, BEN, ANN, THEFT) is True


def test_who_was_taken_for_another_is_not_thought_to_know() -> None:
    story = Told(canon=canon())
    story.happen({"kind": "disguised", "actor": "cy", "seen_as": "eve"})
    story.walk("cy", "hall")
    story.happen(says("ben", "I took it.", tells=[claim(*THEFT, "I took it.")]))
    assert knower(story.world, CY, THEFT).knowing.has_learned
    assert thinks(story.world, BEN, CY, THEFT) is False
    assert thinks(story.world, ANN, CY, THEFT) is False


def test_opinions_are_of_every_pair_in_order() -> None:
    story = Told(tells("ben", "ann"), canon=canon())
    pairs = [(one.holder, one.about) for one in opinions(story.world, THEFT)]
    assert pairs == [(a, b) for a in CAST for b in CAST if a != b]
    few = opinions(story.world, THEFT, [BEN, ANN])
    assert [(one.holder, one.about, one.knows) for one in few] == [
        (BEN, ANN, True), (ANN, BEN, True),
    ]  # fmt: skip


# ── why ───────────────────────────────────────────────────────────────────────────────────────


def _rumour() -> Told:
    """Ben tells Ann, who tells Cy, who tells Dee."""
    story = Told(tells("ben", "ann"), canon=canon())
    story.walk("ann", "yard")
    story.happen(tells("ann", "cy"))
    story.walk("cy", "hall")
    story.walk("cy", "attic")
    story.happen(tells("cy", "dee"))
    return story


def test_a_rumour_is_followed_back_to_who_lived_through_it() -> None:
    found = why(_rumour().world, DEE, THEFT)
    assert [(link.who, link.route, link.speaker) for link in found.chain] == [
        (DEE, Route.TOLD, CY),
        (CY, Route.TOLD, ANN),
        (ANN, Route.TOLD, BEN),
        (BEN, Route.EXPERIENCED, None),
    ]
    assert [link.turn for link in found.chain] == [6, 3, 1, 0]
    assert [link.place for link in found.chain] == ["attic", "yard", "hall", "hall"]
    assert "I tell you." in found.chain[0].event
    assert not found.is_groundless


def test_who_is_told_its_own_rumour_still_has_it_from_the_first() -> None:
    story = _rumour()
    story.walk("dee", "hall")
    story.happen(tells("dee", "ben"))
    found = why(story.world, BEN, THEFT)
    assert [link.who for link in found.chain] == [BEN]
    assert [(link.teller, link.turn) for link in found.confirmed] == [(DEE, 8)]


def test_who_tells_before_learning_it_told_its_own_word() -> None:
    story = Told(tells("ann", "ben", IN_CLOCK), tells("ben", "ann", IN_CLOCK), canon=canon())
    found = why(story.world, BEN, IN_CLOCK)
    assert [link.who for link in found.chain] == [BEN], "what Ann heard later is not how she knew"
    assert found.is_groundless


def test_a_canon_in_which_two_told_each_other_makes_no_endless_chain() -> None:
    fact = {
        "id": "round", "subject": "key", "predicate": "hidden_in", "object": "clock",
        "statement": "The key is in the clock.",
        "told": [{"to": "ann", "by": "ben", "scene": "supper"},
                 {"to": "ben", "by": "ann", "scene": "supper"}],
    }  # fmt: skip
    base = canon().model_dump(by_alias=True)["facts"]
    story = Told(canon=canon(facts=[*base, fact]))
    assert [link.who for link in chain_of(story.world, ANN, IN_CLOCK)] == [ANN, BEN]


def test_one_can_say_oneself_no_more_than_whom_one_has_it_from() -> None:
    story = Told(canon=canon())
    story.walk("cy", "hall")
    story.happen(tells("cy", "ben", IN_CLOCK))
    own = why_own(story.world, BEN, IN_CLOCK)
    assert [link.teller for link in own.chain] == [CY]
    assert own.missed == ()
    assert "Dorn" not in repr(asdict(own))
    assert "the visitor" in own.chain[0].event.lower()
    assert "Cy Dorn" in why(story.world, BEN, IN_CLOCK).chain[0].event


def test_a_teller_in_disguise_is_named_as_it_was_taken_and_in_truth_to_the_director_alone() -> None:
    story = Told(canon=canon())
    story.happen({"kind": "disguised", "actor": "cy", "seen_as": "eve"})
    story.walk("cy", "hall")
    story.happen(tells("cy", "ann", IN_CLOCK))
    link = why(story.world, ANN, IN_CLOCK).chain[0]
    assert (link.teller, link.truly, link.speaker) == ("eve", CY, CY)
    own = why_own(story.world, ANN, IN_CLOCK)
    assert (own.chain[0].teller, own.chain[0].truly) == ("eve", None)
    assert "Cy" not in own.chain[0].event


def test_the_director_is_told_which_lines_somebody_missed() -> None:
    story = Told(canon=canon())
    story.walk("cy", "hall")
    story.happen(tells("ben", "ann"))
    (one,) = missed(story.world, CY, THEFT)
    assert (one.turn, one.learners, one.detail) == (2, (ANN,), Detail.THAT)
    assert missed(story.world, DEE, THEFT)[0].detail is None
    assert why(story.world, CY, THEFT).missed == (one,)
    story.happen(tells("ben", "cy"))
    assert why(story.world, ANN, THEFT).missed == (), "who knows it has missed nothing"


def test_contradictions_stand_side_by_side() -> None:
    story = Told(tells("ben", "ann", IN_CLOCK), tells("ben", "ann", IN_STOVE), canon=canon())
    held = why(story.world, ANN, IN_CLOCK).held
    assert [(one.object, one.standing) for one in held] == [
        ("clock", Standing.NOTED), ("stove", Standing.BELIEVED),
    ]  # fmt: skip


# ── what is known and believed ────────────────────────────────────────────────────────────────


@bounded
@given(histories())
def test_the_facts_of_a_character_are_its_boundary(history: History) -> None:
    world = fold(history.canon, history.canon.default_start, history.beats).world
    for who in world.grants:
        assert facts_of(world, who) == tuple(KnownFacts(world, who))
        about = facts_of(world, who, "cup")
        assert about == tuple(f for f in facts_of(world, who) if "cup" in (f.subject, f.object))


def test_a_belief_about_a_belief_is_what_one_saw_the_other_take_in() -> None:
    story = Told(tells("ben", "ann", IN_CLOCK), canon=canon())
    subject, predicate, _ = IN_CLOCK
    assert belief(story.world, [BEN, ANN], subject, predicate).values == ("clock",)
    assert belief(story.world, [ANN, BEN, ANN], subject, predicate).values == ("clock",)
    assert belief(story.world, [CY, ANN], subject, predicate).values == ()
    assert belief(story.world, [CY], subject, predicate).held == ()


def test_what_is_denied_is_no_value() -> None:
    story = Told(tells("ben", "ann", THEFT, "denied"), canon=canon())
    found = belief(story.world, [ANN], "cup", PredicateId("took"))
    assert found.values == ()
    assert len(found.held) == 1


def test_a_predicate_with_several_values_is_believed_in_all() -> None:
    other: Proposition = ("cup", PredicateId("took"), "dee")
    story = Told(tells("ben", "ann"), tells("ben", "ann", other), canon=canon())
    assert belief(story.world, [ANN], "cup", PredicateId("took")).values == ("ben", "dee")


# ── what a line would teach ───────────────────────────────────────────────────────────────────


def _with_line_heard(history: History, line: LineSpoken, who: CharacterId) -> Beat:
    """The same line once more, taken in by `who`."""
    seq = len(history.beats) + 1
    heard = Happened(event=line, witnesses={line.actor: Detail.FULL, who: Detail.FULL})
    return Beat(
        seq=seq, turn=seq, round=seq, scene=None, mind="person", clock=1300 + seq, events=(heard,)
    )  # fmt: skip


@bounded
@given(histories(), st.data())
def test_what_a_line_would_teach_is_what_it_then_teaches(
    history: History, data: st.DataObject
) -> None:
    lines = [
        (beat, n, h.event)
        for beat in history.beats
        for n, h in enumerate(beat.events)
        if isinstance(h.event, LineSpoken) and h.event.tells
    ]
    if not lines:
        return
    beat, index, line = data.draw(st.sampled_from(lines))
    who = CharacterId(data.draw(st.sampled_from(CAST)))
    folding = fold(history.canon, history.canon.default_start, history.beats)
    answer = would_learn(folding.world, who, beat, index)
    gained = folding.apply(_with_line_heard(history, line, who))
    new = [fact for learner, fact, _ in gained.grants if learner == who]
    assert [(f.proposition, f.mode) for f in new] == [(a.saying, a.mode) for a in answer]
    if who != line.actor:
        assert would_learn(folding.world, who, beat, index) == ()


def test_a_line_would_teach_who_missed_it_and_not_who_said_it() -> None:
    story = Told(tells("ben", "ann", IN_CLOCK), canon=canon())
    (beat,) = story.world.beats
    (lesson,) = would_learn(story.world, CY, beat)
    assert (lesson.saying, lesson.said, lesson.confirms) == (IN_CLOCK, "I tell you.", False)
    assert would_learn(story.world, BEN, beat) == ()
    assert would_learn(story.world, ANN, beat) == ()


def test_what_one_knows_already_would_only_be_confirmed() -> None:
    story = Told(canon=canon())
    told = Claim.model_validate(claim(*THEFT, "Ben took it."))
    assert [one.confirms for one in would_learn_of(story.world, BEN, [told])] == [True]
    assert [one.confirms for one in would_learn_of(story.world, ANN, [told])] == [False]


def test_a_deed_would_teach_who_watched_it() -> None:
    story = Told({"kind": "acted", "actor": "ann", "text": "looks", "examines": "cup"})
    (beat,) = story.world.beats
    assert THEFT in [lesson.saying for lesson in would_learn(story.world, DEE, beat)]


def test_what_shows_itself_to_its_reader_alone_would_teach_no_watcher() -> None:
    story = Told({"kind": "acted", "actor": "cy", "text": "reads", "examines": "book"})
    (beat,) = story.world.beats
    assert "debt" in [fact.handle for fact in facts_of(story.world, CY)]
    assert [lesson.object for lesson in would_learn(story.world, DEE, beat)] == ["cy"]


def test_of_a_beat_with_two_lines_each_can_be_asked_about() -> None:
    story = Told(canon=canon())
    story.happen(tells("ben", "ann", IN_CLOCK), tells("ben", "ann", IN_STOVE))
    (beat,) = story.world.beats
    of_each = [would_learn(story.world, CY, beat, index) for index in (0, 1, None)]
    found = [[lesson.saying for lesson in lessons] for lessons in of_each]
    assert found == [[IN_CLOCK], [IN_STOVE], [IN_CLOCK, IN_STOVE]]


# ── what is named ─────────────────────────────────────────────────────────────────────────────


def test_people_things_facts_and_lines_are_found_by_any_name() -> None:
    story = Told(tells("ben", "ann", IN_CLOCK), canon=canon())
    world = story.world
    assert character_named(world, "dorn") == CY == character_named(world, "Cy Dorn")
    assert entity_named(world, "铜钥匙") == "key" == entity_named(world, "brass key")
    assert entity_named(world, "a loan") == "a loan", "free text that some fact holds"
    assert saying_named(world, "theft") == THEFT
    assert saying_named(world, "铜钥匙／hidden_in／clock") == IN_CLOCK
    assert saying_named(world, "key/hidden_in/a b/c")[2] == "a b/c"
    assert line_named(world, "1") == (story.beats[0], None)
    assert line_named(world, "1.0") == (story.beats[0], 0)


@pytest.mark.parametrize(
    ("ask", "text", "hint"),
    [
        (character_named, "bem", "Did you mean `ben`"),
        (character_named, "Cy Dorm", "Did you mean `Cy Dorn`"),
        (entity_named, "the brass kee", "Did you mean `the brass key`"),
        (entity_named, "铜钥", "Did you mean `铜钥匙`"),
        (predicate_named, "hidden_on", "Did you mean `hidden_in`"),
        (saying_named, "thefd", "Did you mean `theft`"),
        (saying_named, "key/hidden", "subject/predicate/object"),
        (saying_named, "kei/hidden_in/clock", "Did you mean `key`"),
        (line_named, "first", "Write its turn"),
        (line_named, "7", "the story is at turn 1"),
        (line_named, "1.4", "has events 1.0 to 1.0"),
        (line_named, "²", "Write its turn"),
        (thread_named, "thief", "has no threads"),
    ],
)
def test_an_unknown_name_gets_one_line_with_the_nearest(ask: Any, text: str, hint: str) -> None:
    world = Told(tells("ben", "ann", IN_CLOCK), canon=canon()).world
    with pytest.raises(UsageError) as caught:
        ask(world, text)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_fact_of_later_than_the_start_is_refused_with_the_reason() -> None:
    base = canon().model_dump(by_alias=True)
    later = base["scenes"][0] | {"id": "night", "clock": "23:00"}
    facts = [f | ({"scene": "night"} if f["id"] == "theft" else {}) for f in base["facts"]]
    story = Told(canon=canon(scenes=[*base["scenes"], later], facts=facts), start=START)
    with pytest.raises(UsageError, match="nobody in it can know it"):
        saying_named(story.world, "theft")


# ── threads, speed ────────────────────────────────────────────────────────────────────────────


def test_a_thread_is_answered_with_each_condition_and_whether_it_holds() -> None:
    thread = {
        "id": "thief", "question": "Who took the cup?",
        "states": [
            {"id": "rumoured", "when": [{"knows": "theft"}]},
            {"id": "settled", "closes": True,
             "when": [{"who": "ann", "knows": "theft"}, {"who": "cy", "knows": "theft"}]},
        ],
    }  # fmt: skip
    story = Told(canon=canon(threads=[thread]))
    assert thread_answer(story.world, ThreadId("thief")).state == "open"
    story.happen(tells("ben", "ann"))
    found = thread_answer(story.world, thread_named(story.world, "thief"))
    assert (found.state, [state.holds for state in found.states]) == ("rumoured", [True, False])
    assert [one.holds for one in found.states[1].when] == [True, False]
    assert found.states[1].closes


def test_the_story_that_speed_is_measured_on_is_the_same_each_time() -> None:
    first, again = (gossip(120, 40, 6) for _ in range(2))
    assert list(first.beats) == list(again.beats)
    asked = next(iter(first.facts.values())).proposition
    assert {Knowing.KNOWS, Knowing.LACKS} <= set(of(who_knows(first, asked)).values())
    assert set(who_knows_ms(60, 20, 4)) == {"who_knows_ms_median", "who_knows_ms_worst"}
