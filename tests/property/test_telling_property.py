"""What a line tells, whatever is said, by whom, in which language, and whatever people are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.predicates import built_in
from sandbox.story.telling.told import told_by
from sandbox.story.world import World

Language = Literal["en", "zh"]
PEOPLE = ("ann", "ben", "cy")
NAMINGS: Final[tuple[tuple[str, str, str], ...]] = (
    ("Ann", "Ben", "Cy Dorn"),
    ("An", "Anna", "Anna Bell"),
    ("Will", "May", "Hope Reed"),
    ("孟蓼", "杜水生", "方序"),
    ("孟", "孟蓼", "孟蓼生"),
)
"""Plain ones, some that contain each other, some that are words, and Chinese ones of both kinds."""
TEXTS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "taken_by": "{s} was taken by {o}.",
        "took": "{s} took {o}.",
        "hidden_in": "{s} is hidden in {o}.",
        "broken_by": "{s} was broken by {o}.",
        "key": "the key",
        "cup": "the cup",
        "clock": "the clock",
        "hall": "the hall",
        "theft": "{ben} slipped the key off its nail while the guests were dancing.",
        "hiding": "{ann} pushed the key behind the pendulum of the clock before dawn.",
        "breaking": "{cy} dropped the cup on the flags and swept the pieces under a mat.",
    },
    "zh": {
        "taken_by": "{s}是{o}动的。",
        "took": "{s}动了{o}。",
        "hidden_in": "{s}藏在{o}里头。",
        "broken_by": "{s}让{o}打碎了。",
        "key": "钥匙",
        "cup": "茶杯",
        "clock": "座钟",
        "hall": "厅堂",
        "theft": "{ben}趁客人们跳舞，从钉子上取下了钥匙。",
        "hiding": "天亮以前，{ann}把钥匙塞到座钟的钟摆后头。",
        "breaking": "{cy}失手把茶杯摔在石板上，碎片扫进了席子底下。",
    },
}
PARTS: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "{ben} took the key.", "The key was taken by {cy}.", "I took the key.", "You broke the cup.",
        "It was {ann} who took the cup.", "The cup was broken by {ben}.", "{cy} did not take the key.",
        "Perhaps {ann} took the cup.", "I think {cy} took the key.", "If {ben} took the key, so be it.",
        "Did {ben} take the key?", "The key is hidden in the clock.", "{ann} is in the hall.",
        "{ben} slipped the key off its nail while the guests were dancing.",
        "{ann} pushed the key behind the pendulum of the clock before dawn.",
        "{cy} has the cup.", "It rains.", "Good evening, {ben}.", "{ann}, where is the cup?",
        "{ben} and {cy} went out, and {ann} took the key.", "I doubt that {ann} took the key.",
    ),
    "zh": (
        "钥匙是{ben}动的。", "{cy}动了钥匙。", "是我动了茶杯。", "茶杯是你动的。", "动过茶杯的人是{ann}。",
        "茶杯让{ben}打碎了。", "钥匙不是{cy}动的。", "也许是{ann}动了茶杯。", "我猜{cy}动了钥匙。",
        "要是{ben}动了钥匙，也就罢了。", "钥匙是{ben}动的吗？", "钥匙藏在座钟里头。", "{ann}在厅堂。",
        "{ben}趁客人们跳舞，从钉子上取下了钥匙。", "下雨了。", "{ben}，茶杯呢？", "茶杯在{cy}手里。",
        "我不信{ann}动了钥匙。", "钥匙不是{ann}动的，是{ben}动的。",
    ),
}  # fmt: skip


@cache
def world(language: Language, names: tuple[str, str, str]) -> World:
    text = TEXTS[language]
    called = dict(zip(PEOPLE, names, strict=True))
    kinds: dict[str, dict[str, object]] = {
        "taken_by": {"functional": True, "inverse": "took", "object": "character"},
        "took": {"inverse": "taken_by", "subject": "character"},
        "hidden_in": {"functional": True},
        "broken_by": {"functional": True, "object": "character"},
    }
    facts = (
        ("theft", "key", "taken_by", "ben", "ben"),
        ("hiding", "key", "hidden_in", "clock", "ann"),
        ("breaking", "cup", "broken_by", "cy", "cy"),
    )
    canon = Canon.model_validate(
        {
            "id": "small",
            "title": "Small",
            "language": language,
            "blurb": "x",
            "characters": [
                {"id": id_, "name": called[id_], "home": "hall", "public": "x"} for id_ in PEOPLE
            ],
            "places": [{"id": "hall", "name": text["hall"]}],
            "things": [
                {"id": id_, "name": text[id_], "place": "hall"} for id_ in ("key", "cup", "clock")
            ],
            "predicates": {
                **built_in(language),
                **{
                    PredicateId(id_): {"id": id_, "wordings": [text[id_]], **more}
                    for id_, more in kinds.items()
                },
            },
            "facts": [
                {
                    "id": id_,
                    "subject": s,
                    "predicate": p,
                    "object": o,
                    "statement": text[id_].format(**called),
                    "experienced": [knower],
                }
                for id_, s, p, o, knower in facts
            ],
            "scenes": [
                {
                    "id": "one",
                    "title": "x",
                    "place": "hall",
                    "clock": "20:00",
                    "roster": {"active": list(PEOPLE)},
                }
            ],
        }
    )
    return fold(canon, canon.default_start, []).world


@st.composite
def lines(draw: st.DrawFn) -> tuple[Language, str, CharacterId, tuple[CharacterId, ...]]:
    """A language, a line with `{ann}` for names, its speaker, and to whom it is said."""
    language: Language = draw(st.sampled_from(("en", "zh")))
    words = draw(st.lists(st.sampled_from(PARTS[language]), min_size=1, max_size=4))
    people = draw(st.permutations([CharacterId(who) for who in PEOPLE]))
    heard = draw(st.integers(0, 2))
    return language, " ".join(words), people[0], tuple(people[1 : 1 + heard])


def _named(words: str, names: tuple[str, str, str]) -> str:
    return words.format(**dict(zip(PEOPLE, names, strict=True)))


def _told(claims: tuple[Claim, ...]) -> list[tuple[str, str, str, str]]:
    return [(c.subject, c.predicate, c.object, c.mode) for c in claims]


@settings(max_examples=150, deadline=None)
@given(lines(), st.sampled_from(NAMINGS))
def test_what_people_are_called_changes_nothing_but_the_names(
    line: tuple[Language, str, CharacterId, tuple[CharacterId, ...]], names: tuple[str, str, str]
) -> None:
    language, words, speaker, to = line
    plain, other = NAMINGS[0], names
    before = told_by(_named(words, plain), speaker, to, world(language, plain))
    after = told_by(_named(words, other), speaker, to, world(language, other))
    assert _told(after) == _told(before)


@settings(max_examples=150, deadline=None)
@given(lines(), st.sampled_from(NAMINGS))
def test_a_line_tells_of_none_whom_it_does_not_name(
    line: tuple[Language, str, CharacterId, tuple[CharacterId, ...]], names: tuple[str, str, str]
) -> None:
    """A pronoun, too, can only mean who or what was named before it."""
    language, words, speaker, to = line
    said = {speaker} | set(to if len(to) == 1 else ())
    shown = {id_ for id_ in PEOPLE if f"{{{id_}}}" in words} | said
    shown |= {
        id_ for id_ in ("key", "cup", "clock", "hall") if TEXTS[language][id_].split()[-1] in words
    }
    for claim in told_by(_named(words, names), speaker, to, world(language, names)):
        assert {claim.subject, claim.object} <= shown, claim


@settings(max_examples=150, deadline=None)
@given(lines())
def test_a_line_tells_the_same_each_time_in_sentences_that_stand_in_it(
    line: tuple[Language, str, CharacterId, tuple[CharacterId, ...]],
) -> None:
    language, words, speaker, to = line
    said = _named(words, NAMINGS[0])
    claims = told_by(said, speaker, to, world(language, NAMINGS[0]))
    world.cache_clear()
    assert told_by(said, speaker, to, world(language, NAMINGS[0])) == claims
    assert all(claim.said and claim.said in said for claim in claims)
    places = [said.index(claim.said) for claim in claims]
    assert places == sorted(places)


@settings(max_examples=150, deadline=None)
@given(lines())
def test_a_question_never_tells(
    line: tuple[Language, str, CharacterId, tuple[CharacterId, ...]],
) -> None:
    language, words, speaker, to = line
    mark = "？" if language == "zh" else "?"
    asked = re.sub(r"[.。]", mark, _named(words, NAMINGS[0]))
    assert told_by(asked, speaker, to, world(language, NAMINGS[0])) == ()


@settings(max_examples=150, deadline=None)
@given(lines())
def test_what_is_true_beyond_what_the_speaker_knows_changes_nothing_in_what_it_tells(
    line: tuple[Language, str, CharacterId, tuple[CharacterId, ...]],
) -> None:
    """Or telling would be an oracle: a lie and the truth have to come out alike."""
    language, words, speaker, to = line
    whole = world(language, NAMINGS[0])
    called = dict(zip(PEOPLE, NAMINGS[0], strict=True))
    written = whole.canon.model_dump(by_alias=True, exclude_unset=True)
    for fact in written["facts"]:
        if speaker not in fact["experienced"] and fact["object"] in PEOPLE:
            other = next(w for w in PEOPLE if w not in (fact["object"], speaker))
            fact["statement"] = fact["statement"].replace(called[fact["object"]], called[other])
            fact["object"] = other
    canon = Canon.model_validate(written)
    otherwise = fold(canon, canon.default_start, []).world
    said = _named(words, NAMINGS[0])
    assert _told(told_by(said, speaker, to, otherwise)) == _told(told_by(said, speaker, to, whole))


_INNS: Final[tuple[tuple[Language, str], ...]] = (
    ("en", "lantern_inn"),
    ("zh", "jiangcun_duchuan"),
)
WORLDS: Final[Mapping[Language, World]] = {
    language: fold(canon, canon.default_start, []).world
    for language, name in _INNS
    for canon in [read_world(Path(__file__).parents[1] / "marked" / "worlds" / name)]
}


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(("en", "zh")), st.text(max_size=120), st.data())
def test_no_words_whatever_trip_it(language: Language, text: str, data: st.DataObject) -> None:
    inn = WORLDS[language]
    names = [name for called in inn.canon.names.values() for name in called]
    mixed = data.draw(
        st.lists(st.sampled_from([*names, text, "?", "。", "“", "'s", "|", " "]), max_size=8)
    )
    speaker = data.draw(st.sampled_from(sorted(inn.canon.cast)))
    words = "".join(mixed)
    for claim in told_by(words, speaker, [], inn):
        assert claim.said in words
