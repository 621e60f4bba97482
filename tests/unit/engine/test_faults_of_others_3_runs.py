"""What other systems were caught at (DESIGN section 10, marked [3]): what may not end a run, nor run."""

import ast
import json
from pathlib import Path

import pytest

import sandbox
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatFailed
from sandbox.settings import ModelSettings, Settings, StorySettings
from sandbox.story.events import EpisodeWritten
from tests.closing import events_of, until_closed
from tests.endpoint import FakeEndpoint, Reply, Status, Text
from tests.mills import AN_HOUR, FINE, MILLS, Answered, Mill, text_of
from tests.playing import act, assert_verifies, one_round, reply
from tests.wire import Body


@pytest.fixture(params=MILLS, ids=lambda mill: mill.language)
def mill(request: pytest.FixtureRequest) -> Mill:
    found = request.param
    assert isinstance(found, Mill)
    return found


# ── an invented place crashing the run ────────────────────────────────────────────────────────

INVENTED = {
    "en": ["the moon", "The Mill / attic #3", "../../etc/passwd", "place_42", "x" * 5000],
    "zh": ["月宫", "磨坊／阁楼三号", "../../etc/passwd", "地方42", "远" * 5000],
}


@pytest.mark.parametrize("number", range(5))
async def test_an_invented_place_crashing_the_run(tmp_path: Path, mill: Mill, number: int) -> None:
    """A place that nobody built is asked about once more, then is no move; the run goes on."""
    place = INVENTED[mill.language][number]
    told = await Answered(mill, reply(go=place), reply(go=place)).play(tmp_path / "alone")
    assert (len(told.failures), told.asked) == (1, 2)
    assert told.world.turn >= 4
    assert set(told.world.stage.place_of.values()) <= {p.id for p in told.save.canon().places}
    fine = FINE[mill.language]
    told = await Answered(mill, reply(fine, go=place, examine=place, to=[place])).play(
        tmp_path / "said"
    )
    assert (told.said, told.failures, told.asked) == ([fine], [], 1)
    assert "left" not in told.kinds


# ── `eval` on model text ──────────────────────────────────────────────────────────────────────

SOURCES = sorted(Path(sandbox.__file__).parent.rglob("*.py"))
RUNS_TEXT = {"eval", "exec", "compile", "__import__", "breakpoint"}
READS_OBJECTS = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle", "code", "codeop"}
STARTS = {"system", "popen", "literal_eval", "import_module"}


def running_text(tree: ast.AST) -> list[str]:
    """Calls and imports by which text could be run, or any object read."""
    found = list[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in RUNS_TEXT:
                found.append(name)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in STARTS:
                found.append(f"{owner}.{name}")
            case ast.Import(names=names):
                found += [n.name for n in names if n.name.split(".")[0] in READS_OBJECTS]
            case ast.ImportFrom(module=module, names=names):
                found += [module or ""] * ((module or "").split(".")[0] in READS_OBJECTS)
                found += [n.name for n in names if n.name in STARTS]
            case ast.keyword(arg="shell", value=ast.Constant(value=True)):
                found.append("shell=True")
            case _:
                pass
    return found


def test_eval_on_model_text_is_nowhere_in_the_package() -> None:
    """Modules are imported by name in two places, from names that are the program's own."""
    found = {
        path.relative_to(SOURCES[0].parent).as_posix(): names
        for path in SOURCES
        if (names := running_text(ast.parse(path.read_text("utf-8"))))
    }
    assert found == {"cli/main.py": ["import_module"], "models/endpoint.py": ["import_module"]}
    assert len(SOURCES) > 150


CODE = [
    "__import__('pathlib').Path({mark!r}).write_text('x')",
    "{{__import__('pathlib').Path({mark!r}).write_text('x'): 1}}",
    "{{'words': open({mark!r}, 'w').write('x')}}",
    '!!python/object/apply:os.system ["touch {mark}"]',
    "$(touch {mark})",
]


@pytest.mark.parametrize("code", CODE)
async def test_eval_on_model_text(tmp_path: Path, mill: Mill, code: str) -> None:
    """A reply that is code does nothing; the same as a line is a line."""
    mark = tmp_path / "mark"
    text = code.format(mark=str(mark))
    told = await Answered(mill, text, text).play(tmp_path / "bare")
    assert told.asked >= 1
    told = await Answered(mill, reply(f"{FINE[mill.language]} {text}")).play(tmp_path / "said")
    assert told.asked >= 1
    assert not mark.exists()


@pytest.mark.parametrize("slot", ["${name}", "{0.__class__}", "{x}", "%s %d", "{@ann}"])
async def test_eval_on_model_text_that_looks_like_a_slot(
    tmp_path: Path, mill: Mill, slot: str
) -> None:
    """Slots of templates in a line are words like others, also in the next prompt and in memory."""
    fine = f"{FINE[mill.language]} {slot}"
    told = await Answered(mill, reply(fine)).play(tmp_path / "s")
    assert told.said == [fine]
    assert fine in told.remembers(mill.hider)
    assert fine in text_of(
        [r for r in told.model.asked.moves if mill.owner_of(r) == mill.hider][-1]
    )


# ── rate limits killing the run ───────────────────────────────────────────────────────────────


class Busy:
    """Answers so many requests that they are too many, and the others with lines that say nothing."""

    def __init__(self, mill: Mill) -> None:
        self.mill = mill
        self.left = 0
        """Requests that are still too many."""
        self.asked = 0

    def __call__(self, body: Body) -> Reply:
        self.asked += 1
        if self.left:
            self.left -= 1
            return Status(429, {"error": {"message": "Slow down."}}, {"retry-after": "0"})
        line = self.mill.fillers[self.asked % len(self.mill.fillers)]
        return Text(reply(line))


@pytest.mark.endpoint
async def test_rate_limits_killing_the_run(tmp_path: Path, mill: Mill) -> None:
    """A limit is waited for three times; past that the move fails, and the run goes on when it ends."""
    busy = Busy(mill)
    async with FakeEndpoint(busy) as endpoint:
        settings = Settings(
            model=ModelSettings(name="m", base_url=endpoint.base_url), story=AN_HOUR.story
        )
        save = begin(tmp_path / "s", Beginning(mill.world), settings)
        session = open_session(save, settings, "in_process")
        session.start()
        for refused, fails in (
            (0, False),
            (3, False),
            (4, True),
            (3, False),
            (9, True),
            (0, False),
        ):
            await _a_round_with(session, busy, refused, fails=fails)
        assert session.world.turn >= 4
        await session.close()
    await assert_verifies(save)


async def _a_round_with(session: Session, busy: Busy, refused: int, *, fails: bool) -> None:
    busy.left, busy.asked = refused, 0
    turn, before = session.world.turn, session.save.journal_path.read_bytes()
    updates = await one_round(session, 1)
    failures = [update.error for update in updates if isinstance(update, BeatFailed)]
    assert len(failures) == fails
    assert busy.asked <= 4, "three repeats and no more"
    if fails:
        assert "429" in str(failures[0])
        assert session.save.journal_path.read_bytes() == before
    else:
        assert session.world.turn > turn
    busy.left = 0


@pytest.mark.endpoint
async def test_rate_limits_killing_the_run_at_the_end_of_a_scene(
    tmp_path: Path, mill: Mill
) -> None:
    """Where no summary can be had, the scene closes with one that is composed."""
    busy = Busy(mill)

    def replies(body: Body) -> Reply:
        is_end = "summary" in json.dumps(body["messages"][-1], ensure_ascii=False)
        return Status(429, {}, {"retry-after": "0"}) if is_end else busy(body)

    async with FakeEndpoint(replies) as endpoint:
        model = ModelSettings(name="m", base_url=endpoint.base_url)
        settings = Settings(model=model, story=StorySettings(scene_beats=4))
        save = begin(tmp_path / "s", Beginning(mill.world), settings)
        session = open_session(save, settings, "in_process")
        session.start()
        await until_closed(session)
        await act(session, 2)
        await session.close()
    assert events_of(save, EpisodeWritten)
    await assert_verifies(save)
