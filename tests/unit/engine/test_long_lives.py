"""After two thousand beats a scene of the first evening that matters is still found.

The story is made up, event by event, and folded as any other: witnesses, percepts, episodes at scene
close and the records of the shelf are those of production.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pytest

from sandbox.engine.outside import ages
from sandbox.engine.records import gained_records
from sandbox.engine.staging import Staging
from sandbox.memory.embedding import WordLlama, cached
from sandbox.memory.in_process import InProcessStore
from sandbox.memory.recall import recall, supported
from sandbox.memory.store import Embedder, Layer, Record, Shelf
from sandbox.story.beats import Beat
from sandbox.story.chance import Chance
from sandbox.story.episodes import composed, parts_of
from sandbox.story.events import Acted, Event, LineSpoken, SceneClosed, SceneOpened
from sandbox.story.fold import Fold
from sandbox.story.ids import CharacterId, PlaceId, SceneId
from sandbox.story.view import CharacterView
from tests.plotting import AHE, ANN, BEN, KITCHEN, XIAOMO, mill, mill_zh

BEATS, SCENE_BEATS, THEN = 2000, 20, 30
"""Beats of the life, of a scene, and the beat that matters."""


@dataclass(frozen=True)
class Tale:
    """What two people talk about for two thousand beats, and what one of them said once."""

    people: tuple[CharacterId, CharacterId]
    place: PlaceId
    things: tuple[str, ...]
    remarks: tuple[str, ...]
    """Said of a thing; each names a number of the day, so that hardly two are the same."""
    deeds: tuple[str, ...]
    once: str
    questions: tuple[str, ...]


ENGLISH = Tale(
    people=(ANN, BEN),
    place=KITCHEN,
    things=("flour", "mill wheel", "kettle", "pear tree", "ledger", "lantern", "river", "donkey"),
    remarks=(
        "The {} wants looking after, that is the {}th time I say so.",
        "Did you see to the {} on day {}?",
        "I dreamt of the {} again, {} nights running.",
        "Nobody touches the {} before market day, not for {} pence.",
        "My grandfather buried {1} years of his life in the {0}.",
        "Where did you leave the {}? It is {} paces from the door as a rule.",
    ),
    deeds=("looks at the {}", "wipes the {} dry", "walks round the {}"),
    once="I buried the silver clock under the pear tree, so that the bailiff should not find it.",
    questions=(
        "Where did Ben bury the silver clock?",
        "What was the bailiff not to find?",
        "Under which tree does the clock lie?",
    ),
)
CHINESE = Tale(
    people=(AHE, XIAOMO),
    place=PlaceId("chufang"),
    things=("面粉", "水车", "水壶", "梨树", "账本", "灯笼", "河水", "毛驴"),
    remarks=(
        "{}该收拾了，这话我说过{}遍。",
        "第{1}天你去看过{0}没有？",
        "我又梦见{}，一连{}夜。",
        "赶集以前谁也别动{}，给{}文钱也不行。",
        "我爷爷在{}上耗了{}年。",
        "{}放哪儿了？平时离门口{}步远。",
    ),
    deeds=("看了看{}", "把{}擦干", "绕着{}走了一圈"),
    once="银钟我埋在梨树底下了，省得差役搜了去。",
    questions=("小墨把银钟埋在哪里？", "怕差役搜走的是什么？", "梨树底下埋着什么？"),
)


@dataclass
class Life:
    """A story as it grows, and one character's shelf beside it."""

    tale: Tale
    folding: Fold
    embedder: Embedder
    shelf: Shelf = field(init=False)
    store: InProcessStore = field(init=False)
    seq: int = 0

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.tale.people[0], Layer.EPISODIC)
        self.store = InProcessStore(self.embedder)

    def live(self) -> None:
        """Live through all of it, scene by scene."""
        for number in range(1, BEATS // SCENE_BEATS + 1):
            scene, place = SceneId(f"s{number}"), self.tale.place
            self.beat(scene, SceneOpened(scene=scene, place=place, number=number))
            for _ in range(SCENE_BEATS - 2):
                self.beat(scene, self.something())
            self.close(scene)

    def something(self) -> Event:
        tale, number = self.tale, self.seq + 1
        me, other = tale.people
        if number == THEN:
            return LineSpoken(actor=other, words=tale.once, targets=(me,))
        chance = Chance(seed=1, round=number, scene="life", character="")
        who, to = (me, other) if chance.share("who") < 0.5 else (other, me)
        thing = chance.pick("thing", tale.things)
        if chance.share("kind") < 0.2:
            return Acted(actor=who, text=chance.pick("deed", tale.deeds).format(thing))
        words = chance.pick("remark", tale.remarks).format(thing, number)
        return LineSpoken(actor=who, words=words, targets=(to,))

    def close(self, scene: SceneId) -> None:
        world = self.folding.world
        closing: list[Event] = [SceneClosed(scene=scene, place=self.tale.place)]
        for part in parts_of(world, world.scenes[scene]):
            if text := composed(CharacterView(world, part.owner), part.percepts):
                closing.append(part.written(text))
        self.beat(scene, *closing)

    def beat(self, scene: SceneId, *events: Event) -> None:
        world, self.seq = self.folding.world, self.seq + 1
        staging = Staging(world.stage)
        staging.add(*events)
        beat = Beat(
            seq=self.seq,
            turn=self.seq,
            round=self.seq,
            scene=scene,
            mind="person",
            clock=world.clock + 1,
            events=tuple(staging.happened),
        )
        gained = self.folding.apply(beat)
        self.store.put(self.shelf, gained_records(world, gained).get(self.shelf, []))


@cache
def life_of(language: str) -> Life:
    canon, tale = (mill(), ENGLISH) if language == "en" else (mill_zh(), CHINESE)
    life = Life(tale, Fold(canon, canon.default_start), cached(WordLlama()))
    life.live()
    return life


def matters(tale: Tale, record: Record) -> bool:
    return tale.once[:12] in record.text


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", question) for question in ENGLISH.questions]
    + [("zh", question) for question in CHINESE.questions],
)
def test_a_scene_of_beat_30_is_found_after_2000_beats(language: str, question: str) -> None:
    life = life_of(language)
    world = life.folding.world
    held = life.store.records(life.shelf)
    assert world.turn == BEATS
    assert len(held) > 1800
    turns = {record.turn for record in held.values() if matters(life.tale, record)}
    assert THEN in turns
    assert max(turns) <= 2 * SCENE_BEATS, "nobody speaks of it again"
    found = recall(life.store, life.shelf, question, limit=5, ages=ages(world))
    answers = [one for one in found if matters(life.tale, one.record)]
    assert answers, [one.record.text for one in found]
    assert any(one in supported(found) for one in answers)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "What does the harbour master of Lisbon collect?"),
        ("zh", "里斯本的港务长收藏什么？"),
    ],
)
def test_of_what_never_came_up_in_2000_beats_nothing_is_support(
    language: str, question: str
) -> None:
    life = life_of(language)
    found = recall(life.store, life.shelf, question, limit=5, ages=ages(life.folding.world))
    assert supported(found) == []
