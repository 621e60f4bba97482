"""Why-questions follow causes inside F_c; where a link is unknown to the character it refuses."""

from itertools import pairwise
from pathlib import Path

import pytest

from sandbox.agents.reasoning.probes import DEPTH, probe_fast
from sandbox.agents.reasoning.questions import question_of
from sandbox.agents.reasoning.synthesis import Answer, Grounded, Reason, Refusal, synthesise
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.view import CharacterView
from tests.property.house import chinese, fact, house
from tests.property.scenes import Told, claim, says

WORLDS = Path(__file__).parents[3] / "worlds"
CANONS = {name: read_world(WORLDS / name) for name in ("lantern_inn", "jiangcun_duchuan")}
Chain = tuple[str, ...]
WHOLE: list[tuple[str, str, str, Chain]] = [
    ("lantern_inn", "tobin", "Why did you take the packet?", ("tobin_took", "osric_bargain", "tobin_debt")),
    ("lantern_inn", "mara", "Why was Jory blamed for the bridge money?", ("jory_blamed", "jory_drowned")),
    ("lantern_inn", "hobb", "Why did Jory try the ford?", ("jory_crossed", "account_empty")),
    ("jiangcun_duchuan", "meng_liao", "渡船为什么系到了老柳树旁？", ("chuan_nuowei", "liao_duhe", "deng_huo")),
    ("jiangcun_duchuan", "du_shuisheng", "渡船怎么会撞上石阶？", ("chuan_zhuang", "du_yeyan")),
]  # fmt: skip
BROKEN: list[tuple[str, str, str, Chain]] = [
    ("lantern_inn", "mara", "Why is the packet missing from the post bag?", ("packet_gone", "tobin_took")),
    ("lantern_inn", "vane", "Why did Osric put out the lamp?", ("lamp_pinched", "osric_bargain", "tobin_debt")),
    ("lantern_inn", "hobb", "Why was the bridge money gone from the bank?", ("account_empty", "osric_drew")),
    ("jiangcun_duchuan", "du_shuisheng", "渡船为什么系到了老柳树旁？", ("chuan_nuowei", "liao_duhe", "deng_huo")),
    ("jiangcun_duchuan", "fang_xu", "公函为什么耽搁了六天？", ("gonghan_chi", "zhu_yahan", "zhu_maidu")),
]  # fmt: skip


def view_of(world: str, who: str) -> CharacterView:
    canon = CANONS[world]
    return CharacterView(Fold(canon, canon.default_start).world, CharacterId(who))


def asked(view: CharacterView, words: str) -> Answer | None:
    question = question_of(words, view)
    return synthesise(view, question, probe_fast(view, question))


def is_chain_of(canon: Canon, chain: Chain) -> bool:
    return all(canon.facts_by_id[FactId(a)].cause == b for a, b in pairwise(chain))


@pytest.mark.parametrize(("world", "who", "words", "chain"), WHOLE)
def test_who_knows_every_link_tells_the_chain(
    world: str, who: str, words: str, chain: Chain
) -> None:
    assert is_chain_of(CANONS[world], chain)
    answer = asked(view_of(world, who), words)
    assert isinstance(answer, Grounded)
    assert answer.chain
    assert not answer.is_unsure
    assert tuple(f.handle for f in answer.support)[: len(chain)] == chain


@pytest.mark.parametrize(("world", "who", "words", "chain"), BROKEN)
def test_who_does_not_know_the_next_link_refuses(
    world: str, who: str, words: str, chain: Chain
) -> None:
    view = view_of(world, who)
    assert is_chain_of(CANONS[world], chain)
    assert FactId(chain[0]) in view.known
    assert FactId(chain[1]) not in view.known
    assert asked(view, words) == Refusal(Reason.CAUSE_UNKNOWN, len(view.known))


@pytest.mark.parametrize(("world", "who", "words", "chain"), [*WHOLE, *BROKEN])
def test_nobody_ever_tells_a_link_that_it_does_not_know(
    world: str, who: str, words: str, chain: Chain
) -> None:
    """Every question asked of everybody: what is told is known, and each link leads to the next."""
    for other in CANONS[world].cast:
        view = view_of(world, other)
        answer = asked(view, words)
        if isinstance(answer, Grounded):
            told = [f.handle for f in answer.support]
            assert all(link in view.known for link in told)
            assert not answer.chain or is_chain_of(CANONS[world], tuple(told))
            assert chain[0] in told or FactId(chain[0]) not in view.known or other != who


# ── a link taken out ──────────────────────────────────────────────────────────────────────────


def chained(*unknown: str, language: str = "en") -> Canon:
    """Ann knows the theft, its cause, and the cause of that, and of that, without `unknown`."""

    def link(id_: str, subject: str, object_: str, cause: str | None) -> dict[str, object]:
        knowers = ["eve"] if id_ in unknown else ["ann", "eve"]
        statement = f"{subject} with {object_}, {id_}."
        more = {"cause": cause, "observed": knowers}
        return fact(id_, subject, "was_at", object_, statement, **more)

    facts = [
        link("l0", "cup", "hall", "l1"),
        link("l1", "dee", "yard", "l2"),
        link("l2", "cy", "far", "l3"),
        link("l3", "eve", "box", "l4"),
        link("l4", "box", "attic", "l5"),
        link("l5", "coin", "box", None),
    ]
    if language == "zh":
        made = house(facts=facts).facts
        return chinese().model_copy(update={"facts": made})
    return house(facts=facts)


WHY = {"en": "Why was the cup in the hall?", "zh": "杯子为什么去过the hall？"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chain_is_followed_to_a_depth_and_no_further(language: str) -> None:
    answer = asked(Told(canon=chained(language=language)).view("ann"), WHY[language])
    assert isinstance(answer, Grounded)
    assert answer.chain
    assert [f.handle for f in answer.support] == ["l0", "l1", "l2", "l3"]
    assert len(answer.support) == DEPTH + 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chain_ends_before_a_link_that_is_unknown_though_what_lies_behind_is_known(
    language: str,
) -> None:
    view = Told(canon=chained("l2", language=language)).view("ann")
    answer = asked(view, WHY[language])
    assert isinstance(answer, Grounded)
    assert [f.handle for f in answer.support] == ["l0", "l1"]
    view = Told(canon=chained("l1", language=language)).view("ann")
    assert FactId("l2") in view.known
    assert asked(view, WHY[language]) == Refusal(Reason.CAUSE_UNKNOWN, len(view.known))


def test_the_cause_of_something_near_is_no_answer() -> None:
    """Ann knows why Dee was in the yard, and does not know why the cup was in the hall."""
    facts = [
        fact(
            "near", "cup", "was_at", "yard", "The cup was in the yard.", common=True, cause="dark"
        ),
        fact("dark", "hall", "said_about", "dark", "It was dark.", common=True),
        fact("asked", "cup", "was_at", "hall", "The cup was in the hall.", common=True),
    ]
    view = Told(canon=house(facts=facts)).view("ann")
    answer = asked(view, "Why was the cup in the hall?")
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.CAUSE_UNKNOWN


def test_of_two_that_bear_on_it_the_nearer_is_asked_about() -> None:
    """The cup was cracked twice; why it broke at supper, Ann does not know."""
    facts = [
        fact("asked", "cup", "said_about", "s", "The cup broke while they were at supper.", common=True),
        fact("near", "cup", "said_about", "b", "The cup broke on a Monday.", common=True, cause="fall"),
        fact("fall", "cup", "said_about", "f", "It had a fall.", common=True),
    ]  # fmt: skip
    view = Told(canon=house(facts=facts)).view("ann")
    answer = asked(view, "Why did the cup break at supper?")
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.CAUSE_UNKNOWN
    answer = asked(view, "Why did the cup break on Monday?")
    assert isinstance(answer, Grounded)
    assert [f.handle for f in answer.support] == ["near", "fall"]


@pytest.mark.parametrize("words", ["Why did you do that?", "Why?", "Why did he tell you?"])
def test_why_of_what_is_not_said_has_no_answer(words: str) -> None:
    facts = [
        fact("a", "ann", "was_at", "hall", "Ann was in the hall.", common=True, cause="b"),
        fact("b", "ann", "was_at", "yard", "Ann was in the yard.", common=True),
    ]
    view = Told(canon=house(facts=facts)).view("ann")
    assert asked(view, words) == Refusal(Reason.NOTHING_KNOWN, 2)
    assert isinstance(asked(view, "Why were you in the hall?"), Grounded)


def test_causes_that_go_in_a_circle_are_told_once() -> None:
    facts = [
        fact("a", "cup", "was_at", "hall", "The cup was in the hall.", common=True, cause="b"),
        fact("b", "dee", "was_at", "hall", "Dee was in the hall.", common=True, cause="a"),
    ]
    answer = asked(Told(canon=house(facts=facts)).view("ann"), "Why was the cup in the hall?")
    assert isinstance(answer, Grounded)
    assert [f.handle for f in answer.support] == ["a", "b"]


def test_a_predicate_that_gives_the_reason_itself_answers_why() -> None:
    view = view_of("lantern_inn", "hobb")
    canon = CANONS["lantern_inn"]
    assert canon.facts_by_id[FactId("jory_crossed")].predicate == "crossed_for"
    bare = canon.model_copy(
        update={"facts": tuple(f.model_copy(update={"cause": None}) for f in canon.facts)}
    )
    view = CharacterView(Fold(bare, bare.default_start).world, CharacterId("hobb"))
    answer = asked(view, "Why did Jory try the ford?")
    assert isinstance(answer, Grounded)
    assert not answer.chain
    assert [f.handle for f in answer.support] == ["jory_crossed"]


def test_a_link_learned_in_play_closes_the_chain_from_then_on() -> None:
    told = Told(canon=chained("l1"))
    assert isinstance(asked(told.view("ann"), WHY["en"]), Refusal)
    told.happen({"kind": "fact_granted", "fact": "l1", "to": ["ann"], "route": "observed"})
    answer = asked(told.view("ann"), WHY["en"])
    assert isinstance(answer, Grounded)
    assert [f.handle for f in answer.support][:2] == ["l0", "l1"]


def test_to_be_told_the_same_in_words_brings_no_cause() -> None:
    """What a line claims is no link to the true fact, and a claim has no cause."""
    told = Told(canon=chained("l0"))
    tells = [claim("cup", "was_at", "hall", "The cup was in the hall.")]
    told.happen(says("ben", "The cup was in the hall.", "ann", tells=tells))
    view = told.view("ann")
    assert FactId("l1") in view.known
    answer = asked(view, WHY["en"])
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.CAUSE_UNKNOWN
