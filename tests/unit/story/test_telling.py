"""What a line tells: by its words, and by what its speaker knows itself."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.agents.reading import move_of
from sandbox.engine.ordering import carry_out
from sandbox.engine.script_run import command_of
from sandbox.engine.scripts import Step
from sandbox.errors import ScriptError
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.commands import Say
from sandbox.story.events import LineSpoken, Whispered
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFacts
from sandbox.story.telling.sentences import clauses, segments, spoken_sentences
from sandbox.story.telling.told import told_by
from sandbox.story.view import CharacterView
from sandbox.story.world import World

MARKED = Path(__file__).parents[2] / "marked" / "worlds"
Told = tuple[str, str, str, str]


def _world(name: str) -> World:
    canon = read_world(MARKED / name)
    return fold(canon, canon.default_start, []).world


INN, FERRY = _world("lantern_inn"), _world("jiangcun_duchuan")


def tells(world: World, speaker: str, to: str, words: str) -> list[Told]:
    """What `speaker` tells, each claim as (subject, predicate, object, mode)."""
    people = [CharacterId(who) for who in to.split()]
    claims = told_by(words, CharacterId(speaker), people, world)
    assert all(claim.said in words for claim in claims)
    return [(c.subject, c.predicate, c.object, c.mode) for c in claims]


def inn(words: str, speaker: str = "mara", to: str = "ines") -> list[Told]:
    return tells(INN, speaker, to, words)


def ferry(words: str, speaker: str = "fang_xu", to: str = "du_shuisheng") -> list[Told]:
    return tells(FERRY, speaker, to, words)


def taken(by: str, mode: str = "claimed") -> list[Told]:
    return [("packet", "taken_by", by, mode)]


def moved(thing: str, by: str, mode: str = "claimed") -> list[Told]:
    return [(thing, "beidong", by, mode)]


# ── wordings, whatever is true ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "words",
    [
        "The packet was taken by Osric.",
        "Osric took the packet.",
        "Osric has stolen that packet.",
        "It was Osric who took the missing packet.",
        "It was the old clerk, I tell you. He took the packet.",
        "Osric Pell made off with the packet in the dark.",
        "Osric, whom I fed for years! He had the packet out of your bag.",
        "The packet ended up in the hands of Osric.",
        "Osric made off with your packet.",
    ],
)
def test_a_lie_tells_what_it_says_in_voices_orders_and_kindred_words(words: str) -> None:
    assert taken("osric")[0] in inn(words)
    assert ("packet", "taken_by", "tobin", "claimed") not in inn(words)


@pytest.mark.parametrize(
    "words",
    [
        "铜铃是孟掌柜动的。",
        "孟掌柜动过铜铃。",
        "动过铜铃的人就是孟掌柜。",
        "铜铃叫孟掌柜拿走了。",
        "孟掌柜把铜铃摘下来了。",
        "铜铃不是您拿的，是孟掌柜拿的。",
        "说起铜铃，我昨晚看得真切。是孟掌柜拿的。",
    ],
)
def test_the_same_holds_in_chinese(words: str) -> None:
    assert moved("tongling", "meng_liao")[0] in ferry(words)


def test_built_in_predicates_have_more_than_one_wording() -> None:
    assert inn("Tobin is down in the cellar.") == [("tobin", "located_in", "cellar", "claimed")]
    assert inn("Osric has the guest book.") == [("guest_book", "held_by", "osric", "claimed")]
    assert inn("Jory died at the ford.")[0] == ("jory", "alive", "dead", "claimed")
    assert ferry("孟掌柜在船屋。") == [("meng_liao", "located_in", "chuanwu", "claimed")]
    assert ferry("铜铃在孟掌柜手里。") == [("tongling", "held_by", "meng_liao", "claimed")]
    assert ferry("孟樵死了。") == [("meng_qiao", "alive", "dead", "claimed")]


def test_claims_come_in_the_order_of_the_sentences_each_with_its_own() -> None:
    words = "Tobin took the packet. As for Osric, he went to the attic."
    claims = told_by(words, CharacterId("mara"), [CharacterId("ines")], INN)
    assert [claim.said for claim in claims] == [
        "Tobin took the packet.",
        "As for Osric, he went to the attic.",
    ]


# ── who is meant ──────────────────────────────────────────────────────────────────────────────


def test_i_is_the_speaker_and_you_the_one_spoken_to() -> None:
    assert inn("I took the packet.", "tobin", "mara") == taken("tobin")
    assert inn("You took the packet.", "mara", "tobin") == taken("tobin")
    assert inn("You took the packet.", "mara", "tobin ines") == []
    assert ferry("是我动了渡船。", "meng_liao") == moved("duchuan", "meng_liao")
    assert ferry("渡船是你动的。", "du_shuisheng", "meng_liao") == moved("duchuan", "meng_liao")


def test_a_pronoun_is_whom_the_sentence_before_spoke_of() -> None:
    assert inn("I have asked Osric about the packet. He took it.") == taken("osric")
    assert inn("I have asked Ines about Osric. He went to the cellar.", to="tobin") == [
        ("osric", "went_to", "cellar", "claimed")
    ]
    assert ferry("我问过孟掌柜。她在渡口。") == [("meng_liao", "located_in", "dukou", "claimed")]
    assert inn("He took it.") == []


def test_who_is_only_called_by_name_is_not_spoken_of() -> None:
    assert inn("Tobin, the packet is hidden in the old lantern.", to="tobin") == [
        ("packet", "hidden_in", "old_lantern", "claimed")
    ]
    assert inn("The packet, Tobin.", to="tobin") == []


def test_a_name_is_no_part_of_a_longer_word() -> None:
    assert inn("Osrica took the packet.") == []
    assert inn("Osric took the packets.") == []


def test_the_characters_that_stand_for_names_inside_name_nobody() -> None:
    assert all(inn(f"{chr(0xF0000 + n)} took the packet.") == [] for n in range(60))


def test_who_does_not_know_whose_name_it_is_speaks_of_nobody_by_it() -> None:
    assert inn("Vane took the packet.", "osric") == taken("vane")
    assert inn("Vane took the packet.", "mara") == []
    assert inn("The lodger took the packet.", "mara") == taken("vane")
    named = [("vane", "is_named", "Lucan Vane", "claimed")]
    assert inn("The lodger's name is Lucan Vane.", "mara") == named


def test_the_same_wording_of_places_is_a_way_of_speaking_where_the_world_does_not_mean_it() -> None:
    assert inn("Osric took the attic for the night.", "tobin") == []
    assert inn("I took Tobin in at twelve.") == []


# ── how it is meant ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "words",
    [
        "Did Tobin take the packet?",
        "Tobin took the packet, didn't he?",
        "If Tobin took the packet, he goes in the morning.",
        "I wonder whether Tobin took the packet.",
        "I wish Tobin had taken the packet.",
        "Tobin would never have taken the packet.",
        "I do not believe that Tobin took the packet.",
        "Nobody believes Tobin took the packet.",
        "It is a lie that Tobin took the packet.",
        "Tell me who took the packet.",
        "Suppose Tobin took the packet.",
        "Let Tobin take the packet.",
        "Somebody took the packet.",
        "Had Tobin taken the packet, I should know it.",
        "Were Tobin blamed for the packet, he would run.",
    ],
)
def test_a_question_a_condition_a_wish_and_a_disavowal_tell_nothing(words: str) -> None:
    assert inn(words) == []


@pytest.mark.parametrize(
    "words",
    [
        "渡船是孟掌柜动的吗？",
        "渡船是不是孟掌柜动的，您心里有数。",
        "要是孟掌柜动了渡船，那就麻烦了。",
        "要不是孟樵欠着米行的账，谁愿意跑。",
        "我不信渡船是孟掌柜动的。",
        "但愿渡船是孟掌柜动的。",
        "没人动过渡船。",
        "孟掌柜说有人动了渡船。",
        "请孟掌柜别动渡船。",
    ],
)
def test_nor_do_they_in_chinese(words: str) -> None:
    assert ferry(words) == []


@pytest.mark.parametrize(
    "words",
    [
        "I think Tobin took the packet.",
        "Tobin took the packet, I suppose.",
        "Perhaps it was Tobin who took the packet.",
        "Tobin must have taken the packet.",
        "I should not be surprised if Tobin took the packet.",
    ],
)
def test_a_guess_is_told_as_one(words: str) -> None:
    assert inn(words) == taken("tobin", "supposed")


def test_a_chinese_guess_is_told_as_one() -> None:
    for words in ("渡船八成是孟掌柜动的。", "我猜渡船是孟掌柜动的。", "渡船怕是叫孟掌柜动过了。"):
        assert ferry(words) == moved("duchuan", "meng_liao", "supposed"), words


def test_a_plain_denial_is_told_as_one() -> None:
    assert inn("Tobin did not take the packet.") == taken("tobin", "denied")
    assert inn("The packet isn't hidden in the cellar.") == [
        ("packet", "hidden_in", "cellar", "denied")
    ]
    assert ferry("铜铃不是您拿的。") == moved("tongling", "du_shuisheng", "denied")


def test_a_wording_that_denies_is_not_taken_for_a_denial() -> None:
    assert ("guest_book", "missing_from", "taproom", "claimed") in inn(
        "The guest book was not to be found in the taproom."
    )
    assert ferry("铜铃已经不在渡口了。") == [("tongling", "buzai", "dukou", "claimed")]


def test_of_two_halves_each_is_meant_in_its_own_way() -> None:
    words = "Perhaps Osric went to the cellar; Tobin took the packet."
    assert set(inn(words)) == {
        ("osric", "went_to", "cellar", "supposed"),
        *taken("tobin"),
    }


def test_names_that_look_like_words_make_no_guess_and_no_condition() -> None:
    written = INN.canon.model_dump(by_alias=True, exclude_unset=True)
    tobin = next(person for person in written["characters"] if person["id"] == "tobin")
    tobin |= {"name": "May", "aliases": ["If"]}
    canon = Canon.model_validate(written)
    world = fold(canon, canon.default_start, []).world
    assert tells(world, "mara", "ines", "May took the packet.") == taken("tobin")
    assert tells(world, "mara", "ines", "If took the packet.") == taken("tobin")


# ── the speaker's own facts ───────────────────────────────────────────────────────────────────


def test_its_own_fact_in_other_words_is_told_by_who_knows_it_and_by_nobody_else() -> None:
    words = "With my own knife I cut it out of the bag while the room was dark, the packet."
    assert inn(words, "tobin", "mara") == taken("tobin")
    other = "Tobin cut it out of the bag with his knife while the room was dark, the packet."
    assert inn(other, "osric", "mara") == []
    assert not KnownFacts(INN, CharacterId("osric")).saying("packet", "taken_by")  # type: ignore[arg-type]


def test_its_own_fact_said_of_somebody_else_is_not_that_fact() -> None:
    words = "Osric cut the packet out of the post bag while the room was dark."
    assert inn(words, "tobin", "ines") == []


def test_every_sentence_a_world_writes_for_a_fact_tells_it() -> None:
    missed = []
    for world in (INN, FERRY):
        for who in world.canon.cast:
            view = CharacterView(world, who)
            for fact in view.known:
                listener = next(c for c in world.canon.cast if c not in (who, fact.subject))
                claims = told_by(view.voiced(fact.handle), who, [listener], world)
                said = {(c.subject, c.predicate, c.object) for c in claims}
                if (fact.subject, fact.predicate, fact.object) not in said:
                    missed.append((who, fact.handle))
    assert missed == []


def test_what_is_denied_of_ones_own_deed_is_no_confession() -> None:
    assert ("gonghan", "beidong", "fang_xu", "claimed") not in ferry(
        "公函我没有拆过，封口是叫水泡开的。"
    )
    assert ("packet", "taken_by", "tobin", "claimed") not in inn(
        "I never cut the packet out of the post bag while the room was dark.", "tobin", "mara"
    )


def test_a_fact_whose_own_sentence_has_an_if_in_it_is_told_by_that_sentence() -> None:
    words = "Osric said he'd strike out my debt if I brought him the packet."
    assert inn(words, "tobin", "mara") == [("osric", "bargained_with", "tobin", "claimed")]


# ── sentences ─────────────────────────────────────────────────────────────────────────────────


def test_an_initial_and_a_title_end_no_sentence() -> None:
    words = "It was L. Vane. Mr. Pell saw it! “Did he?” 是。不是？好"
    parts = list(spoken_sentences(words))
    assert parts[:2] == ["It was L. Vane.", "Mr. Pell saw it!"]
    assert parts[-3:] == ["不是？", "好"] or parts[-2:] == ["不是？", "好"]
    assert all(part in words for part in parts)


def test_a_but_parts_what_is_meant_in_two_ways_and_a_comma_does_not() -> None:
    assert list(segments("Perhaps so, but he went.")) == ["Perhaps so,", "he went."]
    assert clauses("one, two；three") == ["one", "two", "three"]


# ── where lines are told ──────────────────────────────────────────────────────────────────────


def _event(command: Say, world: World) -> LineSpoken | Whispered:
    (found,) = [
        h.event
        for h in carry_out(command, world, []).happened
        if isinstance(h.event, LineSpoken | Whispered)
    ]
    return found


def _say(**over: Any) -> Say:
    given = {"character": "osric", "words": "Tobin took the packet.", "to": ["mara"]}
    return Say.model_validate(given | over)


def test_a_persons_line_tells_what_its_words_tell() -> None:
    (claim,) = _event(_say(), INN).tells
    assert (claim.subject, claim.object, claim.said) == (
        "packet",
        "tobin",
        "Tobin took the packet.",
    )
    whisper = _event(_say(whisper=True), INN)
    assert isinstance(whisper, Whispered)
    assert whisper.tells == (claim,)


def test_what_a_person_states_holds_as_stated_and_nothing_may_be_stated_too() -> None:
    own = Claim(subject="lamp", predicate="state", object="out", said="Tobin took the packet.")
    assert _event(_say(tells=[own]), INN).tells == (own,)
    assert _event(_say(tells=[]), INN).tells == ()


def _step(**line: Any) -> Say:
    given = {"who": "osric", "words": "Tobin took the packet.", "to": ["mara"]}
    command = command_of(Step.model_validate({"say": given | line}), INN)
    assert isinstance(command, Say)
    return command


def test_a_script_line_without_tells_tells_what_its_words_tell() -> None:
    assert [claim.object for claim in _event(_step(), INN).tells] == ["tobin"]
    assert _event(_step(tells=[]), INN).tells == ()
    assert [c.predicate for c in _event(_step(tells=["lamp_pinched"]), INN).tells] == ["put_out_by"]
    with pytest.raises(ScriptError, match="does not know"):
        _step(tells=["tobin_took"])


def test_a_models_line_tells_what_its_words_tell_and_not_what_it_says_it_tells() -> None:
    view = CharacterView(INN, CharacterId("osric"))
    reply = '{"words": "Tobin took the packet.", "to": "Mara", "told": ["f1"], "tells": ["f2"]}'
    (claim,) = move_of(reply, view, ()).tells
    assert (claim.subject, claim.predicate, claim.object) == ("packet", "taken_by", "tobin")
    assert move_of('{"words": "Good evening."}', view, ()).tells == ()
