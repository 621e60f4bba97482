"""`sandbox ask` as a person and a program meet it: words, JSON, a save that somebody is playing, errors."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from sandbox.cli import main
from sandbox.cli.asking_words import folded
from sandbox.errors import SaveError
from sandbox.storage.saves import OpenSave, load_save

ROOT = Path(__file__).parents[2]
SCRIPT = """\
world: {world}
steps:
  - whisper: {{ who: ben, words: "I broke the blue cup.", to: [ann], tells: [cup_broken] }}
  - go: {{ who: ann, place: yard }}
  - say: {{ who: ann, words: "Ben broke the cup.", to: [cy], tells: [cup_broken] }}
"""


@pytest.fixture(autouse=True)
def saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """A saves folder with one story, `cup`."""
    folder = tmp_path / "saves"
    monkeypatch.setenv("SANDBOX_SAVES", str(folder))
    script = tmp_path / "cup.yaml"
    script.write_text(SCRIPT.format(world=ROOT / "tests/worlds/tiny"), encoding="utf-8")
    code = main(["run", str(script), "--save", "cup"])
    assert code == 0, capsys.readouterr().err
    capsys.readouterr()
    return folder


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    """The output of one question; with `code`, what it says instead on stderr."""

    def asked(*arguments: str, code: int = 0) -> str:
        assert main(["ask", *arguments]) == code, capsys.readouterr().err
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert (out if code else err) == ""
        return err if code else out

    return asked


def _json(ask: Any, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask("cup", "--json", *arguments))
    return found


def test_who_knows_names_everybody_with_route_teller_and_turn(ask: Any) -> None:
    said = ask("cup", "who-knows", "cup_broken", "--nested")
    assert "Ann      knows: was told by Ben, turn 1" in said
    assert "Ben      knows: lived through it, before the story began" in said
    assert "Cy Dorn  knows: was told by Ann" in said
    assert "Ben      knows: Ann · does not know: Cy Dorn" in said
    found = _json(ask, "who-knows", "cup/broken_by/ben", "--nested")
    assert found["statement"] == "Ben broke the blue cup while he was running indoors."
    assert found["fact"] == {"subject": "cup", "predicate": "broken_by", "object": "ben"}
    assert [(p["who"], p["knowing"], p["teller"]) for p in found["people"]] == [
        ("ann", "knows", "ben"), ("ben", "knows", None), ("cy", "knows", "ann"),
    ]  # fmt: skip
    assert {"holder": "ben", "about": "cy", "knows": False} in found["thinks"]


def test_an_earlier_turn_is_answered_as_it_stood_then(ask: Any) -> None:
    people = _json(ask, "--at", "0", "who-knows", "cup_broken")["people"]
    assert [p["knowing"] for p in people] == ["does_not_know", "knows", "does_not_know"]
    after = _json(ask, "who-knows", "cup_broken", "--at", "1")
    assert [p["knowing"] for p in after["people"]] == ["knows", "knows", "does_not_know"]
    assert after["turn"] == 1


def test_why_goes_back_to_who_lived_through_it(ask: Any) -> None:
    said = ask("cup", "why", "Cy Dorn", "cup_broken").splitlines()
    links = [line.strip() for line in said if ", turn" in line or "lived" in line]
    assert links[0].startswith("Cy Dorn was told by Ann, turn")
    assert links[1].startswith("Ann was told by Ben, turn 1")
    assert links[2].startswith("Ben lived through it, before the story began")
    found = _json(ask, "why", "cy", "cup_broken")
    assert [link["who"] for link in found["chain"]] == ["cy", "ann", "ben"]


def test_who_does_not_know_missed_what_taught_it(ask: Any) -> None:
    said = ask("cup", "--at", "1", "why", "cy", "cup_broken")
    assert "Cy Dorn does not know." in said
    assert "missed: turn 1" in said
    assert "taught Ann" in said


def test_what_somebody_knows_is_in_its_own_wording(ask: Any) -> None:
    said = ask("cup", "knows", "cy", "cup")
    assert "Ben broke the cup." in said
    assert "rain" not in said
    found = _json(ask, "knows", "cy", "the blue cup")
    assert [fact["statement"] for fact in found["facts"]] == ["Ben broke the cup."]


def test_a_belief_about_a_belief_is_answered_by_name(ask: Any) -> None:
    said = ask("cup", "believes", "Ben", "Ann", "cup", "broken_by")
    assert said.startswith("Ben thinks that Ann believes: The blue cup was broken by Ben.")
    assert ask("cup", "believes", "ben", "cy", "cup", "broken_by").startswith(
        "Ben thinks that Cy Dorn holds no belief"
    )
    assert _json(ask, "believes", "ann", "cup", "broken_by")["values"] == ["ben"]


def test_a_line_would_teach_who_missed_it(ask: Any) -> None:
    said = ask("cup", "would-learn", "cy", "1", "--at", "1")
    assert said == "Cy Dorn would learn:\n  The blue cup was broken by Ben.\n"
    assert "blue cup" in ask("cup", "would-learn", "ann", "1", "--at", "0"), "a line of later"
    assert "nothing new" in ask("cup", "would-learn", "ann", "1", "--at", "1")
    words = ask("cup", "--at", "0", "would-learn", "cy", "Ben broke the cup.", "--by", "ben")
    assert "The blue cup was broken by Ben." in words
    assert "nothing new" in ask("cup", "would-learn", "cy", "Good evening.", "--by", "ben")


def test_a_world_without_threads_says_so(ask: Any) -> None:
    assert ask("cup", "state") == "This world has no threads.\n"
    assert _json(ask, "state")["threads"] == []


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("cup", "who-knows", "cup_brokn"), "Did you mean `cup_broken`?"),
        (("cup", "why", "bem", "cup_broken"), "Did you mean `ben`?"),
        (("cup", "knows", "ann", "cupp"), "Did you mean `cup`?"),
        (("cup", "believes", "ann", "cup"), "a subject and a predicate"),
        (("cup", "believes", "ann", "cup", "broken_bi"), "Did you mean `broken_by`?"),
        (("cup", "would-learn", "ann", "99"), "no turn 99"),
        (("cup", "would-learn", "ann", "Hm.", "--by", "ann"), "its own words"),
        (("cup", "state", "thief"), "no threads"),
        (("cap", "state"), "Did you mean `cup`?"),
        (("cup",), "QUESTION"),
        (("cup", "whoknows", "x"), "who-knows"),
    ],
)  # fmt: skip
def test_a_slip_gets_one_line_and_the_code_for_usage(
    ask: Any, arguments: tuple[str, ...], hint: str
) -> None:
    said = ask(*arguments, code=2)
    assert hint in said
    assert len(said.splitlines()) == 1


def test_a_turn_the_story_has_not_is_refused(ask: Any) -> None:
    assert "has turns 0 to" in ask("cup", "--at", "99", "state", code=1)


_PLAYER = """\
import sys
from pathlib import Path
from sandbox.storage.saves import OpenSave, load_save
opened = OpenSave(load_save(Path(sys.argv[1])))
opened.save.journal_path.open("ab").write(b'{"seq": 99, "tur')
print("open", flush=True)
sys.stdin.readline()
opened.close()
"""


def test_a_save_is_asked_while_another_process_plays_it_and_writes_a_line(
    ask: Any, saves: Path
) -> None:
    before = ask("cup", "who-knows", "cup_broken")
    player = subprocess.Popen(
        [sys.executable, "-c", _PLAYER, str(saves / "cup")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    with player:
        assert player.stdout is not None
        assert player.stdout.readline() == "open\n"
        with pytest.raises(SaveError, match="open in another program"):
            OpenSave(load_save(saves / "cup"))
        journal = (saves / "cup/journal.jsonl").read_bytes()
        assert ask("cup", "who-knows", "cup_broken") == before
        assert (saves / "cup/journal.jsonl").read_bytes() == journal, "asking writes nothing"
        player.communicate("\n")


@pytest.mark.parametrize("question", [
    ("who-knows", "liao_duhe", "--nested"), ("knows", "孟蓼"), ("why", "孟蓼", "caiche"),
    ("believes", "孟蓼", "杜水生", "铜铃", "located_in"), ("state",),
])  # fmt: skip
def test_answers_in_chinese_fit_into_80_cells(
    ask: Any, capsys: pytest.CaptureFixture[str], question: tuple[str, ...]
) -> None:
    assert main(["run", "jiangcun_duchuan", "--beats", "20", "--save", "river"]) == 0
    capsys.readouterr()
    for line in ask("river", *question).splitlines():
        assert cell_len(line) <= 80, line


def test_a_long_text_is_folded_at_spaces_and_between_chinese_characters() -> None:
    english = folded("a word and another " * 12, "  ")
    assert all(len(line) <= 80 and line.startswith("  ") for line in english)
    assert " ".join(" ".join(english).split()) == ("a word and another " * 12).strip()
    chinese = folded("灯灭了，" * 60, "  ")
    assert "".join(line.strip() for line in chinese) == "灯灭了，" * 60
    assert all(70 < cell_len(line) <= 80 for line in chinese[:-1])
    assert not any(line.strip().startswith(("，", "。")) for line in chinese)
