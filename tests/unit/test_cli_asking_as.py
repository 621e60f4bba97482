"""`sandbox ask SAVE as CHARACTER`: off the record, in words and JSON; not a byte of the save changes."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sandbox.cli import main
from sandbox.storage.saves import OpenSave, load_save
from tests.endpoint import FakeEndpoint, Text

ROOT = Path(__file__).parents[2]
SCRIPT = """\
world: {world}
steps:
  - whisper: {{ who: ben, words: "I broke the blue cup.", to: [ann], tells: [cup_broken] }}
  - go: {{ who: ann, place: yard }}
  - say: {{ who: ann, words: "Ben broke the cup.", to: [cy], tells: [cup_broken] }}
"""
WHO = "Who broke the blue cup?"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save, `cup`, made once: no question changes it, and that is tested."""
    folder = tmp_path_factory.mktemp("asked")
    script = folder / "cup.yaml"
    script.write_text(SCRIPT.format(world=ROOT / "tests/worlds/tiny"), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANDBOX_SAVES", str(folder / "saves"))
        assert main(["run", str(script), "--save", "cup"]) == 0
    return folder / "saves" / "cup"


@pytest.fixture(autouse=True)
def save(made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.setenv("SANDBOX_SAVES", str(made.parent))
    capsys.readouterr()
    return made


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    """The output of one question; with `code`, what it says instead on stderr."""

    def asked(*arguments: str, code: int = 0) -> str:
        assert main(["ask", "cup", *arguments]) == code, capsys.readouterr().err
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert (out if code else err) == ""
        return err if code else out

    return asked


def _json(ask: Any, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask("--json", *arguments))
    return found


@pytest.fixture(scope="module")
def untouched(made: Path) -> dict[str, bytes]:
    """The save before anything was asked of it."""
    return _bytes(made)


@pytest.fixture(autouse=True)
def _as_it_was(made: Path, untouched: dict[str, bytes]) -> Iterator[None]:
    """No test leaves a trace in the save, whatever it asked."""
    yield
    assert _bytes(made) == untouched


def _bytes(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_who_was_told_says_so_and_from_whom(ask: Any) -> None:
    said, *rest = ask("as", "cy", WHO).splitlines()
    assert said == 'Cy Dorn: Ann told me: "Ben broke the cup."'
    assert rest == ["  rests on:", "    Ben broke the cup.", "      was told by Ann, turn 3"]


def test_json_holds_all_that_led_to_it_in_names(ask: Any) -> None:
    found = _json(ask, "as", "Ann", WHO)
    assert (found["ask"], found["character"], found["turn"]) == ("as", "ann", 3)
    assert (found["outcome"], found["by"], found["calls"]) == ("grounded", "rehearsal", 0)
    assert found["support"] == [
        {"statement": "I broke the blue cup.", "route": "told", "source": "Ben", "turn": 1}
    ]
    assert found["asked"]["names"] == ["the blue cup"]
    assert {"anchors", "probes", "pool", "relied_on", "words"} <= set(found)
    assert "trace" not in found


def test_as_of_an_earlier_turn_it_does_not_know_yet(ask: Any) -> None:
    assert _json(ask, "as", "cy", WHO)["outcome"] == "grounded"
    earlier = _json(ask, "--at", "2", "as", "cy", WHO)
    assert (earlier["outcome"], earlier["reason"]) == ("refusal", "nothing_known")
    assert earlier["turn"] == 2
    assert "support" not in earlier
    assert _json(ask, "as", "cy", WHO, "--at", "2") == earlier
    assert "broke" not in json.dumps(earlier["pool"])


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("", "no answer: nothing was asked"),
        ("谁打破了杯子？", "no answer: the question is in another language than the story"),
        ("Who is Zorblax?", "no answer: it knows nobody and nothing by that name"),
        ("Who stole the moon?", "no answer: nothing it knows answers this"),
    ],
)
def test_what_cannot_be_answered_is_one_clear_line(ask: Any, question: str, line: str) -> None:
    lines = ask("as", "cy", question).splitlines()
    assert len(lines) == 2
    assert lines[1] == f"  {line}"


def test_the_trace_is_printed_where_it_is_asked_for(ask: Any) -> None:
    text = ask("as", "ann", WHO, "--trace")
    assert "probe: asked: the blue cup → I broke the blue cup." in text
    assert "conclusion: grounded" in text
    assert _json(ask, "as", "ann", WHO, "--trace")["trace"]["conclusion"] == "grounded"


def test_wrong_words_give_one_line(ask: Any) -> None:
    assert "Did you mean" in ask("as", "an", WHO, code=2)
    assert ask("as", "ann", code=2).count("\n") == 1
    assert "--deep needs a model" in ask("as", "ann", WHO, "--deep", code=2)
    assert "has turns 0 to" in ask("--at", "99", "as", "ann", WHO, code=1)


def test_not_a_byte_of_the_save_is_changed(ask: Any, save: Path) -> None:
    before = _bytes(save)
    assert "journal.jsonl" in before
    for question in (WHO, "", "Why is the key hidden?"):
        ask("as", "ann", question, "--trace")
        ask("--at", "1", "as", "ben", question)
    assert _bytes(save) == before


def test_not_a_byte_is_changed_while_somebody_plays_it(ask: Any, save: Path) -> None:
    playing = OpenSave(load_save(save))
    try:
        before = _bytes(save)
        assert _json(ask, "as", "ann", WHO)["outcome"] == "grounded"
        assert _bytes(save) == before
    finally:
        playing.close()


# ── with a model ──────────────────────────────────────────────────────────────────────────────


@contextmanager
def endpoint(reply: Text) -> Iterator[FakeEndpoint]:
    """A fake endpoint in a thread of its own: the command has its own event loop."""
    loop, started = asyncio.new_event_loop(), threading.Event()
    held: list[FakeEndpoint] = []
    ended = asyncio.Event()

    async def serve() -> None:
        async with FakeEndpoint(reply) as served:
            held.append(served)
            started.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert started.wait(10)
        yield held[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)
        loop.close()


@pytest.mark.endpoint
def test_the_model_that_is_set_answers_and_nothing_is_recorded(
    ask: Any, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _bytes(save)
    with endpoint(Text('{"words": "It was Ben, he told me.", "relied_on": ["f1"]}')) as served:
        monkeypatch.setenv("SANDBOX_MODEL_NAME", "mara-7b")
        monkeypatch.setenv("SANDBOX_MODEL_BASE_URL", served.base_url)
        found = _json(ask, "as", "ann", WHO)
    assert (found["words"], found["by"]) == ("It was Ben, he told me.", "mara-7b")
    assert found["relied_on"] == ["I broke the blue cup."]
    assert found["calls"] == 1
    assert _bytes(save) == before


@pytest.mark.endpoint
@pytest.mark.parametrize("words", ["Yes.", "Ben did.", "He did it in the yard.", "f1", "f1 f2"])
@pytest.mark.parametrize("question", [WHO, "Did Ben break the blue cup?"])
def test_who_cannot_know_says_so_whatever_the_model_knows(
    ask: Any, monkeypatch: pytest.MonkeyPatch, question: str, words: str
) -> None:
    """At turn 2 nobody has told Cy; the model has read the story to its end."""
    silent = _json(ask, "--at", "2", "as", "cy", question)
    reply = json.dumps({"words": words, "relied_on": ["f1", "f2"]})
    with endpoint(Text(reply)) as served:
        monkeypatch.setenv("SANDBOX_MODEL_NAME", "mara-7b")
        monkeypatch.setenv("SANDBOX_MODEL_BASE_URL", served.base_url)
        found = _json(ask, "--at", "2", "as", "cy", question, "--trace")
        shown = ask("--at", "2", "as", "cy", question)
    assert (found["outcome"], found["by"], found["calls"]) == ("refusal", "rehearsal", 1)
    assert (found["words"], found["relied_on"]) == (silent["words"], [])
    cut = {words} if not words.startswith("f") else set()  # numbers of facts say nothing at all
    assert {one["sentence"] for one in found["trace"]["findings"]} == cut
    assert shown.splitlines()[0] == f"Cy Dorn: {silent['words']}"


@pytest.mark.endpoint
def test_what_a_model_may_say_of_not_knowing_is_said_in_its_words(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = {"words": "Ben did. I was never told, I am sorry.", "relied_on": ["f1"]}
    with endpoint(Text(json.dumps(reply))) as served:
        monkeypatch.setenv("SANDBOX_MODEL_NAME", "mara-7b")
        monkeypatch.setenv("SANDBOX_MODEL_BASE_URL", served.base_url)
        found = _json(ask, "--at", "2", "as", "cy", WHO)
    assert (found["words"], found["by"]) == ("I was never told, I am sorry.", "mara-7b")
    assert (found["outcome"], found["relied_on"]) == ("refusal", [])
