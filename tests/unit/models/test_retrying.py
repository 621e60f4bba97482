"""Repeats: how many, how long apart, and what the reader is told."""

from contextlib import aclosing

import pytest

from sandbox.errors import ModelError, ModelUnavailableError
from sandbox.models.port import Chunk, Message, Request, Usage
from sandbox.models.retrying import Restarted, Retrying
from sandbox.models.scripted import Script, ScriptedModel

REQUEST = Request((Message("user", "Who took the key?"),))


def down(text: str = "away", *, after_s: float | None = None) -> ModelUnavailableError:
    return ModelUnavailableError(text, retry_after_s=after_s)


class Played:
    """A scripted model behind repeats, with the waits written down instead of waited."""

    def __init__(self, *scripts: Script, repeats: int = 3) -> None:
        self.waits: list[float] = []
        self.pieces: list[Chunk | Usage | Restarted] = []
        self.inner = ScriptedModel(scripts)
        self.model = Retrying(self.inner, repeats, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def read(self) -> list[Chunk | Usage | Restarted]:
        async with aclosing(self.model.stream(REQUEST)) as pieces:
            async for piece in pieces:
                self.pieces.append(piece)
        return self.pieces


async def test_a_good_reply_passes_unchanged() -> None:
    played = Played(["Good ", "evening.", Usage(3, 2)])
    assert await played.read() == [Chunk("Good "), Chunk("evening."), Usage(3, 2)]
    assert (played.model.name, played.model.repeated, played.waits) == ("scripted", 0, [])


async def test_a_reply_cut_in_the_middle_is_begun_anew_and_not_doubled() -> None:
    played = Played(["Good ", down("the reply broke off")], ["Good ", "evening."])
    assert await played.read() == [
        Chunk("Good "),
        Restarted(2, "the reply broke off"),
        Chunk("Good "),
        Chunk("evening."),
        Usage(),
    ]
    assert played.model.repeated == 1


async def test_waits_double_up_to_a_limit() -> None:
    played = Played(*[[down()]] * 7, ["At last."], repeats=7)
    await played.read()
    assert played.waits == [0.5, 1, 2, 4, 8, 8, 8]
    assert [p.attempt for p in played.pieces if isinstance(p, Restarted)] == [2, 3, 4, 5, 6, 7, 8]


async def test_the_wait_the_endpoint_asks_for_wins_up_to_a_limit() -> None:
    played = Played([down(after_s=7)], [down(after_s=0)], [down(after_s=3600)], ["Yes."])
    await played.read()
    assert played.waits == [7, 0, 30]


async def test_the_last_failure_is_raised_when_repeats_are_used_up() -> None:
    played = Played([down("first")], [down("second")], [down("third")], repeats=2)
    with pytest.raises(ModelUnavailableError, match=r"^third$"):
        await played.read()
    assert (played.model.repeated, len(played.inner.requests)) == (2, 3)


async def test_no_repeats_means_one_attempt() -> None:
    played = Played([down()], ["Never heard."], repeats=0)
    with pytest.raises(ModelUnavailableError):
        await played.read()
    assert played.pieces == []


@pytest.mark.parametrize("error", [ModelUnavailableError("no", transient=False), ModelError("no")])
async def test_what_a_repeat_would_not_mend_is_not_repeated(error: ModelError) -> None:
    played = Played([error], ["Never heard."])
    with pytest.raises(ModelError, match=r"^no$"):
        await played.read()
    assert (played.waits, len(played.inner.requests)) == ([], 1)


async def test_repeats_are_counted_over_all_requests() -> None:
    played = Played([down()], ["One."], [down()], [down()], ["Two."])
    await played.read()
    await played.read()
    assert played.model.repeated == 3


async def test_closing_closes_the_reply_behind_it() -> None:
    played = Played(["Good ", "evening."])
    pieces = played.model.stream(REQUEST)
    await anext(pieces)
    await pieces.aclose()
    assert played.inner.abandoned == 1
