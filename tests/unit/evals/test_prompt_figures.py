"""Figures of requests over a story: they do not grow, and most of each was sent before."""

from pathlib import Path

import pytest

from sandbox.evals.prompts import figures_of, prompt_figures, slope
from sandbox.settings import ModelSettings
from sandbox.storage.places import worlds_folder
from sandbox.story.tokens import estimated_tokens


def test_the_slope_is_that_of_the_line_through_the_sizes() -> None:
    assert slope([5, 7, 9, 11]) == pytest.approx(2)
    assert slope([8, 8, 8]) == pytest.approx(0)
    assert slope([8]) == 0


def test_a_prefix_is_shared_with_the_request_before_of_the_same_character() -> None:
    ann, ben = "You are Ann.\nTall.", "You are Ben.\nSmall."
    prompts = [(ann, "Known: 1. Now: a"), (ben, "Known: 2. Now: b"), (ann, "Known: 1. Now: c")]
    figures = figures_of(prompts)
    third = f"{ann}\nKnown: 1. Now: "
    assert figures["prefix_chars_mean"] == round(len(third) / 3)
    assert figures["prefix_tokens_mean"] == round(
        (2 * estimated_tokens("") + estimated_tokens(third)) / 3
    )
    whole = sum(len("\n".join(prompt)) for prompt in prompts)
    assert figures["prefix_share"] == round(len(third) / whole, 3)


@pytest.mark.parametrize("world", ["lantern_inn", "jiangcun_duchuan"])
def test_requests_of_a_told_story_keep_their_size_and_their_beginning(
    world: str, tmp_path: Path
) -> None:
    figures = prompt_figures(worlds_folder() / world, tmp_path / "save", beats=40)
    named = {name.split("_", 1)[1]: figure for name, figure in figures.items()}
    assert named["prompt_tokens_most"] <= ModelSettings().prompt_tokens
    assert named["prefix_share_median"] >= 0.5
    assert named["prompt_tokens_mean"] > 1000
