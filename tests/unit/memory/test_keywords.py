import pytest

from sandbox.memory.keywords import WordIndex, keyword_score, keyword_scores
from sandbox.memory.store import Record
from sandbox.memory.terms import Part, parts_of, stem, terms_of


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("the cellar key", "The key of the cellar.", "The bread is in the oven."),
        ("Osric's coins", "Osric went to the mill.", "It is raining where we are."),
        ("keys", "A key lay there.", "A cat lay there."),
        ("地窖的钥匙", "钥匙在地窖里。", "面包在厨房里。"),
        ("小梅去哪儿了", "小梅去了磨坊。", "老吴的剑丢了。"),
        ("Mara 的钥匙", "Mara 拿着钥匙。", "Tobin 拿着面包。"),
    ],
)
def test_shared_words_score_higher_in_either_language(query: str, near: str, far: str) -> None:
    assert 1 >= keyword_score(query, near) > 2 * keyword_score(query, far) >= 0


@pytest.mark.parametrize("text", ["The cellar key.", "地窖的钥匙", "key 钥匙 42"])
def test_a_text_shares_all_with_itself_and_nothing_with_silence(text: str) -> None:
    assert keyword_score(text, text) == 1.0
    assert keyword_score(text, "") == keyword_score("", text) == keyword_score("?!", text) == 0.0


def test_case_width_and_punctuation_do_not_matter() -> None:
    assert keyword_score("ＫＥＹ", "(key)") == keyword_score("Straße", "STRASSE!") == 1.0


def test_a_pair_of_characters_counts_for_more_than_each_of_them() -> None:
    assert keyword_score("钥匙", "钥匙") > 2 * keyword_score("钥匙", "匙和钥")


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("keys", "key"),
        ("ladies", "lady"),
        ("boxes", "box"),
        ("pinched", "pinch"),
        ("hidden", "hidden"),
        ("hiding", "hide"),
        ("hides", "hide"),
        ("stopped", "stop"),
        ("owes", "owe"),
    ],
)
def test_a_word_meets_its_other_forms(word: str, other: str) -> None:
    assert stem(word) == stem(other)


@pytest.mark.parametrize(
    ("word", "other"),
    [("cell", "cellar"), ("ring", "rung"), ("bus", "bu"), ("glass", "glas"), ("red", "r")],
)
def test_another_word_stays_another_word(word: str, other: str) -> None:
    assert stem(word) != stem(other)
    assert keyword_score(word, other) == 0.0


def test_said_twice_is_no_clearer() -> None:
    assert terms_of("key key 钥匙，钥匙") == terms_of("key 钥匙")
    assert keyword_score("key", "key key key") == 1.0


@pytest.mark.parametrize(
    ("question", "about", "asking"),
    [
        ("Where is the key?", ["key"], ["wher", "is", "the"]),
        ("Who told what?", ["told"], ["who", "what"]),
        ("钥匙在哪里？", ["钥", "匙"], ["在", "哪", "里"]),
        ("为什么下雨？", ["下", "雨"], ["为", "什", "么"]),
    ],
)
def test_words_that_ask_count_for_less_than_what_they_ask_about(
    question: str, about: list[str], asking: list[str]
) -> None:
    counts = {part.term: share for part, share in parts_of(question).items()}
    assert {counts[term] for term in about} == {1.0}
    assert all(0 < counts[term] <= 0.5 for term in asking)


def test_a_character_stands_in_the_pairs_around_it() -> None:
    assert set(parts_of("钥匙丢 a")) == {
        Part("钥", ("钥匙",)),
        Part("匙", ("钥匙", "匙丢")),
        Part("丢", ("匙丢",)),
        Part("a"),
    }


def test_the_seam_between_two_words_takes_nothing_away() -> None:
    """丢钥 stands in the query alone, as nobody ever put the two words side by side."""
    told = ["钥匙在这里。", "昨天丢了鞋。", "下雨了。", "天晴了。"]
    assert keyword_scores("丢鞋钥匙", [*told, "钥匙和丢鞋。"])[-1] == 1.0


@pytest.mark.parametrize(
    ("query", "common", "rare"),
    [("Where is Osric?", "Where is he?", "Osric left."), ("小满在哪儿", "他在哪儿", "小满走了")],
)
def test_the_rarer_a_word_the_more_it_counts(query: str, common: str, rare: str) -> None:
    scores = keyword_scores(query, [common] + [f"{common} {n}" for n in range(6)] + [rare])
    assert max(scores) == scores[-1]
    assert keyword_scores("key", []) == []


def test_what_nobody_ever_said_counts_most() -> None:
    told = [f"The key is lost, {n}." for n in range(20)]
    assert keyword_scores("the key of Portugal", told)[0] < 0.2
    assert keyword_scores("the key", told)[0] == 1.0


def record(id_: str, text: str, seq: int = 1) -> Record:
    return Record(id_, text, "percept", seq, seq, "s1")


def test_a_rare_name_brings_its_memory_before_a_thousand_others() -> None:
    told = [record(f"p:{n}", f"Somebody came to the door at {n} and left.", n) for n in range(1000)]
    index = WordIndex([*told, record("osric", "Osric came.", 5)])
    assert index.shares("Did Osric come to the door?").best(3)[0] == "osric"


def test_of_equal_texts_the_latest_stands_for_all_in_whatever_order_they_came() -> None:
    alike = [record(f"p:{n}", "Tobin enters.", n) for n in range(40)]
    for order in (alike, alike[::-1]):
        shares = WordIndex([*order, record("q", "Tobin sits.", 3)]).shares("Tobin enters")
        assert shares.best(5) == ["p:39", "q"]
        assert shares.of("p:3") == shares.of("p:39") == 1.0


def test_an_index_that_grew_answers_as_one_made_at_once() -> None:
    told = [record(f"p:{n}", f"The {w} is in the cellar.", n) for n, w in enumerate("abcdefgh" * 3)]
    grown = WordIndex(told[:9])
    assert grown.shares("the cellar").best(2) == ["p:8", "p:7"]
    grown.add(told[9:])
    made = WordIndex(told)
    for query in ("the c cellar", "h", "nothing"):
        assert grown.shares(query).best(9) == made.shares(query).best(9)


@pytest.mark.parametrize("query", ["", "?!", "unheard", "没听过"])
def test_nothing_shares_a_word_with_a_query_of_none(query: str) -> None:
    shares = WordIndex([record("a", "The key.")]).shares(query)
    assert shares.best(5) == []
    assert shares.of("a") == shares.of("not there") == 0.0
    assert WordIndex().shares(query).best(5) == []


def test_among_candidates_all_alike_scores_stay_shares() -> None:
    assert keyword_scores("the key", ["the key"] * 5) == [1.0] * 5
    assert keyword_scores("", ["the key"]) == [0.0]
