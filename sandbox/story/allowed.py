"""What can happen on a stage: an event that cannot is refused before anything of it is applied."""

from collections.abc import Iterable

from sandbox.errors import StageError
from sandbox.story import events
from sandbox.story.claims import Claim
from sandbox.story.events import Event, actor_of
from sandbox.story.ids import CharacterId, PlaceId, ThingId
from sandbox.story.stage import NOWHERE, Stage, way

_WAKING = ("woke", "died", "found", "rose")


def check(event: Event, stage: Stage) -> None:
    """Refuse an event that cannot happen on `stage`.

    Raises:
        StageError: says what is wrong and what would be right. Nothing is applied.
    """
    fields = event.__dict__
    actor = actor_of(event)
    if actor is not None:
        _check_actor(actor, event, stage)
    for other in (*fields.get("alongside", ()), *fields.get("chorus", ())):
        _check_actor(other, event, stage)
    for claim in _claims(event):
        stage.known("predicate", claim.predicate, stage.canon.predicates)
    match event:
        case events.LineSpoken() | events.Whispered():
            _check_spoken(event, stage)
        case events.Entered():
            stage.known("place", event.place, stage.canon.places_by_id)
            for who in (event.actor, *event.alongside):
                _check_entering(who, event.place, stage)
        case events.Left():
            stage.known("place", event.place, stage.canon.places_by_id)
            for who in (event.actor, *event.alongside):
                _check_place(who, event.place, stage)
            if event.to_place is not None:
                stage.check_way(event.place, event.to_place)
        case events.ThingChanged():
            _check_thing(event, stage)
        case events.DoorChanged():
            _check_door(event, stage)
        case events.MessageSent() if event.message in stage.letters_sent:
            raise StageError(f"a message `{event.message}` was sent before. Give it another id.")
        case events.MessageRead():
            _check_reading(event, stage)
        case _:
            _check_names(event, stage)


def _claims(event: Event) -> Iterable[Claim]:
    match event:
        case events.BeliefInferred():
            return [event.belief]
        case events.FactSeen():
            return [event.fact]
        case _:
            tells: tuple[Claim, ...] = event.__dict__.get("tells", ())
            return tells


def _check_names(event: Event, stage: Stage) -> None:
    """Everything an event names has to be on the stage, or in the world."""
    match event:
        case events.StageSet():
            for who, place in event.places.items():
                stage.where(who)
                _place(place, stage)
        case events.Acted() if event.examines is not None:
            _check_reach(event.actor, event.examines, stage)
        case events.ThingFound():
            stage.known("thing", event.thing, stage.thing_at)
            if event.thing not in stage.concealed_in(stage.place_of[event.actor]):
                raise StageError(f"`{event.thing}` is not hidden where `{event.actor}` searches.")
        case events.ThingsSeen():
            _place(event.place, stage)
            for sighting in event.seen:
                stage.known("thing", sighting.thing, stage.thing_at)
        case events.FactSeen():
            _place(event.place, stage)
        case events.Spied():
            _place(event.on, stage)
            if event.on is not None and event.on == stage.place_of[event.actor]:
                raise StageError(f"`{event.actor}` is in `{event.on}`; one spies on another place.")
        case events.Disguised() if event.seen_as is not None:
            stage.known("character or entity", event.seen_as, stage.canon.names)
        case _:
            _check_minds(event, stage)


def _check_minds(event: Event, stage: Stage) -> None:
    """Groups, facts and prepared events have to be the world's."""
    canon = stage.canon
    match event:
        case events.MembershipChanged():
            stage.known("organisation", event.organisation, canon.organisations_by_id)
        case events.Announced():
            if event.to is not None:
                stage.known("organisation", event.to, canon.organisations_by_id)
            for fact in event.facts:
                stage.known("fact", fact, canon.facts_by_id)
        case events.MessageSent():
            stage.where(event.to)
        case events.FactGranted():
            stage.known("fact", event.fact, canon.facts_by_id)
            for who in sorted(event.to):
                stage.where(who)
        case (
            events.EpisodeWritten()
            | events.PatternGrown()
            | events.BeliefInferred()
            | events.GuardFound()
        ):
            stage.where(event.owner)
        case events.Narrated():
            _place(event.place, stage)
            if event.prepared is not None:
                stage.known("prepared event", event.prepared, canon.prepared_by_id)
        case _:
            pass


def _place(place: PlaceId | None, stage: Stage) -> None:
    if place is not None:
        stage.known("place", place, stage.canon.places_by_id)


def _check_actor(actor: CharacterId, event: Event, stage: Stage) -> None:
    stage.where(actor)
    turned = event.state if isinstance(event, events.StateTurned) else None
    if actor in stage.dead and turned != "rose":
        raise StageError(f"`{actor}` is dead and does nothing more.")
    if actor not in stage.dead and turned == "rose":
        raise StageError(f"`{actor}` is not dead, so it cannot rise.")
    if actor in stage.asleep and turned not in _WAKING:
        raise StageError(f"`{actor}` is asleep. Wake it first.")


def _check_spoken(event: events.LineSpoken | events.Whispered, stage: Stage) -> None:
    for claim in event.tells:
        if claim.said not in event.words:
            raise StageError(f"`{event.actor}` tells what its words do not say: `{claim.said}`.")
    place = stage.place_of[event.actor]
    if isinstance(event, events.LineSpoken) and event.into is not None:
        _place(event.into, stage)
        if place not in (NOWHERE, event.into):
            raise StageError(f"`{event.actor}` is in `{place}`, not off the stage.")
        place = event.into
    by_wire = isinstance(event, events.Whispered) and event.by_wire
    for target in event.targets:
        there = stage.where(target)
        if there != place and not by_wire:
            raise StageError(f"`{target}` is not where `{event.actor}` is (`{place}`).")


def _check_door(event: events.DoorChanged, stage: Stage) -> None:
    between = "` and `".join(event.between)
    if way(*event.between) not in stage.doors:
        raise StageError(f"there is no way between `{between}`.")
    if event.actor is not None and stage.place_of[event.actor] not in event.between:
        here = stage.place_of[event.actor] or "nowhere on the stage"
        raise StageError(f"`{event.actor}` is in `{here}`, not at the door of `{between}`.")


def _check_place(actor: CharacterId, place: PlaceId, stage: Stage) -> None:
    here = stage.place_of[actor]
    if here != place:
        shown = f"in `{here}`" if here else "nowhere on the stage"
        raise StageError(f"`{actor}` is {shown}, not in `{place}`.")


def _check_entering(who: CharacterId, place: PlaceId, stage: Stage) -> None:
    here = stage.place_of[who]
    if here == place:
        raise StageError(f"`{who}` is in `{place}` already.")
    if here != NOWHERE:
        raise StageError(f"`{who}` is in `{here}` and has to leave it first.")


def _check_reach(actor: CharacterId, thing: ThingId, stage: Stage) -> None:
    stage.known("thing", thing, stage.thing_at)
    holder = stage.thing_at[thing]
    held_by_other = holder in stage.place_of and holder != actor
    out_of_sight = thing in stage.concealed
    if held_by_other or out_of_sight or stage.place_of_thing(thing) != stage.place_of[actor]:
        raise StageError(f"`{thing}` is not within reach of `{actor}`.")


def _check_thing(event: events.ThingChanged, stage: Stage) -> None:
    """A thing moves within one place: who carries it elsewhere walks there."""
    stage.known("thing", event.thing, stage.thing_at)
    if event.actor is not None:
        _check_reach(event.actor, event.thing, stage)
    _place(event.place, stage)
    if event.inside is not None:
        stage.known("thing", event.inside, stage.thing_at)
        if event.inside == event.thing or _is_inside(event.inside, event.thing, stage):
            raise StageError(f"`{event.thing}` cannot be put inside itself.")
    here, to = stage.place_of_thing(event.thing), stage.goal_of(event)
    if event.actor is not None and to not in (None, here):
        raise StageError(
            f"`{event.thing}` is in `{here}`; `{event.actor}` cannot put it in `{to}`."
        )


def _is_inside(inner: ThingId, outer: ThingId, stage: Stage) -> bool:
    there: str = stage.thing_at[inner]
    while there in stage.thing_at:
        if there == outer:
            return True
        there = stage.thing_at[ThingId(there)]
    return False


def _check_reading(event: events.MessageRead, stage: Stage) -> None:
    stage.known("message on its way", event.message, stage.letters)
    sent = stage.letters[event.message]
    if (sent.actor, sent.words, sent.tells) != (event.sender, event.words, event.tells):
        raise StageError(f"message `{event.message}` says something else than what was sent.")
    if event.withheld and event.actor == sent.to:
        raise StageError(
            f"`{event.actor}` is whom `{event.message}` is for; it cannot withhold it."
        )
