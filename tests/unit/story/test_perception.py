"""Each rule of perception, as a sentence."""

from typing import Any

from sandbox.story.beats import Detail
from sandbox.story.ids import CharacterId
from sandbox.story.viewpoint import transcript
from tests.property.scenes import FULL, THAT, Told, acts, claim, says, turns, whispers
from tests.property.strategies import small_canon


def joined(door: str, carries: str, *more: dict[str, Any]) -> Told:
    """The hall and the yard with such a door between them."""
    link = {"between": ["hall", "yard"], "door": door, "carries": carries}
    return Told(canon=small_canon([link, *more]))


def details(told: Told, event: dict[str, Any]) -> dict[str, Detail]:
    return {str(who): detail for who, detail in told.happen(event).witnesses.items()}


def test_a_line_is_heard_by_all_in_the_room() -> None:
    assert details(joined("shut", "nothing"), says("ann")) == {"ann": FULL, "ben": FULL}


def test_a_line_carries_its_words_through_an_open_door_that_lets_words_through() -> None:
    assert details(joined("open", "words"), says("ann")) == {"ann": FULL, "ben": FULL, "cy": FULL}


def test_a_shut_door_leaves_of_words_the_sound_and_of_a_sound_nothing() -> None:
    assert details(joined("shut", "words"), says("ann"))["cy"] is THAT
    assert "cy" not in details(joined("shut", "sound"), says("ann"))


def test_a_locked_door_muffles_like_a_shut_one() -> None:
    assert details(joined("locked", "words"), says("ann"))["cy"] is THAT


def test_a_voice_carries_one_door_far_and_no_further() -> None:
    chain = joined("open", "words", {"between": ["yard", "attic"], "carries": "words"})
    assert "dee" not in details(chain, says("ann"))


def test_a_whisper_is_words_for_its_target_and_a_sight_for_others() -> None:
    told = Told()
    told.walk("cy", "hall")
    assert details(told, whispers("ann", "Hush.", "ben")) == {"ann": FULL, "ben": FULL, "cy": THAT}


def test_a_whisper_goes_through_no_door() -> None:
    assert "cy" not in details(joined("open", "words"), whispers("ann", "Hush.", "ben"))


def test_an_aside_reaches_its_targets_alone() -> None:
    told = Told()
    told.walk("cy", "hall")
    assert details(told, says("ann", "Psst.", "ben", aside=True)) == {"ann": FULL, "ben": FULL}


def test_a_thought_and_a_mood_reach_their_owner_alone() -> None:
    told = Told()
    assert details(told, {"kind": "thought", "actor": "ann", "text": "x"}) == {"ann": FULL}
    assert details(told, {"kind": "mood_turned", "actor": "ann", "mood": "sad"}) == {"ann": FULL}


def test_a_deed_is_seen_by_the_room_and_through_no_door() -> None:
    assert details(joined("open", "words"), acts("ann")) == {"ann": FULL, "ben": FULL}


def test_the_leaver_witnesses_its_leaving_and_the_new_room_its_coming() -> None:
    told = Told()
    told.walk("ann", "yard")
    left, entered = told.beats[-1].events
    assert set(left.witnesses) == {"ann", "ben"}
    assert set(entered.witnesses) == {"ann", "cy"}


def test_the_sleeping_and_the_dead_take_nothing_in() -> None:
    told = Told(turns("ben", "fell_asleep"))
    assert "ben" not in details(told, says("ann", "Ben?", "ben"))
    told.happen(turns("ben", "woke"))
    assert "ben" in details(told, says("ann"))
    told.happen(turns("ben", "died"))
    assert "ben" not in details(told, says("ann"))


def test_who_falls_asleep_dies_or_wakes_witnesses_it() -> None:
    told = Told()
    assert details(told, turns("ben", "fell_asleep"))["ben"] is FULL
    assert details(told, turns("ben", "woke"))["ben"] is FULL
    assert details(told, turns("ben", "died"))["ben"] is FULL


def test_somebody_hidden_hears_all_and_is_noticed_by_nobody() -> None:
    told = Told(turns("ben", "hid"))
    happened = told.happen(says("ann", "Alone at last."))
    assert happened.witnesses[CharacterId("ben")] is FULL
    assert ("ann", "ben") in happened.unnoticed
    assert [p.called for p in told.view("ann").people] == []


def test_somebody_hidden_in_the_room_does_not_hear_it_from_next_door() -> None:
    told = Told(turns("ben", "hid"), says("ann", "Alone at last."))
    assert told.remembers("ben")[-1] == 'Ann said: "Alone at last."'


def test_a_door_is_seen_to_move_on_both_sides_and_nobody_sees_through_it() -> None:
    told = Told()
    change = {"kind": "door_changed", "actor": None, "between": ["hall", "yard"], "door": "shut"}
    happened = told.happen(change)
    assert set(happened.witnesses) == {"ann", "ben", "cy"}
    assert told.world.percepts[CharacterId("cy")][-1].noticed == []
    assert told.world.percepts[CharacterId("ann")][-1].noticed == ["ben"]
    assert told.view("cy").last_seen(CharacterId("ann")) is None


def test_what_happens_everywhere_makes_nobody_notice_who_is_elsewhere() -> None:
    told = Told({"kind": "narrated", "text": "A bell rings."})
    assert all(told.remembers(who) == ["A bell rings."] for who in ("ann", "cy", "dee", "eve"))
    assert told.world.percepts[CharacterId("eve")][-1].noticed == []
    assert [line.heard for line in transcript(told.world, CharacterId("eve"))] == [()]
    assert told.view("eve").last_seen(CharacterId("ann")) is None


def test_two_who_listen_at_two_doors_do_not_notice_each_other() -> None:
    told = joined("open", "words", {"between": ["hall", "attic"], "carries": "words"})
    told.happen(says("ann"))
    assert told.world.percepts[CharacterId("cy")][-1].noticed == ["ann"]
    assert told.world.percepts[CharacterId("dee")][-1].noticed == ["ann"]


def test_who_listens_at_a_door_does_not_learn_who_is_spoken_to() -> None:
    for door, shown in (("open", "Hush."), ("shut", "From next door: Ann is talking")):
        told = joined(door, "words")
        told.happen(says("ann", "Hush.", "ben"))
        (line,) = transcript(told.world, CharacterId("cy"))
        assert line.text.startswith(shown)
        assert (line.targets, line.heard) == ((), ())
        assert "Ben" not in told.remembers("cy")[-1]


def test_who_reads_shows_the_others_nothing_where_only_the_reader_sees() -> None:
    told = Told()
    told.walk("cy", "hall")
    told.happen(acts("cy", "reads", examines="book"))
    assert "Ben took a loan." in told.knows("cy")
    assert "Ben took a loan." not in told.knows("ann")
    told.happen(acts("ann", "turns the cup", examines="cup"))
    assert "Ben took the cup." in told.knows("cy")


def test_a_muffled_line_tells_nothing() -> None:
    told = joined("shut", "words")
    told.happen(says("ann", "He took it.", tells=[claim("cup", "took", "ben", "He took it.")]))
    assert told.knows("cy") == []
    assert told.knows("ben") == ["He took it."]
    assert told.knows("ann") == []


def test_a_whisper_tells_its_target_alone() -> None:
    told = Told()
    told.walk("cy", "hall")
    said = claim("cup", "took", "ben", "He took it.")
    told.happen(whispers("ann", "He took it.", "ben", tells=[said]))
    assert "He took it." in told.knows("ben")
    assert "He took it." not in told.knows("cy")


def test_after_coming_in_one_knows_where_one_saw_the_others() -> None:
    told = Told()
    told.walk("ann", "yard")
    assert told.view("ann").last_seen(CharacterId("cy")) == "yard"
    assert told.view("ben").last_seen(CharacterId("ann")) == "yard"


def test_an_attempt_that_failed_names_nobody_to_those_who_do_not_know_the_name() -> None:
    told = Told()
    told.happen(acts("ann", "to speak to Cy Dorn", failed=True))
    assert told.remembers("ben") == ["Ann tried to speak to the visitor, in vain."]
