"""What a command loads: only what it uses."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("textual", "chromadb", "openai", "networkx", "wordllama", "numpy")


def _loaded(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('LOADED', *sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.rsplit("LOADED", 1)[1].split())


def test_help_loads_nothing_heavy() -> None:
    loaded = _loaded("from sandbox.cli import main\nmain(['--help'])")
    assert not loaded & set(HEAVY)
    assert "pydantic" not in loaded


def test_the_story_is_pure() -> None:
    modules = [
        path.stem for path in (ROOT / "sandbox/story").glob("*.py") if path.stem != "__init__"
    ]
    loaded = _loaded("".join(f"import sandbox.story.{name}\n" for name in sorted(modules)))
    ours = {name for name in loaded if name.startswith("sandbox.")}
    assert {name.split(".")[1] for name in ours} <= {"story", "errors"}
    assert not loaded & {"textual", "chromadb", "openai", "wordllama"}


def test_a_headless_run_loads_no_screen_and_no_model(tmp_path: Path) -> None:
    code = (
        "import os\n"
        f"os.environ['SANDBOX_SAVES'] = {str(tmp_path)!r}\n"
        "from sandbox.cli import main\n"
        "assert main(['run', 'tests/worlds/tiny', '--beats', '3', '--save', 'x']) == 0"
    )
    assert not _loaded(code) & {"textual", "openai"}


@pytest.mark.parametrize("banned", ["hash(", "eval(", "exec(", "pickle", "shell=True"])
def test_nothing_salted_and_nothing_that_runs_data(banned: str) -> None:
    for path in (ROOT / "sandbox").rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code = line.split("#")[0]
            if banned in code and "`" not in code:
                assert code[code.index(banned) - 1 :][:1].isalnum(), f"{path}:{number}: {line}"


def _imported_by(path: Path) -> set[str]:
    """Packages a module imports when it runs; what only a type checker reads does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def test_one_module_each_imports_a_heavy_library() -> None:
    for library in ("chromadb", "openai", "networkx", "wordllama"):
        users = [
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / "sandbox").rglob("*.py")
            if library in _imported_by(path)
        ]
        assert len(users) == 1, users
