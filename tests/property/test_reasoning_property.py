"""Co-reasoning, for all small stories: nothing from outside the boundary, whatever is asked."""

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.agents.reasoning.anchors import anchors_of
from sandbox.agents.reasoning.deep import widen
from sandbox.agents.reasoning.probes import Caps, probe_fast
from sandbox.agents.reasoning.questions import question_of, question_put
from sandbox.agents.reasoning.synthesis import Grounded, synthesise
from sandbox.story.canon import Canon
from sandbox.story.fold import Fold, fold
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.percepts import percept_id
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property.house import chinese, house
from tests.property.strategies import CAST, START, History, histories

bounded = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)
ENTITIES = ("ann", "ben", "cy", "dee", "eve", "cup", "book", "hall", "yard", "attic", "a vow")
_MOST = Caps().facts + 3 * Caps().facts
"""With the causes of what is asked about."""
QUESTIONS = (
    "Who took {x}?",
    "Where is {x}?",
    "Why did {x} take {y}?",
    "Why was {x} hidden in {y}?",
    "What do you know about {x} and {y}?",
    "Did {x} take {y}?",
    "Tell me of the visitor and of {x}.",
    "{x}?",
    "Why did you take {x}?",
    "谁拿了{x}？",
    "为什么{x}在{y}？",
    "",
)
NAMES = (
    "Ann", "Ben", "Cy Dorn", "Dorn", "the visitor", "Dee", "Eve", "the cup", "the book", "the hall",
    "the yard", "the attic", "Zorblax", "a vow", "a loan", "Bob",
)  # fmt: skip
questions = st.builds(
    lambda form, x, y: form.format(x=x, y=y),
    st.sampled_from(QUESTIONS),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
)


def reasoned(world: World, who: str, words: str, found: Sequence[FactId] = ()) -> dict[str, Any]:
    """All that comes of a question, as people are shown it; checked on the way."""
    view = CharacterView(world, CharacterId(who))
    asked = question_of(words, view)
    ids = [*(percept_id(p) for p in view.percepts[-6:]), *(e.id for e in view.episodes)]
    anchors = anchors_of(view, ids)
    pool = probe_fast(view, asked, anchors, found)
    answer = synthesise(view, asked, pool)
    assert answer is not None
    gathered = [fact for grown in pool.growth for fact in grown.facts]
    assert gathered == list(pool)
    assert all(fact == view.known.pick([fact.handle])[0] for fact in pool)
    assert len(pool) <= _MOST
    if isinstance(answer, Grounded):
        for fact in (*answer.support, *answer.outdone):
            assert fact.handle in pool
        assert answer.support or answer.at_hand
    for name in asked.entities:
        assert name in view.names.canon.names or any(
            name in (f.subject, f.object) for f in view.known
        )
    return {
        "asked": asked.plain(view),
        "anchors": [anchor.plain(view) for anchor in anchors],
        "pool": [grown.plain(view) for grown in pool.growth],
        "answer": answer.plain(view),
    }


@bounded
@given(histories(), questions, st.sampled_from(CAST))
def test_what_is_gathered_and_told_is_inside_the_boundary(
    history: History, words: str, who: str
) -> None:
    world = fold(history.canon, START, history.beats).world
    reasoned(world, who, words)
    view = CharacterView(world, CharacterId(who))
    asked = question_put(view)
    assert asked is None or asked.asker != who
    pool = probe_fast(view, asked)
    widen(view, words, [], pool)
    assert all(fact.handle in view.known for fact in pool)


@bounded
@given(histories(), questions, st.sampled_from(CAST))
def test_the_same_question_at_the_same_turn_has_the_same_answer(
    history: History, words: str, who: str
) -> None:
    """Also where the graph and the names were made while the story went on."""
    once = fold(history.canon, START, history.beats).world
    grown = fold(history.canon, START, ()).world
    reasoned(grown, who, words)
    again = fold(history.canon, START, history.beats).world
    assert reasoned(once, who, words) == reasoned(again, who, words)


@bounded
@given(histories(), questions, st.sampled_from(CAST))
def test_asked_all_along_it_answers_as_when_asked_once(
    history: History, words: str, who: str
) -> None:
    folding = Fold(history.canon, START)
    for beat in history.beats:
        folding.apply(beat)
        reasoned(folding.world, who, words)
    whole = fold(history.canon, START, history.beats).world
    assert reasoned(folding.world, who, words) == reasoned(whole, who, words)


# ── facts elsewhere ───────────────────────────────────────────────────────────────────────────

_facts = st.lists(
    st.fixed_dictionaries(
        {
            "subject": st.sampled_from(ENTITIES),
            "predicate": st.sampled_from(["taken_by", "took", "hidden_in", "was_at", "said_about"]),
            "object": st.sampled_from(ENTITIES),
            "cause": st.integers(min_value=0, max_value=7),
        }
    ),
    max_size=8,
)


def canon_with(known: list[dict[str, Any]], elsewhere: list[dict[str, Any]], *, zh: bool) -> Canon:
    """Some facts that Ann knows, and some that others alone do; causes go both ways."""
    facts = []
    whole = [(f, "ann", "k") for f in known] + [(f, "eve", "e") for f in elsewhere]
    ids = [f"{mark}{n}" for n, (_, _, mark) in enumerate(whole)]
    for number, (fact, who, _) in enumerate(whole):
        said = {k: fact[k] for k in ("subject", "predicate", "object")}
        statement = f"{fact['subject']} {fact['predicate']} {fact['object']}, statement {number}."
        cause = fact["cause"]
        facts.append({
            "id": ids[number],
            "statement": statement,
            "experienced": [who],
            # Of what Ann knows the cause may be elsewhere: that it is there must not show.
            "cause": ids[cause] if cause < len(known) and cause != number else None,
            **said,
        })  # fmt: skip
    canon = house(facts=facts)
    return chinese().model_copy(update={"facts": canon.facts}) if zh else canon


@bounded
@given(_facts, _facts, questions, st.booleans())
def test_facts_elsewhere_change_nothing(
    known: list[dict[str, Any]], elsewhere: list[dict[str, Any]], words: str, zh: bool
) -> None:
    without = fold(canon_with(known, [], zh=zh), START, ()).world
    beside = fold(canon_with(known, elsewhere, zh=zh), START, ()).world
    assert reasoned(without, "ann", words) == reasoned(beside, "ann", words)


@bounded
@given(_facts, questions, st.booleans())
def test_an_unknown_cause_is_as_none(known: list[dict[str, Any]], words: str, zh: bool) -> None:
    """Whether what Ann knows has a cause that she does not know, nobody can tell from her."""
    canon = canon_with(known, [{**f, "cause": 99} for f in known], zh=zh)
    none = [f.model_copy(update={"cause": None}) for f in canon.facts]
    hidden = [
        f.model_copy(update={"cause": f"e{len(known) + n}" if f.id.startswith("k") else None})
        for n, f in enumerate(canon.facts)
    ]
    plain, causes = (
        fold(canon.model_copy(update={"facts": tuple(facts)}), START, ()).world
        for facts in (none, hidden)
    )
    assert reasoned(plain, "ann", words) == reasoned(causes, "ann", words)
