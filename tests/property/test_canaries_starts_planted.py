"""Start points that load more than they may: the canaries see each of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox.storage.worlds import read_world
from sandbox.story import canon_grants
from sandbox.story.canon import Canon
from sandbox.story.ids import PatternId, SceneId
from sandbox.story.view import CharacterView
from tests.property.canary_plan import ID_OF, SCENES, STARTS
from tests.property.canary_stage import Leak
from tests.property.canary_starts import Start
from tests.property.canary_world import CanaryWorld, canary_world


def _begun(canon: Canon, item: Any, at: SceneId) -> bool:
    return item.from_ is None or canon.scene_order[item.from_] <= canon.scene_order[at]


def _not_over(canon: Canon, item: Any, at: SceneId) -> bool:
    return item.until is None or canon.scene_order[at] < canon.scene_order[item.until]


def _at_the_end(grant: Callable[..., None]) -> Callable[..., None]:
    def granted(granting: Any, fact: Any, item: Any, start: SceneId) -> None:
        grant(granting, fact, item, SceneId(ID_OF[SCENES[-1]]))

    return granted


def _all_patterns(view: CharacterView) -> dict[PatternId, Any]:
    own = view._world.canon.patterns
    return {PatternId(pattern.id): pattern for pattern in own if pattern.owner == view.me}


_STARTS: dict[str, tuple[object, str, Any]] = {
    "what is not over, begun or not": (Canon, "holds", _not_over),
    "what has begun, over or not": (Canon, "holds", _begun),
    "all texts": (Canon, "at", lambda canon, texts, at: tuple(text.text for text in texts)),
    "all scenes": (Canon, "scenes_until", lambda canon, at: iter(canon.scenes)),
    "all patterns": (CharacterView, "patterns", property(_all_patterns)),
    "tellings to come": (canon_grants, "_grant_told", _at_the_end(canon_grants._grant_told)),
    "sharings to come": (canon_grants, "_grant_shared", _at_the_end(canon_grants._grant_shared)),
    "all relations": (
        CharacterView,
        "relations",
        property(lambda view: [(r.to, r.text) for r in view._self.relations]),
    ),
    "all wants": (CharacterView, "wants", property(lambda view: list(view._self.wants))),
}


@pytest.mark.parametrize("loaded", _STARTS)
async def test_a_start_point_that_loads_more_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded: str
) -> None:
    world = canary_world("en", STARTS)
    canon = read_world(world.write(tmp_path / "canaries"))
    monkeypatch.setattr(*_STARTS[loaded])
    with pytest.raises(Leak):
        await look_at_every_start(world, canon)


async def look_at_every_start(world: CanaryWorld, canon: Canon) -> None:
    for scene in SCENES:
        start = Start(world, canon, scene)
        start.check_seen()
        await start.check_requests()


async def test_a_fact_of_a_later_scene_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Common knowledge that comes about in a scene, without a span of its own."""
    world = canary_world("en", STARTS)
    canon = read_world(world.write(tmp_path / "canaries"))
    timeless = [fact.model_copy(update={"scene": None}) for fact in canon.facts]
    with pytest.raises(Leak):
        Start(world, canon.model_copy(update={"facts": tuple(timeless)}), SCENES[0]).check_seen()
