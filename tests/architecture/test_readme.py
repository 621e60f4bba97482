"""The README tells the truth: its commands run, its world plays, its links lead somewhere."""

import re
import shlex
from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.engine.scripts import Step
from sandbox.settings import variables
from sandbox.tui.actions import ACTIONS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def _commands() -> list[list[str]]:
    lines = [line for block in _blocks("console") for line in block.splitlines()]
    found = [
        line.removeprefix("$ .venv/bin/sandbox ") for line in lines if ".venv/bin/sandbox" in line
    ]
    return [shlex.split(line, comments=True) for line in found]


def test_the_commands_run_in_the_order_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SANDBOX_SAVES", str(tmp_path))
    commands = _commands()
    assert len(commands) >= 5
    for command in commands:
        assert main(command) == 0, (command, capsys.readouterr().err)


def test_the_world_in_twenty_lines_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SANDBOX_SAVES", str(tmp_path / "saves"))
    (block,) = _blocks("toml")
    for part in re.split(r"^# (?=[\w/]+\.(?:toml|md)$)", block, flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        path = tmp_path / "my_world" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert main(["check", str(tmp_path / "my_world")]) == 0, capsys.readouterr().err
    assert main(["run", str(tmp_path / "my_world"), "--beats", "4"]) == 0
    assert "Ben" in capsys.readouterr().out


def test_the_variables_it_names_exist() -> None:
    named = set(re.findall(r"SANDBOX_[A-Z_]+", README))
    assert named
    assert named <= set(variables())


def test_the_keys_it_names_are_those_of_the_screen() -> None:
    keys = {action.key for action in ACTIONS}
    told = re.search(r"On the screen:(.*?)Type to", README, re.DOTALL)
    assert told
    for key in re.findall(r"`([^`]+)`", told[1]):
        assert any(key in one.split(",") for one in keys), key


@pytest.mark.parametrize("file", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_links_between_files_lead_somewhere(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_table_of_modules_names_what_is_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for name in re.findall(
        r"`((?:story|agents|engine|memory|storage|models)/\w*(?:\.py|/)?)`", text
    ):
        assert (ROOT / "sandbox" / name).exists(), name


def test_the_script_in_the_docs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SANDBOX_SAVES", str(tmp_path / "saves"))
    text = (ROOT / "docs/scripts.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "script.yaml").write_text(block, encoding="utf-8")
    assert main(["run", str(tmp_path / "script.yaml")]) == 0, capsys.readouterr().err


def test_the_docs_name_every_step_of_a_script() -> None:
    text = (ROOT / "docs/scripts.md").read_text(encoding="utf-8")
    for step in Step.model_fields:
        assert f"`{step}`" in text, step
