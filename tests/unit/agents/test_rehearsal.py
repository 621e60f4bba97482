"""The mind without a model: what it asks, tells, keeps and leaves alone, whatever chance says."""

from collections.abc import Iterator
from pathlib import Path

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal import Rehearsal
from sandbox.engine.session import Session
from sandbox.settings import Settings
from sandbox.story.chance import Chance
from sandbox.story.claims import Claim
from sandbox.story.commands import Go, Say
from sandbox.story.ids import CharacterId, PlaceId, PredicateId
from sandbox.story.view import CharacterView
from tests.playing import act, begun, playing

ANN, BEN, CY = CharacterId("ann"), CharacterId("ben"), CharacterId("cy")
HALL = PlaceId("hall")
KEY = ("key", "hidden_in", "clock")


def claim(subject: str, predicate: str, object_: str, said: str) -> Claim:
    return Claim(subject=subject, predicate=PredicateId(predicate), object=object_, said=said)


def moves(session: Session, who: CharacterId, rounds: int = 80) -> Iterator[Move]:
    """What somebody might do now, by chance of many rounds."""
    for number in range(rounds):
        view = CharacterView(session.world, who)
        yield Rehearsal().choose(view, Chance(1, number, "s", who))


def told(move: Move) -> set[tuple[str, str, str]]:
    return {(c.subject, c.predicate, c.object) for c in move.tells}


async def test_the_same_view_and_chance_give_the_same_move(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s")) as session:
        await act(session, 4)
        assert list(moves(session, ANN, 20)) == list(moves(session, ANN, 20))


async def test_a_kept_secret_is_told_to_nobody_and_the_reason_stays_a_thought(
    tmp_path: Path,
) -> None:
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        await act(session, Say(character=BEN, words="Ann, where is the key?", to=(ANN,)))
        found = list(moves(session, ANN))
        assert not [move for move in found if KEY in told(move)]
        evasions = [move for move in found if move.thought]
        assert evasions
        assert all(move.thought not in move.words for move in evasions)


async def test_a_question_put_to_it_is_answered_before_anything_else(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        await act(session, Say(character=ANN, words="What happened to the blue cup?", to=(BEN,)))
        for move in moves(session, BEN):
            assert told(move) == {("cup", "broken_by", "ben")}
            assert move.to == (ANN,)


async def test_it_tells_what_it_wished_to_once_the_right_person_is_there(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        assert not [m for m in moves(session, BEN) if CY in m.to]
        await act(session, Go(character=CY, place=HALL))
        wished = [m for m in moves(session, BEN) if ("cup", "broken_by", "ben") in told(m)]
        assert wished
        assert all(m.to == (CY,) for m in wished)


async def test_what_was_confided_is_whispered_on_and_not_before_who_confided_it(
    tmp_path: Path,
) -> None:
    secret = "The key lies in the clock."
    tells = (claim("key", "hidden_in", "clock", secret),)
    whisper = Say(character=ANN, words=secret, to=(CY,), whisper=True, tells=tells)
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        await act(session, Go(character=CY, place=HALL), whisper)
        assert not [m for m in moves(session, CY) if KEY in told(m)]
        await act(session, Go(character=ANN, place=PlaceId("yard")))
        passed = [m for m in moves(session, CY) if KEY in told(m)]
        assert passed
        assert all(m.to == (BEN,) for m in passed)


async def test_hearsay_is_not_told_in_the_tellers_first_person(tmp_path: Path) -> None:
    said = "I broke the blue cup when I ran indoors."
    tells = (claim("cup", "broken_by", "ben", said),)
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        line = Say(character=BEN, words=said, to=(ANN,), tells=tells)
        await act(session, line, Go(character=BEN, place=PlaceId("yard")))
        await act(session, Go(character=CY, place=HALL))
        passed = [m for m in moves(session, ANN) if ("cup", "broken_by", "ben") in told(m)]
        assert passed
        for move in passed:
            assert not any(c.said.startswith("I ") for c in move.tells), move.words


async def test_it_does_not_look_into_what_hides_its_own_secret(tmp_path: Path) -> None:
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        assert {m.examines for m in moves(session, ANN)} <= {None, "cup"}
        assert "clock" in {m.examines for m in moves(session, BEN)}


async def test_it_asks_nothing_that_it_knows_already(tmp_path: Path) -> None:
    said = "The key is in the clock."
    async with playing(begun(tmp_path / "s", settings=Settings())) as session:
        asks = [m.asks for m in moves(session, BEN) if m.asks]
        assert any(q.subject == "key" and q.predicate == "hidden_in" for q in asks)
        tells = (claim("key", "hidden_in", "clock", said),)
        await act(session, Say(character=ANN, words=said, to=(BEN,), tells=tells))
        asks = [m.asks for m in moves(session, BEN) if m.asks]
        assert not [q for q in asks if q.subject == "key" and q.predicate == "hidden_in"]
