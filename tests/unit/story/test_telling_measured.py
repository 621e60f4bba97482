"""What a line tells against lines marked by hand by somebody who had not seen the code.

The rules were made on the odd lines; the even ones are held out. The worlds beside the lines are those they
were marked on: the bundled ones have grown since.
"""

import json
from pathlib import Path

import pytest

from sandbox.evals.telling import Figures, Half, measure

MARKED = Path(__file__).parents[2] / "marked" / "told_lines.jsonl"


def _figures(half: Half, language: str) -> Figures:
    return next(figures for figures in measure(MARKED, half) if figures.language == language)


@pytest.mark.parametrize(("language", "recall"), [("en", 0.94), ("zh", 0.88)])
def test_on_the_lines_the_rules_were_made_on_no_claim_is_false_and_few_are_missed(
    language: str, recall: float
) -> None:
    figures = _figures("odd", language)
    assert figures.lines == 50
    assert figures.precision >= 0.97, "\n".join(figures.report())
    assert figures.recall >= recall, "\n".join(figures.report())


@pytest.mark.parametrize(
    ("language", "precision", "recall"), [("en", 0.92, 0.78), ("zh", 0.96, 0.84)]
)
def test_on_the_lines_held_out_it_stays_as_good_as_it_was_found(
    language: str, precision: float, recall: float
) -> None:
    """Looked at twice. First 0.963 and 0.743 in English, 0.929 and 0.743 in Chinese; then, after work on
    sentences of our own, 0.933 and 0.800, 1.000 and 0.857. Since then they are no longer unseen.
    """
    figures = _figures("even", language)
    assert figures.lines == 50
    assert (figures.precision, figures.recall) >= (precision, recall)
    assert figures.recall >= recall, "\n".join(figures.report())


def test_a_marked_line_read_wrongly_is_named_with_its_words_and_a_reason(tmp_path: Path) -> None:
    line = {
        "id": "en-001",
        "world": "lantern_inn",
        "speaker": "mara",
        "to": ["ines"],
        "words": "Tobin took the packet. Osric is somewhere.",
        "tells": [
            {"subject": "osric", "predicate": "went_to", "object": "attic", "mode": "claimed"}
        ],
    }
    path = tmp_path / "lines.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    (figures,) = measure(path, worlds=MARKED.parent / "worlds")
    assert [slip.told[2] for slip in figures.missed] == ["attic"]
    assert [slip.told[2] for slip in figures.false] == ["tobin"]
    assert (figures.precision, figures.recall, figures.f1) == (0.0, 0.0, 0.0)
    assert "does not hold the fact" in "\n".join(figures.report())
