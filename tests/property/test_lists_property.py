"""Event lists of every shape: the engine's replay against a slow one, and refused events leave no trace."""

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.evals.knowledge.answering import answer
from sandbox.evals.knowledge.items import KNOWN_OPS, Ask, ListedItem
from sandbox.evals.knowledge.moment import Switches
from sandbox.evals.knowledge.reading import item_of
from sandbox.evals.knowledge.replaying import Replay, replay
from sandbox.evals.knowledge.scoring import score_file
from tests.property.listed_stories import (
    BOXES,
    CAST,
    OBJECTS,
    PLACES,
    TOPICS,
    TYPES,
    Writer,
    switches,
    written,
)
from tests.slow_lists import SlowReplay


def item(events: list[dict[str, Any]], cast: Any = CAST) -> ListedItem:
    problems: list[str] = []
    read = item_of(
        json.loads(json.dumps({"id": "x", "cast": cast, "events": events})), 1, "x", problems
    )
    assert problems == []
    return read


def ask(played: Replay, chosen: Switches, op: str, chain: Any = (), **about: Any) -> Any:
    asked = {"object": None, "topic": None, "event": None} | about
    try:
        return answer(Ask(op=op, chain=tuple(chain), **asked), played, chosen.trust)
    except KeyError:
        return None


_CHAINS = [(), *product(CAST[:3], repeat=1), *product(CAST[:3], repeat=2)]
longer_chains = st.lists(st.sampled_from(CAST), min_size=3, max_size=4)


@settings(max_examples=150, deadline=None)
@given(written(), st.lists(longer_chains, max_size=5))
def test_the_engine_and_a_slow_replay_by_the_rules_alone_agree(
    made: tuple[Switches, Writer], longer: list[list[str]]
) -> None:
    chosen, writer = made
    slow = writer.slow
    played = replay(item(writer.events), chosen)
    assert played.refused == {}
    assert [set(heard or ()) for heard in played.witnesses] == slow.heard
    for topic in TOPICS:
        assert ask(played, chosen, "who_knows", topic=topic) == slow.who_knows(topic)
    for chain in [*_CHAINS, *map(tuple, longer)]:
        plain = [who for n, who in enumerate(chain) if not n or who != chain[n - 1]]
        for topic in TOPICS if chain else ():
            knows = "yes" if slow.knows(topic, plain) else "no"
            assert ask(played, chosen, "knows", chain, topic=topic) == knows, chain
        for thing in OBJECTS:
            same_of_thing(played, slow, chosen, thing, chain, plain)


def same_of_thing(
    played: Replay, slow: SlowReplay, chosen: Switches, thing: str, chain: Any, plain: list[str]
) -> None:
    assert ask(played, chosen, "first_container", object=thing) == slow.first_container(thing)
    assert ask(played, chosen, "label", object=thing) == slow.labels.get(thing)
    assert ask(played, chosen, "content", chain, object=thing) == slow.content(thing, plain), chain
    if chosen.trust == "later-leavers" and len(plain) > 1 and slow.claims_about(thing):
        return  # what one thinks of another's trust the rules leave open
    assert ask(played, chosen, "container", chain, object=thing) == slow.container(thing, plain), (
        thing,
        chain,
    )
    assert ask(played, chosen, "place", chain, object=thing) == slow.place(thing, plain), (
        thing,
        chain,
    )


wrong_events = st.sampled_from(
    [
        {"type": "enter", "actor": "Ann", "place": "the moon", "from_place": "the sun"},
        {"type": "exit", "actor": "小红", "place": "the moon"},
        {"type": "move_object", "actor": "Ann", "object": "key", "container": "jar", "place": "the moon"},
        {"type": "carry_object", "actor": "小红花", "object": "信", "place": "the moon", "to_place": "hall"},
        {"type": "open", "actor": "小红", "object": "key", "content": "sand", "place": "the moon"},
        {"type": "say", "actor": "Zed", "topic": "the fire", "place": "hall"},
        {"type": "whisper", "actor": "Zed", "targets": ["Ann"], "topic": "婚事", "place": "hall"},
        {"type": "whisper", "actor": None, "targets": ["Ann"], "topic": "婚事", "place": "hall"},
        {"type": "move_object", "actor": "Zed", "object": "key", "container": "jar", "place": "hall"},
    ]
)  # fmt: skip
marks = st.fixed_dictionaries(
    {},
    optional={
        "secret_witnesses": st.just(["小红"]),
        "distracted": st.just(["Anna B."]),
        "dead": st.just(["小红花"]),
        "present": st.just(["Ann", "Zed"]),
    },
)


def with_zed_dead(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Somebody who has died offstage, for lines the dead may not speak; and who stands where."""
    start: list[dict[str, Any]] = [
        {"type": "enter", "actor": "Zed", "place": "hall"},
        {"type": "dies", "actor": "Zed", "place": "hall"},
    ]
    settled = [{"type": "at", "actor": w, "place": "the attic"} for w in CAST]
    return [*start, *settled, *events]


def told(played: Replay) -> Any:
    """Everything a fold comes to, but the numbers of its lines."""
    world = played.fold.world
    return (
        world.stage,
        {
            key: [(e.fact.object, e.learners) for e in found]
            for key, found in world.evidence.items()
        },
        {who: list(held) for who, held in world.grants.items()},
        {who: [p.happened for p in list_] for who, list_ in world.percepts.items()},
        world.been,
    )


@settings(max_examples=60, deadline=None)
@given(
    chosen=switches,
    wrong=st.lists(st.tuples(wrong_events, marks, st.integers(0, 6)), min_size=1, max_size=3),
)
def test_nothing_of_a_refused_event_is_applied(
    chosen: Switches, wrong: list[tuple[dict[str, Any], dict[str, Any], int]]
) -> None:
    sound: list[dict[str, Any]] = [
        {"type": "wait", "actor": "Ann", "place": "the attic", "text": "waits"},
        {"type": "say", "actor": "小红", "place": "the attic", "topic": "the fire", "text": "Fire!"},
        {"type": "move_object", "actor": "Ann", "object": "key", "container": "jar", "place": "the attic"},
        {"type": "exit", "actor": "小红花", "place": "the attic", "text": "goes"},
        {"type": "whisper", "actor": "Ann", "targets": ["小红花"], "topic": "婚事", "place": "the attic"},
    ]  # fmt: skip
    listed = with_zed_dead(sound)
    mixed, refused = list(listed), []
    for event, marked, where in sorted(wrong, key=lambda one: -one[2]):
        mixed.insert(6 + min(where, 5), event | marked)
        refused.append(event | marked)
    played = replay(item(mixed), chosen)
    expected = {n for n, event in enumerate(mixed) if event in refused}
    assert set(played.refused) == expected, played.refused
    left = [event for n, event in enumerate(mixed) if n not in played.refused]
    # The same names, places and things are in both: a last item that is never played names them.
    unplayed = [event | {"type": "unheard of"} for event in refused]
    one, other = replay(item([*mixed, *unplayed]), chosen), replay(item([*left, *unplayed]), chosen)
    names = one.names.people.keys()
    assert names == other.names.people.keys()
    assert in_names(one) == in_names(other)


def in_names(played: Replay) -> Any:
    """The world with ids as names, so that the order of naming does not count."""
    names, (stage, evidence, grants, percepts, been) = played.names, told(played)
    return (
        {names.name(w): names.name(p) for w, p in stage.place_of.items()},
        {(names.name(t), names.name(w)) for t, w in stage.thing_at.items()},
        {names.name(w) for w in stage.dead | stage.distracted | set(stage.spying)},
        {
            (names.name(key[0]), key[1]): [
                (names.name(o), set(map(names.name, who))) for o, who in found
            ]
            for key, found in evidence.items()
        },
        {names.name(w): len(held) for w, held in grants.items()},
        {names.name(w): len(held) for w, held in percepts.items()},
        {names.name(w): set(map(names.name, there)) for w, there in been.items()},
    )


bytes_of_lines = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["events", "i", "type", "actor", "cast", "ask"]), inner
            )
        ),
        max_leaves=12,
    ).map(lambda value: json.dumps(value).encode()),
)
_FIELDS = (
    "i", "type", "actor", "actors", "place", "from_place", "to_place", "text", "targets", "topic",
    "object", "container", "label", "content", "present", "heard_by", "aside", "removed",
    "carried_over", "secret_witnesses", "distracted", "dead", "present_after",
)  # fmt: skip
loose_values: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.sampled_from([*CAST, *PLACES, *OBJECTS, *BOXES, "", " Ann ", "\ud800", 3, 0.5]),
    st.lists(st.sampled_from([*CAST, None, "", 7]), max_size=3), st.booleans(),
)  # fmt: skip
loose_events = st.builds(
    lambda kind, fields: {"type": kind} | fields,
    st.sampled_from([*TYPES, "scene_start", "scene_end", "dances", None]),
    st.dictionaries(st.sampled_from(_FIELDS[2:]), loose_values, max_size=9),
)
loose_asks = st.builds(
    lambda op, fields: {"op": op} | fields,
    st.sampled_from([*sorted(KNOWN_OPS), "sings"]),
    st.dictionaries(st.sampled_from(["chain", "object", "topic", "event"]), loose_values),
)
loose_questions = st.fixed_dictionaries({"ask": loose_asks, "gold": loose_values})


@settings(max_examples=150, deadline=None)
@given(
    lines=st.lists(bytes_of_lines, max_size=3),
    events=st.lists(loose_events, max_size=8),
    questions=st.lists(loose_questions, max_size=4),
    cast=st.sampled_from([list(CAST), {"Ann": "Ann of the mill"}, None, 5, [None, 3, {}], []]),
    chosen=switches,
)
def test_no_list_whatever_its_bytes_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    events: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    cast: Any,
    chosen: Switches,
) -> None:
    path = tmp_path_factory.getbasetemp() / "loose.jsonl"
    item_line = json.dumps({"id": 7, "cast": cast, "events": events, "questions": questions})
    path.write_bytes(b"\n".join([*lines, item_line.encode()]))
    score = score_file(path, chosen)
    assert score.items >= 1
    json.dumps(score.as_json(), ensure_ascii=False).encode()
    "\n".join([*score.problems, *score.refusals]).encode()
    assert score.witnessed_correct <= score.witnessed <= score.events
