"""`sandbox retract` and `sandbox edit`, and the same in scripts."""

from pathlib import Path

import pytest

from sandbox.cli import main

TINY = str(Path(__file__).parents[1] / "worlds/tiny")
HEAD = f"""\
world: {TINY}
minds: {{ ann: person, ben: person, cy: person }}
steps:
  - say: {{ who: ann, words: "Sit down.", to: [ben] }}
  - say: {{ who: ben, words: "Very well. I broke the cup.", to: [ann], tells: [cup_broken] }}
  - say: {{ who: ann, words: "So it was you.", to: [ben] }}
  - expect: {{ knows: [{{ who: ann, fact: cup_broken }}] }}
"""
UNKNOWN = "  - expect: { not_knows: [{ who: ann, fact: cup_broken }] }\n"


@pytest.fixture(autouse=True)
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "saves"
    monkeypatch.setenv("SANDBOX_SAVES", str(folder))
    return folder


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code, capsys.readouterr().err
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return err if code else out


def script(tmp_path: Path, *steps: str) -> str:
    path = tmp_path / "story.yaml"
    path.write_text(HEAD + "".join(steps), encoding="utf-8")
    return str(path)


@pytest.fixture
def night(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    said(capsys, "run", script(tmp_path), "--save", "night")
    return "night"


def test_a_line_is_edited_and_what_followed_is_kept(
    capsys: pytest.CaptureFixture[str], night: str
) -> None:
    words = ("--words", "是风打碎的。")
    assert "turn 2 has other words" in said(capsys, "edit", night, "--at", "2", *words, "--keep")
    shown = said(capsys, "replay", night)
    assert "Ben → Ann: 是风打碎的。" in shown
    assert "So it was you." in shown
    assert "I broke" not in shown
    assert "byte for byte" in said(capsys, "replay", night, "--verify")
    assert "turn 3" in said(capsys, "saves")
    assert "No problems found." in said(capsys, "check", night)


def test_a_line_is_edited_in_a_branch(capsys: pytest.CaptureFixture[str], night: str) -> None:
    words = ("--words", "It was the wind.")
    made = said(capsys, "edit", night, "--at", "2", *words, "--branch", "wind")
    assert "wind: night at turn 2, edited" in made
    shown = said(capsys, "replay", "wind")
    assert "It was the wind." in shown
    assert "So it was you." not in shown
    assert "I broke the cup." in said(capsys, "replay", night)
    assert "byte for byte" in said(capsys, "replay", "wind", "--verify")


def test_a_turn_is_retracted(capsys: pytest.CaptureFixture[str], night: str) -> None:
    said(capsys, "retract", night, "--at", "2")
    shown = said(capsys, "replay", night)
    assert "I broke the cup." not in shown
    assert "So it was you." in shown
    problem = said(capsys, "retract", night, "--at", "2", code=1)
    assert problem == "sandbox: turn 2 was withdrawn before: nothing of it is left.\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("retract", "night", "--at", "0"), "turns are counted from 1"),
        (("edit", "night", "--at", "2", "--words", "", "--keep"), "--words: needs 1 to 4000"),
        (("edit", "night", "--at", "2", "--words", "x"), "--keep --branch"),
    ],
)
def test_a_slip_of_the_caller_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], night: str, arguments: tuple[str, ...], problem: str
) -> None:
    assert problem in said(capsys, *arguments, code=2)


@pytest.mark.parametrize(
    "step",
    [
        "  - retract: 2\n",
        '  - edit: { turn: 2, words: "Very well." }\n',
        '  - edit: { turn: 2, words: "Very well.", keep: false }\n',
    ],
)
def test_a_script_takes_back_what_it_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], step: str
) -> None:
    said(capsys, "run", script(tmp_path, step, UNKNOWN), "--save", "s")
    shown = said(capsys, "replay", "s")
    assert ("So it was you." in shown) is ("keep" not in step)
    assert "byte for byte" in said(capsys, "replay", "s", "--verify")


def test_a_script_that_takes_back_what_cannot_be_says_which_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = said(capsys, "run", script(tmp_path, "  - retract: 9\n"), code=1)
    assert "`steps.4.retract`: no turn 9: the story has turns 1 to 3." in problem
