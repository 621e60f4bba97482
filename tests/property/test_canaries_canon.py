"""Canaries where the canon says least: ties without a text, facts about words, senses that are missing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.storage.worlds import read_world
from sandbox.story import canon_grants, first_stage
from sandbox.story.canon import CanonFact
from sandbox.story.granting import Granting
from sandbox.story.ids import CharacterId
from sandbox.story.phrases import kind_in_words
from sandbox.story.routes import Route
from sandbox.story.stage import Stage
from sandbox.story.view import CharacterView
from tests.property.canary_mint import regards_in, tokens
from tests.property.canary_plan import DULL, SCENES, STARTS
from tests.property.canary_stage import Leak
from tests.property.canary_starts import Start
from tests.property.canary_stories import minds_alone
from tests.property.canary_watch import Watch, watching
from tests.property.canary_world import canary_world

LATE = SCENES[2]


def beginning(
    folder: Path, *, language: str = "en", scene: str = LATE, plan: Any = STARTS
) -> Start:
    """The story of a world as it is about to begin."""
    world = canary_world(language, plan)
    return Start(world, read_world(world.write(folder / "canaries")), scene)


# ── what is shown of it, to whom it belongs: else the canaries would say nothing ─────────────────


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_others_are_to_one_without_a_text_stands_in_ones_own_requests_alone(
    tmp_path: Path, language: str
) -> None:
    start = beginning(tmp_path, language=language)
    await start.check_requests()
    shown = {asked.who for asked in start.aside.asked if regards_in(asked.text)}
    assert shown >= {"ann", "ben", "cy", "dee", "eve", "fay"}


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_motive_stands_in_the_requests_of_who_has_it(tmp_path: Path, language: str) -> None:
    start = beginning(tmp_path, language=language)
    await start.check_requests()
    cast, at = start.written.files["cast.toml"], SCENES.index(LATE)
    for who, motive in (("cy", "keeps"), ("ben", "wishes"), ("ben", "wants")):
        said = tokens(str([item for item in cast[who][motive] if item["from"] == SCENES[at]]))
        assert said & words_sent(start, who)


def words_sent(start: Start, who: str) -> set[str]:
    return tokens(" ".join(asked.text for asked in start.aside.asked if asked.who == who))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fact_about_words_is_seen_by_who_holds_it(tmp_path: Path, language: str) -> None:
    start = beginning(tmp_path, language=language)
    start.check_seen()
    given = tokens(" ".join(text for _, text in start.seen_by(person_in(start, "cy"))))
    assert start.written.of("fact.subject", "saying", SCENES.index(LATE)) <= given


def person_in(start: Start, who: str) -> CharacterId:
    name = start.written.files["cast.toml"][who]["name"]
    return next(id_ for id_, person in start.canon.cast.items() if person.name == name)


# ── who cannot hear, who cannot see ──────────────────────────────────────────────────────────────


@pytest.mark.endpoint
@pytest.mark.parametrize(
    ("start", "seed", "language", "deep"), [(SCENES[0], 1, "en", False), (LATE, 2, "zh", True)]
)
async def test_who_cannot_hear_or_see_from_the_canon_on_misses_what_is_said_or_shown(
    tmp_path: Path, start: str, seed: int, language: str, deep: bool
) -> None:
    async with watching(tmp_path, start, seed, language=language, deep=deep, plan=DULL) as watch:
        await minds_alone(watch, 40)
        assert "line_spoken" in missed(watch, "eve")
        assert {"acted", "entered"} & missed(watch, "cy")
        next_door = {"ann", "ben", "dee", "fay"}
        assert any("acted" in missed(watch, who) for who in next_door)


def missed(watch: Watch, who: str) -> set[str]:
    """The kinds of event of which somebody took in only that they happened."""
    happened = [h for line in watch.journal() for h in line["events"]]
    return {h["event"]["kind"] for h in happened if h.get("witnesses", {}).get(who) == "that"}


@pytest.mark.endpoint
async def test_in_rehearsal_nobody_tells_what_it_could_not_hear(tmp_path: Path) -> None:
    async with watching(tmp_path, SCENES[1], 3, parrot=False, plan=DULL) as watch:
        await minds_alone(watch, 50)
        assert "line_spoken" in missed(watch, "eve")


# ── faults ───────────────────────────────────────────────────────────────────────────────────────


def of_others(name: str) -> property:
    """What all the others have of a kind, in place of one's own."""
    own = getattr(CharacterView, name)
    get: Callable[[CharacterView], Any] = getattr(own, "func", None) or own.fget

    def found(view: CharacterView) -> list[Any]:
        return [item for other in _others(view) for item in get(other)]

    return property(found)


def _others(view: CharacterView) -> Iterator[CharacterView]:
    world = view._world
    yield from (CharacterView(world, who) for who in sorted(world.percepts) if who != view.me)


def _ties(view: CharacterView) -> list[tuple[CharacterId, str]]:
    """What others are to others, of which the world says no more than that."""
    return [tie for other in _others(view) for tie in _unworded(other, always=False)]


def _ties_at_any_time(view: CharacterView) -> list[tuple[CharacterId, str]]:
    return _unworded(view, always=True)


def _unworded(view: CharacterView, *, always: bool) -> list[tuple[CharacterId, str]]:
    ties = [r for r in view._self.relations if r.text is None and (always or view._holds(r))]
    return [(r.to, kind_in_words(view.language, r.kind)) for r in ties]


def _regards_for_me(view: CharacterView) -> list[tuple[CharacterId, str]]:
    """How others regard the one whose view it is."""
    found = ((other.me, tie) for other in _others(view) for tie in other._self.relations)
    return [(who, tie.text) for who, tie in found if tie.to == view.me and tie.text]


def _keeps_of_all(view: CharacterView) -> list[Any]:
    keeps = [k for person in view._world.canon.characters for k in person.keeps]
    return [keep for keep in keeps if view._holds(keep) and view.held(keep.fact)]


def _subjects(view: CharacterView) -> tuple[str, ...]:
    named = view._world.canon.names
    return tuple(f.subject for f in view._world.canon.facts if f.subject not in named)


def _beliefs_of_the_plot(view: CharacterView) -> tuple[str, ...]:
    states = [state for thread in view._world.canon.threads for state in thread.states]
    held = [condition.believes for state in states for condition in state.when]
    return tuple(one.object for one in held if one is not None)


_OWN = "conduct", "goals", "relations", "secrets_of_self", "wants"
_SHOWN: dict[str, tuple[str, property, str]] = {
    **{f"the {name} of others": (name, of_others(name), "reached") for name in _OWN},
    "what others are to others": ("relations", property(_ties), "to somebody reached"),
    "what others will be to one": ("relations", property(_ties_at_any_time), "to somebody reached"),
    "how others regard one": ("relations", property(_regards_for_me), "reached"),
    "why others keep a secret": ("keeps", property(_keeps_of_all), "own of `cy`"),
    "what facts are about": ("goals", property(_subjects), "fact.subject"),
    "a belief in the plot": ("goals", property(_beliefs_of_the_plot), "belief in a thread"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("shown", _SHOWN)
async def test_what_is_not_ones_own_is_seen_in_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: str, language: str
) -> None:
    start = beginning(tmp_path, language=language)
    name, fault, told = _SHOWN[shown]
    monkeypatch.setattr(CharacterView, name, fault)
    with pytest.raises(Leak, match=told):
        await start.check_requests()


def test_what_others_do_with_their_hands_is_seen_in_a_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No request of a model holds gestures: they are what rehearsal acts by."""
    monkeypatch.setattr(CharacterView, "gestures", of_others("gestures"))
    with pytest.raises(Leak, match="own of"):
        beginning(tmp_path).check_seen()


def test_a_fact_that_all_learn_who_were_there_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = canon_grants._groups

    def by_presence(granting: Granting, item: CanonFact) -> Iterator[dict[CharacterId, Route]]:
        scenes = [s for s in granting.canon.scenes if s.id == item.scene and item.observed]
        there = [who for s in scenes for who in s.roster.present if who in granting.grants]
        yield from groups(granting, item)
        yield dict.fromkeys(there, Route.OBSERVED)

    monkeypatch.setattr(canon_grants, "_groups", by_presence)
    with pytest.raises(Leak):
        beginning(tmp_path).check_seen()


def test_who_cannot_see_and_is_shown_a_place_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_away("blind", monkeypatch)
    with pytest.raises(Leak, match=r"of `(hall|yard)`"):
        beginning(tmp_path, plan=DULL).check_seen()


@pytest.mark.endpoint
@pytest.mark.parametrize(("sense", "who"), [("deaf", "eve"), ("blind", "cy")])
async def test_a_sense_that_the_canon_takes_away_and_the_stage_leaves_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sense: str, who: str
) -> None:
    take_away(sense, monkeypatch)
    async with watching(tmp_path, SCENES[0], 1, plan=DULL) as watch:
        with pytest.raises(Leak, match=rf"`{who}` witnessed|reached `{who}`"):
            await watch.play(30)
        watch.arrived.clear()


def take_away(sense: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stage forget who is deaf, or blind."""
    put = first_stage._put_people

    def forgetful(stage: Stage) -> None:
        put(stage)
        getattr(stage, sense).clear()

    monkeypatch.setattr(first_stage, "_put_people", forgetful)
