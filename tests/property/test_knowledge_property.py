"""Who knows what, for all small stories with everything in them, in two languages."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.first_stage import stage_at
from sandbox.story.fold import Fold, fold
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.world import World
from tests.property import invariants
from tests.property.reference import Reference
from tests.property.rich import (
    NAMES,
    PEOPLE,
    TOKENS,
    Plain,
    beat_of,
    rich_canon,
    rich_histories,
    rich_intents,
    told,
)
from tests.property.strategies import START, History

bounded = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.explicit, Phase.generate],  # to make one of these stories shorter takes minutes
)
wishes = st.lists(rich_intents(), min_size=16, max_size=32)


def world_of(history: History) -> World:
    return fold(history.canon, START, history.beats).world


# ── 1: nobody gains what it did not perceive ──────────────────────────────────────────────────


@bounded
@given(rich_histories())
def test_everybody_has_the_percepts_it_was_a_witness_of_and_no_others(history: History) -> None:
    invariants.percepts_are_the_stored_witnesses(world_of(history), history)


@settings(bounded, max_examples=30)
@given(rich_histories())
def test_everybody_learns_what_the_rules_teach_it_and_nothing_else(history: History) -> None:
    world, reference = world_of(history), Reference(history)
    for who in world.grants:
        facts = [world.facts[id_] for id_ in world.grants[who]]
        held = {((f.subject, str(f.predicate), f.object), f.mode.value) for f in facts}
        assert held == reference.learned(who), who


@bounded
@given(rich_histories())
def test_every_grant_names_an_event_its_knower_took_in_full(history: History) -> None:
    world = world_of(history)
    for who, held in world.grants.items():
        for grants in held.values():
            for grant in grants:
                if grant.because.beat is not None:
                    happened = grant.because.beat.events[grant.because.index]
                    assert who in invariants.full(happened)
                    assert grant.teller != who


# ── 2: adding a character elsewhere changes nothing here ──────────────────────────────────────


def crowded(canon: Canon) -> Canon:
    """The same world with somebody more, in a place joined to nothing."""
    plain = canon.model_dump(by_alias=True, mode="json")
    zed = {"id": "zed", "name": "Zed", "home": "void"}
    plain["characters"] = [*plain["characters"], zed]
    plain["places"] = [*plain["places"], {"id": "void", "name": "VOID"}]
    return Canon.model_validate(plain)


@bounded
@given(wishes)
def test_somebody_elsewhere_changes_nothing_here(wished: list[Plain]) -> None:
    # What is announced to all reaches the one elsewhere, too, as all there know.
    here = [one for one in wished if one["kind"] != "announced" or one["to"] is not None]
    canon = rich_canon(NAMES["en"])
    before, after = told(canon, here), told(crowded(canon), here)
    assert len(before.beats) == len(after.beats)
    one, other = world_of(before), world_of(after)
    for who in one.grants:
        seen, with_zed = invariants.of_one(one, who), invariants.of_one(other, who)
        for by_person in ("names", "seen"):
            with_zed[by_person] = with_zed[by_person][:-1]
        assert seen == with_zed


# ── 3: what happens in places far apart commutes ──────────────────────────────────────────────

LOCAL = ("line_spoken", "acted", "thought", "mood_turned", "state_turned", "fact_seen")
_local = rich_intents().filter(lambda one: one["kind"] in LOCAL and not one.get("into"))
APART = {"ann": "hall", "ben": "hall", "cy": "hall", "dee": "far", "eve": "far", "fay": "far"}


def by(intent: Plain, actor: str) -> Plain:
    return intent | {"actor": actor}


@settings(bounded, max_examples=15)
@given(
    wishes,
    st.tuples(_local, st.sampled_from(["ann", "ben", "cy"])),
    st.tuples(_local, st.sampled_from(["dee", "eve", "fay"])),
)
def test_events_in_places_far_apart_commute(
    wished: list[Plain], here: tuple[Plain, str], there: tuple[Plain, str]
) -> None:
    canon = rich_canon(NAMES["en"])
    parting = {"kind": "stage_set", "actor": "ann", "places": APART}
    calm = [one for one in wished if one["kind"] != "spied"]
    before = told(canon, [*calm, parting])
    stage = fold(canon, START, before.beats).world.stage
    both = [(by(*here), 90), (by(*there), 91)]
    seq = len(before.beats) + 1
    ends: list[World] = []
    for pair in (both, both[::-1]):
        beats, now = list(before.beats), stage.copy()
        for number, (intent, mark) in enumerate(pair):
            beat = beat_of(intent, mark, seq + number, now)
            if beat is not None:
                beats.append(beat)
                for happened in beat.events:
                    now.apply(happened.event)
        assume(len(beats) == seq + 1)
        ends.append(fold(canon, START, beats).world)
    assert ends[0].stage == ends[1].stage
    for who in ends[0].grants:
        assert without_order(ends[0], who) == without_order(ends[1], who)


def without_order(world: World, who: CharacterId) -> dict[str, Any]:
    """What somebody has, whichever turn it came in."""
    found = invariants.of_one(world, who)
    found["facts"] = sorted(fact[:-1] for fact in found["facts"])
    return found


# ── 4: the fold of a prefix is the state at that turn ─────────────────────────────────────────


@settings(bounded, max_examples=15)
@given(rich_histories(most=20))
def test_a_live_world_is_the_fold_of_what_has_happened(history: History) -> None:
    folding = Fold(history.canon, START)
    for turn, beat in enumerate(history.beats, start=1):
        folding.apply(beat)
        anew = fold(history.canon, START, history.beats[:turn]).world
        assert invariants.everything(folding.world) == invariants.everything(anew)


@settings(bounded, max_examples=20)
@given(rich_histories())
def test_a_story_read_from_its_journal_is_the_story_that_was_played(history: History) -> None:
    read = [Beat.model_validate(beat.as_json()) for beat in history.beats]
    anew = fold(history.canon, START, read).world
    assert invariants.everything(anew) == invariants.everything(world_of(history))


# ── 5: renaming everybody changes nothing but names ───────────────────────────────────────────

OTHER_NAMES = {
    "english_in_each_other": ("Ann", "Ben Ann", "Anna", "Ann Lee", "Lee", "Lee Ann Dorn"),
    "chinese_in_each_other": ("李", "李四", "四", "小李四", "李四光", "王小李"),
    "mixed": ("Ann", "安", "安Ann", "安安", "Ann-Lee", "Lee"),
}


@pytest.mark.parametrize("names", OTHER_NAMES.values(), ids=OTHER_NAMES)
@pytest.mark.parametrize("language", ["en", "zh"])
@settings(bounded, max_examples=12)
@given(wished=wishes)
def test_renaming_everybody_changes_nothing_but_names(
    language: str, names: tuple[str, ...], wished: list[Plain]
) -> None:
    renamed = dict(zip(PEOPLE, names, strict=True))
    before = told(rich_canon(TOKENS, language), wished)
    after = told(rich_canon(renamed, language), wished)
    assert [b.seq for b in before.beats] == [b.seq for b in after.beats]
    for one, other in zip(before.beats, after.beats, strict=True):
        for had, has in zip(one.events, other.events, strict=True):
            assert list(had.witnesses.items()) == list(has.witnesses.items())
            assert (had.unnoticed, had.seeming, had.taken) == (
                has.unnoticed,
                has.seeming,
                has.taken,
            )
    first, second = world_of(before), world_of(after)
    assert first.strangers == second.strangers
    for who in first.grants:
        assert with_names(held_by(first, who), renamed) == held_by(second, who)


def held_by(world: World, who: CharacterId) -> dict[str, Any]:
    """What somebody has in words, without ids that are made of words."""
    view = CharacterView(world, who)
    return {
        "percepts": [view.worded(percept) for percept in view.percepts],
        "facts": [
            (f.subject, f.predicate, f.object, f.statement, f.route, f.source, f.learned_turn)
            for f in view.known
        ],
        "voiced": [view.voiced(f.handle) for f in view.known],
        "names": [view.names(other) for other in sorted(world.grants)],
        "people": [(p.id, p.called) for p in view.people],
    }


def with_names(found: Any, names: dict[str, str]) -> Any:
    """The same with every token put as the name it stands for."""
    match found:
        case str():
            for who, token in TOKENS.items():
                found = found.replace(token, names[who])
            return found
        case dict():
            return {key: with_names(value, names) for key, value in found.items()}
        case list() | tuple():
            return type(found)(with_names(one, names) for one in found)
        case _:
            return found


# ── the checks can fail ───────────────────────────────────────────────────────────────────────


def telling_story() -> History:
    claim = {"subject": "cup", "predicate": "took", "object": "ben", "mode": "claimed"}
    line = {"kind": "line_spoken", "actor": "ann", "targets": [0], "chorus": [], "language": None}
    loud = line | {"volume": "normal", "aside": False, "tells": [claim]}
    return told(rich_canon(NAMES["en"]), [loud])


def test_a_fact_granted_to_one_who_was_not_there_is_seen() -> None:
    history = telling_story()
    world = world_of(history)
    fact = next(f for f in world.facts.values() if f.subject == "cup" and f.predicate == "took")
    fay = CharacterId("fay")
    world.grants[fay][fact.id] = world.grants[CharacterId("ben")][fact.id]  # type: ignore[index]
    held = {(world.facts[id_].subject, world.facts[id_].object) for id_ in world.grants[fay]}
    assert ("cup", "ben") in held
    assert (("cup", "took", "ben"), "claimed") not in Reference(history).learned("fay")


def test_every_kind_of_event_comes_up_in_the_histories() -> None:
    seen: set[str] = set()

    @settings(bounded, max_examples=60)
    @given(rich_histories())
    def look(history: History) -> None:
        seen.update(h.event.kind for beat in history.beats for h in beat.events)

    look()
    own = {"scene_opened", "scene_closed", "episode_written", "pattern_grown"}
    own |= {"guard_found", "commanded", "withdrawn"}
    from sandbox.story.events import Event

    kinds = {kind.model_fields["kind"].default for kind in Event.__args__[0].__args__}
    assert kinds - seen <= own
    assert stage_at(rich_canon(NAMES["zh"], "zh"), START).deaf
