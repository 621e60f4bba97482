"""A world with a token in every text, and as every id, in English and in Chinese.

Nothing here is taken from `sandbox`: the format is that of docs/world-format.md, told again.
"""

from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from tests.property.canary_mint import (
    KINDS,
    NEVER,
    Field,
    Mint,
    end_of,
    first_of,
    in_ids,
    span_of,
    tokens,
)
from tests.property.canary_plan import FREE, ID_OF, PREDICATES, SCENES, STORIES, Json, Plan


@dataclass
class CanaryWorld:
    """The world as data, with the field of each token."""

    plan: Plan
    files: dict[str, Json]
    narratives: dict[str, str]
    fields: dict[str, Field]
    names: dict[str, set[str]]
    """Name and alias tokens by id."""
    free: dict[str, set[str]]
    """Tokens in the subject and the object of each fact, where these are words and no ids."""
    _found: dict[tuple[str, str, int], set[str]] = field(default_factory=dict)

    @property
    def language(self) -> str:
        return str(self.files["world.toml"]["language"])

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


def canary_world(language: str = "en", plan: Plan = STORIES) -> CanaryWorld:
    """A world of a plan, with a token in every text field of the format."""
    mint = Mint(language)
    names: dict[str, set[str]] = {}

    def name(kind: str, id_: str, item: Json, aliases: bool = True) -> Json:
        first = first_of(item)
        made: Json = {"name": mint.token(f"{kind}.name", id_, first)}
        if aliases:
            made["aliases"] = [mint.token(f"{kind}.name", id_, first)]
        names[id_] = {made["name"], *made.get("aliases", [])}
        return made

    cast = {
        who: name("character", who, plan.spans.get(who, {})) | character(mint, plan, who)
        for who in plan.cast
    }
    places = {
        place: item
        | name("place", place, item, aliases=False)
        | {"description": mint.timed("place.description", place, first_of(item))}
        for place, item in plan.places.items()
    }
    things = {
        id_: name("thing", id_, item) | examined(mint, id_, item)
        for id_, item in plan.things.items()
    }
    entities = {id_: name("entity", id_, {}) for id_ in plan.entities}
    groups = {id_: name("organisation", id_, item) | item for id_, item in plan.groups.items()}
    tongues = {tongue: mint.token("language", tongue) for tongue in set(plan.tongues.values())}
    for who, tongue in plan.tongues.items():
        cast[who]["languages"] = [tongues[tongue]]
    facts = {id_: fact(mint, id_, written) for id_, written in plan.facts.items()}
    files: dict[str, Json] = {
        "world.toml": {
            "title": mint.token("world", "title"),
            "language": language,
            "blurb": mint.text("world", "blurb"),
        },
        "cast.toml": cast,
        "places.toml": {"places": places, "links": list(plan.links), "things": things},
        "facts.toml": {**facts, "entities": entities},
        "predicates.toml": {
            id_: written
            | {
                "wordings": [f"{{s}} {mint.token('wording', id_)} {{o}}."],
                "question": f"{{s}} {mint.token('question', id_)}?",
            }
            for id_, written in PREDICATES.items()
        },
        "organisations.toml": groups,
        "plot.toml": {"threads": {"strife": thread(mint)}, "prepared": prepared(mint, plan)},
        "patterns.toml": {k: v for who in plan.cast for k, v in patterns(mint, plan, who).items()},
    }
    narratives = {}
    for number, (scene, roster) in enumerate(plan.rosters.items()):
        file = f"scenes/{number + 1:02}_{scene}.md"
        files[file] = canon_scene(mint, number, scene, roster)
        narratives[file] = mint.text("narrative", scene, first=NEVER)
    free = {id_: tokens(f"{made['subject']} {made['object']}") for id_, made in facts.items()}
    return CanaryWorld(plan, files, narratives, mint.fields, names, free)


def character(mint: Mint, plan: Plan, who: str) -> Json:
    """One of the cast: every text of it is another at every canon scene."""
    home, known_to = plan.cast[who]
    span = plan.spans.get(who, {})
    first = first_of(span)
    made = span | {"home": home, "mood": _moods(mint, who, first)}
    made |= {key: mint.timed(key, who, first) for key in ("known_as", "public")}
    own = ("private", "conduct", "goals", "gestures")
    made |= {key: mint.timed("own", who, first) for key in own}
    made |= _motives(mint, plan, who, first) | plan.senses.get(who, {})
    if known_to is not None:
        made["name_known_to"] = known_to
    if who in plan.disguises:
        made["disguise"] = plan.disguises[who]
    return made


def _moods(mint: Mint, who: str, first: int) -> list[Json]:
    return [span_of(n) | {"text": mint.token("own", who, n, n + 1)} for n in range(first, 4)]


_RIVALS = {"ann": "dee", "ben": "cy", "cy": "ann", "dee": "ben", "eve": "fay", "fay": "eve"}
_UNWORDED = {"ann": "ben", "ben": "eve", "cy": "fay", "dee": "ann", "eve": "ann", "fay": "ben"}
_KEPT, _WISHED = {"cy": "theft"}, {"ben": ("debt", ["ann"])}


def _motives(mint: Mint, plan: Plan, who: str, first: int) -> Json:
    """What it wants, hides and is to others, in other words at every canon scene."""
    wants, relations, keeps, wishes = list[Json](), list[Json](), list[Json](), list[Json]()
    for number in range(first, len(SCENES)):
        span = span_of(number)

        def text(at: int = number) -> str:
            return mint.text("own", who, at, at + 1)

        wants.append(span | {"question": text(), "subject": "miller", "predicate": "concerns"})
        wants.append(span | {"question": text(), "subject": text(), "predicate": "lies_in"})
        relations.append(span | {"to": _RIVALS.get(who, "ann"), "kind": "rival", "text": text()})
        if who in _UNWORDED:
            kind = list(KINDS)[(number + list(_UNWORDED).index(who)) % len(KINDS)]
            relations.append(span | {"to": _UNWORDED[who], "kind": kind})
        if who in _KEPT:
            keeps.append(span | {"fact": _KEPT[who], "unless": ["dee"], "because": text()})
        if who in _WISHED:
            fact_id, to = _WISHED[who]
            wishes.append(span | {"fact": fact_id, "to": to, "because": text()})
        later = f"new{number}"
        if later in plan.cast and later != who:
            known = {"from": SCENES[number]}
            own = mint.text("own", who, number)
            relations.append(known | {"to": later, "kind": "friend", "text": own})
    return {"wants": wants, "relations": relations, "keeps": keeps, "wishes": wishes}


def examined(mint: Mint, id_: str, item: Json) -> Json:
    """A thing as it is looked at; the lamp has nothing to see."""
    made = dict(item)
    if id_ != "lamp":
        made["examined"] = mint.text("examined", id_, first_of(item))
        made["examined_first"] = mint.text("examined_first", id_, first_of(item))
    return made


def thread(mint: Mint) -> Json:
    believed = {"subject": "miller", "predicate": "concerns"}
    believed["object"] = mint.text("belief in a thread", "strife")
    doubted = {"id": "doubted", "when": [{"who": "ann", "believes": believed}]}
    settled = {"id": "settled", "when": [{"knows": "treason"}], "closes": True}
    return {"question": mint.text("question of a thread", "strife"), "states": [doubted, settled]}


def prepared(mint: Mint, plan: Plan) -> Json:
    made: Json = {}
    for id_, written in plan.prepared.items():
        things = [
            thing | {"state": mint.text("state", thing["thing"])}
            for thing in written.get("things", ())
        ]
        made[id_] = dict(written) | {"text": mint.text("prepared", id_), "things": things}
    return made


def fact(mint: Mint, id_: str, written: Json) -> Json:
    span = (first_of(written), end_of(written))
    knower = next(iter(written.get("experienced", ())), "ann")
    free = {"subject": FREE, "object": FREE} | written
    words = {
        key: mint.text(f"fact.{key}", id_, *span)
        for key in ("subject", "object")
        if free[key] == FREE
    }
    return (
        {"predicate": "concerns"}
        | written
        | words
        | {
            "statement": mint.text("fact", id_, *span),
            "voiced": {knower: mint.text("voiced", f"{id_}:{knower}", *span)},
        }
        | ({} if free["subject"] == FREE else {"to_subject": mint.text("to_subject", id_, *span)})
    )


def patterns(mint: Mint, plan: Plan, who: str) -> Json:
    """A way of being for each canon scene."""
    return {
        f"{who}_way{number}": _pattern(mint, who, number)
        for number in range(first_of(plan.spans.get(who, {})), len(SCENES))
    }


def _pattern(mint: Mint, who: str, number: int) -> Json:
    """The first is for good, though its lines change."""
    span, end = (span_of(number), number + 1) if number else ({}, NEVER)

    def text() -> str:
        return mint.text("own", who, number, end)

    return span | {
        "owner": who,
        "situation": text(),
        "occasions": ["asking", "telling", "keeping", "not_knowing", "answering"],
        "mood_before": mint.token("own", who, number, end),
        "mood_after": mint.token("own", who, number, end),
        "manner": text(),
        "samples": mint.timed("own", who, number),
        "lead_ins": mint.timed("own", who, number),
    }


def canon_scene(mint: Mint, number: int, scene: str, roster: Json) -> Json:
    present = [*roster["active"], *roster.get("silent", [])]
    return {
        "title": mint.token("title", scene, first=NEVER),
        "place": roster["place"],
        "clock": f"{20 + number}:00",
        "roster": {part: roster.get(part, []) for part in ("active", "silent", "mentioned")},
        "positions": roster.get("positions", {}),
        "episodes": {who: mint.text("own", who, first=number) for who in present},
    }
