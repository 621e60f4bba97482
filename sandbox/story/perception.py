"""Perception: who witnesses an event, and in what detail. Computed once, at commit, by small named rules.

docs/perception.md states each rule with an example; a change of any is a new `RULES_VERSION`.
"""

from sandbox.story import events
from sandbox.story.beats import Detail, Happened
from sandbox.story.events import Event, actor_of
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.reach import Reach, Sense, gather
from sandbox.story.stage import Stage


def perceive(event: Event, stage: Stage) -> Happened:
    """`event` with its witnesses on `stage`, which stands as it was just before."""
    reach = Reach(stage, event)
    gather(event, stage, reach)
    spies = reach.spies() if stage.spying else set[CharacterId]()
    # A spy is as if beside them: what stands in a letter nobody beside its reader sees.
    is_letter = isinstance(event, events.MessageSent | events.MessageRead)
    detail = Detail.THAT if is_letter else Detail.FULL
    reach.reached |= dict.fromkeys(spies, (detail, reach.sense or Sense.EITHER))
    details, seeming = _taken_in(reach, spies)
    everybody = sorted({*details, *seeming})
    # Made here from checked parts: to validate it again would take as long as all the rest.
    return Happened.model_construct(
        event=event,
        # In order of id, as a journal line has them: live and read again are the same.
        witnesses={who: details[who] for who in everybody if who in details},
        unnoticed=_unnoticed(reach, everybody, spies),
        seeming=tuple(seeming),
        aware=_aware(reach, everybody, seeming),
        taken=_mistaken(event, stage, everybody),
    )


def _taken_in(
    reach: Reach, spies: set[CharacterId]
) -> tuple[dict[CharacterId, Detail], list[CharacterId]]:
    """What each of those reached takes in, and who only seems to."""
    stage, details, seeming = reach.stage, dict[CharacterId, Detail](), list[CharacterId]()
    if not (stage.distracted or stage.deaf or stage.blind or reach.event.__dict__.get("language")):
        return {who: detail for who, (detail, _) in reach.reached.items()}, seeming
    for who, (reached, sense) in reach.reached.items():
        detail = _understood(who, reached, reach.event, stage)
        if who in reach.own:
            details[who] = Detail.FULL
            continue
        lacks = _lacks(who, sense, stage)
        if not lacks and who not in stage.distracted:
            details[who] = detail
            continue
        # Rule *distracted*: present, misses it, and nobody notices that.
        # Rules *deaf* and *blind*: the other sense tells that something happens.
        is_there = who in spies or _place_in(reach.event, who, stage) in reach.places
        if is_there and who not in stage.distracted:
            details[who] = Detail.THAT
        if detail is Detail.FULL and not (lacks and stage.known_by.get(who) is None):
            seeming.append(who)
    return details, sorted(seeming)


def _lacks(who: CharacterId, sense: Sense, stage: Stage) -> bool:
    return (sense is Sense.SOUND and who in stage.deaf) or (
        sense is Sense.SIGHT and who in stage.blind
    )


def _understood(who: CharacterId, detail: Detail, event: Event, stage: Stage) -> Detail:
    """Rule *another tongue*: who does not speak it hears that, not what."""
    tongue = event.__dict__.get("language")
    if tongue is None or tongue in stage.canon.cast[who].languages:
        return detail
    return Detail.THAT


def _unnoticed(
    reach: Reach, everybody: list[CharacterId], spies: set[CharacterId]
) -> tuple[tuple[CharacterId, CharacterId], ...]:
    """Pairs (a, b): a did not notice b, in order of their ids."""
    found = _out_of_notice(reach, everybody, spies)
    if blind := reach.stage.blind.intersection(everybody):
        return tuple(sorted({*found, *_unfelt(reach, everybody, blind)}))
    return found


def _unfelt(
    reach: Reach, everybody: list[CharacterId], blind: set[CharacterId]
) -> set[tuple[CharacterId, CharacterId]]:
    """Rule *blind*: who cannot see notices who acts and is addressed, and whom it knew to be there."""
    evident = {actor_of(reach.event), *reach.own, *reach.event.__dict__.get("targets", ())}
    return {
        (a, b)
        for a in blind
        for b in set(everybody) - evident - reach.stage.felt[a] - {a}
        if not {a, b} <= reach.party
    }


def _out_of_notice(
    reach: Reach, everybody: list[CharacterId], spies: set[CharacterId]
) -> tuple[tuple[CharacterId, CharacterId], ...]:
    """Pairs (a, b) where b was hidden, spying, or in another place and not heard there."""
    event, stage, party = reach.event, reach.stage, reach.party
    actor = actor_of(event)
    is_voice = isinstance(event, events.LineSpoken | events.Whispered)
    unseen = (stage.hidden | spies) - ({actor} if is_voice else set())
    # Those off the stage are in no place together.
    where = {who: _place_in(event, who, stage) or who for who in everybody}
    if len(set(where.values())) <= 1 and not unseen.intersection(everybody):
        return ()
    if not (unseen or party):  # by far the most frequent: those of one place notice one another
        apart = {
            place: [b for b in everybody if where[b] != place and b != actor]
            for place in set(where.values())
        }
        return tuple((a, b) for a in everybody for b in apart[where[a]] if a != b)
    found: list[tuple[CharacterId, CharacterId]] = []
    for a in everybody:
        # A spy has before it all who are in the place it spies on, and hears whom a whisper is for.
        before = {where[a], stage.spying[a]} if a in spies else {where[a]}
        known = party if a in party or a in spies else set()
        found += [
            (a, b)
            for b in everybody
            if a != b
            and b not in known
            and (b in stage.hidden or where[a] != where[b] or b not in spies)
            and (b in unseen or (b != actor and where[b] not in before))
        ]
    return tuple(found)


def _aware(
    reach: Reach, everybody: list[CharacterId], seeming: list[CharacterId]
) -> tuple[tuple[CharacterId, CharacterId], ...]:
    """Who knows that somebody could not hear or see it: the distracted nobody sees through."""
    stage = reach.stage
    return tuple(
        (a, b)
        for b in seeming
        if _lacks(b, reach.reached[b][1], stage)
        for a in everybody
        if a == b or a in (stage.known_by.get(b) or ())
    )


def _mistaken(
    event: Event, stage: Stage, everybody: list[CharacterId]
) -> tuple[tuple[CharacterId, CharacterId, str], ...]:
    """Rule *disguised*: a witness who does not see through it takes somebody for another."""
    if not stage.masks:
        return ()
    return tuple(
        (a, b, stage.seen_as(b, a))
        for a in everybody
        for b in sorted(stage.masks)
        if stage.seen_as(b, a) != b
        and (
            stage.place_of[b] in (stage.place_of[a], stage.spying.get(a)) or b in _people_of(event)
        )
    )


def _people_of(event: Event) -> set[CharacterId]:
    """Whom an event names."""
    fields = event.__dict__
    one = {fields.get(name) for name in ("actor", "holder")}
    several = (fields.get(name, ()) for name in ("targets", "alongside", "chorus"))
    return {who for who in one if who is not None}.union(*several)


def _place_in(event: Event, who: CharacterId, stage: Stage) -> PlaceId:
    """Where somebody is as it happens: who enters is in the new place."""
    if isinstance(event, events.Entered) and (who == event.actor or who in event.alongside):
        return event.place
    return stage.place_of[who]
