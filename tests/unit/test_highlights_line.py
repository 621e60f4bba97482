"""`sandbox run` ends with one line on what was worth telling, for who may know it."""

import json
from pathlib import Path

import pytest

from sandbox.cli.main import main
from tests.plotting import PLOT


@pytest.fixture(autouse=True)
def _saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_SAVES", str(tmp_path))


def _run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[str, list[str]]:
    assert main(["run", *options]) == 0
    out, err = capsys.readouterr()
    return out, [line for line in err.splitlines() if line.startswith("Highlights: ")]


def test_the_director_is_told_in_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    out, lines = _run(capsys, str(PLOT), "--beats", "30", "--save", "mill")
    assert len(lines) == 1
    assert "thread" in lines[0]
    assert "Highlights" not in out
    # Going on, only what is new counts.
    _, later = _run(capsys, "mill", "--beats", "1")
    assert later != lines


def test_through_a_characters_eyes_nothing_is_told_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, lines = _run(capsys, str(PLOT), "--beats", "30", "--save", "mill", "--as", "cy")
    assert lines == []


def test_lines_of_json_keep_their_form(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = _run(capsys, str(PLOT), "--beats", "30", "--save", "mill", "--json")
    beats = [json.loads(line) for line in out.splitlines()]
    assert len(beats) >= 30
    assert all({"seq", "turn", "events", "mind"} <= set(beat) for beat in beats)


def test_a_director_can_be_switched_off_by_a_setting(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SANDBOX_STORY_DIRECTOR", "false")
    _run(capsys, str(PLOT), "--beats", "40", "--save", "mill")
    assert "director = false" in (tmp_path / "mill" / "save.toml").read_text("utf-8")
    assert "prepared" not in (tmp_path / "mill" / "journal.jsonl").read_text("utf-8")
