"""A world with everything a stage can hold, and histories of every kind of event in it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from sandbox.engine.staging import Staging
from sandbox.errors import StageError
from sandbox.story.beats import Beat
from sandbox.story.canon import Canon
from sandbox.story.first_stage import stage_at
from sandbox.story.ids import CharacterId
from sandbox.story.predicates import built_in
from sandbox.story.stage import Stage
from tests.property.strategies import DOORS, START, History, Stageable

Plain = dict[str, Any]
PEOPLE: Final = ("ann", "ben", "cy", "dee", "eve", "fay")
PLACES = ("hall", "yard", "attic", "garden", "far")
THINGS = ("cup", "book", "box", "coin", "letter")
FACTS = ("theft", "vow", "rain", "debt", "oath")
WAYS = (("hall", "yard"), ("hall", "attic"), ("yard", "garden"))
NAMES = {
    "en": dict(zip(PEOPLE, ("Ann", "Ben", "Cy Dorn", "Dee", "Eve", "Fay"), strict=True)),
    "zh": dict(zip(PEOPLE, ("安儿", "本生", "赛东", "迪娘", "夏娃", "费郎"), strict=True)),
}
TOKENS = {who: f"Q{who.upper()}" for who in PEOPLE}
"""Names of which none is in another, or in any other text."""
TOOK = {"en": "{s} took {o}.", "zh": "{s}拿走了{o}。"}
IMPOSSIBLE: Plain = {"kind": "walk", "actor": "ann", "to": "nowhere_at_all"}
"""An intent no stage allows. It keeps the numbers of those after it, of which their texts are made."""
_FULL: Final = ("claimed", "claimed", "supposed", "denied")


def rich_canon(names: Mapping[str, str], language: str = "en", **over: Any) -> Canon:
    """Six people in five places: organisations, containers, the deaf, the blind, tongues, disguises.

    `dee` is deaf, which `ben` alone knows; `eve` is blind, which everybody sees; `cy` is known by
    name to `ann` and goes about as `pedlar`; `ann` and `cy` speak Dutch; `far` is joined to nothing.
    """
    people: list[Plain] = [
        {"id": "ann", "home": "hall", "mood": "calm", "languages": ["dutch"], "trust": {"cy": 0.2}},
        {"id": "ben", "home": "hall", "trust": {"ann": 0.4}},
        {
            "id": "cy",
            "home": "yard",
            "name_known_to": ["ann"],
            "known_as": "THE VISITOR",
            "languages": ["dutch"],
            "disguise": {"seen_as": "pedlar", "seen_through_by": ["ann"]},
        },
        {"id": "dee", "home": "attic", "deaf": True, "impairment_known_to": ["ben"]},
        {"id": "eve", "home": "garden", "blind": True},
        {"id": "fay", "home": "far", "name_known_to": [], "known_as": "THE GUEST"},
    ]
    took = TOOK[language]
    base: Plain = {
        "id": "rich",
        "title": "Rich",
        "language": language,
        "blurb": "Six people.",
        "characters": [person | {"name": names[person["id"]]} for person in people],
        "places": [
            {"id": place, "name": f"PLACE {place}", "outdoors": place in ("yard", "garden")}
            for place in PLACES
        ],
        "links": [
            {"between": ["hall", "yard"], "door": "open", "carries": "words", "sight": True},
            {"between": ["hall", "attic"], "door": "shut", "carries": "words"},
            {"between": ["yard", "garden"], "door": "none", "carries": "sound"},
        ],
        "things": [
            {"id": "cup", "name": "CUP", "place": "hall", "portable": True, "reveals": ["theft"]},
            {"id": "book", "name": "BOOK", "holder": "cy", "reveals": ["debt"], "shows": "reader"},
            {"id": "box", "name": "BOX", "place": "hall"},
            {"id": "coin", "name": "COIN", "inside": "box", "portable": True},
            {
                "id": "letter",
                "name": "LETTER",
                "place": "hall",
                "concealed": True,
                "reveals": ["oath"],
            },
        ],
        "organisations": [
            {"id": "guild", "name": "GUILD", "members": ["ann", "ben"], "briefs_newcomers": True},
            {"id": "crew", "name": "CREW", "members": ["cy", "dee", "fay"]},
        ],
        "entities": [{"id": "pedlar", "name": "PEDLAR"}, {"id": "crown", "name": "CROWN"}],
        "prepared": [{"id": "storm", "text": "A STORM", "place": "yard", "reveals": ["vow"]}],
        "predicates": {
            **built_in(language),  # type: ignore[arg-type]
            "took": {"id": "took", "functional": True, "inverse": "taken_by", "wordings": [took]},
            "taken_by": {"id": "taken_by", "inverse": "took", "wordings": [took]},
            "likes": {"id": "likes", "wordings": ["{s} ~ {o}."]},
        },
        "facts": [
            {
                "id": "theft",
                "subject": "crown",
                "predicate": "taken_by",
                "object": "ben",
                "statement": took.format(s=names["ben"], o="CROWN"),
                "scene": "supper",
                "experienced": ["ben"],
                "observed": ["dee"],
                "cause": "debt",
            },
            {
                "id": "vow",
                "subject": "cy",
                "predicate": "took",
                "object": "a vow",
                "statement": took.format(s=names["cy"], o="VOW"),
                "scene": "supper",
                "experienced": ["cy"],
                "told": [{"to": "ann", "by": "cy", "scene": "supper"}],
            },
            {
                "id": "rain",
                "subject": "yard",
                "predicate": "said_about",
                "object": "rain",
                "statement": "RAIN.",
                "common": True,
            },
            {
                "id": "debt",
                "subject": "ben",
                "predicate": "likes",
                "object": "cy",
                "statement": f"{names['ben']} ~ {names['cy']}.",
            },
            {
                "id": "oath",
                "subject": "fay",
                "predicate": "likes",
                "object": "an oath",
                "statement": f"{names['fay']} ~ OATH.",
                "shared": [{"organisation": "guild", "scene": "supper"}],
            },
        ],
        "scenes": [
            {
                "id": "supper",
                "title": "Supper",
                "place": "hall",
                "clock": "20:00",
                "roster": {"active": ["ann", "ben"]},
                "positions": {"cy": "yard", "dee": "attic", "eve": "garden", "fay": "far"},
            }
        ],
    }
    return Canon.model_validate(base | over)


def _some(most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 5), max_size=most)


_who = st.sampled_from(PEOPLE)
_where = st.sampled_from(PLACES)
_flag = st.booleans()
_org = st.sampled_from(["guild", "crew"])
_claim = st.fixed_dictionaries(
    {
        "subject": st.sampled_from(["cup", "crown", "cy", "ben"]),
        "predicate": st.sampled_from(["took", "taken_by", "located_in", "is_named", "likes"]),
        "object": st.sampled_from(["ben", "cup", "hall", "yard", "NAME", "Bob"]),
        "mode": st.sampled_from(_FULL),
    }
)
_claims = st.lists(_claim, max_size=2)
_speech = {"tells": _claims, "language": st.sampled_from([None, None, None, "dutch"])}
_STATES = ("died", "rose", "fell_asleep", "woke", "hid", "found", "distracted", "attentive",
           "deafened", "hearing", "blinded", "seeing")  # fmt: skip


def _intent(kind: str, **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Plain]:
    return st.fixed_dictionaries({"kind": st.just(kind), "actor": _who, **parts})


def rich_intents() -> st.SearchStrategy[Plain]:
    """What somebody would like to happen, of every kind there is; the stage decides whether it can."""
    volume = st.sampled_from(["low", "normal", "normal", "shout"])
    line = _intent("line_spoken", targets=_some(1), chorus=_some(1), volume=volume,
                   aside=st.just(False), **_speech)  # fmt: skip
    walk = _intent("walk", to=_where)
    whisper = _intent("whispered", targets=_some(2), by_wire=_flag, **_speech)
    return st.one_of(
        line,
        line,
        line,
        whisper,
        whisper,
        walk,
        walk,
        walk,
        _intent("line_spoken", targets=_some(2), aside=_flag, **_speech),
        _intent("line_spoken", into=_where),
        _intent(
            "announced",
            to=st.none() | _org,
            tells=_claims,
            nobody=_flag,
            facts=st.lists(st.sampled_from(FACTS), max_size=1),
        ),
        _intent("message_sent", to=_who, tells=_claims, minutes=st.integers(0, 30)),
        _intent("message_read", which=st.integers(0, 3), withheld=_flag),
        _intent("message_read", which=st.integers(0, 3), withheld=st.just(False)),
        _intent("thought"),
        _intent("mood_turned"),
        _intent("acted", alongside=_some(1)),
        _intent("acted", examines=st.sampled_from(THINGS), searches=_flag),
        _intent("entered", place=_where, alongside=_some(2)),
        _intent("left", alongside=_some(2)),
        _intent("state_turned", state=st.sampled_from(_STATES), known_to=st.none() | _some(2)),
        _intent("spied", on=st.none() | _where),
        _intent("disguised", seen_as=st.sampled_from([None, "pedlar", "ben", "fay"])),
        _intent("membership_changed", organisation=_org, joined=_flag),
        _intent(
            "thing_changed",
            thing=st.sampled_from(THINGS),
            goal=st.sampled_from(["holder", "place", "inside", "state"]),
            nobody=_flag,
        ),
        _intent("thing_found", thing=st.just("letter")),
        _intent("things_seen", thing=st.sampled_from(THINGS)),
        _intent("fact_seen", claim=_claim, nobody=_flag),
        _intent(
            "door_changed", between=st.sampled_from(WAYS), door=st.sampled_from(DOORS), nobody=_flag
        ),
        _intent("narrated", place=st.none() | _where),
        _intent("narrated", place=st.just("yard"), prepared=st.just("storm")),
        _intent("fact_granted", fact=st.sampled_from(FACTS), to=_some(2)),
        _intent("belief_inferred", claim=_claim),
        _intent("stage_set", places=st.dictionaries(_who, st.none() | _where, max_size=2)),
    )


def event_of(intent: Plain, number: int, stage: Stage) -> Plain:
    """The event of an intent as plain data, with a text that no other has."""
    values = dict(intent)
    kind, actor = values["kind"], values["actor"]
    names, mark = stage.canon.names, f"w{number:03}"
    here = [w for w in stage.present(stage.place_of[actor]) if w != actor]
    for several in ("targets", "chorus", "alongside"):
        if several in values:
            wire = several == "targets" and values.get("by_wire")
            pool = [w for w in PEOPLE if w != actor] if wire else here
            values[several] = _picked(pool, values[several])
    for named in ("known_to", "to"):
        if isinstance(values.get(named), list):
            values[named] = _picked(PEOPLE, values[named])
    if kind in ("line_spoken", "whispered", "announced", "message_sent"):
        told = [_named(claim, names) for claim in values.get("tells", ())]
        said = [f"Said {mark} {n}." for n in range(len(told))]
        values["words"] = " ".join([f"Words {mark}.", *said])
        values["tells"] = [c | {"said": s} for c, s in zip(told, said, strict=True)]
    if values.pop("nobody", False):
        values["actor"] = None
    match kind:
        case "thought" | "acted" | "narrated":
            other = names[PEOPLE[number % len(PEOPLE)]][0]
            values["text"] = f"does {mark} to {other} now"
        case "mood_turned":
            values["mood"] = mark
        case "message_sent":
            values["message"] = f"m{number}"
        case "message_read":
            values |= _letter(values.pop("which"), stage)
        case "left":
            values["place"] = stage.place_of[actor]
        case "thing_changed":
            values |= _change(values.pop("goal"), actor, mark, stage)
        case "things_seen":
            thing = values.pop("thing")
            at = stage.place_of_thing(thing) or "far"
            seen = [{"thing": thing, "where": stage.thing_at[thing]}]
            values = {"kind": kind, "place": at, "seen": seen}
        case "fact_seen":
            claim = _named(values.pop("claim"), names) | {
                "said": f"Seen {mark}.",
                "mode": "claimed",
            }
            values |= {"place": stage.place_of[actor] or "far", "fact": claim}
        case "belief_inferred":
            claim = _named(values.pop("claim"), names) | {"said": f"So {mark}.", "mode": "supposed"}
            values = {"kind": kind, "owner": actor, "belief": claim, "rests_on": []}
        case "fact_granted":
            values |= {"route": "observed"}
            values.pop("actor")
        case "stage_set":
            values.pop("actor")
    if kind == "narrated":
        values.pop("actor")
    return values


def _picked(pool: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return list(dict.fromkeys(pool[n % len(pool)] for n in numbers if pool))


def _named(claim: Plain, names: Mapping[str, Sequence[str]]) -> Plain:
    """A claim that somebody is called something speaks of a person, and of a real name at times."""
    if claim["predicate"] != "is_named":
        return claim if claim["object"] != "NAME" else claim | {"object": "hall"}
    true_name = claim["object"] == "NAME"
    return claim | {"subject": "cy", "object": names["cy"][0] if true_name else "Bob"}


def _letter(which: int, stage: Stage) -> Plain:
    sent = list(stage.letters.values())
    if not sent:
        return {"message": "none", "sender": "ann", "words": ""}
    one = sent[which % len(sent)]
    tells = [claim.model_dump() for claim in one.tells]
    return {"message": one.message, "sender": one.actor, "words": one.words, "tells": tells}


def _change(goal: str, actor: str, mark: str, stage: Stage) -> Plain:
    place = stage.place_of[CharacterId(actor)]
    values = {"holder": actor, "place": place, "inside": "box", "state": mark}
    return {goal: values[goal]}


def told(canon: Canon, intents: Sequence[Plain]) -> History:
    """The beats of those intents that the stage allows, in order."""
    stage, beats = stage_at(canon, START), list[Beat]()
    for number, intent in enumerate(intents):
        if (beat := beat_of(intent, number, len(beats) + 1, stage)) is not None:
            beats.append(beat)
            for happened in beat.events:
                stage.apply(happened.event)
    return History(canon, tuple(beats))


def beat_of(intent: Plain, number: int, seq: int, stage: Stage) -> Beat | None:
    """The beat of an intent, with its witnesses; None where the stage does not allow it."""
    staging = Staging(stage)
    try:
        if intent["kind"] == "walk":
            staging.walk(CharacterId(intent["actor"]), intent["to"])
        else:
            staging.add(Stageable.validate(event_of(intent, number, stage)))
    except StageError:
        return None
    return Beat(
        seq=seq,
        turn=seq,
        round=seq,
        scene=None,
        mind="person",
        clock=1200 + seq,
        events=tuple(staging.happened),
    )


@st.composite
def rich_histories(draw: st.DrawFn, most: int = 36) -> History:
    """A story of some length, in either language."""
    language = draw(st.sampled_from(["en", "zh"]))
    canon = rich_canon(NAMES[language], language)
    return told(canon, draw(st.lists(rich_intents(), min_size=most // 2, max_size=most)))
