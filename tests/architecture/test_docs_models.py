"""What docs/models.md says of settings, and what the help shows, is so."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.cli.main import main
from sandbox.settings import Settings, load
from sandbox.storage.worlds import read_world
from sandbox.tui.actions import ACTIONS

ROOT = Path(__file__).parents[2]
MODELS = (ROOT / "docs/models.md").read_text(encoding="utf-8")


def settings_shown(folder: Path) -> Settings:
    """The settings file of the page, read as the program reads it."""
    (block,) = re.findall(r"```toml\n(.*?)```", MODELS, re.DOTALL)
    (folder / "settings.toml").write_text(block, encoding="utf-8")
    return load({"SANDBOX_SETTINGS": str(folder / "settings.toml")})


def test_the_settings_file_in_the_docs_is_taken(tmp_path: Path) -> None:
    settings = settings_shown(tmp_path)
    assert settings.story.deep
    assert settings.summaries.beside(settings.model).base_url == settings.model.base_url
    assert set(settings.keys) <= {action.id for action in ACTIONS}


def test_the_limits_in_the_docs_are_those_of_the_settings() -> None:
    model = Settings().model
    assert f"{model.prompt_tokens:,} tokens (`model.prompt_tokens`)" in MODELS
    assert f"up to {model.repeats} repeats (`model.repeats`)" in MODELS
    assert f"more than {model.reply_timeout_s:.0f}" in MODELS


@pytest.mark.parametrize("command", [[], ["ask"]])
def test_the_questions_that_the_help_shows_are_about_facts_of_the_world(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command, "--help"])
    shown = re.findall(r" why (\w+) (\w+)", capsys.readouterr().out)
    canon = read_world(ROOT / "worlds/lantern_inn")
    assert shown
    for who, fact in shown:
        assert who in canon.cast
        assert fact in canon.facts_by_id


@pytest.mark.parametrize(
    "command", ["saves", "replay lantern-example", "ask lantern-example state"]
)
def test_who_has_read_enough_of_what_is_printed_is_told_nothing_more(command: str) -> None:
    argv = [sys.executable, "-m", "sandbox", *shlex.split(command)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipe = subprocess.PIPE
    run = subprocess.Popen(argv, cwd=ROOT, env=buffered, stdout=pipe, stderr=pipe)
    assert run.stdout is not None
    run.stdout.close()
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (0, b"")
