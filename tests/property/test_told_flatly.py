"""Whatever a model has its character say, it tells flatly only of what that character holds a value of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.agents.guarding import Finding, without
from sandbox.agents.reading import move_of
from sandbox.evals.guarding import Worlds
from sandbox.storage.places import worlds_folder
from sandbox.story.canon import CanonFact
from sandbox.story.claims import Claim
from sandbox.story.events import Offence
from sandbox.story.ids import CharacterId
from sandbox.story.telling.told import told_by
from sandbox.story.view import CharacterView
from sandbox.story.world import World

WORLDS = Worlds(worlds_folder())
FRAMES = {
    "lantern_inn": (
        "{s}", "It is so: {s}", "Tell me, since {b}, what shall we do?", "I wonder why {b}.",
        "Perhaps {b}.", "Mara, hear me. {s} I have it from nobody.", "Hide the slip, because {s}",
        "You and I know it well, {s}", "It is not true that {s}", "{s} And so it goes on.",
    ),
    "jiangcun_duchuan": (
        "{s}", "实话说，{s}", "你去问问，为什么{b}。", "既然{b}，那就不用说了。", "听我说。{s}谁也没有告诉我。",
        "也许{s}", "谁不知道{b}。", "你我都明白，{s}", "没有的事，{s}", "{s}就是这么回事。",
    ),
}  # fmt: skip
STAGE = {"located_in", "held_by", "state", "alive"}
SPEAKERS = [(name, who) for name in FRAMES for who in sorted(WORLDS[name].grants)]


@cache
def holdings(name: str, who: str) -> frozenset[tuple[str, str]]:
    """Subjects and predicates of which somebody holds a value, read off the grants themselves."""
    world, found = WORLDS[name], set[tuple[str, str]]()
    for id_ in world.grants[CharacterId(who)]:
        subject, predicate, object_ = world.facts[id_].proposition
        found.add((subject, predicate))
        if (inverse := world.canon.predicates[predicate].inverse) is not None:
            found.add((object_, inverse))
    return frozenset(found)


def is_before_its_eyes(name: str, who: str, claim: Claim) -> bool:
    world, me = WORLDS[name], CharacterId(who)
    if claim.predicate == "is_named":
        return claim.subject in world.canon.cast and claim.subject not in world.strangers[me]
    view = CharacterView(world, me)
    seen = {me, *(p.id for p in view.people), *(t.id for t in view.things)}
    return claim.predicate in STAGE and claim.subject in seen


def unheld(name: str, who: str, words: str) -> Iterator[Claim]:
    """What a line of a model tells of which its speaker holds nothing, and not as a guess."""
    for claim in CharacterView(WORLDS[name], CharacterId(who)).told_in(words, ()):
        is_held = (claim.subject, claim.predicate) in holdings(name, who)
        if claim.mode != "supposed" and not is_held and not is_before_its_eyes(name, who, claim):
            yield claim


def unknown(name: str, who: str) -> list[CanonFact]:
    """What somebody knows nothing of."""
    world = WORLDS[name]
    return [fact for fact in world.canon.facts if fact.id not in world.grants[CharacterId(who)]]


def framed(name: str, statement: str) -> Iterator[str]:
    bare = statement.rstrip(".。")
    for frame in FRAMES[name]:
        yield frame.format(s=statement, b=bare)
    yield ". ".join(part.strip() for part in re.split("[,，;；]", bare)) + "."


@pytest.mark.parametrize(("name", "who"), SPEAKERS)
def test_no_fact_unknown_to_its_speaker_is_told_flatly_however_it_is_framed(
    name: str, who: str
) -> None:
    told = [
        (words, claim)
        for fact in unknown(name, who)
        for words in framed(name, fact.statement)
        for claim in unheld(name, who, words)
    ]
    assert not told


def test_the_same_lines_would_tell_much_of_it_if_people_or_scripts_said_them() -> None:
    """Else the check above could not fail; and what people say is told as they say it."""
    for name, least in (("lantern_inn", 100), ("jiangcun_duchuan", 20)):
        flat = [
            claim
            for who in WORLDS[name].grants
            for fact in unknown(name, who)
            for claim in told_by(fact.statement, who, (), WORLDS[name])
            if claim.mode == "claimed"
            and (claim.subject, claim.predicate) not in holdings(name, who)
        ]
        assert len(flat) >= least, name


@cache
def fragments(name: str) -> tuple[str, ...]:
    """Pieces of statements, wordings with names in them, and names: what lines are joined of."""
    canon = WORLDS[name].canon
    found = [
        piece for f in canon.facts for piece in re.split("[,，;；]| the | and |的", f.statement)
    ]
    called = [names[0] for names in canon.names.values()]
    for number, predicate in enumerate(canon.predicates.values()):
        for wording in predicate.wordings:
            s, o = called[number % len(called)], called[(number * 7 + 3) % len(called)]
            found.append(wording.format(s=s, o=o))
    return tuple(dict.fromkeys(piece.strip() for piece in [*found, *called] if piece.strip()))


JOINTS = (" ", ". ", ", ", " and ", " because ", " not ", "。", "，", "是", "，因为")


@st.composite
def joined(draw: st.DrawFn) -> tuple[str, str, str]:
    name, who = draw(st.sampled_from(SPEAKERS))
    pieces = draw(st.lists(st.sampled_from(fragments(name)), min_size=1, max_size=5))
    words = pieces[0]
    for piece in pieces[1:]:
        words += draw(st.sampled_from(JOINTS)) + piece
    return name, who, words


@settings(deadline=None, max_examples=300)
@given(joined())
def test_nothing_is_told_flatly_that_is_joined_out_of_fragments(line: tuple[str, str, str]) -> None:
    name, who, words = line
    assert not list(unheld(name, who, words))


@pytest.mark.parametrize("name", list(FRAMES))
def test_what_a_speaker_holds_it_tells_as_flatly_as_it_says_it(name: str) -> None:
    world, told, said = WORLDS[name], 0, 0
    for who in world.grants:
        view = CharacterView(world, who)
        for fact in view.known:
            own = told_by(fact.statement, who, (), world)
            mine = (fact.subject, fact.predicate, fact.object)
            flat = [c for c in own if (c.subject, c.predicate, c.object) == mine]
            said += len(flat)
            told += sum(claim in view.told_in(fact.statement, ()) for claim in flat)
    assert said
    assert told == said


@pytest.mark.parametrize(
    ("name", "who", "to", "leak", "fine"),
    [
        (
            "lantern_inn",
            "hester",
            "mara",
            "The grey mare has a sprung shoe behind.",
            "Good evening.",
        ),
        ("jiangcun_duchuan", "fang_xu", "meng_liao", "那条货船吃水太深。", "天不早了。"),
    ],
)
def test_a_move_tells_as_a_guess_what_got_past_the_guard_and_so_does_what_is_left_of_one(
    name: str, who: str, to: str, leak: str, fine: str
) -> None:
    view = CharacterView(WORLDS[name], CharacterId(who))
    reply = json.dumps({"words": f"{leak} {fine}", "to": [], "whisper": False})
    move = move_of(reply, view, ())
    assert [claim.mode for claim in move.tells] == ["supposed"]
    left = without(move, [Finding(Offence.REPEATED, fine)], view)
    assert (left.words, [claim.mode for claim in left.tells]) == (leak, ["supposed"])
    assert [c.mode for c in told_by(leak, CharacterId(who), (CharacterId(to),), WORLDS[name])] == [
        "claimed"
    ]


@pytest.mark.parametrize(
    ("name", "who", "denial"),
    [
        ("lantern_inn", "ines", "Osric did not sign the bridge accounts."),
        ("lantern_inn", "ines", "The packet was not taken by Tobin."),
        ("jiangcun_duchuan", "xiao_man", "赔账不是沈敬斋动的手脚。"),
    ],
)
def test_that_something_is_not_so_is_not_told_by_who_holds_nothing_of_it(
    name: str, who: str, denial: str
) -> None:
    """Else a model that has read the book would clear, or by its silence accuse, the right one."""
    said = told_by(denial, CharacterId(who), (), WORLDS[name])
    assert "denied" in {claim.mode for claim in said}
    assert what_is_told(WORLDS[name], CharacterId(who), denial) == []


def what_is_told(world: World, who: CharacterId, words: str) -> list[tuple[str, str, str, str]]:
    claims = CharacterView(world, who).told_in(words, ())
    return [(c.subject, c.predicate, c.object, c.mode) for c in claims]


def test_a_sign_on_a_lantern_signs_nothing() -> None:
    """A word that says what kind of thing another is, is not what somebody did."""
    world = WORLDS["lantern_inn"]
    words = "Mara blew out the sign lantern the night Jory was carried in."
    assert what_is_told(world, CharacterId("ines"), words) == []
    lit = told_by("Mara lit the sign lantern that Jory hung.", CharacterId("ines"), (), world)
    assert "signed" not in {claim.predicate for claim in lit}
    assert ("old_agent", "signed", "accounts", "claimed") in what_is_told(
        world, CharacterId("hester"), "My father signed the bridge accounts every quarter."
    )
