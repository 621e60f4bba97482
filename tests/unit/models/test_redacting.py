"""A key that an endpoint sends back is in no reply, wherever it is cut in pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from sandbox.models.port import Chunk
from sandbox.models.redacting import Redacting
from tests.clients import KEY, at, heard
from tests.endpoint import Text


def without(key: str, pieces: list[str]) -> str:
    redacting = Redacting(key)
    chunks = [c for piece in pieces for c in redacting.of(Chunk(piece))] + list(redacting.rest())
    assert all(chunk.text for chunk in chunks)
    return "".join(chunk.text for chunk in chunks)


@given(
    st.lists(st.sampled_from([KEY, "sk-", KEY[:5], KEY[5:], "lantern", " ", "好"]), max_size=8),
    st.lists(st.integers(0, 60), max_size=9),
)
def test_the_key_is_cut_out_of_whatever_pieces(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    at_ = sorted({0, *(cut for cut in cuts if cut < len(text)), len(text)})
    pieces = [text[a:b] for a, b in pairwise(at_) if a < b]
    left = without(KEY, pieces)
    assert KEY not in left
    assert left.replace("…", "") == text.replace(KEY, "")


def test_a_short_key_is_no_secret_and_may_be_a_word() -> None:
    assert without("none", ["There is none", " here."]) == "There is none here."


@pytest.mark.endpoint
async def test_an_endpoint_that_echoes_the_key_in_a_reply_does_not_get_it_into_the_story() -> None:
    reply = Text(f"You sent Bearer {KEY}!", chunk_size=3, reasoning=f"So {KEY}")
    async with at(reply, api_key=SecretStr(KEY)) as (_, model):
        pieces = await heard(model)
    kinds = {kind: "".join(p.text for p in pieces if isinstance(p, Chunk) and p.kind == kind)
             for kind in ("reply", "reasoning")}  # fmt: skip
    assert kinds == {"reply": "You sent Bearer …!", "reasoning": "So …"}
