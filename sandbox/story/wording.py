"""Events in words, in the world's language: third person for readers, first person for memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandbox.story import events
from sandbox.story.events import Detail, Event
from sandbox.story.ids import CharacterId
from sandbox.story.items import Language
from sandbox.story.naming import unmasked
from sandbox.story.percepts import Names, Percept

_WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "said": '{actor} said: "{words}"',
        "said_to": '{actor} said to {targets}: "{words}"',
        "said_that": "I heard {actor} talking, but not the words.",
        "said_that_reader": "{actor} is talking, too far off for the words.",
        "next_door": "From next door: ",
        "whispered": '{actor} whispered to {targets}: "{words}"',
        "whispered_that": "{actor} whispered to {targets}.",
        "murmured": '{actor} said under the breath: "{words}"',
        "murmured_that": "{actor} murmured something.",
        "thought": "{actor} thought: {text}",
        "acted": "{actor} {text}.",
        "acted_own": "I {text}.",
        "acted_own_third": "What I did: {actor} {text}.",
        "failed": "{actor} tried {text}, in vain.",
        "mood": "{actor} felt {mood}.",
        "entered": "{actor} came into {place}.",
        "entered_from": "{actor} came into {place} from {origin}.",
        "left": "{actor} left {place}.",
        "left_to": "{actor} left {place} for {goal}.",
        "travelled": "{actor} travelled from {origin} to {goal}.",
        "thing_state": "{thing}: {state}.",
        "thing_holder": "{thing} went to {holder}.",
        "thing_place": "{thing} was put in {place}.",
        "door": "The way between {a} and {b}: {door}.",
        "died": "{actor} died.",
        "fell_asleep": "{actor} fell asleep.",
        "woke": "{actor} woke up.",
        "hid": "{actor} hid.",
        "found": "{actor} was found.",
        "opened": "I was in {place}.",
        "opened_with": "I was in {place}, with {others}.",
        "closed": "That was all in {place}.",
        "and": ", ",
        "me": "me",
        "I": "I",
        "nobody": "nobody in particular",
    },
    "zh": {
        "said": "{actor}说：“{words}”",
        "said_to": "{actor}对{targets}说：“{words}”",
        "said_that": "我听见{actor}在说话，却听不清说些什么。",
        "said_that_reader": "{actor}在说话，隔得太远，听不清。",
        "next_door": "隔壁传来：",
        "whispered": "{actor}悄声对{targets}说：“{words}”",
        "whispered_that": "{actor}对{targets}耳语了几句。",
        "murmured": "{actor}低声自语：“{words}”",
        "murmured_that": "{actor}低声咕哝了一句。",
        "thought": "{actor}心想：{text}",
        "acted": "{actor}{text}。",
        "acted_own": "我{text}。",
        "acted_own_third": "我{text}。",
        "failed": "{actor}想要{text}，没有做成。",
        "mood": "{actor}心里{mood}。",
        "entered": "{actor}进了{place}。",
        "entered_from": "{actor}从{origin}进了{place}。",
        "left": "{actor}离开了{place}。",
        "left_to": "{actor}离开{place}，往{goal}去了。",
        "travelled": "{actor}从{origin}到了{goal}。",
        "thing_state": "{thing}：{state}。",
        "thing_holder": "{thing}到了{holder}手里。",
        "thing_place": "{thing}放到了{place}。",
        "door": "{a}与{b}之间的门：{door}。",
        "died": "{actor}死了。",
        "fell_asleep": "{actor}睡着了。",
        "woke": "{actor}醒了。",
        "hid": "{actor}躲了起来。",
        "found": "{actor}被发现了。",
        "opened": "我在{place}。",
        "opened_with": "我在{place}，在场的还有{others}。",
        "closed": "{place}里的这一段到此为止。",
        "and": "、",
        "me": "我",
        "I": "我",
        "nobody": "大家",
    },
}
_ATTEMPTS: Final[dict[Language, dict[str, str]]] = {
    "en": {"go": "to go to {x}", "say": "to speak to {x}", "act": "to use {x}"},
    "zh": {"go": "去{x}", "say": "跟{x}说话", "act": "动一动{x}"},
}
_STATES: Final[dict[Language, tuple[str, str]]] = {
    "en": ("asleep", "dead"),
    "zh": ("睡着了", "死了"),
}
_DOORS: Final[dict[Language, dict[str, str]]] = {
    "en": {"none": "open", "open": "open", "shut": "shut", "locked": "locked"},
    "zh": {"none": "敞着", "open": "开着", "shut": "关着", "locked": "锁着"},
}


_KINDS: Final[dict[str, str]] = {
    "friend": "朋友",
    "kin": "亲人",
    "employer": "东家",
    "servant": "下人",
    "rival": "对头",
    "stranger": "生人",
    "lover": "恋人",
}


def kind_in_words(language: Language, kind: str) -> str:
    """What somebody is to another, where the world has no text for it."""
    return _KINDS[kind] if language == "zh" else kind


_REPORTS: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        '{who} told me: "{said}"',
        '"{said}" Those were the words of {who}.',
        'I have it from {who}: "{said}"',
    ),
    "zh": ("{who}跟我说过：“{said}”", "“{said}”这是{who}的原话。", "我听{who}讲过：“{said}”"),
}


def reported(language: Language, who: str, said: str, choice: int) -> str:
    """Somebody's sentence as another passes it on."""
    report = _REPORTS[language][choice % len(_REPORTS[language])].format(who=who, said=said)
    return report[:1].upper() + report[1:]


def attempt_in_words(language: Language, act: str, about: str) -> str:
    """What somebody tried who could not: `go`, `say` or `act`."""
    return _ATTEMPTS[language][act].format(x=about)


def state_in_words(language: Language, dead: bool) -> str:
    """What somebody looks like who is dead or asleep."""
    return _STATES[language][dead]


def sentence(text: str) -> str:
    """`text` with a capital first letter and no doubled full stop."""
    text = text.replace("..", ".").replace("。。", "。").replace("！。", "！").replace("!.", "!")
    return text[:1].upper() + text[1:]


class Telling:
    """Puts events into words for one reader."""

    def __init__(self, names: Names, me: CharacterId | None = None) -> None:
        """`me`: the first person; None for a reader who is nobody in the story."""
        self._names = names
        self._me = me
        self._words = _WORDS[names.canon.language]
        self._doors = _DOORS[names.canon.language]

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
        shown = self.name(actor, subject=True) if actor else ""
        return self._words[key].format(actor=shown, **words)

    def _told(self, event: Event, detail: Detail, next_door: bool) -> str:
        match event:
            case events.LineSpoken():
                return self._spoken(event, detail, next_door)
            case events.Whispered():
                key = "whispered" if event.targets else "murmured"
                targets = self.listed(event.targets)
                if detail is Detail.THAT:
                    return self._say(f"{key}_that", event, targets=targets)
                return self._say(key, event, targets=targets, words=event.words)
            case events.Thought():
                return self._say("thought", event, text=event.text)
            case events.Acted():
                return self._acted(event)
            case events.MoodTurned():
                return self._say("mood", event, mood=event.mood)
            case events.Narrated():
                return unmasked(event.text, self._names)
            case events.SceneOpened():
                return ""
            case events.SceneClosed():
                return self._words["closed"].format(place=self._names(event.place))
            case events.Entered() | events.Left() | events.Travelled():
                return self._moved(event)
            case events.ThingChanged() | events.DoorChanged() | events.StateTurned():
                return self._changed(event)
            case events.EpisodeWritten():
                return event.text
            case events.FactGranted():
                return ""
            case _:
                return ""

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
        words = _WORDS[names.canon.language]
        if not others:
            return words["opened"].format(place=place)
        return words["opened_with"].format(place=place, others=telling.listed(others))
    return telling.event(event, percept.detail, next_door=is_next_door(percept))


def is_next_door(percept: Percept) -> bool:
    """Whether the witness heard a line from the other side of a door."""
    return (
        isinstance(percept.event, events.LineSpoken) and percept.actor_place != percept.scene_place
    )
