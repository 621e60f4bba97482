"""Every fault of others that is marked [3] in DESIGN section 10 has a test named after it."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
_HERE = "unit/engine/test_faults_of_others_3.py"
_REPLIES = "unit/engine/test_faults_of_others_3_replies.py"
_RUNS = "unit/engine/test_faults_of_others_3_runs.py"
NAMED = {
    "a planner that saw the secret paraphrasing it": [
        f"{_HERE}::test_a_planner_that_saw_the_secret_paraphrasing_it_step_by_step",
        "unit/agents/test_guarding.py::test_a_planner_that_saw_the_secret_paraphrasing_it",
    ],
    "lore, vectors and summaries that bypass the filter": [
        "unit/agents/test_fusing.py::test_lore_vectors_and_summaries_do_not_bypass_the_boundary",
        "unit/engine/test_consolidating.py::test_vectors_and_summaries_that_bypass_the_filter",
    ],
    "discarded text living on in summaries": [
        "unit/engine/test_closing_again.py::test_discarded_text_living_on_in_summaries",
        "unit/agents/test_guarding.py::test_discarded_text_living_on_in_summaries",
        f"{_HERE}::test_discarded_text_living_on_in_prompts_and_answers",
    ],
    "a reply that goes on to speak for others or for the user": [
        f"{_REPLIES}::test_a_reply_that_goes_on_to_speak_for_others_or_for_the_user_in_a_story",
        "unit/agents/test_guarding.py::test_a_reply_that_goes_on_to_speak_for_others_or_for_the_user",
    ],
    "empty replies accepted": [f"{_REPLIES}::test_empty_replies_accepted"],
    "`<think>` with only a closing tag": [
        f"{_REPLIES}::test_think_with_only_a_closing_tag_in_a_story",
        "unit/agents/test_guarding.py::test_think_with_only_a_closing_tag",
    ],
    "text cut at a colon": [f"{_REPLIES}::test_text_cut_at_a_colon"],
    '"b)" not understood': [f"{_REPLIES}::test_b_not_understood"],
    "an invented place crashing the run": [
        f"{_RUNS}::test_an_invented_place_crashing_the_run",
    ],
    "`eval` on model text": [f"{_RUNS}::test_eval_on_model_text"],
    "the summariser overflowing": [
        "unit/agents/test_summarising.py::test_the_summariser_overflowing"
    ],
    "rate limits killing the run": [f"{_RUNS}::test_rate_limits_killing_the_run"],
    "tokens of Chinese undercounted threefold": [
        "unit/story/test_tokens.py::test_chinese_is_never_undercounted_threefold",
        "unit/agents/test_fusing_budgets.py::"
        "test_tokens_of_chinese_are_counted_as_such_where_a_text_is_made_to_fit",
    ],
    "mention matching that never fires for Chinese names": [
        f"{_HERE}::"
        "test_mention_matching_that_never_fires_for_chinese_names_in_a_line_and_a_question",
        "unit/agents/test_guarding.py::test_mention_matching_that_never_fires_for_chinese_names",
    ],
    "the dismissed still answering": [f"{_HERE}::test_the_dismissed_still_answering"],
}
"""Each fault with the tests named after it, some of which go on with their own words."""


@pytest.mark.parametrize("fault", NAMED)
def test_every_fault_marked_3_has_a_test_that_is_named_after_it(fault: str) -> None:
    words = re.findall(r"\w+", fault.lower())
    for place in NAMED[fault]:
        path, name = place.split("::")
        tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
        defined = [
            n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        assert defined.count(name) == 1, place
        shared = [word for word in words if word in name.split("_")]
        assert len(shared) >= 0.6 * len(words), place
