import pytest

from sandbox.memory.keywords import grams_of, keyword_score, keyword_scores


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


def test_a_part_of_a_word_is_not_the_word() -> None:
    assert keyword_score("cell", "cellar") < 0.5
    assert "=cell" not in grams_of("cellar")


def test_said_twice_is_no_clearer() -> None:
    assert grams_of("key key 钥匙钥匙").items() >= grams_of("key 钥匙").items()
    assert keyword_score("key", "key key key") == 1.0


def test_among_candidates_the_rare_word_counts_for_more() -> None:
    told = ["Where is he?"] * 7 + ["Osric left."]
    scores = keyword_scores("Where is Osric?", told)
    assert max(scores) == scores[7]
    assert keyword_score("Where is Osric?", told[0]) > keyword_score("Where is Osric?", told[7])
    assert keyword_scores("key", []) == []


def test_among_candidates_all_alike_scores_stay_shares() -> None:
    assert keyword_scores("the key", ["the key"] * 5) == [1.0] * 5
    assert keyword_scores("", ["the key"]) == [0.0]
