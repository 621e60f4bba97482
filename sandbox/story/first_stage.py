"""The stage at a start point: where the canon leaves everybody and everything."""

from sandbox.story.canon import Canon
from sandbox.story.ids import CharacterId, OrganisationId, PlaceId, SceneId, ThingId
from sandbox.story.stage import NOWHERE, Mask, Neighbours, Stage, way
from sandbox.story.ways import Link


def stage_at(canon: Canon, at: SceneId) -> Stage:
    """The stage as the canon leaves it at the end of scene `at`; nothing later is on it."""
    stage = Stage(canon, at, ways_of(canon, at))
    for who in canon.characters:
        if canon.holds(who, at):
            stage.place_of[CharacterId(who.id)] = who.home
    for scene in canon.scenes_until(at):
        there = dict.fromkeys(scene.roster.present, scene.place) | dict(scene.positions)
        stage.place_of |= {who: p for who, p in there.items() if who in stage.place_of}
    for near in stage.neighbours.values():
        stage.doors |= {way(*link.between): link.door for _, link in near}
    _put_things(stage)
    _put_people(stage)
    _put_members(stage)
    return stage


def ways_of(canon: Canon, at: SceneId) -> Neighbours:
    """For each place its neighbours, in order of id, with the link that leads there."""
    found: dict[PlaceId, list[tuple[PlaceId, Link]]] = {}
    for link in canon.links:
        places = [canon.places_by_id[place] for place in link.between]
        # A way is there where it and both its places are.
        if all(canon.holds(item, at) for item in (link, *places)):
            a, b = link.between
            found.setdefault(a, []).append((b, link))
            found.setdefault(b, []).append((a, link))
    return {place: tuple(sorted(near, key=lambda way: way[0])) for place, near in found.items()}


def _put_things(stage: Stage) -> None:
    for thing in stage.canon.things:
        if stage.canon.holds(thing, stage.at):
            there = thing.place or thing.holder or thing.inside or NOWHERE
            stage.thing_at[ThingId(thing.id)] = there
            if thing.concealed:
                stage.concealed.add(ThingId(thing.id))


def _put_people(stage: Stage) -> None:
    for who in stage.place_of:
        person = stage.canon.cast[who]
        if person.deaf:
            stage.deaf.add(who)
        if person.blind:
            stage.blind.add(who)
            stage.felt[who] = frozenset(stage.present(stage.place_of[who]))
        known = person.impairment_known_to
        stage.known_by[who] = None if known is None else frozenset(known)
        worn = person.disguise
        if worn and stage.canon.holds(worn, stage.at):
            stage.masks[who] = Mask(worn.seen_as, frozenset(worn.seen_through_by))


def _put_members(stage: Stage) -> None:
    canon, at = stage.canon, stage.at
    for group in canon.organisations:
        if canon.holds(group, at):
            belong = {m.who for m in group.members if canon.holds(m, at)}
            stage.members[OrganisationId(group.id)] = belong & set(stage.place_of)
