"""What a question names: facts, people, things, lines and threads, by id or by any name in any language."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.errors import UsageError, nearest
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.facts import Proposition
from sandbox.story.ids import CharacterId, FactId, PredicateId, ThreadId
from sandbox.story.text import clean
from sandbox.story.world import World

_PARTS = 3
"""Subject, predicate, object."""


def character_named(world: World, name: str) -> CharacterId:
    """The character that is meant by an id, a name or an alias.

    Raises:
        UsageError: there is none, or it has left the story; names the nearest.
    """
    canon = world.canon
    found = _named(canon, name, canon.cast)
    if found is None:
        known = [n for who in world.grants for n in (who, *canon.names[who])]
        raise UsageError(f"no character `{clean(name)}` in `{canon.id}`.{nearest(name, known)}")
    if found not in world.grants:
        raise UsageError(f"`{found}` has no part in the story after canon scene `{world.start}`.")
    return CharacterId(found)


def entity_named(world: World, name: str) -> str:
    """The id of a person, place, thing or other entity; free text that some fact holds stands as it is.

    Raises:
        UsageError: nothing is called so; names the nearest.
    """
    canon = world.canon
    if (found := _named(canon, name, canon.names)) is not None:
        return found
    if any(name in (fact.subject, fact.object) for fact in world.facts.values()):
        return name
    known = [n for id_, names in canon.names.items() for n in (id_, *names)]
    raise UsageError(f"nothing called `{clean(name)}` in `{canon.id}`.{nearest(name, known)}")


def predicate_named(world: World, name: str) -> PredicateId:
    """A predicate of the world's list.

    Raises:
        UsageError: it is not in the list; names the nearest.
    """
    canon = world.canon
    if name in canon.predicates:
        return PredicateId(name)
    listed = ", ".join(f"`{id_}`" for id_ in canon.predicates)
    hint = nearest(name, canon.predicates) or f" There are: {listed}."
    raise UsageError(f"no predicate `{clean(name)}` in `{canon.id}`.{hint}")


def saying_named(world: World, text: str) -> Proposition:
    """What is asked about: a fact by its id, or `subject/predicate/object`.

    The object may be anything, also what nobody ever said.

    Raises:
        UsageError: there is no such fact, subject or predicate; names the nearest.
    """
    if text in world.facts:
        return world.facts[FactId(text)].proposition
    parts = text.replace("／", "/").split("/", _PARTS - 1)
    if len(parts) == _PARTS and all(part.strip() for part in parts):
        subject, predicate, object_ = (part.strip() for part in parts)
        found = _named(world.canon, object_, world.canon.names)
        return (
            entity_named(world, subject),
            predicate_named(world, predicate),
            found or object_,
        )
    if text in world.canon.facts_by_id:
        raise UsageError(
            f"fact `{text}` belongs to the canon after `{world.start}`, where this story begins: "
            "nobody in it can know it."
        )
    known = [id_ for id_ in world.facts if ":" not in id_]
    hint = nearest(text, known) or " Write the id of a fact, or `subject/predicate/object`."
    raise UsageError(f"no fact `{clean(text)}` in `{world.canon.id}`.{hint}")


def line_named(world: World, text: str) -> tuple[Beat, int | None]:
    """A line by its turn, `12`, or by turn and number of the event in it from 0, `12.1`.

    Raises:
        UsageError: it is no number, or the surviving story has no such turn or event.
    """
    turn, dot, index = text.partition(".")
    if not turn.isascii() or not turn.isdecimal() or (dot and not index.isdecimal()):
        raise UsageError(f"`{clean(text)}` is no line. Write its turn, `12`, or `12.1`.")
    # Several lines of the journal may bear one turn: the last of them is the story's.
    beat = next((b for b in reversed(world.beats) if b.turn == int(turn)), None)
    if beat is None:
        raise UsageError(f"no turn {turn} with a line in it; the story is at turn {world.turn}.")
    if not dot:
        return beat, None
    if int(index) >= len(beat.events):
        raise UsageError(f"turn {turn} has events {turn}.0 to {turn}.{len(beat.events) - 1}.")
    return beat, int(index)


def thread_named(world: World, text: str) -> ThreadId:
    """A thread of the world.

    Raises:
        UsageError: there is none of that id; names the nearest.
    """
    known = world.canon.threads_by_id
    if text in known:
        return ThreadId(text)
    listed = ", ".join(f"`{id_}`" for id_ in known)
    hint = nearest(text, known) or (
        f" There are: {listed}." if known else " This world has no threads."
    )
    raise UsageError(f"no thread `{clean(text)}` in `{world.canon.id}`.{hint}")


def _named(canon: Canon, text: str, among: Iterable[str]) -> str | None:
    """The id that `text` is, else the first that bears it as a name or alias."""
    ids = list(among)
    if text in ids:
        return text
    wanted = _folded(text)
    named = (id_ for id_ in ids if wanted in [_folded(name) for name in canon.names[id_]])
    return next(named, None)


def _folded(name: str) -> str:
    return name.strip().casefold().removeprefix("the ")
