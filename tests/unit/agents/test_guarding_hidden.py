"""A name is found however it is written: apart, in capitals, small, in other letters, in the other language."""

from functools import cache

import pytest

from sandbox.agents.guarding import Guard
from sandbox.storage.places import worlds_folder
from sandbox.storage.worlds import read_world
from sandbox.story.events import Offence
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView
from sandbox.story.world import World


@cache
def world(name: str) -> World:
    canon = read_world(worlds_folder() / name)
    return fold(canon, canon.default_start, []).world


def found(name: str, who: str, words: str) -> dict[str, Offence]:
    guard = Guard(CharacterView(world(name), CharacterId(who)))
    findings = (guard.check(sentence) for sentence in spoken_sentences(words))
    return {finding.sentence: finding.offence for finding in findings if finding is not None}


INN, FERRY = "lantern_inn", "jiangcun_duchuan"
NAMED = [
    (INN, "ines", "I must speak with LUCAN VANE tonight."),
    (INN, "ines", "i must speak with lucan vane tonight."),
    (INN, "ines", "I must speak with L-u-c-a-n tonight."),
    (INN, "ines", "I must speak with L u c a n tonight."),
    (INN, "ines", "I must speak with Lu\u200bcan tonight."),
    (INN, "ines", "I must speak with Luс\u0430n tonight."),
    (INN, "ines", "我要找Lucan说话。"),
    (INN, "ines", "我要去找周掌柜。"),
    (FERRY, "fang_xu", "我去把小 满叫来。"),
    (FERRY, "fang_xu", "我去把小-满叫来。"),
    (FERRY, "fang_xu", "I must speak with Zhou Dehai tonight."),
]


@pytest.mark.parametrize(("name", "who", "words"), NAMED)
def test_a_name_that_is_not_known_is_found_however_it_is_written(
    name: str, who: str, words: str
) -> None:
    assert found(name, who, words) == {words: Offence.UNKNOWN_NAME}


SAID = [
    "OSRIC TOOK THE BRIDGE MONEY.",
    "osric took the bridge money.",
    "Os-ric took the bridge money.",
    "O s r i c took the bridge money.",
    "Ｏｓｒｉｃ took the bridge mo\u200bney.",
    "О\u0455ri\u0441 took the bridge money.",
    "𝐎𝐬𝐫𝐢𝐜 took the bridge money.",
]


@pytest.mark.parametrize("words", SAID)
def test_what_is_said_is_found_however_it_is_written(words: str) -> None:
    assert found(INN, "ines", words) == {words: Offence.ASSERTED}
    assert found(INN, "piers", words) == {}


PASSING = [
    (INN, "ines", "The vane on the roof creaks."),
    (INN, "ines", "the vane on the roof creaks."),
    (INN, "ines", "the dunning of debtors is no trade for me."),
    (INN, "ines", "SIT DOWN AND BE QUIET."),
    (INN, "ines", "That would mar a man for life."),
    (INN, "osric", "I must speak with LUCAN VANE tonight."),
    (FERRY, "fang_xu", "碗太小，满了。"),
    (FERRY, "fang_xu", "OK，就这么办。"),
]


@pytest.mark.parametrize(("name", "who", "words"), PASSING)
def test_a_word_that_is_nobodys_name_stays_a_word(name: str, who: str, words: str) -> None:
    assert found(name, who, words) == {}
