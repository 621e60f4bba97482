"""The story without one of its lines: what stays, what goes, and what it refuses."""

from typing import Any

import pytest

from sandbox.engine.ordering import carry_out
from sandbox.engine.withdrawals import line_of
from sandbox.errors import StageError
from sandbox.story.beats import Beat
from sandbox.story.beliefs import believed
from sandbox.story.commands import Command, Edit, Retract
from sandbox.story.events import Withdrawn
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, FactId, PredicateId
from sandbox.story.known import KnownFacts
from sandbox.story.withdrawing import surviving
from sandbox.story.world import World
from tests.property.scenes import Plain, Told, acts, claim, says, turns, whispers
from tests.property.strategies import START

ANN, BEN, CY = (CharacterId(who) for who in ("ann", "ben", "cy"))
TOOK = PredicateId("took")
SAID = "Cy took the cup."


def tells(actor: str, *to: str, said: str = SAID, object_: str = "cy") -> Plain:
    return says(actor, f"Listen. {said}", *to, tells=[claim("cup", "took", object_, said)])


def infers(owner: str, *rests_on: str, object_: str = "cy") -> Plain:
    belief = {**claim("cup", "took", object_, "It was Cy."), "mode": "supposed"}
    return {
        "kind": "belief_inferred",
        "owner": owner,
        "belief": belief,
        "rests_on": list(rests_on),
    }


def remembers(owner: str, text: str, *rests_on: str) -> Plain:
    return {
        "kind": "episode_written",
        "owner": owner,
        "scene": "s1",
        "text": text,
        "rests_on": list(rests_on),
    }


def ordered(story: Told, *commands: Command) -> list[Beat]:
    """The journal after commands that take something back."""
    beats = list(story.beats)
    for command in commands:
        order = carry_out(command, world_of(story, beats), beats)
        beats.append(line_of(order, beats, beats[-1].round))
    return beats


def world_of(story: Told, beats: list[Beat]) -> World:
    return fold(story.world.canon, START, beats).world


def after(story: Told, *commands: Command) -> World:
    return world_of(story, ordered(story, *commands))


def knows(world: World, who: CharacterId) -> list[str]:
    return [fact.statement for fact in KnownFacts(world, who) if fact.learned_turn]


# ── what goes and what stays ──────────────────────────────────────────────────────────────────


def test_what_was_told_in_a_withdrawn_line_is_known_to_nobody() -> None:
    story = Told(acts("ann"), tells("ann", "ben"), acts("ben"))
    assert knows(story.world, BEN) == [SAID]
    world = after(story, Retract(turn=2))
    assert knows(world, BEN) == []
    assert not [fact for fact in world.facts.values() if fact.statement == SAID]
    assert not world.evidence.get(("cup", TOOK), ())[2:]
    assert [p.beat.seq for p in world.percepts[BEN]] == [1, 3]


def test_a_line_spoken_later_stays_and_still_tells() -> None:
    story = Told(tells("ann", "ben"), tells("ben", "ann", said="Cy has taken it."))
    world = after(story, Retract(turn=1))
    assert knows(world, ANN) == ["Cy has taken it."]
    assert knows(world, BEN) == []


def test_what_was_told_twice_stays_known_by_the_second_telling() -> None:
    story = Told(tells("ann", "ben"), tells("ann", "ben", said="Cy took it, I tell you."))
    fact = next(iter(KnownFacts(story.world, BEN).saying("cup", TOOK)))
    world = after(story, Retract(turn=1))
    (kept,) = (f for f in KnownFacts(world, BEN) if f.learned_turn)
    assert kept.handle in {fact.handle, FactId(kept.handle)}
    assert (kept.statement, kept.learned_turn) == ("Cy took it, I tell you.", 2)
    assert [g.because.turn for g in KnownFacts(world, BEN).grants_of(kept.handle)] == [2]


def test_a_false_belief_goes_with_the_lie_that_made_it() -> None:
    story = Told(tells("ann", "ben"))
    assert believed(story.world, [BEN], "cup", TOOK) is not None
    object_before = believed(Told().world, [BEN], "cup", TOOK)
    assert believed(after(story, Retract(turn=1)), [BEN], "cup", TOOK) == object_before


def test_a_name_learned_in_a_withdrawn_line_is_unknown_again() -> None:
    naming = claim("cy", "is_named", "Cy Dorn", "He is called Cy Dorn.")
    story = Told(says("ann", "He is called Cy Dorn.", "ben", tells=[naming]), acts("ben"))
    assert story.world.names(BEN)("cy") == "Cy Dorn"
    assert after(story, Retract(turn=1)).names(BEN)("cy") == "the visitor"


def test_an_episode_goes_whole_with_any_line_it_rests_on_and_percepts_stand_in() -> None:
    story = Told(acts("ann", "hums"), acts("ben", "coughs"))
    ids = [beat.event_id(0) for beat in story.beats]
    story.happen(
        remembers("ann", "I hummed; Ben coughed.", *ids),
        remembers("ben", "I coughed.", ids[1]),
    )
    world = after(story, Retract(turn=1))
    assert [e.text for e in world.episodes[ANN] if e.turn] == []
    assert [e.text for e in world.episodes[BEN] if e.turn] == ["I coughed."]
    assert [p.beat.seq for p in world.percepts[ANN]] == [2]


def test_the_episode_beside_one_that_goes_keeps_its_id() -> None:
    story = Told(acts("ann", "hums"), acts("ben", "coughs"))
    ids = [beat.event_id(0) for beat in story.beats]
    story.happen(remembers("ann", "Both.", *ids), remembers("ben", "One.", ids[1]))
    before = story.world.episodes[BEN][-1].id
    assert after(story, Retract(turn=1)).episodes[BEN][-1].id == before


def test_what_rests_on_what_rests_on_a_withdrawn_line_goes_too() -> None:
    story = Told(tells("ann", "ben"))
    story.happen(infers("ben", story.beats[0].event_id(0)))
    story.happen(remembers("ben", "So it was Cy.", story.beats[1].event_id(0)))
    story.happen(infers("ben", story.beats[2].event_id(0), object_="ann"))
    story.happen(acts("ben", "nods"))
    world = after(story, Retract(turn=1))
    assert [e for e in world.episodes[BEN] if e.turn] == []
    assert knows(world, BEN) == []
    assert [beat.turn for beat in world.beats] == [5]


def test_an_inference_from_another_line_stays() -> None:
    story = Told(tells("ann", "ben"), acts("cy", "runs"))
    story.happen(infers("ben", story.beats[1].event_id(0)))
    assert knows(after(story, Retract(turn=1)), BEN) == ["It was Cy."]


def test_withdrawing_a_withdrawal_brings_nothing_back() -> None:
    story = Told(tells("ann", "ben"), acts("ben"))
    beats = ordered(story, Retract(turn=1))
    undoing = beats[-1].model_copy(
        update={
            "seq": 4,
            "events": (beats[-1].events[1].model_copy(update={"event": Withdrawn(seqs=(3,))}),),
        }
    )
    assert [b.seq for b in surviving([*beats, undoing]) if b.is_story] == [2]


def test_a_line_cannot_withdraw_what_comes_after_it() -> None:
    story = Told(acts("ann"), acts("ben"), acts("cy"))
    beats = ordered(story, Retract(turn=1))
    events = (beats[-1].events[1].model_copy(update={"event": Withdrawn(seqs=(1, 5))}),)
    beats[-1] = beats[-1].model_copy(update={"events": events})
    later = story.beats[-1].model_copy(update={"seq": 5, "turn": 4})
    assert [b.seq for b in surviving([*beats, later]) if b.is_story] == [2, 3, 5]


# ── turns ─────────────────────────────────────────────────────────────────────────────────────


def test_later_turns_keep_their_numbers_and_the_last_one_is_free_again() -> None:
    story = Told(acts("ann"), acts("ben"), acts("cy"))
    assert [b.turn for b in after(story, Retract(turn=2)).beats] == [1, 3]
    assert after(story, Retract(turn=2)).turn == 3
    world = after(story, Retract(turn=3))
    assert (world.turn, world.clock) == (2, story.beats[1].clock)


def test_a_retracted_turn_is_not_retracted_twice() -> None:
    story = Told(acts("ann"), acts("ben"))
    with pytest.raises(StageError, match="turn 1 was withdrawn before"):
        after(story, Retract(turn=1), Retract(turn=1))
    with pytest.raises(StageError, match=r"no turn 7: the story has turns 1 to 2"):
        after(story, Retract(turn=7))


# ── what can no longer have been ──────────────────────────────────────────────────────────────

WALK = [
    {"kind": "left", "actor": "ben", "place": "hall", "to_place": "yard"},
    {"kind": "entered", "actor": "ben", "place": "yard", "from_place": "hall"},
]
BACK = [
    {"kind": "left", "actor": "ben", "place": "yard", "to_place": "hall"},
    {"kind": "entered", "actor": "ben", "place": "hall", "from_place": "yard"},
]


def of(*beats: list[Plain]) -> Told:
    story = Told()
    for events in beats:
        story.happen(*events)
    return story


@pytest.mark.parametrize(
    ("beats", "turn", "problem"),
    [
        ([WALK, [acts("eve")], BACK], 1, r"turn 3 could not have been: `ben` is in `hall`"),
        ([[turns("ann", "fell_asleep")], [turns("ann", "woke")], [acts("ann")]], 2, "turn 3 could"),
        ([WALK, [says("cy", "Good day.")]], 1, r"turn 2 would have been perceived otherwise"),
        ([[turns("ben", "hid")], [acts("ann")]], 1, "turn 2 would have .*: who noticed whom"),
        ([[turns("ben", "distracted")], [says("ann", "Hm.")]], 1, "perceived otherwise: by `ben`"),
    ],
)
def test_what_followed_could_not_have_been_without_it(
    beats: list[list[Plain]], turn: int, problem: str
) -> None:
    story = of(*beats)
    with pytest.raises(StageError, match=problem) as refused:
        after(story, Retract(turn=turn))
    message = str(refused.value)
    assert message.startswith(f"turn {turn} cannot be taken out alone: ")
    assert f"Rewind to turn {turn - 1}, or branch there" in message
    assert "\n" not in message


def test_a_way_nobody_saw_or_built_on_can_be_taken_out() -> None:
    story = of(WALK, [{"kind": "thought", "actor": "eve", "text": "Far away."}])
    world = after(story, Retract(turn=1))
    assert world.stage.place_of[BEN] == "hall"
    assert "yard" not in world.been[BEN]


def test_the_stage_may_come_together_again_after_what_was_taken_out() -> None:
    there_and_back = [*WALK, *BACK]
    story = of(there_and_back, [says("ann", "You are wet.", "ben")], BACK[:0] or [acts("cy")])
    assert [b.turn for b in after(story, Retract(turn=1)).beats] == [2, 3]


# ── edits ─────────────────────────────────────────────────────────────────────────────────────


def lines(world: World) -> list[str]:
    events = [happened.event for beat in world.beats for happened in beat.events]
    return [words for event in events if (words := getattr(event, "words", ""))]


def test_an_edited_line_stands_where_the_old_one_stood_with_its_turn() -> None:
    story = Told(says("ann", "One."), says("ben", "Two."), says("ann", "Three."))
    world = after(story, Edit(turn=2, words="Zwei."))
    assert lines(world) == ["One.", "Zwei.", "Three."]
    assert [beat.turn for beat in world.beats] == [1, 2, 3]
    assert (world.turn, world.clock) == (3, story.world.clock)
    assert [p.beat.turn for p in world.percepts[ANN]] == [1, 2, 3]


def test_an_edited_line_still_tells_only_what_stands_in_its_words() -> None:
    story = Told(tells("ann", "ben"), acts("ben"))
    kept = after(story, Edit(turn=1, words=f"Hush! {SAID} I saw it."))
    assert knows(kept, BEN) == [SAID]
    assert knows(after(story, Edit(turn=1, words="Nothing.")), BEN) == []


def test_an_edit_of_an_edit_and_a_retracted_edit_bring_nothing_back() -> None:
    story = Told(says("ann", "One."), says("ben", "Two."), says("ann", "Three."))
    twice = [Edit(turn=2, words="Zwei."), Edit(turn=2, words="Deux.")]
    assert lines(after(story, *twice)) == ["One.", "Deux.", "Three."]
    assert lines(after(story, *twice, Retract(turn=2))) == ["One.", "Three."]


def test_an_edit_that_drops_what_followed_is_at_its_own_turn() -> None:
    story = Told(acts("cy"), says("ann", "One."), says("ben", "Two."), says("ann", "Three."))
    world = after(story, Retract(turn=1), Edit(turn=3, words="Zwei.", keep=False))
    assert lines(world) == ["One.", "Zwei."]
    assert (world.turn, world.clock) == (3, story.beats[2].clock)


def test_the_witnesses_of_an_edit_are_those_of_the_stage_as_it_was_then() -> None:
    story = Told(whispers("ann", "Psst.", "ben"))
    story.walk("ben", "yard")
    story.happen(says("ann", "Alone at last."))
    beat = next(b for b in ordered(story, Edit(turn=1, words="Pssst!")) if b.replaces)
    (happened,) = (h for h in beat.events if h.event.kind == "whispered")
    assert happened.heard_in_full() == ["ann", "ben"]


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        (acts("ann", "sings"), {"text": "coughs"}),
        ({"kind": "thought", "actor": "ann", "text": "Hm."}, {"text": "coughs"}),
        ({"kind": "narrated", "text": "A bell."}, {"text": "coughs"}),
        ({"kind": "announced", "actor": "ann", "words": "Hear!"}, {"words": "coughs"}),
    ],
)
def test_every_kind_of_words_can_be_changed(event: Plain, kept: dict[str, Any]) -> None:
    world = after(Told(event), Edit(turn=1, words="coughs"))
    changed = world.beats[0].events[-1].event
    assert {name: getattr(changed, name) for name in kept} == kept


def test_a_name_in_edited_words_of_a_deed_is_masked_as_in_the_old_ones() -> None:
    story = Told(acts("ann", "waves at Cy Dorn"))
    world = after(story, Edit(turn=1, words="nods at Cy Dorn"))
    assert "Cy Dorn" not in world.beats[0].events[-1].event.text  # type: ignore[union-attr]


def test_a_turn_without_words_is_retracted_instead() -> None:
    with pytest.raises(StageError, match=r"has no words that could be changed.*retract turn 1"):
        after(of(WALK), Edit(turn=1, words="Hm."))


def test_a_letter_that_was_read_keeps_its_words() -> None:
    sent = {"kind": "message_sent", "actor": "ann", "message": "m1", "to": "ben", "words": "Come."}
    read = {
        "kind": "message_read",
        "actor": "ben",
        "message": "m1",
        "sender": "ann",
        "words": "Come.",
    }
    story = Told(sent, read)
    with pytest.raises(StageError, match="turn 2 could not have been: message `m1` says something"):
        after(story, Edit(turn=1, words="Stay."))
    assert lines(after(Told(sent), Edit(turn=1, words="Stay."))) == ["Stay."]
