"""The names a character knows, and how a text may write them."""

import pytest

from sandbox.story.lexicon import Lexicon
from sandbox.story.view import CharacterView
from tests.property.house import fact, house, person
from tests.property.scenes import Told, claim, says


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    made = Lexicon()
    made.add("mara", ["Mara Quill", "Mara", "the innkeeper"], "person")
    made.add("jory", ["Jory Quill", "Jory", "Mara's husband"], "person")
    made.add("hobb", ["Hobb Garrow", "Old Hobb"], "person")
    made.add("will", ["Will"], "person")
    made.add("lamp", ["the taproom lamp"], "thing")
    made.add("key", ["the iron key"], "thing")
    made.add("key2", ["the brass key"], "thing")
    made.add("du", ["杜水生", "杜伯"], "person")
    made.add("ling", ["渡口铜铃"], "thing")
    made.add("chapeng", ["茶棚"], "place")
    made.add_text("it was under the green")
    made.add_text("to be deaf")
    made.add_text("a sentence that is much too long to be a name")
    made.add_text("of the")
    return made


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("Mara Quill", ["mara"]),
        ("MARA QUILL and mara", ["mara", "mara"]),
        ("Mara’s sister", ["mara"]),
        ("Mara's husband", ["jory"]),
        ("Marabelle, Marable, amara", []),
        ("the innkeeper", ["mara"]),
        ("an innkeeper", ["mara"]),
        ("Quill", []),  # two bear it
        ("Garrow", ["hobb"]),
        ("garrow", []),  # a part of a name, and in no capital
        ("Tom Garrow", []),  # of another
        ("old Hobb", ["hobb"]),
        ("the lamp", ["lamp"]),
        ("a lamp", ["lamp"]),
        ("my lamp", ["lamp"]),
        ("the old lamp", []),
        ("lamp", []),
        ("the taproom", []),  # only what kind of lamp it is
        ("the iron key and the brass key", ["key", "key2"]),
        ("the key", []),
        ("will you say, and will Will?", ["will"]),
        ("Will you?", []),
        ("only pretends to be deaf", ["to be deaf"]),
        ("under the green", []),
        ("of the", []),
        ("杜水生把铜铃藏了", ["du", "ling"]),
        ("那铃呢", ["ling"]),
        ("铃声", []),
        ("水生", []),
        ("茶棚里的杜伯", ["chapeng", "du"]),
        ("棚", []),
        ("", []),
        ("?!", []),
    ],
)
def test_names_are_found_as_they_may_be_written(
    lexicon: Lexicon, text: str, entities: list[str]
) -> None:
    assert [naming.entity for naming in lexicon.find(text)] == entities


def test_it_says_where_a_name_stands(lexicon: Lexicon) -> None:
    text = "Where is Mara Quill's lamp? 杜水生"
    (first, second) = lexicon.find(text)
    assert text[first.start : first.end] == "Mara Quill's"
    assert text[second.start : second.end] == "杜水生"


def test_the_first_bearer_of_a_name_keeps_it() -> None:
    made = Lexicon()
    made.add("ann", ["Ann"], "person")
    made.add("other", ["Ann"], "person")
    assert [naming.entity for naming in made.find("Ann")] == ["ann"]


def test_what_lies_under_a_lexicon_counts_too() -> None:
    under = Lexicon()
    under.add("lamp", ["the taproom lamp"], "thing")
    over = Lexicon(under=under)
    over.add("cup", ["the cup"], "thing")
    assert [naming.entity for naming in over.find("the cup, the lamp")] == ["cup", "lamp"]
    over.add("lamp2", ["the cellar lamp"], "thing")
    assert [naming.entity for naming in over.find("the lamp")] == []
    assert [naming.entity for naming in under.find("the lamp")] == ["lamp"]


# ── whose names a character knows ─────────────────────────────────────────────────────────────


def named(view: CharacterView, text: str) -> tuple[str, ...]:
    return view.named_in(text)


def test_a_stranger_is_known_by_looks_and_not_by_name() -> None:
    told = Told()  # Cy Dorn is "the visitor" to all but Ann
    assert named(told.view("ann"), "Cy Dorn, Dorn, the visitor") == ("cy",)
    assert named(told.view("cy"), "Cy Dorn, the visitor") == ("cy",)
    assert named(told.view("ben"), "Cy Dorn, Dorn") == ()


def test_a_stranger_who_was_never_heard_of_has_no_name_at_all() -> None:
    assert named(Told().view("eve"), "the visitor, Cy Dorn, Ann") == ("ann",)


def test_who_learns_a_name_knows_it_from_then_on() -> None:
    told = Told()
    told.walk("cy", "hall")
    assert named(told.view("ben"), "the visitor") == ("cy",)
    assert named(told.view("ben"), "Cy Dorn") == ()
    tells = [claim("cy", "is_named", "Cy Dorn", "This is Cy Dorn.")]
    told.happen(says("ann", "This is Cy Dorn.", "ben", tells=tells))
    assert named(told.view("ben"), "Cy Dorn") == ("cy",)
    assert named(told.view("dee"), "Cy Dorn") == ()


def test_a_thing_is_known_to_who_heard_of_it_or_sees_it() -> None:
    told = Told(canon=house(characters=[person("ann"), person("ben"), person("eve", home="far")]))
    assert named(told.view("ann"), "the cup") == ("cup",)
    assert named(told.view("eve"), "the cup, the coin, the box") == ()
    told.happen(says("ann", "The cup!", "ben", tells=[claim("cup", "took", "ben", "The cup!")]))
    assert named(told.view("ben"), "the cup") == ("cup",)
    assert named(told.view("eve"), "the cup") == ()


def test_a_place_is_known_to_who_was_there_or_saw_the_way_to_it() -> None:
    told = Told(canon=house())
    assert named(told.view("ann"), "the hall, the attic, the yard") == ("hall", "attic", "yard")
    assert named(told.view("ann"), "the far") == ()
    assert named(told.view("eve"), "the hall") == ()


def test_names_that_are_not_known_change_nothing() -> None:
    """Eve has heard of no cup: whether the world has a blue one is nothing to her."""
    plain = Told(canon=house()).view("eve")
    more = house(
        things=[{"id": "cup", "name": "Ann", "place": "attic", "concealed": True}],
        facts=[fact("f", "cup", "was_at", "attic", "A cup.", experienced=["ann"])],
    )
    other = Told(canon=more).view("eve")
    for text in ("Ann took the cup", "the blue cup"):
        assert named(plain, text) == named(other, text)
