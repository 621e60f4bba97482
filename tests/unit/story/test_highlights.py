"""Highlights: what was worth telling is found from who knew and believed what, before and after."""

import pytest

from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.events import Commanded, Event, Withdrawn
from sandbox.story.highlight_words import counted, highlight_in_words
from sandbox.story.highlights import Highlight, HighlightKind, highlights_of, true_value
from sandbox.story.ids import PredicateId
from sandbox.story.perception import perceive
from tests.plotting import (
    AHE,
    ANN,
    BEN,
    CY,
    LAOQIU,
    TO_KITCHEN,
    XIAOMO,
    beats_of,
    folded,
    goes,
    mill,
    mill_zh,
    says,
    tells,
    waits,
)

TRUTH = tells(BEN, CY, "cup", "broken_by", "ben")
LIE = tells(BEN, CY, "cup", "broken_by", "ann")
SECRET = tells(ANN, CY, "key", "hidden_in", "chest")


def found(canon: Canon, *events: Event | tuple[Event, ...]) -> list[Highlight]:
    return highlights_of(canon, canon.default_start, beats_of(canon, *events))


def kinds(canon: Canon, *events: Event | tuple[Event, ...]) -> list[tuple[str, str | None, int]]:
    return [(h.kind.value, h.who, h.turn) for h in found(canon, *events)]


def test_a_story_in_which_nothing_is_told_has_none() -> None:
    assert kinds(mill(), TO_KITCHEN, *waits(ANN, 5)) == []


def test_a_secret_is_out_when_it_reaches_somebody_new_and_only_then() -> None:
    canon = mill()
    again = tells(ANN, CY, "key", "hidden_in", "chest")
    seen = kinds(canon, TO_KITCHEN, SECRET, again)
    assert ("secret_out", "cy", 2) in seen
    assert [kind for kind, _, _ in seen].count("secret_out") == 1
    (out,) = [h for h in found(canon, TO_KITCHEN, SECRET) if h.kind is HighlightKind.SECRET_OUT]
    assert (out.fact, out.teller) == ("key_hidden", "ann")


def test_to_hear_a_secret_that_one_knows_already_lets_nothing_out() -> None:
    back = tells(CY, ANN, "key", "hidden_in", "chest")
    assert ("secret_out", "ann", 3) not in kinds(mill(), TO_KITCHEN, SECRET, back)
    lived = [h.who for h in found(mill(), TO_KITCHEN, back) if h.kind is HighlightKind.SECRET_OUT]
    assert lived == []


def test_said_aloud_it_is_out_for_each_who_heard_it() -> None:
    aloud = says(ANN, CY, "key", "hidden_in", "chest")
    seen = kinds(mill(), TO_KITCHEN, aloud)
    assert [who for kind, who, _ in seen if kind == "secret_out"] == ["ben", "cy"]


def test_a_guess_at_a_secret_a_wrong_place_and_a_common_fact_are_no_secret_out() -> None:
    canon = mill()
    guess = tells(ANN, CY, "key", "hidden_in", "chest", mode="supposed")
    wrong = tells(ANN, CY, "key", "hidden_in", "cup")
    for line in (guess, wrong, TRUTH):
        assert "secret_out" not in [kind for kind, _, _ in kinds(canon, TO_KITCHEN, line)]


def test_a_lie_is_believed_where_its_teller_holds_another_value() -> None:
    (lie,) = [h for h in found(mill(), TO_KITCHEN, LIE) if h.kind is HighlightKind.LIE_BELIEVED]
    assert (lie.who, lie.teller, lie.turn) == (CY, BEN, 2)


def test_a_mistake_passed_on_in_good_faith_is_a_rumour_and_no_lie() -> None:
    on = tells(CY, ANN, "cup", "broken_by", "ann")
    seen = kinds(mill(), TO_KITCHEN, LIE, on)
    assert ("rumour", "ann", 3) in seen
    assert ("lie_believed", "ann", 3) not in seen


def test_a_lie_that_is_doubted_is_not_believed() -> None:
    canon = mill()
    wary = canon.cast[CY].model_copy(update={"trust": {BEN: 0.2}})
    people = tuple(wary if who.id == CY else who for who in canon.characters)
    doubting = canon.model_copy(update={"characters": people})
    doubting.__dict__.pop("cast", None)
    assert kinds(canon, TO_KITCHEN, LIE) != []
    assert kinds(doubting, TO_KITCHEN, LIE) == []


def test_a_lie_told_again_is_not_believed_anew() -> None:
    seen = kinds(mill(), TO_KITCHEN, LIE, LIE, LIE)
    assert [kind for kind, _, _ in seen].count("lie_believed") == 1


def test_a_false_belief_is_corrected_when_the_true_value_takes_its_place() -> None:
    canon = mill()
    (right,) = [
        h for h in found(canon, TO_KITCHEN, LIE, TRUTH) if h.kind is HighlightKind.BELIEF_CORRECTED
    ]
    assert (right.who, right.was, right.turn) == (CY, "ann", 3)
    other = tells(BEN, CY, "cup", "broken_by", "cy")
    mistaken = tells(ANN, CY, "cup", "broken_by", "cy")  # in good faith: Ann has no idea
    for story in (
        (TO_KITCHEN, TRUTH),
        (TO_KITCHEN, LIE, other),
        (TO_KITCHEN, TRUTH, LIE),
        (TO_KITCHEN, LIE, mistaken),
    ):
        assert "belief_corrected" not in [kind for kind, _, _ in kinds(canon, *story)]


def test_what_is_true_is_what_the_canon_holds_and_never_a_claim() -> None:
    canon = mill()
    world = folded(canon, beats_of(canon, TO_KITCHEN, LIE))
    assert true_value(world, ("cup", PredicateId("broken_by"))) == "ben"
    assert true_value(world, ("cup", PredicateId("hidden_in"))) is None
    assert true_value(world, ("cy", PredicateId("located_in"))) == "kitchen"


def test_who_saw_it_spreads_no_rumour() -> None:
    assert "rumour" not in [kind for kind, _, _ in kinds(mill(), TO_KITCHEN, TRUTH)]
    on = tells(CY, ANN, "cup", "broken_by", "ben")
    assert ("rumour", "ann", 3) in kinds(mill(), TO_KITCHEN, TRUTH, on)


def test_a_thread_turns_once_with_where_it_came_from() -> None:
    seen = [h for h in found(mill(), TO_KITCHEN, LIE, *waits(ANN, 2), TRUTH) if h.thread]
    assert [(h.thread, h.was, h.state, h.turn) for h in seen] == [
        ("cup", "open", "misled", 2),
        ("cup", "misled", "known", 5),
    ]


def test_what_was_withdrawn_has_no_highlights() -> None:
    canon = mill()
    beats = beats_of(canon, TO_KITCHEN, SECRET, *waits(ANN, 1))
    stage = folded(canon, beats).stage
    gone = (Commanded(command="rewind"), Withdrawn(seqs=(2, 3)))
    rewound = Beat(
        seq=4, turn=1, round=3, scene=None, mind="person", clock=beats[0].clock,
        events=tuple(perceive(event, stage) for event in gone),
    )  # fmt: skip
    assert highlights_of(canon, canon.default_start, beats)
    assert highlights_of(canon, canon.default_start, [*beats, rewound]) == []


def test_those_of_a_prefix_are_the_first_of_the_whole() -> None:
    canon = mill()
    on = tells(CY, ANN, "cup", "broken_by", "ann")
    beats = beats_of(canon, TO_KITCHEN, LIE, on, SECRET, TRUTH)
    whole = highlights_of(canon, canon.default_start, beats)
    assert len(whole) >= 6
    for n in range(len(beats)):
        part = highlights_of(canon, canon.default_start, beats[:n])
        assert part == [h for h in whole if h.seq <= n]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_kind_has_words_with_names_and_without_ids(language: str) -> None:
    if language == "en":
        canon, names = mill(), ("Ann", "Ben", "Cy")
        a, b, c, cup, broken = ANN, BEN, CY, "cup", "broken_by"
        key, hidden, chest, arrives = "key", "hidden_in", "chest", TO_KITCHEN
    else:
        canon, names = mill_zh(), ("阿禾", "小墨", "老邱")
        a, b, c, cup, broken = AHE, XIAOMO, LAOQIU, "beizi_wu", "dasui"
        key, hidden, chest = "yaoshi_wu", "cang_zai", "xiangzi"
        arrives = goes(LAOQIU, "yuanzi", "chufang")
    events = (
        arrives,
        tells(a, c, key, hidden, chest),
        tells(b, c, cup, broken, a),
        tells(c, a, cup, broken, a),
        tells(b, c, cup, broken, b),
    )
    beats = beats_of(canon, *events)
    world, all_ = folded(canon, beats), highlights_of(canon, canon.default_start, beats)
    assert {h.kind for h in all_} == set(HighlightKind)
    for highlight in all_:
        text = highlight_in_words(highlight, world)
        assert "{" not in text
        if highlight.thread is None:
            assert any(name in text for name in names), text
    (right,) = [h for h in all_ if h.kind is HighlightKind.BELIEF_CORRECTED]
    assert names[0] in highlight_in_words(right, world)  # whom it took for the one who did it


def test_they_are_counted_by_kind_for_one_line() -> None:
    line = counted(found(mill(), TO_KITCHEN, LIE, TRUTH, SECRET))
    assert line == "1 secret out, 1 lie believed, 1 belief corrected, 3 threads turned"
    assert counted([]) == ""
