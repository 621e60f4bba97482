"""What the screen shows, without a screen: a function of a world and a viewpoint."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from sandbox.engine.session import Session
from sandbox.story.claims import Claim
from sandbox.story.commands import Do, Go, Inject, Rewind, Say
from sandbox.story.ids import PredicateId
from sandbox.story.viewpoint import Look, transcript
from sandbox.story.world import World
from sandbox.tui.actions import ACTIONS, key_problems
from sandbox.tui.completing import completions
from sandbox.tui.inspecting import page
from sandbox.tui.looking import cast_blocks, cast_rows
from sandbox.tui.page import Span, cut, fold, padded, para, shown_clock, width_of
from sandbox.tui.prompting import Plain, PromptError, Reader, SeeAs, SpeakAs, ToTurn
from sandbox.tui.state import StoryState, key_of
from sandbox.tui.status import Status, title_row
from sandbox.tui.telling import draft_blocks, line_blocks
from tests.tui.stages import (
    ANN,
    BEN,
    CUP_STORY,
    CY,
    FERRY,
    FERRY_STORY,
    HALL,
    YARD,
    everything,
    text_of,
    told_world,
)


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    told = await told_world(tmp_path / "save", CUP_STORY)
    yield told
    await told.close()


@pytest.fixture
def world(session: Session) -> World:
    return session.world


# ── viewpoints ────────────────────────────────────────────────────────────────────────────────

_UNSEEN = {
    ANN: ("SECRETTHOUGHT", "SECRETDEED", "SECRETHALL"),
    BEN: ("SECRETDEED", "Cy Dorn", "I hid the key", "lies hidden in the clock"),
    CY: ("SECRETTHOUGHT", "SECRETWHISPER", "I hid the key", "lies hidden in the clock"),
}
"""What each must find nowhere on its screen."""


def test_the_director_sees_everything(world: World) -> None:
    shown = everything(StoryState(world, selected=ANN))
    for text in ("SECRETTHOUGHT", "SECRETWHISPER", "SECRETDEED", "SECRETHALL", "I hid the key"):
        assert text in shown


@pytest.mark.parametrize("who", [ANN, BEN, CY])
def test_a_characters_screen_holds_only_what_it_perceived(world: World, who: str) -> None:
    state = StoryState(world)
    state.drafts[BEN] = "SECRETDRAFT"
    state.see_as(who)  # type: ignore[arg-type]
    shown = everything(state)
    for text in (*_UNSEEN[who], "SECRETDRAFT"):  # type: ignore[index]
        assert text not in shown


@pytest.mark.parametrize("who", [ANN, BEN, CY])
def test_a_characters_lines_are_its_percepts(world: World, who: str) -> None:
    state = StoryState(world)
    state.see_as(who)  # type: ignore[arg-type]
    perceived = {(p.beat.seq, p.index) for p in world.percepts[who]}  # type: ignore[index]
    assert {key_of(line) for line in state.lines} <= perceived
    assert len(state.lines) < len(list(transcript(world, None)))


def test_a_draft_is_shown_to_the_director_alone(world: World) -> None:
    state = StoryState(world)
    state.drafts[BEN] = "I never"
    assert "I never" in text_of(draft_blocks(state))
    state.viewpoint = ANN
    assert draft_blocks(state) == []


def test_the_witnesses_of_an_event_are_not_open_to_a_character(world: World) -> None:
    state = StoryState(world, viewpoint=BEN)
    with pytest.raises(AssertionError):
        state.happened(key_of(state.lines[0]))


def test_the_title_says_through_whose_eyes(world: World) -> None:
    state = StoryState(world)
    state.see_as(BEN)
    for width in (60, 80, 160):
        row = title_row(state, Status(minds=("rehearsal",), activity="▶ playing"), width)
        assert "as Ben sees it" in "".join(piece.span.text for piece in row)


def test_a_character_sees_who_is_with_it_and_where_it_saw_others_last(world: World) -> None:
    state = StoryState(world)
    state.see_as(BEN)
    here, elsewhere = cast_rows(state)
    assert [row.name for row in here.people] == ["Ben", "the visitor"]
    assert [(row.name, row.note) for row in elsewhere.people] == [("Ann", "last: the yard")]


def test_the_director_sees_each_place_with_those_in_it(world: World) -> None:
    rows = cast_rows(StoryState(world))
    assert {row.name: [p.name for p in row.people] for row in rows} == {
        "the hall": ["Ben", "Cy Dorn"],
        "the yard": ["Ann"],
    }


# ── the transcript ────────────────────────────────────────────────────────────────────────────


def test_under_a_line_stands_who_took_it_in_and_who_did_not(world: World) -> None:
    shown = text_of(list(line_blocks(StoryState(world), StoryState(world).lines)))
    assert "heard: Ben · overheard: Cy Dorn" not in shown
    assert "heard: Ben · without the words: Cy Dorn" in shown
    assert "heard: Ben · missed: Cy Dorn" in shown
    assert "heard: Cy Dorn · missed: Ann" in shown


def test_markup_in_a_story_is_text(world: World) -> None:
    shown = text_of(list(line_blocks(StoryState(world), StoryState(world).lines)))
    assert "Good evening [bold]to all[/bold] of you." in shown


async def test_lines_added_one_by_one_are_those_of_the_whole(session: Session) -> None:
    for viewpoint in (None, ANN, BEN, CY):
        state = StoryState(session.world)
        state.see_as(viewpoint)
        whole = list(state.lines)
        state.lines.clear()
        for beat in session.world.beats:
            state.add(beat)
        assert state.lines == whole


async def test_a_chosen_line_stays_chosen_while_it_is_there(session: Session) -> None:
    state = StoryState(session.world)
    state.choose(-1)
    assert state.chosen == key_of(state.lines[-1])
    state.choose(-3)
    kept = state.chosen
    session.command(Rewind(turn=state.chosen_line.turn))  # type: ignore[union-attr]
    state.show(session.world)
    assert state.chosen == kept
    session.command(Rewind(turn=1))
    state.show(session.world)
    assert state.chosen is None


# ── the inspector ─────────────────────────────────────────────────────────────────────────────


def test_the_inspector_lists_every_name_of_the_cast_for_a_line(world: World) -> None:
    state = StoryState(world)
    whisper = next(line for line in state.lines if line.whispered)
    state.chosen = key_of(whisper)
    shown = text_of(page(state, "line"))
    assert "● Ann" in shown
    assert "✓ Ben" in shown
    assert "✗ Cy Dorn" in shown


def test_the_inspector_tells_what_a_line_taught(world: World) -> None:
    state = StoryState(world)
    arrival = next(line for line in state.lines if line.look is Look.MOVE and line.speaker_id == CY)
    state.chosen = key_of(state.lines[state.lines.index(arrival) + 1])
    assert "Ben: The visitor is in the hall." in text_of(page(state, "line"))


def test_without_a_choice_the_newest_line_and_its_actor_are_inspected(world: World) -> None:
    state = StoryState(world)
    assert "I broke it. SECRETHALL" in text_of(page(state, "line"))
    assert "Ben knows" in text_of(page(state, "facts"))
    state.see_as(ANN)
    state.selected = None
    assert "Ann knows" in text_of(page(state, "facts"))
    assert "SECRETHALL" not in text_of(page(state, "line"))


def test_the_day_is_named_from_the_second_on() -> None:
    assert shown_clock(20 * 60) == "20:00"
    assert shown_clock(30 * 60 + 40) == "day 2 · 06:40"


def test_that_it_is_you_is_never_cut(world: World) -> None:
    state = StoryState(world, speaking_as=CY)
    assert "Cy Dorn (you)" in text_of(cast_blocks(state, cast_rows(state)))


def test_facts_tell_route_and_turn_and_what_was_learned_in_play(world: World) -> None:
    shown = text_of(page(StoryState(world, selected=BEN), "facts"))
    assert "+ The visitor is in the hall.\nobserved · learned in turn 5" in shown
    assert "· It has rained for three days" in shown
    assert "common knowledge · before the story began" in shown


def test_in_a_characters_view_the_pages_are_its_own_whoever_is_chosen(world: World) -> None:
    state = StoryState(world)
    state.see_as(BEN)
    state.selected = ANN
    assert "I hid the key" not in text_of(page(state, "mind"))
    assert "Ben knows" in text_of(page(state, "facts"))
    assert "I turn it round" not in text_of(page(state, "patterns"))


async def test_what_is_told_of_a_name_is_not_tied_to_a_strangers_face(session: Session) -> None:
    said = "Cy Dorn broke the blue cup."
    claim = Claim(subject="cup", predicate=PredicateId("broken_by"), object=CY, said=said)
    session.command(Go(character=ANN, place=HALL))
    session.command(Say(character=ANN, words=said, to=(BEN,), whisper=True, tells=(claim,)))
    state = StoryState(session.world)
    state.see_as(BEN)
    state.selected = CY
    assert said in text_of(page(state, "facts"))
    shown = text_of(page(state, "mind"))
    assert "the visitor" in shown
    assert said not in shown


# ── what is typed ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("/event The bell rings.", Inject(text="The bell rings.", place=HALL)),
        ("/event the yard: It rains: again.", Inject(text="It rains: again.", place=YARD)),
        ("A door slams.", Inject(text="A door slams.", place=HALL)),
        ("/say ANN: Hm: well.", Say(character=ANN, words="Hm: well.")),
        ("/say ben to cy: Yes.", Say(character=BEN, words="Yes.", to=(CY,))),
        ("/whisper Cy Dorn to Ben：嘘", Say(character=CY, words="嘘", to=(BEN,), whisper=True)),
        ("/do cy dorn: yawns", Do(character=CY, text="yawns")),
        ("/go Cy Dorn yard", Go(character=CY, place=YARD)),
        ("/go cy to the yard", Go(character=CY, place=YARD)),
        ("/as Ann", SpeakAs(ANN)),
        ("/as director", SpeakAs(None)),
        ("/view cy", SeeAs(CY)),
        ("/turn 3", ToTurn(3)),
        ("/rewind 2", Rewind(turn=2)),
        ("/help", Plain("help")),
    ],
)
def test_what_is_typed_is_read(world: World, text: str, request_: object) -> None:
    assert Reader(StoryState(world)).read(text) == request_


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/say Bem: hi", "nobody here is called `Bem`. Did you mean `Ben`?"),
        ("/go Ann hal", "no place `hal`. Did you mean `the hall`?"),
        ("/evnt x", "no command `/evnt`. Did you mean `/event`? /help lists them."),
        ("/say Zoltan: hi", "nobody here is called `Zoltan`. There are: Ann, Ben, Cy Dorn."),
        ("/say dorm: hi", "nobody here is called `dorm`. Did you mean `Cy Dorn`?"),
        (
            "/go Ann the moon",
            "the yard has no way to `the moon`. From there one gets to: the hall.",
        ),
        ("/say Ann", "write it like this: `/say NAME: TEXT`."),
        ("/turn x", "`x` is not a turn. Write a number from 0 to 9."),
    ],
)
def test_a_slip_is_answered_with_the_nearest_name(world: World, text: str, answer: str) -> None:
    with pytest.raises(PromptError) as told:
        Reader(StoryState(world)).read(text)
    assert str(told.value) == answer


def test_through_a_characters_eyes_only_that_one_acts(world: World) -> None:
    state = StoryState(world)
    state.see_as(BEN)
    for text in ("/say the visitor: hi", "/do the visitor: nods", "/as the visitor"):
        with pytest.raises(PromptError, match="only Ben can act"):
            Reader(state).read(text)
    with pytest.raises(PromptError, match="nobody here is called `Cy Dorn`"):
        Reader(state).read("/say Ben to Cy Dorn: hi")
    assert Reader(state).read("/say Ben to the visitor: hi") == Say(
        character=BEN, words="hi", to=(CY,)
    )


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("/go yard", Go(character=BEN, place=YARD)),
        ("/go to the yard", Go(character=BEN, place=YARD)),
        ("/go Ben yard", Go(character=BEN, place=YARD)),
        ("/do smiles", Do(character=BEN, text="smiles")),
        ("/do Ben: smiles", Do(character=BEN, text="smiles")),
        ("/say Well then.", Say(character=BEN, words="Well then.")),
        ("/say : So: well.", Say(character=BEN, words="So: well.")),
        ("/say to the visitor: Yes.", Say(character=BEN, words="Yes.", to=(CY,))),
        (
            "/whisper the visitor: psst",
            Say(character=BEN, words="psst", to=(CY,), whisper=True),
        ),
        (
            "/whisper to the visitor: psst",
            Say(character=BEN, words="psst", to=(CY,), whisper=True),
        ),
    ],
)
def test_the_own_name_may_be_left_out(world: World, text: str, request_: object) -> None:
    state = StoryState(world)
    state.see_as(BEN)
    assert Reader(state).read(text) == request_
    if "visitor" not in text:
        assert Reader(StoryState(world, speaking_as=BEN)).read(text) == request_


def test_who_is_not_there_cannot_act_either(world: World) -> None:
    state = StoryState(world)
    state.see_as(BEN)
    for text in ("/say Zoltan: hi", "/do Zoltan: nods", "/as Zoltan", "/go Zoltan yard"):
        with pytest.raises(PromptError, match="only Ben can act"):
            Reader(state).read(text)
    with pytest.raises(PromptError, match="From there one gets to: the yard"):
        Reader(state).read("/go the moon")


def test_places_are_offered_for_an_event(world: World) -> None:
    state = StoryState(world)
    assert completions("/event the y", state) == ["/event the yard: "]
    assert completions("/event y", state) == ["/event yard: "]
    state.see_as(BEN)
    assert completions("/event ", state) == []


def test_completion_offers_the_names_that_the_viewpoint_knows(world: World) -> None:
    state = StoryState(world)
    assert completions("/sa", state) == ["/say "]
    assert "/say Cy Dorn: " in completions("/say ", state)
    state.see_as(BEN)
    assert completions("/whisper ben to t", state) == ["/whisper ben to the visitor: "]
    assert not any("Cy" in line for line in completions("/view ", state))


async def test_chinese_names_and_marks_are_read(tmp_path: Path) -> None:
    session = await told_world(tmp_path / "save", FERRY_STORY, FERRY)
    read = Reader(StoryState(session.world)).read
    assert read("/say 孟蓼：坐。") == Say(character="meng", words="坐。")
    whisper = Say(character="du", words="嘘", to=("fang",), whisper=True)
    assert read("/whisper 杜水生 对 方序：嘘") == whisper
    assert read("/go 方序 渡口") == Go(character="fang", place="ferry")
    with pytest.raises(PromptError, match="杜水生"):
        read("/say 杜水: 坐")
    await session.close()


# ── folding ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("width", [4, 7, 20, 33])
@pytest.mark.parametrize(
    "text",
    [
        "A short line.",
        "A longer line, which has to be folded in several rows of a few words each.",
        "昨晚我亲眼看见有人提着灯往渡口去了，走到柳树底下忽然就把灯吹灭，你说怪不怪？",
        "Mixed 中文，and “English” words；混在一起。",
        "Donaudampfschifffahrtsgesellschaftskapitän",
    ],
)
def test_no_row_is_wider_than_it_may_be_and_nothing_is_lost(text: str, width: int) -> None:
    rows = list(fold(para(Span(text)), width))
    assert all(width_of(row) <= width for row in rows)
    joined = "".join(span.text for row in rows for span in row)
    assert joined.replace(" ", "") == text.replace(" ", "")


def test_a_closing_mark_never_begins_a_row() -> None:
    text = "你说，怪。不怪？" * 6
    for width in range(6, 30):
        rows = ["".join(s.text for s in row).strip() for row in fold(para(Span(text)), width)]
        assert not any(row[0] in "，。？" for row in rows)


def test_a_tail_goes_behind_the_last_row_or_under_it() -> None:
    paragraph = para("A lamp goes out.", tail=Span("seen by: Ann"))
    wide, narrow = list(fold(paragraph, 40)), list(fold(paragraph, 20))
    assert ["".join(s.text for s in row) for row in wide] == ["A lamp goes out.  seen by: Ann"]
    assert ["".join(s.text for s in row) for row in narrow] == [
        "A lamp goes out.",
        "  seen by: Ann",
    ]


def test_text_is_cut_and_filled_in_cells() -> None:
    assert cut("孟蓼在茶棚", 6) == "孟蓼…"
    assert padded("孟蓼", 6) == "孟蓼  "


# ── actions ───────────────────────────────────────────────────────────────────────────────────


def test_every_action_has_a_key_of_its_own() -> None:
    assert key_problems({}) == []


def test_unknown_actions_and_keys_given_twice_are_reported() -> None:
    (unknown,) = key_problems({"nextbeat": "x"})
    assert unknown == (
        "settings: `keys.nextbeat`: no such action. Did you mean `next-beat`? F1 lists them."
    )
    (twice,) = key_problems({"play": "r"})
    assert "`r` is given to `play` and to `retake`" in twice


def test_action_ids_are_unique() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
