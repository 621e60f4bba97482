"""Names are read whatever characters they are written with; what is shown stays as it was written."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.story.telling.folding import folded

SAME = [
    ("Ｏｓｒｉｃ", "Osric"),
    ("Os\u200bric", "Osric"),
    ("Os\u00adric", "Osric"),
    ("O\u0301sric", "Osric"),
    ("О\u0455ri\u0441", "Osric"),
    ("𝐎𝐬𝐫𝐢𝐜", "Osric"),
    ("Mara\u00a0Quill", "Mara Quill"),
    ("孟\u200b樵", "孟樵"),
    ("２０块银元", "20块银元"),
    ("Zoë", "Zoë"),
]


@pytest.mark.parametrize(("written", "read"), SAME)
def test_a_name_reads_the_same_whatever_it_is_written_with(written: str, read: str) -> None:
    assert folded(written) == read


@pytest.mark.parametrize(
    "text", ["谁？你！别走，快——“好”……（罢）：「来」；", "Well—no; “yes”, I said… (ah)!"]
)
def test_punctuation_stays_as_it_stands(text: str) -> None:
    assert folded(text) == text
    assert folded(text + "\u200b") == text


@given(st.text())
def test_folding_again_changes_nothing_and_nothing_unseen_is_left(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert not any(unicodedata.category(c) in ("Cf", "Me") for c in once)
