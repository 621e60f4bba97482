"""Small worlds, and histories that their stage allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.events import Event
from sandbox.story.first_stage import stage_at
from sandbox.story.ids import SceneId
from sandbox.story.predicates import built_in
from sandbox.story.stage import Stage

CAST = ("ann", "ben", "cy", "dee", "eve")
PLACES = ("hall", "yard", "attic", "far")
THINGS = ("cup", "book")
FACTS = ("theft", "vow", "rain", "debt")
START = SceneId("supper")
DOORS = ("none", "open", "shut", "locked")
CARRIES = ("words", "sound", "nothing")


def small_canon(links: Sequence[dict[str, Any]] = (), **over: Any) -> Canon:
    """Five people, four places; `far` is connected with nothing. `cy` is known by name to `ann`."""
    base: dict[str, Any] = {
        "id": "small",
        "title": "Small",
        "language": "en",
        "blurb": "Five people.",
        "characters": [
            {"id": "ann", "name": "Ann", "home": "hall", "public": "tall", "mood": "calm"},
            {"id": "ben", "name": "Ben", "home": "hall", "public": "inky", "mood": "glad"},
            {
                "id": "cy",
                "name": "Cy Dorn",
                "aliases": ["Dorn"],
                "home": "yard",
                "name_known_to": ["ann"],
                "known_as": "the visitor",
                "public": "wet",
            },
            {"id": "dee", "name": "Dee", "home": "attic"},
            {"id": "eve", "name": "Eve", "home": "far"},
        ],
        "places": [{"id": place, "name": f"the {place}"} for place in PLACES],
        "links": list(links)
        or [
            {"between": ["hall", "yard"], "door": "open", "carries": "words"},
            {"between": ["hall", "attic"], "door": "shut", "carries": "words"},
        ],
        "things": [
            {"id": "cup", "name": "the cup", "place": "hall", "reveals": ["theft"]},
            {
                "id": "book",
                "name": "the book",
                "holder": "cy",
                "reveals": ["debt"],
                "shows": "reader",
            },
        ],
        "predicates": {
            **built_in("en"),
            "took": {"id": "took", "wordings": ["{s} took {o}."]},
        },
        "facts": [
            {
                "id": "theft",
                "subject": "cup",
                "predicate": "took",
                "object": "ben",
                "statement": "Ben took the cup.",
                "scene": "supper",
                "experienced": ["ben"],
                "cause": "debt",
            },
            {
                "id": "vow",
                "subject": "ann",
                "predicate": "took",
                "object": "a vow",
                "statement": "Ann took a vow.",
                "scene": "supper",
                "experienced": ["ann"],
                "told": [{"to": "ben", "by": "ann", "scene": "supper"}],
                "cause": "theft",
            },
            {
                "id": "rain",
                "subject": "yard",
                "predicate": "said_about",
                "object": "rain",
                "statement": "It rains.",
                "common": True,
            },
            {
                "id": "debt",
                "subject": "ben",
                "predicate": "took",
                "object": "a loan",
                "statement": "Ben took a loan.",
            },
        ],
        "scenes": [
            {
                "id": "supper",
                "title": "Supper",
                "place": "hall",
                "clock": "20:00",
                "roster": {"active": ["ann", "ben"]},
                "episodes": {"ann": "I ate.", "ben": "I ate too."},
            }
        ],
    }
    return Canon.model_validate(base | over)


@st.composite
def canons(draw: st.DrawFn) -> Canon:
    """The small world with other doors and walls."""
    ways = [("hall", "yard"), ("hall", "attic"), ("yard", "attic")]
    return small_canon(
        [
            {
                "between": list(way),
                "door": draw(st.sampled_from(DOORS)),
                "carries": draw(st.sampled_from(CARRIES)),
            }
            for way in draw(st.lists(st.sampled_from(ways), min_size=1, max_size=3, unique=True))
        ]
    )


@dataclass(frozen=True)
class History:
    """A canon and the beats of a story in it."""

    canon: Canon
    beats: tuple[Beat, ...]


_who = st.sampled_from(CAST)
_where = st.sampled_from(PLACES)
_thing = st.sampled_from(THINGS)
_flag = st.booleans()


def _claims() -> st.SearchStrategy[tuple[dict[str, Any], ...]]:
    claim = st.fixed_dictionaries(
        {
            "subject": st.sampled_from(["cup", "cy", "ben"]),
            "predicate": st.sampled_from(["took", "is_named"]),
            "object": st.sampled_from(["ben", "Cy Dorn", "Bob"]),
            "mode": st.sampled_from(["claimed", "supposed"]),
        }
    )
    return st.lists(claim, max_size=2).map(tuple)


def intents() -> st.SearchStrategy[dict[str, Any]]:
    """What somebody would like to happen; the stage decides whether it can."""
    actor = {"actor": _who}
    state = st.sampled_from(["died", "fell_asleep", "woke", "hid", "found"])
    nearby = st.integers(min_value=0, max_value=4)
    speech = {"targets": st.lists(nearby, max_size=2), "tells": _claims()}
    loud = st.fixed_dictionaries(
        {
            "kind": st.just("line_spoken"),
            **actor,
            **speech,
            "aside": st.just(False),
        }
    )
    return st.one_of(
        loud,
        loud,
        loud,
        st.fixed_dictionaries({"kind": st.just("walk"), **actor, "to": _where}),
        st.fixed_dictionaries({"kind": st.just("line_spoken"), **actor, **speech, "aside": _flag}),
        st.fixed_dictionaries({"kind": st.just("whispered"), **actor, **speech}),
        st.fixed_dictionaries({"kind": st.just("thought"), **actor}),
        st.fixed_dictionaries({"kind": st.just("mood_turned"), **actor}),
        st.fixed_dictionaries({"kind": st.just("acted"), **actor}),
        st.fixed_dictionaries({"kind": st.just("acted"), **actor, "examines": _thing}),
        st.fixed_dictionaries({"kind": st.just("walk"), **actor, "to": _where}),
        st.fixed_dictionaries({"kind": st.just("state_turned"), **actor, "state": state}),
        st.fixed_dictionaries({"kind": st.just("narrated"), "place": st.none() | _where}),
        st.fixed_dictionaries(
            {
                "kind": st.just("thing_changed"),
                "thing": _thing,
                **actor,
                "mine": _flag,
            }
        ),
        st.fixed_dictionaries(
            {
                "kind": st.just("door_changed"),
                "between": st.sampled_from(
                    [["hall", "yard"], ["hall", "attic"], ["yard", "attic"]]
                ),
                "door": st.sampled_from(DOORS),
                "actor": st.none(),
            }
        ),
        st.fixed_dictionaries(
            {
                "kind": st.just("fact_granted"),
                "fact": st.sampled_from(FACTS),
                "to": st.lists(_who, min_size=1, max_size=2, unique=True),
                "route": st.just("observed"),
            }
        ),
    )


def event_of(intent: dict[str, Any], number: int, stage: Stage) -> Event:
    """The event of an intent, with a text that no other has."""
    values = dict(intent)
    mark = f"w{number:03}"
    match values["kind"]:
        case "line_spoken" | "whispered":
            said = [f"Sentence {mark} {n}." for n in range(len(values["tells"]))]
            values["words"] = " ".join([f"Words {mark}.", *said])
            pairs = zip(values["tells"], said, strict=True)
            values["tells"] = [Claim(**claim, said=one) for claim, one in pairs]
            here = [
                w for w in stage.present(stage.place_of[values["actor"]]) if w != values["actor"]
            ]
            chosen = [here[n % len(here)] for n in values["targets"] if here]
            values["targets"] = list(dict.fromkeys(chosen))
        case "thought" | "acted" | "narrated":
            values["text"] = f"does {mark}"
        case "mood_turned":
            values["mood"] = mark
        case "thing_changed":
            mine = values.pop("mine")
            place = stage.place_of[values["actor"]]
            values |= {"holder": values["actor"]} if mine else {"place": place}
        case _:
            pass
    return Stageable.validate(values)


class Stageable:
    """Plain data to an event."""

    @staticmethod
    def validate(values: dict[str, Any]) -> Event:
        return (
            Beat.model_validate(
                {
                    "seq": 1,
                    "turn": 1,
                    "round": 1,
                    "scene": None,
                    "mind": "person",
                    "clock": 0,
                    "events": [{"event": values}],
                }
            )
            .events[0]
            .event
        )


def staged(canon: Canon, intents_: Sequence[dict[str, Any]]) -> History:
    """The beats of those intents that the stage allows, in order."""
    stage, beats = stage_at(canon, START), list[Beat]()
    for number, intent in enumerate(intents_):
        staging = Staging(stage)
        try:
            if intent["kind"] == "walk":
                staging.walk(intent["actor"], intent["to"])
            else:
                staging.add(event_of(intent, number, stage))
        except StageError:
            continue
        seq = len(beats) + 1
        beats.append(
            Beat(
                seq=seq,
                turn=seq,
                round=seq,
                scene=None,
                mind="person",
                clock=1200 + seq,
                events=tuple(staging.happened),
            )
        )
        for happened in staging.happened:
            stage.apply(happened.event)
    return History(canon, tuple(beats))


@st.composite
def histories(draw: st.DrawFn, most: int = 32) -> History:
    """A story of some length."""
    return staged(draw(canons()), draw(st.lists(intents(), min_size=most // 2, max_size=most)))
