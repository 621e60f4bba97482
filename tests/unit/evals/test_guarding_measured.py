"""The guard against lines marked by hand by somebody who had not seen the code.

The rules were made on the half `dev`; of the half `held` only the figures were ever looked at, twice.
"""

import json
from functools import cache
from pathlib import Path

import pytest

from sandbox.evals.guarding import (
    Figures,
    Half,
    Renamed,
    Worlds,
    checked,
    leaked,
    main,
    measure,
    measure_renamed,
    renamed,
)
from sandbox.storage.places import worlds_folder
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView

MARKED = Path(__file__).parents[2] / "marked"
LINES, NAMES = MARKED / "guard_lines.jsonl", MARKED / "guard_names.json"
MORE = MARKED / "guard_more.jsonl"


@cache
def figures(half: Half, language: str) -> Figures:
    return next(f for f in measure(LINES, half) if f.language == language)


@cache
def more(language: str) -> Figures:
    return next(f for f in measure(MORE, "dev") if f.language == language)


@cache
def other_names(language: str) -> Renamed:
    names = json.loads(NAMES.read_text(encoding="utf-8"))
    return next(f for f in measure_renamed(LINES, "dev", names) if f.language == language)


@pytest.mark.parametrize(
    ("half", "language", "precision", "literal", "paraphrased"),
    [
        ("dev", "en", 0.97, 0.96, 0.84),
        ("dev", "zh", 0.97, 1.0, 0.92),
        # Looked at four times; docs/guard.md has what was seen.
        ("held", "en", 0.95, 0.88, 0.88),
        ("held", "zh", 0.87, 0.92, 0.72),
    ],
)
def test_the_guard_stays_as_good_as_it_was_found(
    half: Half, language: str, precision: float, literal: float, paraphrased: float
) -> None:
    found = figures(half, language)
    shown = "\n".join(found.report())
    assert (found.leaks.total(), found.clean) == (50, 50)
    assert found.precision >= precision, shown
    assert found.recall("literal") >= literal, shown
    assert found.recall("paraphrased") >= paraphrased, shown


@pytest.mark.parametrize(
    ("language", "precision", "literal", "paraphrased"),
    [("en", 0.95, 0.92, 0.8), ("zh", 0.95, 0.92, 0.88)],
)
def test_on_the_lines_written_later_it_stays_as_good(
    language: str, precision: float, literal: float, paraphrased: float
) -> None:
    found = more(language)
    shown = "\n".join(found.report())
    assert (found.leaks.total(), found.clean, found.twins) == (50, 50, 0)
    assert found.precision >= precision, shown
    assert found.recall("literal") >= literal, shown
    assert found.recall("paraphrased") >= paraphrased, shown


@pytest.mark.parametrize(
    ("language", "literal", "paraphrased"), [("en", 0.88, 0.84), ("zh", 0.88, 0.88)]
)
def test_canon_asserted_by_a_model_that_knows_the_novel_is_caught_whatever_the_names(
    language: str, literal: float, paraphrased: float
) -> None:
    found = other_names(language)
    for by_names in (found.by_new_names, found.by_old_names):
        assert by_names["literal"] >= literal * found.leaks["literal"], list(found.report())
        assert by_names["paraphrased"] >= paraphrased * found.leaks["paraphrased"]
    assert found.false <= 2


def test_of_the_half_held_out_no_words_are_shown() -> None:
    shown = "\n".join(figures("held", "en").report())
    lines = map(json.loads, LINES.read_text(encoding="utf-8").splitlines())
    assert "missed en-" in shown
    assert not any(line["line"] in shown for line in lines)


def test_what_is_true_is_looked_up_after_the_verdict_for_counting_only() -> None:
    world = Worlds(worlds_folder())["lantern_inn"]
    ines = CharacterView(world, CharacterId("ines"))
    told = [
        (place, leaked(world, ines, finding))
        for place in ("old lantern", "bridge box")
        for finding in checked(
            {"speaker": "ines", "to": [], "line": f"The packet is hidden in the {place}."}, world
        )
    ]
    assert told == [("old lantern", True), ("bridge box", False)]


def test_a_renamed_world_has_none_of_the_names_it_had() -> None:
    names = json.loads(NAMES.read_text(encoding="utf-8"))
    for name, others in names.items():
        canon = renamed(Worlds(worlds_folder())[name].canon, others)
        called = {
            word for all_ in canon.names.values() for called in all_ for word in called.split()
        }
        assert not called & set(others)
        assert called & {word for other in others.values() for word in other.split()}


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    lines = LINES.read_text(encoding="utf-8").splitlines()
    chosen = [text for text in lines if json.loads(text)["id"] in ("en-002", "en-006", "zh-013")]
    few.write_text("\n".join(chosen), encoding="utf-8")
    main([str(few), str(NAMES)])
    shown = capsys.readouterr().out
    assert "en dev: precision 1.000, recall 1.000" in shown
    assert "zh dev, renamed" in shown
