"""`sandbox eval knowledge` as a person or a script meets it: our own lists, and the public suites where at hand."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.listed import event, raw_item, scored

ROOT = Path(__file__).parents[3]
OURS = ROOT / "tests/lists/three_stories.jsonl"
DATA = ROOT.parent / "shared/data"
SUITES = {
    "tom/tomi.jsonl": ("--on-entering", "all", "--trust", "none"),
    "tom/hitom.jsonl": (
        "--on-entering", "all", "--claims", "everywhere", "--trust", "later-leavers",
    ),
    "tom/whispers.jsonl": ("--on-entering", "open"),
    "tom/opentom.jsonl": (),
    "plays/shakespeare_5.jsonl": (),
    "plays/german_8.jsonl": (),
}  # fmt: skip
KEYS = {
    "file", "items", "events", "witnessed", "witnessed_correct", "questions", "correct", "unknown",
    "by_op", "by_kind", "wrong", "events_per_second", "refused", "refusals", "unreadable",
}  # fmt: skip


def evaluated(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, the JSON object of each file, and what was said beside."""
    command = [sys.executable, "-m", "sandbox", "eval", "knowledge", "--json", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_our_own_stories_come_out_whole_one_object_a_file() -> None:
    code, figures, said = evaluated(OURS, OURS)
    assert (code, said, len(figures)) == (0, "", 2)
    for score in figures:
        assert set(score) == KEYS
        assert (score["items"], score["events"], score["file"]) == (3, 33, str(OURS))
        assert score["witnessed"] == score["witnessed_correct"] == 30
        assert score["questions"] == score["correct"] == 32
        assert (score["unknown"], score["refused"], score["wrong"]) == (0, 0, [])
        assert score["by_op"]["knows"] == {"questions": 8, "correct": 8}
        assert sum(tally["questions"] for tally in score["by_kind"].values()) == 32
        assert score["events_per_second"] > 0


@pytest.mark.parametrize(
    ("change", "wrong"),
    [("heard_by", "the-glove@3"), ("present", "茶馆@2"), ("gold", "the-seed-tin#0")],
)
def test_a_list_that_says_otherwise_is_counted_wrong(
    tmp_path: Path, change: str, wrong: str
) -> None:
    items = [json.loads(line) for line in OURS.read_text(encoding="utf-8").splitlines()]
    story = next(one for one in items if wrong.startswith(one["id"]))
    number = int(wrong[len(story["id"]) + 1 :])
    if change == "gold":
        story["questions"][number]["gold"] = "tin"
    else:
        story["events"][number][change] = [*story["cast"]][1:2]
    path = tmp_path / "changed.jsonl"
    path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    code, (score,), _ = evaluated(path)
    assert code == 0
    assert score["wrong"][0] == wrong


def test_exit_codes_tell_what_was_left_out_and_what_could_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(raw_item(event("dances", "Ann"))), encoding="utf-8")
    code, (score,), _ = evaluated(path)
    assert (code, score["unknown"]) == (1, 1)
    path.write_text(json.dumps(raw_item(event("exit", "Ann"))) + "\n{", encoding="utf-8")
    code, (score,), said = evaluated(path)
    assert (code, score["refused"], score["unreadable"]) == (1, 1, 1)
    assert "a story: event 0: `Ann` is nowhere on the stage and cannot leave `hall`" in said
    code, figures, said = evaluated(tmp_path / "none.jsonl", tmp_path, OURS)
    assert (code, len(figures)) == (2, 1)
    assert "none.jsonl': cannot be read: No such file or directory." in said


def test_at_most_fifty_wrong_ids_are_listed(tmp_path: Path) -> None:
    events = [event("enter", "Ann"), *[event("wait", "Ann", present=["Bob"]) for _ in range(60)]]
    score = scored(tmp_path, raw_item(*events, cast=["Ann", "Bob"]))
    assert (score.witnessed, score.witnessed_correct) == (60, 0)
    assert len(score.as_json()["wrong"]) == 50


@pytest.mark.slow
def test_a_play_of_twenty_megabytes_is_read_and_played(tmp_path: Path) -> None:
    cast = {f"p{n}": f"Person {n}" for n in range(30)}
    there = [f"p{n}" for n in range(12)]
    events = [event("enter", None, "1.1", actors=there, present=there)]
    line = "word " * 900
    events += [
        event("say", there[n % 12], "1.1", text=line, present=there, note="x") for n in range(4_400)
    ]
    score = scored(tmp_path, raw_item(*events, cast=cast))
    assert (tmp_path / "lists.jsonl").stat().st_size > 20_000_000
    assert (score.witnessed_correct, score.is_whole) == (4_401, True)


@pytest.mark.parametrize("name", SUITES)
def test_every_witness_and_answer_of_the_suites_at_hand_comes_out(name: str) -> None:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"third-party data, not part of this project: no {name} in ../shared/data")
    code, (score,), said = evaluated(*SUITES[name], path)
    assert (code, said, score["wrong"]) == (0, "", [])
    assert score["witnessed"] == score["witnessed_correct"] > 0
    assert score["questions"] == score["correct"]
