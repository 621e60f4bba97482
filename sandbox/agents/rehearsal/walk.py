"""Looking at things and going places."""

from collections.abc import Iterator

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.phrases import LOOK
from sandbox.story.chance import Chance
from sandbox.story.graphs import first_step
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.surroundings import ThingSeen
from sandbox.story.view import CharacterView


def doing(view: CharacterView, notebook: Notebook, chance: Chance) -> Iterator[Move]:
    """Examine a thing within reach that was not examined in my sight, and hides nothing of mine."""
    kept = {name for k in view.keeps if (f := view.held(k.fact)) for name in (f.subject, f.object)}
    new = [t for t in view.things if t.id not in notebook.examined and t.id not in kept]
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
            step = first_step(view.known_ways, view.place, seen)
            if step in open_ways:
                return step
    return None


def _people_in_mind(view: CharacterView) -> list[CharacterId]:
    wished = [who for wish in view.wishes for who in wish.to]
    return list(dict.fromkeys([*wished, *(other for other, _ in view.relations)]))
