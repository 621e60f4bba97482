"""What scenes leave in memories, for all small stories: never another's words, never what was not perceived."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.agents.summarising import Room, episode_request
from sandbox.story.episodes import ScenePart
from sandbox.story.events import LineSpoken, PatternGrown, Whispered
from sandbox.story.fold import fold
from sandbox.story.growing import grown_of
from sandbox.story.ids import SceneId
from sandbox.story.text import tokens
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property.rich import rich_histories
from tests.property.scenes import Plain, Told, acts, says, whispers
from tests.property.strategies import START, History

bounded = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)
TIGHT = Room(prompt_tokens=800, max_tokens=200)


def world_of(history: History) -> World:
    return fold(history.canon, START, history.beats).world


def moody_events() -> st.SearchStrategy[Plain]:
    """What people in one room say and do, and how their moods turn with it."""
    who = st.sampled_from(["ann", "ben"])
    moods = st.sampled_from(["calm", "cross", "merry"])
    lines = st.sampled_from(["Where is it?", "I never said so.", "Hush."])
    return st.one_of(
        st.builds(lambda a, mood: {"kind": "mood_turned", "actor": a, "mood": mood}, who, moods),
        st.builds(lambda a, words, n: says(a, f"{n}. {words}"), who, lines, st.integers(0, 99)),
        st.builds(lambda words: says("ben", words, "ann"), lines),
        st.builds(lambda words: whispers("ann", words, "ben"), lines),
        st.builds(lambda a: acts(a, "waits"), who),
    )


def grown_in(world: World) -> list[tuple[CharacterView, PatternGrown]]:
    views = [CharacterView(world, who) for who in sorted(world.grants)]
    found = [(view, grown_of(view, list(view.percepts))) for view in views]
    return [(view, pattern) for view, pattern in found if pattern is not None]


GROWN: Counter[str] = Counter()
"""How many patterns grew, for whom: a property of nothing holds of everything."""


@settings(bounded, max_examples=150)
@given(st.lists(moody_events(), min_size=8, max_size=20))
def check_grown(events: list[Plain]) -> None:
    for view, pattern in grown_in(Told(*events).world):
        GROWN[view.me] += 1
        perceived = (p.event for p in view.percepts)
        lines = [e for e in perceived if isinstance(e, LineSpoken | Whispered)]
        own = {line.words for line in lines if line.actor == view.me}
        assert pattern.owner == view.me
        assert set(pattern.samples) <= own
        ids = {percept.beat.event_id(percept.index) for percept in view.percepts}
        assert set(pattern.rests_on) <= ids
        assert pattern.mood_before != pattern.mood_after


def test_a_pattern_that_grows_has_its_owners_own_words_and_rests_on_its_own_percepts() -> None:
    check_grown()
    assert min(GROWN["ann"], GROWN["ben"]) > 5


@bounded
@given(rich_histories())
def test_a_request_for_a_summary_has_its_owners_percepts_alone_and_fits(history: History) -> None:
    world = world_of(history)
    for who in sorted(world.grants):
        view = CharacterView(world, who)
        part = ScenePart(who, SceneId("s1"), 1, tuple(view.percepts))
        request = episode_request(view, part, TIGHT)
        if request is None:
            assert not any(map(view.worded, view.percepts))
            continue
        assert sum(estimated_tokens(m.content) for m in request.messages) <= TIGHT.prompt_tokens
        shown = request.messages[1].content.split("\n\n")[0].split("\n")[1:]
        mine = {" ".join(tokens(view.worded(percept))) for percept in view.percepts}
        for line in shown:
            words = " ".join(tokens(line))
            assert any(text.startswith(words) for text in mine), line
