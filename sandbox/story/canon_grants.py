"""What the canon has taught whom by the start point, by route (ReverieMem, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.story.canon import CanonFact
from sandbox.story.evidence import Kind
from sandbox.story.facts import Fact, Source
from sandbox.story.granting import Granting
from sandbox.story.ids import CharacterId, SceneId
from sandbox.story.routes import Route


def grant_canon(granting: Granting, start: SceneId) -> None:
    """Grant every canon fact that stands at `start` to those who know it by then.

    Whoever has left the story by now is given nothing.
    """
    for fact in list(granting.facts.values()):
        if fact.canon is not None:
            _grant_own(granting, fact, fact.canon)
            _grant_shared(granting, fact, fact.canon, start)
            _grant_told(granting, fact, fact.canon, start)


def _grant_own(granting: Granting, fact: Fact, item: CanonFact) -> None:
    source = Source(item.scene)
    for group in _groups(granting, item):
        granting.give(fact, group, source, Kind.SEEN)


def _groups(granting: Granting, item: CanonFact) -> Iterator[dict[CharacterId, Route]]:
    """Who learned it together: all of a scene; before the first scene each for itself."""
    if item.common:
        yield dict.fromkeys(granting.grants, Route.COMMON)
    routes = [(who, Route.EXPERIENCED) for who in item.experienced]
    routes += [(who, Route.OBSERVED) for who in item.observed]
    known = [(who, route) for who, route in routes if who in granting.grants]
    if item.scene is not None:
        if known:
            yield dict(known)
    else:
        yield from ({who: route} for who, route in known)


def _grant_shared(granting: Granting, fact: Fact, item: CanonFact, start: SceneId) -> None:
    """Members when it was shared know it; who joined later only where newcomers are briefed."""
    canon, order = granting.canon, granting.canon.scene_order
    for sharing in item.shared:
        group = canon.organisations_by_id[sharing.organisation]
        # Nothing is shared with a group before there is one.
        when = sharing.scene or group.from_ or SceneId(canon.scenes[0].id)
        if order[when] > order[start]:
            continue
        present = [m.who for m in group.members if canon.holds(m, when)]
        if group.briefs_newcomers:
            present += [m.who for m in group.members if canon.holds(m, start)]
        to = {who: Route.ORGANISATION for who in present if who in granting.grants}
        granting.give(fact, to, Source(sharing.scene or group.from_), Kind.SEEN)
        granting.shared.setdefault(sharing.organisation, []).append((fact, None, None))


def _grant_told(granting: Granting, fact: Fact, item: CanonFact, start: SceneId) -> None:
    order = granting.canon.scene_order
    for told in sorted(item.told, key=lambda t: order[t.scene]):
        if order[told.scene] <= order[start] and told.to in granting.grants:
            source = Source(told.scene)
            granting.give(fact, {told.to: Route.TOLD}, source, Kind.TOLD, told.by)
