"""Whether a sentence was said before: a table in two languages."""

import pytest

from sandbox.agents.repeating import own_lines, repeated
from tests.property.scenes import Told, says, whispers

SAID = (
    "Turn out the benches first, and keep your feelings for afterwards.",
    "I have kept this house on my own for eleven years, and I know every board in it.",
    "I do not know.",
    "Every evening since he came, that lodger has asked me whether the post was in.",
)
SAID_ZH = (
    "我那条船系得死死的，半夜里是谁把它解走的？",
    "渡粮八月就该下来，拖了一个多月，我缸里快见底了。",
    "我不知道。",
    "会契早年交给了蓼丫头她爹，人一走，契也沉了底。",
)


@pytest.mark.parametrize(
    ("sentence", "is_repeated"),
    [
        # Said again word for word, in other dress, or with a word or two changed.
        ("Turn out the benches first, and keep your feelings for afterwards.", True),
        ("turn out the benches first and keep your feelings for afterwards", True),
        ("Turn out the benches first, and keep your tears for afterwards.", True),
        (
            "Well, every evening since he came, that lodger has asked me whether the mail was in.",
            True,
        ),
        ("Listen to me: I know every board in it, for I have kept this house on my own.", True),
        ("I have kept this house on my own for eleven years.", True),
        # Put together from several lines.
        ("Every evening since he came I have kept this house on my own.", True),
        # Something else, be it on the same matter.
        ("Put the benches out, and then we can talk about what you feel.", False),
        ("That lodger asked me about the post again tonight.", False),
        ("Eleven years I kept it, and now they want to shut the door on me.", False),
        ("I have kept this from you for a week, and it has cost me sleep.", False),
        # Formulas.
        ("I do not know.", False),
        ("Yes.", False),
        ("Good evening to you.", False),
        ("", False),
        ("…", False),
    ],
)
def test_an_english_sentence_said_before_is_found(sentence: str, is_repeated: bool) -> None:
    assert repeated(sentence, SAID) is is_repeated


@pytest.mark.parametrize(
    ("sentence", "is_repeated"),
    [
        ("我那条船系得死死的，半夜里是谁把它解走的？", True),
        ("我那条船系得死死的，半夜里是哪个把它解走的？", True),
        ("听着，渡粮八月就该下来，拖了一个多月，我缸里快见底了！", True),
        ("会契早年交给了蓼丫头她爹。", True),
        ("人一走，契也沉了底，我缸里快见底了。", True),
        ("谁半夜动过我的船，站出来说一声。", False),
        ("缸里没有粮了，你叫我拿什么下锅？", False),
        ("那张契早就没人见过了，你去问她娘吧。", False),
        ("我不知道。", False),
        ("我什么也不知道。", False),
        ("好。", False),
        ("", False),
    ],
)
def test_a_chinese_sentence_said_before_is_found(sentence: str, is_repeated: bool) -> None:
    assert repeated(sentence, SAID_ZH) is is_repeated


def test_nothing_is_repeated_by_who_has_said_nothing() -> None:
    assert not repeated("Turn out the benches first, and keep your feelings.", ())


def test_own_lines_are_those_of_the_speaker_alone_the_latest_first() -> None:
    told = Told(
        says("ann", "One."),
        says("ben", "Two."),
        whispers("ann", "Three.", "ben"),
        says("ann", "One."),
    )
    assert own_lines(told.view("ann")) == ("One.", "Three.")
    assert own_lines(told.view("ben")) == ("Two.",)
    assert own_lines(told.view("cy")) == ()


def test_no_more_lines_are_looked_at_than_are_asked_for() -> None:
    told = Told(*(says("ann", f"Line {n}.") for n in range(30)))
    assert own_lines(told.view("ann"), most=3) == ("Line 29.", "Line 28.", "Line 27.")
