"""The request of a move: within its budget, the same for the same view, in the world's language."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from sandbox.agents.prompting import Found, Limits, prompt_of
from sandbox.settings import Settings
from sandbox.storage.places import worlds_folder
from sandbox.story.canon import Canon
from sandbox.story.ids import FactId, canonical_json
from sandbox.story.predicates import built_in
from sandbox.story.tokens import estimated_tokens
from sandbox.story.view import CharacterView
from tests.playing import act, begun, playing
from tests.property.scenes import Told, acts, says
from tests.property.strategies import small_canon

NOTHING = Found((), ())
LIMITS = Limits(max_tokens=600, prompt_tokens=2000, temperature=0.8, percepts=24)


def crowded(facts: int, statement: str) -> Canon:
    written = [
        {
            "id": f"fact_{n}",
            "subject": "ann",
            "predicate": "took",
            "object": str(n),
            "statement": f"{n}: {statement}",
            "common": True,
        }
        for n in range(facts)
    ]
    return small_canon(facts=written, things=[])


def tokens_of(told: Told, found: Found = NOTHING, limits: Limits = LIMITS) -> int:
    request = prompt_of(told.view("ann"), found, limits).request
    return sum(estimated_tokens(message.content) for message in request.messages)


def text_of(told: Told, found: Found = NOTHING, limits: Limits = LIMITS) -> str:
    request = prompt_of(told.view("ann"), found, limits).request
    return "\n".join(message.content for message in request.messages)


def test_a_prompt_stays_in_its_budget_with_three_thousand_facts_and_long_percepts() -> None:
    told = Told(canon=crowded(3000, "Somebody took something from somewhere, they say."))
    for n in range(30):
        told.happen(says("ben", f"Line {n}. " + "And so it went on. " * 60))
    memories = [f"Memory {n}. " + "It was long ago. " * 40 for n in range(50)]
    found = Found(memories, [FactId(f"fact_{n}") for n in range(0, 3000, 7)])
    assert 1000 < tokens_of(told, found) <= LIMITS.prompt_tokens


def test_a_chinese_prompt_stays_in_its_budget_too() -> None:
    canon = crowded(2000, "听说有人从什么地方拿走了什么东西。")
    zh = Canon.model_validate(
        canon.model_dump(by_alias=True)
        | {"language": "zh", "predicates": built_in("zh")}
        | {
            "facts": [
                f.model_dump(by_alias=True) | {"predicate": "said_about"} for f in canon.facts
            ]
        }
    )
    told = Told(canon=zh)
    for _ in range(30):
        told.happen(says("ben", "于是就这样一直说下去，说个没完。" * 60))
    assert 1000 < tokens_of(told) <= LIMITS.prompt_tokens


def test_a_prompt_does_not_grow_with_the_length_of_the_story() -> None:
    told, sizes = Told(canon=crowded(10, "A fact.")), list[int]()
    for n in range(120):
        told.happen(says("ben", f"This is line {n:03} of a long evening."))
        sizes.append(tokens_of(told))
    assert max(sizes[30:]) - min(sizes[30:]) <= 2


def test_what_happened_last_is_never_left_out_however_long_it_is() -> None:
    told = Told(says("ben", "Before."), says("ben", "The roof is on fire! " + "Run! " * 700))
    text = text_of(told)
    assert "The roof is on fire!" in text
    assert tokens_of(told) <= LIMITS.prompt_tokens


def test_one_fact_that_is_too_long_does_not_push_out_the_others() -> None:
    canon = crowded(5, "short")
    long = canon.facts[4].model_copy(update={"statement": "long " * 790})
    told = Told(canon=canon.model_copy(update={"facts": (*canon.facts[:4], long)}))
    text = text_of(told, Found((), [FactId("fact_4")]))
    assert "0: short" in text


def test_the_facts_found_come_before_those_learned_last() -> None:
    told = Told(canon=crowded(3000, "They say that somebody took it."))
    numbered = prompt_of(told.view("ann"), Found((), [FactId("fact_7")]), LIMITS).numbered
    assert FactId("fact_7") in numbered
    assert FactId("fact_2999") in numbered


def test_facts_are_numbered_afresh_and_no_id_is_shown() -> None:
    told = Told()
    prompt = prompt_of(told.view("ann"), NOTHING, LIMITS)
    text = canonical_json(asdict(prompt.request))
    shown = re.findall(r"- (f\d+): ", text)
    assert shown == [f"f{n}" for n in range(1, len(prompt.numbered) + 1)]
    for id_ in ("fact_", "supper", "small", "located_in", "is_named"):
        assert id_ not in text


def test_the_same_state_gives_the_same_bytes() -> None:
    def request() -> str:
        told = Told(says("ben", "Good evening."), acts("ben", "bows"))
        told.walk("cy", "hall")
        return canonical_json(asdict(prompt_of(told.view("ann"), NOTHING, LIMITS).request))

    assert request() == request()


def test_what_is_stable_comes_first_so_that_a_cache_can_keep_it() -> None:
    told = Told()
    before = prompt_of(told.view("ann"), NOTHING, LIMITS).request.messages[0]
    told.happen(says("ben", "Good evening."))
    assert prompt_of(told.view("ann"), NOTHING, LIMITS).request.messages[0] == before


def test_a_chinese_prompt_holds_no_english_of_the_program() -> None:
    canon = small_canon()
    names = dict(
        zip(
            ["ann", "ben", "cy", "dee", "eve"],
            ["安娜", "本恩", "沈先生", "小迪", "小伊"],
            strict=True,
        )
    )
    people = [
        {
            "id": c.id,
            "name": names[c.id],
            "home": c.home,
            "mood": "平静",
            "relations": [{"to": "ben", "kind": "rival"}] if c.id == "ann" else [],
        }
        for c in canon.characters
    ]
    places = [{"id": p.id, "name": f"第{n}间屋"} for n, p in enumerate(canon.places)]
    rain = {
        "id": "rain",
        "subject": "yard",
        "predicate": "said_about",
        "object": "雨",
        "statement": "下雨了。",
        "common": True,
    }
    links = [{"between": ["hall", "yard"], "door": "locked", "carries": "words"}]
    zh = small_canon(
        links,
        characters=people,
        places=places,
        facts=[rain],
        things=[{"id": "cup", "name": "杯子", "place": "hall"}],
        language="zh",
        predicates=built_in("zh"),
    )
    told = Told(says("ben", "来了？", "ann"), acts("ben", "点头"), canon=zh)
    told.happen({"kind": "state_turned", "actor": "ben", "state": "fell_asleep"})
    text = text_of(told)
    keys = "JSON thought action words to whisper false examine go mood relied on f".split()  # noqa: SIM905
    for key in sorted(keys, key=len, reverse=True):
        text = re.sub(rf"(?<![A-Za-z]){key}(?![A-Za-z])", "", text)
    assert not re.findall(r"[A-Za-z]+", text)


def test_a_full_room_stays_in_the_budget_too() -> None:
    people = [
        {"id": f"p{n}", "name": f"P{n}", "home": "hall", "public": "A long coat. " * 60}
        for n in range(20)
    ]
    named = [c.model_dump(by_alias=True) for c in small_canon().characters]
    assert tokens_of(Told(canon=small_canon(characters=[*named, *people]))) <= LIMITS.prompt_tokens


@pytest.mark.parametrize("world", ["lantern_inn", "jiangcun_duchuan"])
async def test_no_id_of_a_bundled_world_is_ever_in_a_prompt(tmp_path: Path, world: str) -> None:
    """Ids with an underscore stand in no natural text, so any that shows up leaked."""
    save = begun(tmp_path / "s", worlds_folder() / world, settings=Settings())
    async with playing(save) as session:
        await act(session, 30)
        canon = session.canon
        named = [*canon.cast, *canon.places_by_id, *canon.things_by_id, *canon.facts_by_id]
        ids = {str(i) for i in (*named, *canon.predicates, *canon.patterns_by_id) if "_" in i}
        assert len(ids) > 10
        for who in canon.cast:
            prompt = prompt_of(CharacterView(session.world, who), Found((), ()), LIMITS)
            shown = "\n".join(message.content for message in prompt.request.messages)
            assert not [id_ for id_ in ids - {"relied_on"} if id_ in shown]
            for unseen in ("percept:", "claim:", "rule:", "event:", "s1", "s2"):
                assert unseen not in shown
