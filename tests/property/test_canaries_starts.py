"""Start points: at each canon scene nobody is given a token of anything that comes later, or is over.

The world has something of every kind that begins, and that ends, at every scene.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from tests.property.canary_fields import begins_of, fields_of
from tests.property.canary_mint import NEVER, tokens
from tests.property.canary_plan import SCENES, STARTS
from tests.property.canary_starts import Start
from tests.property.canary_stories import minds_alone
from tests.property.canary_watch import watching
from tests.property.canary_world import CanaryWorld, canary_world

_EVERY_SCENE = {
    "own", "public", "known_as", "place.description", "place.name", "thing.name", "character.name",
    "fact", "fact.object", "voiced",
}  # fmt: skip
"""Kinds of text of which somebody is given one that begins at each scene after the first."""
_NO_TEXT = {
    ("Canon", "start"),
    ("Thing", "portable"),
    ("Character", "trust"),
    ("Condition", "lacks"),
    ("ThingSet", "place"),
    ("ThingSet", "holder"),
    ("Prepared", "doors"),
}
"""What the world leaves out: numbers, yes and no, and ids."""
_IDS_ALONE = (("Disguise", "seen_as"), ("Held", "subject"))
"""Where `sandbox check` takes no words of one's own."""
_TIMELESS = {
    0: {
        ("Canon", "title"),
        ("Canon", "blurb"),
        ("Character", "languages"),
        ("Entity", "name"),
        ("Entity", "aliases"),
        ("Held", "object"),
        ("Predicate", "wordings"),
        ("Predicate", "question"),
        ("Prepared", "text"),
        ("ThingSet", "state"),
        ("Thread", "question"),
    },
    NEVER: {("CanonScene", "title"), ("CanonScene", "narrative")},
}
"""Fields without a span, by the scene from which on what stands there may be held."""


@pytest.fixture(scope="module", params=["en", "zh"])
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[CanaryWorld, Canon]:
    """The world, as it is minted and as it is read."""
    world = canary_world(request.param, STARTS)
    return world, read_world(world.write(tmp_path_factory.mktemp("starts") / "canaries"))


@pytest.mark.parametrize("scene", SCENES)
def test_at_a_start_point_nothing_later_is_in_any_view_memory_or_page(
    written: tuple[CanaryWorld, Canon], scene: str
) -> None:
    Start(*written, scene).check_seen()


@pytest.mark.parametrize("scene", SCENES)
async def test_at_a_start_point_no_request_of_any_kind_holds_anything_later(
    written: tuple[CanaryWorld, Canon], scene: str
) -> None:
    start = Start(*written, scene)
    await start.check_requests()
    assert {asked.kind for asked in start.aside.asked} >= {"move", "probe", "answer"}


@pytest.mark.parametrize("scene", SCENES)
async def test_at_a_start_point_an_answer_without_a_model_holds_nothing_later(
    written: tuple[CanaryWorld, Canon], scene: str
) -> None:
    start = Start(*written, scene)
    assert await start.check_composed()
    assert not start.aside.asked


@pytest.mark.parametrize("scene", SCENES[1:])
def test_what_begins_at_the_start_point_is_there(
    written: tuple[CanaryWorld, Canon], scene: str
) -> None:
    """Else the others would say nothing: of a world that is not loaded nothing leaks."""
    start = Start(*written, scene)
    at, fields = SCENES.index(scene), written[0].fields
    given = " ".join(t for id_ in start.world.percepts for _, t in start.seen_by(id_))
    found = {fields[token].kind for token in tokens(given) if fields[token].first == at}
    assert found >= _EVERY_SCENE


def test_the_world_has_a_token_in_every_text_field_of_the_format(
    written: tuple[CanaryWorld, Canon],
) -> None:
    filled = defaultdict[tuple[str, str], bool](bool)
    for field, value in fields_of(written[1]):
        filled[field] |= bool(value)
    assert {field for field, is_filled in filled.items() if not is_filled} == _NO_TEXT


def test_in_every_field_that_holds_words_a_token_begins_at_every_scene(
    written: tuple[CanaryWorld, Canon],
) -> None:
    """In fields without a span it stands from the beginning on; nobody ever holds a narrative."""
    at_every = set(range(len(SCENES)))
    found = begins_of(*written)
    for field in _IDS_ALONE:
        assert found.pop(field) == set()
    assert {field: begins for field, begins in found.items() if begins != at_every} == {
        field: {at} for at, fields in _TIMELESS.items() for field in fields
    }


@pytest.mark.endpoint
@pytest.mark.parametrize(("start", "language"), zip(SCENES, ["en", "zh"] * 2, strict=True))
async def test_a_story_from_any_start_point_stays_within_it(
    tmp_path: Path, start: str, language: str
) -> None:
    async with watching(tmp_path, start, 1, language=language, deep=True, plan=STARTS) as watch:
        await minds_alone(watch, 20)
        assert watch.kinds["probe"]
        assert watch.kinds["episode"]
