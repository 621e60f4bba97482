"""The inspector's page on how a move came about, and whose it is to see."""

from sandbox.agents.trace import Found, Trace, Widened
from sandbox.models.port import Message, Request
from sandbox.story.ids import CharacterId
from sandbox.tui.inspecting import page
from sandbox.tui.state import StoryState
from tests.property.canary_pages import text_of
from tests.property.scenes import Told, says

ANN, BEN = CharacterId("ann"), CharacterId("ben")
TRACE = Trace(
    asked="Where is the key?",
    anchors=("I hid the key.",),
    probes=[Widened("asked: the key", ("The key is in the hall.",)), Widened("here: Ben", ())],
    pool=("The key is in the hall.",),
    conclusion="grounded",
    support=("The key is in the hall.",),
    pattern="When somebody asks.",
    requests=[Request((Message("system", "You are Ann."), Message("user", "Now?")))],
    findings=[Found("asserted", "Ben has it.", "retried")],
)
TOLD = (
    "Where is the key?", "I hid the key.", "asked: the key: The key is in the hall.",
    "here: Ben: nothing new", "grounded", "When somebody asks.", "You are Ann.", "Now?",
    "asserted (retried): Ben has it.",
)  # fmt: skip


def shown(viewpoint: CharacterId | None, trace: Trace = TRACE) -> str:
    world = Told(says("ann", "In the hall.", "ben")).world
    state = StoryState(world)
    state.keep_trace(world.beats[-1].model_copy(update={"mind": "ann"}), trace)
    if viewpoint is not None:
        state.see_as(viewpoint)
    return text_of(page(state, "trace"))


def test_the_director_reads_all_of_a_trace() -> None:
    told = shown(None)
    assert [text for text in TOLD if text not in told] == []


def test_a_character_reads_its_own_trace_and_nobody_elses() -> None:
    assert "You are Ann." in shown(ANN)
    assert [text for text in TOLD if text in shown(BEN)] == []


def test_where_no_model_was_asked_the_page_says_so_to_whom_the_move_is() -> None:
    assert "in rehearsal" in shown(None, Trace())
    assert "in rehearsal" in shown(ANN, Trace())
    assert "No trace" in shown(BEN, Trace())


def test_traces_of_long_ago_are_let_go() -> None:
    world = Told(says("ann", "In the hall.", "ben")).world
    state, beat = StoryState(world), world.beats[-1]
    for seq in range(1, 400):
        state.keep_trace(beat.model_copy(update={"seq": seq}), TRACE)
    assert len(state.traces) == 200
    assert min(state.traces) == 200


def test_every_part_of_a_trace_is_in_its_lines_and_its_json() -> None:
    lines, plain = "\n".join(TRACE.lines()), str(TRACE.as_json())
    for part in ("Where is the key?", "I hid the key.", "You are Ann.", "Ben has it.", "retried"):
        assert part in lines
        assert part in plain


def test_how_moves_came_about_goes_with_a_line_before_them_that_is_taken_back() -> None:
    world = Told(says("ann", "In the hall.", "ben")).world
    state, beat = StoryState(world), world.beats[-1]
    for seq in range(1, 6):
        state.keep_trace(beat.model_copy(update={"seq": seq}), TRACE)
    state.take_back(world, {3})
    assert list(state.traces) == [1, 2]
