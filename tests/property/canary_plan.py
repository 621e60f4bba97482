"""What the canary worlds hold, as plain data: ids, rosters, and the span of each item.

Nothing here is taken from `sandbox`: the format is that of docs/world-format.md, told again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Json = dict[str, Any]

SCENES = ("arrival", "quarrel", "night", "morning")
LATE = 2
"""Index of the canon scene from which several things hold."""
FREE = "free text"
"""In place of an id: words of the author's that are nobody and nothing in the world."""

PREDICATES: dict[str, Json] = {
    "concerns": {},
    "lies_in": {"functional": True, "inverse": "shelters"},
    "shelters": {"inverse": "lies_in"},
}


@dataclass(frozen=True)
class Plan:
    """A canary world without its texts."""

    cast: Mapping[str, tuple[str, list[str] | None]]
    """By id: home, and who knows its name; None: everybody."""
    places: Mapping[str, Json]
    links: tuple[Json, ...]
    things: Mapping[str, Json]
    groups: Mapping[str, Json]
    facts: Mapping[str, Json]
    disguises: Mapping[str, Json]
    """By who is disguised."""
    spans: Mapping[str, Json]
    """`from` and `until` of characters."""
    prepared: Mapping[str, Json]
    rosters: Mapping[str, Json]
    tongues: Mapping[str, str]
    senses: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Who is deaf or blind when the curtain rises, and who knows it."""
    entities: tuple[str, ...] = ("miller", "pedlar")
    scenes: tuple[str, ...] = SCENES

    @property
    def ids(self) -> set[str]:
        """All that has an id."""
        named = (self.cast, self.places, self.things, self.groups, self.facts, self.prepared)
        patterns = {f"{who}_way{n}" for who in self.cast for n in range(len(self.scenes))}
        return {*self.scenes, *self.entities, *patterns}.union(*named)


CAST: dict[str, tuple[str, list[str] | None]] = {
    "ann": ("hall", None),
    "ben": ("hall", None),
    "cy": ("yard", ["ann"]),
    "dee": ("attic", []),
    "eve": ("hall", None),
    "fay": ("yard", ["cy"]),
}
_PLACES: dict[str, Json] = {
    **{place: {} for place in ("hall", "yard", "attic", "shed", "crypt")},
    "garden": {"from": SCENES[LATE]},
}
_LINKS: tuple[Json, ...] = (
    {"between": ["hall", "yard"], "door": "open", "carries": "words"},
    {"between": ["hall", "attic"], "door": "shut", "carries": "words"},
    {"between": ["yard", "shed"], "door": "none", "carries": "sound"},
    {"between": ["attic", "crypt"], "door": "locked", "carries": "nothing"},
    {"between": ["yard", "garden"], "from": SCENES[LATE]},
)
_THINGS: dict[str, Json] = {
    "ledger": {"place": "hall", "reveals": ["debt"], "shows": "reader"},
    "portrait": {"place": "yard", "reveals": ["heir"], "shows": "all"},
    "lamp": {"place": "attic"},
    "letter": {"holder": "cy", "reveals": ["treason"], "shows": "reader"},
    "statue": {"place": "garden", "from": SCENES[LATE]},
    "locket": {"place": "yard", "concealed": True, "reveals": ["bond"], "shows": "all"},
    "dagger": {"place": "hall", "concealed": True},
    "chest": {"place": "hall"},
    "coin": {"inside": "chest", "reveals": ["hoard"], "shows": "reader"},
    "seal": {"inside": "coin", "concealed": True},
}
_GROUPS: dict[str, Json] = {
    "ring": {"members": ["ann", {"who": "eve", "from": SCENES[LATE]}], "briefs_newcomers": True},
    "guild": {"members": ["cy"], "from": SCENES[LATE + 1]},
}
_PREPARED: dict[str, Json] = {
    "bells": {"place": "hall", "reveals": ["hoard"], "things": [{"thing": "chest"}]},
    "flames": {"when": [{"who": "ann", "knows": "vow"}], "reveals": ["omen"]},
}
_LIES_IN: Json = {"predicate": "lies_in"}
_FACTS: dict[str, Json] = {
    "debt": {"subject": "ben", "scene": "arrival", "experienced": ["ben"], "secret": True},
    "heir": {"subject": "eve", "cause": "debt", "scene": "arrival", "observed": ["ann"]},
    "treason": {"subject": "miller", "secret": True},
    "theft": {
        "subject": "cy",
        "scene": "quarrel",
        "experienced": ["cy"],
        "told": [{"to": "ann", "by": "cy", "scene": "night"}],
    },
    "storm": {"subject": "yard", "common": True},
    "flood": {"subject": "garden", "common": True, "scene": "night"},
    "peace": {"subject": "hall", "common": True, "until": SCENES[LATE]},
    "vow": {"subject": "dee", "scene": "night", "experienced": ["dee"], "observed": ["cy"]},
    "pact": {"subject": "ann", "shared": [{"organisation": "ring"}]},
    "oath": {"subject": "miller", "shared": [{"organisation": "ring", "scene": "night"}]},
    "toll": {"subject": "cy", "shared": [{"organisation": "guild"}]},
    "bond": {"subject": "ben", "secret": True},
    "hoard": {"subject": "pedlar", "secret": True},
    "omen": {"subject": "hall"},
    "saying": {"subject": FREE, "scene": "quarrel", "experienced": ["cy"], "observed": ["ben"]},
    "rumour": {"subject": FREE, "secret": True},
    "cache": _LIES_IN | {"subject": "dagger", "object": "crypt", "experienced": ["dee"]},
    "nest": _LIES_IN
    | {
        "subject": "seal",
        "object": "shed",
        "scene": "arrival",
        "experienced": ["ben"],
        "told": [{"to": "fay", "by": "ben", "scene": "quarrel"}],
    },
    "shelter": {
        "subject": "crypt",
        "predicate": "shelters",
        "object": "miller",
        "scene": "night",
        "observed": ["dee"],
    },
}
_ROSTERS: dict[str, Json] = {
    "arrival": {"place": "hall", "active": ["ann", "ben", "eve"], "mentioned": ["dee"]},
    "quarrel": {"place": "yard", "active": ["cy", "fay"], "silent": ["ben"]},
    "night": {"place": "hall", "active": ["ann", "cy"], "silent": ["dee"]},
    "morning": {"place": "garden", "active": ["fay", "eve"], "mentioned": ["ann"]},
}
STORIES = Plan(
    cast=CAST,
    places=_PLACES,
    links=_LINKS,
    things=_THINGS,
    groups=_GROUPS,
    facts=_FACTS,
    disguises={"fay": {"seen_as": "pedlar", "seen_through_by": ["cy"]}},
    spans={},
    prepared=_PREPARED,
    rosters=_ROSTERS,
    tongues={"cy": "tongue", "fay": "tongue"},
)
"""What the stories are played in: small, and with something of every kind."""
_IN_SIGHT: dict[str, Any] = {
    "places": _PLACES
    | {place: _PLACES[place] | {"outdoors": True} for place in ("yard", "garden")},
    "links": (_LINKS[0] | {"sight": True}, *_LINKS[1:]),
}
DULL = replace(
    STORIES,
    senses={"eve": {"deaf": True, "impairment_known_to": ["ann"]}, "cy": {"blind": True}},
    **_IN_SIGHT,
)
"""The same with one who cannot hear, as not all know, one who cannot see, and places in sight."""


# ── something of every kind that begins, and that ends, at every scene ───────────────────────────


def _facts_of(number: int, scene: str) -> dict[str, Json]:
    """Facts that come about in a scene, by every route."""
    first, second, *_ = there = [*_ROSTERS[scene]["active"], *_ROSTERS[scene].get("silent", [])]
    facts: dict[str, Json] = {
        "common": {"scene": scene, "common": True},
        "lived": {"scene": scene, "experienced": [first], "observed": there[1:]},
        "from": {"from": scene, "common": True},
        "told": {
            "experienced": [first],
            "told": [{"to": second, "by": first, "scene": scene}],
        },
        "shared": {"shared": [{"organisation": "ring", "scene": scene}]},
        "caused": {"scene": scene, "common": True, "cause": f"lived{number}"},
        "text": {"scene": scene, "observed": [second], "subject": FREE},
        "spot": _LIES_IN | {"scene": scene, "observed": [first], "object": "shed"},
    }
    if number:
        facts["until"] = {"until": scene, "common": True}
    return {f"{kind}{number}": {"subject": "miller"} | fact for kind, fact in facts.items()}


_LATER = list(enumerate(SCENES))[1:]
STARTS = Plan(
    cast=CAST | {f"new{n}": ("hall", None if n % 2 else []) for n, _ in _LATER},
    places=_IN_SIGHT["places"]
    | {f"place{n}": {"from": scene} for n, scene in _LATER}
    | {f"ruin{n}": {"until": scene} for n, scene in _LATER},
    links=(
        *_IN_SIGHT["links"],
        {"between": ["hall", "shed"], "from": SCENES[1]},
        {"between": ["hall", "crypt"], "until": SCENES[3]},
        *({"between": ["hall", f"place{n}"]} for n, _ in _LATER),
        *({"between": ["hall", f"ruin{n}"]} for n, _ in _LATER),
    ),
    things=_THINGS
    | {f"thing{n}": {"place": "hall", "from": scene} for n, scene in _LATER}
    | {f"held{n}": {"holder": "ann", "from": scene} for n, scene in _LATER}
    | {f"lost{n}": {"place": "hall", "until": scene} for n, scene in _LATER},
    groups={
        "ring": {
            "members": [
                "ann",
                *({"who": f"new{n}", "from": scene} for n, scene in _LATER),
                {"who": "eve", "from": SCENES[LATE]},
                {"who": "ben", "until": SCENES[LATE]},
            ],
            "briefs_newcomers": True,
        },
        "guild": {"members": ["cy"], "from": SCENES[LATE + 1]},
        **{f"club{n}": {"members": ["ann"], "from": scene} for n, scene in _LATER},
    },
    facts={
        **_FACTS,
        **{
            id_: fact
            for number, scene in enumerate(SCENES)
            for id_, fact in _facts_of(number, scene).items()
        },
        **{
            f"club_fact{n}": {"subject": "ann", "shared": [{"organisation": f"club{n}"}]}
            for n, _ in _LATER
        },
    },
    disguises={
        "fay": {"seen_as": "pedlar", "seen_through_by": ["cy"], "from": SCENES[LATE]},
        "ben": {"seen_as": "miller", "until": SCENES[1]},
    },
    spans={f"new{n}": {"from": scene} for n, scene in _LATER},
    prepared=_PREPARED,
    rosters=_ROSTERS | {"night": _ROSTERS["night"] | {"positions": {"ben": "shed"}}},
    tongues=STORIES.tongues,
    senses={"new1": {"deaf": True}, "eve": {"blind": True, "impairment_known_to": ["ann"]}},
)
"""What every start point is looked at in."""

ID_OF = {
    id_: f"zi{number:04}x"
    for number, id_ in enumerate(
        sorted({*PREDICATES, "strife", "doubted", "settled"} | STORIES.ids | STARTS.ids), start=1
    )
}
