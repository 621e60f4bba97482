"""A house with a secret in it, in both languages: for tests of what people do with it."""

from collections.abc import Iterator
from typing import Any

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal import Rehearsal
from sandbox.story.canon import Canon
from sandbox.story.chance import Chance
from sandbox.story.ids import CharacterId
from sandbox.story.predicates import built_in
from tests.property.scenes import Told, says
from tests.property.strategies import small_canon

BEN = CharacterId("ben")
ROUNDS = 120
TAKEN = ("cup", "taken_by")
BECAUSE = "They would send me away."
QUESTION = {"subject": "cup", "predicate": "taken_by"}


def person(id_: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "name": id_.title(), "home": "hall", "gestures": ["nods", "yawns"], **more}


def house(**over: Any) -> Canon:
    """Ann took the cup and hides it; Ben is her friend, Cy nobody's, Dee is upstairs, Eve away."""
    asks = {"question": "Who took the cup?", **QUESTION}
    keep = {"fact": "theft", "because": BECAUSE}
    ben = [{"to": "ann", "kind": "friend"}]
    base: dict[str, Any] = {
        "characters": [
            person("ann", keeps=[keep], relations=[{"to": "ben", "kind": "friend"}]),
            person("ben", wants=[asks], relations=ben, trust={"cy": 0.2}),
            person("cy", wants=[asks], trust={"ben": 0.9}),
            person("dee", home="attic"),
            person("eve", home="far"),
        ],
        "things": [
            {"id": "cup", "name": "the cup", "place": "attic", "concealed": True},
            {"id": "box", "name": "the box", "place": "yard"},
            {"id": "coin", "name": "the coin", "inside": "box"},
        ],
        "predicates": {**built_in("en"), **PREDICATES},
        "facts": [
            fact("theft", "cup", "taken_by", "ann", "Ann took the cup.", experienced=["ann"]),
            fact("late", "dee", "was_at", "attic", "Dee sat up late.", common=True),
            fact("hiding", "cup", "hidden_in", "attic", "The cup is upstairs.", observed=["ann"]),
        ],
    }
    return small_canon(**base | over)


def fact(
    id_: str, subject: str, predicate: str, object_: str, statement: str, **more: Any
) -> dict[str, Any]:
    said = {"subject": subject, "predicate": predicate, "object": object_}
    return {"id": id_, "statement": statement, **said, **more}


PREDICATES: dict[str, dict[str, Any]] = {
    "taken_by": {
        "id": "taken_by",
        "functional": True,
        "inverse": "took",
        "object": "character",
        "wordings": ["{s} was taken by {o}.", "It was {o} who took {s}."],
        "question": "Who took {s}?",
    },
    "took": {"id": "took", "inverse": "taken_by", "wordings": ["{s} took {o}."]},
    "hidden_in": {
        "id": "hidden_in",
        "functional": True,
        "wordings": ["{s} is hidden in {o}."],
        "question": "Where is {s} hidden?",
    },
    "was_at": {"id": "was_at", "wordings": ["{s} was in {o}."]},
}
ASKED_BY_CY = says("cy", "Who took the cup?", "ann", asks=QUESTION)
ASKED_BY_BEN = says("ben", "Who took the cup?", "ann", asks=QUESTION)


def moves(told: Told, who: str, rounds: int = ROUNDS) -> Iterator[Move]:
    """What somebody might do now, by the chance of many rounds."""
    mind, view = Rehearsal(), told.view(who)
    for number in range(rounds):
        yield mind.choose(view, Chance(1, number, "s", who))


def claims(move: Move) -> list[tuple[str, str, str, str]]:
    return [(c.subject, c.predicate, c.object, c.mode) for c in move.tells]


def lies(told: Told, who: str, rounds: int = ROUNDS) -> list[Move]:
    """Moves that name another thief than the one the speaker knows of."""
    found = moves(told, who, rounds)
    return [m for m in found for c in m.tells if c.predicate == "taken_by" and c.object != "ann"]


def chinese() -> Canon:
    names = {"ann": "阿安", "ben": "阿本", "cy": "老赛", "dee": "小迪", "eve": "小夏"}
    words = {
        "taken_by": PREDICATES["taken_by"] | {"wordings": ["{s}是{o}拿的。"], "question": "{s}是谁拿的？"},
        "hidden_in": PREDICATES["hidden_in"] | {"wordings": ["{s}藏在{o}。"], "question": "{s}藏在哪里？"},
        "was_at": PREDICATES["was_at"] | {"wordings": ["{s}去过{o}。"]},
    }  # fmt: skip
    canon = house(language="zh", predicates={**built_in("zh"), **words})
    asked = {"question": "杯子是谁拿的？"}
    people = [
        c.model_copy(
            update={
                "name": names[c.id],
                "wants": tuple(want.model_copy(update=asked) for want in c.wants),
            }
        )
        for c in canon.characters
    ]
    things = [t.model_copy(update={"name": "杯子"}) if t.id == "cup" else t for t in canon.things]
    return canon.model_copy(update={"characters": tuple(people), "things": tuple(things)})
