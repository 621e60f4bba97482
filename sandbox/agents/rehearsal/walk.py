"""Looking at things and going places."""

from collections.abc import Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import LOOK
from sandbox.story.chance import Chance
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.view import CharacterView, ThingSeen


def doing(view: CharacterView, notebook: Notebook, chance: Chance) -> Iterator[Move]:
    """Examine a thing within reach that was not examined in my sight."""
    new = [thing for thing in view.things if thing.id not in notebook.examined]
    if new:
        yield _examination(view, chance.pick("thing", new))


def _examination(view: CharacterView, thing: ThingSeen) -> Move:
    third, first = view.examining(thing.id)
    if third is None:
        third, first = (phrase.format(x=thing.called) for phrase in LOOK[view.language])
    return Move(action=third, action_first=first or "", examines=thing.id)


def going(view: CharacterView, notebook: Notebook, chance: Chance) -> Iterator[Move]:
    """Walk to a neighbour: where somebody I look for went, else where I have not been for longest."""
    open_ways = [exit_.place for exit_ in view.exits if not exit_.is_locked]
    if not open_ways:
        return
    sought = _towards_somebody(view, notebook, open_ways, chance)
    if sought is None:
        order = chance.shuffled("way", open_ways)
        sought = min(order, key=lambda place: notebook.visited.get(place, -1))
    yield Move(go=sought)


def _towards_somebody(
    view: CharacterView, notebook: Notebook, open_ways: list[PlaceId], chance: Chance
) -> PlaceId | None:
    """The next step towards somebody for whom I have a wish or a question."""
    here = {person.id for person in view.people}
    people = [who for who in _people_in_mind(view) if who not in here]
    for who in chance.shuffled("whom", people):
        seen = view.last_seen(who)
        if seen is not None and seen != view.place:
            step = _step(view, seen)
            if step in open_ways:
                return step
    return None


def _people_in_mind(view: CharacterView) -> list[CharacterId]:
    wished = [who for wish in view.wishes for who in wish.to]
    return list(dict.fromkeys([*wished, *(other for other, _ in view.relations)]))


def _step(view: CharacterView, goal: PlaceId) -> PlaceId | None:
    """First step of a shortest way over places I know; None: I know none."""
    ways = view.known_ways
    frontier, came = [view.place], {view.place: view.place}
    while frontier:
        place = frontier.pop(0)
        if place == goal:
            while came[place] != view.place:
                place = came[place]
            return place if place != view.place else None
        for other in sorted(ways.get(place, ())):
            if other not in came:
                came[other] = place
                frontier.append(other)
    return None
