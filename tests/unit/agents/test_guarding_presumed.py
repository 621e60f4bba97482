"""What questions, orders, wishes and guesses take for granted is judged as if it were said."""

import re

import pytest

from sandbox.agents.guarding import Guard
from sandbox.agents.guarding.presumed import presumed
from sandbox.story.canon import CanonFact
from sandbox.story.events import Offence
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView
from tests.houses import world


def offences(language: str, who: str, words: str) -> set[Offence]:
    guard = Guard(CharacterView(world(language), CharacterId(who)))
    found = [guard.check(sentence) for sentence in spoken_sentences(words)]
    return {finding.offence for finding in found if finding is not None}


TAKEN = [
    ("en", "ines", "Tell me, since Osric took the bridge money, what shall we do?"),
    ("en", "ines", "Hide the slip, because Osric took the bridge money."),
    ("en", "ines", "What will you do now that Osric has taken the bridge money?"),
    ("en", "ines", "How can you sleep, knowing that Osric took the bridge money?"),
    ("en", "ines", "Don't you know that Osric took the bridge money?"),
    ("en", "ines", "Who does not know that Osric took the bridge money?"),
    ("en", "ines", "Did you know Osric took the bridge money?"),
    ("en", "ines", "Where were you when Osric took the bridge money?"),
    ("en", "ines", "I wonder why Osric took the bridge money."),
    ("en", "ines", "Remember that Osric took the bridge money."),
    ("en", "ines", "Tell Mara that Osric took the bridge money."),
    ("en", "ines", "Who but Osric took the bridge money?"),
    ("en", "ines", "Nobody can doubt that Osric took the bridge money."),
    ("en", "ines", "If Osric had not taken the bridge money, Jory would be alive."),
    ("zh", "fang_xu", "既然铜铃是杜师傅动的，我们怎么办？"),
    ("zh", "fang_xu", "你快走，因为铜铃是杜师傅动的。"),
    ("zh", "fang_xu", "难道你不知道铜铃是杜师傅动的？"),
    ("zh", "fang_xu", "谁不知道铜铃是杜师傅动的？"),
    ("zh", "fang_xu", "难道铜铃不是杜师傅动的？明明铜铃是杜师傅动的，你怎么不说？"),
    ("zh", "fang_xu", "自从铜铃是杜师傅动的以后，你为什么不说话？"),
    ("zh", "fang_xu", "别忘了铜铃是杜师傅动的。"),
]


@pytest.mark.parametrize(("language", "who", "words"), TAKEN)
def test_what_is_taken_for_granted_has_to_be_held(language: str, who: str, words: str) -> None:
    assert offences(language, who, words) == {Offence.ASSERTED}


LEFT_OPEN = [
    ("en", "ines", "Did Osric take the bridge money?"),
    ("en", "ines", "Osric took the bridge money, didn't he?"),
    ("en", "ines", "Perhaps Osric took the bridge money."),
    ("en", "ines", "Do you know who took the bridge money?"),
    ("en", "ines", "Do you know whether Osric took the bridge money?"),
    ("en", "ines", "Tell me when Osric comes down to the cellar."),
    ("en", "ines", "Wait until the river has fallen."),
    ("en", "ines", "Why do you ask, since you were there?"),
    ("en", "mara", "Where were you when the lamp went out?"),
    ("en", "piers", "Tell me, since Osric took the bridge money, what shall we do?"),
    ("zh", "fang_xu", "铜铃是杜师傅动的吗？"),
    ("zh", "fang_xu", "你知道铜铃是谁动的吗？"),
    ("zh", "fang_xu", "你知不知道铜铃是不是杜师傅动的？"),
    ("zh", "du_shuisheng", "既然铜铃是我动的，我们怎么办？"),
]


@pytest.mark.parametrize(("language", "who", "words"), LEFT_OPEN)
def test_what_is_asked_or_held_passes(language: str, who: str, words: str) -> None:
    assert offences(language, who, words) == set()


def test_what_is_wanted_is_no_part_of_what_is_taken_for_granted() -> None:
    asked = "Tell me, since he took the money, and the barge with it, what shall we do?"
    assert list(presumed(asked, "en", is_asked=True)) == [
        "he took the money, and the barge with it."
    ]
    assert list(presumed("既然船没了，我们怎么办？", "zh", is_asked=True)) == ["船没了。"]


@pytest.mark.parametrize(
    "words",
    [
        "Do you know who took it?",
        "Don't you know whether he took it?",
        "What will you do when he comes?",
    ],
)
def test_what_is_left_open_or_still_to_come_is_not_taken_for_granted(words: str) -> None:
    assert list(presumed(words, "en", is_asked=True)) == []


def test_the_next_sentence_still_finds_whom_the_whole_question_named() -> None:
    words = "Have you seen the packet, since you were there? It is hidden in the old lantern."
    assert offences("en", "ines", words) == {Offence.ASSERTED}


FRAMES = {
    "en": ("{F}.", "Tell me, since {f}, what shall we do?", "Don't you know that {f}?"),
    "zh": ("{f}。", "既然{f}，我们怎么办？", "谁不知道{f}？"),
}
MOST_PASSING = {"en": 0.12, "zh": 0.18}
"""Share of true facts that pass in the mouths of those who hold no source of them."""


def said(fact: CanonFact, language: str, frame: str) -> str:
    statement = fact.statement.rstrip(".。")
    names = {w for all_ in world(language).canon.names.values() for n in all_ for w in n.split()}
    first = re.split(r"\W", statement)[0]
    is_name = language == "zh" or first in names - {"The", "A"}
    within = statement if is_name else statement[:1].lower() + statement[1:]
    return frame.format(F=statement, f=within)


@pytest.mark.parametrize(
    ("language", "frame"), [(language, frame) for language in FRAMES for frame in FRAMES[language]]
)
def test_few_facts_pass_with_those_who_do_not_hold_them_and_all_with_those_who_do(
    language: str, frame: str
) -> None:
    unknown, passing, alarms = 0, 0, []
    for who in sorted(world(language).grants):
        own = CharacterView(world(language), who)
        for fact in world(language).canon.facts:
            is_found = bool(offences(language, who, said(fact, language, frame)))
            if own.held(FactId(fact.id)) is not None:
                alarms += [(who, fact.id)] if is_found else []
                continue
            unknown += 1
            passing += not is_found
    assert alarms == []
    assert unknown > 100
    assert passing <= MOST_PASSING[language] * unknown, passing / unknown
