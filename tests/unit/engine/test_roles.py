"""A model for each role: one plays the characters, another writes what they keep of a scene."""

import json
from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import SecretStr

from sandbox.cli.main import main
from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.roles import models_of
from sandbox.errors import UsageError
from sandbox.models.port import Message, Request
from sandbox.models.retrying import Retrying
from sandbox.settings import ModelSettings, Settings, SummarySettings, load
from sandbox.storage.saves import Save, load_save
from tests.endpoint import FakeEndpoint, Text
from tests.playing import TINY, act

KEY, OTHER_KEY = "sk-characters-1111", "sk-summaries-2222"


def settings_of(model_url: str, **summaries: object) -> Settings:
    return Settings(
        model=ModelSettings(name="actor", base_url=model_url, api_key=SecretStr(KEY)),
        summaries=SummarySettings.model_validate(summaries),
    )


def begun(folder: Path, settings: Settings) -> Save:
    return begin(folder / "s", Beginning(TINY), settings)


async def ask(model: Retrying) -> None:
    async with aclosing(model.stream(Request((Message("user", "So?"),)))) as pieces:
        async for _ in pieces:
            pass


@pytest.mark.endpoint
async def test_each_step_is_asked_of_its_model_with_its_key(tmp_path: Path) -> None:
    async with FakeEndpoint(Text("Yes.")) as actors, FakeEndpoint(Text("Yes.")) as writers:
        settings = settings_of(
            actors.base_url, name="writer", base_url=writers.base_url, api_key=OTHER_KEY
        )
        models = models_of(begun(tmp_path, settings).manifest, settings)
        assert models is not None
        async with aclosing(models):
            for step in ("move", "probe:1", "episode:1", "episode:2"):
                await ask(models.of(step))
    sent = [
        [(r.body["model"], r.headers["authorization"]) for r in endpoint.requests]
        for endpoint in (actors, writers)
    ]
    assert sent == [[("actor", f"Bearer {KEY}")] * 2, [("writer", f"Bearer {OTHER_KEY}")] * 2]


@pytest.mark.endpoint
async def test_the_characters_key_goes_to_no_other_endpoint(tmp_path: Path) -> None:
    async with FakeEndpoint(Text("Yes.")) as writers:
        settings = settings_of("http://127.0.0.1:9/v1", name="w", base_url=writers.base_url)
        models = models_of(begun(tmp_path, settings).manifest, settings)
        assert models is not None
        async with aclosing(models):
            await ask(models.of("episode:1"))
    assert writers.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.endpoint
async def test_without_an_address_of_its_own_it_is_the_characters_endpoint(tmp_path: Path) -> None:
    async with FakeEndpoint(Text("Yes.")) as endpoint:
        settings = settings_of(endpoint.base_url, name="writer")
        models = models_of(begun(tmp_path, settings).manifest, settings)
        assert models is not None
        async with aclosing(models):
            await ask(models.of("episode:1"))
    (request,) = endpoint.requests
    assert (request.body["model"], request.headers["authorization"]) == ("writer", f"Bearer {KEY}")


async def test_without_a_second_model_the_first_does_it(tmp_path: Path) -> None:
    settings = settings_of("http://127.0.0.1:9/v1")
    models = models_of(begun(tmp_path, settings).manifest, settings)
    assert models is not None
    assert models.of("episode:1") is models.of("move") is models.characters


async def test_a_save_names_both_models_and_holds_no_key(tmp_path: Path) -> None:
    settings = settings_of("http://127.0.0.1:9/v1", name="writer", api_key=OTHER_KEY)
    save = begun(tmp_path, settings)
    manifest = load_save(save.folder).manifest
    assert (manifest.model, manifest.summaries) == ("actor", "writer")
    written = (save.folder / "save.toml").read_text(encoding="utf-8")
    assert not any(secret in written for secret in (KEY, OTHER_KEY, "http"))


async def test_a_save_goes_on_with_the_models_it_names_whatever_is_set_now(tmp_path: Path) -> None:
    save = begun(tmp_path, settings_of("http://127.0.0.1:9/v1", name="writer"))
    models = models_of(save.manifest, settings_of("http://127.0.0.1:9/v1"))
    assert models is not None
    assert models.summaries is not None
    assert (models.characters.name, models.summaries.name) == ("actor", "writer")


async def test_in_rehearsal_no_model_is_named_and_none_is_made(tmp_path: Path) -> None:
    settings = Settings(summaries=SummarySettings(name="writer"))
    save = begun(tmp_path, settings)
    assert (save.manifest.mind, save.manifest.summaries) == ("rehearsal", "")
    assert models_of(save.manifest, settings) is None


async def test_a_save_of_a_model_does_not_open_without_one(tmp_path: Path) -> None:
    save = begun(tmp_path, settings_of("http://127.0.0.1:9/v1"))
    with pytest.raises(UsageError, match="plays with the model `actor`, and none is connected"):
        open_session(save, Settings(), "in_process")


def test_the_second_model_is_set_by_variables_and_by_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[summaries]\nname = "from-file"\n', encoding="utf-8")
    named = {"SANDBOX_SETTINGS": str(file)}
    assert load(named).summaries.name == "from-file"
    loaded = load(named | {"SANDBOX_SUMMARIES_NAME": "w", "SANDBOX_SUMMARIES_API_KEY": OTHER_KEY})
    assert loaded.summaries.name == "w"
    assert OTHER_KEY not in repr(loaded)


@pytest.mark.endpoint
async def test_a_played_story_asks_the_characters_model_for_moves(tmp_path: Path) -> None:
    words = iter(f"Line number {n} is new to everybody." for n in range(99))

    def reply(body: object) -> Text:
        return Text(json.dumps({"words": next(words), "summary": "I was there."}))

    async with FakeEndpoint(reply) as actors, FakeEndpoint(reply) as writers:
        settings = settings_of(actors.base_url, name="writer", base_url=writers.base_url)
        session = open_session(begun(tmp_path, settings), settings, "in_process")
        session.start()
        await act(session, 3)
        await session.close()
    assert {r.body["model"] for r in actors.requests} == {"actor"}
    assert {r.body["model"] for r in writers.requests} <= {"writer"}


def test_where_says_who_would_play_and_check_what_cannot_be_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_SUMMARIES_NAME", "writer")
    monkeypatch.setenv("SANDBOX_SUMMARIES_BASE_URL", "nonsense")
    assert main(["check", str(TINY)]) == 1
    told = capsys.readouterr().err
    assert "`summaries.name` is set, and no model plays that could need it" in told
    assert "`SANDBOX_SUMMARIES_BASE_URL` is no http address" in told
    monkeypatch.setenv("SANDBOX_MODEL_NAME", "actor")
    monkeypatch.setenv("SANDBOX_SUMMARIES_BASE_URL", f"http://user:{OTHER_KEY}@127.0.0.1:9/v1")
    main(["where"])
    shown = capsys.readouterr().out
    line = "characters: actor at http://127.0.0.1:11434/v1 · summaries: writer at http://127.0.0.1:9/v1"
    assert f"models    {line}" in shown
    assert OTHER_KEY not in shown
