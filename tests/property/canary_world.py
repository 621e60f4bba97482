"""A world with a token in every text, and as every id, in English and in Chinese.

Nothing here is taken from `sandbox`: the format is that of docs/world-format.md, told again.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

_DIGITS = "甲乙丙丁戊己庚辛壬癸"
TOKEN = re.compile(rf"zq\d{{4}}x|龘[{_DIGITS}]{{4}}靐|zi\d{{4}}x")
"""In Latin letters, in Chinese characters, and as an id, which nobody may hold."""
SCENES = ("arrival", "quarrel", "night", "morning")
LATE = 2
"""Index of the canon scene from which several things hold."""

Json = dict[str, Any]


def tokens(text: str) -> set[str]:
    return set(TOKEN.findall(text.lower()))


def in_ids(value: Any) -> Any:
    """Plain data with a token for every id."""
    return _renamed(value, ID_OF)


def out_of_ids(text: str) -> str:
    """A line of the journal with ids one can read."""
    return re.sub(r"zi\d{4}x", lambda found: _READABLE[found[0]], text)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


@dataclass(frozen=True)
class Field:
    """Where a token stands in the world."""

    kind: str
    of: str
    """Whose: id of the character, place, thing, fact …"""
    first: int = 0
    """Index of the first canon scene in which the text holds."""
    end: int = 99
    """Index of the first canon scene in which it no longer does."""

    def holds(self, start: int) -> bool:
        return self.first <= start < self.end


@dataclass
class Mint:
    language: str = "en"
    fields: dict[str, Field] = field(default_factory=dict)

    def token(self, kind: str, of: str, first: int = 0, end: int = 99) -> str:
        number = f"{len(self.fields) + 1:04}"
        token = f"zq{number}x"
        if self.language == "zh":
            token = f"龘{''.join(_DIGITS[int(digit)] for digit in number)}靐"
        self.fields[token] = Field(kind, of, first, end)
        return token

    def text(self, kind: str, of: str, first: int = 0, end: int = 99) -> str:
        token = self.token(kind, of, first, end)
        return f"关于{token}的事" if self.language == "zh" else f"about {token} so"

    def timed(self, kind: str, of: str) -> list[Json]:
        """A text before the late scene and another from it on."""
        return [
            {"text": self.text(kind, of, end=LATE), "until": SCENES[LATE]},
            {"text": self.text(kind, of, first=LATE), "from": SCENES[LATE]},
        ]


CAST = {
    # id: (home, who knows its name; None: everybody)
    "ann": ("hall", None),
    "ben": ("hall", None),
    "cy": ("yard", ["ann"]),
    "dee": ("attic", []),
    "eve": ("hall", None),
    "fay": ("yard", ["cy"]),
}
LINKS: tuple[Json, ...] = (
    {"between": ["hall", "yard"], "door": "open", "carries": "words"},
    {"between": ["hall", "attic"], "door": "shut", "carries": "words"},
    {"between": ["yard", "shed"], "door": "none", "carries": "sound"},
    {"between": ["attic", "crypt"], "door": "locked", "carries": "nothing"},
    {"between": ["yard", "garden"], "from": SCENES[LATE]},
)
THINGS: dict[str, Json] = {
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
ENTITIES = ("miller", "pedlar")
GROUPS: dict[str, Json] = {
    "ring": {"members": ["ann", {"who": "eve", "from": SCENES[LATE]}], "briefs_newcomers": True},
    "guild": {"members": ["cy"], "from": SCENES[LATE + 1]},
}
DISGUISES = {"fay": ("pedlar", ("cy",))}
"""By who is disguised: as whom, and who sees through it."""
TONGUES = {"cy": "tongue", "fay": "tongue"}
PREPARED: dict[str, Json] = {
    "bells": {"place": "hall", "reveals": ["hoard"], "things": [{"thing": "chest"}]},
    "flames": {"when": [{"who": "ann", "knows": "vow"}], "reveals": ["omen"]},
}
FACTS: dict[str, Json] = {
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
}
ID_OF = {
    id_: f"zi{number:04}x"
    for number, id_ in enumerate(
        sorted(
            {"concerns", "strife", "settled", "hall", "yard", "attic", "shed", "crypt", "garden"}
            | {*SCENES, *CAST, *THINGS, *ENTITIES, *GROUPS, *PREPARED, *FACTS}
            | {f"{who}_way" for who in CAST}
        ),
        start=1,
    )
}
_READABLE = {token: id_ for id_, token in ID_OF.items()}
ROSTERS: dict[str, Json] = {
    "arrival": {"place": "hall", "active": ["ann", "ben", "eve"], "mentioned": ["dee"]},
    "quarrel": {"place": "yard", "active": ["cy", "fay"], "silent": ["ben"]},
    "night": {"place": "hall", "active": ["ann", "cy"], "silent": ["dee"]},
    "morning": {"place": "garden", "active": ["fay", "eve"], "mentioned": ["ann"]},
}


@dataclass
class CanaryWorld:
    """The world as data, with the field of each token."""

    files: dict[str, Json]
    narratives: dict[str, str]
    fields: dict[str, Field]
    names: dict[str, set[str]]
    """Name and alias tokens by id."""
    free: dict[str, set[str]]
    """Tokens in the free-text object of each fact."""
    _found: dict[tuple[str, str, int], set[str]] = field(default_factory=dict)

    def of(self, kind: str, id_: str, start: int) -> set[str]:
        """The tokens of a kind of field that hold at a start point."""
        key = (kind, id_, start)
        if key not in self._found:
            self._found[key] = {
                token
                for token, at in self.fields.items()
                if (at.kind, at.of) == (kind, id_) and at.holds(start)
            }
        return self._found[key]

    def one(self, kind: str, id_: str) -> str:
        return next(t for t, at in self.fields.items() if (at.kind, at.of) == (kind, id_))

    def write(self, folder: Path) -> Path:
        (folder / "scenes").mkdir(parents=True)
        for name, readable in self.files.items():
            content = in_ids(readable)
            if name.startswith("scenes/"):
                body = self.narratives[name]
                text = f"+++\n{tomli_w.dumps(content)}+++\n{body}\n"
                number, scene = name.removesuffix(".md").removeprefix("scenes/").split("_")
                name = f"scenes/{number}_{ID_OF[scene]}.md"
                (folder / name).write_text(text, encoding="utf-8")
            else:
                (folder / name).write_text(tomli_w.dumps(content), encoding="utf-8")
        return folder


def canary_world(language: str = "en") -> CanaryWorld:
    mint = Mint(language)
    names: dict[str, set[str]] = {}

    def name(kind: str, id_: str, aliases: bool = True) -> Json:
        made = {"name": mint.token(f"{kind}.name", id_)}
        found: Json = made | ({"aliases": [mint.token(f"{kind}.name", id_)]} if aliases else {})
        names[id_] = {found["name"], *found.get("aliases", [])}
        return found

    cast = {who: name("character", who) | _character(mint, who) for who in CAST}
    places = {
        place: name("place", place, aliases=False)
        | {"description": mint.timed("place.description", place)}
        for place in ("hall", "yard", "attic", "shed", "crypt", "garden")
    }
    places["garden"]["from"] = SCENES[LATE]
    things = {thing: name("thing", thing) | _thing(mint, thing) for thing in THINGS}
    entities = {id_: name("entity", id_) for id_ in ENTITIES}
    groups = {id_: name("organisation", id_) | group for id_, group in GROUPS.items()}
    tongues = {tongue: mint.token("language", tongue) for tongue in set(TONGUES.values())}
    for who, tongue in TONGUES.items():
        cast[who]["languages"] = [tongues[tongue]]
    facts = {fact: _fact(mint, fact) for fact in FACTS}
    files: dict[str, Json] = {
        "world.toml": {
            "title": mint.token("world", "title"),
            "language": language,
            "blurb": mint.text("world", "blurb"),
        },
        "cast.toml": cast,
        "places.toml": {"places": places, "links": list(LINKS), "things": things},
        "facts.toml": {**facts, "entities": entities},
        "predicates.toml": {
            "concerns": {
                "wordings": [f"{{s}} {mint.token('wording', 'concerns')} {{o}}."],
                "question": f"{{s}} {mint.token('question', 'concerns')}?",
            }
        },
        "organisations.toml": groups,
        "plot.toml": {"threads": {"strife": _thread(mint)}, "prepared": _prepared(mint)},
        "patterns.toml": {f"{who}_way": _pattern(mint, who) for who in CAST},
    }
    narratives = {}
    for number, (scene, roster) in enumerate(ROSTERS.items()):
        file = f"scenes/{number + 1:02}_{scene}.md"
        files[file] = _scene(mint, number, scene, roster)
        narratives[file] = mint.text("narrative", scene, first=99)
    free = {id_: tokens(fact["object"]) for id_, fact in facts.items()}
    return CanaryWorld(files, narratives, mint.fields, names, free)


def _character(mint: Mint, who: str) -> Json:
    home, known_to = CAST[who]
    other = {"ann": "dee", "ben": "cy", "cy": "ann", "dee": "ben", "eve": "fay", "fay": "eve"}[who]
    made: Json = {
        "home": home,
        "known_as": mint.timed("known_as", who),
        "public": mint.timed("public", who),
        "private": mint.timed("own", who),
        "conduct": [mint.text("own", who), mint.text("own", who)],
        "goals": mint.timed("own", who),
        "mood": [
            {"text": mint.token("own", who, end=LATE), "until": SCENES[LATE]},
            {"text": mint.token("own", who, first=LATE), "from": SCENES[LATE]},
        ],
        "gestures": [mint.text("own", who), mint.text("own", who)],
        "relations": [{"to": other, "kind": "rival", "text": mint.text("own", who)}],
        "wants": [
            {"question": mint.text("own", who), "subject": "miller", "predicate": "concerns"}
        ],
    }
    if known_to is not None:
        made["name_known_to"] = known_to
    if who in DISGUISES:
        seen_as, through = DISGUISES[who]
        made["disguise"] = {"seen_as": seen_as, "seen_through_by": list(through)}
    if who == "cy":
        made["keeps"] = [{"fact": "theft", "because": mint.text("own", who)}]
    if who == "ben":
        made["wishes"] = [{"fact": "debt", "to": ["ann"], "because": mint.text("own", who)}]
    return made


def _thing(mint: Mint, thing: str) -> Json:
    made = dict(THINGS[thing])
    if thing != "lamp":
        made["examined"] = mint.text("examined", thing)
        made["examined_first"] = mint.text("examined_first", thing)
    return made


def _thread(mint: Mint) -> Json:
    settled = {"id": "settled", "when": [{"knows": "treason"}], "closes": True}
    return {"question": mint.text("question of a thread", "strife"), "states": [settled]}


def _prepared(mint: Mint) -> Json:
    made: Json = {}
    for id_, written in PREPARED.items():
        made[id_] = dict(written) | {"text": mint.text("prepared", id_)}
        for thing in made[id_].get("things", ()):
            thing["state"] = mint.text("state", thing["thing"])
    return made


def _fact(mint: Mint, fact: str) -> Json:
    written = FACTS[fact]
    start = SCENES.index(written.get("scene", SCENES[0]))
    end = SCENES.index(written["until"]) if "until" in written else 99
    knower = next(iter(written.get("experienced", ())), "ann")
    return written | {
        "predicate": "concerns",
        "object": mint.text("fact.object", fact, start, end),
        "statement": mint.text("fact", fact, start, end),
        "voiced": {knower: mint.text("voiced", f"{fact}:{knower}", start, end)},
        "to_subject": mint.text("to_subject", fact, start, end),
    }


def _pattern(mint: Mint, who: str) -> Json:
    return {
        "owner": who,
        "situation": mint.text("own", who),
        "occasions": ["asking", "telling", "keeping", "not_knowing", "answering"],
        "mood_before": mint.token("own", who),
        "mood_after": mint.token("own", who),
        "manner": mint.text("own", who),
        "samples": mint.timed("own", who),
        "lead_ins": mint.timed("own", who),
    }


def _scene(mint: Mint, number: int, scene: str, roster: Json) -> Json:
    present = [*roster["active"], *roster.get("silent", [])]
    return {
        "title": mint.token("title", scene, first=99),
        "place": roster["place"],
        "clock": f"{20 + number}:00",
        "roster": {part: roster.get(part, []) for part in ("active", "silent", "mentioned")},
        "episodes": {who: mint.text("own", who, first=number) for who in present},
    }
