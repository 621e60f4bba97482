"""Worlds: what the reader takes, what it refuses, and what the bundled ones hold."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sandbox.errors import WorldFileError
from sandbox.storage.places import bundled_worlds, worlds_folder
from sandbox.storage.schemas import schemas
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.findable import unfindable

TINY = Path(__file__).parents[1] / "worlds" / "tiny"
BUNDLED = [path.name for path in bundled_worlds()]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of the tiny world, to break."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny"))


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def _problems(world: Path) -> list[str]:
    with pytest.raises(WorldFileError) as caught:
        read_world(world)
    return list(caught.value.problems)


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("cast.toml", 'home = "yard"', 'home = "yrd"', "`cy.home`: no place `yrd` in this world. Did you mean `yard`?"),
        ("cast.toml", 'mood = "calm"', 'mod = "calm"', "`ann.mod`: no such key. Did you mean `mood`?"),
        ("cast.toml", 'fact = "key_hidden"', 'fact = "key_hiden"', "`ann.keeps`: no fact `key_hiden` in this world. Did you mean `key_hidden`?"),
        ("facts.toml", 'experienced = ["ben"]', 'experienced = ["cy"]', "`cup_broken.scene`: `cy` was not present in `supper`: mention is not presence."),
        ("facts.toml", 'predicate = "broken_by"', 'predicate = "broken_bye"', "`cup_broken.predicate`: no predicate `broken_bye` in this world. Did you mean `broken_by`?"),
        ("facts.toml", 'subject = "yard"', 'subject = "rain"\nto_subject = "You pour."', "`rain.to_subject`: `rain` is nobody in this world, so nobody can say it to them."),
        ("facts.toml", 'cause = "cup_broken"', 'cause = "cup"', "`key_hidden.cause`: no fact `cup` in this world."),
        ("places.toml", 'door = "shut"', 'door = "ajar"', "`links.0.door`: Input should be 'none', 'open', 'shut' or 'locked'."),
        ("places.toml", 'reveals = ["key_hidden"]', 'reveals = ["x"]', "`clock.reveals`: no fact `x` in this world."),
        ("predicates.toml", "{s} is hidden in {o}.", "{s} is hidden.", "`hidden_in.wordings`: `{s} is hidden.` lacks `{s}` or `{o}`."),
        ("scenes/01_supper.md", 'mentioned = ["cy"]', 'mentioned = ["ben"]', "`supper.roster`: `ben` is present and only mentioned. Choose one."),
        ("scenes/01_supper.md", 'cy = "yard"', 'cy = "yart"', "`supper.positions.cy`: no place `yart` in this world. Did you mean `yard`?"),
        ("scenes/01_supper.md", 'clock = "20:00"', 'clock = "late"', "`supper.clock`: has to be hours and minutes, like `21:40`."),
        ("patterns.toml", 'owner = "ann"', 'owner = "anne"', "`ann_firm.owner`: no character `anne` in this world. Did you mean `ann`?"),
        ("world.toml", 'language = "en"', 'language = "fr"', "`language`: Input should be 'en' or 'zh'."),
    ],
)  # fmt: skip
def test_each_slip_is_told_with_its_place_and_what_would_be_right(
    tiny: Path, file: str, old: str, new: str, problem: str
) -> None:
    _replace(tiny / file, old, new)
    assert any(problem in line for line in _problems(tiny)), _problems(tiny)
    assert any(file.split("/")[0] in line for line in _problems(tiny))


def test_every_problem_is_reported_at_once(tiny: Path) -> None:
    _replace(tiny / "cast.toml", 'home = "yard"', 'home = "yrd"')
    _replace(tiny / "cast.toml", 'mood = "calm"', 'mod = "calm"')
    _replace(tiny / "facts.toml", 'experienced = ["ben"]', 'experienced = ["bn"]')
    problems = "\n".join(_problems(tiny))
    assert "`cy.home`" in problems
    assert "`ann.mod`" in problems
    assert "`cup_broken.experienced`" in problems


@pytest.mark.parametrize("file", ["cast.toml", "facts.toml", "scenes/01_supper.md"])
def test_a_file_that_is_no_utf8_or_no_toml_is_one_clear_line(tiny: Path, file: str) -> None:
    (tiny / file).write_bytes(b"+++\n\xff\xfe = [\n+++\n")
    (problem,) = _problems(tiny)
    assert file in problem


def test_a_missing_file_and_a_missing_folder_are_told(tiny: Path, tmp_path: Path) -> None:
    (tiny / "places.toml").unlink()
    assert "places.toml: is missing" in _problems(tiny)[0]
    assert "there is no such world folder" in _problems(tmp_path / "nowhere")[0]


def test_a_giant_file_is_not_read(tiny: Path) -> None:
    (tiny / "facts.toml").write_text("#" * (5 * 2**20), encoding="utf-8")
    assert "larger than 4 MiB" in _problems(tiny)[0]


def test_the_schemas_for_editors_are_those_of_the_records() -> None:
    for name, schema in schemas().items():
        kept = json.loads((worlds_folder() / "schema" / name).read_text(encoding="utf-8"))
        assert kept == schema, name


@pytest.mark.parametrize("name", BUNDLED)
def test_the_bundled_worlds_fit_the_schemas(name: str) -> None:
    folder = worlds_folder() / name
    for file in ("world", "cast", "places", "facts", "predicates", "patterns"):
        values = tomllib.loads((folder / f"{file}.toml").read_text(encoding="utf-8"))
        jsonschema.validate(values, schemas()[f"{file}.json"])
    for path in sorted((folder / "scenes").glob("*.md")):
        front = path.read_text(encoding="utf-8").split("+++\n")[1]
        jsonschema.validate(tomllib.loads(front), schemas()["scene.json"])


def test_a_schema_refuses_a_slip() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"ann": {"name": "Ann", "hom": "hall"}}, schemas()["cast.json"])


def _counts(canon: Canon) -> dict[str, Any]:
    return {
        "characters": len(canon.characters),
        "places": len(canon.places),
        "facts": len(canon.facts),
        "scenes": len(canon.scenes),
        "secrets": sum(fact.secret for fact in canon.facts),
        "organisations": len(canon.organisations),
        "threads": len(canon.threads),
        "prepared": len(canon.prepared),
    }


def test_the_bundled_worlds_are_as_large_as_they_say() -> None:
    inn = read_world(worlds_folder() / "lantern_inn")
    assert _counts(inn) == {
        "characters": 9, "places": 7, "facts": 91, "scenes": 12, "secrets": 13,
        "organisations": 2, "threads": 4, "prepared": 8,
    }  # fmt: skip
    assert sum(fact.cause is not None for fact in inn.facts) >= 15
    ferry = read_world(worlds_folder() / "jiangcun_duchuan")
    assert ferry.language == "zh"
    assert _counts(ferry) == {
        "characters": 5, "places": 4, "facts": 37, "scenes": 5, "secrets": 8,
        "organisations": 1, "threads": 2, "prepared": 4,
    }  # fmt: skip
    for canon in (inn, ferry):
        for who in canon.characters:
            least = 5 if who.id in ("mara", "tobin", "ines", "osric", "vane") else 3
            assert sum(pattern.owner == who.id for pattern in canon.patterns) >= least
        kept = {keep.fact for who in canon.characters for keep in who.keeps}
        assert {fact.id for fact in canon.facts if fact.secret} <= kept, "a secret nobody keeps"
        for part in ("active", "silent", "mentioned"):
            assert any(getattr(scene.roster, part) for scene in canon.scenes)


@pytest.mark.parametrize("name", BUNDLED)
def test_each_secret_can_be_found_out(name: str) -> None:
    assert unfindable(read_world(worlds_folder() / name)) == []


def test_a_secret_that_nobody_could_find_out_is_named(tiny: Path) -> None:
    assert unfindable(read_world(tiny)) == []
    _replace(tiny / "places.toml", 'reveals = ["key_hidden"]', "")
    assert unfindable(read_world(tiny)) == ["key_hidden"]


def test_a_secret_behind_a_locked_door_cannot_be_found_out(tiny: Path) -> None:
    _replace(
        tiny / "places.toml",
        'name = "the clock"\nplace = "hall"',
        'name = "the clock"\nplace = "yard"',
    )
    _replace(tiny / "places.toml", 'door = "shut"', 'door = "locked"')
    _replace(tiny / "scenes/01_supper.md", 'cy = "yard"', 'cy = "hall"')
    assert unfindable(read_world(tiny)) == ["key_hidden"]
