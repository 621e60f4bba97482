"""Words, as lists give them: aloud, aside, whispered; topics told and places claimed."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.errors import StageError
from sandbox.evals.knowledge.casting import UNPLACED
from sandbox.evals.knowledge.moment import Moment, Step, Steps, overheard, set_apart
from sandbox.story import events
from sandbox.story.claims import Claim
from sandbox.story.ids import CharacterId
from sandbox.story.predicates import LOCATED_IN, SAID_ABOUT
from sandbox.story.stage import NOWHERE


def say(m: Moment) -> Steps:
    """A line, aloud or aside, by one, by several, or by nobody the list names."""
    if _is_voice(m):
        yield from _voice(m)
        return
    m.check_alive(m.doers)
    if m.switches.claims == "everywhere" and m.event.heard_by is None:
        speaker = sorted(m.doers, key=lambda who: not m.is_here(who))[0]
        told = events.Announced(actor=speaker, words=m.words, tells=_tells(m))
        yield Step(told, is_main=True)
        return
    if elsewhere := [who for who in m.doers if m.is_elsewhere(who)]:
        m.check_here(elsewhere)
    if m.event.heard_by is not None:
        yield from _aside(m, m.names.everybody(m.event.heard_by))
    else:
        yield Step(_line(m), is_main=True)


def _is_voice(m: Moment) -> bool:
    """Nobody speaks, or in a play somebody whom the list itself counts dead as it does."""
    counted_dead = m.is_staged and not set(m.event.doers).difference(m.event.dead)
    return not m.doers or counted_dead


def _voice(m: Moment) -> Steps:
    yield Step(events.Narrated(text=m.words, place=m.place), is_main=True)
    for claim in _tells(m)[:1] if m.event.topic else ():
        yield Step(events.FactSeen(actor=None, place=m.place, fact=claim))


def _line(
    m: Moment, *, aside: bool = False, targets: Sequence[CharacterId] = ()
) -> events.LineSpoken:
    """The line of whoever of the speakers is on the stage, with the others who are."""
    on_stage = sorted(m.doers, key=lambda who: not m.is_here(who))
    speaker, chorus = on_stage[0], [who for who in on_stage[1:] if m.is_here(who)]
    return events.LineSpoken(
        actor=speaker,
        words=m.words,
        aside=aside,
        targets=tuple(w for w in targets if w != speaker),
        chorus=tuple(chorus),
        into=m.place if m.stage.place_of[speaker] == NOWHERE else None,
        tells=_tells(m),
    )


def _aside(m: Moment, heard: Sequence[CharacterId]) -> Steps:
    """A line of which the list says who hears it; who is not there hears it as a listener unseen."""
    here = [who for who in heard if m.is_here(who)]
    spies = m.spies
    from_afar = [who for who in heard if who not in (*here, *spies, *m.doers)]
    able = [who for who in from_afar if who not in m.stage.dead]
    line = Step(_line(m, aside=True, targets=here), is_main=True)
    yield from overheard(m, able, m.place, iter([line]))


def whisper(m: Moment) -> Steps:
    """Actor and targets only, wherever they are; and who listens in on the actor."""
    if not m.doers:
        raise StageError("whisper needs an `actor`.")
    actor, *others = m.doers
    m.check_alive([actor])
    targets = dict.fromkeys((*m.names.everybody(m.event.targets), *others))
    here = m.stage.place_of[actor]
    spies = [who for who in m.spies if who not in (actor, *targets)]
    is_off = here == NOWHERE and bool(spies)
    if is_off:  # whoever listens in does so somewhere
        yield set_apart([actor], UNPLACED)
    line = Step(_whispered(m, actor, tuple(w for w in targets if w != actor)), is_main=True)
    yield from overheard(m, spies, here or UNPLACED, iter([line]))
    if is_off:
        yield set_apart([actor], None)


def _whispered(m: Moment, actor: CharacterId, targets: tuple[CharacterId, ...]) -> events.Whispered:
    here = m.stage.place_of[actor]
    return events.Whispered(
        actor=actor,
        words=m.words,
        targets=targets,
        by_wire=here == NOWHERE or any(m.stage.place_of[who] != here for who in targets),
        tells=_tells(m),
    )


def noise(m: Moment) -> Steps:
    """A taste, a remark: in stories its actor alone has it, and who secretly listens; in plays all do."""
    if m.is_staged or not m.doers or m.doers[0] in m.stage.dead:
        yield Step(m.business(), is_main=True)
    elif m.event.secret_witnesses and m.is_here(m.doers[0]):
        muttered = events.LineSpoken(actor=m.doers[0], words=m.words, aside=True)
        yield Step(muttered, is_main=True)
    else:
        yield Step(events.Thought(actor=m.doers[0], text=m.words), is_main=True)


def _tells(m: Moment) -> tuple[Claim, ...]:
    event, claims = m.event, list[Claim]()
    if event.topic:
        topic = event.topic
        claims.append(Claim(subject=topic, predicate=SAID_ABOUT, object=topic, said=m.words))
    if event.object and event.container:
        claims.append(
            Claim(
                subject=m.names.thing(event.object),
                predicate=LOCATED_IN,
                object=m.names.container_spoken_of(event.container, m.place_name, m.stage),
                said=m.words,
            )
        )
    return tuple(claims)
