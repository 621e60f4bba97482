"""Characters with no memory at all, or with patterns that say nothing: they move, think, answer and remember."""

import json
from pathlib import Path

import pytest

from sandbox.agents.fusing import Limits
from sandbox.agents.reasoning.synthesis import Refusal
from sandbox.engine.off_record import Voice, answered
from sandbox.engine.roles import Models
from sandbox.memory.in_process import InProcessStore
from sandbox.models.port import Request
from sandbox.models.retrying import Retrying
from sandbox.models.scripted import ScriptedModel
from sandbox.settings import Settings, StorySettings
from sandbox.storage.saves import Save
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.people import Occasion
from sandbox.story.view import CharacterView
from tests.playing import Letters, assert_verifies, no_wait, play, world_of

NAMES = {"en": ("Ann", "Ben", "the hall"), "zh": ("安娜", "本", "厅堂")}
ASKED = {
    "en": ("Who is Ben?", "Why?", "What do you know?", "What are you thinking?", ""),
    "zh": ("本是谁？", "为什么？", "你知道什么？", "你在想什么？", "。"),
}
DEEP = Settings(story=StorySettings(scene_beats=4, deep=True))
LIMITS = Limits(max_tokens=300, prompt_tokens=2000, temperature=0.8, percepts=8)
SILENT = (
    '[p]\nowner = "ann"\nsituation = "x"\nmanner = "m"\n'
    f"occasions = {json.dumps([o.value for o in Occasion])}\n"
)
"""A pattern for every occasion, without a sample or a lead-in."""


def world(folder: Path, language: str, patterns: str = "") -> Path:
    """Two people, a place, and a scene in which neither was."""
    (folder / "scenes").mkdir(parents=True)
    ann, ben, hall = NAMES[language]
    people = "".join(
        f'[{id_}]\nname = "{name}"\nhome = "hall"\npublic = "x"\n'
        for id_, name in (("ann", ann), ("ben", ben), ("cy", "Cy"))
    )
    written = {
        "world.toml": f'title = "X"\nlanguage = "{language}"\nblurb = "x"\n',
        "cast.toml": people,
        "places.toml": f'[places.hall]\nname = "{hall}"\n',
        "facts.toml": "",
        "patterns.toml": patterns,
        "scenes/01_one.md": '+++\ntitle = "One"\nplace = "hall"\nclock = "20:00"\n[roster]\nactive = ["cy"]\n+++\n',
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def model(language: str) -> ScriptedModel:
    said = iter(range(1000))

    def reply(request: Request) -> str:
        asked = set((request.schema or {}).get("properties", {}))
        if "enough" in asked:
            return json.dumps({"enough": False, "ask": [ASKED[language][0]]})
        number = next(said)
        words = (
            f"今天是第{number}回了。" if language == "zh" else f"This is evening number {number}."
        )
        if "thought" in asked:
            return json.dumps({"words": words, "to": [], "whisper": False, "relied_on": ["f1"]})
        if "words" in asked:
            return json.dumps({"words": words, "relied_on": ["f1"]})
        return json.dumps({"summary": words, "feelings": ""})

    return ScriptedModel(reply)


async def played(tmp_path: Path, language: str, patterns: str, *, modelled: bool) -> Save:
    folder = world(tmp_path / "w", language, patterns)
    voice = model(language) if modelled else None
    save = await play(tmp_path / "s", 8, world=folder, settings=DEEP, model=voice)
    await assert_verifies(save)
    return save


@pytest.mark.parametrize("patterns", ["", SILENT], ids=["none", "silent"])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_they_play_and_close_their_scenes(
    tmp_path: Path, language: str, patterns: str
) -> None:
    save = await played(tmp_path, language, patterns, modelled=True)
    now = world_of(save)
    assert now.counts.turn >= 8
    assert all(now.episodes[CharacterId(who)] for who in ("ann", "ben"))


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_in_rehearsal_who_wants_nothing_and_has_no_gestures_lets_every_turn_pass(
    tmp_path: Path, language: str
) -> None:
    save = await played(tmp_path, language, SILENT, modelled=False)
    assert world_of(save).counts.turn == 0


@pytest.mark.parametrize("patterns", ["", SILENT], ids=["none", "silent"])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_they_are_asked_and_do_not_know(tmp_path: Path, language: str, patterns: str) -> None:
    save = await played(tmp_path, language, patterns, modelled=False)
    before = fold(save.canon(), save.manifest.start, []).world
    models = Models(Retrying(model(language), 0, no_wait))
    for question in ASKED[language]:
        for voice in (Voice(LIMITS, 4), Voice(LIMITS, 4, models)):
            store, deep = InProcessStore(Letters()), voice.models is not None
            found = await answered(before, CharacterId("ann"), question, voice, store, deep=deep)
            assert isinstance(found.answer, Refusal)
            assert (found.anchors, len(found.pool), found.said.relied_on) == ((), 0, ())
            assert found.said.words == ("我不知道。" if language == "zh" else "I do not know.")
    view = CharacterView(before, CharacterId("ann"))
    assert (len(view.known), list(view.episodes), list(view.percepts)) == (0, [], [])
