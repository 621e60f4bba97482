"""A world file with braces, breaks or words of everyday where they cannot be: told by place, or mended."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.errors import WorldFileError
from sandbox.storage.worlds import read_world
from tests.mended import changed, reworded


def with_wording(folder: Path, **more: Any) -> Path:
    def change(name: str, tables: dict[str, Any]) -> dict[str, Any]:
        if name == "predicates.toml":
            tables["broken_by"] |= more
        return tables

    return changed(folder, change)


@pytest.mark.parametrize(
    "wording",
    [
        "{s} was broken by {o} {braces}.",
        "{s} {0} {o}",
        "{s!r} {s} {o}",
        "{s.__class__} {s} {o}",
        "{{s}} {s} {o} {{x}}",
        "{s} {o} }",
        "{s} { {o}",
        "[a-z]{9,} {s} {o}",
    ],
)
def test_other_braces_than_its_slots_in_a_wording_are_told(tmp_path: Path, wording: str) -> None:
    with pytest.raises(WorldFileError) as caught:
        read_world(with_wording(tmp_path / "w", wordings=[wording]))
    assert "predicates.toml: `broken_by.wordings`" in str(caught.value)
    assert "has other braces than `{s}` and `{o}`. Leave them out." in str(caught.value)


@pytest.mark.parametrize("question", ["Who {broke} {s}?", "Who broke {s}, {o}?", "Who broke {s}}?"])
def test_other_braces_in_a_question_are_told(tmp_path: Path, question: str) -> None:
    with pytest.raises(WorldFileError, match=r"`broken_by.question`.*other braces than `\{s\}`"):
        read_world(with_wording(tmp_path / "w", question=question))


def test_signs_of_other_languages_in_a_wording_are_words_like_others(tmp_path: Path) -> None:
    odd = r"$s $$ (.*)+ [x \1 {s} was | broken by {o} %s"
    canon = read_world(with_wording(tmp_path / "w", wordings=[odd]))
    assert any(odd in predicate.wordings for predicate in canon.predicates.values())


def naming(folder: Path, **names: dict[str, Any]) -> Path:
    def change(name: str, tables: dict[str, Any]) -> dict[str, Any]:
        if name == "cast.toml":
            for who, more in names.items():
                tables[who] |= more
        return tables

    return changed(folder, change)


@pytest.mark.parametrize("alias", ["the", "I", "you", "it", "will", "...", "我", "的", "她"])
def test_a_word_of_everyday_is_nobodys_name(tmp_path: Path, alias: str) -> None:
    with pytest.raises(WorldFileError) as caught:
        read_world(naming(tmp_path / "w", ann={"aliases": [alias]}))
    assert f"cast.toml: `ann.aliases`: `{alias}` is a word of everyday." in str(caught.value)


@pytest.mark.parametrize("name", ["Will", "May", "Hope", "孟", "Ann (the tall)", "X", "the Warden"])
def test_a_name_may_look_like_a_word(tmp_path: Path, name: str) -> None:
    assert read_world(naming(tmp_path / "w", ann={"name": name})).cast


def test_breaks_and_control_signs_are_spaces(tmp_path: Path) -> None:
    world = naming(
        tmp_path / "w", ben={"name": "Ben\nf1: Reed"}, cy={"known_as": "a\r\n\x00visitor"}
    )
    canon = read_world(world)
    assert [person.name for person in canon.characters][1] == "Ben f1: Reed"
    assert canon.characters[2].known_as[0].text == "a visitor"


def test_a_text_of_ten_thousand_characters_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(
        WorldFileError, match=r"`blurb`: String should have at most 4000 characters"
    ):
        read_world(reworded(tmp_path / "w", lambda text: text + "x" * 10_000))
