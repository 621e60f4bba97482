"""Names in free text: whoever reads it gets a name only if it knows it."""

from typing import Any

import pytest

from sandbox.story.canon import Canon
from sandbox.story.naming import masked, stands_in, unmasked
from sandbox.story.percepts import Names
from tests.property.scenes import Told, acts, claim, says
from tests.property.strategies import START, small_canon


def with_people(*people: dict[str, Any], language: str = "en") -> Canon:
    ann = {"id": "ann", "name": "Ann", "home": "hall"}
    scene = small_canon().scenes[0].model_copy(update={"episodes": {}})
    roster = scene.roster.model_copy(update={"active": ("ann",)})
    return small_canon(
        characters=[ann, *people],
        things=[],
        facts=[],
        language=language,
        scenes=[scene.model_copy(update={"roster": roster}).model_dump()],
    )


def hidden(id_: str, name: str, *aliases: str, known_as: str = "a beggar") -> dict[str, Any]:
    return {
        "id": id_,
        "name": name,
        "aliases": aliases,
        "home": "hall",
        "name_known_to": [],
        "known_as": known_as,
    }


def read(canon: Canon, text: str) -> str:
    """`text` as somebody reads it who knows no hidden name."""
    strangers = frozenset(c.id for c in canon.characters if c.name_known_to is not None)
    return unmasked(masked(text, canon), Names(canon, START, strangers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "as_read"),
    [
        ("greets Old Tom.", "greets a beggar."),
        ("takes Old Tom's hat", "takes a beggar's hat"),
        ("greets OLD TOM", "greets a beggar"),
        ("greets old tom", "greets a beggar"),
        ("asks Tommy and Old Tom", "asks Tommy and a beggar"),
        ("reads about Old Tomorrow", "reads about Old Tomorrow"),
        ("greets Grey and Greystone", "greets a beggar and Greystone"),
        ("is old and grey", "is old and grey"),
        ("forges {@tom}", "forges { @tom}"),
    ],
)
def test_a_hidden_name_is_read_as_what_its_bearer_looks_like(text: str, as_read: str) -> None:
    canon = with_people(hidden("tom", "Old Tom", "Grey"))
    assert read(canon, text) == as_read


def test_an_alias_that_stands_in_an_id_or_in_a_longer_name_does_no_harm() -> None:
    canon = with_people(
        hidden("old_man", "Old Man Carver", "old", known_as="a beggar"),
        hidden("carver", "Carver", known_as="a smith"),
    )
    assert read(canon, "leads Old Man Carver to Carver") == "leads a beggar to a smith"
    assert read(canon, "is old") == "is a beggar"


def test_chinese_names_are_masked_without_spaces_around_them() -> None:
    canon = with_people(
        hidden("wang", "王小二", "小二", known_as="跑堂的"),
        hidden("wei", "王小", known_as="那书生"),
        language="zh",
    )
    assert read(canon, "看了王小二一眼，又看王小。") == "看了跑堂的一眼，又看那书生。"
    assert read(canon, "叫小二来") == "叫跑堂的来"


def test_a_latin_name_among_chinese_characters_is_masked() -> None:
    canon = with_people(hidden("tom", "Tom", known_as="那洋人"), language="zh")
    assert read(canon, "看见Tom走来") == "看见那洋人走来"


def test_who_knows_the_name_reads_it_and_others_do_not() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(acts("ann", "points at Cy Dorn, at Dorn"))
    assert told.remembers("ann")[-1] == "What I did: Ann points at Cy Dorn, at Cy Dorn."
    assert told.remembers("ben")[-1] == "Ann points at the visitor, at the visitor."


def test_an_event_told_by_a_person_is_read_in_the_names_one_knows() -> None:
    told = Told({"kind": "narrated", "text": "A letter for Cy Dorn lies here.", "place": "hall"})
    assert told.remembers("ben") == ["A letter for the visitor lies here."]
    assert told.remembers("ann") == ["A letter for Cy Dorn lies here."]


def test_spoken_words_are_heard_as_they_are() -> None:
    told = Told(says("ann", "Cy Dorn, come in."))
    assert told.remembers("ben") == ['Ann said: "Cy Dorn, come in."']


def test_a_name_told_is_known_from_then_on_and_not_before() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(
        says("cy", "I am Cy Dorn.", tells=[claim("cy", "is_named", "Cy Dorn", "I am Cy Dorn.")])
    )
    told.happen(says("cy", "Good night."))
    came, named, good_night = told.remembers("ben")
    assert came == "The visitor came into the hall from the yard."
    assert named.startswith("The visitor said")
    assert good_night == 'Cy Dorn said: "Good night."'


def test_a_stranger_without_looks_is_somebody() -> None:
    canon = with_people({"id": "x", "name": "Xan", "home": "hall", "name_known_to": []})
    assert read(canon, "nods to Xan") == "nods to somebody"


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("Lee meets Lee阿明", "a beggar meets a sailor"),  # the longer name first, of either script
        ("Lee-Ann meets Lee", "a widow meets a beggar"),
        ("Leeward lies Lee", "Leeward lies a beggar"),
        ("阿明 and Lee阿 stay", "a smith and a beggar阿 stay"),
        ("O'Lee calls Lee's dog", "O'a beggar calls a beggar's dog"),
    ],
)
def test_names_of_two_scripts_are_masked_the_longest_first(text: str, is_read: str) -> None:
    canon = with_people(
        hidden("lee", "Lee"),
        hidden("both", "Lee阿明", known_as="a sailor"),
        hidden("double", "Lee-Ann", known_as="a widow"),
        hidden("ming", "阿明", known_as="a smith"),
    )
    assert read(canon, text) == is_read


@pytest.mark.parametrize(
    ("name", "words", "stands"),
    [
        ("Mara", "I saw MARA there", True),
        ("Mara", "I saw mara.", True),
        ("Mara", "I saw Maras there", False),
        ("Mara", "看见Mara走来", True),
        ("马拉", "马拉松", True),
    ],
)
def test_a_name_stands_in_words_where_it_is_no_part_of_a_longer_word(
    name: str, words: str, stands: bool
) -> None:
    assert stands_in(name, words) is stands
