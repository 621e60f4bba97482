"""What a character understands of a question: through the names it knows, in the world's language."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.reasoning.cues import Kind, asks
from sandbox.agents.reasoning.questions import Asked, question_of, question_put
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from tests.property.house import ASKED_BY_BEN, QUESTION, chinese, house, person
from tests.property.scenes import Told, claim, says, turns, whispers

WORLDS = Path(__file__).parents[3] / "worlds"
INN, FERRY = (read_world(WORLDS / name) for name in ("lantern_inn", "jiangcun_duchuan"))
CY = CharacterId("cy")
ASKS = [{"question": "Who took the cup?", **QUESTION}]


def view_of(canon: Canon, who: str) -> CharacterView:
    return CharacterView(Fold(canon, canon.default_start).world, CharacterId(who))


@pytest.fixture(scope="module")
def mara() -> CharacterView:
    return view_of(INN, "mara")


@pytest.fixture(scope="module")
def du() -> CharacterView:
    return view_of(FERRY, "du_shuisheng")


@pytest.mark.parametrize(
    ("words", "kind", "entities"),
    [
        ("Who took the packet?", Kind.WHO, ("packet",)),
        ("who took the packet", Kind.WHO, ("packet",)),
        ("Where is the packet?", Kind.WHERE, ("packet",)),
        ("Why did you hide the packet?", Kind.WHY, ("packet", "mara")),
        ("What made you hide it?", Kind.WHY, ("mara",)),
        ("How come the lamp went out?", Kind.WHY, ("lamp",)),
        ("When did Jory drown?", Kind.WHEN, ("jory",)),
        ("How did Jory die?", Kind.HOW, ("jory",)),
        ("Is Jory dead?", Kind.WHETHER, ("jory", "dead")),
        ("Did Tobin take the packet?", Kind.WHETHER, ("tobin", "packet")),
        ("Do you know who put out the lamp?", Kind.WHO, ("lamp",)),
        ("Can you tell me where the packet is?", Kind.WHERE, ("packet",)),
        ("What do you know about Osric?", Kind.WHAT, ("osric",)),
        ("Tell me about the lodger.", Kind.WHAT, ("vane",)),
        ("Mara, who found Jory?", Kind.WHO, ("jory",)),
        ("Who found Jory, Mistress Quill?", Kind.WHO, ("jory",)),
        ("Whom did Osric help?", Kind.WHO, ("osric",)),
        ("Where were you when the lamp went out?", Kind.WHERE, ("lamp", "mara")),
        ("The packet is in the cellar.", Kind.STATEMENT, ("packet", "cellar")),
        ("What of Mara's husband?", Kind.WHAT, ("jory",)),
    ],
)  # fmt: skip
def test_an_english_question_is_read(
    mara: CharacterView, words: str, kind: Kind, entities: tuple[str, ...]
) -> None:
    asked = question_of(words, mara)
    assert (asked.kind, asked.entities) == (kind, entities)
    assert not asked.is_foreign
    assert asked.unknown == ()


@pytest.mark.parametrize(
    ("words", "kind", "entities"),
    [
        ("铜铃是谁拿的？", Kind.WHO, ("tongling",)),
        ("铜铃在哪里？", Kind.WHERE, ("tongling",)),
        ("渡船为什么撞上石阶？", Kind.WHY, ("duchuan",)),
        ("渡船怎么会撞上石阶", Kind.WHY, ("duchuan",)),
        ("你可知道谁动了渡船？", Kind.WHO, ("duchuan",)),
        ("你把铃藏到哪儿了？", Kind.WHERE, ("tongling", "du_shuisheng")),
        ("告诉我方序的事。", Kind.WHAT, ("fang_xu",)),
        ("孟樵什么时候回来的？", Kind.WHEN, ("meng_qiao",)),
        ("孟樵是不是欠了账？", Kind.WHETHER, ("meng_qiao",)),
        ("杜伯，渡船在哪儿？", Kind.WHERE, ("duchuan",)),
        ("对岸有过什么动静？", Kind.WHAT, ("duian",)),
        ("铜铃怎么样了？", Kind.WHAT, ("tongling",)),
        ("铜铃在渡口。", Kind.STATEMENT, ("tongling", "dukou")),
    ],
)
def test_a_chinese_question_is_read(
    du: CharacterView, words: str, kind: Kind, entities: tuple[str, ...]
) -> None:
    asked = question_of(words, du)
    assert (asked.kind, asked.entities) == (kind, entities)
    assert not asked.is_foreign
    assert asked.unknown == ()


@pytest.mark.parametrize(
    ("words", "predicate"),
    [
        ("Who took the packet?", "taken_by"),
        ("Who stole the packet?", "taken_by"),
        ("Where did you hide the packet?", "hidden_in"),
        ("What does Tobin owe?", "owes"),
        ("What are you afraid of?", "fears"),
        ("Is Jory dead?", "alive"),
        ("From where is Tobin missing?", "missing_from"),
        ("What is Osric planning?", "plans"),
    ],
)
def test_a_question_names_the_predicates_that_could_answer_it(
    mara: CharacterView, words: str, predicate: str
) -> None:
    asked = question_of(words, mara)
    assert predicate in asked.predicates
    assert asked.is_by_words


def test_the_very_words_of_a_predicates_question_mean_it_alone(du: CharacterView) -> None:
    assert question_of("对岸有过什么动静？", du).predicates == ("chuxian",)
    assert question_of("渡船究竟遇上了什么事？", du).predicates == ("zaoyu",)


def test_a_name_that_is_not_known_is_no_name_of_anybody() -> None:
    """Mara knows the lodger and not that he is called Vane: she cannot tell Vane from Zorblax."""
    view = view_of(INN, "mara")
    for name in ("Vane", "Zorblax"):
        asked = question_of(f"Who is {name}?", view)
        assert (asked.entities, asked.unknown) == ((), (name,))
    assert question_of("Who is Vane?", view_of(INN, "osric")).entities == ("vane",)
    assert question_of("Who is Vane?", view_of(INN, "vane")).entities == ("vane",)


def test_a_chinese_name_that_is_not_known_is_noticed(du: CharacterView) -> None:
    assert question_of("沈敬斋是谁？", du).unknown == ("沈敬斋",)
    assert question_of("张三是谁？", du).unknown == ("张三",)
    assert question_of("谁是谁？", du).unknown == ()


def test_a_shorter_name_counts_only_where_it_is_pointed_at(mara: CharacterView) -> None:
    assert question_of("Where did the clerk go?", mara).entities == ("osric",)
    assert question_of("Where did the young clerk go?", mara).entities == ()


def test_you_is_the_one_asked_and_i_the_asker(mara: CharacterView, du: CharacterView) -> None:
    assert question_of("Did you help me?", mara, CharacterId("osric")).entities == ("mara", "osric")
    assert question_of("Did you help me?", mara).entities == ("mara",)
    assert question_of("你帮过我吗？", du, CharacterId("fang_xu")).entities == (
        "du_shuisheng",
        "fang_xu",
    )
    assert question_of("你们帮过我们吗？", du, CharacterId("fang_xu")).entities == ()


@pytest.mark.parametrize(
    ("words", "who", "entities"),
    [
        ("谁拿了那个包裹？", "mara", ()),
        ("Où est le paquet de Jory ?", "mara", ("jory",)),
        ("Кто взял пакет?", "mara", ()),
        ("Who took the bell?", "du_shuisheng", ()),
        ("Who took 铜铃?", "du_shuisheng", ("tongling",)),
        ("渡し船はどこですか", "du_shuisheng", ()),
    ],
)
def test_of_a_question_in_another_language_only_names_are_understood(
    words: str, who: str, entities: tuple[str, ...]
) -> None:
    asked = question_of(words, view_of(INN if who == "mara" else FERRY, who))
    assert asked.is_foreign
    assert asked.entities == entities
    assert asked.predicates == ()


@pytest.mark.parametrize(
    "words",
    [
        "Jory drowned eleven winters back?",
        "Lamp lit again, then?",
        "Speak up, old woman!",
        "Tobin hid something somewhere?",
    ],
)
def test_a_question_without_small_words_is_english_all_the_same(
    mara: CharacterView, words: str
) -> None:
    assert not question_of(words, mara).is_foreign


@pytest.mark.parametrize("words", ["Jory?", "Mara, Tobin!", "Osric Pell?", "The packet?"])
def test_names_alone_are_in_no_language(mara: CharacterView, words: str) -> None:
    assert not question_of(words, mara).is_foreign


@pytest.mark.parametrize("words", ["", "   ", "???", "？！……", "12 34", "\x00\x1b[31m", "|||"])
def test_what_has_no_letter_in_it_asks_nothing(mara: CharacterView, words: str) -> None:
    asked = question_of(words, mara)
    assert asked.is_empty or words.startswith("\x00")
    assert asked.entities == ()


def test_a_question_of_any_length_is_bounded(mara: CharacterView) -> None:
    asked = question_of("Who took the packet? " * 100_000, mara)
    assert len(asked.words) <= 1000
    assert asked.entities == ("packet",)


def test_people_are_shown_names_and_no_ids(mara: CharacterView) -> None:
    shown = question_of("Where does the lodger hide Zorblax?", mara).plain(mara)
    assert shown["names"] == ["the lodger"]
    assert shown["unknown_names"] == ["Zorblax"]
    assert "vane" not in str(shown).casefold()


# ── a question in the air ─────────────────────────────────────────────────────────────────────


def put(*events: dict[str, Any], who: str = "ann", canon: Canon | None = None) -> Asked | None:
    return question_put(Told(*events, canon=canon or house()).view(who))


def test_a_question_that_was_put_to_me_stays_until_i_say_something_to_its_asker() -> None:
    asked = put(ASKED_BY_BEN)
    assert asked is not None
    assert (asked.asker, asked.kind, asked.entities) == ("ben", Kind.WHO, ("cup",))
    assert set(asked.predicates) == {"taken_by", "took"}
    assert asked.is_by_words
    assert put(ASKED_BY_BEN, says("ann", "Not now.", "cy")) is not None
    assert put(ASKED_BY_BEN, says("ann", "Not now.", "ben")) is None
    assert put(ASKED_BY_BEN, says("ann", "I cannot say.")) is None


def test_the_latest_of_two_questions_is_the_open_one() -> None:
    asked = put(ASKED_BY_BEN, says("cy", "Where is the cup hidden?", "ann"))
    assert asked is not None
    assert (asked.asker, asked.kind) == ("cy", Kind.WHERE)
    # Whoever answered the later one, and not the earlier, has let that pass.
    answered = says("ann", "Upstairs.", "cy")
    assert put(ASKED_BY_BEN, says("cy", "Where is the cup?", "ann"), answered) is None


def test_what_was_asked_of_another_is_not_asked_of_me() -> None:
    assert put(ASKED_BY_BEN, who="cy") is None
    assert put(ASKED_BY_BEN, who="dee") is None


def test_a_question_to_nobody_is_mine_where_nobody_else_is() -> None:
    alone = Told(canon=house())
    alone.walk("cy", "yard")
    alone.happen(says("ben", "Who took the cup?"))
    asked = question_put(alone.view("ann"))
    assert asked is not None
    assert asked.asker == "ben"
    assert put(says("ben", "Who took the cup?")) is None


def test_who_is_deaf_was_asked_nothing() -> None:
    canon = house(characters=[person("ann", deaf=True), person("ben"), person("cy")])
    assert put(ASKED_BY_BEN, canon=canon) is None


def test_who_slept_through_it_was_asked_nothing() -> None:
    assert put(turns("ann", "fell_asleep"), ASKED_BY_BEN, turns("ann", "woke")) is None


def test_a_whispered_question_is_asked_of_its_target_alone() -> None:
    whispered = whispers("ben", "Who took the cup?", "ann")
    asked = put(whispered)
    assert asked is not None
    assert asked.predicates[0] == "taken_by"
    assert put(whispered, who="cy") is None


def test_free_words_ask_by_what_they_are() -> None:
    asked = put(says("ben", "It is late. Tell me who took the cup.", "ann"))
    assert asked is not None
    assert asked.words == "Tell me who took the cup."
    assert (asked.kind, asked.entities) == (Kind.WHO, ("cup",))
    assert put(says("ben", "It is late.", "ann")) is None


def test_a_chinese_question_is_put_by_its_words() -> None:
    asked = put(says("ben", "天晚了。杯子是谁拿的？", "ann"), canon=chinese())
    assert asked is not None
    assert asked.words == "杯子是谁拿的？"
    assert (asked.kind, asked.entities) == (Kind.WHO, ("cup",))


def test_a_question_is_left_behind_with_the_place_it_was_put_in() -> None:
    told = Told(ASKED_BY_BEN, canon=house())
    told.walk("ann", "yard")
    assert question_put(told.view("ann")) is None


def test_in_a_question_a_stranger_is_whom_the_hearer_takes_him_for() -> None:
    """Ben is no friend of Cy's: of "Dorn" he has never heard."""
    told = Told(says("ann", "Where is Dorn now?", "ben", asks={"subject": "cy"}))
    asked = question_put(told.view("ben"))
    assert asked is not None
    assert asked.entities == ("Dorn",)
    told = Told(says("ann", "Where is the visitor now?", "ben", asks={"subject": "cy"}))
    asked = question_put(told.view("ben"))
    assert asked is not None
    assert asked.entities == ("cy",)


@pytest.mark.parametrize(
    ("words", "is_asked"),
    [
        ("What a night.", True),
        ("Who goes there", True),
        ("I wonder where it went.", True),
        ("Explain yourself.", True),
        ("I went where I pleased.", False),
        ("Good evening.", False),
    ],
)
def test_what_asks_without_a_question_mark(words: str, is_asked: bool) -> None:
    assert asks(words, "en") is (is_asked and words != "What a night.")


@pytest.mark.parametrize(
    ("words", "entities"),
    [
        ("Dee sat up late. Why did she do that?", ("dee",)),
        ("The cup is gone! Who took it?", ("cup",)),
        ("Dee had the cup. Where did she put it?", ("dee", "cup")),
        ("Where did she put it?", ()),
        ("Dee is late. Where is Cy, and what does he want?", ("cy",)),
    ],
)
def test_a_pronoun_refers_back_to_who_and_what_was_named(
    words: str, entities: tuple[str, ...]
) -> None:
    asked = put(says("ben", words, "ann"))
    assert asked is not None
    assert asked.entities == entities


def test_a_pronoun_refers_back_to_the_line_before() -> None:
    asked = put(says("ann", "I have seen Dee.", "ben"), says("ben", "Where is she?", "ann"))
    assert asked is not None
    assert asked.entities == ("dee",)
    zh = [says("ann", "小迪来过。", "ben"), says("ben", "她在哪里？", "ann")]
    asked = put(*zh, canon=chinese())
    assert asked is not None
    assert asked.entities == ("dee",)


def test_what_a_line_told_with_its_question_does_not_hide_it() -> None:
    line = says(
        "ben",
        "Dee sat up late. Who took the cup?",
        "ann",
        tells=[claim("dee", "was_at", "attic", "Dee sat up late.")],
    )
    asked = put(line)
    assert asked is not None
    assert asked.words == "Who took the cup?"
