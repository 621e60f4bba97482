"""What the mind without a model does with its hands and feet: searches, follows leads, seeks people."""

from typing import Any

from sandbox.agents.minds import Move
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.engine.staging import Staging
from sandbox.story.events import ThingFound
from sandbox.story.ids import CharacterId, PlaceId, ThingId
from tests.property.house import BECAUSE, BEN, fact, house, moves, person
from tests.property.scenes import Told, acts, claim, says

# ── searching ─────────────────────────────────────────────────────────────────────────────────


def searched(told: Told, who: str) -> list[str]:
    """What a search of `who` brings to light where it is."""
    staging = Staging(told.world.stage)
    staging.move(CharacterId(who), Move(action="searches the place", searches=True))
    told.take(staging.happened)
    return [h.event.thing for h in staging.happened if isinstance(h.event, ThingFound)]


def test_who_wants_to_know_something_and_is_alone_searches_the_place_once() -> None:
    told = Told(canon=house())
    told.walk("cy", "yard")
    told.happen(acts("cy", "looks into the box", examines="box"))
    told.happen(acts("cy", "looks at the coin", examines="coin"))
    assert any(m.searches for m in moves(told, "cy"))
    searched(told, "cy")
    assert not any(m.searches for m in moves(told, "cy"))


def test_a_search_finds_what_is_hidden_there_and_what_it_finds_can_then_be_examined() -> None:
    told = Told(canon=house())
    told.walk("cy", "attic")
    assert "cup" not in {t.id for t in told.view("cy").things}
    assert searched(told, "cy") == ["cup"]
    assert {m.examines for m in moves(told, "cy")} >= {"cup"}


def test_a_fruitless_search_says_nothing_of_what_is_hidden_elsewhere() -> None:
    told = Told(canon=house())
    assert searched(told, "cy") == []
    assert "cup" not in " ".join(told.remembers("cy")).lower()


def test_nobody_searches_where_it_hides_something_itself() -> None:
    keeps = [{"fact": "hiding", "because": BECAUSE}]
    wants = [{"question": "Where did Eve sit?", "subject": "eve", "predicate": "was_at"}]
    hider = person("ann", keeps=keeps, wants=wants)
    others = [person(who, home="yard") for who in ("cy", "dee", "eve")]
    told = Told(canon=house(characters=[hider, person("ben"), *others]))
    told.walk("ann", "attic")
    assert not any(m.searches for m in moves(told, "ann"))
    told.walk("ann", "hall")
    told.walk("ben", "yard")
    assert any(m.searches for m in moves(told, "ann"))


def test_what_lies_in_a_box_is_seen_by_who_looks_into_it_and_by_nobody_else() -> None:
    told = Told(canon=house())
    told.walk("cy", "yard")
    assert {t.id for t in told.view("cy").things} == {"box"}
    staging = Staging(told.world.stage)
    staging.move(CharacterId("cy"), Move(action="looks", examines=ThingId("box")))
    told.take(staging.happened)
    assert {t.id for t in told.view("cy").things} == {"box", "coin"}
    told.walk("ben", "yard")
    assert {t.id for t in told.view("ben").things} == {"box"}


def test_a_lie_that_is_believed_sends_people_to_search_in_the_wrong_place() -> None:
    said = "The cup is hidden in the yard."
    lie = claim("cup", "hidden_in", "yard", said)
    told = Told(says("ann", said, "cy", tells=[lie]), canon=house())
    told.walk("cy", "yard")
    told.walk("cy", "hall")
    for who in ("ann", "ben"):
        told.walk(who, "attic")
    searched(told, "cy")
    assert {m.go for m in moves(told, "cy") if m.go} == {"yard"}
    told.walk("cy", "yard")
    assert any(m.searches for m in moves(told, "cy"))


# ── seeking ───────────────────────────────────────────────────────────────────────────────────


def seeker(*events: dict[str, Any]) -> Told:
    """Ben wishes to tell Cy something, and saw him go to the yard."""
    wish = [{"fact": "news", "to": ["cy"]}]
    news = fact("news", "eve", "was_at", "far", "Eve was far away.", experienced=["ben"])
    people = [
        person("ann", home="attic"), person("ben", wishes=wish), person("cy"),
        person("dee", home="attic"), person("eve", home="far"),
    ]  # fmt: skip
    told = Told(*events, canon=house(characters=people, facts=[news]))
    told.walk("cy", "yard")
    for _ in range(10):
        told.happen(acts("ben", "waits"))
    return told


def test_who_wants_to_tell_somebody_goes_where_it_last_saw_them() -> None:
    told = seeker()
    assert {m.go for m in moves(told, "ben") if m.go} == {PlaceId("yard")}


def test_who_was_missed_in_two_places_is_sought_no_longer_until_seen_again() -> None:
    told = seeker()
    told.happen({"kind": "stage_set", "places": {"cy": "far"}})
    for place, missed in (("yard", 1), ("hall", 2)):
        told.walk("ben", place)
        notebook = Notebook(BEN)
        notebook.update(told.view("ben"))
        assert notebook.missed == {"cy": missed}
        assert "cy" not in notebook.seen_at
    told.happen({"kind": "stage_set", "places": {"cy": "hall"}})
    told.happen(says("cy", "Here I am."))
    notebook.update(told.view("ben"))
    assert notebook.missed == {}
    assert notebook.seen_at[CharacterId("cy")] == "hall"
