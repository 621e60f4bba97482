"""The wheel stands alone: built, installed into an empty environment, played from another folder."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([*command, str(folder), str(ROOT)], check=True, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_what_the_program_reads(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "sandbox/worlds/lantern_inn/world.toml",
        "sandbox/worlds/jiangcun_duchuan/cast.toml",
        "sandbox/worlds/schema/cast.json",
        "sandbox/agents/prompts/en/move.md",
        "sandbox/agents/prompts/zh/persona.md",
        "sandbox/tui/screen.tcss",
    ):
        assert needed in names
    assert not [name for name in names if name.startswith("tests/") or "/saves/" in name]


@pytest.mark.slow
def test_the_wheel_plays_from_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    # Really empty, and filled with what the wheel declares: a dependency that it forgot is missed.
    environment = tmp_path / "env"
    venv.create(environment, with_pip=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    elsewhere, home = tmp_path / "elsewhere", tmp_path / "home"
    elsewhere.mkdir()
    home.mkdir()
    done = subprocess.run(
        [str(python), "-m", "sandbox", "run", "jiangcun-duchuan", "--beats", "4", "--save", "w"],
        capture_output=True,
        text=True,
        cwd=elsewhere,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    where = subprocess.run(
        [str(python), "-c", "import sandbox; print(sandbox.__file__)"],
        capture_output=True,
        text=True,
        cwd=elsewhere,
        check=True,
    )
    assert str(environment) in where.stdout
    assert list(home.rglob("journal.jsonl")), "saves go to the user's data folder"
