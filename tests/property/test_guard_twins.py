"""The guard is no oracle: its verdict is the same whatever is true (DESIGN section 7, point 8)."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.agents.guarding import Finding, Guard, findings, retry_text, without
from sandbox.agents.minds import Move
from sandbox.evals.guarding import Line, Worlds, lines_of
from sandbox.storage.places import worlds_folder
from sandbox.story.canon import Canon, CanonFact
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.world import World

LINES = Path(__file__).parents[1] / "marked" / "guard_lines.jsonl"
WORLDS = Worlds(worlds_folder())
NAMES = ("lantern_inn", "jiangcun_duchuan")
UNLIKE = {"en-014", "en-059", "en-112", "zh-081"}
"""Paraphrased leaks whose twin shares more, or less, with texts of the speaker's own: by chance, and not by
what is true, as `test_whatever_is_true_the_verdict_is_the_same` shows of each."""


def leaks() -> list[Line]:
    """The leaks with a twin, of the half that is not held out."""
    return [line for line in lines_of(LINES, "dev") if line["twin"]]


def verdict(world: World, line: Line, words: str) -> tuple[list[str], str, str]:
    """Offences, the text of the retry and what is left of the move, with the words put as `…`."""
    view = CharacterView(world, CharacterId(line["speaker"]))
    move = Move(words=words, to=tuple(CharacterId(who) for who in line["to"]))
    found = findings(view, move)
    left = without(move, found, view).words
    asked = retry_text(view, found)
    for finding in found:
        asked = asked.replace(finding.sentence, "…")
    return [f.offence.value for f in found], asked, left.replace(words, "…")


# ── another truth ─────────────────────────────────────────────────────────────────────────────


@cache
def other_truth(name: str, speaker: str) -> World:
    """The world with something else true wherever `speaker` does not know what is."""
    world = WORLDS[name]
    known = world.grants[CharacterId(speaker)]
    values: dict[str, Any] = world.canon.model_dump(by_alias=True)
    values["facts"] = [
        fact if fact["id"] in known else fact | _something_else(fact, world.canon)
        for fact in values["facts"]
    ]
    canon = Canon.model_validate(values)
    return fold(canon, canon.default_start, []).world


def _something_else(fact: dict[str, Any], canon: Canon) -> dict[str, Any]:
    """Another object, in other words; the predicate's kinds are kept."""
    groups = [[c.id for c in canon.characters], [p.id for p in canon.places]]
    groups += [[t.id for t in canon.things], [e.id for e in canon.entities]]
    other = "a wooden leg" if canon.language == "en" else "一条木腿"
    for group in groups:
        if fact["object"] in group:
            other = group[(group.index(fact["object"]) + 1) % len(group)]
    said = "It was quite another way." if canon.language == "en" else "其实全不是那么回事。"
    return {"object": other, "statement": said, "voiced": {}, "to_subject": None}


@pytest.mark.parametrize("line", leaks(), ids=lambda line: str(line["id"]))
def test_whatever_is_true_the_verdict_is_the_same(line: Line) -> None:
    """Neither of what is true nor of its twin does the guard know which is which."""
    world, other = WORLDS[line["world"]], other_truth(line["world"], line["speaker"])
    for words in (line["line"], line["twin"]):
        assert verdict(world, line, words) == verdict(other, line, words)


def test_another_truth_is_another_one() -> None:
    """The check above could fail: what is true there is not what is true here."""
    here, there = WORLDS["lantern_inn"], other_truth("lantern_inn", "ines")
    fact = next(f.id for f in here.canon.facts if f.id == "mara_hid")
    objects = [world.canon.facts_by_id[fact].object for world in (here, there)]  # type: ignore[index]
    assert objects[0] == "old_lantern"
    assert objects[1] != objects[0]


# ── planted twins ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "line", [x for x in leaks() if x["id"] not in UNLIKE], ids=lambda line: str(line["id"])
)
def test_a_planted_leak_and_its_twin_get_the_same_verdict_retry_and_result(line: Line) -> None:
    world = WORLDS[line["world"]]
    assert verdict(world, line, line["line"]) == verdict(world, line, line["twin"])


def test_those_whose_twin_differs_are_few_and_all_paraphrased() -> None:
    assert {line["form"] for line in leaks() if line["id"] in UNLIKE} == {"paraphrased"}
    assert len(UNLIKE) <= 0.05 * len(leaks())


# ── generated twins ───────────────────────────────────────────────────────────────────────────


def _sentences(name: str) -> Iterator[tuple[str, str, str, str]]:
    """(speaker, one sentence, its twin, kind): a wording with two objects, of a topic that is not held."""
    canon = WORLDS[name].canon
    people = [person.id for person in canon.characters]
    for fact in canon.facts:
        wordings = canon.predicates[fact.predicate].wordings
        for group in (people, [t.id for t in canon.things]):
            if fact.object not in group:
                continue
            for speaker in people:
                view = CharacterView(WORLDS[name], CharacterId(speaker))
                if speaker in (fact.subject, fact.object) or _is_held(view, fact, fact.object):
                    continue
                strangers = view.names.strangers
                others = [o for o in group if o not in (speaker, fact.object, fact.subject)]
                others = [o for o in others if not _is_held(view, fact, o)]
                for other in others:
                    if {other, fact.object, fact.subject} & strangers:
                        continue
                    one, two = (
                        wordings[0].format(s=view.names(fact.subject), o=view.names(o))
                        for o in (fact.object, other)
                    )
                    yield speaker, one[:1].upper() + one[1:], two[:1].upper() + two[1:], name


def _is_held(view: CharacterView, fact: CanonFact, object_: str) -> bool:
    """Whether any value is held of the topic, or of the same turned round."""
    topics = {(f.subject, f.predicate) for f in view.known}
    turned = {(f.object, view.inverse_of(f.predicate)) for f in view.known}
    inverse = view.inverse_of(fact.predicate)
    return bool((topics | turned) & {(fact.subject, fact.predicate), (object_, inverse)})


TWINS = [twin for name in NAMES for twin in _sentences(name)]


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(TWINS))
def test_a_wording_with_another_object_of_the_kind_gets_the_same_verdict(
    twin: tuple[str, str, str, str],
) -> None:
    speaker, one, two, name = twin
    view = CharacterView(WORLDS[name], CharacterId(speaker))
    first, second = (Guard(view).check(words) for words in (one, two))
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.offence == second.offence
        texts = [retry_text(view, [f]).replace(f.sentence, "…") for f in (first, second)]
        assert texts[0] == texts[1]


# ── the checks can fail ───────────────────────────────────────────────────────────────────────


def test_a_guard_that_looks_up_what_is_true_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted oracle: it objects to nothing but what is true."""
    line = next(x for x in leaks() if x["fact"] == "mara_hid" and x["form"] == "literal")
    check = Guard.check

    def oracle(self: Guard, sentence: str) -> Finding | None:
        found = check(self, sentence)
        true = WORLDS[line["world"]].canon.facts_by_id[line["fact"]].object
        return found if true.replace("_", " ") in sentence else None

    monkeypatch.setattr(Guard, "check", oracle)
    world = WORLDS[line["world"]]
    assert verdict(world, line, line["line"]) != verdict(world, line, line["twin"])
