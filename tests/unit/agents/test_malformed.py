"""Replies as models really give them, in two languages, each with what is made of it.

The table is `tests/marked/malformed.jsonl`: `reply` is a text, or a list of texts and of
`[text, times]`; `move` holds every field of the move that is not empty, `problem` names why there is
none.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.agents.minds import Move
from sandbox.agents.reading import KEYS, DraftReader, Problem, Unreadable, move_of, object_of
from sandbox.story.ids import FactId
from sandbox.story.text import sentences
from sandbox.story.view import CharacterView
from tests.halls import chinese_hall, english_hall

Row = dict[str, Any]
TABLE = Path(__file__).parents[2] / "marked" / "malformed.jsonl"
ROWS: list[Row] = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
SHOWN = (FactId("rain"), FactId("vow"))


@cache
def ben(language: str) -> CharacterView:
    return (chinese_hall() if language == "zh" else english_hall()).view("ben")


def reply_of(row: Row) -> str:
    parts = [row["reply"]] if isinstance(row["reply"], str) else row["reply"]
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)


def told(move: Move) -> dict[str, Any]:
    """The fields of a move that a reply gives directly, without the empty ones."""
    fields = {name: getattr(move, name) for name in (*KEYS - {"examine"}, "examines")}
    plain = {name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()}
    return {name: value for name, value in plain.items() if value}


def outcome(text: str, language: str) -> dict[str, Any]:
    try:
        return {"move": told(move_of(text, ben(language), SHOWN))}
    except Unreadable as error:
        return {"problem": error.problem.name}


@pytest.mark.parametrize("row", ROWS, ids=[f"{n}-{row['kind']}" for n, row in enumerate(ROWS)])
def test_each_malformed_reply_has_its_outcome(row: Row) -> None:
    expected = {name: row[name] for name in ("move", "problem") if name in row}
    assert outcome(reply_of(row), row["language"]) == expected


def test_the_table_holds_enough_of_both_languages() -> None:
    count = Counter(row["language"] for row in ROWS)
    assert len(ROWS) >= 80
    assert min(count.values()) >= 40
    assert {Problem[row["problem"]] for row in ROWS if "problem" in row} == set(Problem)


@pytest.mark.parametrize("row", ROWS, ids=[f"{n}-{row['kind']}" for n, row in enumerate(ROWS)])
def test_nothing_is_drafted_that_is_not_said(row: Row) -> None:
    """Sentence by sentence as it arrives: a draft of a reply that is used is part of its words."""
    text = reply_of(row)[:20_000]
    reader, drafted = DraftReader(), list[str]()
    for at in range(0, len(text), 997):
        drafted += reader.feed(text[at : at + 997])
    words = row.get("move", {}).get("words", "")
    if "move" in row:
        assert drafted == list(sentences(words))[: len(drafted)]


# ── what must never happen, however a reply is damaged ────────────────────────────────────────

SECRET, ALOUD = "zqsecret", "zqaloud"
DAMAGED = [
    json.dumps(
        {
            "thought": f"I know {SECRET}.",
            "action": "nods",
            "words": f"Look, {ALOUD}: here.",
            "to": ["Ann"],
            "whisper": True,
            "go": "",
            "mood": "sad",
        }
    ),
    f"{{'thought': 'I know {SECRET}.', 'words': 'Look, {ALOUD}.', 'to': ['Ann'], 'whisper': True}}",
    f"{{thought: I know {SECRET}, words: Look {ALOUD}, to: Ann, whisper: true}}",
    f'{{\n "words": "Look, {ALOUD}.",\n "thought": "I know {SECRET}.",\n "whisper": true,\n "to": []\n}}',
    f"｛“thought”：“I know {SECRET}。”，“words”：“{ALOUD}。”，“whisper”：true，“to”：［“Ann”］｝",
    f"Thought: I know {SECRET}.\nWords: Look, {ALOUD}.\nTo: Ann\nWhisper: true\n",
    f'<think>I know {SECRET}.</think>{{"words": "{ALOUD}.", "to": ["Ann"], "whisper": true}}',
]


def damages(text: str) -> list[str]:
    """Cut at every place; with every character left out; with a stray mark at every place."""
    cut = [text[:n] for n in range(len(text))]
    less = [text[:n] + text[n + 1 :] for n in range(len(text))]
    more = [text[:n] + mark + text[n:] for n in range(len(text)) for mark in "\"'\\,}\n"]
    return cut + less + more


@pytest.mark.parametrize("text", DAMAGED)
def test_a_thought_is_never_said_aloud_and_a_whisper_never_shouted(text: str) -> None:
    for damaged in damages(text):
        try:
            move = move_of(damaged, ben("en"), ())
        except Unreadable:
            continue
        assert SECRET not in move.words + move.action, damaged
        assert move.whisper or ALOUD not in move.words, damaged
        reader = DraftReader()
        assert SECRET not in " ".join(reader.feed(damaged)), damaged


# fmt: off
PIECES = st.sampled_from([
    '{"words": "', '"thought": "', "{", "}", "[", "]", '"', "'", "“", "”", ":", "：", ",", "，", "\n", " ",
    "<think>", "</think>", "```", "\\", "\\u12", "//", "/*", "#", "words", "whisper: true", "Ann:", "（",
    "*", "**", "晚上好。", "Good evening.", "I can't help with that.", "null", "9" * 400, "\ud800", "🕯️",
])
# fmt: on


@given(st.lists(PIECES, max_size=40).map("".join))
def test_whatever_is_replied_is_a_move_or_a_problem(text: str) -> None:
    for language in ("en", "zh"):
        outcome(text, language)


# fmt: off
HARD = [
    "{", '{"a":', "[", '"', "<think>", "</think>", "<words>", '{"words": "', "“", "/*", "#\n", '", ', "(",
    "{words: ", "Words: ", "Words:\n", "\\", "no, never, ", "{'a': '", '{"a": "{', " " * 59 + '"',
]
# fmt: on


@pytest.mark.parametrize("piece", HARD)
def test_no_reply_keeps_the_reader_for_long(piece: str) -> None:
    """By steps and not by the clock: a reply of the full length, as hard as we know how to make it."""
    text = (piece * (64 * 1024 // len(piece) + 1))[: 64 * 1024]
    for reply in (text, f'{{"words": "{text}', f"{{words: {text}"):
        outcome(reply, "en")


# ── other steps ───────────────────────────────────────────────────────────────────────────────


def test_the_same_reader_serves_other_fields() -> None:
    keys = frozenset({"questions", "enough"})
    text = "Here:\n```json\n{'questions': ['Who has the key?',], 'Enough': False,}\n```"
    assert object_of(text, keys) == {"questions": ["Who has the key?"], "enough": False}
    with pytest.raises(Unreadable):
        object_of('{"words": "Good evening."}', keys)


def test_fields_that_nobody_asked_for_do_not_spoil_what_is_mended() -> None:
    found = object_of("{'summary': 'I saw it.', 'feelings': 'uneasy',}", frozenset({"summary"}))
    assert found == {"summary": "I saw it.", "feelings": "uneasy"}


def test_a_reply_that_broke_off_is_used_only_where_what_is_needed_is_whole() -> None:
    text = '{"summary": "I saw the key.", "feelings": "unea'
    keys = frozenset({"summary", "feelings"})
    assert object_of(text, keys, needed={"summary"}) == {"summary": "I saw the key."}
    for needed in (frozenset[str](), {"feelings"}):
        with pytest.raises(Unreadable) as refused:
            object_of(text, keys, needed=needed)
        assert refused.value.problem is Problem.BROKEN


def test_a_field_is_known_with_a_letter_too_few_and_not_by_likeness() -> None:
    assert move_of('{"words": "So.", "whiper": true, "to": ["Ann"]}', ben("en"), ()).whisper
    assert not move_of('{"words": "So.", "reaction": "gasps"}', ben("en"), ()).action
