"""Memory in step with the story: each Chroma collection holds what the journal says, item by item."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandbox.engine.auditing import audit, memory_problems
from sandbox.engine.home import EMBEDDER, ChromaHome
from sandbox.engine.session import Session
from sandbox.errors import BoundaryError
from sandbox.memory.embedding import WordLlama, cached
from sandbox.memory.keeping import UNFINISHED, MemoryFolder
from sandbox.memory.store import Embedder, Layer, MemoryStore, Shelf
from sandbox.models.scripted import ScriptedModel
from sandbox.storage.saves import Save, load_save
from sandbox.story import predicates
from sandbox.story.beats import Beat, Detail
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.commands import Go, Inject, Retake, Rewind, Say
from sandbox.story.events import Acted, Entered, EpisodeWritten, Left, LineSpoken, Whispered
from sandbox.story.ids import CharacterId, PlaceId, PredicateId, content_id
from sandbox.story.known import worded
from sandbox.story.percepts import Names, Percept
from sandbox.story.wording import remembered
from tests.playing import (
    TINY,
    Step,
    act,
    act_where_possible,
    assert_verifies,
    begun,
    one_round,
    playing,
    reply,
    world_of,
)

pytestmark = pytest.mark.chroma


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return cached(WordLlama())


@pytest.fixture(autouse=True)
def _one_embedder(monkeypatch: pytest.MonkeyPatch, embedder: Embedder) -> None:
    """Loading it takes half a second, and a save is opened often here."""
    monkeypatch.setattr("sandbox.memory.embedding.WordLlama", lambda: embedder)


ROOT = Path(__file__).parents[3]
ANN, BEN, CY = (CharacterId(who) for who in ("ann", "ben", "cy"))
HALL, YARD = PlaceId("hall"), PlaceId("yard")
NAMED = Claim(
    subject="cy", predicate=predicates.IS_NAMED, object="Cy Dorn", said="He is called Cy Dorn."
)
GUESS = Claim(
    subject="key",
    predicate=PredicateId("hidden_in"),
    object="cup",
    said="Maybe it is in the cup.",
    mode="supposed",
)
STORY: list[Step] = [
    12,
    Inject(text="A bell rings."),
    Go(character=CY, place=HALL),
    Say(character=ANN, words="He is called Cy Dorn.", tells=(NAMED,)),
    10,
    Rewind(turn=9),
    8,
    Retake(),
    10,
    Say(character=ANN, words="Maybe it is in the cup.", tells=(GUESS,)),
    Inject(text="The lamp flickers.", place=HALL),
    6,
    Rewind(turn=26),
    14,
    Retake(),
    Retake(),
    4,
]
Item = tuple[str, str, int, int, str]
"""Text, kind, seq, turn, scene."""
Where = tuple[int, int, str]
"""Seq, turn, scene."""


class Recount:
    """What each shelf has to hold, told by the journal's witnesses alone; the fold is not asked."""

    def __init__(self, canon: Canon, beats: tuple[Beat, ...]) -> None:
        self.canon = canon
        self.at = canon.default_start
        self.place = {ANN: HALL, BEN: HALL, CY: YARD}
        self.strangers = {ANN: set[CharacterId](), BEN: {CY}, CY: set[CharacterId]()}
        self.items: dict[str, dict[str, Item]] = {
            f"{who}.{layer}": {} for who in self.place for layer in Layer
        }
        self._canon()
        gone = {seq for beat in beats for seq in beat.withdrawn_seqs}
        for beat in beats:
            if beat.seq not in gone:
                self._beat(beat)

    def _canon(self) -> None:
        for who in (ANN, BEN):
            text = self.canon.scenes[0].episodes[who]
            self._put(who, "episodic", f"canon:supper:{who}", (text, "episode", 0, 0, "supper"))
        for who, fact, scene in (
            (ANN, "key_hidden", "supper"),
            (BEN, "cup_broken", "supper"),
            *((who, "rain", "") for who in self.place),
        ):
            self._put(who, "semantic", fact, (self._statement(fact), "fact", 0, 0, scene))
        (pattern,) = self.canon.patterns
        text = f"{pattern.situation}\n{pattern.manner}"
        self._put(ANN, "personality", "pattern:ann_firm", (text, "pattern", 0, 0, ""))

    def _statement(self, fact: str) -> str:
        return next(item.statement for item in self.canon.facts if item.id == fact)

    def _put(self, who: str, layer: str, id_: str, item: Item) -> None:
        self.items[f"{who}.{layer}"].setdefault(id_, item)

    def _beat(self, beat: Beat) -> None:
        for index, happened in enumerate(beat.events):
            event = happened.event
            where = (beat.seq, beat.turn, beat.scene or "")
            if isinstance(event, EpisodeWritten):
                id_ = content_id("event", [beat.seq, index, event.model_dump(mode="json")])
                item = (event.text, "episode", beat.seq, beat.turn, event.scene)
                self._put(event.owner, "episodic", id_, item)
                continue
            for who, detail in happened.witnesses.items():
                self._percept(who, detail, beat, index)
            if isinstance(event, LineSpoken | Whispered):
                for claim in event.tells:
                    self._told(event.actor, claim, happened.heard_in_full(), where)
            if isinstance(event, Entered):
                self._seen_in(event.actor, event.place, happened.heard_in_full(), where)
                self.place[event.actor] = event.place
            if isinstance(event, Left):
                self.place[event.actor] = PlaceId("")
            if isinstance(event, Acted) and event.examines:
                self._examined(event.actor, event.examines, happened.heard_in_full(), where)

    def _percept(self, who: CharacterId, detail: Detail, beat: Beat, index: int) -> None:
        actor = getattr(beat.events[index].event, "actor", None)
        strangers = frozenset(self.strangers[who])
        there = self.place.get(actor) if actor else None
        happened = beat.events[index]
        percept = Percept(who, detail, beat, index, happened, self.place[who], strangers, there)
        text = remembered(percept, Names(self.canon, self.at))
        if text:
            item = (text, "percept", beat.seq, beat.turn, beat.scene or "")
            self._put(who, "episodic", f"percept:{beat.seq}.{index}", item)

    def _told(
        self,
        teller: CharacterId,
        claim: Claim,
        heard: list[CharacterId],
        where: Where,
    ) -> None:
        id_ = content_id("claim", [claim.subject, claim.predicate, claim.object, claim.mode])
        for who in heard:
            if who != teller:
                self._put(who, "semantic", id_, (claim.said, "fact", *where))
                if claim.predicate == predicates.IS_NAMED:
                    self.strangers[who].discard(CharacterId(claim.subject))

    def _examined(
        self, actor: CharacterId, id_: str, seen_by: list[CharacterId], where: Where
    ) -> None:
        """Nothing is carried about in this story: things are where the world put them."""
        thing = next(thing for thing in self.canon.things if thing.id == id_)
        self._seen_in(id_, str(thing.place), seen_by, where)
        for fact in thing.reveals:
            for who in seen_by if thing.shows == "all" else [actor]:
                self._put(who, "semantic", fact, (self._statement(fact), "fact", *where))

    def _seen_in(self, what: str, place: str, seen_by: list[CharacterId], where: Where) -> None:
        fact = (what, predicates.LOCATED_IN, place)
        for who in seen_by:
            names = Names(self.canon, self.at, frozenset(self.strangers[who]))
            item = (worded(names, *fact), "fact", *where)
            self._put(who, "semantic", content_id("rule", list(fact)), item)


Vectors = dict[str, dict[str, Any]]


def in_chroma(save: Save) -> tuple[dict[str, dict[str, Item]], Vectors]:
    """What the files hold, read by Chroma's own client."""
    items: dict[str, dict[str, Item]] = {}
    vectors: Vectors = {}
    with raw_collections(save) as collections:
        for name, collection in collections.items():
            got = collection.get(include=["documents", "metadatas", "embeddings"])
            held = zip(got["ids"], got["documents"], got["metadatas"], strict=True)
            items[name] = {
                id_: (text, m["kind"], m["seq"], m["turn"], m["scene"]) for id_, text, m in held
            }
            vectors[name] = dict(zip(got["ids"], got["embeddings"], strict=True))
    return items, vectors


class raw_collections:
    def __init__(self, save: Save) -> None:
        self.folder = MemoryFolder(save.memory_path, EMBEDDER).current()

    def __enter__(self) -> dict[str, Any]:
        import chromadb
        from chromadb.config import Settings

        assert self.folder is not None
        self.client: Any = chromadb.PersistentClient(
            self.folder, settings=Settings(anonymized_telemetry=False)
        )
        found = self.client.list_collections()
        return {c.name: self.client.get_collection(c.name, embedding_function=None) for c in found}

    def __exit__(self, *raised: object) -> None:
        self.client.close()


def assert_in_step(save: Save) -> Vectors:
    """Chroma on disk equals the recount, item by item."""
    folder = MemoryFolder(save.memory_path, EMBEDDER)
    beats = save.read().beats
    assert folder.applied == beats[-1].seq
    held, vectors = in_chroma(save)
    wanted = {s: items for s, items in Recount(save.canon(), beats).items.items() if items}
    assert {shelf: items for shelf, items in held.items() if items} == wanted
    assert audit(save) == []
    return vectors


async def story_in_chroma(folder: Path, *steps: Step, model: ScriptedModel | None = None) -> Save:
    save = begun(folder, model=model.name if model else "")
    async with playing(save, model, ChromaHome(save.memory_path)) as session:
        await act_where_possible(session, *steps)
    return save


async def continued(save: Save, *steps: Step) -> None:
    async with playing(save, home=ChromaHome(save.memory_path)) as session:
        await act_where_possible(session, *steps)


# ── item by item ──────────────────────────────────────────────────────────────────────────────


async def test_over_a_whole_run_each_collection_holds_what_its_owner_witnessed_or_learned(
    tmp_path: Path,
) -> None:
    save = await story_in_chroma(tmp_path / "story", *STORY[:6])
    assert_in_step(save)
    await continued(save, *STORY[6:])
    before = assert_in_step(save)
    beats = save.read().beats
    assert sum(beat.mind in (ANN, BEN, CY) for beat in beats) >= 60
    assert sum(bool(beat.withdrawn_seqs) for beat in beats) == 5
    held = in_chroma(save)[0]
    told = [w for w in (ANN, BEN, CY) if any("claim:" in i for i in held[f"{w}.semantic"])]
    assert len(told) >= 2
    shutil.rmtree(save.memory_path)
    await continued(save)
    after = assert_in_step(save)
    assert {shelf: set(rows) for shelf, rows in before.items() if rows} == {
        shelf: set(rows) for shelf, rows in after.items() if rows
    }
    for shelf, rows in after.items():
        for id_, vector in rows.items():
            np.testing.assert_allclose(vector, before[shelf][id_], atol=1e-5)


# ── catching up ───────────────────────────────────────────────────────────────────────────────


def _deleted(folder: MemoryFolder) -> None:
    shutil.rmtree(folder.path)


def _another_embedder(folder: MemoryFolder) -> None:
    held = json.loads(folder.manifest.read_text("utf-8"))
    folder.manifest.write_text(json.dumps(held | {"embedder": "others-99"}), "utf-8")


def _cut_off(folder: MemoryFolder) -> None:
    (current(folder) / UNFINISHED).touch()


def _not_noted(folder: MemoryFolder) -> None:
    (current(folder) / "applied.json").unlink()


def _damaged_note(folder: MemoryFolder) -> None:
    (current(folder) / "applied.json").write_text('{"seq": ', "utf-8")


def _untouched(folder: MemoryFolder) -> None:
    pass


def current(folder: MemoryFolder) -> Path:
    found = folder.current()
    assert found is not None
    return found


ON: list[Step] = [3]
BACK: list[Step] = [2, Rewind(turn=4), 3, Retake()]


@pytest.mark.parametrize(
    ("harm", "since"),
    [
        (_untouched, ON),
        (_untouched, BACK),
        (_not_noted, ON),
        (_not_noted, BACK),
        (_damaged_note, ON),
        (_deleted, BACK),
        (_another_embedder, BACK),
        (_cut_off, ON),
    ],
)
async def test_memory_that_lags_behind_or_is_lost_catches_up(
    tmp_path: Path, harm: Callable[[MemoryFolder], None], since: list[Step]
) -> None:
    """As a kill leaves it: the journal went on, memory is that of an earlier moment."""
    save = await story_in_chroma(tmp_path / "story", 6)
    shutil.copytree(save.memory_path, tmp_path / "earlier")
    async with playing(save) as session:  # its memory is elsewhere
        await act(session, *since)
    shutil.rmtree(save.memory_path)
    shutil.copytree(tmp_path / "earlier", save.memory_path)
    harm(MemoryFolder(save.memory_path, EMBEDDER))
    await continued(save)
    assert_in_step(save)


async def test_memory_that_is_ahead_of_the_journal_is_brought_back(tmp_path: Path) -> None:
    """As when a journal is put back from a copy: the journal is the truth."""
    save = await story_in_chroma(tmp_path / "story", 4)
    texts = save.journal_path.read_bytes(), save.cassette_path.read_bytes()
    await continued(save, 4)
    save.journal_path.write_bytes(texts[0])
    save.cassette_path.write_bytes(texts[1])
    await continued(save)
    assert_in_step(save)


async def test_a_branch_begins_with_no_memory_and_has_its_own(tmp_path: Path) -> None:
    from sandbox.engine.opening import branch

    save = await story_in_chroma(tmp_path / "story", 8)
    own = branch(save, 5, tmp_path / "own")
    assert not own.memory_path.exists()
    await continued(own)
    assert_in_step(own)
    await continued(own, 3)
    assert_in_step(own)
    assert_in_step(save)


def test_a_run_killed_while_it_is_printed_catches_up(tmp_path: Path) -> None:
    import asyncio

    folder = tmp_path / "saves" / "night"
    command = [sys.executable, "-m", "sandbox", "run", str(TINY), "--save", "night"]
    command += ["--beats", "200", "--json"]
    environment = {"SANDBOX_SAVES": str(tmp_path / "saves"), "HOME": str(tmp_path), "PATH": ""}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(45)]
        process.kill()
        shown += process.stdout.read().splitlines(keepends=True)
    seqs = [json.loads(line)["seq"] for line in shown if line.endswith(b"\n")]
    assert len(seqs) >= 40
    save = load_save(folder)
    assert [beat.seq for beat in save.read().beats][: seqs[-1]] == list(range(1, seqs[-1] + 1))
    asyncio.run(continued(save, 2))
    assert_in_step(save)
    asyncio.run(assert_verifies(save))


# ── recall comes from Chroma ──────────────────────────────────────────────────────────────────


def talker() -> ScriptedModel:
    words = ("The moon is out tonight.", "My lamp wants oil.", "The oven smokes.")
    model = ScriptedModel(lambda _: reply(words[len(model.requests) % len(words)]))
    return model


BELL = Inject(text="A silver bell rings in the fog.", place=HALL)
EPISODIC = Shelf(ANN, Layer.EPISODIC)


async def recalled(session: Session) -> tuple[str, ...]:
    return await session.keeper.recall(EPISODIC, "the silver bell in the fog", 3, {})


async def test_what_was_removed_behind_the_programs_back_is_no_longer_recalled(
    tmp_path: Path,
) -> None:
    save = await story_in_chroma(tmp_path / "story", BELL, 6, model=talker())
    home = ChromaHome(save.memory_path)
    async with playing(save, talker(), home) as session:
        found = await recalled(session)
    bell = next(id_ for id_ in found if id_.startswith("percept:1."))
    with raw_collections(save) as collections:
        collections["ann.episodic"].delete(ids=[bell])
    assert any("`ann.episodic` lacks: percept:1." in problem for problem in audit(save))
    async with playing(save, talker(), ChromaHome(save.memory_path)) as session:
        assert bell not in await recalled(session)
        await one_round(session)
    entries = [json.loads(line) for line in save.cassette_path.read_text("utf-8").splitlines()]
    last = [entry for entry in entries if entry["kind"] == "recalled"][-2:]
    assert all(bell not in entry["ids"] for entry in last)


async def test_what_a_stranger_put_there_is_reported_and_never_reaches_a_prompt(
    tmp_path: Path,
) -> None:
    save = await story_in_chroma(tmp_path / "story", BELL, 6, model=talker())
    with raw_collections(save) as collections:
        for shelf in ("ann.episodic", "ben.episodic", "cy.episodic"):
            collection = collections[shelf]
            got = collection.get(include=["embeddings", "documents"])
            rows = got["embeddings"]
            count = len(got["ids"])
            collection.add(
                ids=[f"stranger:{n}" for n in range(count)],
                embeddings=rows,
                # As near to any question as what is her own: one of the two is recalled.
                documents=[f"{text} The smugglers know." for text in got["documents"] or []],
                metadatas=[{"kind": "percept", "seq": 1, "turn": 1, "scene": "s1"}] * count,
            )
    problems = list(audit(save))
    assert any("`ann.episodic` holds what its owner never learned" in line for line in problems)
    model = talker()
    async with playing(save, model, ChromaHome(save.memory_path)) as session:
        with pytest.raises(BoundaryError, match="never lived through"):
            await one_round(session)
    assert not any("smugglers" in str(request) for request in model.requests)


async def test_the_live_store_is_in_step_with_the_live_world(tmp_path: Path) -> None:
    save = begun(tmp_path / "story")
    async with playing(save, home=ChromaHome(save.memory_path)) as session:
        for steps in ([4], [Inject(text="A bell."), 3], [Rewind(turn=3)], [4, Retake()], [2]):
            await act(session, *steps)

            def problems(store: MemoryStore) -> list[str]:
                return list(memory_problems(store, world_of(save)))

            session.keeper.flush()
            assert await session.keeper._asked(problems) == []
