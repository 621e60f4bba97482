"""Events in words, in the world's language: third person for readers, first person for memories."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.story import events
from sandbox.story.beats import Detail
from sandbox.story.events import Event
from sandbox.story.ids import CharacterId
from sandbox.story.naming import unmasked
from sandbox.story.percepts import Names, Percept
from sandbox.story.phrases import DOORS, WORDS, sentence


class Telling:
    """Puts events into words for one reader."""

    def __init__(self, names: Names, me: CharacterId | None = None) -> None:
        """`me`: the first person; None for a reader who is nobody in the story."""
        self._names = names
        self._me = me
        self._words = WORDS[names.canon.language]
        self._doors = DOORS[names.canon.language]

    def name(self, who: str, subject: bool = False) -> str:
        if who == self._me:
            return self._words["I" if subject else "me"]
        return self._names(who)

    def listed(self, who: Sequence[str]) -> str:
        """Names in a row."""
        return self._words["and"].join(self.name(w) for w in who)

    def event(self, event: Event, detail: Detail, next_door: bool = False) -> str:
        """One sentence or two for `event`; empty for what has no words of its own."""
        told = self._told(event, detail, next_door)
        return sentence(self._words["next_door"] + told if next_door and told else told)

    def _say(self, key: str, event: Event, **words: str) -> str:
        actor = getattr(event, "actor", None)
        together = (*getattr(event, "alongside", ()), *getattr(event, "chorus", ()))
        doers = (actor, *together) if actor else ()
        shown = self._words["and"].join(self.name(who, subject=True) for who in doers)
        return self._words[key].format(actor=shown, **words)

    def _told(self, event: Event, detail: Detail, next_door: bool) -> str:
        match event:
            case events.LineSpoken():
                return self._spoken(event, detail, next_door)
            case events.Whispered():
                return self._whispered(event, detail)
            case events.Thought():
                return self._say("thought", event, text=event.text)
            case events.Announced() | events.MessageSent() | events.MessageRead():
                return self._made_known(event, detail)
            case events.Acted() if detail is Detail.THAT and event.actor != self._me:
                return self._say("acted_that", event)
            case events.Acted():
                return self._acted(event)
            case events.MoodTurned():
                return self._say("mood", event, mood=event.mood)
            case events.Narrated():
                return unmasked(event.text, self._names)
            case events.SceneClosed():
                return self._words["closed"].format(place=self._names(event.place))
            case events.Entered() | events.Left() if detail is Detail.THAT:
                return self._words["came_or_went_that"]
            case events.Entered() | events.Left() | events.Travelled():
                return self._moved(event)
            case events.ThingChanged() | events.ThingFound() if detail is Detail.THAT:
                return self._words["thing_that"]
            case events.ThingChanged() | events.DoorChanged() | events.StateTurned():
                return self._changed(event)
            case _:
                return self._rare(event)

    def _whispered(self, event: events.Whispered, detail: Detail) -> str:
        key, targets = "whispered" if event.targets else "murmured", self.listed(event.targets)
        if detail is Detail.FULL:
            return self._say(key, event, targets=targets, words=event.words)
        # Of a call by wire nobody near sees who is at the other end.
        return self._say(
            "murmured_that" if event.by_wire else f"{key}_that", event, targets=targets
        )

    def _rare(self, event: Event) -> str:
        match event:
            case events.EpisodeWritten():
                return event.text
            case events.FactSeen():
                return event.fact.said
            case events.BeliefInferred():
                key = "inferred_own" if event.owner == self._me else "inferred"
                return self._words[key].format(
                    actor=self.name(event.owner, subject=True), text=event.belief.said
                )
            case events.ThingFound():
                return self._say("thing_found", event, thing=self._names(event.thing))
            case events.Spied(on=None):
                return self._say("spied_no_more", event)
            case events.Spied():
                return self._say("spied", event, place=self._names(event.on or ""))
            case events.Disguised(seen_as=None):
                return self._say("undisguised", event)
            case events.Disguised():
                return self._say("disguised", event, other=self._names(event.seen_as or ""))
            case events.MembershipChanged():
                key = "joined" if event.joined else "resigned"
                return self._say(key, event, group=self._names(event.organisation))
            case _:
                return ""

    def _made_known(
        self, event: events.Announced | events.MessageSent | events.MessageRead, detail: Detail
    ) -> str:
        match event:
            case events.Announced():
                key = "announced_by" if event.actor else "announced"
                return self._say(key, event, words=event.words)
            case events.MessageSent():
                key = "sent" if detail is Detail.FULL else "sent_that"
                return self._say(key, event, target=self.name(event.to), words=event.words)
            case events.MessageRead():
                key = "read" if detail is Detail.FULL else "read_that"
                return self._say(key, event, sender=self.name(event.sender), words=event.words)

    def _spoken(self, event: events.LineSpoken, detail: Detail, next_door: bool) -> str:
        if detail is Detail.THAT:
            return self._say("said_that" if self._me else "said_that_reader", event)
        if next_door or not event.targets:  # through a door nobody sees who is spoken to
            return self._say("said", event, words=event.words)
        return self._say("said_to", event, targets=self.listed(event.targets), words=event.words)

    def _acted(self, event: events.Acted) -> str:
        text = unmasked(event.text.rstrip(".。"), self._names)
        if event.failed:
            return self._say("failed", event, text=text)
        if event.actor != self._me:
            return self._say("acted", event, text=text)
        if event.first:
            return self._say(
                "acted_own", event, text=unmasked(event.first.rstrip(".。"), self._names)
            )
        return self._words["acted_own_third"].format(actor=self._names(event.actor), text=text)

    def _moved(self, event: events.Entered | events.Left | events.Travelled) -> str:
        n = self._names
        match event:
            case events.Entered(from_place=None):
                return self._say("entered", event, place=n(event.place))
            case events.Entered():
                origin = n(event.from_place or "")
                return self._say("entered_from", event, place=n(event.place), origin=origin)
            case events.Left(to_place=None):
                return self._say("left", event, place=n(event.place))
            case events.Left():
                goal = n(event.to_place or "")
                return self._say("left_to", event, place=n(event.place), goal=goal)
            case events.Travelled():
                origin, goal = n(event.from_place), n(event.to_place)
                return self._say("travelled", event, origin=origin, goal=goal)

    def _changed(self, event: events.ThingChanged | events.DoorChanged | events.StateTurned) -> str:
        n = self._names
        match event:
            case events.DoorChanged():
                a, b = (n(place) for place in event.between)
                return self._words["door"].format(a=a, b=b, door=self._doors[event.door])
            case events.StateTurned():
                return self._say(event.state, event)
            case events.ThingChanged():
                thing = n(event.thing)
                if event.inside:
                    container = n(event.inside)
                    return self._words["thing_inside"].format(thing=thing, container=container)
                if event.holder:
                    holder = self.name(event.holder)
                    return self._words["thing_holder"].format(thing=thing, holder=holder)
                if event.place:
                    return self._words["thing_place"].format(thing=thing, place=n(event.place))
                state = unmasked(event.state or "", self._names)
                return self._words["thing_state"].format(thing=thing, state=state)


def remembered(percept: Percept, names: Names) -> str:
    """A percept in its witness's first person, with the names it knew then."""
    telling = Telling(
        Names(names.canon, names.at, percept.strangers),
        me=percept.witness,
    )
    event = percept.event
    if isinstance(event, events.SceneOpened):
        others = [who for who in percept.noticed]
        place = names(event.place)
        words = WORDS[names.canon.language]
        if not others:
            return words["opened"].format(place=place)
        return words["opened_with"].format(place=place, others=telling.listed(others))
    return telling.event(event, percept.detail, next_door=is_next_door(percept))


def is_next_door(percept: Percept) -> bool:
    """Whether the witness heard a line from the other side of a door."""
    return (
        isinstance(percept.event, events.LineSpoken) and percept.actor_place != percept.scene_place
    )
