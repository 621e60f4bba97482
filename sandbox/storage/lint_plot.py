"""Checks of organisations, containers, disguises, threads and prepared events."""

from collections.abc import Iterable, Iterator

from sandbox.errors import nearest
from sandbox.storage.findings import Finding, missing
from sandbox.story.canon import Canon, CanonFact, Thing
from sandbox.story.plot import Condition, Held, Prepared, ThingSet, Thread
from sandbox.story.threads import OPEN

# ── people and organisations ──────────────────────────────────────────────────────────────────


def disguises(canon: Canon) -> Iterator[Finding]:
    """Whom a disguise shows, and who sees through it."""
    for who in canon.characters:
        if (worn := who.disguise) is not None:
            key = f"{who.id}.disguise"
            kind = "character or entity"
            yield from missing("characters", f"{key}.seen_as", kind, [worn.seen_as], _seen(canon))
            if worn.seen_as == who.id:
                yield "characters", f"{key}.seen_as", "is the character itself, so no disguise."
            through = worn.seen_through_by
            where = f"{key}.seen_through_by"
            yield from missing("characters", where, "character", through, canon.cast)


def _seen(canon: Canon) -> set[str]:
    return {*canon.cast, *(entity.id for entity in canon.entities)}


def organisations(canon: Canon) -> Iterator[Finding]:
    """Members, and the facts that were shared with them."""
    for group in canon.organisations:
        members = [member.who for member in group.members]
        where = f"{group.id}.members"
        yield from missing("organisations", where, "character", members, canon.cast)
    for fact in canon.facts:
        yield from _sharings(canon, fact)


def _sharings(canon: Canon, fact: CanonFact) -> Iterator[Finding]:
    where, order = f"{fact.id}.shared", canon.scene_order
    groups = [sharing.organisation for sharing in fact.shared]
    yield from missing("facts", where, "organisation", groups, canon.organisations_by_id)
    scenes = [sharing.scene for sharing in fact.shared]
    yield from missing("facts", where, "canon scene", scenes, order)
    happened = order.get(fact.scene, 0) if fact.scene else -1
    for sharing in fact.shared:
        told = order.get(sharing.scene, happened) if sharing.scene else -1
        if told < happened:
            when = f"in `{sharing.scene}`" if sharing.scene else "before the first scene"
            yield "facts", where, f"shared {when}, and it came about in `{fact.scene}` only."


# ── things ────────────────────────────────────────────────────────────────────────────────────


def whereabouts(canon: Canon) -> Iterator[Finding]:
    """A thing is in one place, with one person or in one container, and never inside itself."""
    for thing in canon.things:
        given = [x for x in (thing.place, thing.holder, thing.inside) if x is not None]
        if len(given) != 1:
            yield "things", thing.id, "needs exactly one of `place`, `holder` and `inside`."
        where = f"{thing.id}.inside"
        yield from missing("things", where, "thing", [thing.inside], canon.things_by_id)
        if _is_within_itself(canon, thing):
            yield "things", where, f"`{thing.id}` is inside itself. Put one of them in a place."


def _is_within_itself(canon: Canon, thing: Thing) -> bool:
    seen: set[str] = set()
    outer = canon.things_by_id.get(thing.inside) if thing.inside else None
    while outer is not None and outer.id not in seen:
        if outer.id == thing.id:
            return True
        seen.add(outer.id)
        outer = canon.things_by_id.get(outer.inside) if outer.inside else None
    return False


# ── the plot ──────────────────────────────────────────────────────────────────────────────────


def threads(canon: Canon) -> Iterator[Finding]:
    """States with ids of their own, and conditions on people, facts and predicates there are."""
    for thread in canon.threads:
        yield from _states(thread)
        for state in thread.states:
            where = f"threads.{thread.id}.states.{state.id}.when"
            for condition in state.when:
                yield from _condition(canon, "threads", where, condition)


def _states(thread: Thread) -> Iterator[Finding]:
    seen: set[str] = set()
    for state in thread.states:
        where = f"threads.{thread.id}.states.{state.id}"
        if state.id == OPEN:
            yield "threads", where, f"`{OPEN}` is what a thread is while no state of it holds."
        if state.id in seen:
            yield "threads", where, "is the id of two states. Give each its own."
        seen.add(state.id)


def _condition(canon: Canon, section: str, where: str, condition: Condition) -> Iterator[Finding]:
    yield from missing(section, where, "character", [condition.who], canon.cast)
    facts = [condition.knows, condition.lacks]
    yield from missing(section, where, "fact", facts, canon.facts_by_id)
    if condition.believes is not None:
        yield from _held(canon, section, where, condition.believes)


def _held(canon: Canon, section: str, where: str, held: Held) -> Iterator[Finding]:
    predicates = [held.predicate]
    yield from missing(section, where, "predicate", predicates, canon.predicates)
    subjects = {*canon.names, *(fact.subject for fact in canon.facts)}
    if held.subject not in subjects:
        hint = nearest(held.subject, subjects)
        yield section, where, f"nothing in this world is called `{held.subject}`.{hint}"


def prepared(canon: Canon) -> Iterator[Finding]:
    """What a prepared event names, and whether it changes what there is."""
    for item in canon.prepared:
        key = f"prepared.{item.id}"
        places = canon.places_by_id
        yield from missing("prepared", f"{key}.place", "place", [item.place], places)
        yield from missing("prepared", f"{key}.reveals", "fact", item.reveals, canon.facts_by_id)
        for condition in item.when:
            yield from _condition(canon, "prepared", f"{key}.when", condition)
        for change in item.things:
            yield from _thing_set(canon, f"{key}.things", change)
        yield from _doors(canon, key, item)


def _thing_set(canon: Canon, where: str, change: ThingSet) -> Iterator[Finding]:
    named: Iterable[tuple[str, str | None, Iterable[str]]] = (
        ("thing", change.thing, canon.things_by_id),
        ("place", change.place, canon.places_by_id),
        ("character", change.holder, canon.cast),
    )
    for kind, name, known in named:
        yield from missing("prepared", where, kind, [name], set(known))
    if change.place is not None and change.holder is not None:
        problem = f"`{change.thing}` cannot be in a `place` and with a `holder`. Choose one."
        yield "prepared", where, problem
    if change.state is None and change.place is None and change.holder is None:
        problem = f"nothing of `{change.thing}` changes. Give `state`, `place` or `holder`."
        yield "prepared", where, problem


def _doors(canon: Canon, key: str, item: Prepared) -> Iterator[Finding]:
    ways = {frozenset(link.between) for link in canon.links}
    for change in item.doors:
        where = f"{key}.doors"
        yield from missing("prepared", where, "place", change.between, canon.places_by_id)
        known = all(place in canon.places_by_id for place in change.between)
        if known and frozenset(change.between) not in ways:
            a, b = change.between
            yield "prepared", where, f"there is no way between `{a}` and `{b}`."
