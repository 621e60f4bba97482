"""What a rehearsing character says instead of a truth it keeps: another value, and the same to everybody."""

from __future__ import annotations

from collections.abc import Collection

from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.story.chance import Chance
from sandbox.story.ids import CharacterId
from sandbox.story.known import KnownFact
from sandbox.story.view import CharacterView

_LIES_TO = {
    "friend": 0.9,
    "kin": 0.5,
    "lover": 0.5,
    "servant": 0.95,
    "employer": 0.95,
    "stranger": 0.95,
    "rival": 1.0,
}
"""Share of kept questions to which somebody lies, by what the asker is to it; else it evades."""
_LESS_TRUSTING = 0.3
"""Added for an asker whom the character itself does not trust at all."""
CLOSE = ("friend", "kin", "lover")
"""Kinds of relation to whom one confides."""
_BLAMED = ("stranger", "rival")
"""Kinds of relation whom a lie may accuse."""


def lie(
    view: CharacterView,
    notebook: Notebook,
    chance: Chance,
    fact: KnownFact,
    asker: CharacterId,
    hearers: Collection[CharacterId],
) -> str | None:
    """The object to name instead of the one of `fact`. None: the character does not lie here.

    It stays with what it said before, lies to nobody who, as it perceived, knows better, and
    accuses nobody to the face.

    Args:
        view: the character's.
        notebook: what it remembers of its own words.
        chance: of this decision.
        fact: the one it keeps.
        asker: who asks.
        hearers: who would take the lie in, the asker among them.
    """
    held = {h.object for h in view.holds(fact.subject, fact.predicate)}
    said = notebook.claimed.get((fact.subject, fact.predicate), {})
    if any(w in (fact.subject, fact.object) for w in hearers):
        return None  # their own affair
    if any(knows_already(view, notebook, who, fact) for who in hearers):
        return None
    if lies := [object_ for object_ in said if object_ not in held]:
        return None if lies[0] in {asker, *hearers} else lies[0]
    if chance.share("lie") >= _inclination(view, asker):
        return None
    choice = _candidates(view, fact, {asker, *hearers})
    return chance.pick("lie instead", choice) if choice else None


def knows_already(
    view: CharacterView, notebook: Notebook, who: CharacterId, fact: KnownFact
) -> bool:
    """Whether, as the character perceived it, somebody has a fact that it holds."""
    key = (fact.subject, fact.predicate, fact.object)
    return who in notebook.shared.get(key, ()) or view.thinks_knows(who, fact.handle)


def _inclination(view: CharacterView, asker: CharacterId) -> float:
    share = _LIES_TO.get(view.ties.get(asker, "stranger"), _LIES_TO["stranger"])
    return share + _LESS_TRUSTING * (1 - view.trust_in(asker))


def _candidates(view: CharacterView, fact: KnownFact, hearers: set[CharacterId]) -> list[str]:
    """Other objects that could stand there: of the same kind, and fit for what is asked.

    People are named only where they are nothing to the character, or its rivals, and none of
    whom, and no place of which, it hides something else.
    """
    held = {h.object for h in view.holds(fact.subject, fact.predicate)}
    barred = held | hearers | {view.me, fact.subject}
    mine = [f for k in view.keeps if (f := view.held(k.fact))]
    kept = {id_ for f in mine for id_ in (f.subject, f.object)}
    kind, asked = view.kind_of(fact.object), view.asked_after(fact.predicate)
    takes = view.object_kind(fact.predicate)
    if kind == "character" and (asked == "person" or takes == "character"):
        names = [id_ for id_, _ in view.known_names() if view.kind_of(id_) == "character"]
        others = [n for n in names if view.ties.get(CharacterId(n), "stranger") in _BLAMED]
        return [n for n in others if n not in barred | kept]
    if takes == "place" or asked == "place":
        known = {f.object for f in view.known if view.is_place(f.object)}
        places = known.union(view.known_ways, *view.known_ways.values())
        return sorted(places - barred - kept - {view.place})
    return sorted({f.object for f in view.known if _is_alike(view, f, fact)} - barred)


def _is_alike(view: CharacterView, other: KnownFact, fact: KnownFact) -> bool:
    """Whether the object of `other` could be one of `fact`: said by the same of the same kind."""
    if view.kind_of(other.object) != view.kind_of(fact.object):
        return False
    if view.kind_of(fact.object) == "entity" and view.asked_after(fact.predicate) == "person":
        return view.asked_after(other.predicate) == "person"
    same_kind = view.kind_of(other.subject) == view.kind_of(fact.subject)
    return other.predicate == fact.predicate and same_kind
