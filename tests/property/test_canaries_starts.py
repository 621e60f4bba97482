"""Start points: at each canon scene nobody is given a token of anything that comes later, or is over.

The world has something of every kind that begins, and that ends, at every scene.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from tests.property.canary_mint import tokens
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
    ("Place", "outdoors"),
    ("Thing", "portable"),
    ("Predicate", "inverse"),
    ("Character", "trust"),
    ("Character", "deaf"),
    ("Character", "blind"),
    ("Character", "impairment_known_to"),
    ("Keep", "unless"),
    ("Link", "sight"),
    ("CanonScene", "positions"),
    ("Condition", "lacks"),
    ("Condition", "believes"),
    ("ThingSet", "place"),
    ("ThingSet", "holder"),
    ("Prepared", "doors"),
}
"""What the world leaves out: numbers, yes and no, and ids."""


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


def fields_of(item: BaseModel) -> Iterator[tuple[tuple[str, str], object]]:
    """Every field of a record and of those inside it."""
    for name in type(item).model_fields:
        value = getattr(item, name)
        if name not in ("from_", "until"):
            yield (type(item).__name__, name), value
        inner = value.values() if isinstance(value, dict) else value
        for part in inner if isinstance(inner, tuple) or isinstance(value, dict) else [value]:
            if isinstance(part, BaseModel):
                yield from fields_of(part)


@pytest.mark.endpoint
@pytest.mark.parametrize(("start", "language"), zip(SCENES, ["en", "zh"] * 2, strict=True))
async def test_a_story_from_any_start_point_stays_within_it(
    tmp_path: Path, start: str, language: str
) -> None:
    async with watching(tmp_path, start, 1, language=language, deep=True, plan=STARTS) as watch:
        await minds_alone(watch, 12)
        assert watch.kinds["probe"]
        assert watch.kinds["episode"]
